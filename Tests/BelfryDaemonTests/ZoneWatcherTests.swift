import BelfryCore
import BelfrySystem
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

/// The keeper with a folder of zones of its own; errands are run at once.
@Suite struct ZoneKeeperTests {
  private final class Stage {
    let scratch: Scratch
    let files: ZoneFiles
    var readings: [ZoneScanResult] = []
    var keeper: ZoneWatcher!

    init() throws {
      scratch = try Scratch()
      for name in ["Europe/Berlin", "Asia/Tokyo", "Etc/UTC"] {
        let path = scratch["zones/" + name]
        try Files.makeFolders(Files.parent(of: path), mode: 0o755)
        try Files.write(Self.bytes(name), to: path)
      }
      files = ZoneFiles(folder: scratch["zones"], localtime: scratch["localtime"])
      try link("Europe/Berlin")
      keeper = ZoneWatcher(files, board: try files.board()) { [unowned self] scan in
        readings.append(scan.run())
      }
    }

    static func bytes(_ name: String) throws -> [UInt8] {
      try Files.read("/usr/share/zoneinfo/" + name, limit: 1 << 20)
    }

    func link(_ name: String) throws {
      #expect(symlink("zones/" + name, scratch["localtime"]) == 0)
    }

    /// All that was read until now, in words.
    func changes(now: Int64 = 0) -> [String] {
      var taken: [ZoneScanResult] = []
      swap(&taken, &readings)
      return taken.flatMap { keeper.take($0, now: now) }.map { changes in
        switch changes {
        case .board(let file): "board \(file.name)"
        case .zone(let name, .success): "zone \(name)"
        case .zone(let name, .failure(let error)): "no \(name): \(error.reason)"
        case .warning(let text): "warning \(text)"
        }
      }
    }

    /// What is told after a change: events are read, and both tries are made.
    func settle() -> [String] {
      keeper.readEvents(now: 0)
      var told: [String] = []
      for now in [Int64(100), 500, 1000] where keeper.deadline != nil {
        keeper.tick(now: now * Nanoseconds.millisecond)
        told += changes(now: now * Nanoseconds.millisecond)
      }
      return told
    }
  }

