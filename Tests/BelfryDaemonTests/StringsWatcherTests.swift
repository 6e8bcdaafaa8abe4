import BelfryCore
import BelfrySystem
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

/// The keeper with a folder of texts of its own; errands are run at once.
@Suite struct TableKeeperTests {
  private final class Stage {
    let scratch: Scratch
    var readings: [StringsScanResult] = []
    var keeper: StringsWatcher!

    init(languages: [String: String] = ["app": "de-AT"]) throws {
      scratch = try Scratch()
      keeper = StringsWatcher(uid: geteuid()) { [unowned self] scan in
        readings.append(scan.run())
      }
      let sources = languages.keys.sorted().map {
        TableSource(app: $0, folder: scratch["texts"], language: languages[$0]!, owner: nil)
      }
      #expect(keeper.follow(sources))
      #expect(!keeper.follow(sources))
      _ = try keeper.makeWatch()
    }

    func path(_ language: String?) -> String {
      scratch[
        language.map { "texts/\($0).lproj/Localizable.strings" } ?? "texts/Localizable.strings"]
    }

    func write(_ text: String, _ language: String?) throws {
      try Files.makeFolders(Files.parent(of: path(language)), mode: 0o755)
      try Files.write(Array(text.utf8), to: path(language))
    }

    /// What is told after reading everything that has changed.
    func read() -> [String] {
      keeper.reload()
      return take()
    }

    /// What is told after a change.
    func settle() -> [String] {
      keeper.readEvents(now: 0)
      keeper.tick(now: Nanoseconds.second)
      return take()
    }

    private func take() -> [String] {
      var taken: [StringsScanResult] = []
      swap(&taken, &readings)
      return taken.flatMap { keeper.take($0) }.map { changes in
        switch changes {
        case .changed(let app): "changed \(app)"
        case .warning(let text): text.replacingOccurrences(of: scratch["texts"], with: "…")
        }
      }
    }

    func text(_ key: String, of app: String = "app") -> String? {
      var notification = BelfryCore.Notification()
      notification.alertBody = key
      let profile = keeper.completed(AppProfile(id: app))
      let words = Localization(tables: profile.tables, language: nil)
      return notification.text(in: words, zone: .utc).body
    }
  }

