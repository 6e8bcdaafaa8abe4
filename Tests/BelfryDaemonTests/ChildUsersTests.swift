import BelfryCore
import BelfrySystem
import BelfryWire
import TestSupport
import Testing

@testable import BelfryDaemon

@Suite struct ChildUsersTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let passwd = "belfry-worker:x:501:601::/:/bin/false\nbelfry-speaker:x:502:602::/:/bin/false\n"
    try Files.write(Array(passwd.utf8), to: scratch["passwd"])
    try Files.write(Array("audio:x:29:\nlp:x:7:belfry-worker\n".utf8), to: scratch["group"])
  }

  private func users(
    _ text: String = "", isSystem: Bool = true, mayChange: Bool = true
  ) throws -> ChildUsers {
    ChildUsers.find(
      try ConfigurationReader.read(Array(text.utf8)), isSystem: isSystem, mayChange: mayChange,
      passwd: scratch["passwd"], group: scratch["group"])
  }

  private func child(_ settings: [Setting]) -> ChildConfiguration {
    ChildConfiguration(name: "a", file: "a", settings: settings, runDirectory: "/run")
  }

  @Test func D8_theBoardsDaemonHasUsersForItsChildren() throws {
    let users = try users()
    #expect(users.worker == Child.Identity(uid: 501, gid: 601, groups: [601, 7]))
    // ALSA's devices are of the group audio.
    #expect(users.speaker == Child.Identity(uid: 502, gid: 602, groups: [602, 29]))
    #expect(users.problems.isEmpty)
  }

  @Test func D8_whoIsNotThereOrCannotBeBecomeIsNamed() throws {
    let missing = try users("[access]\nworkerUser = nobody-here\nspeakerUser = 4711\n")
    #expect(missing.worker == nil)
    #expect(missing.speaker == Child.Identity(uid: 4711, gid: 4711, groups: [29]))
    #expect(missing.problems.count == 1 && missing.problems[0].contains("useradd"))
    let bound = try users(mayChange: false)
    #expect(bound.worker == nil && bound.problems.count == 2)
    // Nobody asked for any.
    let own = try users(isSystem: false, mayChange: false)
    #expect(own.worker == nil && own.problems.isEmpty)
  }

  @Test func D8_aSectionsOwnUserGoesFirst() throws {
    let users = try users()
    let own = child([Setting(key: "uid", value: "77")])
    #expect(users.identity(of: own, isSpeaker: false) == Child.Identity(uid: 77, gid: 77))
    #expect(users.identity(of: own, isSpeaker: true) == users.speaker)
    let wrong = child([Setting(key: "uid", value: "bob")])
    #expect(users.identity(of: wrong, isSpeaker: false) == users.worker)
  }
}
