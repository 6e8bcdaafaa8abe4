import BelfryCore
import BelfrySystem
import BelfryWire
import CPlugin

/// What the plugin has of us: `belfry_host`, and the state behind its functions. It lives until the
/// process ends.
final class PluginHost {
  let channel: ClockChannel
  let settings: PluginSettings
  /// The one door for the plugin's other threads.
  let messages: Mailbox<PluginMessage>
  /// It has input/1.
  private let takesInput: Bool
  private let sink: String
  private let reportsMutex = Mutex()
  private var waitingReports = 0
  /// Reports that wait to be taken, and bytes of what was typed.
  private static let maxReports = 64
  private static let maxText = 16 * 1024
  let eventLoop = HostEventLoop()
  let pushes: PluginPushes
  var store: PluginStore
  private let structure: UnsafeMutablePointer<belfry_host>

  init(
    channel: ClockChannel, sink: String, settings: PluginSettings, folder: RunFolder?,
    takesInput: Bool, takesPushes: Bool
  ) throws(SystemError) {
    self.channel = channel
    self.sink = sink
    self.takesInput = takesInput
    pushes = PluginPushes(isOffered: takesPushes)
    self.settings = settings
    messages = try Mailbox()
    store = PluginStore(in: folder)
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
    structure.pointee.version = PermanentText(BelfryVersion.text).text
    structure.pointee.data = Unmanaged.passUnretained(self).toOpaque()
    serveHost(structure)
  }

  var pointer: UnsafePointer<belfry_host> { UnsafePointer(structure) }

  /// 2026-01-01: no clock that shows less is right.
  private static let made = Instant(nanoseconds: 1_767_225_600 * BelfryCore.Nanoseconds.second)

  /// The worker's own view of the clock (T9): it knows neither the store nor `trust-clock`.
  static func trust(_ real: Instant) -> UInt32 {
    if SystemClock.discipline()?.synchronised == true { return UInt32(BELFRY_CLOCK_SYNCHRONISED) }
    return UInt32(real < made ? BELFRY_CLOCK_UNTRUSTED : BELFRY_CLOCK_PLAUSIBLE)
  }
}

// What its user did.
extension PluginHost {
  /// From any thread; the answer to the plugin.
  func take(_ report: UnsafePointer<belfry_report>) -> Int32 {
    // Field by field: an older plugin's is shorter.
    let size = Int(report.pointee.size)
    guard size >= Self.oldestReport else { return BELFRY_INVALID }
    let kind = Int32(bitPattern: report.pointee.kind)
    guard takesInput,
      kind == BELFRY_REPORT_ACTION || kind == BELFRY_REPORT_DISMISSED
        || kind == BELFRY_REPORT_SNOOZED
    else { return BELFRY_UNSUPPORTED }
    guard let shown = OccurrenceID.parse(deliveryID: report.pointee.delivery_id.line(limit: 400)),
      ByteString(shown.sink) == ByteString(sink), let response = response(kind, report, size)
    else { return BELFRY_INVALID }
    let isRoom = reportsMutex.withLock {
      guard waitingReports < Self.maxReports else { return false }
      waitingReports += 1
      return true
    }
    guard isRoom else { return BELFRY_FULL }
    messages.send(.report(shown.occurrence, response))
    return BELFRY_OK
  }

  func reportTaken() {
    reportsMutex.withLock { waitingReports -= 1 }
  }

  /// That of minor version 1: without `duration_ns`.
  private static let oldestReport = 40 + 3 * MemoryLayout<belfry_text>.size

  private func response(
    _ kind: Int32, _ report: UnsafePointer<belfry_report>, _ size: Int
  ) -> UserResponse? {
    switch kind {
    case BELFRY_REPORT_DISMISSED: return .dismiss
    case BELFRY_REPORT_SNOOZED:
      guard size >= MemoryLayout<belfry_report>.size else { return nil }
      let duration = report.pointee.duration_ns
      return .snooze(duration == 0 ? 9 * BelfryCore.Nanoseconds.minute : duration)
    default:
      let name = report.pointee.name
      let text = report.pointee.text
      guard name.size <= UInt32(BelfryCore.Notification.Limit.identifier),
        text.size <= UInt32(Self.maxText)
      else { return nil }
      guard name.bytes != nil, name.size > 0 else { return .act(action: nil, text: nil) }
      let typed = String(decoding: text.bytes(limit: Self.maxText), as: UTF8.self)
      return .act(
        action: name.line(limit: 200), text: text.bytes == nil ? nil : typed)
    }
  }
}

/// What the plugin says by the functions that any thread may call, in that order.
enum PluginMessage: Sendable {
  case completion(Completion)
  case report(OccurrenceID, UserResponse)
  case push(PluginPush)
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
