import BelfryCore

/// A payload as it was understood, and what in it has no effect.
public struct ParsedPush: Hashable, Sendable {
  /// A member that is kept but changes nothing that is shown.
  public struct Ignored: Hashable, Sendable {
    /// Such as `aps.alert.badge`.
    public var path: String
    /// One sentence without a full stop.
    public var reason: String

    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  public var payload: PushPayload
  public var ignored: [Ignored]
  /// What was written oddly and taken as meant (P1): where, and for what.
  public var odd: [Ignored]
  var places = PushPlaces()
}

/// Where in the payload stood what may stand in more than one place.
struct PushPlaces: Hashable, Sendable {
  var body = "aps.alert.body"
  var sound = "aps.sound"
  var category = "aps.category"
}

extension PushPayload {
  /// Says that there are more bytes than a payload has.
  public static let tooLong = FieldError(
    "payload", .tooLong, "more than \(sizeLimit) bytes are no payload")

  /// Reads JSON text; an error names the path of what is wrong, such as `aps.badge`, and `payload`
  /// where it is the whole.
  @export(interface) public static func read(_ bytes: [UInt8]) throws(FieldError) -> ParsedPush {
    guard bytes.count <= sizeLimit else {
      throw PushPayload.tooLong
    }
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse(bytes)
    } catch {
      throw FieldError(
        error.path.isEmpty ? "payload" : FieldError.printable(error.path), .malformed,
        "no JSON at byte \(error.place): \(error.reason)")
    }
    guard case .object(let object) = value else {
      throw FieldError("payload", .wrongType, "this is a JSON object with aps, ck or both")
    }
    return try read(object)
  }

  /// Reads a JSON object.
  public static func read(_ object: JSONObject) throws(FieldError) -> ParsedPush {
    var reader = PushReader()
    let payload = try reader.payload(object)
    reader.endIgnored()
    return ParsedPush(
      payload: payload, ignored: reader.ignored, odd: reader.odd, places: reader.places)
  }
}

/// Reads what has a meaning, also where it is written oddly but plainly, and keeps the rest.
private struct PushReader {
  var ignored: [ParsedPush.Ignored] = []
  var odd: [ParsedPush.Ignored] = []
  var places = PushPlaces()

  /// Members that are named; a payload may have thousands.
  private static let maxNamed = 100
  private var unnamed = 0

  mutating func ignore(_ path: String, _ reason: String) {
    guard ignored.count < Self.maxNamed else { return unnamed += 1 }
    ignored.append(ParsedPush.Ignored(path: path, reason: reason))
  }

  mutating func endIgnored() {
    guard unnamed > 0 else { return }
    ignored.append(
      ParsedPush.Ignored(
        path: "payload",
        reason: counted(unnamed, "other has", many: "others have") + " no meaning either; kept"))
  }

  // MARK: The dictionary

  mutating func payload(_ object: JSONObject) throws(FieldError) -> PushPayload {
    let members = MemberReader(lenient: object)
    let aps = try members.optionalObject("aps")
    let ck = try members.optionalObject("ck")
    guard aps != nil || ck != nil else {
      throw FieldError("aps", .missing, "a payload has aps, ck or both")
    }
    var payload = PushPayload()
    if let aps { try read(aps, into: &payload) }
    if let ck { payload.cloud = try cloud(ck) }
    payload.siblings = rest(of: object, but: ["aps", "ck"])
    return payload
  }

  private static let apsNames = [
    "alert", "badge", "sound", "category", "thread-id", "interruption-level", "content-available",
  ]

  private mutating func read(
    _ object: JSONObject, into payload: inout PushPayload
  ) throws(FieldError) {
    let members = MemberReader(lenient: object, prefix: "aps.")
    var inside: MemberReader?
    switch object["alert"] {
    case nil, .null: break
    case .string(let body):
      payload.alert.body = body
      places.body = "aps.alert"
    case .object(let alert):
      let members = MemberReader(lenient: alert, prefix: "aps.alert.")
      inside = members
      try read(alert, members, into: &payload.alert)
    default: throw FieldError("aps.alert", .wrongType, "this is a string or an object")
    }
    payload.badge = try integer(members, inside, "badge", in: 0...Int64(Int32.max))
    let sound = try first(members, inside, "sound") { m throws(FieldError) in
      m.value("sound").map { (value: $0, path: m.prefix + "sound") }
    }
    if let sound { payload.sound = try readSound(sound.value, sound.path) }
    readCategory(members, inside, into: &payload)
    payload.threadIdentifier = name(members, "thread-id")
    payload.contentAvailable = try integer(members, "content-available", in: 0...1) == 1
    payload.interruptionLevel = level(members)
    payload.unknown = rest(of: object, but: Self.apsNames, path: "aps.")
  }

  /// P1: what belongs in `aps` may stand in `alert` too; beside it counts.
  private mutating func first<T>(
    _ members: MemberReader, _ inside: MemberReader?, _ name: String,
    _ read: (MemberReader) throws(FieldError) -> T?
  ) throws(FieldError) -> T? {
    let within: T?
    if let inside { within = try read(inside) } else { within = nil }
    guard let beside = try read(members) else { return within }
    if within != nil { ignore("aps.alert." + name, "aps.\(name) counts") }
    return beside
  }

