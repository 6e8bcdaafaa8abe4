import BelfryCore

extension Reply {
  /// The parameters of the reply to a call; nil for `refused`, see `VarlinkFailure`.
  public var parameters: JSONObject? {
    switch self {
    case .scheduled(let reply): return reply.parameters
    case .cancelled(let cancelled, let withdrawn):
      return ["cancelled": .integer(cancelled), "withdrawn": .integer(withdrawn)]
    case .replacedAll(let reply): return reply.parameters
    case .listed(let rows, let cursor):
      var object: JSONObject = ["notifications": .array(rows.map { .object($0.parameters) })]
      object.add("cursor", cursor)
      return object
    case .occurrences(let found, let passed):
      var object = UpcomingOccurrence.parameters(found)
      object.add(skipped: passed)
      return object
    case .history(let rows, let cursor):
      var object: JSONObject = ["deliveries": .array(rows.map { .object($0.parameters) })]
      object.add("cursor", cursor)
      return object
    case .stopped(let count): return ["stopped": .integer(count)]
    case .testing(let occurrence, let sinks):
      return [
        "occurrence": .string(occurrence.text), "sinks": .array(sinks.map { .string($0) }),
      ]
    case .trusted(let released): return ["released": .integer(released)]
    case .reloaded(let changed, let needsRestart):
      return [
        "changed": .array(changed.map { .string($0) }),
        "needsRestart": .array(needsRestart.map { .string($0) }),
      ]
    case .apps(let rows, let cursor):
      var object: JSONObject = ["apps": .array(rows.map { .object($0.parameters) })]
      object.add("cursor", cursor)
      return object
    case .badge(let badge): return ["badge": .integer(badge)]
    case .sessionOpened(let session, let waiting):
      return [
        "session": .integer(Int64(truncatingIfNeeded: session)), "waiting": .integer(waiting),
      ]
    case .registered(let settings):
      return ["settings": .object(RegistrationCodec.encode(settings))]
    case .settings(let isRegistered, let registration):
      var object = RegistrationCodec.encode(registration)
      object.append("registered", .boolean(isRegistered))
      return object
    case .snoozed(let next): return ["next": .integer(next.microseconds)]
    case .acknowledged(let identifier, let occurrence):
      return ["identifier": .string(identifier), "occurrence": .string(occurrence.text)]
    case .done: return [:]
    case .located(let crossings): return ["crossings": .integer(crossings)]
    case .pushed(let reply): return reply.parameters(PushNotes())
    case .fetched(let entries, let token, let moreComing):
      return InboxPage(entries: entries, token: token, moreComing: moreComing).parameters
    case .markedRead(let marked, let unknown):
      return MarkReadReply(marked: marked, unknown: unknown).parameters
    case .paused(let reply): return reply.parameters
    case .resumed(let reply): return reply.parameters
    case .skipped(let reply): return reply.parameters
    case .days(let rows): return ["calendars": .array(rows.map { .object($0.parameters) })]
    case .refused: return nil
    }
  }
}

extension JSONObject {
  mutating func add(_ name: String, _ text: String?) {
    if let text { append(name, .string(text)) }
  }

  mutating func add(_ name: String, _ number: Int64?) {
    if let number { append(name, .integer(number)) }
  }

  mutating func add(_ name: String, _ instant: Instant?) {
    if let instant { append(name, .integer(instant.microseconds)) }
  }

  /// S6: what counts as less than it says, and why.
  mutating func add(demotion: String?) {
    guard let demotion else { return }
    append("interruptionLevel", .string(InterruptionLevel.timeSensitive.rawValue))
    append("note", .string(demotion))
  }

  fileprivate mutating func add(_ name: String, _ texts: [String]) {
    append(name, .array(texts.map { .string($0) }))
  }
}

extension ScheduleReply {
  var parameters: JSONObject {
    var object = JSONObject()
    object.append("identifier", .string(identifier))
    object.append("scheduled", .boolean(scheduled))
    object.append("unchanged", .boolean(unchanged))
    object.append("replaced", .boolean(replaced))
    object.add("occurrence", occurrence?.text)
    object.add("next", next)
    object.add("discarded", discarded)
    object.add(demotion: demotion)
    if !warnings.isEmpty { object.add("warnings", warnings) }
    return object
  }

  /// The reply to `PresentNow`.
  public var presented: JSONObject {
    var object: JSONObject = ["identifier": .string(identifier)]
    object.add("occurrence", occurrence?.text)
    object.add(demotion: demotion)
    if !warnings.isEmpty { object.add("warnings", warnings) }
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      identifier: try members.text("identifier"),
      scheduled: try members.optionalBoolean("scheduled") ?? false,
      unchanged: try members.optionalBoolean("unchanged") ?? false,
      replaced: try members.optionalBoolean("replaced") ?? false,
      occurrence: try members.optionalOccurrence("occurrence"),
      next: try members.optionalInstant("next"),
      discarded: try members.optionalTexts("discarded") ?? [])
    warnings = try members.optionalTexts("warnings") ?? []
    demotion = try members.optionalText("note")
  }
}

