import BelfryCore
import BelfrySystem
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

/// The keeper with folders of its own; errands are run at once.
@Suite struct ManifestKeeperTests {
  private final class Stage {
    let scratch: Scratch
    let uid: UInt32
    var readings: [ManifestScanResult] = []
    var keeper: ManifestWatcher!
    /// As at the start.
    var first: [String] = []

    /// `users`: the folder `own` before `system`, as a user's daemon has them.
    init(users: UInt32? = nil, _ files: [String: String] = [:], makes: Bool = true) throws {
      scratch = try Scratch()
      uid = BelfrySystem.Process.uid
      if makes { try make() }
      for (name, text) in files { try write(name, text) }
      let system = ManifestFolder(path: scratch["system"], user: nil)
      let own = users.map { ManifestFolder(path: scratch["own"], user: $0) }
      keeper = ManifestWatcher(
        [own, system].compactMap { $0 }, uid: uid, watch: try FolderWatch()
      ) { [unowned self] scan in
        readings.append(scan.run())
      }
      first = words(keeper.take(keeper.scan.run()))
    }

    func make() throws {
      for folder in ["own", "system"] { try Files.makeFolder(scratch[folder], mode: 0o755) }
    }

    func write(_ name: String, _ text: String, mode: UInt32 = 0o644) throws {
      try Files.write(Array(text.utf8), to: scratch[name], mode: mode)
      try Files.setMode(mode, of: scratch[name])
    }

    /// What is told after a change, and after the moment that it is given to end.
    func settle() -> [String] {
      keeper.readEvents(now: 0)
      keeper.tick(now: 200 * Nanoseconds.millisecond)
      var taken: [ManifestScanResult] = []
      swap(&taken, &readings)
      return taken.flatMap { words(keeper.take($0)) }
    }

    private func words(_ changes: [ManifestWatcher.Change]) -> [String] {
      changes.map {
        switch $0 {
        case .app(let profile): "\(profile.id) \(profile.name ?? "-")"
        case .gone(let id): "\(id) gone"
        case .problem(let text), .oddity(let text):
          text.replacingOccurrences(of: scratch.path, with: "")
        }
      }
    }
  }

  @Test func A1_aFolderIsReadAtTheStartAndWheneverItChanges() throws {
    let stage = try Stage(["system/a.app": "[app]\nname = A", "system/notes": "no manifest"])
    #expect(stage.first == ["a A"])
    #expect(stage.settle().isEmpty)
    try stage.write("system/b.app", "[app]\nname = B")
    #expect(stage.settle() == ["b B"])
    try stage.write("system/a.app", "[app]\nname = A again")
    #expect(stage.settle() == ["a A again"])
    try Files.remove(stage.scratch["system/a.app"])
    #expect(stage.settle() == ["a gone"])
    // Read again, and nothing new in it.
    try stage.write("system/b.app", "[app]\nname = B\n# more")
    #expect(stage.settle().isEmpty)
    #expect(stage.keeper.profiles.keys.sorted() == ["b"])
  }

  @Test func whatIsNoManifestWakesNobody() throws {
    let stage = try Stage()
    try stage.write("system/notes.txt", "x")
    try stage.write("elsewhere", "x")
    stage.keeper.readEvents(now: 0)
    #expect(stage.keeper.deadline == nil)
  }

  @Test func aFolderMayComeAndGo() throws {
    let stage = try Stage(makes: false)
    #expect(stage.first.isEmpty)
    try stage.make()
    #expect(stage.settle().isEmpty)
    try stage.write("system/a.app", "[app]\nname = A")
    #expect(stage.settle() == ["a A"])
    try Files.rename(stage.scratch["system"], to: stage.scratch["away"])
    #expect(stage.settle() == ["a gone"])
    try Files.rename(stage.scratch["away"], to: stage.scratch["system"])
    #expect(stage.settle() == ["a A"])
  }

