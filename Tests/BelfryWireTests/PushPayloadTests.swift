import BelfryCore
import Testing

@testable import BelfryWire

@Suite struct PushPayloadTests {
  private func read(_ text: String) throws -> ParsedPush {
    try PushPayload.read(Array(text.utf8))
  }

  // MARK: P1

  @Test func P1_everyPropertyOfAps() throws {
    let payload = try read(
      """
      {"aps": {"alert": {"body": "b", "title": "t", "subtitle": "s", "title-loc-key": "T",
        "title-loc-args": ["1"], "subtitle-loc-key": "S", "subtitle-loc-args": [2],
        "loc-key": "K", "loc-args": ["a", 3, 2.5], "action-loc-key": "GO", "launch-image": "l.png"},
        "badge": 4, "sound": {"name": "bell.caf", "volume": 0.5, "critical": 1}, "category": "c",
        "content-available": 1, "thread-id": "th", "interruption-level": "time-sensitive"},
       "room": {"number": 7}}
      """
    ).payload
    var alert = PushAlert()
    (alert.body, alert.title, alert.subtitle) = ("b", "t", "s")
    (alert.bodyKey, alert.titleKey, alert.subtitleKey) = ("K", "T", "S")
    alert.bodyArguments = [.string("a"), .integer(3), .double(2.5)]
    alert.titleArguments = [.string("1")]
    alert.subtitleArguments = [.integer(2)]
    (alert.actionKey, alert.launchImage) = ("GO", "l.png")
    #expect(payload.alert == alert)
    #expect(payload.badge == 4)
    #expect(payload.sound?.name == "bell.caf")
    #expect(payload.sound?.volume == 0.5)
    #expect(payload.sound?.isCritical == true)
    #expect(payload.category == "c")
    #expect(payload.contentAvailable)
    #expect(payload.threadIdentifier == "th")
    #expect(payload.interruptionLevel == .timeSensitive)
    #expect(payload.siblings == ["room": ["number": 7]])
    #expect(payload.cloud == nil)
  }

