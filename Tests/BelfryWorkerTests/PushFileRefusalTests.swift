import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

/// What PushFile does not take, and folders that it does not use; the test is the clock.
@Suite struct PushFileRefusalTests {
  private func text(_ number: Int) -> String { "{\"aps\":{\"badge\":\(number)}}" }

  // MARK: What is not taken

  @Test func whatIsRefusedIsSetAsideWithItsReasonBeside() throws {
    let spool = try Spool()
    try spool.drop("bad", text(-1))
    _ = try spool.take(.refused(reason: "aps.badge: this is between 0 and 2147483647"))
    #expect(try spool.reason("bad") == "aps.badge: this is between 0 and 2147483647\n")
    let kept = try Files.read(spool.folder + "/rejected/bad", limit: 4096)
    #expect(kept == Array(text(-1).utf8))
    // Another of the name takes its place.
    try spool.drop("bad", text(-2))
    _ = try spool.take(.refused(reason: "aps.badge: no"))
    #expect(try spool.reason("bad") == "aps.badge: no\n")
    try spool.drop("good", text(3))
    #expect(try spool.take() == text(3))
    try spool.isEmpty()
  }

  @Test func whatIsHalfWrittenIsLookedAtAgain() throws {
    // The rest is to come before the file is 5 s old; where the machine was too busy, once more.
    let clock = ContinuousClock()
    var wasInTime = false
    for _ in 0..<20 where !wasInTime {
      let spool = try Spool()
      let begun = clock.now
      append("{\"aps\":", to: spool.folder + "/a")
      _ = try spool.take(.refused(reason: "payload: no JSON"))
      append("{\"badge\":5}}", to: spool.folder + "/a")
      wasInTime = clock.now - begun < .seconds(5)
      if wasInTime { #expect(try spool.take() == text(5)) }
    }
    #expect(wasInTime)
    let spool = try Spool()
    // One that stays so is set aside, not before it is 5 s old.
    append("{\"aps\":", to: spool.folder + "/b")
    let written = try modified(spool.folder + "/b")
    _ = try spool.take(.refused(reason: "payload: no JSON"))
    _ = try spool.take(.refused(reason: "payload: no JSON"))
    #expect(try spool.reason("b") == "payload: no JSON\n")
    #expect(Date().timeIntervalSince(written) >= 5)
  }

  private func modified(_ path: String) throws -> Date {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.modificationDate] as? Date)
  }

  /// Writes in place, and closes.
  private func append(_ text: String, to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    #expect(write(file, text, text.utf8.count) == text.utf8.count)
    close(file)
  }

  @Test func whatIsNoPlainFileIsSetAside() throws {
    let spool = try Spool { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: "/etc/passwd")
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      try Files.write([UInt8](repeating: 0x20, count: 1 << 20), to: folder + "/large")
      try Files.write(Array(Spool.good.utf8), to: folder + "/../original")
      #expect(link(folder + "/../original", folder + "/hard") == 0)
    }
    let rows = [
      ("link", "symbolic link"), ("pipe", "no regular file"), ("hard", "hard link"),
      ("large", "payload: 1048576 bytes; at most 65536 are a payload"),
    ]
    for (name, words) in rows {
      #expect(try spool.reason(name).contains(words))
    }
    // And those that come later.
    try FileManager.default.createSymbolicLink(
      atPath: spool.folder + "/link2", withDestinationPath: "/nowhere")
    #expect(link(spool.run + "/original", spool.folder + "/hard2") == 0)
    try spool.drop("large2", String(repeating: " ", count: 65537))
    #expect(try spool.reason("link2").contains("symbolic link"))
    #expect(try spool.reason("hard2").contains("hard link"))
    #expect(try spool.reason("large2").contains("65537 bytes"))
    // The files that links led to are as they were.
    #expect(try Files.read(spool.run + "/original", limit: 99) == Array(Spool.good.utf8))
    try spool.drop("largest", "{\"aps\":{}}" + String(repeating: " ", count: 65536 - 10))
    #expect(try spool.take().utf8.count == 65536)
    try spool.isEmpty()
  }

  @Test func whatIsToComeLaterStaysAndIsPushedAgain() throws {
    let spool = try Spool()
    try spool.drop("a")
    let first = try spool.push()
    spool.clock.send(
      .pushed(token: first.token, .later(reason: "the disk is full", after: 50_000_000)))
    let second = try spool.push()
    #expect(second.id == first.id && spool.exists("a"))
    spool.clock.send(.pushed(token: second.token, .accepted))
    try spool.isEmpty()
    #expect(spool.clock.log(containing: "pushes wait: the disk is full"))
  }

  @Test func A2_onceItIsToComeLaterNothingElseIsPushedUntilThen() throws {
    let spool = try Spool()
    for number in 0..<100 { try spool.drop("\(number)", text(number)) }
    let pushes = try (0..<64).map { _ in try spool.push() }
    let asked = Date()
    for push in pushes {
      spool.clock.send(
        .pushed(token: push.token, .later(reason: "the disk is full", after: 1_000_000_000)))
    }
    let first = try spool.push()
    #expect(Date().timeIntervalSince(asked) >= 1)
    spool.clock.send(.pushed(token: first.token, .accepted))
    #expect(Set(try spool.takeAll(99)).count == 99)
    try spool.isEmpty()
  }

  @Test func A1_aFileInThePlaceOfTheFolderForRejectedFilesIsGoneAround() throws {
    let spool = try Spool { folder in try Files.write([1], to: folder + "/rejected") }
    try spool.drop("bad")
    _ = try spool.take(.refused(reason: "aps.badge: no"))
    let detour = try spool.detour("bad")
    #expect(detour.reason == "aps.badge: no\n")
    #expect(spool.clock.log(containing: "rejected cannot be used (Not a directory)"))
    try spool.drop("good", text(1))
    #expect(try spool.take() == text(1))
    try Fixtures.wait("it is taken") { !spool.exists("good") }
    // Another life knows the folder again.
    try spool.restart()
    try spool.drop("good", text(2))
    #expect(try spool.take() == text(2))
    try spool.drop("worse")
    _ = try spool.take(.refused(reason: "aps.badge: never"))
    #expect(try spool.detour("worse").folder == detour.folder)
    try Files.remove(spool.folder + "/rejected")
    try spool.drop("bad")
    _ = try spool.take(.refused(reason: "aps.badge: no"))
    #expect(try spool.reason("bad") == "aps.badge: no\n")
  }

  @Test func A1_whatStandsInTheWayInTheFolderForRejectedFilesIsGoneAround() throws {
    let spool = try Spool { folder in
      try Files.makeFolder(folder + "/rejected", mode: 0o755)
      try Files.makeFolder(folder + "/rejected/one", mode: 0o755)
      try Files.makeFolder(folder + "/rejected/two.reason", mode: 0o755)
    }
    for name in ["one", "two"] {
      try spool.drop(name)
      _ = try spool.take(.refused(reason: "no"))
      #expect(try spool.detour(name).reason == "no\n")
    }
  }

  @Test func aLongNameIsCutThere() throws {
    let spool = try Spool()
    let name = String(repeating: "n", count: 255)
    try spool.drop(name)
    _ = try spool.take(.refused(reason: "no"))
    #expect(try spool.reason(String(repeating: "n", count: 248)) == "no\n")
    try spool.isEmpty()
  }

  @Test func A1_aStrangersFolderForRejectedFilesIsNotUsed() throws {
    guard getuid() == 0 else { return }
    let spool = try Spool { folder in
      try Files.makeFolder(folder + "/rejected", mode: 0o777)
      #expect(chown(folder + "/rejected", 1001, 1001) == 0)
    }
    try spool.drop("bad")
    _ = try spool.take(.refused(reason: "aps.badge: no"))
    let detour = try spool.detour("bad")
    #expect(detour.reason == "aps.badge: no\n")
    #expect(try Files.status(detour.folder).mode == 0o755)
    #expect(try Files.list(spool.folder + "/rejected").isEmpty)
  }

  @Test func A1_whereEverybodyMayWriteTheNameIsTakenAtTheStart() throws {
    let spool = try Spool { folder in #expect(chmod(folder, 0o1777) == 0) }
    let status = try Files.status(spool.folder + "/rejected", follow: false)
    #expect(status.kind == .folder && status.mode == 0o755 && status.uid == getuid())
  }

  // MARK: The folder

  @Test func itIsMadeWhereItsParentIs() throws {
    let run = try Fixtures.scratch()
    let clock = try ClockDouble(
      Spool.plugin, settings: ["folder": run + "/new"], run: run)
    _ = try clock.ready()
    #expect(try Files.status(run + "/new").kind == .folder)
  }

  @Test func aFolderThatCannotBeTrustedIsRefusedInWords() throws {
    let run = try Fixtures.scratch()
    try Files.write([1], to: run + "/file")
    try Files.makeFolder(run + "/open", mode: 0o777)
    #expect(chmod(run + "/open", 0o777) == 0)
    var rows = [
      ("relative", "must be an absolute path"), (run + "/no/where", "cannot be made"),
      (run + "/file", "Not a directory"), (run + "/open", "can be written by everybody"),
    ]
    if getuid() == 0 {
      try Files.makeFolder(run + "/theirs", mode: 0o755)
      #expect(chown(run + "/theirs", 1001, 1001) == 0)
      rows.append((run + "/theirs", "belongs to neither root nor the plugin's user"))
    }
    for (folder, words) in rows {
      let clock = try ClockDouble(Spool.plugin, settings: ["folder": folder], run: run)
      let refusal = try #require(clock.refusal())
      #expect(refusal.contains(words), "\(refusal)")
    }
    // As /tmp is: everybody may put something there, and only its owner take it away.
    #expect(chmod(run + "/open", 0o1777) == 0)
    let clock = try ClockDouble(
      Spool.plugin, settings: ["folder": run + "/open"], run: run)
    _ = try clock.ready()
  }

  @Test func aFolderThatGoesAndComesBackIsFoundAgain() throws {
    let spool = try Spool()
    try spool.drop("a", text(1))
    #expect(try spool.take() == text(1))
    try spool.isEmpty()
    try Files.rename(spool.folder, to: spool.run + "/away")
    #expect(spool.clock.log(containing: "is gone"))
    try Files.rename(spool.run + "/away", to: spool.folder)
    try spool.drop("b", text(2))
    #expect(try spool.take() == text(2))
  }

  @Test func foldersThatAreRemovedAndMadeAnewAreWatchedAnew() throws {
    let spool = try Spool { folder in
      try Files.makeFolder(folder + "/org.example.door", mode: 0o755)
    }
    for number in 0..<5 {
      let name = "org.example.door"
      try spool.drop(name + "/a", text(number))
      #expect(try spool.take() == text(number))
      try Fixtures.wait("it is taken") { !spool.exists(name + "/a") }
      try Files.removeTree(spool.folder + "/" + name)
      try Files.makeFolder(spool.folder + "/" + name, mode: 0o755)
    }
    try Files.removeTree(spool.folder)
    #expect(spool.clock.log(containing: "is gone"))
    #expect(spool.clock.log(containing: "is there again"))
    try spool.drop("b", text(9))
    #expect(try spool.take() == text(9))
  }

  @Test func checkSaysThatItPushes() throws {
    let folder = try Fixtures.scratch() + "/spool"
    try Files.makeFolder(folder, mode: 0o755)
    try Files.write(Array(Spool.good.utf8), to: folder + "/a")
    let (text, end) = try Fixtures.output(
      Fixtures.worker, ["--check", Spool.plugin, "--set", "folder=" + folder])
    #expect(text.contains("offers    push/1, health/1") && text.contains("push      1 at once"))
    #expect(end == .exited(0))
    // A check takes nothing.
    #expect(try Files.status(folder + "/a").kind == .regular)
  }
}
