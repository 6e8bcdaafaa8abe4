import BelfryWire
import BelfryCore

/// A small seeded generator (xorshift64*), so that a failing run can be repeated from its seed.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 2_685_821_657_736_338_717
  }
}

extension Notification {
  /// As a child is told of it: what makes its occurrences is the clock's business.
  var forChild: Notification {
    var value = self
    (value.timeZone, value.zoneMode, value.every, value.tolerance) = (nil, nil, 1, 0)
    (value.until, value.count) = (nil, nil)
    (value.gap, value.overlap, value.monthEnd) = (.shift, .first, .clamp)
    return value
  }
}

/// Random values of the types that travel, with their odd corners often.
struct Samples {
  var random: Seeded

  mutating func maybe<T>(_ value: T) -> T? { Bool.random(using: &random) ? value : nil }

  mutating func text(upTo limit: Int = 12) -> String {
    let alphabet = Array("abc XYZ09.\"\\/\u{1}\n€é😀e\u{301}中%@")
    let count = Int.random(in: 0...limit, using: &random)
    return String((0..<count).map { _ in alphabet.randomElement(using: &random)! })
  }

  mutating func integer() -> Int64 {
    switch Int.random(in: 0...6, using: &random) {
    case 0: return .min
    case 1: return .max
    case 2: return Int64.random(in: -3...3, using: &random)
    case 3: return Int64.random(in: -70_000...70_000, using: &random)
    default: return Int64.random(in: .min ... .max, using: &random)
    }
  }

  mutating func double() -> Double {
    switch Int.random(in: 0...4, using: &random) {
    case 0: return -0.0
    case 1: return Double(Int64.random(in: -999...999, using: &random)) / 100
    case 2: return Double(integer())
    default:
      let value = Double(bitPattern: random.next())
      return value.isFinite ? value : .leastNonzeroMagnitude
    }
  }

  mutating func instant() -> Instant { Instant(nanoseconds: integer()) }

  mutating func propertyList(depth: Int = 0) -> PropertyList {
    switch Int.random(in: 0...(depth > 3 ? 5 : 7), using: &random) {
    case 0: return .string(text())
    case 1: return .integer(integer())
    case 2: return .double(double())
    case 3: return .boolean(Bool.random(using: &random))
    case 4: return .date(instant())
    case 5: return .data((0..<Int.random(in: 0...9, using: &random)).map { UInt8($0 * 31) })
    case 6:
      let count = Int.random(in: 0...4, using: &random)
      return .array((0..<count).map { _ in propertyList(depth: depth + 1) })
    default: return .dictionary(members(depth: depth + 1))
    }
  }

