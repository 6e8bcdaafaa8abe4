import BelfryCore
import BelfrySystem

/// Colour where a terminal has it, and only for what is to be seen at a glance (ECMA-48, SGR).
struct Paint: Sendable {
  enum Style: String, Sendable {
    case bold = "1"
    /// Something did not work.
    case red = "31"
    /// Something waits, or is not as one would expect.
    case yellow = "33"
  }

  static let off = Paint(isOn: false)
  let isOn: Bool

  /// For a terminal that is not dumb, unless NO_COLOR says otherwise (no-color.org).
  static func on(_ descriptor: Int32) -> Paint {
    let terminal = Environment.value(of: "TERM") ?? ""
    let refused = Environment.value(of: "NO_COLOR") ?? ""
    return Paint(
      isOn: Output.isTerminal(descriptor) && !terminal.isEmpty && terminal != "dumb"
        && refused.isEmpty)
  }

  func paint(_ text: String, _ style: Style?) -> String {
    guard isOn, let style, !text.isEmpty else { return text }
    return "\u{1B}[" + style.rawValue + "m" + text + "\u{1B}[0m"
  }

  /// How a word for a state is to be seen; nil: as all else. What follows the word does not matter.
  static func style(of state: String) -> Style? {
    let end =
      state.utf8.firstIndex { $0 == 0x20 || $0 == 0x2C || $0 == 0x3A } ?? state.utf8.endIndex
    switch String(state[..<end]) {
    case "failed", "fail", "expired", "discarded", "unknown", "quarantined", "stopped": return .red
    case "held", "late", "missed", "silenced", "superseded", "warn", "waiting", "degraded",
      "no-device", "switched", "untrusted":
      return .yellow
    default:
      let rest = state[end...]
      return rest.hasPrefix(", late") || rest.hasPrefix(", silent") ? .yellow : nil
    }
  }
}
