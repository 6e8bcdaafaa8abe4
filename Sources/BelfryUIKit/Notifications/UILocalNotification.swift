// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import BelfryKit

/// The name that stands for the default sound in `UILocalNotification.soundName`.
public let UILocalNotificationDefaultSoundName = "default"

/// A notification that an app schedules for itself, by the fields of rule N.
///
/// A value in a class: two are equal if all fields are (`isEqual`, `==`), copying copies the fields,
/// and scheduling takes a copy (N13). Not safe to change on two threads at once. Dates are rounded to
/// whole microseconds when they are set, so that what was scheduled equals what is listed.
open class UILocalNotification: NSObject, NSCopying, NSCoding, UILocalNotificationSwift2 {
  /// Its fields, those included that this class has no name for (an RRULE that the command line gave,
  /// …), so that reading a list and setting it again changes nothing. `repeatInterval` is kept beside it.
  var content: LocalNotification
  /// As it was set, be it one unit or not.
  var repeatUnits: UInt

  /// A notification that says and does nothing yet: every field has the default of rule N.
  public override init() {
    content = LocalNotification()
    repeatUnits = 0
    super.init()
  }

  init(_ notification: LocalNotification) {
    content = notification
    content.datesAreOld = false
    repeatUnits = notification.repeatInterval?.rawValue ?? 0
    content.repeatInterval = nil
    super.init()
  }

  /// Decodes what `encode(with:)` wrote; archives of iOS cannot be read.
  public required init?(coder: NSCoder) {
    (content, repeatUnits) = LocalArchive.read(coder)
    super.init()
  }

  /// Encodes the fields, as apps did that kept notifications to cancel them by value later.
  open func encode(with coder: NSCoder) {
    LocalArchive.write(content, repeatUnits: repeatUnits, to: coder)
  }

  // MARK: When

  /// When it is due; nil or past: at once (N2). Together with `region` it cannot be scheduled (N3).
  open var fireDate: Date? {
    get { content.fireDate }
    set { content.fireDate = newValue }
  }

  /// nil: `fireDate` is an instant. Set: `fireDate` is read once as what the clocks of this zone show,
  /// and it is due when the clocks where the board is show that (T2).
  open var timeZone: TimeZone? {
    get { content.timeZone }
    set { content.timeZone = newValue }
  }

  /// One unit, or empty for once (N4); a mask of several units cannot be scheduled.
  open var repeatInterval: NSCalendar.Unit {
    get { NSCalendar.Unit(rawValue: repeatUnits) }
    set { repeatUnits = newValue.rawValue }
  }

  /// The calendar in which units are counted; nil: the board's, which is Gregorian (N6). Of the value
  /// that is set only the identifier is kept.
  open var repeatCalendar: Calendar? {
    get { content.repeatCalendar.map { Calendar(identifier: $0) } }
    set { content.repeatCalendar = newValue?.identifier }
  }

  // MARK: Where

  /// Due when the board enters or leaves it, instead of at a date; a copy is kept (R1).
  open var region: CLRegion? {
    get { content.region.map { CLCircularRegion($0) } }
    set { content.region = (newValue as? CLCircularRegion)?.circle }
  }

  /// true: the first crossing fires and unschedules it; false: every crossing fires (R2).
  open var regionTriggersOnce: Bool {
    get { content.regionTriggersOnce }
    set { content.regionTriggersOnce = newValue }
  }

  // MARK: What it says

  /// The text, or its key in the app's `.strings` table; nil: no alert is shown. printf escapes are
  /// stripped, `%%` is a percent sign (N7).
  open var alertBody: String? {
    get { content.format }
    set { content.format = newValue }
  }

  /// A short title, or its key.
  open var alertTitle: String? {
    get { content.alertTitle }
    set { content.alertTitle = newValue }
  }

  /// The action button's title, or its key; nil: "View" in the app's language (N8).
  open var alertAction: String? {
    get { content.alertAction }
    set { content.alertAction = newValue }
  }

