/// Packets for one child, in order, bounded.
struct Outbox {
  private var packets: [[UInt8]] = []
  private var first = 0
  private var bytes = 0

  /// A child that leaves so much unread hangs.
  static let mostPackets = 4096
  static let mostBytes = 8 << 20

  var isEmpty: Bool { first == packets.count }
  var count: Int { packets.count - first }
  var isOverfull: Bool {
    count > Outbox.mostPackets || bytes > Outbox.mostBytes
  }

  /// The oldest packet; nil: none. Empty packets are never kept.
  var next: [UInt8]? { isEmpty ? nil : packets[first] }

  mutating func append(_ packet: [UInt8]) {
    if packet.isEmpty { return }
    packets.append(packet)
    bytes += packet.count
  }

  /// Before all others.
  mutating func prepend(_ packet: [UInt8]) {
    if packet.isEmpty { return }
    packets.replaceSubrange(..<first, with: [packet])
    first = 0
    bytes += packet.count
  }

  mutating func removeFirst() {
    bytes -= packets[first].count
    packets[first] = []
    first += 1
    if isEmpty {
      packets.removeAll(keepingCapacity: packets.count < 64)
      first = 0
    }
  }
}
