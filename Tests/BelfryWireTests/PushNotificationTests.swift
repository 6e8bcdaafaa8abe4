import BelfryCore
import Testing

@testable import BelfryWire

/// From a payload to what is shown of it.
@Suite struct PushNotificationTests {
  private func draft(
    _ text: String, _ options: PushOptions = PushOptions()
  ) throws -> PushDraft {
    try PushPayload.read(Array(text.utf8)).draft(options)
  }

  private func shown(_ text: String) throws -> Notification {
    try draft(text).push.notification
  }

  // MARK: P4

  @Test func P4_aKeyTakesTheBodysPlaceAndItsArgumentsGoAlong() throws {
    let both = try shown(
      #"{"aps": {"alert": {"body": "b", "loc-key": "K", "loc-args": ["x", 2, 2.5]}}}"#)
    #expect(both.alertBody == "K")
    #expect(both.alertLocalizationArgs == [.string("x"), .integer(2), .double(2.5)])
    let literal = try shown(#"{"aps": {"alert": {"body": "b"}}}"#)
    #expect(literal.alertBody == "b" && literal.alertLocalizationArgs.isEmpty)
    #expect(try shown(#"{"aps": {"badge": 1}}"#).alertBody == nil)
  }

  @Test func P4_titlesHaveKeysToo() throws {
    let shown = try shown(
      """
      {"aps": {"alert": {"body": "b", "title": "t", "title-loc-key": "T", "title-loc-args": ["1"],
        "subtitle": "s", "subtitle-loc-args": [2]}}}
      """)
    #expect(shown.alertTitle == "T")
    #expect(shown.alertTitleLocalizationArgs == [.string("1")])
    #expect(shown.alertSubtitle == "s")
    #expect(shown.alertSubtitleLocalizationArgs == [.integer(2)])
  }

  @Test func P4_withoutAnActionsKeyThereIsOneButton() throws {
    let one = try shown(#"{"aps": {"alert": "x"}}"#)
    #expect(!one.hasAction && one.alertAction == nil)
    let two = try shown(#"{"aps": {"alert": {"body": "x", "action-loc-key": "OPEN"}}}"#)
    #expect(two.hasAction && two.alertAction == "OPEN")
  }

  @Test(
    arguments: [
      (#"{"aps": {"alert": "x"}}"#, 0, nil), (#"{"aps": {"badge": 0}}"#, 0, .clear),
      (#"{"aps": {"badge": 7}}"#, 7, nil), (#"{"aps": {"alert": {"badge": 0}}}"#, 0, .clear),
      (#"{"aps": {"alert": {"badge": 9}}}"#, 9, nil),
    ] as [(String, Int64, BadgeOperation?)])
  func P4_theBadgeStaysIsClearedOrSet(text: String, number: Int64, operation: BadgeOperation?)
    throws
  {
    let shown = try shown(text)
    #expect(shown.applicationIconBadgeNumber == number)
    #expect(shown.badgeOperation == operation)
  }

  @Test(
    arguments: [
      (#"{"sound": "a.caf"}"#, "a.caf", 1, .active), (#"{}"#, nil, 1, .active),
      (#"{"sound": {"name": "a.caf", "volume": 0.25}}"#, "a.caf", 0.25, .active),
      (#"{"sound": {"name": "a", "critical": 1}}"#, "a", 1, .critical),
      (
        #"{"sound": {"name": "a", "critical": 1}, "interruption-level": "passive"}"#, "a", 1,
        .critical
      ),
      (#"{"alert": {"sound": "default"}}"#, "default", 1, .active),
      (#"{"interruption-level": "time-sensitive"}"#, nil, 1, .timeSensitive),
      (
        #"{"sound": {"name": "a", "critical": 0}, "interruption-level": "passive"}"#, "a", 1,
        .passive
      ),
    ] as [(String, String?, Double, InterruptionLevel)])
  func P4_soundVolumeAndLevel(
    aps: String, name: String?, volume: Double, level: InterruptionLevel
  ) throws {
    let shown = try shown(#"{"aps": \#(aps)}"#)
    #expect(shown.soundName == name)
    #expect(shown.volume == volume)
    #expect(shown.interruptionLevel == level)
  }

  @Test func P4_theRestOfAps() throws {
    let shown = try shown(
      """
      {"aps": {"alert": {"launch-image": "l.png", "category": "ward"}, "thread-id": "beds"},
       "room": 7}
      """)
    #expect(shown.alertLaunchImage == "l.png")
    #expect(shown.category == "ward")
    #expect(shown.threadIdentifier == "beds")
    #expect(shown.userInfo.isEmpty)
    #expect(
      shown.push
        == #"{"aps":{"alert":{"launch-image":"l.png"},"category":"ward","thread-id":"beds"},"room":7}"#
    )
  }

  @Test func P1_whatTheCallerSays() throws {
    var options = PushOptions()
    options.id = UUIDBits(high: 1, low: 2)
    options.collapseID = "score"
    options.expiration = Instant(nanoseconds: 1_790_000_000_000_000_000)
    let own = try draft(#"{"aps": {"alert": "x", "content-available": 1}}"#, options).push
    #expect(own.id == options.id && own.container == "" && own.kind == 0)
    #expect(own.isContentAvailable)
    #expect(own.notification.identifier == "score")
    #expect(own.notification.expires == options.expiration)
    // The payload's own id counts before the caller's (P9).
    let nid = "2f9a4a4b-8b0c-4d3b-9f6e-0123456789ab"
    let cloud = try draft(
      #"{"ck": {"nid": "\#(nid)", "cid": "iCloud.w", "qry": {"fo": 1}}}"#, options
    ).push
    #expect(cloud.id == UUIDBits(text: nid) && cloud.container == "iCloud.w" && cloud.kind == 1)
    #expect(!cloud.isContentAvailable)
    #expect(try draft(#"{"ck": {"fet": {}}}"#).push.kind == 2)
    #expect(try draft(#"{"ck": {"met": {}}}"#).push.kind == 4)
    #expect(try draft(#"{"ck": {}}"#).push.id == nil)
  }

  @Test func P5_P6_pruningChangesWhatIsShownButNotWhoseItIs() throws {
    let nid = "2f9a4a4b-8b0c-4d3b-9f6e-0123456789ab"
    let long = String(repeating: "b", count: 300)
    let text =
      #"{"aps": {"alert": "\#(long)", "badge": 3, "sound": "s"}, "ck": {"nid": "\#(nid)", "cid": "w", "qry": {"rid": "r"}}}"#
    var options = PushOptions()
    options.limit = 256
    let draft = try draft(text, options)
    #expect(draft.dropped == [.containerIdentifier, .recordID, .soundName, .alertBody])
    #expect(draft.push.pruned == ["containerIdentifier", "recordID", "soundName", "alertBody"])
    #expect(draft.push.container == "w" && draft.push.id == UUIDBits(text: nid))
    #expect(draft.push.notification.alertBody == nil)
    #expect(draft.push.notification.soundName == nil)
    #expect(draft.push.notification.applicationIconBadgeNumber == 3)
    #expect(draft.payload.cloud?.isPruned == true)
    options.limit = 20
    #expect {
      try self.draft(#"{"aps": {}, "room": "a long word of the app's own"}"#, options)
    } throws: {
      ($0 as? FieldError)?.field == "payload"
    }
  }

  // MARK: P7

  @Test(
    arguments: [
      (#"{"ck": {"qry": {"rid": "r"}}}"#, []),
      (#"{"ck": {"p": 1, "cid": "c"}}"#, []),
      (#"{"ck": {"p": 1, "qry": {"fo": 1}}}"#, ["containerIdentifier", "recordID"]),
      (#"{"ck": {"p": 1, "fet": {"sid": "s"}}}"#, ["containerIdentifier", "recordZoneID"]),
      (
        #"{"ck": {"p": 1, "met": {"zoid": "o"}}}"#,
        ["containerIdentifier", "subscriptionID", "databaseScope", "zoneName"]
      ),
      (#"{"aps": {"sound": "s"}, "ck": {"p": 1}}"#, ["containerIdentifier"]),
      (
        #"{"aps": {"badge": 1}, "ck": {"p": 0}}"#,
        [
          "containerIdentifier", "soundName", "category", "threadIdentifier", "alertLaunchImage",
          "alertActionLocalizationKey", "subtitle", "subtitleLocalizationArgs",
          "subtitleLocalizationKey", "title", "titleLocalizationArgs", "titleLocalizationKey",
          "alertBody", "alertLocalizationArgs", "alertLocalizationKey",
        ]
      ),
    ] as [(String, [String])])
  func P7_whatIsMissingOfOneThatCamePruned(text: String, missing: [String]) throws {
    #expect(try draft(text).push.pruned == missing)
  }

  // MARK: Bad input

  @Test(
    arguments: [
      (#"{"aps": {"alert": "\#(long(20_000))"}}"#, "aps.alert", .tooLong),
      (#"{"aps": {"alert": {"body": "\#(long(20_000))"}}}"#, "aps.alert.body", .tooLong),
      (#"{"aps": {"alert": {"loc-key": "\#(long(20_000))"}}}"#, "aps.alert.loc-key", .tooLong),
      (#"{"aps": {"alert": {"title": "\#(long(2000))"}}}"#, "aps.alert.title", .tooLong),
      (
        #"{"aps": {"alert": {"title-loc-key": "\#(long(2000))"}}}"#, "aps.alert.title-loc-key",
        .tooLong
      ),
      (#"{"aps": {"alert": {"subtitle": "a\u0000b"}}}"#, "aps.alert.subtitle", .malformed),
      (
        #"{"aps": {"alert": {"action-loc-key": "\#(long(2000))"}}}"#, "aps.alert.action-loc-key",
        .tooLong
      ),
      (#"{"aps": {"sound": "/etc/passwd"}}"#, "aps.sound", .malformed),
      (#"{"aps": {"sound": {"name": "a/b"}}}"#, "aps.sound.name", .malformed),
      (#"{"aps": {"alert": {"sound": "a/b"}}}"#, "aps.alert.sound", .malformed),
      (#"{"aps": {"alert": {"sound": {"name": "a/b"}}}}"#, "aps.alert.sound.name", .malformed),
      (
        #"{"aps": {"alert": {"loc-key": "K", "loc-args": ["\#(long(17_000))"]}}}"#,
        "aps.alert.loc-args", .tooLong
      ),
      (#"{"ck": {"cid": "\#(long(300))"}}"#, "ck.cid", .tooLong),
      (#"{"ck": {"cid": "a\nb"}}"#, "ck.cid", .malformed),
      (
        #"{"aps": {}, "x": \#(nested(64))}"#, "x" + String(repeating: "[0]", count: 63), .outOfRange
      ),
      (#"{"aps": {}, "x": {"a b": \#(nested(63))}}"#, nil, .outOfRange),
    ] as [(String, String?, FieldError.Code)])
  func P1_whatCannotBeShownNamesItsPath(
    text: String, field: String?, code: FieldError.Code
  ) throws {
    #expect {
      try draft(text)
    } throws: { error in
      guard let error = error as? FieldError else { return false }
      if let field { #expect(error.field == field) }
      #expect(error.code == code)
      #expect(!error.reason.isEmpty && !error.reason.hasSuffix("."))
      return true
    }
  }

  @Test func P1_nestedAsDeepAsItMayBeItIsReadAgainEverywhere() throws {
    let draft = try draft(#"{"aps": {}, "x": \#(nested(63))}"#)
    var notification = draft.push.notification
    notification.identifier = "i"
    let content = NotificationCodec.encodeContent(notification)
    let stored = try NotificationCodec.decodeContent(content)
    #expect(stored.push == notification.push)
    let entry = InboxEntry(
      id: UUIDBits(high: 1, low: 2), position: 1, kind: 0, payload: notification.push,
      received: Instant(nanoseconds: 0))
    let page = InboxPage(entries: [entry], token: "t", moreComing: false)
    let message = Varlink.reply(page.parameters)
    #expect(throws: Never.self) { try JSONValue.parse(Array(message.dropLast())) }
  }

  @Test(arguments: ["", "a\u{1}b", String(repeating: "c", count: 129)])
  func P1_aBadCollapseIDIsNamed(id: String) {
    var options = PushOptions()
    options.collapseID = id
    #expect {
      try draft(#"{"aps": {"alert": "x"}}"#, options)
    } throws: {
      ($0 as? FieldError)?.field == "collapseId"
    }
  }

  @Test func P1_whatGrowsWhenItIsWrittenIsMeasuredThen() {
    // Each `1e15` becomes 18 bytes.
    let numbers = Array(repeating: "1e15", count: 10_000).joined(separator: ",")
    #expect {
      try draft(#"{"aps": {}, "x": [\#(numbers)]}"#)
    } throws: {
      ($0 as? FieldError)
        == FieldError(
          "payload", .tooLong, ($0 as? FieldError)?.reason ?? "")
    }
  }

  @Test func P1_anyPayloadEndsAsOneOrAsAnErrorWithItsPath() throws {
    var taken = 0
    for seed in 1...2000 {
      var random = RandomPush(seed: UInt64(seed))
      let payload = random.payload()
      let draft: PushDraft
      do throws(FieldError) {
        draft = try PushPayload.read(payload.encoded).draft()
      } catch {
        #expect(error.field.hasPrefix("aps.") || error.field.hasPrefix("ck."), "seed \(seed)")
        continue
      }
      let push = try #require(draft.push.notification.push)
      #expect(try PushPayload.read(Array(push.utf8)).payload == payload, "seed \(seed)")
      taken += 1
    }
    #expect(taken > 200)
  }
}

private func long(_ count: Int) -> String { String(repeating: "a", count: count) }

/// So many arrays within each other.
private func nested(_ count: Int) -> String {
  String(repeating: "[", count: count) + String(repeating: "]", count: count)
}
