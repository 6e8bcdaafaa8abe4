import BelfryCore

/// What the clock tells a child (`belfry-worker`, `belfry-speaker`): one message a packet of a
/// SOCK_SEQPACKET socketpair, at most `WorkerMessage.limit` bytes.
public enum MessageToChild: Hashable, Sendable {
  /// First, once.
  case configure(ChildConfiguration)
  case deliver(DeliveryMessage)
  /// A delivery comes within a millisecond: be awake.
  case soon
  case badge(token: UInt64, app: String, value: Int64)
  case withdraw(token: UInt64, OccurrenceID)
  /// Speaker: decode this sound, it is wanted soon.
  case prepareSound(app: String, name: String)
  /// Speaker: this sound is due then; keep the outputs that are slow to wake awake for it (E11).
  case keepAwake(OccurrenceID, app: String, name: String, due: Instant)
  /// Speaker: it will not come, or not then.
  case rest(OccurrenceID)
  /// Speaker: silence at once; nil: every app's.
  case stopSounds(app: String?)
  /// Ask `health/1`.
  case health(token: UInt64)
  /// Ask `calendar/1`.
  case calendar(token: UInt64, CalendarQuestion)
  /// What became of the push of this token.
  case pushed(token: UInt64, PluginPushAnswer)
  /// Finish what is in hand and exit 0.
  case stop
}

/// What a child tells the clock.
public enum MessageFromChild: Hashable, Sendable {
  /// Loaded, or for the speaker ready.
  case ready(PluginSummary)
  /// Will never be ready: a sentence that says what is needed, what is there and what to do.
  case refused(reason: String)
  /// `entered`: CLOCK_REALTIME when the plugin's function was entered, for lateness.
  case answered(token: UInt64, DeliveryAnswer, entered: Instant)
  /// Speaker: the first frame went to this device.
  case started(token: UInt64, note: String)
  /// The oldest `withdraw` that was not confirmed is carried out, as far as it can be.
  case withdrawn
  case log(LogLevel, String)
  /// 0 good, 1 degraded, 2 failed.
  case health(token: UInt64, status: UInt32, text: String)
  case calendar(token: UInt64, CalendarAnswer)
  /// What the user did at this sink.
  case input(SinkInput)
  /// What comes from outside; answered by `pushed`.
  case push(PluginPush)
}

public struct ChildConfiguration: Hashable, Sendable {
  /// The section's name: `[plugin:NAME]`, or `speaker`.
  public var name: String
  /// The plugin's file; empty for the speaker.
  public var file: String
  /// Keys of the section as written, without `file`; for the speaker `[sound]` and the sound
  /// folders (`folder`, repeated, in S8's order; app folders as `folder:APP`).
  public var settings: [Setting]
  /// Where completed ids and the plugin's key-value store are kept (D7).
  public var runDirectory: String

  public init(name: String, file: String, settings: [Setting], runDirectory: String) {
    self.name = name
    self.file = file
    self.settings = settings
    self.runDirectory = runDirectory
  }
}

/// One `key = value` of a configuration file.
public struct Setting: Hashable, Sendable {
  public var key: String
  public var value: String

  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// What a loaded plugin says of itself.
public struct PluginSummary: Hashable, Sendable {
  public var id: String
  public var name: String
  public var version: String
  public var vendor: String
  public var licence: String
  /// Such as `delivery/1`.
  public var capabilities: [String]
  public var wantsEverything: Bool
  /// Names of the calendars that it knows (`calendar/1`).
  public var calendars: [String]
  /// So many deliveries it works on at a time; 0: it does not say.
  public var concurrency: Int64

  public init(
    id: String, name: String, version: String, vendor: String, licence: String,
    capabilities: [String], wantsEverything: Bool, calendars: [String] = [], concurrency: Int64 = 0
  ) {
    self.id = id
    self.name = name
    self.version = version
    self.vendor = vendor
    self.licence = licence
    self.capabilities = capabilities
    self.wantsEverything = wantsEverything
    self.calendars = calendars
    self.concurrency = concurrency
  }
}