  mutating func members(depth: Int = 0) -> [ByteString: PropertyList] {
    var members: [ByteString: PropertyList] = [:]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      members[text()] = propertyList(depth: depth)
    }
    return members
  }

  mutating func notification() -> Notification {
    var value = Notification()
    value.identifier = maybe(text())
    value.fireDate = maybe(instant())
    value.repeatInterval = maybe(RepeatUnit.allCases.randomElement(using: &random)!)
    value.repeatCalendar = maybe(text())
    addTimes(to: &value)
    value.alertBody = maybe(text(upTo: 200))
    value.alertLocalizationArgs = maybe([propertyList(), .date(instant())]) ?? []
    value.alertTitle = maybe(text())
    value.alertTitleLocalizationArgs = maybe([propertyList()]) ?? []
    value.alertSubtitleLocalizationArgs = maybe([.double(double()), .integer(integer())]) ?? []
    value.alertActionLocalizationArgs = maybe([.string(text())]) ?? []
    value.alertSubtitle = maybe(text())
    value.alertAction = maybe(text())
    value.hasAction = Bool.random(using: &random)
    value.alertLaunchImage = maybe(text())
    value.category = maybe(text())
    value.applicationIconBadgeNumber = maybe(integer()) ?? 0
    value.badgeOperation = maybe(BadgeOperation.allCases.randomElement(using: &random)!)
    value.soundName = maybe(text())
    value.userInfo = members()
    value.repeatSound = maybe(integer()) ?? 0
    value.fadeIn = integer() / 1000 * 1000
    value.ringFor = integer() / 1000 * 1000
    value.realert = maybe(Realert(every: integer() / 1000 * 1000, atMost: integer()))
    value.ladder = maybe([ladderStep(), ladderStep()]) ?? []
    value.threadIdentifier = maybe(text())
    value.interruptionLevel = InterruptionLevel.allCases.randomElement(using: &random)!
    value.volume = maybe(double()) ?? 1
    value.expires = maybe(instant())
    value.late = maybe([.fire, .drop, .seconds(integer())].randomElement(using: &random)!)
    return value
  }

  private mutating func ladderStep() -> LadderStep {
    LadderStep(
      after: integer() / 1000 * 1000, sinks: maybe([text(), text()]) ?? [], sound: maybe(text()),
      volume: maybe(double()),
      interruptionLevel: maybe(InterruptionLevel.allCases.randomElement(using: &random)!))
  }

  /// What children are not told of.
  private mutating func addTimes(to value: inout Notification) {
    value.timeZone = maybe(text())
    value.zoneMode = maybe(ZoneMode.allCases.randomElement(using: &random)!)
    value.every = maybe(integer()) ?? 1
    value.until = maybe(instant())
    value.count = maybe(integer())
    value.gap = GapPolicy.allCases.randomElement(using: &random)!
    value.overlap = OverlapPolicy.allCases.randomElement(using: &random)!
    value.monthEnd = MonthEndPolicy.allCases.randomElement(using: &random)!
    value.tolerance = integer()
    value.rrules = maybe([RecurrenceRule(.daily), RecurrenceRule(.weekly)]) ?? []
    let sign: Int64 = Bool.random(using: &random) ? 1 : -1
    value.offset = DueOffset(
      days: sign * .random(in: 0...300, using: &random),
      seconds: sign * .random(in: 0...900_000, using: &random))
    value.rrule = maybe(try! RecurrenceRule.parse("FREQ=MONTHLY;BYDAY=-1FR;COUNT=7"))
    value.exdate = maybe([instant(), instant()]) ?? []
    value.rdate = maybe([instant()]) ?? []
    value.sinks = maybe([text(), text()]) ?? []
    value.exceptOn = maybe([text(), text()]) ?? []
    value.onlyOn = maybe([text()]) ?? []
    value.asOn = maybe([AsOn(calendar: text(), weekday: .sun)]) ?? []
    value.region = maybe(
      CircularRegion(
        identifier: maybe(text()), latitude: double(), longitude: double(), radius: double(),
        notifyOnEntry: Bool.random(using: &random), notifyOnExit: Bool.random(using: &random)))
    value.regionTriggersOnce = Bool.random(using: &random)
  }

  mutating func occurrenceID() -> OccurrenceID {
    OccurrenceID(
      uuid: UUIDBits(high: random.next(), low: random.next()), generation: integer(),
      k: integer(), snooze: Int32.random(in: 0...3, using: &random),
      step: Int32.random(in: 0...3, using: &random))
  }

  mutating func action() -> OfferedAction {
    var action = NotificationAction(identifier: text(), title: text())
    action.activationMode = ActivationMode.allCases.randomElement(using: &random)!
    action.isDestructive = Bool.random(using: &random)
    action.requiresAuthentication = Bool.random(using: &random)
    action.behavior = NotificationAction.Behavior.allCases.randomElement(using: &random)!
    action.buttonTitle = maybe(text())
    return OfferedAction(action, isMinimal: Bool.random(using: &random))
  }

  mutating func input() -> SinkInput {
    let responses: [UserResponse] = [
      .act(action: maybe(text()), text: maybe(text())), .dismiss, .acknowledge, .snooze(integer()),
    ]
    return SinkInput(
      occurrenceID(), responses.randomElement(using: &random)!,
      isLocked: Bool.random(using: &random))
  }

  mutating func delivery() -> Delivery {
    var occurrence = Occurrence(
      id: occurrenceID(), app: text(), notification: notification().forChild, due: instant())
    occurrence.missed = integer()
    occurrence.missedSince = maybe(instant())
    return Delivery(
      token: random.next(), sink: 3, occurrence: occurrence,
      text: occurrence.notification.text(in: .none, zone: .utc), parts: [.alert, .sound],
      attempt: 2, badge: maybe(integer()), handedOver: instant(), replaces: maybe(text()))
  }

  mutating func handOver() -> DeliveryMessage {
    let delivery = delivery()
    var value = DeliveryMessage(
      delivery, EngineConfiguration(),
      deliveryContent: DeliveryContent(delivery.occurrence, delivery.text))
    value.actions = (0..<Int.random(in: 0...4, using: &random)).map { _ in action() }
    value.level = InterruptionLevel.allCases.randomElement(using: &random)!
    value.owner = UInt32.random(in: 0 ... .max, using: &random)
    value.repetition = Int32.random(in: 0...10, using: &random)
    return value
  }

  mutating func calendarQuestion() -> CalendarQuestion {
    CalendarQuestion(
      calendar: text(), anchorDay: integer(),
      unit: RepeatUnit.allCases.randomElement(using: &random)!,
      every: integer(), monthEnd: MonthEndPolicy.allCases.randomElement(using: &random)!,
      firstIndex: integer(), firstDay: integer(), count: Int32(truncatingIfNeeded: integer()))
  }

  mutating func calendarAnswer() -> CalendarAnswer {
    if Bool.random(using: &random) { return .failed(reason: text()) }
    let days = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      CalendarDay(k: integer(), day: integer())
    }
    return .days(days, isLast: Bool.random(using: &random))
  }

  mutating func messageToChild() -> MessageToChild {
    switch Int.random(in: 0...13, using: &random) {
    case 12:
      return .keepAwake(
        occurrenceID(), app: text(), name: text(), due: Instant(nanoseconds: integer()))
    case 13: return .rest(occurrenceID())
    case 11:
      let answers: [PluginPushAnswer] = [
        .accepted, .duplicate, .refused(reason: text()), .later(reason: text(), after: integer()),
      ]
      return .pushed(token: random.next(), answers.randomElement(using: &random)!)
    case 0:
      let settings = (0..<3).map { _ in Setting(key: text(), value: text()) }
      return .configure(
        ChildConfiguration(name: text(), file: text(), settings: settings, runDirectory: text()))
    case 1: return .badge(token: random.next(), app: text(), value: integer())
    case 2: return .withdraw(token: random.next(), occurrenceID())
    case 3: return .prepareSound(app: text(), name: text())
    case 4: return .stopSounds(app: maybe(text()))
    case 5: return .health(token: random.next())
    case 6: return .stop
    case 8: return .soon
    case 7: return .calendar(token: random.next(), calendarQuestion())
    default: return .deliver(handOver())
    }
  }

  private mutating func push() -> PluginPush {
    let payload = (0..<Int.random(in: 0...300, using: &random)).map {
      UInt8(truncatingIfNeeded: $0)
    }
    var push = PluginPush(token: random.next(), app: maybe(text()), payload: payload)
    push.uid = maybe(UInt32(truncatingIfNeeded: random.next()))
    push.collapseIdentifier = maybe(text())
    push.expires = maybe(instant())
    push.id = maybe(UUIDBits(high: random.next(), low: random.next()))
    return push
  }

  mutating func messageFromChild() -> MessageFromChild {
    let answers: [DeliveryAnswer] = [
      .done(note: maybe(text())), .pending, .retry(after: integer()), .failed(reason: text()),
      .silenced(reason: text()),
    ]
    switch Int.random(in: 0...9, using: &random) {
    case 9: return .push(push())
    case 8: return .input(input())
    case 0:
      return .ready(
        PluginSummary(
          id: text(), name: text(), version: text(), vendor: text(), licence: text(),
          capabilities: ["delivery/1", text()], wantsEverything: Bool.random(using: &random),
          calendars: [text(), text()], concurrency: integer()))
    case 1: return .refused(reason: text())
    case 2: return .started(token: random.next(), note: text())
    case 3: return .log(.notice, text())
    case 4: return .health(token: random.next(), status: 2, text: text())
    case 5: return .calendar(token: random.next(), calendarAnswer())
    case 6: return .withdrawn
    default:
      return .answered(
        token: random.next(), answers.randomElement(using: &random)!, entered: instant())
    }
  }
}
