import BelfryCore
import BelfrySystem
import BelfryWire
import CLinux

/// The worker's end of the socketpair to the clock.
///
/// Sending is safe from any thread. Without a clock there is nothing to work for: when it is gone,
/// the process group ends at once.
final class ClockChannel: @unchecked Sendable {
  let descriptor: Int32
  private let mutex = Mutex()
  private var droppedLines: Int64 = 0
  private var buffer = [UInt8](repeating: 0, count: WorkerMessage.limit)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Sends, waiting until the clock takes it.
  func send(_ message: MessageFromChild) {
    guard let bytes = try? message.encode() else { return }
    let result = bytes.withUnsafeBytes {
      clinux_socket_send(descriptor, $0.baseAddress, $0.count, 1)
    }
    if result < 0 { clinux_confine_end_group() }
  }

  /// Sends a line for the daemon's log, or drops it when the clock is behind: a plugin that talks
  /// without end delays nothing but itself.
  func log(_ level: LogLevel, _ text: String) {
    mutex.withLock {
      if droppedLines > 0 {
        let notice = "\(droppedLines) lines of this plugin's log were dropped"
        guard offer(.log(.warning, notice)) else { return droppedLines += 1 }
        droppedLines = 0
      }
      if !offer(.log(level, text)) { droppedLines += 1 }
    }
  }

  private func offer(_ message: MessageFromChild) -> Bool {
    guard let bytes = try? message.encode() else { return true }
    let result = bytes.withUnsafeBytes {
      clinux_socket_send(descriptor, $0.baseAddress, $0.count, 0)
    }
    if result >= 0 { return true }
    if result == -Int64(SystemError.wouldBlock) { return false }
    clinux_confine_end_group()
  }

  /// The next message; nil: none is there. Waits for one with `wait`. One reader at a time.
  func receive(wait: Bool) throws(WireError) -> MessageToChild? {
    let count = buffer.withUnsafeMutableBytes {
      clinux_socket_receive(descriptor, $0.baseAddress, $0.count, wait ? 1 : 0)
    }
    if count == -Int64(SystemError.wouldBlock) { return nil }
    guard count > 0, count <= Int64(buffer.count) else { clinux_confine_end_group() }
    return try MessageToChild.decode(Array(buffer[..<Int(count)]))
  }
}
