import BelfryCore
import BelfrySystem

/// A file beside the store that only takes up room: on a full disk it goes, so that what frees room, and
/// what the operator's own apps ask for, can still be written (D8).
enum StoreReserve {
  private static let bytes = 1 << 20
  /// A disk with less has better uses for it.
  private static let leastFree: Int64 = 8 << 20

  static func path(_ store: String) -> String { store + "-reserve" }

  /// Makes it, where there is room; false: it is not there, or smaller. `orLess`: it was spent, and
  /// what is left of it is kept for the next time. Blocks on the disk.
  static func make(for store: String, orLess: Bool) -> Bool {
    let path = path(store)
    if let found = try? Files.status(path, follow: false), found.kind == .regular,
      found.size >= bytes
    {
      return true
    }
    guard let free = Files.room(Files.parent(of: store)) else { return false }
    if free >= leastFree { return (try? write(pieces: bytes / piece, path)) != nil }
    // A piece stays free, so that small writes need nothing.
    let left = min(bytes, Int(clamping: free)) / piece - 1
    let has = Int(clamping: (try? Files.status(path, follow: false))?.size ?? 0) / piece
    if orLess, left >= 2, left > has { try? write(pieces: left, path) }
    return false
  }

  static func spend(for store: String) { try? Files.remove(path(store)) }

  /// Small ones, for a large buffer would make the allocator keep as much from then on.
  private static let piece = 64 << 10

  /// Of bytes that no file system makes smaller.
  private static func write(pieces: Int, _ path: String) throws(SystemError) {
    var word = Random.uuid().low
    let new = path + ".new"
    do throws(SystemError) {
      let file = try Files.open(new, [.write, .create, .truncate, .noFollow], mode: 0o600)
      for _ in 0..<pieces {
        var content: [UInt8] = []
        content.reserveCapacity(piece)
        while content.count < piece {
          word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          content.append(UInt8(truncatingIfNeeded: word >> 56))
        }
        try Output.write(content, to: file)
      }
      try file.sync()
      try Files.rename(new, to: path)
    } catch {
      try? Files.remove(new)
      throw error
    }
  }
}
