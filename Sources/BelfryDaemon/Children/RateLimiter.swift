import BelfryCore

/// Bounds what one child may say, a second at a time.
struct RateLimiter {
  /// Messages that answer nothing; more is a flood.
  static let messages = 5000
  /// Lines that are passed on, of its log and of its output; the rest is dropped.
  static let lines = 50
  /// What its user does; more is not done by anybody.
  static let inputs = 50
  /// Pushes; more are to be sent again later.
  static let pushes = 10_000

  private var second: Int64 = .min
  private var messageCount = 0
  private var lineCount = 0
  private var inputCount = 0
  private var pushCount = 0

  /// `now` in nanoseconds of CLOCK_BOOTTIME.
  mutating func allowsMessage(now: Int64) -> Bool {
    advance(now)
    messageCount += 1
    return messageCount <= RateLimiter.messages
  }

  mutating func allowsLine(now: Int64) -> Bool {
    advance(now)
    lineCount += 1
    return lineCount <= RateLimiter.lines
  }

  mutating func allowsInput(now: Int64) -> Bool {
    advance(now)
    inputCount += 1
    return inputCount <= RateLimiter.inputs
  }

  mutating func allowsPush(now: Int64) -> Bool {
    advance(now)
    pushCount += 1
    return pushCount <= RateLimiter.pushes
  }

  /// In this second.
  var isFirstLostInput: Bool { inputCount == RateLimiter.inputs + 1 }

  private mutating func advance(_ now: Int64) {
    let current = now / Nanoseconds.second
    if current == second { return }
    second = current
    messageCount = 0
    lineCount = 0
    inputCount = 0
    pushCount = 0
  }
}
