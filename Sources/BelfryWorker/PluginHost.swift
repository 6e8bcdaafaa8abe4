import BelfryCore
import BelfrySystem
import CPlugin

/// What the plugin has of us: `belfry_host`, and the state behind its functions. It lives until the
/// process ends.
final class PluginHost {
  let channel: ClockChannel
  let settings: PluginSettings
  /// The one door for the plugin's other threads.
  let completions: Mailbox<Completion>
  let duties = PluginDuties()
  var store: PluginStore
  private let structure: UnsafeMutablePointer<belfry_host>

  static let version = "0.1"

  init(
    channel: ClockChannel, sink: String, settings: PluginSettings, storePath: String
  ) throws(SystemError) {
    self.channel = channel
    self.settings = settings
    completions = try Mailbox()
    store = PluginStore(path: storePath)
    // All zero first: none of its fields has a default in Swift.
    let size = MemoryLayout<belfry_host>.size
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: size, alignment: MemoryLayout<belfry_host>.alignment)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    structure = memory.assumingMemoryBound(to: belfry_host.self)
    structure.pointee.size = UInt32(size)
    structure.pointee.abi_major = UInt16(BELFRY_ABI_MAJOR)
    structure.pointee.abi_minor = UInt16(BELFRY_ABI_MINOR)
    structure.pointee.sink = PermanentText(sink).text
    structure.pointee.version = PermanentText(Self.version).text
    structure.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    serveHost(structure)
  }

  var pointer: UnsafePointer<belfry_host> { UnsafePointer(structure) }

  /// 2026-01-01: no clock that shows less is right.
  private static let made = Instant(nanoseconds: 1_767_225_600 * BelfryCore.Duration.second)

  /// The worker's own view of the clock (T9): it knows neither the books nor `trust-clock`.
  static func trust(_ real: Instant) -> UInt32 {
    if SystemClock.discipline()?.synchronised == true { return UInt32(BELFRY_CLOCK_SYNCHRONISED) }
    return UInt32(real < made ? BELFRY_CLOCK_UNTRUSTED : BELFRY_CLOCK_PLAUSIBLE)
  }
}

/// What `complete` brings.
struct Completion: Sendable {
  var token: UInt64
  var answer: PluginAnswer
}

/// A plugin's answer with what goes with it, copied.
struct PluginAnswer: Sendable {
  var status: Int32
  var retryAfter: Int64 = 0
  var text: String = ""

  init(_ status: Int32, _ answer: belfry_answer?) {
    self.status = status
    guard let answer, Int(answer.size) >= MemoryLayout<belfry_answer>.size else { return }
    retryAfter = max(0, answer.retry_after_ns)
    text = answer.text.line()
  }

  /// In the clock's words.
  var answer: DeliveryAnswer {
    switch status {
    case BELFRY_DONE: .done(note: text.isEmpty ? nil : text)
    case BELFRY_PENDING: .pending
    case BELFRY_RETRY: .retry(after: retryAfter)
    case BELFRY_FAILED: .failed(reason: text.isEmpty ? "the plugin gave no reason" : text)
    default: .failed(reason: "the plugin answered \(status), which is no answer")
    }
  }
}