  @Test func T7_nothingIsWatchedUntilSomethingGoesByAZone() throws {
    let stage = try Stage()
    #expect(stage.keeper.watch == nil && stage.readings.isEmpty)
    stage.keeper.load("Asia/Tokyo")
    #expect(stage.changes() == ["zone Asia/Tokyo"])
    stage.keeper.load("Asia/Tokio")
    #expect(
      stage.changes() == [
        "no Asia/Tokio: there is no time zone Asia/Tokio; did you mean Asia/Tokyo?"
      ])
    #expect(stage.keeper.watch == nil)
    #expect(try stage.keeper.follow(board: true, named: []) != nil)
    #expect(stage.changes() == [])
    stage.keeper.stopFollowing()
    #expect(stage.keeper.watch == nil && stage.keeper.deadline == nil)
  }

  @Test func T7_theBoardsZoneIsToldWheneverItIsAskedFor() throws {
    let stage = try Stage()
    stage.keeper.loadBoard()
    #expect(stage.changes() == ["board Europe/Berlin"])
    try Files.remove(stage.scratch["localtime"])
    try stage.link("Asia/Tokyo")
    stage.keeper.loadBoard()
    #expect(stage.changes() == ["board Asia/Tokyo"])
    try Files.remove(stage.scratch["localtime"])
    stage.keeper.loadBoard()
    #expect(stage.changes().first == "board Asia/Tokyo")
  }

  /// The four ways in which a board's zone is replaced.
  @Test(arguments: ["rename a link", "remove and link", "rename a file", "write in place"])
  func T7_theBoardsZoneIsReplaced(_ how: String) throws {
    let stage = try Stage()
    let localtime = stage.scratch["localtime"]
    if how == "write in place" {
      try Files.remove(localtime)
      try Files.write(try Stage.bytes("Europe/Berlin"), to: localtime)
    }
    _ = try stage.keeper.follow(board: true, named: [])
    _ = stage.changes()
    switch how {
    case "rename a link":
      #expect(symlink("zones/Asia/Tokyo", localtime + ".new") == 0)
      try Files.rename(localtime + ".new", to: localtime)
    case "remove and link":
      try Files.remove(localtime)
      try stage.link("Asia/Tokyo")
    case "rename a file":
      try Files.write(try Stage.bytes("Asia/Tokyo"), to: localtime)
    default:
      let file = try Files.open(localtime, [.write, .truncate])
      try Output.write(try Stage.bytes("Asia/Tokyo"), to: file)
    }
    let expected = how.hasSuffix("link") ? "board Asia/Tokyo" : "board \(localtime)"
    #expect(stage.settle() == [expected])
    #expect(stage.keeper.board?.rules.offset(at: Instant(nanoseconds: 0)) == Int32(9 * 3600))
    #expect(stage.settle() == [])
  }

  @Test func T7_aZoneFileIsReplaced() throws {
    let stage = try Stage()
    _ = try stage.keeper.follow(board: true, named: ["Asia/Tokyo", "Etc/UTC"])
    _ = stage.changes()
    try Files.write(try Stage.bytes("Etc/UTC"), to: stage.scratch["zones/Asia/Tokyo"])
    #expect(stage.settle() == ["zone Asia/Tokyo"])
    // The file behind the board's link.
    try Files.write(try Stage.bytes("Etc/UTC"), to: stage.scratch["zones/Europe/Berlin"])
    #expect(stage.settle() == ["board Europe/Berlin"])
    // The same bytes again are no news.
    try Files.write(try Stage.bytes("Etc/UTC"), to: stage.scratch["zones/Europe/Berlin"])
    #expect(stage.settle() == [])
    // Other names in the same folder are none of ours.
    try Files.write([1], to: stage.scratch["zones/Europe/Rome"])
    stage.keeper.readEvents(now: 0)
    #expect(stage.keeper.deadline == nil)
  }

  @Test func T7_theWholeFolderOfZonesIsReplaced() throws {
    let stage = try Stage()
    _ = try stage.keeper.follow(board: false, named: ["Asia/Tokyo"])
    _ = stage.changes()
    try Files.makeFolders(stage.scratch["other/Asia"], mode: 0o755)
    try Files.write(try Stage.bytes("Etc/UTC"), to: stage.scratch["other/Asia/Tokyo"])
    try Files.rename(stage.scratch["zones"], to: stage.scratch["old"])
    try Files.rename(stage.scratch["other"], to: stage.scratch["zones"])
    #expect(stage.settle() == ["zone Asia/Tokyo"])
  }

  @Test func T7_whatCannotBeReadStaysWhatItWas() throws {
    let stage = try Stage()
    _ = try stage.keeper.follow(board: true, named: ["Asia/Tokyo"])
    _ = stage.changes()
    try Files.remove(stage.scratch["localtime"])
    let gone = stage.settle()
    #expect(gone.count == 1 && gone[0].hasSuffix("the board's zone stays Europe/Berlin"))
    #expect(stage.keeper.board?.name == "Europe/Berlin")
    try stage.link("Asia/Tokyo")
    #expect(stage.settle() == ["board Asia/Tokyo"])
    try Files.write(Array("TZif".utf8), to: stage.scratch["zones/Asia/Tokyo"])
    let broken = stage.settle()
    #expect(broken.count == 1 && broken[0].hasSuffix("its rules stay what they were"))
  }

  @Test func T7_aMissingZoneIsNoticedWhenItComes() throws {
    let stage = try Stage()
    _ = try stage.keeper.follow(board: false, named: ["Africa/Cairo"])
    #expect(stage.changes() == [])
    try Files.makeFolder(stage.scratch["zones/Africa"], mode: 0o755)
    #expect(stage.settle() == [])
    try Files.write(try Stage.bytes("Africa/Cairo"), to: stage.scratch["zones/Africa/Cairo"])
    #expect(stage.settle() == ["zone Africa/Cairo"])
  }

  /// What changed while nothing went by it is told when something does.
  @Test func T7_whatWasNotFollowedIsReadAgain() throws {
    let stage = try Stage()
    stage.keeper.load("Asia/Tokyo")
    _ = stage.changes()
    try Files.write(try Stage.bytes("Etc/UTC"), to: stage.scratch["zones/Asia/Tokyo"])
    _ = try stage.keeper.follow(board: false, named: ["Asia/Tokyo"])
    #expect(stage.changes() == ["zone Asia/Tokyo"])
    try Files.remove(stage.scratch["localtime"])
    try stage.link("Asia/Tokyo")
    #expect(stage.settle() == [])
    #expect(try stage.keeper.follow(board: true, named: ["Asia/Tokyo"]) == nil)
    #expect(stage.changes() == ["board Asia/Tokyo"])
  }
}
