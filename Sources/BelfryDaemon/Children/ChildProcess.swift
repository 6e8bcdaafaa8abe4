import BelfrySystem
import BelfryWire

/// A child's process and our end of its socket; both close when this goes.
final class ChildProcess {
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

  /// `say` hears what it prints.
  init(_ start: ChildStart, say: @escaping (String) -> Void) {
    self.start = start
    output = start.output.map { ChildOutput($0, say: say) }
  }

  var child: Child { _read { yield start.child } }
  var socket: Int32 { start.socket.raw }
  var file: String { start.file }
  var life: Int32 { start.life }
  var output: ChildOutput?

  /// The next packet, if one is there.
  func receive(_ buffer: PacketBuffer) -> Received {
    let transfer: Transfer
    do throws(SystemError) {
      transfer = try start.socket.receive(into: buffer.bytes)
    } catch {
      return .end
    }
    switch transfer {
    case .wouldBlock: return .nothing
    // No message is empty.
    case .end: return .end
    case .bytes(let count):
      guard count <= buffer.bytes.count else { return .garbled("too long") }
      do throws(WireError) {
        return .message(try MessageFromChild.decode(Array(buffer.bytes[..<count])))
      } catch {
        return .garbled(error.reason)
      }
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

/// Room for the longest packet, shared by all children.
final class PacketBuffer {
  let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: WorkerMessage.limit, alignment: 8)

  deinit {
    bytes.deallocate()
  }
}
