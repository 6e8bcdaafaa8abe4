import CLinux

/// A signal that Belfry's programs handle.
public enum Signal: Int32, Sendable {
  case hangup = 1
  case interrupt = 2
  case kill = 9
  case terminate = 15
  /// A child has ended.
  case child = 17
}

/// Signals as readable events (signalfd(2)).
public struct SignalDescriptor: ~Copyable {
  public let descriptor: FileDescriptor

  /// Blocks `signals` in this thread and in those it starts afterwards.
  public init(_ signals: [Signal]) throws(SystemError) {
    let numbers = signals.map { $0.rawValue }
    descriptor = FileDescriptor(
      owning: try check(clinux_signal_make(numbers, numbers.count), "signalfd"))
  }

  /// The next signal that came; nil: none.
  public func read() throws(SystemError) -> Signal? {
    Signal(rawValue: try check(clinux_signal_read(descriptor.raw), "read signalfd"))
  }

  /// A write to a closed pipe becomes EPIPE instead of an end.
  public static func ignoreBrokenPipes() {
    _ = clinux_signal_ignore_pipe()
  }
}
