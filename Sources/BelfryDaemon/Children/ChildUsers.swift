import BelfryCore
import BelfrySystem
import BelfryWire

/// As whom children run: users of their own, so that what a plugin or a sound file does to its
/// process reaches neither the clock nor the store.
struct ChildUsers: Sendable {
  /// nil: as the clock itself.
  var worker: Child.Identity?
  var speaker: Child.Identity?
  /// For the log and for `doctor`: why a child has no user of its own, and what to do.
  var problems: [String] = []

  static let workerName = "belfry-worker"
  static let speakerName = "belfry-speaker"

  /// Blocks on the disk. `isSystem`: of the board's daemon, which has users of these names without
  /// being told.
  static func find(
    _ configuration: DaemonConfiguration, isSystem: Bool, mayChange: Bool,
    passwd: String = "/etc/passwd", group: String = "/etc/group"
  ) -> ChildUsers {
    var users = ChildUsers()
    func find(_ key: String, _ given: String?, _ standard: String) -> Child.Identity? {
      guard let name = given ?? (isSystem ? standard : nil) else { return nil }
      guard mayChange else {
        users.problems.append(
          "[access] \(key) = \(name) has no effect: belfryd may not change users; start it as root "
            + "or by the unit that belfry unit prints")
        return nil
      }
      if let account = Account.find(name, file: passwd) {
        return Child.Identity(
          uid: account.uid, gid: account.gid, groups: account.groups(file: group))
      }
      if let uid = UInt32(name), uid != .max { return Child.Identity(uid: uid, gid: uid) }
      users.problems.append(
        "there is no user \(name) ([access] \(key)): its processes run as belfryd's own user; make "
          + "it with useradd --system --no-create-home --shell /usr/sbin/nologin \(name), and "
          + "restart belfryd")
      return nil
    }
    users.worker = find("workerUser", configuration.workerUser, workerName)
    users.speaker = find("speakerUser", configuration.speakerUser, speakerName)
    if let audio = Group.number(of: "audio", file: group),
      users.speaker?.groups.contains(audio) == false
    {
      users.speaker?.groups.append(audio)
    }
    return users
  }

  /// A section's own `uid =` goes first; what is wrong there the worker says.
  func identity(of child: ChildConfiguration, isSpeaker: Bool) -> Child.Identity? {
    if isSpeaker { return speaker }
    func number(_ key: String) -> UInt32? {
      child.settings.last { ByteString($0.key) == ByteString(key) }.flatMap { UInt32($0.value) }
    }
    guard let uid = number("uid"), uid != .max else { return worker }
    return Child.Identity(uid: uid, gid: number("gid") ?? uid)
  }

  /// For `status`.
  var object: JSONObject {
    var object = JSONObject()
    if let worker { object.append("worker", .integer(Int64(worker.uid))) }
    if let speaker { object.append("speaker", .integer(Int64(speaker.uid))) }
    if !problems.isEmpty { object.append("problems", .array(problems.map { .string($0) })) }
    return object
  }
}
