import Testing

@testable import BelfryCore

/// The list alone, without a scheduler around it.
@Suite struct SnoozeListTests {
  private var list = SnoozeList()
  private var turn = TurnBench()

  private func occurrence(_ uuid: UInt64, generation: Int64 = 0) -> Occurrence {
    var notification = Notification()
    notification.identifier = "n\(uuid)"
    return Occurrence(
      id: OccurrenceID(uuid: UUIDBits(high: 0, low: uuid), generation: generation, k: 0),
      app: "app", notification: notification, due: turn.now.real)
  }

  private mutating func snooze(_ uuid: UInt64, _ seconds: Int64, app: AppNumber = 1) throws {
    _ = try list.snooze(
      occurrence(uuid), for: seconds * Nanoseconds.second, of: app, isSynchronised: false,
      &turn.turn)
  }

  private func due(isClockWrong: Bool = false) -> [String?] {
    list.due(at: turn.now, isClockWrong: isClockWrong).map { $0.occurrence.notification.identifier }
  }

  @Test mutating func D11_whatIsSnoozedComesInOrderOfItsDue() throws {
    try snooze(1, 60)
    try snooze(2, 30)
    #expect(due().isEmpty)
    #expect(
      list.nextWake(at: turn.now, lead: 0, isClockWrong: false) { _ in 0 }.elapsed
        == turn.now.elapsed + 30 * Nanoseconds.second)
    turn.pass(seconds: 60)
    #expect(due() == ["n2", "n1"])
    for entry in list.due(at: turn.now, isClockWrong: false) { list.remove(entry) }
    #expect(list.isEmpty)
  }

  @Test mutating func T9_aStepOfTheRealClockMovesNothing() throws {
    try snooze(1, 60)
    turn.pass(seconds: 61, realSeconds: 90_000)
    let entry = try #require(list.due(at: turn.now, isClockWrong: true).first)
    #expect(
      entry.occurrence(at: turn.now).due == turn.now.real.advanced(by: -Nanoseconds.second))
  }

  @Test mutating func A2_anAppHasAtMost64() throws {
    for number in 1...64 { try snooze(UInt64(number), 60) }
    #expect(throws: RequestError.limitReached(limit: "snoozes", value: 64)) {
      try snooze(65, 60)
    }
    try snooze(65, 60, app: 2)
    list.removeAll(of: 1)
    #expect(!list.hasAny(of: 1) && list.hasAny(of: 2))
  }

  @Test mutating func N19_whatExpiresBeforeIsRefused() {
    var shown = occurrence(1)
    shown.notification.expires = turn.now.real.advanced(by: 10 * Nanoseconds.second)
    #expect(throws: RequestError.self) {
      _ = try list.snooze(
        shown, for: Nanoseconds.minute, of: 1, isSynchronised: false, &turn.turn)
    }
    #expect(list.isEmpty && turn.takeCommands().isEmpty)
  }

  @Test mutating func D7_theSameOneSnoozedAgainReplacesTheFormer() throws {
    try snooze(1, 60)
    try snooze(1, 90)
    #expect(list.count == 1)
    let recorded = turn.takeRecords().compactMap { operation in
      if case .record(.snooze(let stored)) = operation { stored.occurrence.id.snooze } else { nil }
    }
    #expect(recorded == [1, 1])
  }

  @Test mutating func N1_whatReplacesItRemovesIt() throws {
    try snooze(1, 60)
    try snooze(2, 60)
    #expect(list.removeAll(before: occurrence(1).id).isEmpty)
    let gone = list.removeAll(before: occurrence(1, generation: 1).id)
    #expect(gone.map { $0.occurrence.notification.identifier } == ["n1"])
    #expect(list.removeAll(.identifiers(["n2"]), of: 2).isEmpty)
    #expect(list.removeAll(.identifiers(["n2"]), of: 1).count == 1)
  }

  @Test mutating func N15_pagesGoOnAfterTheirCursor() throws {
    for number in 1...5 { try snooze(UInt64(number), 60, app: number % 2 == 0 ? 2 : 1) }
    let (first, next) = list.page(of: nil, after: 0, limit: 3)
    #expect(first.count == 3)
    let (rest, end) = list.page(of: nil, after: try #require(next), limit: 3)
    #expect(rest.count == 2 && end == nil)
    #expect(list.page(of: [2], after: 0, limit: 9).0.count == 2)
  }

  /// In another boot it is due after what was left when the earlier one was last heard of.
  @Test mutating func T9_afterARebootWhatWasLeftCounts() throws {
    let relative = RelativeTime(
      made: 100 * Nanoseconds.second, due: 200 * Nanoseconds.second, boot: 7, isSynchronised: false)
    list.resume(
      StoredSnooze(occurrence(1), app: 1, relative: relative), lastHeard: 150 * Nanoseconds.second,
      isSuspect: false, &turn.turn)
    turn.pass(seconds: 49)
    #expect(due().isEmpty)
    turn.pass(seconds: 1)
    #expect(due() == ["n1"])
    #expect(list.due(at: turn.now, isClockWrong: false).first?.isSuspect == false)
    #expect(turn.takeRecords().count == 1)
  }

  /// By a synchronised clock it goes by its date, and waits while the clock is known to be wrong.
  @Test mutating func T9_whatGoesByTheRealClockIsHeldWhileThatIsWrong() throws {
    let relative = RelativeTime(made: 0, due: 1, boot: 7, isSynchronised: true)
    list.resume(
      StoredSnooze(occurrence(1), app: 1, relative: relative), lastHeard: nil, isSuspect: true,
      &turn.turn)
    // T9: what is held is not prepared.
    #expect(list.prepare(within: 0, at: turn.now, isClockWrong: true).isEmpty)
    #expect(due(isClockWrong: true).isEmpty)
    #expect(due() == ["n1"])
    #expect(list.due(at: turn.now, isClockWrong: false).first?.isSuspect == true)
    let wake = list.nextWake(at: turn.now, lead: 0, isClockWrong: true) { _ in 0 }
    #expect(wake.elapsed == nil && wake.real == nil)
  }

  private mutating func prepare() -> [SnoozeList.Entry] {
    list.prepare(within: 10 * Nanoseconds.second, at: turn.now, isClockWrong: false)
  }

  @Test mutating func T11_eachIsPreparedOnce() throws {
    try snooze(1, 60)
    #expect(prepare().isEmpty)
    #expect(
      list.nextAlarm(at: turn.now, lead: 10 * Nanoseconds.second) { _ in true }
        == turn.now.real.advanced(by: 50 * Nanoseconds.second))
    turn.pass(seconds: 55)
    #expect(prepare().count == 1)
    #expect(prepare().isEmpty)
    #expect(list.nextAlarm(at: turn.now, lead: 10 * Nanoseconds.second) { _ in true } == nil)
  }
}
