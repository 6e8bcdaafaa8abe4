import BelfryCore
import BelfrySystem
import BelfryWire

/// Which ways of starting apps work for this daemon; looked at when it starts, for the log, `status`
/// and `doctor`.
struct LaunchRights: Sendable {
  var uid: UInt32
  /// It may become any user.
  var changesUser: Bool
  /// Its service manager has bound it in ways that what it starts inherits.
  var isConfined: Bool
  /// nil: there is none.
  var systemctl: String?
  /// A service manager runs that systemctl(1) can ask.
  var hasManager: Bool
  /// Units are those of this user's manager, not of the system's.
  var isUsers: Bool

  /// Blocks on the disk.
  static func find(
    uid: UInt32, isUsers: Bool, variable: (String) -> String?
  ) -> LaunchRights {
    let status = try? Files.read("/proc/self/status", limit: 1 << 16)
    let lines = String(decoding: status ?? [], as: UTF8.self).split(separator: "\n")
    func value(_ name: String) -> String? {
      lines.first { $0.hasPrefix(name + ":") }?.split(separator: "\t").last.map { String($0) }
    }
    // CAP_SETGID and CAP_SETUID (capabilities(7)).
    let rights = value("CapEff").flatMap { UInt64($0, radix: 16) } ?? 0
    let isService = variable("INVOCATION_ID") != nil
    let runtime = variable("XDG_RUNTIME_DIR") ?? "/run/user/\(uid)"
    let manager = isUsers ? runtime + "/systemd/private" : "/run/systemd/system"
    return LaunchRights(
      uid: uid, changesUser: rights & 0xC0 == 0xC0,
      isConfined: isService && !isUsers && value("NoNewPrivs") == "1",
      systemctl: ["/usr/bin/systemctl", "/bin/systemctl"].first { Files.may($0, 1) },
      hasManager: (try? Files.status(manager)) != nil, isUsers: isUsers)
  }

  /// Why programs cannot be started directly; nil: they can.
  var programRefusal: String? {
    isConfined
      ? "belfryd is confined by its unit, and what it starts would be too: name a unit" : nil
  }

  /// Why units cannot be started; nil: they can.
  var unitRefusal: String? {
    if systemctl == nil { return "there is no systemctl" }
    if !hasManager { return "no systemd runs \(isUsers ? "for user \(uid)" : "here")" }
    return nil
  }

  /// For `status`; a way that does not work begins with `no: `.
  var object: JSONObject {
    let users = changesUser ? "as any user" : "as user \(uid) alone"
    let units = "systemctl \(isUsers ? "--user " : "")start"
    return [
      "executables": .string(programRefusal.map { "no: " + $0 } ?? users),
      "units": .string(unitRefusal.map { "no: " + $0 } ?? units),
    ]
  }
}
