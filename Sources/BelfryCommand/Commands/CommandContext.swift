import BelfryCore
import BelfrySystem
import BelfryWire

/// What every command works with: what was asked, and where and how to answer.
struct CommandContext: Sendable {
  var given: Invocation
  var zone: BoardZone
  /// One JSON object a line.
  var json: Bool
  /// Columns of the terminal; nil: none, so nothing is cut.
  var width: Int?

  init(_ given: Invocation, zone: BoardZone = .system) {
    self.given = given
    self.zone = zone
    json = given.has(.json)
    width = Output.columns(Output.standard)
  }

  /// `--app`, then BELFRY_APP; nil: the daemon takes `user.<uid>`.
  var app: String? {
    if let app = given.value(.app) { return app }
    if let app = Environment.value(of: "BELFRY_APP"), !app.isEmpty { return app }
    return nil
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
