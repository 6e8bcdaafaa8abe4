import Foundation

internal import BelfryCore
internal import BelfryWire

/// A notification as the daemon's own modules have it.
typealias WireNotification = BelfryCore.Notification

extension LocalNotification {
  /// The notification as the wire has it. Throws where a field cannot be written at all; what else
  /// is wrong with it the daemon says.
  func encoded() throws(SchedulerError) -> JSONObject {
    do throws(FieldError) {
      return NotificationCodec.encode(try wire())
    } catch {
      throw SchedulerError(error)
    }
  }

  private func wire() throws(FieldError) -> WireNotification {
    var wire = WireNotification()
    wire.identifier = identifier
    try writeTimes(to: &wire)
    writeTexts(to: &wire)
    try writeArguments(to: &wire)
    wire.region = try region?.wire()
    wire.regionTriggersOnce = regionTriggersOnce
    wire.applicationIconBadgeNumber = Int64(applicationIconBadgeNumber)
    wire.badgeOperation = badgeOperation.flatMap { .init(rawValue: $0.rawValue) }
    wire.soundName = soundName
    wire.repeatSound = Int64(repeatSound)
    try writeAnswering(to: &wire)
    // JSON has no such number.
    guard volume.isFinite else {
      throw FieldError("volume", .outOfRange, "the volume must be between 0 and 1")
    }
    wire.volume = volume
    if let push { wire.push = try Self.text(of: push) }
    do throws(FieldError) {
      wire.userInfo = try PropertyListValue.wire(userInfo)
    } catch {
      throw error.under(field: "userInfo")
    }
    return wire
  }

  /// A push that is scheduled is refused by the daemon, which says so.
  private static func text(of push: [String: PushValue]) throws(FieldError) -> String {
    do throws(SchedulerError) {
      return JSONValue.object(try PushValue.wire(push)).text
    } catch {
      throw FieldError("push", .outOfRange, error.reason)
    }
  }

  private func writeTimes(to wire: inout WireNotification) throws(FieldError) {
    wire.fireDate = try fireDate.map { date throws(FieldError) in
      try Instant(date, field: "fireDate")
    }
    wire.datesAreOld = datesAreOld
    wire.fireIn = try fireIn.map { time throws(FieldError) in
      try Self.nanoseconds(time, field: "fireIn")
    }
    wire.timeZone = timeZoneName
    wire.zoneMode = zoneMode.flatMap { .init(rawValue: $0.rawValue) }
    wire.repeatInterval = repeatInterval.flatMap { RepeatUnit(rawValue: Int32($0.rawValue)) }
    wire.every = Int64(every)
    wire.repeatCalendar = repeatCalendarName
    wire.until = try until.map { date throws(FieldError) in try Instant(date, field: "until") }
    wire.count = count.map { Int64($0) }
    wire.rrule = try rrule.map { rule throws(FieldError) in try RecurrenceRule.parse(rule) }
    for (place, rule) in rrules.enumerated() {
      wire.rrules.append(try RecurrenceRule.parse(rule, field: "rrules[\(place)]"))
    }
    wire.exdate = try instants(exdate, field: "exdate")
    wire.rdate = try instants(rdate, field: "rdate")
    wire.gap = .init(rawValue: gap.rawValue) ?? .shift
    wire.overlap = .init(rawValue: overlap.rawValue) ?? .first
    wire.monthEnd = .init(rawValue: monthEnd.rawValue) ?? .clamp
    if let offset {
      wire.offset = .init(days: Int64(offset.days), seconds: Int64(offset.seconds))
      // What its text could not say must not be sent as something else.
      try wire.offset.check()
    }
    wire.exceptOn = exceptOn
    wire.onlyOn = onlyOn
    wire.sinks = sinks
    wire.asOn = asOn.map { AsOn(calendar: $0.calendar, weekday: $0.weekday.wire) }
    wire.tolerance = try Self.nanoseconds(tolerance, field: "tolerance")
    wire.late = late?.wire
    wire.expires = try expires.map { date throws(FieldError) in
      try Instant(date, field: "expires")
    }
  }

  private func writeTexts(to wire: inout WireNotification) {
    wire.alertBody = alertBody
    wire.alertBodyIsFormat = alertBodyIsFormat
    wire.alertTitle = alertTitle
    wire.alertSubtitle = alertSubtitle
    wire.alertAction = alertAction
    wire.hasAction = hasAction
    wire.alertLaunchImage = alertLaunchImage
    wire.category = category
    wire.threadIdentifier = threadIdentifier
    wire.interruptionLevel = .init(rawValue: interruptionLevel.rawValue) ?? .active
  }

