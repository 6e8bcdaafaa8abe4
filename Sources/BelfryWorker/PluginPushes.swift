import BelfryCore
import BelfrySystem
import BelfryWire
import CPlugin

/// What the plugin pushes and is not answered, and the host's side of push/1. It lives until the
/// process ends.
final class PluginPushes {
  /// Pushes that are still to be answered.
  static let most = 64
  private static let appLimit: UInt32 = 128
  private static let collapseLimit: UInt32 = 128
  private static let payloadLimit: UInt32 = 64 << 10

  let functions: UnsafeMutablePointer<belfry_push_host_1>
  /// The plugin has push/1.
  private let isOffered: Bool
  private let mutex = Mutex()
  private var open: [UInt64] = []

  init(isOffered: Bool) {
    self.isOffered = isOffered
    functions = .allocate(capacity: 1)
    functions.initialize(
      to: belfry_push_host_1(
        size: UInt32(MemoryLayout<belfry_push_host_1>.size), reserved: 0,
        push: { host, push in owner(host).take(push) }))
  }

  /// Has this token wait for its answer; what the plugin is told.
  func begin(_ token: UInt64) -> Int32 {
    mutex.withLock {
      if open.contains(token) { return BELFRY_INVALID }
      if open.count == Self.most { return BELFRY_FULL }
      open.append(token)
      return BELFRY_OK
    }
  }

  /// False: nothing of this token waits.
  func end(_ token: UInt64) -> Bool {
    mutex.withLock {
      guard let index = open.firstIndex(of: token) else { return false }
      open.remove(at: index)
      return true
    }
  }

  /// A copy of what the plugin gave, or how it breaks the rules of push/1.
  func read(_ pointer: UnsafePointer<belfry_push>) -> (push: PluginPush?, refusal: Int32) {
    guard isOffered else { return (nil, BELFRY_UNSUPPORTED) }
    guard Int(pointer.pointee.size) >= MemoryLayout<belfry_push>.size else {
      return (nil, BELFRY_INVALID)
    }
    let told = pointer.pointee
    guard told.uid >= -1, told.uid < Int64(UInt32.max), told.app.size <= Self.appLimit,
      told.collapse_id.size <= Self.collapseLimit, told.payload.size <= Self.payloadLimit
    else { return (nil, BELFRY_INVALID) }
    var push = PluginPush(
      token: told.token, app: Self.text(told.app, Self.appLimit),
      payload: told.payload.bytes(limit: Int(Self.payloadLimit)))
    push.uid = told.uid < 0 ? nil : UInt32(told.uid)
    push.collapseIdentifier = Self.text(told.collapse_id, Self.collapseLimit)
    push.expires = told.expires_ns == 0 ? nil : Instant(nanoseconds: told.expires_ns)
    push.id = withUnsafeBytes(of: told.id) { Self.identifier($0) }
    return (push, BELFRY_OK)
  }

  private static func text(_ text: belfry_text, _ limit: UInt32) -> String? {
    text.bytes == nil ? nil : text.line(limit: Int(limit) + 1)
  }

  /// In the order of its text, the first byte the highest; nil: all zero.
  private static func identifier(_ bytes: UnsafeRawBufferPointer) -> UUIDBits? {
    var high: UInt64 = 0
    var low: UInt64 = 0
    for byte in bytes.prefix(8) { high = high << 8 | UInt64(byte) }
    for byte in bytes.dropFirst(8) { low = low << 8 | UInt64(byte) }
    return high == 0 && low == 0 ? nil : UUIDBits(high: high, low: low)
  }
}

extension PluginHost {
  /// From any thread; the answer to the plugin.
  func take(_ pointer: UnsafePointer<belfry_push>) -> Int32 {
    let (push, refusal) = pushes.read(pointer)
    guard let push else { return refusal }
    let answer = pushes.begin(push.token)
    if answer == BELFRY_OK { messages.send(.push(push)) }
    return answer
  }
}

extension Worker {
  /// Tells the plugin what became of its push.
  func pushed(_ token: UInt64, _ answer: PluginPushAnswer) {
    guard let functions = module.push?.pointee, host.pushes.end(token) else { return }
    var told = Self.emptyAnswer
    switch answer {
    case .accepted: functions.pushed(instance, token, BELFRY_PUSH_ACCEPTED, &told)
    case .duplicate: functions.pushed(instance, token, BELFRY_PUSH_DUPLICATE, &told)
    case .refused(let reason):
      withText(reason) {
        told.text = $0
        functions.pushed(instance, token, BELFRY_PUSH_REFUSED, &told)
      }
    case .later(let reason, let after):
      told.retry_after_ns = after
      withText(reason) {
        told.text = $0
        functions.pushed(instance, token, BELFRY_PUSH_LATER, &told)
      }
    }
  }
}