  /// A file name, or an object; nil: an empty name, which is taken for no sound.
  private mutating func readSound(
    _ value: JSONValue, _ path: String
  ) throws(FieldError) -> PushSound? {
    places.sound = path
    if case .string(let name) = value { return named(name, path) }
    places.sound = path + ".name"
    guard case .object(let object) = value else {
      throw FieldError(path, .wrongType, "this is a string or an object")
    }
    let members = MemberReader(lenient: object, prefix: path + ".")
    let named = named(try members.text("name"), path + ".name")
    let volume = decoration { (reader: inout PushReader) throws(FieldError) -> Double? in
      guard let volume = try reader.number(members, "volume") else { return nil }
      guard (0...1).contains(volume) else {
        throw FieldError(path + ".volume", .outOfRange, "this is between 0 and 1")
      }
      return volume
    }
    let isCritical = try integer(members, "critical", in: 0...1) == 1
    let unknown = rest(of: object, but: ["name", "volume", "critical"], path: path + ".")
    guard var sound = named else { return nil }
    (sound.volume, sound.isCritical, sound.unknown) = (volume, isCritical, unknown)
    return sound
  }

  private mutating func named(_ name: String, _ path: String) -> PushSound? {
    if name.isEmpty {
      note(path, "an empty name is taken for no sound")
      return nil
    }
    return PushSound(name: name)
  }

  // MARK: What only decorates

  /// P1: what cannot be used is left out and named; it never costs the alert.
  private mutating func decoration<Value>(
    _ read: (inout PushReader) throws(FieldError) -> Value?
  ) -> Value? {
    do throws(FieldError) {
      return try read(&self)
    } catch {
      note(error.field, "left out: " + error.asWish)
      return nil
    }
  }

  private mutating func name(_ members: MemberReader, _ name: String) -> String? {
    decoration { (reader: inout PushReader) throws(FieldError) -> String? in
      let text = try members.optionalText(name)
      let problem = PushPayload.problem(of: text, "", isFile: name == "launch-image")
      // The payload keeps it, and `shown` does not.
      if let problem { reader.note(members.prefix + name, "left out: " + problem.reason) }
      return text
    }
  }

  private mutating func readCategory(
    _ members: MemberReader, _ inside: MemberReader?, into payload: inout PushPayload
  ) {
    if let inside, let within = name(inside, "category") {
      (payload.category, places.category) = (within, inside.prefix + "category")
    }
    guard let beside = name(members, "category") else { return }
    if payload.category != nil { ignore(places.category, members.prefix + "category counts") }
    (payload.category, places.category) = (beside, members.prefix + "category")
  }

  private mutating func level(_ members: MemberReader) -> InterruptionLevel? {
    decoration { (reader: inout PushReader) throws(FieldError) -> InterruptionLevel? in
      let (name, path) = ("interruption-level", members.prefix + "interruption-level")
      guard let word = try members.optionalText(name) else { return nil }
      guard let level = InterruptionLevel(oddWord: word) else {
        throw FieldError(path, .unknown, "this is passive, active, time-sensitive or critical")
      }
      if InterruptionLevel(payloadWord: word) == nil {
        reader.note(path, "taken for " + level.payloadWord)
      }
      return level
    }
  }

  // MARK: Numbers

  private mutating func note(_ path: String, _ reason: String) {
    guard odd.count < Self.maxNamed else { return }
    odd.append(ParsedPush.Ignored(path: path, reason: reason))
  }

  /// P1: in `aps`, or in `alert`.
  private mutating func integer(
    _ members: MemberReader, _ inside: MemberReader?, _ name: String, in range: ClosedRange<Int64>
  ) throws(FieldError) -> Int64? {
    var within: Int64?
    if let inside { within = try integer(inside, name, in: range) }
    guard let beside = try integer(members, name, in: range) else { return within }
    if within != nil { ignore("aps.alert." + name, "aps.\(name) counts") }
    return beside
  }

  private mutating func integer(
    _ members: MemberReader, _ name: String, in range: ClosedRange<Int64>
  ) throws(FieldError) -> Int64? {
    guard let number = try integer(members, name) else { return nil }
    guard range.contains(number) else {
      throw FieldError(
        members.prefix + name, .outOfRange,
        "this is between \(range.lowerBound) and \(range.upperBound)")
    }
    return number
  }

  private mutating func integer(
    _ members: MemberReader, _ name: String
  ) throws(FieldError) -> Int64? {
    if case .integer(let number)? = members.value(name) { return number }
    guard let number = try number(members, name) else { return nil }
    guard number.magnitude < 9.2e18 else {
      throw FieldError(
        members.prefix + name, .outOfRange, "no number of 64 bits is that large")
    }
    guard number == number.rounded() else { throw members.wrongType(name, "an integer") }
    if case .double? = members.value(name) {
      note(members.prefix + name, "the fraction .0 says nothing: taken for \(Int64(number))")
    }
    return Int64(number)
  }

