import BelfryCore
import BelfrySystem

/// What a child writes to its standard output and error, for the log: in lines, so many a second.
///
/// What is too much is read and dropped, so that a child that prints waits for nobody; one that
/// prints without end waits for the next second, so that reading it costs the clock little.
final class ChildOutput {
  /// A second's worth that is passed on, of as many lines as of its own log.
  static let bytes = 16 * 1024
  /// A second's worth that is read at all.
  static let read = 1 << 20
  /// Of one line.
  static let longest = 1000
  /// Bytes read at a time.
  private static let piece = 32 * 1024

  private let pipe: PipeEnd
  private var watch: Loop.Watch?
  private var line: [UInt8] = []
  private var isCut = false
  private var second = Int64.min
  private var linesPassed = 0
  private var bytesPassed = 0
  private var bytesRead = 0
  private var lost = 0
  private var isOver = false
  private let say: (String) -> Void

  init(_ pipe: PipeEnd, say: @escaping (String) -> Void) {
    self.pipe = pipe
    self.say = say
  }

  /// When `tick` must be called; nil: not at all.
  var deadline: Int64? {
    lost > 0 || watch == nil && !isOver ? (second + 1) * Nanoseconds.second : nil
  }

  func begin(_ loop: Loop) {
    guard watch == nil, !isOver else { return }
    watch = try? loop.watch(pipe.descriptor.raw, .readable) {
      [unowned(unsafe) self, unowned(unsafe) loop] _ in
      self.receive(loop, now: SystemClock.elapsed())
    }
    if watch == nil { isOver = true }
  }

  /// The second is over.
  func tick(_ loop: Loop, now: Int64) {
    guard let deadline, now >= deadline else { return }
    advance(now)
    begin(loop)
  }

  /// What it said last is passed on, too.
  func end(_ loop: Loop, now: Int64) {
    var left = 4
    while left > 0, !isOver, take(now) { left -= 1 }
    if !line.isEmpty { endLine() }
    tellLost()
    pause(loop)
    isOver = true
  }

  private func receive(_ loop: Loop, now: Int64) {
    _ = take(now)
    if isOver || bytesRead >= ChildOutput.read { pause(loop) }
  }

  private func pause(_ loop: Loop) {
    if let watch { loop.unwatch(watch, pipe.descriptor.raw) }
    watch = nil
  }

  /// Reads once; false: nothing was there.
  private func take(_ now: Int64) -> Bool {
    advance(now)
    guard let bytes = try? pipe.descriptor.read(atMost: ChildOutput.piece) else { return false }
    if bytes.isEmpty {
      isOver = true
      return false
    }
    bytesRead += bytes.count
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        endLine()
      } else if line.count < ChildOutput.longest {
        line.append(byte)
      } else {
        isCut = true
      }
    }
    return true
  }

  private func endLine() {
    defer {
      line.removeAll(keepingCapacity: true)
      isCut = false
    }
    if line.isEmpty { return }
    guard linesPassed < RateLimiter.lines, bytesPassed + line.count <= ChildOutput.bytes else {
      lost += 1
      return
    }
    linesPassed += 1
    bytesPassed += line.count
    say(String(decoding: line, as: UTF8.self) + (isCut ? " …" : ""))
  }

  private func advance(_ now: Int64) {
    let current = now / Nanoseconds.second
    if current == second { return }
    second = current
    linesPassed = 0
    bytesPassed = 0
    bytesRead = 0
    tellLost()
  }

  private func tellLost() {
    if lost > 0 { say("\(lost) lines of its output were dropped") }
    lost = 0
  }
}
