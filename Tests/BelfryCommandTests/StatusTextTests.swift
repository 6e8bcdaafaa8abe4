import BelfryCore
import BelfrySystem
import BelfryWire
import Testing

@testable import BelfryCommand

struct StatusTextTests {
  private let text = StatusText(
    words: LocalWords(now: Instant(nanoseconds: 0), zone: BoardZone.board(ZoneFiles())))

  @Test func S5_theSpeakerSaysWhatKeepsItSilent() {
    #expect(StatusText.speaker(["name": "speaker", "state": "running"]) == "running")
    #expect(
      StatusText.speaker([
        "state": "running",
        "outputs": [["name": "hall", "device": "hw:1"], ["name": "ward"]],
      ]) == "running, outputs hall (hw:1), ward")
    #expect(
      StatusText.speaker([
        "state": "no-device", "healthText": "no-device: no card", "silenced": "quiet hours",
      ]) == "no-device: no card; silent now: quiet hours")
    #expect(
      StatusText.speaker(["state": "switched off", "silenced": "off"])
        == "switched off; silent now: off")
  }

  @Test func D10_peopleReadHowLongItIsUntilTheNext() {
    let shown = text.members(of: [
      "upSeconds": 7500, "scheduled": 2, "held": 0, "late": 3,
      "nextDue": "1970-01-01T03:12:00Z", "nextIn": "in 3 h 12 min", "nextMode": "floating",
      "plugins": [], "soundFolders": ["/a"],
    ])
    #expect(shown["up"]?.string == "2 h 5 min")
    #expect(shown["next due"]?.string?.hasPrefix("in 3 h 12 min, ") == true)
    #expect(shown["next due"]?.string?.hasSuffix(", floating") == true)
    #expect(shown["held"] == nil && shown["soundFolders"] == nil && shown["nextIn"] == nil)
    #expect(shown["late"]?.integer == 3 && shown["plugins"]?.string == "none")
    let skipped = text.members(of: [
      "nextDue": "1970-01-01T03:12:00Z", "nextMode": "floating",
      "nextReason": "skipped by request",
    ])
    #expect(
      skipped["next due"]?.string?.hasSuffix(", floating: skipped by request") == true
        && skipped["nextReason"] == nil)
  }
}

struct PaintTests {
  @Test func A4_colourTakesNoRoomAndIsSparing() {
    var table = TextTable([.init(title: "STATE", isState: true), .init(title: "ID")])
    table.add(["failed", "one"])
    table.add(["scheduled", "two"])
    let plain = table.lines(width: 40)
    #expect(plain == ["STATE      ID", "failed     one", "scheduled  two"])
    #expect(
      table.lines(width: 40, paint: Paint(isOn: true)) == [
        "\u{1B}[1mSTATE      ID\u{1B}[0m", "\u{1B}[31mfailed\u{1B}[0m     one", "scheduled  two",
      ])
    #expect(
      table.lines(width: 10, paint: Paint(isOn: true)) == [
        "STATE", "  \u{1B}[31mfailed\u{1B}[0m", "ID", "  one", "", "STATE", "  schedule", "  d",
        "ID", "  two",
      ])
  }

  /// A title as long as the line leaves no cell out.
  @Test func A4_aTitleWithoutRoomBesideItStandsAboveItsCell() {
    var table = TextTable([
      .init(title: "AT IN America/Argentina/Buenos_Aires"), .init(title: "IN"),
    ])
    table.add(["2028-01-11T23:59:59.000000-03:00", "in 411 d 22 h"])
    #expect(
      table.lines(width: 40) == [
        "AT IN America/Argentina/Buenos_Aires", "  2028-01-11T23:59:59.000000-03:00", "IN",
        "  in 411 d 22 h",
      ])
  }

  @Test(
    arguments: [
      ("failed", .red), ("fail", .red), ("held: the clock", .yellow), ("scheduled, late", .yellow),
      ("scheduled, silent: quiet hours", .yellow), ("waiting to restart", .yellow),
      ("delivered", nil), ("scheduled", nil), ("ok", nil), ("", nil),
    ] as [(String, Paint.Style?)])
  func A4_stateWordsHaveTheirColour(_ state: String, _ style: Paint.Style?) {
    #expect(Paint.style(of: state) == style)
    #expect(Paint.off.paint(state, style) == state)
  }
}
