import BelfryCore
import BelfrySystem

/// A file beside the store that only takes up room: on a full disk it goes, so that what frees room, and
/// what the operator's own apps ask for, can still be written (D8).
enum StoreReserve {
  private static let bytes = 1 << 20
  /// A disk with less has better uses for it.
  private static let leastFree: Int64 = 8 << 20

  static func path(_ store: String) -> String { store + "-reserve" }

  /// Makes it, where there is room; false: it is not there, or smaller. Blocks on the disk.
  static func make(for store: String) -> Bool {
    let path = path(store)
    if let found = try? Files.status(path, follow: false), found.kind == .regular,
      found.size >= bytes
    {
      return true
    }
    guard let free = Files.room(Files.parent(of: store)), free >= leastFree else { return false }
    return write(bytes, path)
  }

  /// A smaller one again, of what was not needed.
  static func makeOfWhatIsLeft(for store: String) {
    guard let free = Files.room(Files.parent(of: store)) else { return }
    let size = min(bytes, Int(clamping: free) - bytes / 16)
    if size >= bytes / 8 { _ = write(size, path(store)) }
  }

  static func spend(for store: String) { try? Files.remove(path(store)) }

  /// Of bytes that no file system makes smaller.
  private static func write(_ size: Int, _ path: String) -> Bool {
    var word = Random.uuid().low
    var content: [UInt8] = []
    content.reserveCapacity(size)
    while content.count < size {
      word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      content.append(UInt8(truncatingIfNeeded: word >> 56))
    }
    return (try? Files.write(content, to: path)) != nil
  }
}
