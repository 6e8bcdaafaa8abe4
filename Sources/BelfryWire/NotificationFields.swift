import BelfryCore

extension NotificationField {
  /// Every field, in the order of their names' bytes.
  public static let table: [NotificationField] = texts + first + last

  private static let texts: [NotificationField] = [
    .text("alertAction", { $0.alertAction }, { $0.alertAction = $1 }),
    .arguments(
      "alertActionLocalizationArgs", { $0.alertActionLocalizationArgs },
      { $0.alertActionLocalizationArgs = $1 }),
    .text("alertBody", { $0.alertBody }, { $0.alertBody = $1 }),
    .flag(
      "alertBodyIsFormat", unless: false, { $0.alertBodyIsFormat }, { $0.alertBodyIsFormat = $1 }),
    .text("alertLaunchImage", { $0.alertLaunchImage }, { $0.alertLaunchImage = $1 }),
    .arguments(
      "alertLocalizationArgs", { $0.alertLocalizationArgs }, { $0.alertLocalizationArgs = $1 }),
    .text("alertSubtitle", { $0.alertSubtitle }, { $0.alertSubtitle = $1 }),
    .arguments(
      "alertSubtitleLocalizationArgs", { $0.alertSubtitleLocalizationArgs },
      { $0.alertSubtitleLocalizationArgs = $1 }),
    .text("alertTitle", { $0.alertTitle }, { $0.alertTitle = $1 }),
    .arguments(
      "alertTitleLocalizationArgs", { $0.alertTitleLocalizationArgs },
      { $0.alertTitleLocalizationArgs = $1 }),
  ]

  private static let first: [NotificationField] = [
    .integer(
      "applicationIconBadgeNumber", unless: 0, { $0.applicationIconBadgeNumber },
      { $0.applicationIconBadgeNumber = $1 }),
    NotificationField(
      "asOn", "[]AsOn",
      write: { notification in
        notification.asOn.isEmpty
          ? nil : .array(notification.asOn.map { .object(DaysCodec.encode($0)) })
      },
      read: { (notification, field) throws(FieldError) in
        notification.asOn = try DaysCodec.decode(field.value, field: field.name)
      }),
    .choice(
      "badgeOperation", "BadgeOperation", "operation", { $0.badgeOperation },
      { $0.badgeOperation = $1 }),
    .text("category", { $0.category }, { $0.category = $1 }),
    .integer("count", { $0.count }, { $0.count = $1 }),
    .flag("datesAreOld", unless: false, { $0.datesAreOld }, { $0.datesAreOld = $1 }),
    .integer("every", unless: 1, { $0.every }, { $0.every = $1 }),
    .names("exceptOn", { $0.exceptOn }, { $0.exceptOn = $1 }),
    .instants("exdate", { $0.exdate }, { $0.exdate = $1 }),
    .instant("expires", { $0.expires }, { $0.expires = $1 }),
    .duration("fadeIn", unless: 0, { $0.fadeIn }, { $0.fadeIn = $1 }),
    .instant("fireDate", { $0.fireDate }, { $0.fireDate = $1 }),
    .duration("fireIn", { $0.fireIn }, { $0.fireIn = $1 }),
    .choice("gap", "GapPolicy", "policy", unless: .shift, { $0.gap }, { $0.gap = $1 }),
    .flag("hasAction", unless: true, { $0.hasAction }, { $0.hasAction = $1 }),
    .text(identifier, { $0.identifier }, { $0.identifier = $1 }),
    .choice(
      "interruptionLevel", "InterruptionLevel", "level", unless: .active, { $0.interruptionLevel },
      { $0.interruptionLevel = $1 }),
    NotificationField(
      "ladder", "[]LadderStep",
      write: { notification in
        notification.ladder.isEmpty
          ? nil : .array(notification.ladder.map { .object(RealertCodec.encode($0)) })
      },
      read: { (notification, field) throws(FieldError) in
        notification.ladder = try field.ladder()
      }),
    NotificationField(
      "late", "string", write: { $0.late.map { .string($0.text) } },
      read: { (notification, field) throws(FieldError) in
        notification.late = try LatePolicy.parse(field.text(), field: field.name)
      }),
    .choice(
      "monthEnd", "MonthEndPolicy", "policy", unless: .clamp, { $0.monthEnd }, { $0.monthEnd = $1 }),
    NotificationField(
      "offset", "string", write: { $0.offset.isNone ? nil : .string($0.offset.text) },
      read: { (notification, field) throws(FieldError) in
        notification.offset = try DueOffset.parse(field.text(), field: field.name)
      }),
    .names("onlyOn", { $0.onlyOn }, { $0.onlyOn = $1 }),
    .choice(
      "overlap", "OverlapPolicy", "policy", unless: .first, { $0.overlap }, { $0.overlap = $1 }),
    // Only the daemon sets it: the payload of a push, from its text.
    NotificationField(
      "push", "object",
      write: { notification in
        guard let text = notification.push, let value = try? JSONValue.parse(text),
          case .object = value
        else { return nil }
        return value
      },
      read: { (notification, field) throws(FieldError) in
        notification.push = try field.object().text
      }),
    .instants("rdate", { $0.rdate }, { $0.rdate = $1 }),
    NotificationField(
      "realert", "Realert", write: { $0.realert.map { .object(RealertCodec.encode($0)) } },
      read: { (notification, field) throws(FieldError) in
        notification.realert = try RealertCodec.decode(field.value, field: field.name)
      }),
  ]

