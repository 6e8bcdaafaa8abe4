import BelfryCore
import BelfrySystem
import BelfryWire

/// Many calls at once on one connection, for a thread that waits for `descriptor` itself: `enqueue`
/// and `flush` never wait, replies come by `receive(milliseconds: 0)` in the order of the calls.
///
/// Not to be mixed with `send`, `call` and `stream` on the same connection.
extension Client {
  /// Puts a call behind those that have not left yet; answers where it ends: the daemon may have got
  /// it once `sentBytes` has come so far.
  public func enqueue(
    _ method: String, _ parameters: JSONObject, more: Bool = false
  ) -> Int64 {
    queue.append(Self.message(method, parameters, more: more))
  }

  /// Bytes that have left, since the connection began.
  public var sentBytes: Int64 { queue.sent }

  /// Bytes that have not.
  public var unsentBytes: Int { queue.unsent }

  /// Sends what the socket takes at once. A connection that has ended takes nothing: `receive` says
  /// so.
  public func flush() {
    while queue.unsent > 0, let count = queue.sendNext(to: socket) { queue.drop(count) }
  }
}

/// Bytes on their way into a socket.
struct SendQueue {
  private var bytes: [UInt8] = []
  private var start = 0
  /// In all.
  private(set) var sent: Int64 = 0

  var unsent: Int { bytes.count - start }

  /// Where these end, in bytes since the beginning.
  mutating func append(_ more: [UInt8]) -> Int64 {
    bytes.append(contentsOf: more)
    return sent + Int64(unsent)
  }

  /// How many bytes went; nil: it would have waited, or the connection has ended.
  func sendNext(to socket: borrowing FileDescriptor) -> Int? {
    bytes.withUnsafeBytes { bytes in
      let next = UnsafeRawBufferPointer(rebasing: bytes[start...])
      do throws(SystemError) {
        return try socket.send(next)
      } catch {
        return nil
      }
    }
  }

  mutating func drop(_ count: Int) {
    start += count
    sent += Int64(count)
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 16)
      start = 0
    } else if start > 1 << 20 {
      bytes.removeFirst(start)
      start = 0
    }
  }
}
