import BelfryCore
import Testing

@testable import BelfryWire

@Suite struct PushPruningTests {
  /// Every property, each of `weight` bytes or so.
  private func full(_ kind: CloudKind, weight: Int = 40) -> PushPayload {
    let text = String(repeating: "x", count: weight)
    var payload = PushPayload()
    (payload.alert.body, payload.alert.bodyKey) = (text, text)
    (payload.alert.title, payload.alert.titleKey) = (text, text)
    (payload.alert.subtitle, payload.alert.subtitleKey) = (text, text)
    payload.alert.bodyArguments = [.string(text)]
    payload.alert.titleArguments = [.string(text)]
    payload.alert.subtitleArguments = [.string(text)]
    (payload.alert.actionKey, payload.alert.launchImage) = (text, text)
    (payload.category, payload.threadIdentifier) = (text, text)
    payload.badge = 1
    payload.sound = PushSound(name: text)
    var cloud = CloudKitPayload()
    cloud.containerIdentifier = text
    cloud.notificationID = UUIDBits(high: 1, low: 2)
    cloud.kind = kind
    payload.cloud = cloud
    return payload
  }

  private var subject: CloudSubject {
    var subject = CloudSubject()
    (subject.zone, subject.zoneOwner, subject.subscription) = ("zone", "owner", "subscription")
    subject.scope = .shared
    return subject
  }

  /// All that can go, one more with each smaller limit.
  private func order(of payload: PushPayload) throws -> [PushProperty] {
    var dropped: [PushProperty] = []
    for limit in stride(from: payload.encoded.count, through: 0, by: -1) {
      guard let pruned = try? payload.pruned(to: limit) else { break }
      #expect(pruned.dropped.starts(with: dropped))
      dropped = pruned.dropped
    }
    return dropped
  }

  private let common: [PushProperty] = [
    .soundName, .category, .threadIdentifier, .alertLaunchImage, .alertActionLocalizationKey,
    .subtitle, .subtitleLocalizationArgs, .subtitleLocalizationKey, .title, .titleLocalizationArgs,
    .titleLocalizationKey, .alertBody, .alertLocalizationArgs, .alertLocalizationKey, .badge,
    .notificationID,
  ]

  @Test func P5_wholePropertiesGoInOrder() throws {
    var query = CloudQuery()
    query.record = "record"
    query.reason = .recordDeleted
    query.fields = ["bed": 12]
    query.subject = subject
    #expect(
      try order(of: full(.query(query)))
        == [
          .containerIdentifier, .recordID, .reason, .recordFields, .subscriptionID, .databaseScope,
        ] + common)
    #expect(
      try order(of: full(.recordZone(subject)))
        == [.containerIdentifier, .recordZoneID, .subscriptionID, .databaseScope] + common)
    #expect(
      try order(of: full(.database(subject)))
        == [.containerIdentifier, .subscriptionID, .databaseScope, .zoneName, .zoneOwnerName]
        + common)
    #expect(try order(of: full(.base)) == [.containerIdentifier] + common)
  }

  @Test func P5_whatFitsStaysAsItIs() throws {
    let payload = full(.base)
    let pruned = try payload.pruned(to: payload.encoded.count)
    #expect(pruned.payload == payload)
    #expect(pruned.dropped.isEmpty)
    #expect(!pruned.payload.cloud!.isPruned)
  }

  @Test func P5_whatWasLeftOutSetsP() throws {
    let payload = full(.base)
    let pruned = try payload.pruned(to: payload.encoded.count - 1)
    #expect(pruned.dropped == [.containerIdentifier])
    #expect(pruned.payload.cloud?.isPruned == true)
    #expect(pruned.payload.cloud?.containerIdentifier == nil)
  }

  @Test func P5_siblingsAreNeverCut() throws {
    var payload = full(.base)
    payload.siblings = ["notes": .string(String(repeating: "n", count: 300))]
    #expect(throws: FieldError.self) { try payload.pruned(to: 256) }
    let pruned = try payload.pruned(to: 2048)
    #expect(pruned.payload.siblings == payload.siblings)
    #expect {
      try payload.pruned(to: 256)
    } throws: { error in
      let error = error as? FieldError
      return error?.field == "payload" && error?.code == .tooLong
    }
  }

  @Test func P5_stringArgumentsAreCutTo100Characters() throws {
    var payload = PushPayload()
    // Characters, not bytes or scalars.
    let accented = String(repeating: "e\u{301}", count: 130)
    payload.alert.bodyKey = "K"
    payload.alert.bodyArguments = [.string("short"), .string(accented), .integer(7)]
    let pruned = try payload.pruned(to: 5120)
    #expect(pruned.cut == ["alertLocalizationArgs[1]"])
    #expect(
      pruned.payload.alert.bodyArguments
        == [.string("short"), .string(String(repeating: "e\u{301}", count: 100)), .integer(7)])
    #expect(pruned.payload.cloud == nil, "cut is not left out")
  }

  @Test func P5_randomPayloadsFitAndLoseNoMoreThanNeeded() throws {
    for seed in 1...400 {
      var random = RandomPush(seed: UInt64(seed))
      let payload = random.payload()
      var before: [PushProperty]?
      for limit in PushPayload.limits {
        guard let pruned = try? payload.pruned(to: limit) else {
          #expect(before == nil, "fitted \(limit) less bytes, seed \(seed)")
          continue
        }
        #expect(pruned.payload.encoded.count <= limit, "seed \(seed)")
        #expect(try PushPayload.read(pruned.payload.encoded).payload == pruned.payload)
        let places = pruned.dropped.map { PushProperty.allCases.firstIndex(of: $0)! }
        #expect(places == places.sorted(), "seed \(seed)")
        if let before { #expect(before.starts(with: pruned.dropped), "seed \(seed)") }
        before = pruned.dropped
      }
    }
  }
}
