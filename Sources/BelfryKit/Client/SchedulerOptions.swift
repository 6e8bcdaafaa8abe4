internal import BelfryClient
internal import BelfrySystem
internal import BelfryWire

/// Which daemon, which app, and how long a call may take.
public struct SchedulerOptions: Hashable, Sendable {
  /// nil: `BELFRY_SOCKET`, the user's runtime directory, `/run/belfry/socket`; of the last two the
  /// first that exists, looked up at each new connection.
  public var socket: String?
  /// nil: `BELFRY_APP`, else the program's own, `user.<uid>.<program>`, by the name of its file (A1).
  public var app: String?
  /// What happens when the app has as many notifications as it may, where neither the operator nor the
  /// app's manifest says (N17); nil: the new one is refused.
  public var onFull: FullPolicy?
  /// How long a call waits for its reply in all; longer than a blocked disk holds one back.
  public var timeout: Duration
  /// How long a call waits for a daemon that is not there, as while it restarts.
  public var patience: Duration

  public init(
    socket: String? = nil, app: String? = nil, timeout: Duration = .seconds(60),
    patience: Duration = .seconds(5), onFull: FullPolicy? = nil
  ) {
    self.socket = socket
    self.app = app
    self.timeout = timeout
    self.patience = patience
    self.onFull = onFull
  }

  var socketPath: String { SocketPath.find(given: socket) }

  var appName: String {
    if let app { return app }
    if let app = Environment.value(of: "BELFRY_APP"), !app.isEmpty { return app }
    return AppName.ofProgram(CommandLine.arguments.first ?? "", Process.uid)
  }
}

/// What happens to a notification beyond its app's limit (N17).
public enum FullPolicy: String, Hashable, Sendable {
  /// Of 64 the latest to fire goes, which may be the new one, as on iOS; the outcome names it.
  case discard
  /// The new one is refused: ``SchedulerError/Code/limitReached``.
  case refuse
}
