import BelfryCore
import BelfryWire

/// Which ways of starting apps work, as the daemon found out, and what is wrong with manifests.
enum LaunchCheck {
  /// `status` is the daemon's; nil: there is none to ask.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard let launching = status?["launching"]?.object else { return [] }
    let problems = (status?["manifestProblems"]?.array ?? []).compactMap { $0.string }
    let ways = [
      (
        launching["executables"]?.string, "executables of manifests are started ",
        "executables of manifests are not started: "
      ),
      (
        launching["units"]?.string, "units of manifests are started by ",
        "units of manifests are not started: "
      ),
    ]
    // One way is enough.
    let isOne = ways.contains { $0.0.map { !$0.hasPrefix("no: ") } ?? false }
    var findings: [Finding] = []
    for (text, works, fails) in ways {
      guard let text else { continue }
      if !text.hasPrefix("no: ") {
        findings.append(.ok("launch", works + text))
      } else if isOne {
        findings.append(.ok("launch", fails + text.dropFirst(4)))
      } else {
        findings.append(
          .warn("launch", fails + text.dropFirst(4), "apps must be running to hear of anything"))
      }
    }
    return findings + problems.map { .fail("manifest", $0, "mend it: it is read again at once") }
  }
}

/// As whom plugins and the speaker run, as the daemon found out.
enum UserCheck {
  /// `status` is the daemon's; nil: there is none to ask.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard let users = status?["users"]?.object else { return [] }
    var findings: [Finding] = []
    for (key, who) in [("worker", "plugins run"), ("speaker", "the speaker runs")] {
      guard let uid = users[key]?.integer else { continue }
      findings.append(.ok("users", "\(who) as user \(uid)"))
    }
    let problems = (users["problems"]?.array ?? []).compactMap { $0.string }
    return findings
      + problems.map { .warn("users", $0, "belfry unit prints how to make these users") }
  }
}
