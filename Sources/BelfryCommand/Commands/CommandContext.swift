import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// What every command works with: what was asked, and where and how to answer.
struct CommandContext: Sendable {
  var given: Invocation
  /// The board's zone, in which a TIME is read.
  var board: BoardZone
  /// The zone in which times are written: what `TZ` says, or the board's.
  var zone: BoardZone
  var zoneFiles: ZoneFiles
  /// One JSON object a line.
  var json: Bool
  /// Columns of the terminal; nil: none, so nothing is cut.
  var width: Int?
  /// Colour, where the terminal has it.
  var paint: Paint

  init(_ given: Invocation) {
    self.given = given
    zoneFiles = BoardZone.files
    board = BoardZone.board(zoneFiles)
    zone = BoardZone.asked(zoneFiles) ?? board
    json = given.has(.json)
    width = Output.columns(Output.standard)
    paint = json ? .off : .on(Output.standard)
  }

  /// `--app`, then BELFRY_APP; nil: the daemon takes `user.<uid>`.
  var app: String? {
    if let app = given.value(.app) { return app }
    if let app = Environment.value(of: "BELFRY_APP"), !app.isEmpty { return app }
    return nil
  }

  /// The same by the clocks of the daemon's board, which may have been told of another zone than
  /// the system's.
  func following(_ daemon: Daemon) -> CommandContext {
    following(try? daemon.client.status())
  }

  /// The same by the clocks of the daemon's board, if one answers soon: what needs none does not
  /// wait for one.
  func followingAnyDaemon() -> CommandContext {
    following(status(within: 1000))
  }

  /// What the daemon says of itself; nil: none answers within so many milliseconds.
  func status(within milliseconds: Int32) -> JSONObject? {
    let client = try? Client(path: SocketPlace.find(given), milliseconds: milliseconds)
    return try? client?.status(milliseconds: milliseconds)
  }

  private func following(_ status: JSONObject?) -> CommandContext {
    guard let name = status?["zone"]?.string, name != board.name,
      let board = BoardZone.read(name, zoneFiles)
    else { return self }
    var context = self
    context.board = board
    context.zone = BoardZone.asked(zoneFiles) ?? board
    return context
  }

  /// When the notification fires that the options speak of.
  func trigger(now: Instant, edited: Notification? = nil) throws(CommandError) -> Trigger {
    var reader = triggerReader(now: now)
    reader.edited = edited
    return try reader.read()
  }

  func triggerReader(now: Instant) -> TriggerReader {
    TriggerReader(given: given, now: now, board: board, files: zoneFiles)
  }

  /// Words for this moment.
  var words: LocalWords { LocalWords(now: SystemClock.real(), zone: zone) }

  /// Folded into the terminal, what follows a little further in.
  func say(_ sentence: String) throws(CommandError) {
    guard let width, DisplayWidth.of(sentence) > width else { return try line(sentence) }
    let indent = String(sentence.prefix { $0 == " " })
    var lead = indent
    for part in TextWrapper.lines(sentence, width: max(20, width - indent.utf8.count - 2)) {
      try line(lead + part)
      lead = indent + "  "
    }
  }

  /// As it is.
  func line(_ line: String) throws(CommandError) {
    do throws(SystemError) {
      try Output.line(line)
    } catch {
      throw .refused("standard output: " + error.reason)
    }
  }

  /// Folded into what the terminal has beside `head`.
  func say(
    _ text: String, beside head: String, style: Paint.Style? = nil
  ) throws(CommandError) {
    let left = DisplayWidth.of(head)
    let room = width.map { max(20, $0 - left) } ?? .max
    var lead = head
    let isWide = DisplayWidth.of(text) > room
    for line in isWide ? TextWrapper.lines(text, width: room, breaks: true) : [text] {
      try self.line(lead + paint.paint(line, style))
      lead = DisplayWidth.padded("", to: left, right: false)
    }
  }

  /// There is somebody to ask, who has not answered beforehand.
  var mayAsk: Bool {
    !given.has(.yes) && Output.isTerminal(0) && Output.isTerminal(Output.error)
  }

  /// Asks on a terminal; whatever is no yes is a no.
  func confirms(_ question: String) -> Bool {
    try? Output.write(Array((DisplayWidth.safe(question) + " [y/N] ").utf8), to: Output.error)
    let input = FileDescriptor(owning: 0)
    let typed = (try? input.read(atMost: 256)) ?? []
    // It is not ours to close.
    _ = input.release()
    let answer = String(decoding: typed, as: UTF8.self).lowercased()
    return answer == "y\n" || answer == "yes\n"
  }

  /// On standard error, beside what was done.
  func warn(_ sentence: String) {
    if json {
      let object: JSONObject = ["code": "warning", "field": .null, "message": .string(sentence)]
      return Output.errorLine(JSONValue.object(object).text)
    }
    let head = "belfry: warning: "
    var lines = [head + DisplayWidth.safe(sentence)]
    if Output.isTerminal(Output.error), let width, DisplayWidth.of(lines[0]) > width {
      lines = TextWrapper.lines(lines[0], width: max(20, width - 2))
    }
    Output.errorLine(
      "belfry: " + Paint.on(Output.error).paint("warning:", .yellow) + " "
        + lines[0].dropFirst(head.count))
    for line in lines.dropFirst() { Output.errorLine("  " + line) }
  }

  var repeatWords: RepeatWords { RepeatWords(board: board, files: zoneFiles) }

  /// What the daemon has to say of an answer, but for what the command line itself has looked at.
  func warnings(_ reply: ScheduleReply) -> [String] {
    reply.warnings.filter { warning in
      if warning.hasPrefix("exdate: ") { return !given.has(.exdate) }
      // `schedule` says it by the clocks that its user reads.
      if warning.hasPrefix(ScheduleReply.goesByUTC) { return given.command.name != "schedule" }
      // A time without a zone is one of the board's clocks, and the answer says so.
      if warning.hasPrefix(ScheduleReply.goesByBoard) { return false }
      if given.command.name == "edit", !given.has(.now) { return true }
      return warning != ScheduleReply.isAtOnce && warning != ScheduleReply.repeatsFromNow
    }
  }

  func warn(of reply: ScheduleReply) {
    for warning in warnings(reply) {
      warn(words.local(DaysArguments.told(warning, given)) + resumption(warning))
    }
  }

  /// What ends the pause of an app that a warning speaks of.
  private func resumption(_ warning: String) -> String {
    let isOfApp = warning.split(separator: ":").contains { part in
      part.drop { $0 == " " }.hasPrefix("its app is paused")
    }
    guard isOfApp else { return "" }
    return " (belfry resume --app \(ownApp))"
  }

  /// The app that calls mean which name none; a list without one has all that its reader may see.
  var ownApp: String { app ?? "user.\(BelfrySystem.Process.uid)" }

  func say(_ object: JSONObject) throws(CommandError) {
    try line(JSONValue.object(object).text)
  }

  func say(_ table: TextTable) throws(CommandError) {
    for row in table.lines(width: width, paint: paint) { try line(row) }
  }
}