  private static let last: [NotificationField] = [
    NotificationField(
      "region", "Region", write: { $0.region.map { .object(RegionCodec.encode($0)) } },
      read: { (notification, field) throws(FieldError) in
        notification.region = try RegionCodec.decode(field.value, field: field.name)
      }),
    .flag(
      "regionTriggersOnce", unless: true, { $0.regionTriggersOnce },
      { $0.regionTriggersOnce = $1 }),
    .text("repeatCalendar", { $0.repeatCalendar }, { $0.repeatCalendar = $1 }),
    NotificationField(
      "repeatInterval", "RepeatInterval", write: { $0.repeatInterval.map { .string($0.name) } },
      read: { (notification, field) throws(FieldError) in
        notification.repeatInterval = try RepeatUnit.parse(field.text(), field: field.name)
      }),
    .integer("repeatSound", unless: 0, { $0.repeatSound }, { $0.repeatSound = $1 }),
    .duration("ringFor", unless: 0, { $0.ringFor }, { $0.ringFor = $1 }),
    NotificationField(
      "rrule", "string", write: { $0.rrule.map { .string($0.text) } },
      read: { (notification, field) throws(FieldError) in
        notification.rrule = try RecurrenceRule.parse(field.text(), field: field.name)
      }),
    NotificationField(
      "rrules", "[]string",
      write: { notification in
        notification.rrules.isEmpty
          ? nil : .array(notification.rrules.map { .string($0.text) })
      },
      read: { (notification, field) throws(FieldError) in
        notification.rrules = try field.rules()
      }),
    .names("sinks", { $0.sinks }, { $0.sinks = $1 }),
    .text("soundName", { $0.soundName }, { $0.soundName = $1 }),
    .text("threadIdentifier", { $0.threadIdentifier }, { $0.threadIdentifier = $1 }),
    .text("timeZone", { $0.timeZone }, { $0.timeZone = $1 }),
    .duration("tolerance", unless: 0, { $0.tolerance }, { $0.tolerance = $1 }),
    .instant("until", { $0.until }, { $0.until = $1 }),
    NotificationField(
      "userInfo", "object",
      write: { notification in
        notification.userInfo.isEmpty
          ? nil : .object(PropertyListCodec.encode(notification.userInfo))
      },
      read: { (notification, field) throws(FieldError) in
        do throws(FieldError) {
          notification.userInfo = try PropertyListCodec.decode(field.value)
        } catch {
          throw error.under(field: field.name)
        }
      }),
    NotificationField(
      "volume", "float",
      // -0 is 0.
      write: { $0.volume == 1 ? nil : .double($0.volume == 0 ? 0 : $0.volume) },
      read: { (notification, field) throws(FieldError) in
        notification.volume = try field.number()
      }),
    .choice("zoneMode", "ZoneMode", "mode", { $0.zoneMode }, { $0.zoneMode = $1 }),
  ]

  /// The one field that is not part of what N1 and N15 compare.
  static let identifier = "identifier"
}
