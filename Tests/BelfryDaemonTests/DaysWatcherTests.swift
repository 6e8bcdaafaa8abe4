import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

/// The watcher with a folder of calendars of its own; scans are run at once.
@Suite struct DaysWatcherTests {
  private final class Stage {
    let scratch: Scratch
    let folder: String
    var results: [DaysScanResult] = []
    var watcher: DaysWatcher!

    init(app: String? = nil, owner: UInt32? = nil) throws {
      scratch = try Scratch()
      folder = scratch["days"]
      let folders = [DaysFolder(path: folder, app: app, owner: owner)]
      watcher = DaysWatcher(folders, uid: geteuid(), zone: .utc, watch: try FolderWatch()) {
        [unowned self] scan in results.append(scan.run())
      }
    }

    func write(_ name: String, _ text: String = "2026-12-24 Eve\n", mode: UInt32 = 0o644) throws {
      try Files.makeFolders(folder, mode: 0o755)
      try Files.write(Array(text.utf8), to: folder + "/" + name)
      try Files.setMode(mode, of: folder + "/" + name)
    }

    func read() -> [String] {
      watcher.reload()
      return take()
    }

    /// What is told after a change.
    func settle() -> [String] {
      watcher.readEvents(now: 0)
      watcher.tick(now: Nanoseconds.second)
      return take()
    }

    private func take() -> [String] {
      var taken: [DaysScanResult] = []
      swap(&taken, &results)
      return taken.flatMap { watcher.take($0) }.map { change in
        switch change {
        case .files(let files): files.map { words($0) }.joined(separator: ", ")
        case .warning(let text): text.replacingOccurrences(of: folder, with: "…")
        }
      }
    }

    private func words(_ file: DaysFile) -> String {
      switch file.content {
      case .days(let days): "\(file.name) \(days.dayCount)"
      case .problem(let reason):
        "\(file.name): " + reason.replacingOccurrences(of: folder, with: "…")
      }
    }
  }

  @Test func E3_aChangeIsNoticedAndWhatIsTheSameIsNotTold() throws {
    let stage = try Stage()
    #expect(stage.read() == [])
    // The folder itself comes later.
    try stage.write("off.days")
    #expect(stage.settle() == ["off 1"])
    #expect(stage.read() == [])
    try stage.write("off.days", "2026-12-24..2026-12-26\n")
    #expect(stage.settle() == ["off 3"])
    try Files.remove(stage.folder + "/off.days")
    #expect(stage.settle() == [""])
    #expect(stage.settle() == [])
  }

  @Test func E3_otherFilesAreNoCalendars() throws {
    let stage = try Stage()
    for name in ["x.txt", ".off.days", "off.days.new", "off.days~"] { try stage.write(name) }
    #expect(stage.read() == [])
  }

  @Test func E3_aWrongLineIsNamedAndToldOnce() throws {
    let stage = try Stage()
    try stage.write("off.days", "2026-12-24\nnext day\n")
    let reason =
      "…/off.days:2: \"next\" is no day: write 2026-12-24, or 2026-12-24..2027-01-06 for several"
    #expect(
      stage.read() == [
        reason + "; what was last read of it, if anything, still counts", "off: " + reason,
      ])
    #expect(stage.read() == [])
  }

  @Test func E3_ofTwoFilesOfOneNameNeitherCounts() throws {
    let stage = try Stage()
    try stage.write("off.days")
    try stage.write("off.ics", "BEGIN:VCALENDAR\n")
    try stage.write("on.days")
    #expect(
      stage.read().last == "off: … has both off.days and off.ics: remove one of them, on 1")
  }

  @Test func A3_E3_whatOthersCanWriteIsNotRead() throws {
    let stage = try Stage()
    try stage.write("off.days", mode: 0o666)
    #expect(stage.read().last?.hasPrefix("off: …/off.days can be written by others") == true)
    try Files.setMode(0o644, of: stage.folder + "/off.days")
    #expect(stage.read() == ["off 1"])
    try Files.setMode(0o777, of: stage.folder)
    #expect(stage.read().last?.contains("no calendar in it is read") == true)
  }

  @Test func A3_E3_aLinkIsNoCalendar() throws {
    let stage = try Stage()
    try stage.write("off.txt")
    symlink("off.txt", stage.folder + "/off.days")
    #expect(
      stage.read().last
        == "off: …/off.days is a symbolic link; a calendar is a file of its own")
  }

  @Test func E3_A2_moreThanTheFolderMayHaveAreNotRead() throws {
    let stage = try Stage(app: "bell")
    for number in 10..<30 { try stage.write("c\(number).days") }
    let told = stage.read()
    #expect(told.first == "… has 20 calendars: those after the first 16 are not read")
    #expect(stage.watcher.files.count == 16)
  }

  @Test func E3_UTCTimesMoveWithTheBoardsZone() throws {
    let stage = try Stage()
    try stage.write(
      "off.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20261224T230000Z\nEND:VEVENT\nEND:VCALENDAR\n")
    #expect(stage.read() == ["off 1"])
    guard case .days(let before)? = stage.watcher.files.first?.content else { return }
    stage.watcher.follow(try ZoneRules(posix: "CET-1"))
    for result in stage.results { _ = stage.watcher.take(result) }
    guard case .days(let after)? = stage.watcher.files.first?.content else { return }
    #expect(after.firstDay == before.firstDay.map { $0 + 1 })
  }
}
