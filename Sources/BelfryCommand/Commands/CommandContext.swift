import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// What every command works with: what was asked, and where and how to answer.
struct CommandContext: Sendable {
  var given: Invocation
  var zone: BoardZone
  var zoneFiles: ZoneFiles
  /// One JSON object a line.
  var json: Bool
  /// Columns of the terminal; nil: none, so nothing is cut.
  var width: Int?

  init(_ given: Invocation) {
    self.given = given
    zoneFiles = BoardZone.files
    zone = BoardZone.board(zoneFiles)
    json = given.has(.json)
    width = Output.columns(Output.standard)
  }

  /// `--app`, then BELFRY_APP; nil: the daemon takes `user.<uid>`.
  var app: String? {
    if let app = given.value(.app) { return app }
    if let app = Environment.value(of: "BELFRY_APP"), !app.isEmpty { return app }
    return nil
  }

  /// The same by the clocks of the daemon's board, unless `TZ` says where whoever asks is.
  ///
  /// They differ where the daemon was told of another zone than the system's.
  func following(_ daemon: Daemon) -> CommandContext {
    guard zoneFiles.variable == nil,
      let name = (try? daemon.client.status())?["zone"]?.string, name != zone.name,
      let zone = BoardZone.read(name, zoneFiles)
    else { return self }
    var context = self
    context.zone = zone
    return context
  }

  /// When the notification fires that the options speak of.
  func trigger(now: Instant) throws(CommandError) -> Trigger {
    try TriggerReader(given: given, now: now, board: zone, files: zoneFiles).read()
  }

  /// Words for this moment.
  var words: LocalWords { LocalWords(now: SystemClock.real(), zone: zone) }

  func say(_ line: String) throws(CommandError) {
    do throws(SystemError) {
      try Output.line(line)
    } catch {
      throw .refused("standard output: " + error.reason)
    }
  }

  func say(_ object: JSONObject) throws(CommandError) {
    try say(JSONValue.object(object).text)
  }

  func say(_ table: TextTable) throws(CommandError) {
    for line in table.lines(width: width) { try say(line) }
  }
}