  private func writeArguments(to wire: inout WireNotification) throws(FieldError) {
    wire.alertLocalizationArgs = try PropertyListValue.wire(
      alertLocalizationArgs, field: "alertLocalizationArgs")
    wire.alertTitleLocalizationArgs = try PropertyListValue.wire(
      alertTitleLocalizationArgs, field: "alertTitleLocalizationArgs")
    wire.alertSubtitleLocalizationArgs = try PropertyListValue.wire(
      alertSubtitleLocalizationArgs, field: "alertSubtitleLocalizationArgs")
    wire.alertActionLocalizationArgs = try PropertyListValue.wire(
      alertActionLocalizationArgs, field: "alertActionLocalizationArgs")
  }

  private func instants(_ dates: [Date], field: String) throws(FieldError) -> [Instant] {
    var found: [Instant] = []
    for (index, date) in dates.enumerated() {
      found.append(try Instant(date, field: "\(field)[\(index)]"))
    }
    return found
  }

  static func nanoseconds(_ time: Swift.Duration, field: String) throws(FieldError) -> Int64 {
    let (time, overflow) = (Microseconds.of(time) ?? .max).multipliedReportingOverflow(by: 1000)
    guard !overflow else { throw FieldError(field, .outOfRange, "this is too long") }
    return time
  }
}

extension LocalNotification {
  init(_ wire: WireNotification) {
    self.init()
    identifier = wire.identifier
    readTimes(from: wire)
    readTexts(from: wire)
    region = wire.region.map { CircularRegion($0) }
    regionTriggersOnce = wire.regionTriggersOnce
    applicationIconBadgeNumber = Int(clamping: wire.applicationIconBadgeNumber)
    badgeOperation = wire.badgeOperation.flatMap { .init(rawValue: $0.rawValue) }
    soundName = wire.soundName
    repeatSound = Int(clamping: wire.repeatSound)
    readAnswering(from: wire)
    volume = wire.volume
    alertLocalizationArgs = wire.alertLocalizationArgs.map { PropertyListValue($0) }
    alertTitleLocalizationArgs = wire.alertTitleLocalizationArgs.map { PropertyListValue($0) }
    alertSubtitleLocalizationArgs = wire.alertSubtitleLocalizationArgs.map {
      PropertyListValue($0)
    }
    alertActionLocalizationArgs = wire.alertActionLocalizationArgs.map { PropertyListValue($0) }
    push = PushValue.payload(text: wire.push)
    if !wire.userInfo.isEmpty { userInfo = PropertyListValue.values(wire.userInfo) }
  }

  private mutating func readTimes(from wire: WireNotification) {
    fireDate = wire.fireDate.map { Date($0) }
    datesAreOld = wire.datesAreOld
    fireIn = wire.fireIn.map { .nanoseconds($0) }
    timeZoneName = wire.timeZone
    zoneMode = wire.zoneMode.flatMap { .init(rawValue: $0.rawValue) }
    repeatInterval = wire.repeatInterval.flatMap { RepeatInterval(rawValue: UInt($0.rawValue)) }
    every = Int(clamping: wire.every)
    repeatCalendarName = wire.repeatCalendar
    until = wire.until.map { Date($0) }
    count = wire.count.map { Int(clamping: $0) }
    rrule = wire.rrule?.text
    rrules = wire.rrules.map { $0.text }
    exdate = wire.exdate.map { Date($0) }
    rdate = wire.rdate.map { Date($0) }
    gap = .init(rawValue: wire.gap.rawValue) ?? .shift
    overlap = .init(rawValue: wire.overlap.rawValue) ?? .first
    monthEnd = .init(rawValue: wire.monthEnd.rawValue) ?? .clamp
    if !wire.offset.isNone {
      offset = OccurrenceOffset(
        days: Int(clamping: wire.offset.days), seconds: Int(clamping: wire.offset.seconds))
    }
    exceptOn = wire.exceptOn
    onlyOn = wire.onlyOn
    sinks = wire.sinks
    asOn = wire.asOn.map { CountedAs(calendar: $0.calendar, weekday: .init($0.weekday)) }
    tolerance = .nanoseconds(wire.tolerance)
    late = wire.late.map { LatePolicy($0) }
    expires = wire.expires.map { Date($0) }
  }

  private mutating func readTexts(from wire: WireNotification) {
    alertBody = wire.alertBody
    alertBodyIsFormat = wire.alertBodyIsFormat
    alertTitle = wire.alertTitle
    alertSubtitle = wire.alertSubtitle
    alertAction = wire.alertAction
    hasAction = wire.hasAction
    alertLaunchImage = wire.alertLaunchImage
    category = wire.category
    threadIdentifier = wire.threadIdentifier
    interruptionLevel = .init(rawValue: wire.interruptionLevel.rawValue) ?? .active
  }
}

extension LatePolicy {
  fileprivate var wire: BelfryCore.LatePolicy {
    switch self {
    case .fire: .fire
    case .drop: .drop
    case .seconds(let seconds): .seconds(Int64(seconds))
    }
  }

  fileprivate init(_ wire: BelfryCore.LatePolicy) {
    switch wire {
    case .fire: self = .fire
    case .drop: self = .drop
    case .seconds(let seconds): self = .seconds(Int(clamping: seconds))
    }
  }
}