  private mutating func number(
    _ members: MemberReader, _ name: String
  ) throws(FieldError) -> Double? {
    guard let value = members.value(name) else { return nil }
    guard let number = PushNumber(value) else { throw members.wrongType(name, "a number") }
    if let oddity = number.oddity { note(members.prefix + name, oddity) }
    return number.value
  }

  /// A number that stands for a word; `words` lists them all.
  private mutating func word<T: RawRepresentable<Int64>>(
    _ members: MemberReader, _ name: String, _ words: String
  ) throws(FieldError) -> T? {
    guard let number = try integer(members, name) else { return nil }
    guard let value = T(rawValue: number) else {
      throw FieldError(members.prefix + name, .outOfRange, "this is \(words)")
    }
    return value
  }

  // MARK: The alert

  private static let alertNames = [
    "body", "loc-key", "loc-args", "title", "title-loc-key", "title-loc-args", "subtitle",
    "subtitle-loc-key", "subtitle-loc-args", "action-loc-key", "launch-image", "badge", "sound",
    "category",
  ]

  private mutating func read(
    _ object: JSONObject, _ members: MemberReader, into alert: inout PushAlert
  ) throws(FieldError) {
    alert.body = try members.optionalText("body")
    alert.bodyKey = try members.optionalText("loc-key")
    alert.bodyArguments = try members.arguments("loc-args")
    alert.title = try members.optionalText("title")
    alert.titleKey = try members.optionalText("title-loc-key")
    alert.titleArguments = try members.arguments("title-loc-args")
    alert.subtitle = try members.optionalText("subtitle")
    alert.subtitleKey = try members.optionalText("subtitle-loc-key")
    alert.subtitleArguments = try members.arguments("subtitle-loc-args")
    alert.actionKey = try members.optionalText("action-loc-key")
    alert.launchImage = name(members, "launch-image")
    alert.unknown = rest(of: object, but: Self.alertNames, path: "aps.alert.")
    // P4, and so for the others.
    let texts = [
      ("body", alert.body, alert.bodyKey), ("title", alert.title, alert.titleKey),
      ("subtitle", alert.subtitle, alert.subtitleKey),
    ]
    for (name, text, key) in texts where text != nil && key != nil {
      ignore("aps.alert." + name, "shown only where its localization key is in no table")
    }
  }

  // MARK: CloudKit's part

  private mutating func cloud(_ object: JSONObject) throws(FieldError) -> CloudKitPayload {
    let members = MemberReader(lenient: object, prefix: "ck.")
    var part = CloudKitPayload()
    if let text = try members.optionalText("nid") {
      guard let uuid = UUIDBits(text: text) else {
        throw FieldError("ck.nid", .malformed, "this is a UUID of 36 characters")
      }
      part.notificationID = uuid
    }
    part.containerIdentifier = try members.optionalText("cid")
    part.subscriptionOwner = try members.optionalText("ckuserid")
    part.isPruned = object["p"] != nil
    let kinds = ["qry", "fet", "met"].filter { object[$0] != nil && object[$0] != .null }
    guard kinds.count < 2 else {
      throw FieldError(
        "ck.\(kinds[1])", .conflict, "there is \(kinds[0]) already; a payload has one of them")
    }
    part.kind = try kind(kinds.first, members)
    part.unknown = rest(
      of: object, but: ["nid", "cid", "ckuserid", "p", "qry", "fet", "met"], path: "ck.")
    return part
  }

  private mutating func kind(
    _ name: String?, _ members: MemberReader
  ) throws(FieldError) -> CloudKind {
    guard let name else { return .base }
    let object = try members.object(name)
    let inside = MemberReader(lenient: object, prefix: "ck.\(name).")
    guard name == "qry" else {
      let subject = try subject(object, inside, "ck.\(name).", others: [])
      return name == "fet" ? .recordZone(subject) : .database(subject)
    }
    var query = CloudQuery()
    query.record = try inside.optionalText("rid")
    query.fields = try inside.optionalObject("af")
    query.reason = try word(inside, "fo", "1 created, 2 updated, 3 deleted")
    query.subject = try subject(object, inside, "ck.qry.", others: ["rid", "af", "fo"])
    return .query(query)
  }

  private mutating func subject(
    _ object: JSONObject, _ members: MemberReader, _ path: String, others: [String]
  ) throws(FieldError) -> CloudSubject {
    var subject = CloudSubject()
    subject.zone = try members.optionalText("zid")
    subject.zoneOwner = try members.optionalText("zoid")
    subject.subscription = try members.optionalText("sid")
    subject.scope = try word(members, "dbs", "1 private, 2 public, 3 shared")
    subject.unknown = rest(of: object, but: ["zid", "zoid", "sid", "dbs"] + others, path: path)
    return subject
  }

  // MARK: The rest

  /// Members without a meaning, by name; `path` nil: they are the app's own, not ignored.
  private mutating func rest(
    of object: JSONObject, but known: [String], path: String? = nil
  ) -> JSONObject {
    var members = object.members.filter { !known.contains($0.name) }
    members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    if let path {
      for member in members { ignore(path + member.name, "it has no meaning here; kept") }
    }
    return JSONObject(unique: members)
  }
}
