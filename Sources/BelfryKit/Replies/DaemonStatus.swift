import Foundation

internal import BelfryCore
internal import BelfryWire

/// How the daemon is, as `belfry status` shows it.
public struct DaemonStatus: Hashable, Sendable {
  /// Where the board is known to be (R5).
  public struct Location: Hashable, Sendable {
    /// Degrees, metres and time of the last fix; nil: there was none yet, or the caller may not know.
    public var latitude: Double?
    public var longitude: Double?
    public var accuracy: Double?
    public var time: Date?
    /// How many regions wait to be crossed.
    public var regions: Int
    /// Apps whose regions are never delivered, since the operator does not let them know the place.
    public var denied: [String]
  }

  /// A plugin, or the speaker.
  public struct Sink: Hashable, Sendable {
    public var name: String
    /// One word, such as `running`.
    public var state: String
    /// Why it is not what it should be.
    public var reason: String?
    /// Deliveries that wait for it; like `reason` and `restarts` told with the whole board alone.
    public var queued: Int
    /// How often it was started again.
    public var restarts: Int
  }

  /// An app that is paused, or everything (E1).
  public struct Pause: Hashable, Sendable {
    /// nil: everything.
    public var app: String?
    public var from: Date
    /// nil: until it is resumed.
    public var until: Date?
  }

  public var version: String
  /// The daemon's process.
  public var pid: Int
  public var uptime: Swift.Duration
  /// How far the clock can be believed (T9).
  public var clock: HistoryEntry.Clock?
  public var isClockTrusted: Bool
  /// The board's time zone.
  public var zone: String
  /// Whether it tells of everybody's notifications and of the daemon's files, as it does to root, the
  /// operator's group and the user that the daemon runs for; else of the caller's own apps.
  public var isOfWholeBoard: Bool
  /// Of every app that it tells of.
  public var scheduled: Int
  /// Those that wait until the clock can be believed, and why.
  public var held: Int
  public var heldReason: String?
  /// When the next one is due; nil: none is.
  public var nextDue: Date?
  /// Open sessions.
  public var sessions: Int
  /// The pauses of apps and of everything, those to come too.
  public var pauses: [Pause]
  /// So many pauses of notifications by name, and how many of them have no end.
  public var pausedNotifications: Int
  public var openPausedNotifications: Int
  /// nil: nobody has asked for a region, or said where the board is.
  public var location: Location?
  public var plugins: [Sink]
  public var speaker: Sink?
  /// All that the daemon says, as a JSON object; later daemons may say more.
  public var json: String

  init(_ report: JSONObject) {
    version = report["version"]?.string ?? ""
    pid = report.number("pid")
    uptime = .seconds(report.number("upSeconds"))
    clock = report["clock"]?["state"]?.string.flatMap { HistoryEntry.Clock(rawValue: $0) }
    isClockTrusted = report["clock"]?["trusted"]?.boolean ?? false
    zone = report["zone"]?.string ?? ""
    isOfWholeBoard = report["scope"]?.string == "board"
    scheduled = report.number("scheduled")
    held = report.number("held")
    heldReason = report["heldReason"]?.string
    nextDue = report.date("nextDue")
    sessions = report.number("sessions")
    let paused = PauseStatus(report["paused"]?.object)
    pauses = paused.spans.map {
      Pause(app: $0.app, from: Date($0.from), until: $0.until.map { Date($0) })
    }
    pausedNotifications = Int(clamping: paused.notifications)
    openPausedNotifications = Int(clamping: paused.openNotifications)
    location = report["location"]?.object.map { Location($0) }
    plugins = (report["plugins"]?.array ?? []).compactMap { $0.object.map { Sink($0) } }
    speaker = report["speaker"]?.object.map { Sink($0) }
    json = JSONValue.object(report).text
  }
}

extension DaemonStatus.Location {
  fileprivate init(_ object: JSONObject) {
    latitude = object["latitude"]?.number
    longitude = object["longitude"]?.number
    accuracy = object["accuracy"]?.number
    time = object.date("time")
    regions = object.number("regions")
    denied = (object["denied"]?.array ?? []).compactMap { $0.string }
  }
}

extension DaemonStatus.Sink {
  fileprivate init(_ object: JSONObject) {
    name = object["name"]?.string ?? ""
    state = object["state"]?.string ?? ""
    reason = object["reason"]?.string
    queued = object.number("queued")
    restarts = object.number("restarts")
  }
}

extension JSONObject {
  fileprivate func number(_ name: String) -> Int { Int(clamping: self[name]?.integer ?? 0) }

  fileprivate func date(_ name: String) -> Date? {
    guard let text = self[name]?.string else { return nil }
    return (try? RFC3339.parse(text, field: name)).map { Date($0) }
  }
}
