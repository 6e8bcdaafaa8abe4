import BelfryCore
import BelfrySystem

/// An inbox of many entries, and pages anywhere in it, each a question to the store thread.
extension StoreBenchmark {
  private static let pages = 2000
  private static let group: Int32 = 256

  static func inbox(_ folder: String, _ count: Int32) throws(BenchmarkError) {
    let run = try Run(folder, "books-inbox.sqlite")
    let fill = SystemClock.elapsed()
    var position: Int32 = 0
    while position < count {
      let last = min(count, position + group)
      run.submit((position + 1...last).map { .change(.push(push(Int64($0)))) })
      position = last
      run.wait(for: Int(position))
    }
    let elapsed = max(1, SystemClock.elapsed() - fill)
    print("\(Int64(count) * Nanoseconds.second / elapsed)")
    guard count > 100 else { return run.end() }
    var answers = Int(count)
    func page(_ since: InboxToken?, limit: Int32) -> Int64 {
      let start = SystemClock.elapsed()
      answers += 1
      run.submit([
        .question(
          .fetchInbox(
            app: 1, container: "", since: since, blank: .blank(app: "app", container: ""),
            limit: limit))
      ])
      run.wait(for: answers)
      return SystemClock.elapsed() - start
    }
    _ = page(nil, limit: 1)
    guard let name = run.token?.name else { throw BenchmarkError(reason: "no page came") }
    var took: [Int64] = []
    for index in 1...UInt64(pages) {
      let mixed = index &* 0x9E37_79B9_7F4A_7C15
      let position = Int64((mixed >> 20) % UInt64(count - 100))
      took.append(page(InboxToken(name: name, position: position), limit: 100))
      guard run.token?.position == position + 100 else {
        throw BenchmarkError(reason: "the page after \(position) ends elsewhere")
      }
    }
    took.sort()
    print("\(took[pages / 2] / 100) \(took[pages * 99 / 100] / 100)")
    run.end()
  }

  /// As push_baseline.c makes them.
  private static func push(_ position: Int64) -> StoredPush {
    let mixed = UInt64(position) &* 0x9E37_79B9_7F4A_7C15
    let hex = String(mixed >> 16, radix: 16)
    let zeros = String(repeating: "0", count: 12 - hex.utf8.count)
    let payload =
      "{\"aps\":{\"alert\":\"The kettle in the ward kitchen is ready\",\"badge\":\(position)},"
      + "\"ck\":{\"nid\":\"00000007-0000-4000-8000-\(zeros)\(hex)\","
      + "\"qry\":{\"fo\":1,\"rid\":\"kettle\"}}}"
    return StoredPush(
      app: 1, container: "", id: UUIDBits(high: mixed, low: mixed &* 3), kind: 1,
      payload: payload, received: Instant(nanoseconds: position * 1000), pruned: [],
      limit: .max, occurrence: nil)
  }
}
