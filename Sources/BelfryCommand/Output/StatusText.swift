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
      case "prepared", "late", "held", "sessions", "actions", "manifests":
        if member.value.integer != 0 { shown.append(member.name, member.value) }
      case "inFlight": if member.value.integer != 0 { shown.append("in flight", member.value) }
      case "configurationProblem": shown.append("bad config", member.value)
      case "needsRestart": shown.append("needs a restart", member.value)
      case "heldReason": shown.append("held because", member.value)
      case "daysProblems": shown.append("bad days", member.value)
      case "manifestProblems": shown.append("bad manifests", member.value)
      case "manifestOddities": shown.append("odd manifests", member.value)
      case "textProblems": shown.append("bad texts", member.value)
      case "plugins" where member.value.array?.isEmpty == true: shown.append("plugins", "none")
      case "speaker": shown.append("speaker", .string(Self.speaker(member.value.object ?? [:])))
      case "paused":
        shown.append("paused", .string(words.paused(PauseStatus(member.value.object))))
      case "days":
        let text = Self.days(member.value)
        if !text.isEmpty { shown.append("days", .string(text)) }
      // Of these one has been told, or they are for programs.
      case "nextIn", "nextMode", "nextReason", "soundFolders", "appSoundFolders": break
      default: shown.append(member.name, member.value)
      }
    }
    return shown
  }

  /// Calendars that are not as they should be, in words.
  private static func days(_ value: JSONValue) -> String {
    let rows = (try? ListedDays.read(value)) ?? []
    return rows.filter { $0.state != .good }.map { row in
      let name = (row.app.map { $0 + ": " } ?? "") + row.name
      switch row.state {
      case .ended:
        return name + " has ended, its last day was "
          + (row.last.map { CivilDate(days: $0).text } ?? "-")
      case .kept: return name + " counts as it was read last: " + (row.problem ?? "")
      default: return name + " is ignored: " + (row.problem ?? "")
      }
    }.joined(separator: "; ")
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
    let mode = report["nextMode"]?.string.map { ", " + $0 } ?? ""
    let reason = report["nextReason"]?.string.map { ": " + words.local($0) } ?? ""
    return words.firing(due) + mode + reason
  }

  /// How it is, what is wrong, and whether it keeps silent.
  static func speaker(_ speaker: JSONObject) -> String {
    var text = speaker["state"]?.string ?? "-"
    for name in ["healthText", "reason"] {
      guard let problem = speaker[name]?.string else { continue }
      text = problem.hasPrefix(text + ": ") ? problem : text + ", " + problem
    }
    if let waiting = speaker["queued"]?.integer, waiting > 0 { text += ", \(waiting) waiting" }
    let outputs = (speaker["outputs"]?.array ?? []).compactMap { output in
      output["name"]?.string.map { name in
        name + (output["device"]?.string.map { " (\($0))" } ?? "")
      }
    }
    if !outputs.isEmpty {
      text += (outputs.count == 1 ? ", output " : ", outputs ") + outputs.joined(separator: ", ")
    }
    return speaker["silenced"]?.string.map { text + "; silent now: " + $0 } ?? text
  }
}
