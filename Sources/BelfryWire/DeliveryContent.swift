import BelfryCore

/// What the children are told of an occurrence, the same for all of them: texts as they are shown,
/// with the defaults filled in.
public struct DeliveryContent: Hashable, Sendable {
  public var id: OccurrenceID
  public var app: String
  public var due: Instant
  /// How many older occurrences were missed and folded into this one, and since when (T10).
  public var missed: Int64 = 0
  public var missedSince: Instant?
  public var identifier = ""
  public var title: String?
  public var subtitle: String?
  /// nil: there is no alert.
  public var body: String?
  /// Title of the action button; nil: there is none (N9).
  public var action: String?
  public var launchImage: String?
  public var category: String?
  public var threadIdentifier: String?
  public var soundName: String?
  /// The app's own, as JSON (see `PropertyListCodec`).
  public var userInfo = "{}"
  /// 0 to 1.
  public var volume = 1.0

  public init(id: OccurrenceID, app: String, due: Instant) {
    self.id = id
    self.app = app
    self.due = due
  }

  /// `text`: what is shown of it.
  public init(_ occurrence: Occurrence, _ text: AlertText) {
    self.init(id: occurrence.id, app: occurrence.app, due: occurrence.due)
    missed = occurrence.missed
    missedSince = occurrence.missedSince
    let notification = occurrence.notification
    identifier = notification.identifier ?? ""
    title = text.title
    subtitle = text.subtitle
    body = text.body
    action = text.action
    launchImage = notification.alertLaunchImage
    category = notification.category
    threadIdentifier = notification.threadIdentifier
    soundName = occurrence.soundName
    if let push = notification.push {
      // What a plugin is told of a push is its payload (P6).
      userInfo = push
    } else if !notification.userInfo.isEmpty {
      userInfo = JSONValue.object(PropertyListCodec.encode(notification.userInfo)).text
    }
    volume = occurrence.volume
  }
}

// To the children, in the order of the properties.
extension BinaryWriter {
  mutating func put(_ value: DeliveryContent) {
    put(value.id)
    put(value.app)
    put(value.due)
    put(signed: value.missed)
    put(optional: value.missedSince)
    put(value.identifier)
    put(optional: value.title)
    put(optional: value.subtitle)
    put(optional: value.body)
    put(optional: value.action)
    put(optional: value.launchImage)
    put(optional: value.category)
    put(optional: value.threadIdentifier)
    put(optional: value.soundName)
    put(value.userInfo)
    put(value.volume)
  }
}

extension BinaryReader {
  mutating func deliveryContent() throws(WireError) -> DeliveryContent {
    var value = DeliveryContent(
      id: try occurrenceID(), app: try text("app"), due: try instant("due"))
    value.missed = try signed("missed")
    value.missedSince = try optionalInstant("missedSince")
    value.identifier = try text("identifier")
    value.title = try optionalText("title")
    value.subtitle = try optionalText("subtitle")
    value.body = try optionalText("body")
    value.action = try optionalText("action")
    value.launchImage = try optionalText("launchImage")
    value.category = try optionalText("category")
    value.threadIdentifier = try optionalText("threadIdentifier")
    value.soundName = try optionalText("soundName")
    value.userInfo = try text("userInfo")
    value.volume = try double("volume")
    return value
  }
}
