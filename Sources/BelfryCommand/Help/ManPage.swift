import BelfryCore

/// The man page, in roff's man macros, from the tables.
enum ManPage {
  static var text: String {
    var lines = [
      ".TH BELFRY 1 \"\" \"belfry " + Version.text + "\" \"Belfry\"", ".SH NAME",
      "belfry \\- notifications that fire on time, on a board", ".SH SYNOPSIS",
      ".B belfry", ".I COMMAND", "[\\fIOPTION\\fR..]", ".SH DESCRIPTION",
      roff(
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
      roff(
        "TIME with an offset or Z is that instant: 2027-01-01T07:00Z. Without one it is the clock"
          + " on this board's wall, read once: 2027-01-01T07:00, 07:00, 7am, 7:30pm, noon, midnight"
          + " (the next such), today 07:00, tomorrow 07:00, mon 07:00 (the next such). DURATION is"
          + " 90s, 10m, 1h30m, 1.5h, 2d, 1w."
      ),
      ".SH EXIT STATUS",
    ] + paragraph("0", "Done.")
      + paragraph(
        "1",
        "Refused by a rule, a limit or what is there: one line on stderr names the field and the"
          + " reason. With --json it is an object with code, field and message.")
      + paragraph("2", "Wrong usage: what was typed cannot be read.")
      + paragraph("3", "No daemon answers on the socket.")
      + [".SH ENVIRONMENT"] + paragraph("BELFRY_SOCKET", "The daemon's socket.")
      + paragraph("BELFRY_APP", "The app that owns the notifications.")
      + paragraph("TZ", "The zone in which times are printed; a TIME is read in the board's.")
      + [".SH SEE ALSO", ".BR systemd.timer (5),", ".BR at (1),", ".BR cron (8)"]
  }

  private static func command(_ spec: CommandSpec) -> [String] {
    let operand = spec.operandText.isEmpty ? "" : " \\fI" + escaped(spec.operandText) + "\\fR"
    var lines = [".SS \"belfry " + escaped(spec.name) + operand + "\""]
    lines.append(roff(sentence(spec.summary)))
    for paragraph in spec.details { lines += [".PP", roff(paragraph)] }
    for name in spec.options { lines += option(name, of: spec.name) }
    for example in spec.examples {
      lines += [
        ".PP", roff(sentence(example.says)), ".RS", ".EX", roff(example.line), ".EE", ".RE",
      ]
    }
    return lines
  }

  private static func option(_ name: OptionName, of command: String?) -> [String] {
    let spec = OptionTable.spec(name)
    var head = "\\fB" + escaped("--" + name.rawValue) + "\\fR"
    if spec.letter != 0 {
      head = "\\fB\\-" + String(UnicodeScalar(spec.letter)) + "\\fR, " + head
    }
    if let argument = spec.argument { head += " \\fI" + escaped(argument) + "\\fR" }
    let help = sentence(spec.help(of: command))
    return [".TP", head, roff(help)]
  }

  private static func paragraph(_ head: String, _ text: String) -> [String] {
    [".TP", ".B " + escaped(head), roff(text)]
  }

  /// Begins with a capital and ends with a full stop.
  private static func sentence(_ text: String) -> String {
    guard let first = text.first else { return text }
    let whole = first.isLowercase ? first.uppercased() + String(text.dropFirst()) : text
    return whole.hasSuffix(".") || whole.hasSuffix("…") ? whole : whole + "."
  }

  /// A line of text: a dot or quote at its beginning would be a request.
  private static func roff(_ text: String) -> String {
    let line = escaped(text)
    return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  private static func escaped(_ text: String) -> String {
    var line = ""
    for character in text {
      switch character {
      case "\\": line += "\\e"
      case "-": line += "\\-"
      case "'": line += "\\(aq"
      case "\"": line += "\\(dq"
      case "^": line += "\\(ha"
      case "~": line += "\\(ti"
      case "…": line += "..."
      default: line.append(character)
      }
    }
    return line
  }
}
