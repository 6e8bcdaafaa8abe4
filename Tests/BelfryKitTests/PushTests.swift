import BelfryKit
import Foundation
import TestSupport
import Testing

/// Pushes and inboxes of a real daemon.
@Suite(.ownThreads) struct PushTests {
  let daemon: RunningDaemon
  let scheduler: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon(
      configuration: "[plugin:console]\nfile = console\n[limits]\ninbox = 10000\n")
    scheduler = BlockingScheduler(daemon.options(app: "clock"))
  }

  /// Sinks and states of what became of a push.
  private func outcome(_ id: UUID) throws -> [String] {
    try scheduler.history().filter { $0.identifier == id.uuidString.lowercased() }.map {
      "\($0.sink) \($0.state)"
    }
  }

  @Test func P1_P6_P7_aPayloadComesBackAsItWasSentAlsoAfterARestart() throws {
    let nid = UUID()
    let payload: [String: PushValue] = [
      "aps": ["alert": ["body": "Milk", "title": "List"], "badge": 3, "thread-id": "t"],
      "ck": ["nid": .string(nid.uuidString.lowercased()), "qry": ["rid": "r", "fo": 1, "x": nil]],
      "mine": ["a": [1, 1.5, true, nil, "é"], "empty": [:]],
    ]
    let outcome = try scheduler.push(payload)
    #expect(outcome.id == nid && !outcome.isDuplicate && outcome.occurrence != nil)
    #expect(outcome.pruned.isEmpty && outcome.cut.isEmpty)
    #expect(outcome.ignored.map { $0.path } == ["ck.qry.x"])
    try daemon.restart()
    let page = try scheduler.fetchInbox()
    let entry = try #require(page.entries.first)
    #expect(entry.id == nid && entry.kind == .query && entry.payload == payload)
    #expect(entry.isPruned && entry.pruned.isEmpty && page.entries.count == 1 && !page.moreComing)
    #expect(abs(entry.received.timeIntervalSinceNow) < 60)
    #expect(try scheduler.push(payload).isDuplicate)
  }

  @Test func P1_whateverIsTheAppsOwnComesBackEqual() throws {
    let seed = TestSeed.here()
    var random = SplitMix(state: seed)
    var sent: [UUID: [String: PushValue]] = [:]
    for number in 0..<300 {
      var payload: [String: PushValue] = ["aps": ["badge": .integer(Int64(number))]]
      payload["own"] = value(depth: 4, &random)
      sent[try scheduler.push(payload).id] = payload
    }
    var page = try scheduler.fetchInbox(limit: 37)
    var found = page.entries
    while page.moreComing {
      page = try scheduler.fetchInbox(since: page.token, limit: 37)
      found += page.entries
    }
    #expect(found.count == 300, "seed \(seed)")
    for entry in found { #expect(entry.payload == sent[entry.id], "seed \(seed)") }
  }

  private func value(depth: Int, _ random: inout SplitMix) -> PushValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: .null
    case 1: .boolean(Bool.random(using: &random))
    case 2: .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: .double(Double.random(in: -1e9...1e9, using: &random) + 0.5)
    case 4: .string("%@ \u{1F514} \"\\ \(random.next())")
    case 5: .string("")
    case 6:
      .array(
        (0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth - 1, &random) })
    default:
      .dictionary(
        Dictionary(
          (0..<Int.random(in: 0..<4, using: &random)).map {
            ("k\($0)", value(depth: depth - 1, &random))
          }, uniquingKeysWith: { $1 }))
    }
  }

  @Test func A4_P1_whatIsWrongIsNamed() throws {
    let wrong: [(String, [String: PushValue])] = [
      ("aps", [:]), ("aps", ["aps": [1]]), ("aps.badge", ["aps": ["badge": -1]]),
      ("aps.badge", ["aps": ["badge": "three"]]), ("aps.alert", ["aps": ["alert": 3]]),
      ("aps.sound.critical", ["aps": ["sound": ["name": "x", "critical": 7]]]),
      ("ck.nid", ["ck": ["nid": "no"]]), ("ck.fet", ["ck": ["qry": [:], "fet": [:]]]),
      ("a[1]", ["aps": [:], "a": [1, .double(.infinity)]]),
    ]
    for (field, payload) in wrong {
      #expect(throws: SchedulerError.self, "\(field)") { try scheduler.push(payload) }
      do { try scheduler.push(payload) } catch { #expect(error.field == field, "\(error)") }
    }
    for (json, field) in [
      ("{", "payload"), ("[]", "payload"), (#"{"aps":{"badge":1.5}}"#, "aps.badge"),
    ] {
      do {
        try scheduler.push(json: Data(json.utf8))
        Issue.record("taken: \(json)")
      } catch {
        #expect(error.field == field, "\(error)")
      }
    }
    #expect(try scheduler.fetchInbox().entries.isEmpty)
  }

  @Test func P6_aPushCannotBeScheduled() throws {
    var notification = LocalNotification(alertBody: "x", fireDate: Date(timeIntervalSinceNow: 60))
    notification.push = ["aps": [:]]
    let error = #expect(throws: SchedulerError.self) { try scheduler.schedule(notification) }
    #expect(error?.field == "push")
  }

  @Test func P7_tokensThatAreNoneAreForeign() throws {
    try scheduler.push(["aps": ["badge": 1]])
    let token = try scheduler.fetchInbox().token
    for (token, container) in [("", ""), ("no", ""), (token + "A", ""), (token, "other")] {
      let error = #expect(throws: SchedulerError.self) {
        try scheduler.fetchInbox(container: container, since: token)
      }
      #expect(error?.code == .tokenForeign && error?.field == "since")
    }
    let error = #expect(throws: SchedulerError.self) { try scheduler.fetchInbox(limit: 0) }
    #expect(error?.field == "limit")
  }

  @Test func P8_moreThanACallMayNameAreMarked() throws {
    let ids = try (0..<3).map { _ in try scheduler.push(["aps": ["badge": 1]]).id }
    let unknown = (0..<2500).map { _ in UUID() }
    let outcome = try scheduler.markRead([ids[0]] + unknown + [ids[2]])
    #expect(outcome.marked == [ids[0], ids[2]] && outcome.unknown == unknown)
    let page = try scheduler.fetchInbox()
    #expect(page.entries.map { $0.id } == [ids[1], ids[0], ids[2]])
    #expect(page.entries.map { $0.kind } == [.base, .readNotification, .readNotification])
    #expect(page.entries[1].payload == nil)
    #expect(try scheduler.markRead([]) == MarkReadOutcome(marked: [], unknown: []))
  }

  @Test func P5_theOutcomeSaysWhatWasLeftOut() throws {
    let long = PushValue.string(String(repeating: "é", count: 120))
    let outcome = try scheduler.push(
      [
        "aps": ["alert": ["loc-key": "K", "loc-args": ["a", long]]],
        "ck": ["cid": .string(String(repeating: "c", count: 200))],
      ], limit: 400)
    #expect(outcome.pruned == ["containerIdentifier"])
    #expect(outcome.cut == ["alertLocalizationArgs[1]"])
  }

  // MARK: Sessions

  private func open(_ state: AppState, _ delegate: RecordingDelegate) throws -> AppSession {
    let session = AppSession(daemon.options(app: "clock"), state: state, delegate: delegate)
    #expect(try session.openAndWait() == nil)
    return session
  }

  @Test func P6_D1_inTheForegroundTheAppGetsItsPayload() throws {
    let delegate = RecordingDelegate()
    let session = try open(.foreground, delegate)
    defer { session.close() }
    let payload: [String: PushValue] = ["aps": ["alert": "Door"], "door": "back"]
    let pushed = try scheduler.push(payload)
    try await_ { try outcome(pushed.id) == ["app received"] }
    let event = try #require(delegate.events.first)
    #expect(event.kind == .received && event.notification.push == payload)
    #expect(event.notification.alertBody == "Door" && event.notification.userInfo.isEmpty)
    #expect(event.occurrence == pushed.occurrence)
  }

  @Test func P1_D1_somethingNewComesToTheBackgroundAndTheRestIsShown() throws {
    let delegate = RecordingDelegate()
    let session = try open(.background, delegate)
    defer { session.close() }
    let shown = try scheduler.push(["aps": ["alert": "Door"]])
    try await_ { try outcome(shown.id) == ["console delivered"] }
    let silent: [String: PushValue] = ["aps": ["content-available": 1], "n": 1]
    try scheduler.push(silent)
    try await_ { !delegate.events.isEmpty }
    #expect(delegate.events.map { $0.notification.push } == [silent])
    let both: [String: PushValue] = ["aps": ["content-available": 1, "alert": "New"]]
    let pushed = try scheduler.push(both)
    try await_ { try outcome(pushed.id).contains("console delivered") }
    try await_ { delegate.events.count == 2 }
    #expect(delegate.events.last?.notification.push == both)
  }

  @Test func D3_D4_P6_whatTheUserDoesWithAPush() throws {
    let action = NotificationAction(identifier: "OPEN", title: "Open", activationMode: .background)
    try scheduler.register(
      .all, categories: [NotificationCategory(identifier: "DOOR", actions: [action])])
    let delegate = RecordingDelegate()
    let session = try open(.background, delegate)
    defer { session.close() }
    for (action, kind) in [("OPEN", AppEvent.Kind.handleAction), (nil, .activated)] {
      let payload: [String: PushValue] = ["aps": ["alert": "Door", "category": "DOOR"]]
      let pushed = try scheduler.push(payload)
      try await_ { try outcome(pushed.id) == ["console delivered"] }
      try scheduler.act(pushed.id.uuidString.lowercased(), action: action)
      try await_ { delegate.events.contains { $0.kind == kind } }
      #expect(delegate.events.last?.notification.push == payload)
      #expect(delegate.events.last?.action == action)
    }
  }

  // MARK: Code that awaits

  @Test func P6_P7_P8_whoAwaitsPushesFetchesAndMarks() async throws {
    let scheduler = Scheduler(daemon.options(app: "clock"))
    let ids = try await withThrowingTaskGroup(of: UUID.self) { group in
      for number in 0..<100 {
        group.addTask {
          let json = Data(#"{"aps": {"badge": \#(number)}}"#.utf8)
          return try await number % 2 == 0
            ? scheduler.push(["aps": ["badge": .integer(Int64(number))]]).id
            : scheduler.push(json: json).id
        }
      }
      return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
    }
    let page = try await scheduler.fetchInbox(limit: 1000)
    #expect(Set(page.entries.map { $0.id }) == ids && ids.count == 100)
    let marked = try await scheduler.markRead(Array(ids))
    #expect(Set(marked.marked) == ids && marked.unknown.isEmpty)
    let after = try await scheduler.fetchInbox(since: page.token, limit: 1000)
    #expect(after.entries.count == 100 && after.entries.allSatisfy { $0.kind == .readNotification })
  }
}

/// A daemon that is killed and restarted in the middle of pushes and marks.
@Suite(.serialized, .ownThreads) struct PushRestartTests {
  let daemon: RunningDaemon
  let scheduler: BlockingScheduler

  init() throws {
    daemon = try RunningDaemon(configuration: "[limits]\ninbox = 100000\n")
    scheduler = BlockingScheduler(daemon.options())
  }

  @Test func P9_pushingHappensOnce() throws {
    let unrest = Unrest(daemon)
    var sent: [UUID] = []
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.push(["aps": ["badge": .integer(Int64(number))]])
    } judge: { number, result in
      switch result {
      case .success(let outcome): sent.append(outcome.id)
      case .failure(let error): Issue.record("\(error.code) \(error), seed \(unrest.seed)")
      }
    }
    var page = try scheduler.fetchInbox(limit: 1000)
    var found = page.entries
    while page.moreComing {
      page = try scheduler.fetchInbox(since: page.token, limit: 1000)
      found += page.entries
    }
    #expect(found.map { $0.id } == sent, "seed \(unrest.seed)")
  }

  @Test func P8_markingHappens() throws {
    let ids = try (0..<400).map { try scheduler.push(["aps": ["badge": .integer(Int64($0))]]).id }
    let unrest = Unrest(daemon)
    var marked: Set<UUID> = []
    try unrest.harass { number throws(SchedulerError) in
      try scheduler.markRead([ids[number % 400]])
    } judge: { number, result in
      switch result {
      case .success(let outcome):
        #expect(outcome.unknown.isEmpty, "seed \(unrest.seed)")
        marked.insert(ids[number % 400])
      case .failure(let error): Issue.record("\(error.code) \(error), seed \(unrest.seed)")
      }
    }
    let entries = try scheduler.fetchInbox(limit: 1000).entries
    let marks = entries.filter { $0.kind == .readNotification }.map { $0.id }
    #expect(Set(marks) == marked && marks.count == marked.count, "seed \(unrest.seed)")
    #expect(entries.count == 400, "seed \(unrest.seed)")
  }
}
