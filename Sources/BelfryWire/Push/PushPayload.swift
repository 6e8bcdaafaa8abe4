import BelfryCore

/// What a push says (P1): an APNs dictionary, with CloudKit's part where it has one.
///
/// Two payloads that say the same are equal, however they were written: members in another order, a
/// string for an alert that is only a body, a badge inside `alert`. Unknown members are kept and
/// written again.
public struct PushPayload: Hashable, Sendable {
  public var alert = PushAlert()
  /// nil: the badge stays; 0 clears it (P4).
  public var badge: Int64?
  public var sound: PushSound?
  public var category: String?
  public var threadIdentifier: String?
  public var interruptionLevel: InterruptionLevel?
  /// Something new is there for the app; alone, nothing is shown (P1).
  public var contentAvailable = false
  public var cloud: CloudKitPayload?
  /// Members beside `aps` and `ck`, the app's own; never cut (P5).
  public var siblings = JSONObject()
  /// Members of `aps` that have no meaning here.
  public var unknown = JSONObject()

  public init() {}

  /// More bytes than this are no payload; APNs' own largest has 5,120.
  public static let sizeLimit = 64 << 10
}

/// The `alert` of a payload; a text whose key is given is found by it (L1).
public struct PushAlert: Hashable, Sendable {
  public var body: String?
  public var bodyKey: String?
  public var bodyArguments: [PropertyList] = []
  public var title: String?
  public var titleKey: String?
  public var titleArguments: [PropertyList] = []
  public var subtitle: String?
  public var subtitleKey: String?
  public var subtitleArguments: [PropertyList] = []
  /// nil: one OK button; set: one to dismiss and one to open (P4).
  public var actionKey: String?
  public var launchImage: String?
  /// Members that have no meaning here.
  public var unknown = JSONObject()

  public init() {}
}

/// The `sound` of a payload.
public struct PushSound: Hashable, Sendable {
  /// A file name, or `default`.
  public var name: String
  /// 0 to 1; nil: not said.
  public var volume: Double?
  public var isCritical = false
  /// Members that have no meaning here.
  public var unknown = JSONObject()

  public init(name: String) {
    self.name = name
  }
}
