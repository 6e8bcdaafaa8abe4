import BelfryCore
import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct ZoneFilesTests {
  private static let system = "/usr/share/zoneinfo"

  /// A zone folder of its own, with a few of the system's zones.
  private func folder(_ scratch: Scratch) throws -> String {
    for name in ["Europe/Berlin", "Asia/Tokyo", "America/Argentina/Ushuaia", "Etc/UTC"] {
      let path = scratch.path + "/zones/" + name
      try Files.makeFolders(Files.parent(of: path), mode: 0o755)
      try FileManager.default.copyItem(atPath: Self.system + "/" + name, toPath: path)
    }
    return scratch.path + "/zones"
  }

  @Test(arguments: [
    ("Europe/Berlin", true), ("America/Argentina/Ushuaia", true), ("Etc/GMT+5", true),
    ("EST5EDT", true), ("GB-Eire", true), ("a.b", true), ("", false), ("/etc/passwd", false),
    ("..", false), ("../../etc/passwd", false), ("Europe/../Berlin", false), (".hidden", false),
    ("Europe//Berlin", false), ("Europe/", false), ("Europe/Ber lin", false),
    ("Europe/Berlin\0", false), ("Europe\\Berlin", false), ("Köln", false),
    (String(repeating: "a", count: 128), true), (String(repeating: "a", count: 129), false),
  ])
  func T7_whatANameIs(_ text: String, _ isName: Bool) {
    #expect(ZoneName.isName(text) == isName)
  }

  @Test func T7_everyNameOfTheSystemIsRead() throws {
    let files = ZoneFiles()
    let names = files.names()
    #expect(names.count > 300)
    for name in names { #expect(throws: Never.self) { try files.zone(name) } }
  }

  @Test(arguments: [
    ("Europe/Berlinn", "there is no time zone Europe/Berlinn; did you mean Europe/Berlin?"),
    ("Tokyo", "there is no time zone Tokyo; did you mean Asia/Tokyo?"),
    ("Berlin", "there is no time zone Berlin; did you mean Europe/Berlin?"),
    ("Mars/Olympus_Mons", "there is no time zone Mars/Olympus_Mons"),
    ("../etc/passwd", "\"../etc/passwd\" is no name of a time zone"),
    ("a\u{1B}[31m", "\"a?[31m\" is no name of a time zone"),
  ])
  func T7_unknownZone(_ name: String, _ reason: String) throws {
    let scratch = try Scratch()
    let files = ZoneFiles(folder: try folder(scratch))
    #expect(throws: ZoneFileError(.unknown, reason)) { try files.zone(name) }
  }

  @Test func T7_aBoardWithoutZoneFilesIsToldWhatToInstall() throws {
    let files = ZoneFiles(folder: "/nowhere/at/all")
    #expect(
      throws: ZoneFileError(
        .unknown,
        "there is no time zone Europe/Berlin; /nowhere/at/all has none: the package tzdata is missing"
      )
    ) { try files.zone("Europe/Berlin") }
  }

  @Test(arguments: [
    ("UTC", 0), ("GMT", 0), ("Etc/UTC", 0), ("GMT+0200", 7200), ("GMT-0330", -12600),
    ("GMT+5", 18000), ("GMT-11", -39600), ("GMT+0545", 20700),
  ])
  func T2_fixedOffsetsNeedNoFile(_ name: String, _ offset: Int32) throws {
    let zone = try ZoneFiles(folder: "/nowhere").zone(name)
    #expect(zone.rules.offset(at: Instant(nanoseconds: 0)) == offset)
    #expect(zone.rules.transition(after: .distantPast) == nil)
  }

  @Test(arguments: ["GMT+19", "GMT+0260", "GMT+", "GMT+x", "GMT+05:45", "GMT+00000", "UTC+1"])
  func T2_otherOffsetsAreUnknown(_ name: String) {
    #expect(throws: ZoneFileError.self) { try ZoneFiles(folder: "/nowhere").zone(name) }
  }

  @Test func T7_onlyRegularFilesOfAboundedSizeAreRead() throws {
    let scratch = try Scratch()
    let folder = try folder(scratch)
    try Files.makeFolder(folder + "/Folder", mode: 0o755)
    #expect(mkfifo(folder + "/Pipe", 0o644) == 0)
    #expect(symlink("/dev/zero", folder + "/Zero") == 0)
    #expect(symlink("Loop", folder + "/Loop") == 0)
    try Files.write([UInt8](repeating: 0x54, count: 2 << 20), to: folder + "/Huge")
    try Files.write(Array("TZif".utf8), to: folder + "/Cut")
    for (name, code): (String, ZoneFileError.Code) in [
      ("Folder", .unreadable), ("Pipe", .unreadable), ("Zero", .unreadable), ("Loop", .unreadable),
      ("Huge", .unreadable), ("Cut", .broken),
    ] {
      do throws(ZoneFileError) {
        _ = try ZoneFiles(folder: folder).zone(name)
        Issue.record("\(name) was read")
      } catch {
        #expect(error.code == code, "\(name): \(error.reason)")
      }
    }
  }

  /// Each way in which a board says what its zone is.
  static let boards: [(chosen: String?, variable: String?, link: String?, name: String)] = [
    ("Asia/Tokyo", "Europe/Berlin", "Etc/UTC", "Asia/Tokyo"),
    (nil, "Europe/Berlin", "Etc/UTC", "Europe/Berlin"),
    (nil, ":Europe/Berlin", "Etc/UTC", "Europe/Berlin"),
    (nil, "", "Asia/Tokyo", "UTC"),
    (nil, "CET-1CEST,M3.5.0,M10.5.0/3", nil, "CET-1CEST,M3.5.0,M10.5.0/3"),
    (nil, nil, "Asia/Tokyo", "Asia/Tokyo"),
    (nil, nil, "Japan", "Japan"),
  ]

  @Test(arguments: boards)
  func T7_theBoardsZone(
    _ row: (chosen: String?, variable: String?, link: String?, name: String)
  ) throws {
    let scratch = try Scratch()
    let folder = try folder(scratch)
    let localtime = scratch.path + "/localtime"
    #expect(symlink("Asia/Tokyo", folder + "/Japan") == 0)
    if let link = row.link { #expect(symlink("zones/" + link, localtime) == 0) }
    let files = ZoneFiles(
      folder: folder, localtime: localtime, chosen: row.chosen, variable: row.variable)
    #expect(try files.board().name == row.name)
  }

  @Test func T7_theBoardsZoneByAFileThatIsNoLink() throws {
    let scratch = try Scratch()
    let localtime = scratch.path + "/localtime"
    try FileManager.default.copyItem(atPath: Self.system + "/Asia/Tokyo", toPath: localtime)
    for variable: String? in [nil, localtime, ":" + localtime] {
      let board = try ZoneFiles(localtime: localtime, variable: variable).board()
      #expect(board.name == localtime)
      #expect(board.rules.offset(at: Instant(nanoseconds: 0)) == 9 * 3600)
    }
    #expect(throws: ZoneFileError.self) { try ZoneFiles(localtime: "/nowhere/localtime").board() }
    #expect(throws: ZoneFileError.self) { try ZoneFiles(chosen: "No/Zone").board() }
    #expect(throws: ZoneFileError.self) { try ZoneFiles(variable: "No/Zone").board() }
  }

  @Test func T7_aFileThatIsStillTheSameIsNotReadAgain() throws {
    let system = ZoneFiles()
    let berlin = try system.zone("Europe/Berlin")
    #expect(try system.zone("Europe/Berlin", known: berlin).rules === berlin.rules)
    let scratch = try Scratch()
    let files = ZoneFiles(folder: try folder(scratch))
    let first = try files.zone("Europe/Berlin")
    try Files.write(
      try Files.read(files.folder + "/Asia/Tokyo", limit: 4096),
      to: files.folder + "/Europe/Berlin")
    let second = try files.zone("Europe/Berlin", known: first)
    #expect(second.rules != first.rules)
    #expect(second.rules == (try files.zone("Asia/Tokyo")).rules)
  }

  /// As `cp -p` over it leaves it: the inode, the size and the time of modification are the same.
  @Test func T7_aFileThatOnlyLooksTheSameIsReadAgain() throws {
    let scratch = try Scratch()
    let path = scratch["localtime"]
    let files = ZoneFiles(localtime: path)
    func put(_ hours: Int) throws {
      try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Etc/GMT-\(hours)"))
        .write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: path)
    }
    try put(9)
    let first = try files.board()
    try put(3)
    let second = try files.board(known: first)
    #expect(second.rules.offset(at: Instant(nanoseconds: 0)) == 3 * 3600)
  }
}
