import BelfryCore
import BelfryStore
import BelfrySystem

/// The store thread alone, to stand beside store_baseline.c and beside a whole belfryd.
///
/// Built by BELFRY_BENCHMARKS=1. usage: StoreBenchmark FOLDER schedule|fire|start|inbox COUNT
/// - schedule prints GROUP ROWS_PER_SECOND BYTES_PER_ROW, as the C program does
/// - fire prints BYTES_PER_FIRING: an intent; then the hand-over and one answer
/// - start prints SECONDS_TO_FILL MILLISECONDS_TO_OPEN KIB_RESIDENT
/// - inbox prints PUSHES_PER_SECOND; then MEDIAN and the 99th PERCENTILE, in tenths of a microsecond,
///   of a page of 100 anywhere in an inbox of COUNT
@main
struct StoreBenchmark {
  static func main() {
    let words = Arguments.all
    guard words.count == 4, let count = Int32(words[3]), count > 0 else {
      print("usage: StoreBenchmark FOLDER schedule|fire|start|inbox COUNT")
      return
    }
    do throws(BenchmarkError) {
      switch words[2] {
      case "schedule":
        for group in [1, 8, 64] { try schedule(words[1], count, group: group) }
      case "fire": try fire(words[1], count)
      case "inbox": try inbox(words[1], count)
      default: try start(words[1], count)
      }
    } catch {
      print(error.reason)
    }
  }

  /// `group` operations in flight at a time.
  static func schedule(_ folder: String, _ count: Int32, group: Int) throws(BenchmarkError) {
    let run = try Run(folder, "books-\(group).sqlite")
    let bytes = Self.written()
    let start = SystemClock.elapsed()
    var slot: Slot = 0
    while slot < count {
      let last = min(count, slot + Int32(group))
      run.submit((slot + 1...last).map { .change(.schedule(Self.row($0), ifAdded: .none)) })
      slot = last
      run.wait(for: Int(slot))
    }
    let elapsed = max(1, SystemClock.elapsed() - start)
    run.end()
    let rate = Int64(count) * Nanoseconds.second / elapsed
    print("\(group) \(rate) \((Self.written() - bytes) / Int64(count))")
  }

  /// Each one-shot by itself: nothing else shares its transactions.
  static func fire(_ folder: String, _ count: Int32) throws(BenchmarkError) {
    let run = try Run(folder, "books-fire.sqlite")
    run.submit((1...count).map { .change(.schedule(Self.row($0), ifAdded: .none)) })
    run.wait(for: Int(count))
    let bytes = Self.written()
    var answers = Int(count)
    for slot in 1...count {
      let row = Self.row(slot)
      let id = OccurrenceID(uuid: row.uuid, generation: 0, k: 0)
      let occurrence = Occurrence(
        id: id, app: "app", notification: row.notification, due: row.anchor)
      run.submit([
        .record(.intend(occurrence, app: 1, slot: slot)), .question(.barrier(app: nil)),
      ])
      answers += 1
      run.wait(for: answers)
      let settled = HistoryRow(
        app: "app", identifier: row.notification.identifier ?? "", occurrence: id,
        sink: "console", due: row.anchor, handedOver: row.anchor, acknowledged: row.anchor,
        state: .delivered, reason: nil, attempts: 1)
      run.submit([
        .record(.fired(occurrence, app: 1, slot: slot, sinks: ["console"])),
        .record(.settle(settled, app: 1, shown: true, replaces: [], closes: true)),
        .question(.barrier(app: nil)),
      ])
      answers += 1
      run.wait(for: answers)
    }
    run.end()
    print("\((Self.written() - bytes) / Int64(count))")
  }