extension UpcomingOccurrence {
  /// The reply to `Next`.
  static func parameters(_ found: [UpcomingOccurrence]) -> JSONObject {
    var object: JSONObject = [
      "instants": .array(found.map { .integer($0.instant.microseconds) })
    ]
    if found.contains(where: { $0.because != nil }) {
      object.append("because", .array(found.map { .string($0.because ?? "") }))
    }
    return object
  }

  /// Reads a reply to `Next`.
  public static func read(
    _ parameters: JSONObject
  ) throws(FieldError) -> [UpcomingOccurrence] {
    let members = MemberReader(lenient: parameters)
    let reasons = try members.optionalTexts("because") ?? []
    var found: [UpcomingOccurrence] = []
    for value in try members.array("instants") {
      guard let number = value.integer, let instant = Instant(microseconds: number) else {
        throw FieldError("instants[\(found.count)]", .outOfRange, "this is no instant")
      }
      let because = reasons.indices.contains(found.count) ? reasons[found.count] : ""
      found.append(
        UpcomingOccurrence(instant: instant, because: because.isEmpty ? nil : because))
    }
    return found
  }
}

extension ReplaceAllReply {
  var parameters: JSONObject {
    var object: JSONObject = [
      "added": .integer(added), "replaced": .integer(replaced), "unchanged": .integer(unchanged),
      "cancelled": .integer(cancelled),
    ]
    object.add("discarded", discarded)
    if demoted > 0 { object.append("demoted", .integer(demoted)) }
    object.add("note", demotion)
    if !warnings.isEmpty { object.add("warnings", warnings) }
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      added: try members.integer("added"), replaced: try members.integer("replaced"),
      unchanged: try members.integer("unchanged"), cancelled: try members.integer("cancelled"),
      discarded: try members.texts("discarded"))
    demoted = try members.optionalInteger("demoted") ?? 0
    demotion = try members.optionalText("note")
    warnings = try members.optionalTexts("warnings") ?? []
  }
}

extension ListedNotification {
  /// The row as `Listed`.
  public var parameters: JSONObject {
    var object: JSONObject = ["app": .string(app)]
    object.append("notification", .object(NotificationCodec.encode(notification)))
    object.add("next", next)
    object.append("state", .string(state.rawValue))
    object.add("reason", reason)
    object.add("silence", silence)
    object.add(skipped: passed)
    object.add("due", due)
    object.add("sink", sink)
    object.add("occurrence", occurrence?.text)
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      app: try members.text("app"),
      notification: try NotificationCodec.decode(try members.object("notification")),
      next: try members.optionalInstant("next"),
      state: try members.choice("state", State.self),
      reason: try members.optionalText("reason"))
    silence = try members.optionalText("silence")
    passed = try PassedRun.read(parameters["skipped"])
    due = try members.optionalInstant("due")
    sink = try members.optionalText("sink")
    occurrence = try members.optionalText("occurrence").flatMap { OccurrenceID(text: $0) }
  }
}

extension HistoryRow {
  /// The row as `Delivery`.
  public var parameters: JSONObject {
    var object: JSONObject = [
      "app": .string(app), "identifier": .string(identifier),
      "occurrence": .string(occurrence.text), "sink": .string(sink),
    ]
    object.add("due", due)
    object.add("handedOver", handedOver)
    object.add("acknowledged", acknowledged)
    object.append("state", .string(state.rawValue))
    object.add("reason", reason)
    object.append("attempts", .integer(Int64(attempts)))
    object.add("clock", clock?.rawValue)
    object.append("missed", .integer(missed))
    object.add("missedSince", missedSince)
    object.add("text", text)
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      app: try members.text("app"), identifier: try members.text("identifier"),
      occurrence: try members.occurrence("occurrence"), sink: try members.text("sink"),
      due: try members.instant("due"), handedOver: try members.optionalInstant("handedOver"),
      acknowledged: try members.optionalInstant("acknowledged"),
      state: try members.choice("state", DeliveryState.self),
      reason: try members.optionalText("reason"),
      attempts: Int32(truncatingIfNeeded: try members.integer("attempts")))
    clock = try members.optionalText("clock").flatMap { ClockState(rawValue: $0) }
    missed = try members.optionalInteger("missed") ?? 0
    missedSince = try members.optionalInstant("missedSince")
    text = try members.optionalText("text")
  }
}

extension WatchEvent {
  /// The event as `Event`.
  public var parameters: JSONObject {
    var object: JSONObject = [
      "kind": .string(kind.rawValue), "app": .string(app), "identifier": .string(identifier),
    ]
    object.add("occurrence", occurrence?.text)
    object.add("sink", sink)
    object.add("at", at)
    object.add("due", due)
    object.add("handedOver", handedOver)
    object.add("reason", reason)
    object.append("missed", .integer(missed))
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      kind: try members.choice("kind", Kind.self), app: try members.text("app"),
      identifier: try members.text("identifier"),
      occurrence: try members.optionalOccurrence("occurrence"),
      sink: try members.optionalText("sink"), at: try members.instant("at"),
      due: try members.optionalInstant("due"),
      handedOver: try members.optionalInstant("handedOver"),
      reason: try members.optionalText("reason"),
      missed: try members.optionalInteger("missed") ?? 0)
  }
}
