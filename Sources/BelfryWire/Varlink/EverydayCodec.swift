import BelfryCore

extension PauseReply {
  var parameters: JSONObject {
    var object = JSONObject()
    object.append("from", .integer(from.microseconds))
    object.add("until", until)
    object.append(
      "ending",
      .array(
        ending.map { one in
          [
            "app": .string(one.app), "identifier": .string(one.identifier),
            "due": .integer(one.due.microseconds),
          ]
        }))
    object.append("more", .integer(more))
    object.append("critical", .integer(critical))
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(from: try members.instant("from"), until: try members.optionalInstant("until"))
    for value in try members.array("ending") {
      let row = MemberReader(lenient: value.object ?? [:], prefix: "ending.")
      ending.append(
        Ending(
          app: try row.text("app"), identifier: try row.text("identifier"),
          due: try row.instant("due")))
    }
    more = try members.optionalInteger("more") ?? 0
    critical = try members.optionalInteger("critical") ?? 0
  }
}

extension ResumeReply {
  var parameters: JSONObject {
    var object: JSONObject = ["resumed": .integer(resumed)]
    object.add("stillPaused", stillPaused)
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    self.init(
      resumed: try members.integer("resumed"),
      stillPaused: try members.optionalText("stillPaused"))
  }
}

extension SkipReply {
  var parameters: JSONObject {
    var object: JSONObject = ["instants": .array(instants.map { .integer($0.microseconds) })]
    object.add("next", next)
    return object
  }

  public init(_ parameters: JSONObject) throws(FieldError) {
    let members = MemberReader(lenient: parameters)
    var instants: [Instant] = []
    for value in try members.array("instants") {
      guard let number = value.integer, let instant = Instant(microseconds: number) else {
        throw FieldError("instants[\(instants.count)]", .outOfRange, "this is no instant")
      }
      instants.append(instant)
    }
    self.init(instants: instants, next: try members.optionalInstant("next"))
  }
}

extension PassedRun {
  var parameters: JSONObject {
    var object: JSONObject = ["first": .integer(first.microseconds)]
    object.add("last", last)
    object.append("reason", .string(reason))
    return object
  }

  /// Reads the rows of a member that may be left out.
  static func read(_ value: JSONValue?) throws(FieldError) -> [PassedRun] {
    var runs: [PassedRun] = []
    for value in value?.array ?? [] {
      let row = MemberReader(lenient: value.object ?? [:], prefix: "skipped.")
      runs.append(
        PassedRun(
          first: try row.instant("first"), last: try row.optionalInstant("last"),
          reason: try row.text("reason")))
    }
    return runs
  }

  /// What a reply to `Next` says beside the occurrences.
  public static func read(_ parameters: JSONObject) throws(FieldError) -> [PassedRun] {
    try read(parameters["skipped"])
  }
}

extension JSONObject {
  /// What does not ring; left out where all of it does.
  mutating func add(skipped runs: [PassedRun]) {
    if !runs.isEmpty { append("skipped", .array(runs.map { .object($0.parameters) })) }
  }
}

extension PauseStatus {
  /// As `Status` has it; empty: nothing is paused.
  public var parameters: JSONObject {
    guard !spans.isEmpty || notifications > 0 else { return [:] }
    return [
      "spans": .array(
        spans.map { span in
          var object = JSONObject()
          object.add("app", span.app)
          object.append("from", .integer(span.from.microseconds))
          object.add("until", span.until)
          return .object(object)
        }),
      "notifications": .integer(notifications),
      "openNotifications": .integer(openNotifications),
    ]
  }

  public init(_ parameters: JSONObject?) {
    self.init()
    guard let parameters else { return }
    let instant = { (value: JSONValue?) in
      value?.integer.flatMap { Instant(microseconds: $0) }
    }
    for value in parameters["spans"]?.array ?? [] {
      guard let row = value.object, let from = instant(row["from"]) else { continue }
      spans.append(Span(app: row["app"]?.string, from: from, until: instant(row["until"])))
    }
    notifications = parameters["notifications"]?.integer ?? 0
    openNotifications = parameters["openNotifications"]?.integer ?? 0
  }
}
