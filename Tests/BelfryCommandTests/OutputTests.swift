import BelfryCore
import Testing

@testable import BelfryCommand

struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("bell", 4), ("Glöckchen", 9), ("Glo\u{308}ckchen", 9), ("鐘が鳴る", 8), ("종", 2),
    ("🔔", 2), ("👩‍🏫", 2), ("🇩🇪", 2), ("⚠\u{FE0F}", 2), ("a\u{200B}b", 2),
  ])
  func columnsOfText(_ text: String, _ width: Int) {
    #expect(DisplayWidth.of(text) == width)
  }

  @Test(arguments: [
    ("bell", 4, "bell"), ("belfry", 4, "bel…"), ("鐘が鳴る", 5, "鐘が…"), ("鐘が鳴る", 4, "鐘…"),
    ("🇩🇪🇩🇪", 3, "🇩🇪…"),
  ])
  func cuttingKeepsCharactersWhole(_ text: String, _ width: Int, _ expected: String) {
    #expect(DisplayWidth.cut(text, to: width) == expected)
    #expect(DisplayWidth.of(DisplayWidth.cut(text, to: width)) <= width)
  }

  @Test func outsideTextCannotCommandTheTerminal() {
    #expect(DisplayWidth.safe("\u{1B}[31mred\u{7}\u{9B}2J\u{202E}") == "�[31mred��2J�")
  }
}

struct FindingLineTests {
  @Test func A4_whatDoctorFindsIsFoldedIntoTheTerminal() {
    let finding = Finding.warn(
      "sink", "nothing shows alerts: no plugin is configured", "belfry help plugins")
    let text = "nothing shows alerts: no plugin is configured → belfry help plugins"
    #expect(finding.lines(width: nil, paint: .off) == ["warn  sink          " + text])
    #expect(
      finding.lines(width: 80, paint: .off) == [
        "warn  sink          nothing shows alerts: no plugin is configured → belfry help",
        "                    plugins",
      ])
    #expect(
      finding.lines(width: 40, paint: .off) == [
        "warn  sink", "      nothing shows alerts: no plugin is",
        "      configured → belfry help plugins",
      ])
  }
}

struct TextTableTests {
  @Test func linesUp() {
    var table = TextTable([
      .init(title: "ID"), .init(title: "N", right: true), .init(title: "BODY"),
    ])
    table.add(["one", "5", "鐘"])
    table.add(["a\nb", "123", ""])
    #expect(table.lines(width: nil) == ["ID     N  BODY", "one    5  鐘", "a�b  123"])
  }

  @Test func fitsTheTerminal() {
    var table = TextTable([.init(title: "ID"), .init(title: "BODY", shrinks: true)])
    table.add(["one", "a long text that does not fit"])
    #expect(table.lines(width: 20) == ["ID   BODY", "one  a long text th…"])
    for line in table.lines(width: 5) { #expect(DisplayWidth.of(line) <= 9) }
  }
}

extension TextTableTests {
  @Test func whatDecidesStandsWholeBelowItsRow() {
    var table = TextTable([
      .init(title: "ID", shrinks: true), .init(title: "N", right: true),
      .init(title: "REASON", wraps: true),
    ])
    table.add(["one", "5", "short"])
    table.add(["another", "123", "the disk is full, and so is the other one"])
    #expect(
      table.lines(width: 30) == [
        "ID         N  REASON", "one        5  short", "another  123",
        "    the disk is full, and so", "    is the other one",
      ])
    #expect(
      table.lines(width: 14).suffix(9) == [
        "ID", "  another", "N", "  123", "REASON", "  the disk is", "  full, and so",
        "  is the other", "  one",
      ])
    #expect(table.lines(width: nil).last?.hasSuffix("and so is the other one") == true)
  }

  @Test func whatAllRowsHaveIsLeftOutWhereThereIsNoRoom() {
    var table = TextTable([
      .init(title: "ID", shrinks: true, keeps: true),
      .init(title: "APP", shrinks: true, drops: true), .init(title: "MODE", drops: true),
      .init(title: "TEXT", shrinks: true),
    ])
    table.add(["morning-bell", "user.1000", "floating", "to the bus, at once"])
    table.add(["tea", "user.1000", "floating", "tea"])
    #expect(table.lines(width: 60)[0] == "ID            APP        MODE      TEXT")
    #expect(
      table.lines(width: 40) == [
        "ID            TEXT", "morning-bell  to the bus, at once", "tea           tea",
      ])
    #expect(
      table.lines(width: 30) == [
        "ID            TEXT", "morning-bell  to the bus, at …", "tea           tea",
      ])
    #expect(table.lines(width: 20)[1] == "morning-bell  to th…")
    // A line a cell has room for all.
    #expect(table.lines(width: 8).prefix(3) == ["ID", "  mornin", "  g-bell"])
    table.add(["far", "kitchen", "floating", ""])
    #expect(table.lines(width: 36)[0] == "ID            APP        TEXT")
    #expect(table.lines(width: 30)[0] == "ID            APP      TEXT")
  }

  @Test func oneLongIdentifierDoesNotMoveTheReasons() {
    var table = TextTable([
      .init(title: "ID", shrinks: true), .init(title: "STATE"), .init(title: "REASON", wraps: true),
    ])
    table.add(["3f2a9c1e-77b1-4c5d-9d2e-0a1b2c3d4e5f", "failed", "the disk is full"])
    table.add(["tea", "failed", "no answer"])
    #expect(
      table.lines(width: 44) == [
        "ID                  STATE   REASON", "3f2a9c1e-77b1-4c5…  failed  the disk is full",
        "tea                 failed  no answer",
      ])
  }

  @Test func aNarrowTerminalGetsALineACell() {
    var table = TextTable([.init(title: "ID"), .init(title: "WHEN"), .init(title: "TEXT")])
    table.add(["one", "Sat 2027-01-02 07:00", "a text that does not fit"])
    table.add(["two", "now", ""])
    #expect(
      table.lines(width: 26) == [
        "ID    one", "WHEN  Sat 2027-01-02 07:00", "TEXT  a text that does not", "      fit",
        "", "ID    two", "WHEN  now",
      ])
  }
}

struct LocalWordsTests {
  @Test(arguments: [
    ("2026-12-25T17:42:00+01:00", "in 9 h 12 min, Fri 17:42"),
    ("2026-12-26T07:00:30+01:00", "in 22 h 31 min, Sat 07:00:30"),
    ("2027-07-01T07:00:00+02:00", "in 187 d 22 h, Thu 2027-07-01 07:00"),
  ])
  func firing(_ at: String, _ expected: String) throws {
    let words = LocalWords(now: try instant("2026-12-25T08:30:00+01:00"), zone: berlin)
    #expect(words.firing(try instant(at)) == expected)
  }

  @Test func stampsCarryTheOffset() throws {
    let words = LocalWords(now: try instant("2026-12-25T08:30:00+01:00"), zone: berlin)
    #expect(words.stamp(try instant("2027-07-01T05:00Z")) == "2027-07-01T07:00:00.000000+02:00")
  }

  @Test(arguments: [
    (Int64(412_000), "0.4 ms"), (12_000_000, "12 ms"), (3_210_000_000, "3.2 s"),
    (125_000_000_000, "2 min 5 s"), (7_500_000_000_000, "2 h 5 min"), (-2_000_000, "-2.0 ms"),
  ])
  func spans(_ nanoseconds: Int64, _ expected: String) {
    #expect(LocalWords.span(nanoseconds) == expected)
  }
}
