import BelfryCore
import BelfrySystem

/// Tells the service manager how we are (sd_notify(3)): one datagram a message, never waited for.
public final class ServiceNotifier {
  private let socket: FileDescriptor?

  /// `address` is the value of `NOTIFY_SOCKET`: a path, or `@` and an abstract name. nil, or an
  /// address that nobody listens at: every message is dropped.
  public init(address: String?) {
    if let address, address.hasPrefix("/") || address.hasPrefix("@") {
      socket = try? UnixSocket.connect(address, .datagram)
    } else {
      socket = nil
    }
    isConnected = socket != nil
  }

  public let isConnected: Bool

  public func ready() { send("READY=1") }
  public func shutdown() { send("STOPPING=1") }
  public func watchdog() { send("WATCHDOG=1") }
  /// One line that `systemctl status` shows.
  public func status(_ line: String) { send("STATUS=\(line)") }

  private func send(_ message: String) {
    _ = try? socket?.send(Array(message.utf8))
  }

  /// How often to ping, in nanoseconds: half of `WATCHDOG_USEC`, if that is meant for us.
  public static func interval(pid: Int32, variable: (String) -> String?) -> Int64? {
    guard let text = variable("WATCHDOG_USEC"), let microseconds = Int64(text),
      microseconds > 0, microseconds < 1 << 50
    else { return nil }
    if let whom = variable("WATCHDOG_PID"), Int32(whom) != pid { return nil }
    return microseconds * 500
  }
}