  static func start(_ folder: String, _ count: Int32) throws(BenchmarkError) {
    let run = try Run(folder, "books-start.sqlite")
    let fill = SystemClock.elapsed()
    var slot: Slot = 0
    while slot < count {
      let last = min(count, slot + 4096)
      run.submit((slot + 1...last).map { .change(.schedule(Self.row($0), ifAdded: .none)) })
      slot = last
      run.wait(for: Int(slot))
    }
    run.end()
    let open = SystemClock.elapsed()
    var rows: Int64 = 0
    let opened = try BenchmarkError.of { () throws(StoreError) in
      try Store.open(
        path: run.path, options: StoreOptions(now: SystemClock.real()), forget: {},
        pending: { _ in rows += 1 })
    }
    let end = SystemClock.elapsed()
    opened.store.close()
    print(
      """
      \((open - fill) / Nanoseconds.second) \((end - open) / Nanoseconds.millisecond) \
      \(Self.field("/proc/self/status", "VmRSS:"))
      """)
    if rows != Int64(count) { throw BenchmarkError(reason: "\(rows) rows came back") }
  }

  static func row(_ slot: Slot) -> StoredNotification {
    let mixed = UInt64(slot) &* 0x9E37_79B9_7F4A_7C15
    var notification = Notification()
    let hex = String(mixed, radix: 16)
    let zeros = String(repeating: "0", count: 16 - hex.utf8.count)
    notification.identifier = "00000007-load-" + zeros + hex
    let due = Instant(nanoseconds: (2_000_000_000 + Int64(slot)) * Nanoseconds.second)
    notification.fireDate = due
    notification.alertBody = "The kettle in the ward kitchen is ready"
    notification.soundName = Notification.defaultSoundName
    return StoredNotification(
      slot: slot, app: 1, uuid: UUIDBits(high: mixed, low: mixed &* 3), generation: 0,
      sequence: Int64(slot), anchor: due, firedThrough: -1, notification: notification)
  }

  static func written() -> Int64 { field("/proc/self/io", "write_bytes:") }

  /// The number after a name in one of the kernel's files.
  static func field(_ path: String, _ name: String) -> Int64 {
    guard let bytes = try? Files.read(path, limit: 1 << 16) else { return 0 }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      if words.count > 1, words[0] == name { return Int64(words[1]) ?? 0 }
    }
    return 0
  }
}

struct BenchmarkError: Error {
  var reason: String

  static func of<Value>(_ body: () throws(StoreError) -> Value) throws(BenchmarkError) -> Value {
    do throws(StoreError) {
      return try body()
    } catch {
      throw BenchmarkError(reason: error.reason)
    }
  }
}

/// A store thread over a fresh file.
final class Run {
  let path: String
  private let thread: StoreThread
  private let answers: Mailbox<[StoreOutcome]>
  private var answered = 0
  /// Of the newest page of an inbox.
  private(set) var token: InboxToken?

  init(_ folder: String, _ name: String) throws(BenchmarkError) {
    let path = folder + "/" + name
    for suffix in ["", "-wal"] { try? Files.remove(path + suffix) }
    let opened = try BenchmarkError.of { () throws(StoreError) in
      try Store.open(
        path: path, options: StoreOptions(now: SystemClock.real()), forget: {}, pending: { _ in })
    }
    do throws(SystemError) {
      let answers = try Mailbox<[StoreOutcome]>()
      thread = try StoreThread.start(
        opened.store, log: { _, line in print(line) },
        answer: { answers.send($0.map { $0.outcome }) })
      self.answers = answers
    } catch {
      throw BenchmarkError(reason: error.text)
    }
    self.path = path
    submit([.change(.registerApp(StoredApp(number: 1, name: "app", owner: 0, badge: 0)))])
    wait(for: 1)
    answered = 0
  }

  func submit(_ operations: [StoreOperation]) {
    thread.submit(operations.map { StoreWriter.Entry(ticket: 1, operation: $0) })
  }

  func wait(for count: Int) {
    while answered < count {
      for outcomes in answers.wait() {
        answered += outcomes.count
        if case .fetched(.page(_, let token, _))? = outcomes.last { self.token = token }
      }
    }
  }

  func end() { thread.stop() }
}
