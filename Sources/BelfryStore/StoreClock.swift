import BelfryCore

/// What the store knows of the time (T9), without ever being written for that alone while running.
public struct LastTime: Hashable, Sendable {
  /// The last time known: of the newest delivery, or of the newest note of the clock.
  public var real: Instant?
  /// The boot of the newest note, and how far its elapsed clock had come.
  public var boot: Int64?
  public var elapsed: Int64 = 0
}

extension Store {
  /// The newest row decides, not the latest time: a clock that ran ahead was corrected since.
  func lastTime() throws(StoreError) -> LastTime {
    var last = LastTime()
    var noted: Int64 = -1
    let clock = try statement(.clock)
    if try clock.step() {
      last.boot = clock.integer(0)
      last.elapsed = clock.integer(1)
      last.real = Instant(nanoseconds: clock.integer(2))
      noted = clock.integer(3)
    }
    clock.reset()
    let newest = try statement(.newestTime)
    if try newest.step(), newest.integer(0) > noted {
      last.real = Instant(nanoseconds: newest.integer(1))
    }
    newest.reset()
    return last
  }
}

extension RelativeTime {
  /// 25 bytes: made, due and boot, least significant byte first, and then whether it was synchronised
  /// in the lowest bit, the purpose above it.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for word in [made, due, boot] {
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * Int64(shift)))) }
    }
    bytes.append(purpose.rawValue << 1 | (isSynchronised ? 1 : 0))
    return bytes
  }

  /// nil: these are none.
  init?(bytes: [UInt8]) {
    guard bytes.count == 25, let purpose = Purpose(rawValue: bytes[24] >> 1) else { return nil }
    func word(_ start: Int) -> Int64 {
      var word: UInt64 = 0
      for index in 0..<8 { word |= UInt64(bytes[start + index]) << (8 * UInt64(index)) }
      return Int64(bitPattern: word)
    }
    self.init(
      made: word(0), due: word(8), boot: word(16), isSynchronised: bytes[24] & 1 == 1,
      purpose: purpose)
  }
}

extension Statement {
  @discardableResult
  func bind(_ relative: RelativeTime?) -> Statement {
    guard let relative else { return bindNull() }
    return bind(relative.bytes)
  }
}
