import BelfryCore
import BelfryWire
import struct Foundation.Data
import struct Foundation.Date
import TestSupport
import Testing

struct NotificationCodecTests {
  static func decode(_ json: String) throws -> Notification {
    try NotificationCodec.decodeContent(Array(json.utf8))
  }

  static func refusal(_ json: String) -> FieldError? {
    do throws(FieldError) {
      _ = try NotificationCodec.decodeContent(Array(json.utf8)).validated()
      return nil
    } catch {
      return error
    }
  }

  @Test func N_everyFieldHasItsName() throws {
    var all = Notification()
    all.identifier = "tea"
    all.fireDate = Instant(microseconds: 1_798_102_800_000_000)
    all.fireIn = 600 * Nanoseconds.second
    all.repeatInterval = .yearForWeekOfYear
    all.repeatCalendar = "iso8601"
    all.timeZone = "Europe/Berlin"
    all.zoneMode = .zoned
    all.every = 2
    all.until = .distantFuture
    all.count = 7
    all.gap = .next
    all.overlap = .both
    all.monthEnd = .roll
    all.datesAreOld = true
    all.tolerance = 90 * Nanoseconds.second
    all.rrule = try RecurrenceRule.parse("FREQ=MONTHLY;BYDAY=-1FR")
    all.rrules = try ["FREQ=DAILY", "FREQ=HOURLY"].map { try RecurrenceRule.parse($0) }
    all.offset = DueOffset(days: -1, seconds: -900)
    all.sinks = ["lamp", "speaker"]
    (all.exceptOn, all.onlyOn) = (["holidays"], ["term"])
    all.asOn = [AsOn(calendar: "feast", weekday: .sun)]
    all.exdate = [Instant(nanoseconds: 1000), Instant(nanoseconds: 2000)]
    all.rdate = [Instant(nanoseconds: -3000)]
    all.region = CircularRegion(
      identifier: "home", latitude: 52.5, longitude: -13, radius: 100, notifyOnEntry: false)
    all.regionTriggersOnce = false
    all.alertBody = "Tea"
    all.alertLocalizationArgs = [.string("$date"), .integer(1), .double(1)]
    all.alertTitle = "Kitchen"
    all.alertTitleLocalizationArgs = [.date(.distantFuture)]
    all.alertSubtitleLocalizationArgs = [.integer(-7)]
    all.alertActionLocalizationArgs = [.double(0.5)]
    all.alertSubtitle = "Stove"
    all.alertAction = "Pour"
    all.hasAction = false
    all.alertLaunchImage = "tea.png"
    all.category = "meals"
    all.applicationIconBadgeNumber = -3
    all.badgeOperation = .add
    all.soundName = "default"
    all.repeatSound = 3
    all.userInfo = ["$date": .date(.distantFuture), "n": .integer(1)]
    all.threadIdentifier = "kitchen"
    all.interruptionLevel = .timeSensitive
    all.volume = 0.5
    all.expires = .distantFuture
    all.late = .seconds(90)
    all.push = #"{"aps":{"badge":1}}"#
    all.alertBodyIsFormat = true
    all.fadeIn = 30 * Nanoseconds.second
    all.ringFor = 600 * Nanoseconds.second
    all.realert = Realert(every: 300 * Nanoseconds.second, atMost: 3)
    all.ladder = [
      LadderStep(after: 0),
      LadderStep(
        after: 120 * Nanoseconds.second, sinks: ["speaker", "exec"], sound: "siren.wav",
        volume: 0.5,
        interruptionLevel: .critical),
    ]
    let json = """
      {"alertAction":"Pour","alertActionLocalizationArgs":[0.5],"alertBody":"Tea","alertBodyIsFormat":true,\
      "alertLaunchImage":"tea.png","alertLocalizationArgs":["$date",1,1.0],\
      "alertSubtitle":"Stove","alertSubtitleLocalizationArgs":[-7],"alertTitle":"Kitchen",\
      "alertTitleLocalizationArgs":[{"$date":64092211200000000}],"applicationIconBadgeNumber":-3,\
      "asOn":[{"calendar":"feast","weekday":"sun"}],"badgeOperation":"add","category":"meals","count":7,"datesAreOld":true,"every":2,\
      "exceptOn":["holidays"],"exdate":[1,2],"expires":64092211200000000,"fadeIn":30000000,"fireDate":1798102800000000,"fireIn":600000000,"gap":"next",\
      "hasAction":false,"identifier":"tea","interruptionLevel":"timeSensitive",\
      "ladder":[{"after":0},{"after":120000000,"interruptionLevel":"critical",\
      "sinks":["speaker","exec"],"sound":"siren.wav","volume":0.5}],"late":"90",\
      "monthEnd":"roll","offset":"-P1DT15M","onlyOn":["term"],"overlap":"both",\
      "push":{"aps":{"badge":1}},"rdate":[-3],\
      "realert":{"atMost":3,"every":300000000},"region":{"identifier":"home",\
      "latitude":52.5,"longitude":-13.0,"notifyOnEntry":false,"radius":100.0},\
      "regionTriggersOnce":false,"repeatCalendar":"iso8601",\
      "repeatInterval":"yearForWeekOfYear","repeatSound":3,"ringFor":600000000,"rrule":"FREQ=MONTHLY;BYDAY=-1FR",\
      "rrules":["FREQ=DAILY","FREQ=HOURLY"],"sinks":["lamp","speaker"],"soundName":"default","threadIdentifier":"kitchen",\
      "timeZone":"Europe/Berlin","tolerance":90000000,"until":64092211200000000,\
      "userInfo":{"$$date":{"$date":64092211200000000},"n":1},"volume":0.5,"zoneMode":"zoned"}
      """
    #expect(JSONValue.object(NotificationCodec.encode(all)).text == json)
    #expect(try Self.decode(json) == all)
    #expect(NotificationCodec.encode(all).members.map { $0.name } == NotificationCodec.fields)
  }

