/// Packets for one child, in order, bounded.
struct Outbox {
  private struct Packet {
    var bytes: [UInt8]
    /// Of the hand-over; nil: it is none.
    var token: UInt64?
  }

  private var packets: [Packet] = []
  private var first = 0
  private var bytes = 0

  /// A child that leaves so much unread hangs.
  static let maxPackets = 4096
  static let maxBytes = 8 << 20

  var isEmpty: Bool { first == packets.count }
  var count: Int { packets.count - first }
  var isOverfull: Bool {
    count > Outbox.maxPackets || bytes > Outbox.maxBytes
  }

  /// The oldest packet; nil: none. Empty packets are never kept.
  var next: [UInt8]? { isEmpty ? nil : packets[first].bytes }

  /// The hand-overs that never left.
  var tokens: [UInt64] { packets[first...].compactMap { $0.token } }

  mutating func append(_ packet: [UInt8], token: UInt64? = nil) {
    if packet.isEmpty { return }
    packets.append(Packet(bytes: packet, token: token))
    bytes += packet.count
  }

  /// Before all others.
  mutating func prepend(_ packet: [UInt8]) {
    if packet.isEmpty { return }
    packets.replaceSubrange(..<first, with: [Packet(bytes: packet)])
    first = 0
    bytes += packet.count
  }

  mutating func removeFirst() {
    bytes -= packets[first].bytes.count
    packets[first].bytes = []
    first += 1
    if isEmpty {
      packets.removeAll(keepingCapacity: packets.count < 64)
      first = 0
    }
  }
}
