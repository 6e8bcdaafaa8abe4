import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// Which ways of starting apps work, as the daemon found out, and what is wrong with manifests.
enum LaunchCheck {
  /// `status` is the daemon's; nil: there is none to ask.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard let launching = status?["launching"]?.object else { return [] }
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
    let remedy = "mend it: it is read again at once"
    findings += texts(status, "manifestProblems").map { .fail("manifest", $0, remedy) }
    findings += texts(status, "manifestOddities").map { .warn("manifest", $0, remedy) }
    return findings + texts(status, "textProblems").map { .fail("texts", $0, remedy) }
  }

  private static func texts(_ status: JSONObject?, _ name: String) -> [String] {
    (status?[name]?.array ?? []).compactMap { $0.string }
  }
}

/// Files among the manifests that nobody reads, since they are called otherwise.
enum ManifestFolderCheck {
  /// Beside the configuration, and for a user or the board also where programs bring theirs.
  static func run(configuration: String, socket: String) -> [Finding] {
    var folders = [Files.parent(of: configuration) + "/apps"]
    if [SocketPath.system, SocketPath.user].contains(socket) {
      folders += ["/usr/local/share/belfry/apps", "/usr/share/belfry/apps"]
    }
    return folders.flatMap { folder in
      ((try? Files.list(folder)) ?? []).sorted().compactMap { judge($0, folder) }
    }
  }

  /// Endings of what was meant to be one; all else is passed over, as packagers' leftovers are.
  private static var endings: [String] { [".conf", ".ini", ".manifest", ".App", ".APP"] }

  private static func judge(_ name: String, _ folder: String) -> Finding? {
    let path = folder + "/" + name
    guard !name.hasPrefix("."), endings.contains(where: { name.hasSuffix($0) }),
      let status = try? Files.status(path), status.kind == .regular
    else { return nil }
    return .warn(
      "manifest", path + " is no manifest, which is called ID.app, and is not read",
      "rename it, or move it elsewhere")
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
