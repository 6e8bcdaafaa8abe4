import BelfryCore
import BelfryStore
import BelfryWire

/// What the operator chose: belfry.conf, read and judged.
public struct DaemonConfiguration: Sendable {
  /// A `[plugin:NAME]` section.
  public struct Plugin: Hashable, Sendable {
    public var name: String
    /// As written after `file =`.
    public var file: String
    /// The other keys, for the worker and its plugin.
    public var settings: [Setting]
    public var line: Int64
  }

  public struct History: Hashable, Sendable {
    public var rows: Int64 = 10_000
  }

  /// Everything but the sinks.
  public var scheduler = EngineConfiguration()
  public var plugins: [Plugin] = []
  /// `[sound]`, for the speaker.
  public var sound: [Setting] = []
  public var history = History()
  /// `[access] group`, a number or a name.
  public var operatorGroup: String?
  /// `[access] critical` (S6), a number or a name.
  public var criticalGroup: String?
  /// `[access] workerUser` and `speakerUser`, numbers or names; nil: the standard ones.
  public var workerUser: String?
  public var speakerUser: String?
  /// `[clock] early`: the clock wakes before an alert is due (`EarlyWake`).
  public var wakesEarly = true
  /// `[clock] realtime`: a SCHED_FIFO priority of 1 to 99; nil: none.
  public var realtime: Int32?
  /// `[log] level`: what is more talkative is left out.
  public var logLevel = LogLevel.info
  /// `[clock] trust = always`.
  public var trustsAlways = false
  /// `[clock] zone`; nil: what the system says.
  public var zone: String?
  /// `[limits] requestsPerSecond` of one peer; nil: the server's own.
  public var requestsPerSecond: Int64?
  /// `[limits] bytes` of one user.
  public var bytes = UserShare().bytes
  /// `[limits] connections` in all; nil: the server's own.
  public var connections: Int32?
  /// Every key outside the plugins' sections, with its section: `[clock] grace`.
  public var keys: [Setting] = []
  /// Those of them that count from the next start only.
  public var keysOfStart: [Setting] = []

  public init() {}

  /// The name of the speaker's sink.
  public static let speaker = Sink.speaker

  /// The sinks in the scheduler's order: plugins as they stand in the file, then the speaker.
  public var sinks: [Sink] {
    var sinks = plugins.map {
      // Until the plugin has been loaded and says better.
      Sink(
        name: $0.name, kind: .plugin, wantsAlerts: true, wantsBadges: false, wantsEverything: false)
    }
    if scheduler.sounds.isEnabled {
      sinks.append(
        Sink(
          name: DaemonConfiguration.speaker, kind: .speaker, wantsAlerts: false, wantsBadges: false,
          wantsEverything: false))
    }
    return sinks
  }
}

/// Why a configuration is refused, with the line to mend.
public struct ConfigurationError: Error, Hashable, Sendable {
  public var line: Int64
  public var reason: String

  public init(_ line: Int64, _ reason: String) {
    self.line = line
    self.reason = reason
  }
}