  @Test func L1_fallsBackFromDeATToDeToBase() throws {
    let stage = try Stage()
    try stage.write("a = \"Servus\";", "de-AT")
    try stage.write("a = \"Hallo\"; b = \"Tag\";", "de")
    try stage.write("a = \"Hello\"; b = \"Day\"; c = \"Bye\";", "Base")
    try stage.write("c = \"plain c\"; d = \"plain\";", nil)
    try stage.write("a = \"Bonjour\"; e = \"Fin\";", "fr")
    #expect(stage.read() == ["changed app"])
    #expect(
      ["a", "b", "c", "d", "e"].map { stage.text($0) } == ["Servus", "Tag", "Bye", "plain", "e"])
    #expect(stage.read() == [])
  }

  @Test func L1_changesAreNoticed() throws {
    let stage = try Stage()
    #expect(stage.read().first?.contains("has no Localizable.strings for de-AT") == true)
    // Folders come, a file comes, it is written anew, replaced and removed.
    try stage.write("a = one;", "de")
    #expect(stage.settle() == ["changed app"])
    #expect(stage.text("a") == "one")
    try Data("a = two;".utf8).write(to: URL(fileURLWithPath: stage.path("de")))
    #expect(stage.settle() == ["changed app"])
    #expect(stage.text("a") == "two")
    try stage.write("a = three;", "de-AT")
    #expect(stage.settle() == ["changed app"])
    #expect(stage.text("a") == "three")
    try Files.remove(stage.path("de-AT"))
    #expect(stage.settle() == ["changed app"])
    #expect(stage.text("a") == "two")
    // Another file beside it is nobody's business.
    try Files.write([1], to: stage.scratch["texts/de.lproj/Other.strings"])
    #expect(stage.settle() == [])
    #expect(stage.readings.isEmpty)
    try Files.removeTree(stage.scratch["texts"])
    #expect(stage.settle().contains("changed app"))
    #expect(stage.text("a") == "a")
  }

  @Test func L1_aTableThatBreaksIsReportedOnceWithItsLineAndCountsAsItWas() throws {
    let stage = try Stage(languages: ["app": "de", "other": "en"])
    try stage.write("a = one;", "de")
    try stage.write("a = base; b = base;", "Base")
    #expect(stage.read() == ["changed app", "changed other"])
    try stage.write("/* x */\na = one;\nb = \"two;\n", "de")
    #expect(
      stage.settle() == [
        "app: …/de.lproj/Localizable.strings:3:5: this text has no closing quote;"
          + " what was last good counts", "changed app",
      ])
    #expect(stage.text("a") == "one")
    #expect(stage.keeper.problems.count == 1)
    #expect(stage.read() == [])
    // Broken in another way, and read anew: it is still what was last good.
    try stage.write("a = \"one;\n", "de")
    #expect(stage.settle().count == 2)
    #expect(stage.text("a") == "one")
    // So does another.
    try stage.write("b = \"two;\n", "Base")
    _ = stage.settle()
    #expect(stage.text("b") == "base")
    try stage.write("a = base; b = base;", "Base")
    _ = stage.settle()
    try stage.write("a = one;", "de")
    #expect(stage.settle() == ["changed app"])
    #expect(stage.text("a") == "one")
    #expect(stage.keeper.problems.isEmpty)
  }

  @Test func L1_A2_aTableOf100MBIsRefusedByName() throws {
    let stage = try Stage()
    try stage.write("a = one;", "de")
    truncate(stage.path("de"), 100_000_000)
    #expect(
      stage.read() == [
        "app: …/de.lproj/Localizable.strings has 100000000 bytes, at most 4194304 are read",
        "changed app",
      ])
    #expect(stage.text("a") == "a")
  }

  @Test func L1_A2_allTablesTogetherAreBounded() throws {
    let languages = [
      "a": "de", "b": "en", "c": "es", "d": "fr", "e": "it", "f": "ja", "g": "ko",
      "h": "nl", "i": "pl",
    ]
    let stage = try Stage(languages: languages)
    let text = "k = \"\(String(repeating: "x", count: StringsTable.largest - 32))\";"
    for language in languages.values { try stage.write(text, language) }
    let told = stage.read().filter { !$0.hasPrefix("changed") }
    #expect(told.count == 1)
    #expect(told.first?.hasPrefix("i: …/pl.lproj") == true)
    #expect(told.first?.contains("33554432") == true)
  }

  @Test func L1_A3_onlyFilesOfTheirOwnAreRead() throws {
    let stage = try Stage()
    try stage.write("a = one;", "Base")
    try Files.makeFolders(stage.scratch["texts/de.lproj"], mode: 0o755)
    #expect(symlink(stage.path("Base"), stage.path("de")) == 0)
    #expect(stage.read().first?.contains("is a symbolic link") == true)
    try Files.remove(stage.path("de"))
    #expect(mkfifo(stage.path("de"), 0o644) == 0)
    #expect(stage.settle().first?.contains("is not a file") == true)
    try Files.remove(stage.path("de"))
    try stage.write("a = two;", "de")
    try Files.setMode(0o666, of: stage.path("de"))
    #expect(stage.read().first?.contains("chmod go-w") == true)
    #expect(stage.text("a") == "one")
  }

  @Test(.enabled(if: geteuid() == 0))
  func L1_A1_whatAnAppsUserMayNotReadIsNotReadForHim() throws {
    let scratch = try Scratch()
    try Files.setMode(0o755, of: scratch.path)
    let path = scratch["Localizable.strings"]
    try Files.write(Array("a = secret;".utf8), to: path, mode: 0o600)
    let source = TableSource(app: "app", folder: scratch.path, language: "en", owner: 1234)
    let scan = StringsScan(sources: [source], uid: 0, watch: nil, known: [:])
    let refused = scan.run().apps["app"]
    #expect(refused?.tables.isEmpty == true)
    #expect(refused?.problems.first?.contains("is not for user 1234") == true)
    try Files.setMode(0o644, of: path)
    #expect(scan.run().apps["app"]?.tables.count == 1)
    #expect(chown(path, 1234, 1234) == 0)
    try Files.setMode(0o600, of: path)
    #expect(scan.run().apps["app"]?.tables.count == 1)
    #expect(chown(path, 4321, 4321) == 0)
    #expect(scan.run().apps["app"]?.problems.first?.contains("is not for user") == true)
  }
}
