import BelfryCore
import BelfrySystem
import BelfryWire

/// Whether a sleeping board is woken for what is urgent (T11), as the daemon found out.
enum WakeCheck {
  /// `status` is the daemon's; nil: there is none to ask.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard let wakes = status?["clock"]?.object?["wakes"]?.string else { return [] }
    guard wakes.hasPrefix("never: ") else { return [.ok("wake", "[clock] wake = " + wakes)] }
    return [
      .warn(
        "wake", "a sleeping board is not woken: " + wakes.dropFirst(7),
        "it takes CAP_WAKE_ALARM and a clock with an alarm (rtc), or set [clock] wake = never")
    ]
  }
}

/// What the daemon's process may do (capabilities(7)).
enum CapabilityCheck {
  /// `daemon`: its process; nil: none runs, so this one stands for it.
  static func run(daemon: Int32?) -> [Finding] {
    let path = daemon.map { "/proc/\($0)/status" } ?? "/proc/self/status"
    let who = daemon == nil ? "here, without a daemon: " : "the daemon has "
    guard let effective = effective(path) else {
      return [
        .warn("rights", "no answer in " + path, "ask again as root")
      ]
    }
    return [
      mayRealtime(daemon)
        ? .ok("rights", who + "a realtime priority")
        : finding(
          effective, bit: 23, "CAP_SYS_NICE", who, "[clock] realtime cannot be used",
          "the unit that belfry unit prints grants it"),
      finding(
        effective, bit: 35, "CAP_WAKE_ALARM", who, "a sleeping board is not woken",
        "the unit that belfry unit prints grants it"),
    ]
  }

  private static func finding(
    _ effective: UInt64, bit: UInt64, _ name: String, _ who: String, _ loss: String,
    _ advice: String
  ) -> Finding {
    if effective >> bit & 1 == 1 { return .ok("rights", who + name) }
    return .warn("rights", who + "no " + name + ": " + loss, advice)
  }

  /// RLIMIT_RTPRIO does without the capability.
  private static func mayRealtime(_ daemon: Int32?) -> Bool {
    let path = "/proc/" + (daemon.map { "\($0)" } ?? "self") + "/limits"
    guard let bytes = try? Files.read(path, limit: 1 << 14) else { return false }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("Max realtime priority") {
      let limits = line.dropFirst("Max realtime priority".count).split(separator: " ")
      return limits.first.flatMap { UInt64($0) }.map { $0 > 0 } ?? false
    }
    return false
  }

  /// The line `CapEff:` of proc(5).
  private static func effective(_ path: String) -> UInt64? {
    guard let bytes = try? Files.read(path, limit: 1 << 16) else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix("CapEff:") {
      return UInt64(line.dropFirst(7).filter { !$0.isWhitespace }, radix: 16)
    }
    return nil
  }
}
