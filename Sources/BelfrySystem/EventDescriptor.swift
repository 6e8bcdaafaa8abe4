import CLinux

/// A bell between threads (eventfd(2)), for a poll or an epoll to listen to.
public struct EventDescriptor: ~Copyable, Sendable {
  public let descriptor: FileDescriptor

  public init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try check(clinux_event_make(), "eventfd"))
  }

  /// Makes `descriptor` readable; from any thread.
  public func ring() {
    _ = clinux_event_ring(descriptor.raw)
  }

  /// Makes it quiet again; true: it had been rung.
  @discardableResult
  public func clear() -> Bool {
    clinux_event_clear(descriptor.raw) == 1
  }
}
