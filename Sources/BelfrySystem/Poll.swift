import CLinux

/// poll(2) for a thread that serves few descriptors.
public enum Poll {
  public struct Entry: Hashable, Sendable {
    public var descriptor: Int32
    public var wanted: Readiness
    public var ready: Readiness = []

    public init(_ descriptor: Int32, _ wanted: Readiness) {
      self.descriptor = descriptor
      self.wanted = wanted
    }
  }

  /// Waits until one of at most 64 entries is ready, fills their `ready` and returns how many are;
  /// 0 after `milliseconds` (nil: never).
  public static func wait(
    _ entries: inout [Entry], milliseconds: Int32? = nil
  ) throws(SystemError) -> Int {
    var raw = entries.map {
      clinux_poll_entry(fd: $0.descriptor, events: Int16($0.wanted.rawValue & 0x5), ready: 0)
    }
    var result: Int32 = 0
    raw.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress {
        result = clinux_descriptor_poll(base, buffer.count, milliseconds ?? -1)
      }
    }
    try check(result, "poll")
    for index in entries.indices {
      entries[index].ready = Readiness(rawValue: UInt32(UInt16(bitPattern: raw[index].ready)))
    }
    return Int(result)
  }

  /// Waits for one descriptor; empty after `milliseconds` (nil: never), `.error` when it cannot be
  /// waited for.
  public static func wait(
    _ descriptor: Int32, _ wanted: Readiness, milliseconds: Int32? = nil
  ) -> Readiness {
    var entry = clinux_poll_entry(fd: descriptor, events: Int16(wanted.rawValue & 0x5), ready: 0)
    let result = clinux_descriptor_poll(&entry, 1, milliseconds ?? -1)
    if result < 0 { return .error }
    return result == 0 ? [] : Readiness(rawValue: UInt32(UInt16(bitPattern: entry.ready)))
  }
}