  @Test func P1_anAlertMayBeAString() throws {
    let reading = try read(#"{"aps": {"alert": "Tea", "badge": 180, "sound": "default"}}"#)
    #expect(reading.payload.alert.body == "Tea")
    #expect(reading.payload.badge == 180)
    #expect(reading.payload.sound == PushSound(name: "default"))
    #expect(reading.ignored.isEmpty)
  }

  @Test func P1_badgeSoundAndCategoryInsideAlertCountUnlessTheyStandBeside() throws {
    let inside = try read(
      #"{"aps": {"alert": {"body": "x", "badge": 3, "sound": "a.caf", "category": "c"}}}"#)
    #expect(inside.payload.badge == 3)
    #expect(inside.payload.sound?.name == "a.caf")
    #expect(inside.payload.category == "c")
    #expect(inside.ignored.isEmpty)
    let both = try read(#"{"aps": {"badge": 5, "alert": {"badge": 3, "sound": "a.caf"}}}"#)
    #expect(both.payload.badge == 5)
    #expect(both.payload.sound?.name == "a.caf")
    #expect(both.ignored.map(\.path) == ["aps.alert.badge"])
  }

  @Test func P1_whatHasNoMeaningIsKeptAndNamed() throws {
    let reading = try read(
      """
      {"aps": {"mutable-content": 1, "alert": {"body": "x", "colour": "red"},
        "sound": {"name": "s", "pitch": 2}}, "ck": {"ce": 2, "met": {"aux": {}}}}
      """)
    #expect(
      reading.ignored.map(\.path) == [
        "aps.alert.colour", "aps.sound.pitch", "aps.mutable-content", "ck.met.aux", "ck.ce",
      ])
    let written = JSONValue.object(reading.payload.object)
    #expect(written["aps"]?["mutable-content"] == 1)
    #expect(written["aps"]?["alert"]?["colour"] == "red")
    #expect(written["ck"]?["met"]?["aux"] == [:])
  }

  @Test func P1_ofThousandsWithoutAMeaningAHundredAreNamed() throws {
    let members = (0..<3000).map { "\"x\($0)\":1" }.joined(separator: ",")
    let reading = try read("{\"aps\": {\(members)}}")
    #expect(reading.ignored.count == 101)
    #expect(reading.ignored.last?.path == "payload")
    #expect(reading.ignored.last?.reason.hasPrefix("2900 others") == true)
    #expect(reading.payload.unknown.members.count == 3000)
  }

  @Test func P1_whatIsOddButPlainIsTakenAsMeantAndNamed() throws {
    let reading = try read(
      """
      {"aps": {"alert": "Fire", "badge": "3", "content-available": true,
        "sound": {"name": "a.wav", "volume": "0.5", "critical": true}},
       "ck": {"qry": {"fo": "2", "dbs": "1"}}}
      """)
    #expect(reading.payload.badge == 3)
    #expect(reading.payload.contentAvailable)
    #expect(reading.payload.sound?.volume == 0.5)
    #expect(reading.payload.sound?.isCritical == true)
    guard case .query(let query) = reading.payload.cloud?.kind else {
      Issue.record("no query")
      return
    }
    #expect(query.reason == .recordUpdated && query.subject.scope == .private)
    #expect(
      reading.odd.map(\.path).sorted() == [
        "aps.badge", "aps.content-available", "aps.sound.critical", "aps.sound.volume",
        "ck.qry.dbs", "ck.qry.fo",
      ])
    #expect(reading.ignored.isEmpty)
  }

  @Test(
    arguments: [
      (#"1.0"#, 1), (#""1.0""#, 1), ("true", 1), ("false", 0), (#""0""#, 0), ("3e0", 3),
      ("null", nil),
    ] as [(String, Int64?)])
  func P1_aBadgeInOddForms(text: String, badge: Int64?) throws {
    #expect(try read("{\"aps\": {\"alert\": \"x\", \"badge\": \(text)}}").payload.badge == badge)
    let inside = "{\"aps\": {\"alert\": {\"body\": \"x\", \"badge\": \(text)}}}"
    #expect(try read(inside).payload.badge == badge)
  }

  @Test(arguments: [#""""#, #"{"name": "", "critical": 1}"#])
  func P1_anEmptySoundIsNone(sound: String) throws {
    let reading = try read("{\"aps\": {\"alert\": \"Fire\", \"sound\": \(sound)}}")
    #expect(reading.payload.sound == nil)
    #expect(reading.payload.alert.body == "Fire")
    #expect(reading.odd.count == 1)
    #expect(reading.odd.first?.path.hasPrefix("aps.sound") == true)
    #expect(try reading.draft().push.notification.soundName == nil)
  }

  @Test func P2_whoOwnsTheSubscriptionHasAMeaning() throws {
    let reading = try read(#"{"ck": {"ckuserid": "_0b", "fet": {}}}"#)
    #expect(reading.payload.cloud?.subscriptionOwner == "_0b")
    #expect(reading.ignored.isEmpty)
    #expect(try PushPayload.read(reading.payload.encoded).payload == reading.payload)
  }

  // MARK: P2, P3

  @Test(arguments: [
    (#"{"ck": {}}"#, 0), (#"{"ck": {"nid": "2F9A4A4B-8B0C-4D3B-9F6E-0123456789ab"}}"#, 0),
    (#"{"ck": {"qry": {"fo": 1}}}"#, 1), (#"{"ck": {"fet": {"zid": "z"}}}"#, 2),
    (#"{"ck": {"met": {}}}"#, 4), (#"{"ck": {"qry": null, "met": {}}}"#, 4),
  ])
  func P2_theSubDictionaryDecidesTheKind(text: String, number: Int) throws {
    let payload = try read(text).payload
    #expect(payload.cloud?.kind.number == Int64(number))
  }

  @Test func P2_pPresentMeansPruned() throws {
    for (text, isPruned) in [
      (#"{"ck": {"p": 1}}"#, true), (#"{"ck": {"p": 0}}"#, true), (#"{"ck": {}}"#, false),
    ] {
      #expect(try read(text).payload.cloud?.isPruned == isPruned)
    }
  }

  @Test func P3_aQueryWithItsFields() throws {
    let payload = try read(
      """
      {"aps": {"content-available": 1}, "ck": {"cid": "iCloud.org.example.ward",
        "nid": "2f9a4a4b-8b0c-4d3b-9f6e-0123456789ab", "qry": {"fo": 2, "rid": "r", "zid": "z",
        "zoid": "o", "sid": "s", "dbs": 2, "af": {"bed": 12, "name": "Ada"}}}}
      """
    ).payload
    let cloud = try #require(payload.cloud)
    guard case .query(let query) = cloud.kind else {
      Issue.record("no query")
      return
    }
    #expect(cloud.containerIdentifier == "iCloud.org.example.ward")
    #expect(cloud.notificationID?.text == "2f9a4a4b-8b0c-4d3b-9f6e-0123456789ab")
    #expect(query.reason == .recordUpdated)
    #expect(query.record == "r")
    #expect(query.fields == ["bed": 12, "name": "Ada"])
    #expect(query.subject.zone == "z")
    #expect(query.subject.zoneOwner == "o")
    #expect(query.subject.subscription == "s")
    #expect(query.subject.scope == .public)
    #expect(payload.contentAvailable)
    #expect(payload.alert.isEmpty)
  }

  @Test(arguments: [(1, DatabaseScope.private), (2, .public), (3, .shared)])
  func P3_scopesByTheirNumbersOnTheWire(number: Int, scope: DatabaseScope) throws {
    let payload = try read(#"{"ck": {"met": {"dbs": \#(number)}}}"#).payload
    guard case .database(let subject) = payload.cloud?.kind else {
      Issue.record("no database notification")
      return
    }
    #expect(subject.scope == scope)
  }

  // MARK: P4

  @Test func P4_aKeyTakesTheTextsPlace() throws {
    let reading = try read(#"{"aps": {"alert": {"body": "b", "loc-key": "K", "title": "t"}}}"#)
    #expect(reading.ignored.map(\.path) == ["aps.alert.body"])
    #expect(reading.payload.alert.body == "b")
  }

  // MARK: Bad input

  @Test(
    arguments: [
      ("[1]", "payload", .wrongType), ("nonsense", "payload", .malformed),
      ("", "payload", .malformed),
      ("{}", "aps", .missing), (#"{"room": 1}"#, "aps", .missing),
      (#"{"aps": null}"#, "aps", .missing), (#"{"aps": []}"#, "aps", .wrongType),
      (#"{"aps": {"alert": 7}}"#, "aps.alert", .wrongType),
      (#"{"aps": {"alert": {"body": 7}}}"#, "aps.alert.body", .wrongType),
      (#"{"aps": {"alert": {"loc-args": "a"}}}"#, "aps.alert.loc-args", .wrongType),
      (#"{"aps": {"alert": {"loc-args": ["a", null]}}}"#, "aps.alert.loc-args[1]", .wrongType),
      (#"{"aps": {"badge": -1}}"#, "aps.badge", .outOfRange),
      (#"{"aps": {"badge": 1.5}}"#, "aps.badge", .wrongType),
      (#"{"aps": {"badge": 1000000000000}}"#, "aps.badge", .outOfRange),
      (#"{"aps": {"badge": 1e30}}"#, "aps.badge", .outOfRange),
      (#"{"aps": {"badge": "three"}}"#, "aps.badge", .wrongType),
      (#"{"aps": {"badge": ""}}"#, "aps.badge", .wrongType),
      (#"{"aps": {"badge": "1.5"}}"#, "aps.badge", .wrongType),
      (#"{"aps": {"badge": "-1"}}"#, "aps.badge", .outOfRange),
      (#"{"aps": {"badge": "true"}}"#, "aps.badge", .wrongType),
      (#"{"aps": {"badge": [3]}}"#, "aps.badge", .wrongType),
      (#"{"aps": {"alert": {"badge": "3x"}}}"#, "aps.alert.badge", .wrongType),
      (#"{"aps": {"badge": 1, "alert": {"badge": -3}}}"#, "aps.alert.badge", .outOfRange),
      (#"{"aps": {"sound": 1}}"#, "aps.sound", .wrongType),
      (#"{"aps": {"sound": {}}}"#, "aps.sound.name", .missing),
      (#"{"aps": {"alert": {"sound": {"name": 1}}}}"#, "aps.alert.sound.name", .wrongType),
      (#"{"aps": {"content-available": 2}}"#, "aps.content-available", .outOfRange),
      (#"{"aps": {"content-available": "yes"}}"#, "aps.content-available", .wrongType),
      (#"{"aps": {}, "ck": 1}"#, "ck", .wrongType),
      (#"{"ck": {"nid": "17"}}"#, "ck.nid", .malformed),
      (#"{"ck": {"qry": {}, "met": {}}}"#, "ck.met", .conflict),
      (#"{"ck": {"qry": {}, "fet": {}}}"#, "ck.fet", .conflict),
      (#"{"ck": {"qry": []}}"#, "ck.qry", .wrongType),
      (#"{"ck": {"qry": {"fo": 4}}}"#, "ck.qry.fo", .outOfRange),
      (#"{"ck": {"qry": {"fo": "x"}}}"#, "ck.qry.fo", .wrongType),
      (#"{"ck": {"qry": {"af": []}}}"#, "ck.qry.af", .wrongType),
      (#"{"ck": {"fet": {"dbs": 0}}}"#, "ck.fet.dbs", .outOfRange),
      (#"{"aps": {"badge": 1, "badge": 2}}"#, "aps.badge", .malformed),
    ] as [(String, String, FieldError.Code)])
  func P1_badInputNamesItsPath(text: String, field: String, code: FieldError.Code) {
    #expect {
      try read(text)
    } throws: { error in
      guard let error = error as? FieldError else { return false }
      #expect(error.field == field)
      #expect(error.code == code)
      #expect(!error.reason.isEmpty && !error.reason.hasSuffix("."))
      return true
    }
  }

  @Test func P1_aPathHasNoControlCharacters() {
    for key in [#"\u001b[31m"#, "\u{7F}aps", #"a\u0000"#] {
      #expect {
        try read("{\"\(key)\": {\"x\": nonsense}}")
      } throws: { error in
        guard let error = error as? FieldError else { return false }
        return !error.field.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      }
    }
  }

  @Test func P1_hostileBytesAreRefused() {
    let deep = String(repeating: "[", count: 10_000)
    let inputs: [[UInt8]] = [
      Array(#"{"aps": {}, "x": "#.utf8) + Array(deep.utf8),
      Array(#"{"aps": {"alert": ""#.utf8) + [0xFF, 0xFE] + Array(#""}}"#.utf8),
      Array(#"{"aps": {"alert": ""#.utf8) + [UInt8](repeating: 0x61, count: 1 << 20)
        + Array(#""}}"#.utf8),
    ]
    for input in inputs {
      #expect(throws: FieldError.self) { try PushPayload.read(input) }
    }
  }

  // MARK: Writing

  @Test func P1_whatIsWrittenReadsTheSame() throws {
    for seed in 1...2000 {
      var random = RandomPush(seed: UInt64(seed))
      let payload = random.payload()
      let reading = try PushPayload.read(payload.encoded)
      #expect(reading.payload == payload, "seed \(seed)")
      #expect(reading.payload.encoded == payload.encoded, "seed \(seed)")
    }
  }

  @Test func P1_theOrderOfMembersSaysNothing() throws {
    for seed in 1...300 {
      var random = RandomPush(seed: UInt64(seed))
      let payload = random.payload()
      let reversed = JSONValue.object(payload.object).reversedMembers.encoded
      #expect(try PushPayload.read(reversed).payload == payload, "seed \(seed)")
    }
  }
}

extension JSONValue {
  /// The same with all members in the opposite order, but for what lies inside unknown ones.
  fileprivate var reversedMembers: JSONValue {
    guard case .object(let object) = self else { return self }
    var reversed = JSONObject()
    for member in object.members.reversed() {
      let isOwn = ["aps", "ck", "alert", "sound", "qry", "fet", "met"].contains(member.name)
      reversed.append(member.name, isOwn ? member.value.reversedMembers : member.value)
    }
    return .object(reversed)
  }
}
