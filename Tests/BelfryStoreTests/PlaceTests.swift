import BelfryCore
import BelfrySystem
import Foundation
import Testing

@testable import BelfryStore

/// A store that is removed, renamed or replaced while it is open.
struct PlaceTests {
  private func filled(_ count: Slot = 50, remembers: Bool = false) throws -> StoreBench {
    let bench = try StoreBench(remembers: remembers)
    bench.register()
    // As the store's thread does after its first group.
    bench.keeper.tidy(idle: true)
    bench.run(.replaceAll(app: 1, rows: (1...count).map { row($0, "n\($0)") }))
    return bench
  }

  /// What a start finds that knows nothing of this process: a copy of the folder.
  private func afterAKill(_ bench: StoreBench) throws -> (slots: [Slot], warnings: [String]) {
    let copy = NSTemporaryDirectory() + "belfry-store-" + UUID().uuidString
    try FileManager.default.copyItem(atPath: bench.folder, toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    var slots: [Slot] = []
    let opened = try Store.open(
      path: copy + "/books.sqlite", options: bench.options, forget: { slots = [] },
      pending: { slots.append($0.slot) })
    opened.store.close()
    return (slots, opened.warnings)
  }

  @Test(arguments: [["", "-wal"], [""], ["-wal"]])
  func D8_whatIsRemovedIsWrittenAnewBeforeTheNextAnswer(suffixes: [String]) throws {
    let bench = try filled()
    for suffix in suffixes { try FileManager.default.removeItem(atPath: bench.path + suffix) }
    let answer = bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(answer == [.scheduled(.added(discarded: nil))])
    let found = try afterAKill(bench)
    #expect(found.slots == Array(1...51))
    #expect(found.warnings.isEmpty)
    #expect(bench.log.lines.filter { $0.contains("under belfryd") }.count == 1)
    bench.run(.schedule(row(52, "newer"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...52))
    #expect(bench.log.lines.count == 1)
    #expect(try bench.integrity() == "ok")
  }

  @Test func D8_aFileThatTookTheirPlaceIsKeptBeside() throws {
    let bench = try filled()
    try FileManager.default.moveItem(atPath: bench.path, toPath: bench.folder + "/elsewhere")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: bench.path))
    bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...51))
    let other = try bench.files().filter { $0.hasPrefix("books.sqlite.replaced-") }
    let contents = try other.map {
      try Data(contentsOf: URL(fileURLWithPath: bench.folder + "/" + $0))
    }
    #expect(contents.contains(Data("mine".utf8)))
  }

  @Test func D8_withoutTheirFolderNothingIsAcknowledgedAndNothingIsLost() throws {
    let bench = try filled()
    let away = bench.folder + "-away"
    try FileManager.default.moveItem(atPath: bench.folder, toPath: away)
    try FileManager.default.removeItem(atPath: away)
    let answer = bench.run(.schedule(row(51, "refused"), ifAdded: .none))
    guard case .failed(let reason)? = answer.first else {
      Issue.record("it was acknowledged: \(answer)")
      return
    }
    #expect(reason.contains("removed or replaced"))
    // What they held can still be read, and records are kept.
    #expect(bench.run(.load([1])) == [.loaded([row(1, "n1")])])
    bench.run(.finish(2, app: 1, generation: 0))
    #expect(bench.keeper.isHolding)
    try FileManager.default.createDirectory(atPath: bench.folder, withIntermediateDirectories: true)
    bench.keeper.retry()
    #expect(!bench.keeper.isHolding)
    #expect(try afterAKill(bench).slots == [1] + Array(3...50))
    #expect(bench.log.contains("nothing was lost"))
  }

  /// A kill between the renames.
  @Test func D8_aWholeCopyGoesBeforeWhatStandsInItsPlace() throws {
    let bench = try filled()
    bench.keeper.close()
    try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + "-whole")
    try Data("other".utf8).write(to: URL(fileURLWithPath: bench.path))
    try Data("half".utf8).write(to: URL(fileURLWithPath: bench.path + "-partial"))
    try bench.openAgain()
    #expect(bench.pending.count == 50)
    #expect(try !bench.files().contains { $0.hasSuffix("-partial") || $0.hasSuffix("-whole") })
  }

  // MARK: Emptied, cut, linked

  /// What somebody does to the files of a running belfryd, which keep their names.
  enum Deed: CaseIterable {
    case emptyLog, cutLog, shortLog, foreignLog, emptyFile, cutFile, link, linkElsewhere

    func run(_ bench: StoreBench) throws {
      let log = bench.path + "-wal"
      switch self {
      case .emptyLog: truncate(log, 0)
      case .cutLog: truncate(log, 32 + 3 * 1048)
      case .shortLog: try overwrite(log, Data("x\n".utf8))
      case .foreignLog: try overwrite(log, Data(repeating: 0, count: 1 << 20))
      case .emptyFile, .cutFile:
        try bench.opened.store.checkpoint()
        truncate(bench.path, self == .cutFile ? 1024 : 0)
      case .link:
        try FileManager.default.moveItem(atPath: bench.path, toPath: bench.folder + "/real")
        try FileManager.default.createSymbolicLink(
          atPath: bench.path, withDestinationPath: "real")
      case .linkElsewhere:
        let other = bench.folder + "/other"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: bench.path, toPath: other + "/books.sqlite")
        try FileManager.default.createSymbolicLink(
          atPath: bench.path, withDestinationPath: other + "/books.sqlite")
      }
    }

    private func overwrite(_ path: String, _ data: Data) throws {
      truncate(path, 0)
      try data.write(to: URL(fileURLWithPath: path), options: [])
    }
  }

  @Test(arguments: Deed.allCases)
  func D8_whatIsEmptiedCutOrLinkedIsWrittenAnewBeforeTheNextAnswer(deed: Deed) throws {
    let bench = try filled()
    try deed.run(bench)
    let answer = bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(answer == [.scheduled(.added(discarded: nil))])
    let found = try afterAKill(bench)
    #expect(found.slots == Array(1...51))
    #expect(found.warnings.isEmpty)
    #expect(
      bench.log.lines.filter { $0.contains("under belfryd") }.count == 1, "\(bench.log.lines)")
    bench.run(.schedule(row(52, "newer"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...52))
    #expect(bench.log.lines.count == 1, "\(bench.log.lines)")
    #expect(try bench.integrity() == "ok")
  }

  @Test(arguments: [Deed.emptyLog, .cutLog, .shortLog])
  func D8_newBooksWhoseLogIsCutAtOnceAreWrittenAnew(deed: Deed) throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.replaceAll(app: 1, rows: (1...50).map { row($0, "n\($0)") }))
    try deed.run(bench)
    bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...51))
  }

  /// Cut between the look before a commit and the commit, which writes on where the log ended.
  @Test func D8_aLogThatWasCutAndGrewAgainBehindAHoleIsWrittenAnew() throws {
    let bench = try filled()
    let log = bench.path + "-wal"
    let size = try Files.status(log).size
    try Deed.cutLog.run(bench)
    var last: Slot = 50
    while try Files.status(log).size <= size {
      last += 1
      try bench.opened.store.begin()
      let row = row(last, "between \(last)")
      _ = try bench.opened.store.carryOut(.change(.schedule(row, ifAdded: .none)))
      try bench.opened.store.commit()
    }
    #expect(last > 51)
    bench.run(.schedule(row(last + 1, "new"), ifAdded: .none))
    #expect(try afterAKill(bench).slots == Array(1...last + 1))
    #expect(bench.log.lines.filter { $0.contains("under belfryd") }.count == 1)
  }

  /// More than memory holds: then what stands in the file is saved, and that is said.
  @Test(arguments: [Deed.emptyLog, .shortLog])
  func D8_ofALargeStoreTheFileIsSavedAndTheLossIsSaid(deed: Deed) throws {
    let bench = try filled(3000)
    try bench.opened.store.checkpoint()
    bench.run(.replaceAll(app: 1, rows: (5001...7000).map { row($0, "m\($0)") }))
    try deed.run(bench)
    let answer = bench.run(.schedule(row(4000, "new"), ifAdded: .none))
    #expect(answer == [.scheduled(.added(discarded: nil))])
    let found = try afterAKill(bench)
    #expect(found.slots == Array(1...3000) + [4000])
    #expect(bench.log.contains("in the log alone is lost"), "\(bench.log.lines)")
    #expect(try bench.integrity() == "ok")
  }

  @Test func D8_aStoreBehindALinkStaysThereAndItsLogIsItsOwn() throws {
    let bench = try StoreBench({ path in
      let folder = (path as NSString).deletingLastPathComponent
      try FileManager.default.createDirectory(
        atPath: folder + "/disk", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: "disk/books.sqlite")
    })
    bench.register()
    bench.keeper.tidy(idle: true)
    bench.run(.replaceAll(app: 1, rows: (1...50).map { row($0, "n\($0)") }))
    // Behind a link, too.
    truncate(bench.folder + "/disk/books.sqlite-wal", 0)
    bench.run(.schedule(row(51, "new"), ifAdded: .none))
    #expect(bench.log.lines.count == 1)
    bench.kill()
    try bench.openAgain()
    #expect(bench.pending.count == 51)
    // A link that leads elsewhere is one that nobody finds it by.
    try FileManager.default.removeItem(atPath: bench.path)
    try FileManager.default.createSymbolicLink(
      atPath: bench.path, withDestinationPath: "nowhere")
    bench.run(.schedule(row(52, "newer"), ifAdded: .none))
    bench.kill()
    try bench.openAgain()
    #expect(bench.pending.count == 52)
  }

  /// Between belfryd's last look and its end, or after it.
  @Test(arguments: Deed.allCases)
  func D8_whatHappensBehindItsBackIsSaidByTheNextStart(deed: Deed) throws {
    let bench = try filled(remembers: true)
    try deed.run(bench)
    bench.kill()
    try bench.openAgain()
    // A log follows its file; it alone has what a file was cut of.
    if [.link, .linkElsewhere].contains(deed) { #expect(bench.pending.count == 50) }
    #expect(bench.pending.count == 50 || !bench.opened.warnings.isEmpty)
    bench.run(.schedule(row(51, "new"), ifAdded: .none))
    bench.kill()
    try bench.openAgain()
    #expect(bench.pending.last?.slot == 51)
    #expect(bench.opened.warnings.isEmpty)
  }

  @Test func D8_aLogBehindALinkIsTakenIn() throws {
    let bench = try filled()
    bench.kill()
    let log = bench.path + "-wal"
    try FileManager.default.moveItem(atPath: log, toPath: bench.folder + "/moved")
    try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: "moved")
    try bench.openAgain()
    #expect(bench.pending.count == 50)
    #expect(bench.opened.warnings.contains { $0.contains("was a link") })
    bench.kill()
    // One that leads nowhere is only in the way.
    try? FileManager.default.removeItem(atPath: log)
    try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: "nowhere")
    try bench.openAgain()
    #expect(bench.opened.warnings.contains { $0.contains("was a link: it was set aside") })
    bench.run(.schedule(row(51, "new"), ifAdded: .none))
    bench.kill()
    try bench.openAgain()
    #expect(bench.pending.last?.slot == 51)
  }

  @Test func D8_aKillAndACleanEndAreNoLoss() throws {
    let bench = try StoreBench(remembers: true)
    bench.register()
    for round in 1...6 {
      bench.run(.schedule(row(Slot(round), "n\(round)"), ifAdded: .none))
      if round == 3 { try bench.opened.store.checkpoint() }
      if round.isMultiple(of: 2) { bench.keeper.close() } else { bench.kill() }
      try bench.openAgain()
      #expect(bench.opened.warnings.isEmpty)
      #expect(bench.pending.count == round)
    }
  }
}
