internal import BelfryClient
internal import BelfrySystem
internal import BelfryWire

/// Which daemon, which app, and how long a call may take.
public struct SchedulerOptions: Hashable, Sendable {
  /// nil: `BELFRY_SOCKET`, the user's runtime directory, `/run/belfry/socket`; of the last two the
  /// first that exists, looked up at each new connection.
  public var socket: String?
  /// nil: `BELFRY_APP`, else `user.<uid>` (A1).
  public var app: String?
  /// How long a call waits for its reply in all; longer than a blocked disk holds one back.
  public var timeout: Duration
  /// How long a call waits for a daemon that is not there, as while it restarts.
  public var patience: Duration

  public init(
    socket: String? = nil, app: String? = nil, timeout: Duration = .seconds(60),
    patience: Duration = .seconds(5)
  ) {
    self.socket = socket
    self.app = app
    self.timeout = timeout
    self.patience = patience
  }

  var socketPath: String { SocketPath.find(given: socket) }

  var appName: String {
    if let app { return app }
    if let app = Environment.value(of: "BELFRY_APP"), !app.isEmpty { return app }
    return AppName.ofUser(Process.uid)
  }
}
