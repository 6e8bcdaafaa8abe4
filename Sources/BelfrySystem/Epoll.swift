import CLinux

/// What a descriptor is, or is to be waited for.
public struct Readiness: OptionSet, Hashable, Sendable {
  public var rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: 0x001)
  public static let writable = Readiness(rawValue: 0x004)
  /// Always reported, need not be asked for.
  public static let error = Readiness(rawValue: 0x008)
  /// Always reported: both directions are closed.
  public static let hangup = Readiness(rawValue: 0x010)
}

/// epoll(7), level-triggered; used by one thread.
public struct Epoll: ~Copyable {
  public struct Event: Hashable, Sendable {
    public var token: UInt64
    public var readiness: Readiness

    public init(token: UInt64, readiness: Readiness) {
      self.token = token
      self.readiness = readiness
    }
  }

  public let descriptor: FileDescriptor

  public init() throws(SystemError) {
    descriptor = FileDescriptor(owning: try check(clinux_epoll_make(), "epoll_create1"))
  }

  /// Watches `raw`; its events carry `token`. An empty readiness still reports errors and hang-ups.
  public func add(
    _ raw: Int32, _ readiness: Readiness, token: UInt64
  ) throws(SystemError) {
    try check(clinux_epoll_add(descriptor.raw, raw, readiness.rawValue, token), "epoll_ctl add")
  }

  public func change(
    _ raw: Int32, _ readiness: Readiness, token: UInt64
  ) throws(SystemError) {
    try check(clinux_epoll_change(descriptor.raw, raw, readiness.rawValue, token), "epoll_ctl mod")
  }

  /// Before `raw` is closed.
  public func remove(_ raw: Int32) throws(SystemError) {
    try check(clinux_epoll_remove(descriptor.raw, raw), "epoll_ctl del")
  }

  /// Waits for at most `events.count` events (64 are enough) and returns how many there are at the
  /// front of `events`; `milliseconds` nil: for ever. Deadlines belong in a timerfd.
  public func wait(
    into events: inout [Event], milliseconds: Int32? = nil
  ) throws(SystemError) -> Int {
    var count: Int32 = 0
    withUnsafeTemporaryAllocation(of: clinux_epoll_event.self, capacity: events.count) { buffer in
      guard let base = buffer.baseAddress else { return }
      count = clinux_epoll_wait(descriptor.raw, base, buffer.count, milliseconds ?? -1)
      for index in 0..<max(0, Int(count)) {
        events[index] = Event(
          token: buffer[index].token, readiness: Readiness(rawValue: buffer[index].events))
      }
    }
    return Int(try check(count, "epoll_wait"))
  }

  /// The same for a burst of at most 64.
  public func wait(milliseconds: Int32? = nil) throws(SystemError) -> [Event] {
    var events = [Event](repeating: Event(token: 0, readiness: []), count: 64)
    let count = try wait(into: &events, milliseconds: milliseconds)
    return Array(events.prefix(count))
  }
}