  /// What is missing is no reason to refuse the rest, and may come.
  @Test func A4_S8_E3_whatAManifestNamesAndIsNotThereIsSaid() throws {
    let stage = try Stage()
    let folder = stage.scratch["more"]
    try stage.write(
      "system/a.app", "[app]\nname = A\nsoundFolder = \(folder)/sounds\nexecutable = \(folder)/run")
    #expect(
      stage.settle() == [
        "/system/a.app:3: [app] soundFolder: there is no folder /more/sounds",
        "/system/a.app:4: [app] executable: there is no program /more/run", "a A",
      ])
    #expect(stage.keeper.manifests["a"]?.soundFolder == folder + "/sounds")
    try Files.makeFolder(folder, mode: 0o755)
    try stage.write("more/run", "", mode: 0o755)
    #expect(stage.settle() == ["a A"])
    #expect(stage.keeper.allOddities.count == 1 && stage.keeper.allProblems.isEmpty)
    try Files.makeFolder(folder + "/sounds", mode: 0o755)
    #expect(stage.settle() == ["a A"])
    #expect(stage.keeper.allOddities.isEmpty)
    try stage.write("system/b.app", "[app]\nlanguage = German")
    #expect(
      stage.settle() == [
        "/system/b.app:2: [app] language: \"German\" is no language's tag, such as de or de-AT",
        "b -",
      ])
  }

  @Test func A3_aFileThatOthersCanWriteIsNotLoadedUntilItIsMended() throws {
    let stage = try Stage()
    try stage.write("system/a.app", "[app]\nname = A", mode: 0o666)
    #expect(
      stage.settle() == [
        "/system/a.app can be written by others than its owner: chmod go-w it; it is not loaded",
        "a -",
      ])
    try Files.setMode(0o644, of: stage.scratch["system/a.app"])
    #expect(stage.settle() == ["a A"])
    try Files.setMode(0o664, of: stage.scratch["system/a.app"])
    #expect(stage.settle().count == 2)
    // What was read before still holds.
    #expect(stage.keeper.profiles["a"]?.name == "A")
    #expect(stage.keeper.allProblems.count == 1)
  }

  @Test func A3_aFolderThatOthersCanWriteIsNotRead() throws {
    let stage = try Stage(["system/a.app": "[app]\nname = A"])
    try Files.setMode(0o777, of: stage.scratch["system"])
    let told = stage.settle()
    #expect(told.first?.contains("no manifest in it is loaded") == true)
    try Files.setMode(0o755, of: stage.scratch["system"])
    #expect(stage.settle() == ["a A"])
  }

  @Test(.enabled(if: BelfrySystem.Process.uid == 0))
  func A3_aFileOfAnotherUserIsNotLoaded() throws {
    let stage = try Stage(["system/a.app": "[app]\nname = A"])
    #expect(chown(stage.scratch["system/a.app"], 1001, 1001) == 0)
    #expect(stage.settle().first?.contains("belongs to user 1001") == true)
  }

  @Test func A4_aMistakeNamesFileAndLineAndChangesNothing() throws {
    let stage = try Stage(["system/a.app": "[app]\nname = A\nuser = 77"])
    try stage.write("system/a.app", "[app]\nname = B\nuser = 78\ncolour = red")
    #expect(stage.settle() == ["/system/a.app:4: [app] colour is no key of this section", "a A"])
    #expect(stage.keeper.profiles["a"]?.owner == 77)
    #expect(stage.keeper.profiles["a"]?.problems.count == 1)
    // Said once.
    try stage.write("system/b.app", "[app]\nname = B")
    #expect(stage.settle() == ["b B"])
    try stage.write("system/a.app", "[app]\nname = A\nuser = 77")
    #expect(stage.settle() == ["a A"])
    #expect(stage.keeper.allProblems.isEmpty)
  }

  @Test func A1_oneThatNeverCouldBeReadHoldsItsID() throws {
    let stage = try Stage(
      users: 1000,
      [
        "system/named.app": "[app]\ncolour = red\n user= 77\n", "system/nobody.app": "colour = red",
        "system/twice.app": "[app]\nuser = 77\nuser = 78\n", "own/mine.app": "[app]\ncolour = red",
        "system/users.app": "[app]\nusers = 77\n",
      ])
    let profiles = stage.keeper.profiles
    #expect(profiles["named"]?.owner == 77 && profiles["named"]?.isReserved == false)
    #expect(profiles["mine"]?.owner == 1000)
    for id in ["nobody", "twice", "users"] {
      #expect(profiles[id]?.owner == nil && profiles[id]?.isReserved == true)
    }
    try stage.write("system/nobody.app", "[app]\nname = N")
    #expect(stage.settle() == ["nobody N"])
    #expect(stage.keeper.profiles["nobody"]?.isReserved == false)
  }

  @Test func A4_whatIsNoFileOfItsOwnIsRefused() throws {
    let stage = try Stage(["real": "[app]\nname = A"])
    #expect(symlink("../real", stage.scratch["system/link.app"]) == 0)
    try Files.makeFolder(stage.scratch["system/folder.app"], mode: 0o755)
    #expect(mkfifo(stage.scratch["system/fifo.app"], 0o644) == 0)
    try stage.write("system/long.app", String(repeating: "#", count: 70_000))
    try stage.write("system/bad id.app", "")
    try stage.write("system/.hidden.app", "nonsense")
    let told = stage.settle().filter { !$0.hasSuffix(" -") }
    for words in [
      "link.app is a symbolic link", "folder.app is not a file", "fifo.app is not a file",
      "long.app is longer than 64 KiB", "bad id.app: the name of a manifest is an app id",
    ] {
      #expect(told.contains { $0.contains(words) }, "\(words): \(told)")
    }
    #expect(told.count == 5)
    #expect(stage.keeper.manifests.isEmpty)
  }

  @Test func theFirstFolderCounts() throws {
    let stage = try Stage(
      users: 1000, ["own/a.app": "[app]\nname = own", "system/a.app": "[app]\nname = system"])
    #expect(stage.first == ["a own"])
    #expect(stage.keeper.profiles["a"]?.owner == 1000)
    try Files.remove(stage.scratch["own/a.app"])
    #expect(stage.settle() == ["a system"])
    #expect(stage.keeper.profiles["a"]?.owner == nil)
  }

  @Test func A1_aUsersManifestDoesNotTakeWhatTheSystemGivesToAnother() throws {
    let stage = try Stage(
      users: 1000, ["own/a.app": "[app]\nname = own", "system/a.app": "[app]\nuser = 1001"])
    #expect(stage.first == ["/own/a.app: a is user 1001's, says /system/a.app", "a -"])
    #expect(stage.keeper.profiles["a"]?.owner == 1001)
  }
}
