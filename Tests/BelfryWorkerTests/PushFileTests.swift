import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

/// The plugin PushFile, with the test as the clock.
@Suite struct PushFileTests {
  private func text(_ number: Int) -> String { "{\"aps\":{\"badge\":\(number)}}" }

  // MARK: Ways in

  @Test func whatIsRenamedInIsPushedAndGoneOnceItIsTaken() throws {
    let spool = try Spool()
    try spool.drop("a.json")
    let push = try spool.push()
    #expect(push.payload == Array(Spool.good.utf8))
    #expect(push.app == nil && push.uid == getuid() && push.id != nil)
    // It stays until the clock says that it has it.
    #expect(spool.exists("a.json"))
    spool.clock.send(.pushed(token: push.token, .accepted))
    try spool.isEmpty()
  }

  @Test func whatIsWrittenInPlaceIsPushedWhenItIsClosed() throws {
    let spool = try Spool()
    let file = open(spool.folder + "/a.json", O_WRONLY | O_CREAT, 0o644)
    #expect(write(file, "{\"aps\":{", 8) == 8)
    try spool.drop("b.json", text(1))
    // The other one, though it came later.
    #expect(try spool.take() == text(1))
    #expect(write(file, "\"badge\":2}}", 11) == 11)
    close(file)
    #expect(try spool.take() == text(2))
    try spool.isEmpty()
  }

  @Test func whatWasThereBeforeItStartedIsPushed() throws {
    let spool = try Spool { folder in
      for number in 0..<300 {
        try Files.write(Array("{\"aps\":{\"badge\":\(number)}}".utf8), to: "\(folder)/\(number)")
      }
    }
    #expect(try spool.takeAll(300) == (0..<300).map { text($0) }.sorted())
    try spool.isEmpty()
  }

  @Test func namesOfUnfinishedFilesAreLeftAlone() throws {
    let spool = try Spool { folder in
      for name in [".hidden", "a.tmp", "b.part"] {
        try Files.write(Array(Spool.good.utf8), to: folder + "/" + name)
      }
    }
    for name in [".later", "c.tmp", "d.part"] { try spool.drop(name) }
    try spool.drop("e.json", text(7))
    #expect(try spool.take() == text(7))
    try Fixtures.wait("e.json taken") { !spool.exists("e.json") }
    #expect(
      spool.names.sorted() == [".hidden", ".later", "a.tmp", "b.part", "c.tmp", "d.part"])
    // Given its name, it is a file like others.
    try Files.rename(spool.folder + "/a.tmp", to: spool.folder + "/a")
    #expect(try spool.take() == Spool.good)
  }

  @Test func aFolderInItIsAnApps() throws {
    let spool = try Spool(["app": "org.example.tea"]) { folder in
      try Files.makeFolder(folder + "/org.example.door", mode: 0o755)
      try Files.write(Array(Spool.good.utf8), to: folder + "/org.example.door/a")
      try Files.makeFolder(folder + "/no app", mode: 0o755)
      try Files.write(Array(Spool.good.utf8), to: folder + "/no app/a")
    }
    #expect(try spool.push().app == "org.example.door")
    try spool.drop("b")
    #expect(try spool.push().app == "org.example.tea")
    // One that comes later, with a file in it.
    try Files.makeFolder(spool.run + "/made", mode: 0o755)
    try Files.write(Array(Spool.good.utf8), to: spool.run + "/made/a")
    try Files.rename(spool.run + "/made", to: spool.folder + "/org.example.gate")
    #expect(try spool.push().app == "org.example.gate")
    try Files.rename(
      spool.folder + "/org.example.gate", to: spool.folder + "/org.example.fence")
    #expect(try spool.push().app == "org.example.fence")
    #expect(spool.clock.log(containing: "not called as an app"))
    #expect(spool.exists("no app/a"))
  }

  @Test func A2_onlySixtyFourAreUnderWayAndTheOthersWait() throws {
    let spool = try Spool()
    for number in 0..<200 { try spool.drop("\(number)", text(number)) }
    var pushes = try (0..<64).map { _ in try spool.push() }
    #expect(Set(pushes.map { $0.token }).count == 64)
    // Nothing more until one is answered.
    #expect(spool.clock.receive(seconds: 0.2) == nil)
    var taken: Set<String> = []
    while let push = pushes.popLast() {
      taken.insert(String(decoding: push.payload, as: UTF8.self))
      spool.clock.send(.pushed(token: push.token, .accepted))
      if taken.count + pushes.count < 200 { pushes.append(try spool.push()) }
    }
    #expect(taken.count == 200)
    try spool.isEmpty()
  }

  // MARK: Once each

  @Test func P9_aKillBeforeTheAnswerRepeatsTheId() throws {
    let spool = try Spool()
    for number in 0..<20 { try spool.drop("\(number)", text(number)) }
    let before = try (0..<20).map { _ in try spool.push() }
    try spool.restart()
    let after = try (0..<20).map { _ in try spool.push() }
    #expect(Set(before.map { $0.id }) == Set(after.map { $0.id }))
    #expect(Set(after.map { $0.id }).count == 20)
    for push in after { spool.clock.send(.pushed(token: push.token, .duplicate)) }
    try spool.isEmpty()
  }

  @Test func P9_theSameBytesInAnotherFileAreAnotherPush() throws {
    let spool = try Spool()
    let template = spool.run + "/template"
    try Files.write(Array(Spool.good.utf8), to: template)
    var ids: Set<UUIDBits> = []
    // On the inode of the last one if the file system likes, and with its dates.
    for _ in 0..<5 {
      #expect(
        try Fixtures.run("/bin/cp", ["-p", template, spool.folder + "/daily"]) == .exited(0))
      let push = try spool.push()
      ids.insert(try #require(push.id))
      spool.clock.send(.pushed(token: push.token, .accepted))
      try Fixtures.wait("daily taken") { !spool.exists("daily") }
    }
    #expect(ids.count == 5)
  }

  @Test func P9_aChangeOfModeAloneIsNoOtherPush() throws {
    let spool = try Spool()
    try spool.drop("a")
    let push = try spool.push()
    #expect(chmod(spool.folder + "/a", 0o600) == 0)
    spool.clock.send(.pushed(token: push.token, .accepted))
    try spool.isEmpty()
    try spool.drop("b", text(2))
    #expect(try spool.take() == text(2))
  }

  @Test func whatIsWrittenAgainWhileItIsUnderWayIsAnotherPush() throws {
    let spool = try Spool()
    try spool.drop("a", text(1))
    let first = try spool.push()
    try spool.drop("a", text(2))
    spool.clock.send(.pushed(token: first.token, .accepted))
    #expect(try spool.take() == text(2))
    try spool.isEmpty()
  }
}