  /// false hides the action button (N9).
  open var hasAction: Bool {
    get { content.hasAction }
    set { content.hasAction = newValue }
  }

  /// The file name of an image that sinks may show.
  open var alertLaunchImage: String? {
    get { content.alertLaunchImage }
    set { content.alertLaunchImage = newValue }
  }

  /// The identifier of a registered `UIUserNotificationCategory`; an unknown one adds no buttons (N10).
  open var category: String? {
    get { content.category }
    set { content.category = newValue }
  }

  // MARK: What else it does

  /// The number the app's badge gets; 0 leaves it alone, a negative one clears it (N11).
  open var applicationIconBadgeNumber: Int {
    get { content.applicationIconBadgeNumber }
    set { content.applicationIconBadgeNumber = newValue }
  }

  /// A file name in the sound folders, or `UILocalNotificationDefaultSoundName`; nil: silent.
  open var soundName: String? {
    get { content.soundName }
    set {
      // The constant's value on iOS, which may stand in what an app has kept.
      let isDefault = newValue == "UILocalNotificationDefaultSoundName"
      content.soundName = isDefault ? UILocalNotificationDefaultSoundName : newValue
    }
  }

  /// The app's own values: property-list types with string keys (N12).
  ///
  /// They are converted when set and come back as `String`, `Int`, `Double`, `Bool`, `Date`, `Data`,
  /// `[Any]` and `[String: Any]`. Setting anything else is a fatal error, as it raises an exception
  /// on iOS; `setUserInfo(_:)` throws instead. An empty dictionary reads as nil.
  open var userInfo: [AnyHashable: Any]? {
    get { content.userInfo.isEmpty ? nil : content.userInfo.mapValues { $0.any } }
    set {
      do throws(SchedulerError) {
        try setUserInfo(newValue)
      } catch {
        fatalError("UILocalNotification.userInfo: \(error)")
      }
    }
  }

  /// Sets `userInfo`, or throws with the path of the first value that is no property list.
  public func setUserInfo(_ userInfo: [AnyHashable: Any]?) throws(SchedulerError) {
    content.userInfo = try PropertyListValue.userInfo(userInfo ?? [:])
  }

  // MARK: NSObject and NSCopying

  /// A notification with the same fields.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = UILocalNotification(content)
    copy.repeatUnits = repeatUnits
    return copy
  }

  /// All fields are equal; the daemon's identifier is none of them.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UILocalNotification else { return false }
    return repeatUnits == other.repeatUnits && content.isEqual(ignoringIdentifier: other.content)
  }

  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(content.fireDate)
    hasher.combine(content.alertBody)
    hasher.combine(content.userInfo)
    return hasher.finalize()
  }

  open override var description: String {
    "<UILocalNotification: fireDate = \(content.fireDate.map { "\($0)" } ?? "nil"), "
      + "timeZone = \(content.timeZoneName ?? "nil"), repeatInterval = \(repeatUnits), "
      + "alertBody = \(alertBody ?? "nil")>"
  }

  /// It has two triggers, which raises an exception on iOS when it is scheduled (N3).
  var hasTwoTriggers: Bool { content.region != nil && content.fireDate != nil }

  /// From then on a date cannot be one of another unit (N2).
  private static let year2000 = Date(timeIntervalSince1970: 946_684_800)

  /// As the daemon takes it, under this identifier (nil: none).
  func scheduled(as identifier: String?) throws(SchedulerError) -> LocalNotification {
    guard !hasTwoTriggers else {
      throw SchedulerError(
        .conflict, field: "region", "there is a region or a fireDate, not both")
    }
    var notification = content
    notification.identifier = identifier
    notification.repeatInterval = try NSCalendar.Unit(rawValue: repeatUnits).interval
    notification.datesAreOld = fireDate.map { $0 < Self.year2000 } ?? false
    // On iOS a body makes the alert, and a title alone none.
    if notification.alertBody == nil { notification.alertTitle = nil }
    return notification
  }
}
