import BelfryWire

/// Whether belfryd goes by the configuration as it stands in the file.
enum ReloadCheck {
  /// `status` is the daemon's; nil: there is none.
  static func run(_ status: JSONObject?) -> [Finding] {
    var findings: [Finding] = []
    if let problem = status?["configurationProblem"]?.string {
      findings.append(.fail("reload", problem, "mend the file; belfryd reads it by itself"))
    }
    let keys = (status?["needsRestart"]?.array ?? []).compactMap { $0.string }
    if !keys.isEmpty {
      findings.append(
        .warn(
          "reload", "the file and belfryd differ in " + keys.joined(separator: ", "),
          SocketPlace.again(status?["pid"]?.integer)))
    }
    return findings
  }
}
