import BelfrySystem
import BelfryWire

/// A child's process and our end of its socket; both close when this goes.
final class RunningChild {
  enum Received {
    case nothing
    case end
    case message(MessageFromChild)
    case garbled(String)
  }

  enum Sent {
    case done
    /// The socket is full.
    case blocked
    case broken
  }

  private let start: ChildStart
  var socketWatch: Loop.Watch?
  var endWatch: Loop.Watch?
  private var isWaitingForRoom = false

  init(_ start: ChildStart) {
    self.start = start
  }

  var child: Child { _read { yield start.child } }
  var socket: Int32 { start.socket.raw }

  /// The next packet, if one is there.
  func receive() -> Received {
    var packet: [UInt8]?
    do throws(SystemError) {
      packet = try start.socket.receive(atMost: WorkerMessage.limit)
    } catch {
      return error.code == SystemError.messageSize ? .garbled("too long") : .end
    }
    guard let packet else { return .nothing }
    // No message is empty.
    if packet.isEmpty { return .end }
    do throws(WireError) {
      return .message(try MessageFromChild.decode(packet))
    } catch {
      return .garbled(error.reason)
    }
  }

  /// Sends from the front of `outbox` what fits, at most `count` packets.
  func send(_ outbox: inout Outbox, atMost count: Int) -> Sent {
    var left = count
    while left > 0, let packet = outbox.next {
      left -= 1
      do throws(SystemError) {
        guard try start.socket.send(packet) != nil else { return .blocked }
      } catch {
        return .broken
      }
      outbox.removeFirst()
    }
    return .done
  }

  /// Has the loop tell when the socket has room again.
  func wantsRoom(_ wanted: Bool, _ loop: Loop) {
    guard wanted != isWaitingForRoom, let watch = socketWatch else { return }
    isWaitingForRoom = wanted
    try? loop.change(watch, socket, wanted ? [.readable, .writable] : .readable)
  }
}
