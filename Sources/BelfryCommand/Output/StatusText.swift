import BelfryCore
import BelfryWire

/// What `belfry status` says to people: the daemon's report in words, without what is nothing.
struct StatusText {
  let words: LocalWords

  /// The members to print, in order.
  func members(of report: JSONObject) -> JSONObject {
    var shown = JSONObject()
    for member in report.members {
      switch member.name {
      case "upSeconds":
        shown.append(
          "up", .string(LocalWords.span((member.value.integer ?? 0) * Nanoseconds.second)))
      case "clock": addClock(member.value.object ?? [:], to: &shown)
      case "nextDue": if let due = due(report) { shown.append("next due", .string(due)) }
      case "prepared", "inFlight", "late", "held", "sessions", "actions", "manifests":
        if member.value.integer != 0 { shown.append(member.name, member.value) }
      case "plugins" where member.value.array?.isEmpty == true: shown.append("plugins", "none")
      case "speaker": shown.append("speaker", .string(Self.speaker(member.value.object ?? [:])))
      // Of these one has been told, or they are for programs.
      case "nextIn", "nextMode", "soundFolders", "appSoundFolders": break
      default: shown.append(member.name, member.value)
      }
    }
    return shown
  }

  private func addClock(_ clock: JSONObject, to shown: inout JSONObject) {
    var state = clock["state"]?.string ?? "-"
    state += clock["trusted"]?.boolean == true ? ", trusted" : ", not trusted"
    if clock["realtime"]?.boolean == true { state += ", realtime" }
    shown.append("clock", .string(state))
    shown.append("wakes", clock["wakes"] ?? .null)
  }

  /// `in 3 h 12 min, Sat 07:00, floating`.
  private func due(_ report: JSONObject) -> String? {
    guard let text = report["nextDue"]?.string, let due = try? RFC3339.parse(text, field: "nextDue")
    else {
      return nil
    }
    return words.firing(due) + (report["nextMode"]?.string.map { ", " + $0 } ?? "")
  }

  /// How it is, what is wrong, and whether it keeps silent.
  static func speaker(_ speaker: JSONObject) -> String {
    var text = speaker["state"]?.string ?? "-"
    for name in ["healthText", "reason"] {
      guard let problem = speaker[name]?.string else { continue }
      text = problem.hasPrefix(text + ": ") ? problem : text + ", " + problem
    }
    if let waiting = speaker["queued"]?.integer, waiting > 0 { text += ", \(waiting) waiting" }
    return speaker["silenced"]?.string.map { text + "; silent now: " + $0 } ?? text
  }
}