  @Test func N_defaultsAreLeftOut() throws {
    #expect(NotificationCodec.encode(Notification()).isEmpty)
    #expect(try Self.decode("{}") == Notification())
    let nulls = NotificationCodec.fields.map { "\"\($0)\":null" }.joined(separator: ",")
    #expect(try Self.decode("{\(nulls)}") == Notification())
  }

  @Test func N4_everyUnitHasItsName() throws {
    for unit in RepeatUnit.allCases {
      let notification = try Self.decode("{\"repeatInterval\":\"\(unit.name)\"}")
      #expect(notification.repeatInterval == unit)
      #expect(unit.name == "\(unit)")
    }
  }

  static let tooDeep = String(repeating: "[", count: 10_000)

  @Test(
    arguments: [
      (#"{"alertBdoy":"x"}"#, "alertBdoy", .unknown, "did you mean alertBody?"),
      (#"{"zzz":"x"}"#, "zzz", .unknown, "no field"),
      (#"{"zzz":null}"#, "zzz", .unknown, "no field"),
      (#"{"a b\n":1}"#, "[\"a b\u{FFFD}\"]", .unknown, "no field"),
      (#"{"":1}"#, "[\"\"]", .unknown, "no field"),
      (#"{"alertBody":1}"#, "alertBody", .wrongType, "a string, not an integer"),
      (#"{"alertBody":{"a":1}}"#, "alertBody", .wrongType, "not an object"),
      (#"{"hasAction":1}"#, "hasAction", .wrongType, "true or false"),
      (#"{"fireDate":"2026-12-24T08:00:00Z"}"#, "fireDate", .wrongType, "an integer"),
      (#"{"fireDate":1.5}"#, "fireDate", .wrongType, "an integer"),
      (#"{"fireDate":true}"#, "fireDate", .wrongType, "an integer"),
      (#"{"fireDate":1000000000000000000}"#, "fireDate", .outOfRange, "2262"),
      (#"{"fireDate":1000000000000000000000000}"#, "fireDate", .outOfRange, "64-bit"),
      (#"{"fireDate":-1000000000000000000000000}"#, "fireDate", .outOfRange, "64-bit"),
      (#"{"fireDate":253402300800000000}"#, "fireDate", .outOfRange, "2262"),
      (#"{"expires":9223372036854776}"#, "expires", .outOfRange, "2262"),
      (#"{"applicationIconBadgeNumber":1.0}"#, "applicationIconBadgeNumber", .wrongType, "integer"),
      (
        #"{"applicationIconBadgeNumber":2147483648}"#, "applicationIconBadgeNumber", .outOfRange, ""
      ),
      (#"{"volume":"1"}"#, "volume", .wrongType, "a number"),
      (#"{"volume":2}"#, "volume", .outOfRange, "between 0 and 1"),
      (#"{"volume":NaN}"#, "volume", .malformed, ""),
      (#"{"repeatInterval":"weekofyear"}"#, "repeatInterval", .unknown, "did you mean weekOfYear?"),
      (#"{"repeatInterval":"era"}"#, "repeatInterval", .unknown, "every era"),
      (#"{"repeatInterval":"nanosecond"}"#, "repeatInterval", .unknown, "every nanosecond"),
      (#"{"repeatInterval":24}"#, "repeatInterval", .wrongType, "a string"),
      (#"{"repeatInterval":["day","hour"]}"#, "repeatInterval", .wrongType, "a string"),
      (#"{"badgeOperation":"plus"}"#, "badgeOperation", .unknown, "no operation"),
      (#"{"interruptionLevel":"timesensitive"}"#, "interruptionLevel", .unknown, "timeSensitive?"),
      (#"{"late":90}"#, "late", .wrongType, "a string"),
      (#"{"late":"1.5"}"#, "late", .malformed, "fire, drop"),
      (#"{"late":"99999999999999999999"}"#, "late", .malformed, "fire, drop"),
      (#"{"late":"-1"}"#, "late", .outOfRange, "between 0"),
      (#"{"offset":-900000000}"#, "offset", .wrongType, "a string"),
      (#"{"offset":"15m"}"#, "offset", .malformed, "-PT15M"),
      (#"{"offset":"-P400D"}"#, "offset", .outOfRange, "-366 and +366 days"),
      (#"{"rrules":"FREQ=DAILY"}"#, "rrules", .wrongType, "an array of strings"),
      (#"{"rrules":["FREQ=DAILY",1]}"#, "rrules[1]", .wrongType, "a string"),
      (#"{"rrules":["FREQ=DAILY","FREQ=OFTEN"]}"#, "rrules[1]", .unknown, "OFTEN"),
      (#"{"rrules":["","","","","","","","",""]}"#, "rrules", .tooLong, "at most 8"),
      (#"{"soundName":"../bell.wav"}"#, "soundName", .malformed, "not a path"),
      (#"{"timeZone":"Europe/Berlin\t"}"#, "timeZone", .malformed, "control character"),
      (#"{"alertLocalizationArgs":"x"}"#, "alertLocalizationArgs", .wrongType, "an array"),
      (#"{"alertLocalizationArgs":[1,null]}"#, "alertLocalizationArgs[1]", .wrongType, "null"),
      (#"{"alertTitleLocalizationArgs":[true]}"#, "alertTitleLocalizationArgs[0]", .wrongType, ""),
      (
        #"{"alertActionLocalizationArgs":["x",{"$date":1.5}]}"#, "alertActionLocalizationArgs[1]",
        .wrongType, "$date"
      ),
      (
        #"{"alertSubtitleLocalizationArgs":[{"$data":"AA=="}]}"#,
        "alertSubtitleLocalizationArgs[0]", .wrongType, "a string, a number or a date"
      ),
      (
        #"{"alertLocalizationArgs":[1,[{"a":null}]]}"#, "alertLocalizationArgs[1][0].a",
        .wrongType, "null"
      ),
      (#"{"region":{}}"#, "region.latitude", .missing, ""),
      (#"{"region":[1,2,3]}"#, "region", .wrongType, "an object, not an array"),
      (#"{"region":{"latitude":"1","longitude":2,"radius":3}}"#, "region.latitude", .wrongType, ""),
      (
        #"{"region":{"latitude":1,"longitude":2,"radius":3,"points":[]}}"#, "region.points",
        .unknown, "a circular region has no such field"
      ),
      (
        #"{"region":{"latitude":91,"longitude":2,"radius":3}}"#, "region.latitude", .outOfRange,
        "between -90 and 90"
      ),
      (#"{"region":{"latitude":NaN,"longitude":2,"radius":3}}"#, "region.latitude", .malformed, ""),
      (#"{"region":{"latitude":1,"longitude":2,"radius":0}}"#, "region.radius", .outOfRange, ""),
      (
        #"{"fireDate":1,"region":{"latitude":1,"longitude":2,"radius":3}}"#, "region", .conflict,
        "not both"
      ),
      (
        #"{"repeatInterval":"day","region":{"latitude":1,"longitude":2,"radius":3}}"#,
        "repeatInterval", .conflict, "regionTriggersOnce false"
      ),
      (#"{"zoneMode":"local"}"#, "zoneMode", .unknown, "no mode"),
      (#"{"zoneMode":"zone"}"#, "zoneMode", .unknown, "did you mean zoned?"),
      (#"{"gap":"hop"}"#, "gap", .unknown, "no policy"),
      (#"{"overlap":true}"#, "overlap", .wrongType, "a string"),
      (#"{"monthEnd":"clip"}"#, "monthEnd", .unknown, "no policy"),
      (#"{"every":1000000000000,"repeatInterval":"day"}"#, "every", .outOfRange, "1000000"),
      (#"{"every":"2","repeatInterval":"day"}"#, "every", .wrongType, "an integer"),
      (#"{"rrule":"FREQ=DAILY;COUNT=3;UNTIL=20270101"}"#, "rrule", .conflict, "character 20"),
      (#"{"rrule":"FREQ=DAILY;BYSETPOS=1"}"#, "rrule", .conflict, "character 12"),
      (#"{"rrule":"INTERVAL=2"}"#, "rrule", .missing, "FREQ"),
      (#"{"rrule":""}"#, "rrule", .malformed, "character 1"),
      (#"{"rrule":"FREQ=DAILY;INTERVAL=0"}"#, "rrule", .outOfRange, "character 21"),
      (#"{"rrule":"FREQ=DAILY;INTERVAL=1000000000000"}"#, "rrule", .outOfRange, "character 21"),
      (#"{"rrule":["FREQ=DAILY"]}"#, "rrule", .wrongType, "a string"),
      (#"{"rrule":"FREQ=DAILY","repeatInterval":"day"}"#, "rrule", .conflict, "already"),
      (
        #"{"rrule":"FREQ=DAILY;UNTIL=20270101T000000Z","fireDate":1800000000000000}"#, "rrule",
        .conflict, "before the start, so nothing would ever be due (character 12)"
      ),
      (#"{"rrule":"FREQ=DAILY;COUNT=2","until":1}"#, "until", .conflict, "UNTIL or a COUNT"),
      (#"{"exdate":[1]}"#, "exdate", .conflict, "no rrule"),
      (#"{"exdate":[1,"2"],"rrule":"FREQ=DAILY"}"#, "exdate[1]", .wrongType, "an integer"),
      (#"{"rdate":1,"rrule":"FREQ=DAILY"}"#, "rdate", .wrongType, "an array"),
      (
        "{\"rrule\":\"FREQ=DAILY\",\"exdate\":[1" + String(repeating: ",1", count: 9_999) + "]}",
        "exdate", .tooLong, "at most 1000 dates are allowed, not 10000"
      ),
      (#"{"tolerance":9223372036854775807}"#, "tolerance", .outOfRange, "microseconds"),
      (#"{"until":1,"fireDate":2,"repeatInterval":"day"}"#, "until", .conflict, "before fireDate"),
      (#"{"fireDate":1,"fireDate":2}"#, "fireDate", .conflict, "twice"),
      (#"{"userInfo":{"a":{"b":1,"b":2}}}"#, "userInfo.a.b", .conflict, "twice"),
      ("{\"u\u{7F}\":nul}", "u\u{FFFD}", .malformed, ""),
      (#"{"alertBody":"\ud800"}"#, "alertBody", .malformed, "surrogate"),
      (#"{"alertBody":"\udc00\ud800"}"#, "alertBody", .malformed, "surrogate"),
      (#"{"alertBody":"a\u0000b"}"#, "alertBody", .malformed, "NUL"),
      (#"{"userInfo":[]}"#, "userInfo", .wrongType, "object"),
      (#"{"userInfo":{"$date":1}}"#, "userInfo", .wrongType, "object"),
      (#"{"userInfo":{"a":null}}"#, "userInfo.a", .wrongType, "null"),
      (#"{"userInfo":{"a":{"b":[1,2,3,null]}}}"#, "userInfo.a.b[3]", .wrongType, "null"),
      (#"{"userInfo":{"a.b":[null]}}"#, "userInfo[\"a.b\"][0]", .wrongType, "null"),
      (#"{"userInfo":{"$x":1}}"#, "userInfo.$x", .malformed, "$$"),
      (#"{"userInfo":{"a":{"$date":1,"b":2}}}"#, "userInfo.a.$date", .malformed, "alone"),
      (#"{"userInfo":{"a":{"$date":1.5}}}"#, "userInfo.a", .wrongType, "integer"),
      (#"{"userInfo":{"a":{"$date":9223372036854775807}}}"#, "userInfo.a", .outOfRange, "2262"),
      (#"{"userInfo":{"a":{"$data":1}}}"#, "userInfo.a", .wrongType, "string"),
      (#"{"userInfo":{"a":{"$data":"a"}}}"#, "userInfo.a", .malformed, "base 64"),
      (#"{"userInfo":{"a":{"$data":"AB=="}}}"#, "userInfo.a", .malformed, "base 64"),
      (#"{"userInfo":{"a":{"$data":"AA==\n"}}}"#, "userInfo.a", .malformed, "base 64"),
      (#"{"userInfo":{"a":{"$data":"A=A="}}}"#, "userInfo.a", .malformed, "base 64"),
      (#"{"userInfo":{"a":{"$data":"===="}}}"#, "userInfo.a", .malformed, "base 64"),
      (
        "{\"userInfo\":{\"a\":" + String(repeating: "[", count: 70)
          + String(repeating: "]", count: 70) + "}}",
        "userInfo.a" + String(repeating: "[0]", count: 63), .outOfRange, "at most 64"
      ),
      (#"{"identifier":""}"#, "identifier", .malformed, ""),
      (
        "{\"identifier\":\"" + String(repeating: "x", count: 129) + "\"}", "identifier", .tooLong,
        "128"
      ),
      (
        "{\"alertBody\":\"" + String(repeating: "x", count: 1 << 20) + "\"}", "alertBody", .tooLong,
        ""
      ),
      ("[]", "", .wrongType, "object"), ("null", "", .wrongType, "object"),
    ] as [(String, String, FieldError.Code, String)])
  func A4_refusesByField(
    _ json: String, _ field: String, _ code: FieldError.Code, _ reason: String
  ) throws {
    let error = try #require(Self.refusal(json))
    #expect(error.field == field)
    #expect(error.code == code)
    #expect(reason.isEmpty || error.reason.contains(reason), "\(error.reason)")
  }

  @Test func A4_tenThousandDeepIsRefusedWhereItBegins() throws {
    let error = try #require(Self.refusal("{\"userInfo\":{\"a\":\(Self.tooDeep)"))
    #expect(error.code == .outOfRange && error.field.hasPrefix("userInfo.a[0]"))
  }

  @Test func N2_foundationsDistantDatesAreAtOnceAndNever() throws {
    let past = Int64(Date.distantPast.timeIntervalSince1970) * 1_000_000
    let future = Int64(Date.distantFuture.timeIntervalSince1970) * 1_000_000
    #expect(try Self.decode("{\"fireDate\":\(past)}").fireDate == .distantPast)
    #expect(try Self.decode("{\"fireDate\":\(future)}").fireDate == .distantFuture)
  }

  @Test func N12_typesAreKeptApart() throws {
    let json =
      #"{"userInfo":{"a":1,"b":1.0,"c":true,"d":{"$date":1},"e":{"$data":""},"f":[1e3,-0.0,{}]}}"#
    #expect(
      try Self.decode(json).userInfo == [
        "a": .integer(1), "b": .double(1), "c": .boolean(true),
        "d": .date(Instant(nanoseconds: 1000)), "e": .data([]),
        "f": .array([.double(1000), .double(0), .dictionary([:])]),
      ])
  }

  @Test func N12_base64IsFoundations() throws {
    let seed = TestSeed.here()
    var random = Seeded(seed: seed)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let theirs = Data(bytes).base64EncodedString()
      #expect(
        PropertyListCodec.encode(.data(bytes)) == ["$data": .string(theirs)], "seed \(seed)")
      let back = try Self.decode("{\"userInfo\":{\"a\":{\"$data\":\"\(theirs)\"}}}")
      #expect(back.userInfo["a"] == .data(bytes), "seed \(seed)")
    }
  }

  /// Rounded to what the wire carries.
  static func onTheWire(_ value: PropertyList) -> PropertyList {
    switch value {
    case .date(let instant): .date(Instant(microseconds: instant.microseconds)!)
    case .array(let elements): .array(elements.map { onTheWire($0) })
    case .dictionary(let pairs): .dictionary(pairs.mapValues { onTheWire($0) })
    default: value
    }
  }

  static func onTheWire(_ value: Notification) -> Notification {
    var value = value
    value.fireDate = value.fireDate.flatMap { Instant(microseconds: $0.microseconds) }
    value.expires = value.expires.flatMap { Instant(microseconds: $0.microseconds) }
    value.until = value.until.flatMap { Instant(microseconds: $0.microseconds) }
    value.tolerance = value.tolerance / 1000 * 1000
    value.exdate = value.exdate.map { Instant(microseconds: $0.microseconds)! }
    value.rdate = value.rdate.map { Instant(microseconds: $0.microseconds)! }
    value.userInfo = value.userInfo.mapValues { onTheWire($0) }
    value.alertLocalizationArgs = value.alertLocalizationArgs.map { onTheWire($0) }
    value.alertTitleLocalizationArgs = value.alertTitleLocalizationArgs.map { onTheWire($0) }
    return value
  }

  @Test func N1_encodingGoesThereAndBackAndIsCanonical() throws {
    let seed = TestSeed.here()
    var samples = Samples(random: Seeded(seed: seed))
    for _ in 0..<3000 {
      let notification = Self.onTheWire(samples.notification())
      let bytes = JSONValue.object(NotificationCodec.encode(notification)).encoded
      let back = try NotificationCodec.decodeContent(bytes)
      #expect(back == notification, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
      #expect(JSONValue.object(NotificationCodec.encode(back)).encoded == bytes, "seed \(seed)")
      var renamed = back
      renamed.identifier = "another"
      #expect(
        NotificationCodec.encodeContent(renamed) == NotificationCodec.encodeContent(notification))
    }
  }

  @Test func N12_theMeasuredSizeIsTheEncodedSize() {
    let seed = TestSeed.here()
    var samples = Samples(random: Seeded(seed: seed))
    for _ in 0..<3000 {
      let pairs = samples.members()
      let size = PropertyListCodec.encode(.dictionary(pairs)).encoded.count
      #expect(PropertyList.dictionary(pairs).encodedSize == size, "seed \(seed): \(pairs)")
    }
    let controls = String(String.UnicodeScalarView((1..<128).map { Unicode.Scalar(UInt8($0)) }))
    let key = ByteString("$\(controls)")
    let value = PropertyList.dictionary([key: .string(controls), "": .double(-0.0)])
    #expect(value.encodedSize == PropertyListCodec.encode(value).encoded.count)
  }

  @Test func N1_orderOfKeysAndMembersDoesNotMatter() throws {
    let one = try Self.decode(#"{"alertBody":"x","userInfo":{"b":1,"a":{"d":2,"c":3}},"volume":1}"#)
    let two = try Self.decode(#"{"userInfo":{"a":{"c":3,"d":2},"b":1},"alertBody":"x"}"#)
    #expect(NotificationCodec.encodeContent(one) == NotificationCodec.encodeContent(two))
  }

  /// Random damage to a good text: refused or read, never a trap, and what is read goes back.
  @Test func A4_damagedTextIsNeverATrap() throws {
    let seed = TestSeed.here()
    var samples = Samples(random: Seeded(seed: seed))
    for _ in 0..<3000 {
      var bytes = JSONValue.object(NotificationCodec.encode(samples.notification())).encoded
      for _ in 0..<Int.random(in: 1...4, using: &samples.random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &samples.random)
        switch Int.random(in: 0...2, using: &samples.random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &samples.random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: Array(#"{"$date":1}"#.utf8), at: place)
        }
      }
      guard let read = try? NotificationCodec.decodeContent(bytes) else { continue }
      #expect(
        try NotificationCodec.decodeContent(NotificationCodec.encodeContent(read)).userInfo
          == read.userInfo, "seed \(seed)")
    }
  }
}
