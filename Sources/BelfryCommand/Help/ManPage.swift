import BelfryCore

/// belfry(1), from the tables of commands and options.
enum ManPage {
  static var text: String {
    var lines = Roff.head("belfry", 1, "notifications that fire on time, on a board")
    lines += [
      ".SH SYNOPSIS", ".B belfry", ".I COMMAND", "[\\fIOPTION\\fR..]", ".SH DESCRIPTION",
      Roff.line(
        "Schedules, lists and cancels local notifications, and says what became of them. The work"
          + " is done by the daemon belfryd, which this program talks to over a socket."),
      ".SH OPTIONS", "Every command takes these, also before its name.",
    ]
    for name in OptionTable.common { lines += option(name, of: nil) }
    lines.append(".SH COMMANDS")
    for spec in CommandTable.all { lines += command(spec) }
    lines += timeAndStatus
    return lines.joined(separator: "\n") + "\n"
  }

  private static var timeAndStatus: [String] {
    [
      ".SH TIME AND DURATION",
      Roff.line(
        "TIME with an offset or Z is that instant: 2027-01-01T07:00Z. Without one it is the clock"
          + " on this board's wall, read once: 2027-01-01T07:00, 07:00, 7am, 7:30pm, noon, midnight"
          + " (the next such), today 07:00, tomorrow 07:00, mon 07:00 (the next such). DURATION is"
          + " 90s, 10m, 1h30m, 1.5h, 2d, 1w."
      ),
      ".SH EXIT STATUS",
    ] + Roff.paragraph("0", "Done.")
      + Roff.paragraph(
        "1",
        "Refused by a rule, a limit or what is there: one line on stderr names the field and the"
          + " reason. With --json it is an object with code, field and message.")
      + Roff.paragraph("2", "Wrong usage: what was typed cannot be read.")
      + Roff.paragraph("3", "No daemon answers on the socket.")
      + [".SH ENVIRONMENT"] + Roff.paragraph("BELFRY_SOCKET", "The daemon's socket.")
      + Roff.paragraph("BELFRY_APP", "The app that owns the notifications.")
      + Roff.paragraph("TZ", "The zone in which times are printed; a TIME is read in the board's.")
      + Roff.seeAlso(
        HelpTopic.pages.map { $0.page } + [("systemd.timer", 5), ("at", 1), ("cron", 8)])
  }

  private static func command(_ spec: CommandSpec) -> [String] {
    let operand = spec.operandText.isEmpty ? "" : " \\fI" + Roff.escaped(spec.operandText) + "\\fR"
    var lines = [".SS \"belfry " + Roff.escaped(spec.name) + operand + "\""]
    lines.append(Roff.line(Sentence.whole(spec.summary)))
    for paragraph in spec.details { lines += [".PP", Roff.line(paragraph)] }
    for name in spec.options { lines += option(name, of: spec.name) }
    for example in spec.examples {
      lines += [".PP", Roff.line(Sentence.whole(example.says))] + Roff.example([example.line])
    }
    return lines
  }

  private static func option(_ name: OptionName, of command: String?) -> [String] {
    let spec = OptionTable.spec(name)
    var head = "\\fB" + Roff.escaped("--" + name.rawValue) + "\\fR"
    if spec.letter != 0 {
      head = "\\fB\\-" + String(UnicodeScalar(spec.letter)) + "\\fR, " + head
    }
    if let argument = spec.argument { head += " \\fI" + Roff.escaped(argument) + "\\fR" }
    var values: [String] = []
    if case .words(let words) = spec.completion { values = words }
    return [".TP", head, Roff.line(Sentence.whole(spec.help(of: command), values: values))]
  }
}
