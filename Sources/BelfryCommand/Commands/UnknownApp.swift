import BelfryClient
import BelfryCore

/// A name after --app that no app has is a slip, more often than not: what is empty or done to nothing
/// says so.
enum UnknownApp {
  /// Returns whether it is one; `isMade`: it comes to be by what is done.
  @discardableResult
  static func warn(_ daemon: Daemon, _ context: CommandContext, isMade: Bool = false) -> Bool {
    guard let app = context.app else { return false }
    var names: [String] = []
    guard (try? daemon.client.apps(app: nil) { names.append($0.app) }) != nil,
      !names.contains(app)
    else { return false }
    context.warn(
      (isMade ? "there was no app called " : "no app is called ") + FieldError.quoted(app)
        + CommandLineParser.suggestion(app, among: names, prefix: ""))
    return true
  }
}
