import BelfryCore
import BelfryWire
import TestSupport
import Testing

@testable import BelfrySound

/// A queue with a clock of its own, and what it said.
struct Bench {
  var queue = SoundQueue()
  var now = ClockReading(real: Instant(nanoseconds: 1_000_000 * Nanoseconds.second), elapsed: 0)
  var played: [String] = []
  var stopped: [Int] = []
  var answers: [UInt64: DeliveryAnswer] = [:]
  var started: [UInt64] = []
  var heardAt: [UInt64: Instant] = [:]
  /// The last job that was told to play.
  var job = 0

  mutating func pass(_ nanoseconds: Int64) {
    now.real = now.real.advanced(by: nanoseconds)
    now.elapsed += nanoseconds
    take(queue.tick(now: now))
  }

  mutating func ask(
    _ token: UInt64, _ name: String, app: String = "a", due: Int64 = 0, late: Int64 = 0,
    critical: Bool = false, level: InterruptionLevel? = nil, owner: UInt32 = 1000,
    volume: Double = 1
  ) {
    let id = OccurrenceID(uuid: UUIDBits(high: 0, low: token), generation: 0, k: 0)
    var told = DeliveryContent(id: id, app: app, due: now.real.advanced(by: due - late))
    told.volume = volume
    var delivery = DeliveryMessage(
      token: token, parts: .sound, handedOver: now.real, deliveryContent: told)
    delivery.level = level ?? (critical ? .critical : .active)
    delivery.owner = owner
    take(queue.add(SoundQueue.Request(delivery, name: name, key: ByteString(name)), now: now))
  }

  mutating func begin() { take(queue.started(job: job, device: "d", now: now)) }

  mutating func end(_ answer: DeliveryAnswer = .done(note: "d")) {
    take(queue.finished(job: job, answer, now: now))
  }

  mutating func withdraw(_ token: UInt64) {
    let id = OccurrenceID(uuid: UUIDBits(high: 0, low: token), generation: 0, k: 0)
    take(queue.withdraw(id, now: now))
  }

  mutating func stop(_ app: String? = nil) { take(queue.stop(app: app, now: now)) }

  private mutating func take(_ commands: [SoundQueue.Command]) {
    for command in commands {
      switch command {
      case .play(let job, _, let name, _, _, _):
        self.job = job
        played.append(name)
      case .stop(let job): stopped.append(job)
      case .started(let token, _, _): started.append(token)
      case .answer(let token, let answer, let at):
        #expect(answers[token] == nil, "\(token) is answered once")
        answers[token] = answer
        heardAt[token] = at
      }
    }
  }
}

private let heard = DeliveryAnswer.done(note: "d")
private let busy = DeliveryAnswer.failed(reason: "sound-busy")

struct SoundQueueTests {
  @Test func S6_identicalSoundsDueWithin50MillisecondsSoundOnce() {
    var bench = Bench()
    bench.ask(1, "bell")
    bench.ask(2, "bell", due: 50 * Nanoseconds.millisecond)
    bench.begin()
    bench.ask(3, "bell", due: -50 * Nanoseconds.millisecond)
    bench.ask(4, "bell", due: 51 * Nanoseconds.millisecond)
    #expect(bench.started == [1, 2, 3])
    bench.end()
    #expect(bench.played == ["bell", "bell"])
    #expect(bench.answers == [1: heard, 2: heard, 3: heard])
    bench.end()
    #expect(bench.answers[4] == heard)
  }

  @Test func S6_aTwinOfASoundThatHasJustEndedIsAnsweredToo() {
    var bench = Bench()
    bench.ask(1, "click")
    bench.begin()
    bench.end()
    bench.pass(20 * Nanoseconds.millisecond)
    bench.ask(2, "click")
    #expect(bench.played == ["click"])
    #expect(bench.answers[2] == heard)
    bench.pass(Nanoseconds.second)
    bench.ask(3, "click")
    #expect(bench.played == ["click", "click"])
  }

  @Test func N21_differentSoundsFollowEachOtherInOrder() {
    var bench = Bench()
    for (token, name) in ["a", "b", "c"].enumerated() { bench.ask(UInt64(token), name) }
    for _ in 0..<3 { bench.end() }
    #expect(bench.played == ["a", "b", "c"])
    #expect(bench.answers.count == 3)
    #expect(bench.queue.isIdle)
  }

  @Test func S6_aCriticalOneInterruptsALesserOneWhichBeginsAgain() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.begin()
    bench.pass(Nanoseconds.second)
    bench.ask(2, "b")
    bench.ask(3, "c", critical: true)
    #expect(bench.stopped == [1])
    bench.ask(4, "d", critical: true)
    bench.end(.done(note: "stopped"))
    #expect(bench.stopped == [1], "a critical one does not interrupt another")
    for _ in 0..<4 { bench.end() }
    #expect(bench.played == ["a", "c", "d", "a", "b"])
    #expect(
      bench.answers == [
        1: .done(note: "d; interrupted by a critical sound, then played again"), 2: heard,
        3: heard, 4: heard,
      ])
  }

  @Test func S6_whatWasInterruptedAndCannotBeginAgainWasHeardInPart() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.begin()
    let at = bench.now.real
    bench.pass(Nanoseconds.second)
    bench.ask(2, "alarm", critical: true)
    bench.end(.done(note: "stopped"))
    bench.begin()
    bench.pass(29 * Nanoseconds.second)
    #expect(bench.answers == [1: .done(note: "interrupted by a critical sound")])
    #expect(bench.heardAt[1] == at)
    bench.end()
    #expect(bench.played == ["a", "alarm"])
    #expect(bench.queue.isIdle)
  }

  @Test func S6_aCriticalOneNeverEndsSoundBusy() {
    var bench = Bench()
    for token in 1...40 {
      bench.ask(UInt64(token), "\(token)", critical: true, owner: token < 40 ? 1000 : 1001)
    }
    #expect(bench.answers.isEmpty)
    bench.pass(Nanoseconds.hour)
    #expect(bench.answers.isEmpty)
    #expect(bench.queue.deadline == nil)
    // The device is taken by another program: it is tried again, and the clock hears of it.
    bench.end(busy)
    #expect(bench.answers.isEmpty)
    #expect(bench.started == [1])
    bench.end()
    // Users take turns among critical ones too.
    #expect(bench.played.prefix(3) == ["1", "40", "1"])
    for _ in 0..<40 { bench.end() }
    #expect(Set(bench.played).count == 40)
    #expect(bench.answers.values.allSatisfy { $0 == heard })
  }

  @Test func S6_aCriticalTwinOfALesserSoundMakesItCritical() {
    var bench = Bench()
    bench.ask(1, "long", owner: 1001)
    bench.ask(2, "bell")
    bench.ask(3, "bell", critical: true, owner: 1001)
    #expect(bench.stopped == [1])
    bench.end(.done(note: "stopped"))
    #expect(bench.played == ["long", "bell"])
    bench.ask(4, "other", critical: true)
    #expect(bench.stopped == [1])
    bench.pass(31 * Nanoseconds.second)
    #expect(bench.answers == [1: busy])
  }

  /// Or somebody could have a loud alarm sound softly by asking for the same a moment before.
  @Test func S6_aLouderTwinIsNotHeardInASofterOne() {
    var bench = Bench()
    bench.ask(1, "bell", volume: 0)
    bench.begin()
    bench.ask(2, "bell", owner: 1001)
    bench.end()
    #expect(bench.played == ["bell", "bell"])
    bench.end()
    bench.ask(3, "bell", volume: 0.5)
    #expect(bench.played.count == 2)
    #expect(bench.answers == [1: heard, 2: heard, 3: heard])
  }

  @Test func S6_aCriticalOneDueTogetherOvertakesWhatHasJustBegun() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.begin()
    bench.ask(2, "alarm", critical: true)
    #expect(bench.stopped == [1])
    bench.end(.done(note: "stopped"))
    #expect(bench.played == ["a", "alarm"])
    bench.end()
    bench.end()
    #expect(bench.played == ["a", "alarm", "a"])
    #expect(bench.answers == [1: heard, 2: heard])
  }

  @Test func S6_fourOfAUserWaitAndTheNewestOfHisOwnGoes() {
    var bench = Bench()
    for token in 1...5 { bench.ask(UInt64(token), "\(token)") }
    #expect(bench.answers.isEmpty)
    bench.ask(6, "6")
    #expect(bench.answers == [6: busy])
    bench.ask(7, "7", owner: 1001)
    #expect(bench.answers == [6: busy])
    // The least urgent of his own goes for a more urgent one.
    bench.ask(8, "8", level: .timeSensitive)
    #expect(bench.answers == [6: busy, 5: busy])
    bench.ask(9, "9", critical: true)
    bench.end(.done(note: "stopped"))
    #expect(bench.answers == [6: busy, 5: busy])
    for _ in 0..<7 { bench.end() }
    #expect(bench.played == ["1", "9", "8", "7", "1", "2", "3", "4"])
    #expect(bench.queue.isIdle)
  }

  @Test func S6_sixtyFourWaitInAllAndWhoHasLeastFindsRoom() {
    var bench = Bench()
    bench.ask(1, "plays", owner: 1)
    for token: UInt64 in 2...65 {
      bench.ask(token, "\(token)", owner: UInt32(1000 + (token - 2) / 4))
    }
    #expect(bench.answers.isEmpty)
    bench.ask(66, "66", owner: 1)
    // One of those who have four, and of his the newest.
    #expect(bench.answers == [65: busy])
    bench.ask(67, "67", owner: 1)
    #expect(bench.answers == [65: busy, 61: busy])
    bench.ask(68, "68", critical: true, owner: 2)
    #expect(bench.answers.count == 2)
  }

  @Test func S6_sixtyFiveUsersLeaveOneOutAndItIsNotTheMoreUrgent() {
    var bench = Bench()
    bench.ask(1, "plays", owner: 1)
    for token: UInt64 in 2...65 { bench.ask(token, "\(token)", owner: UInt32(token)) }
    bench.ask(66, "66", owner: 66)
    #expect(bench.answers == [66: busy])
    bench.ask(67, "67", level: .timeSensitive, owner: 67)
    #expect(bench.answers == [66: busy, 65: busy])
  }

  @Test(arguments: [InterruptionLevel.critical, .timeSensitive, .active])
  func S6_usersTakeTurns(level: InterruptionLevel) {
    var bench = Bench()
    for token: UInt64 in 1...3 { bench.ask(token, "a\(token)", level: level, owner: 1) }
    for token: UInt64 in 4...5 { bench.ask(token, "b\(token)", level: level, owner: 2) }
    for _ in 0..<5 { bench.end() }
    #expect(bench.played == ["a1", "b4", "a2", "b5", "a3"])
  }

  @Test func S6_timeSensitiveGoesBeforeTheRest() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.ask(2, "b")
    bench.ask(3, "c", level: .timeSensitive)
    bench.ask(4, "d", owner: 1001)
    bench.ask(5, "e", level: .timeSensitive, owner: 1001)
    for _ in 0..<5 { bench.end() }
    #expect(bench.played.prefix(3) == ["a", "c", "e"])
  }

  /// Anybody may call his sounds timeSensitive: a flood of them would silence everybody's alarms.
  @Test func S6_aFloodOfTimeSensitiveSoundsLeavesOthersTheirTurn() {
    var bench = Bench()
    var token: UInt64 = 0
    var heardAfter: Int64?
    for step in 0..<600 {
      // 20 a second, each of 2 s.
      token += 1
      bench.ask(token, "flood \(token)", level: .timeSensitive, owner: 1)
      if step == 200 { bench.ask(100_000, "alarm", owner: 2) }
      bench.pass(50 * Nanoseconds.millisecond)
      if step % 40 == 39 { bench.end() }
      if heardAfter == nil, bench.played.last == "alarm" { heardAfter = Int64(step - 200) }
    }
    #expect(heardAfter.map { $0 <= 40 } ?? false, "\(String(describing: heardAfter))")
  }

  @Test func S6_whatCannotStartWithin30SecondsOfItsDueIsDropped() {
    var bench = Bench()
    bench.ask(1, "long")
    bench.begin()
    bench.ask(2, "waits")
    bench.pass(30 * Nanoseconds.second - 1)
    #expect(bench.answers.isEmpty)
    #expect(bench.queue.deadline == bench.now.elapsed + 1)
    bench.pass(1)
    #expect(bench.answers == [2: busy])
    bench.end()
    #expect(bench.played == ["long"])
  }

  /// A late one (T10) would otherwise never be heard.
  @Test func S6_aLateSoundWaits30SecondsFromItsHandOver() {
    var bench = Bench()
    bench.ask(1, "long")
    bench.ask(2, "late", late: Nanoseconds.hour)
    bench.pass(29 * Nanoseconds.second)
    bench.end()
    #expect(bench.played == ["long", "late"])
  }

  @Test func S7_stopSilencesWhatPlaysAndWhatWaits() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.begin()
    bench.ask(2, "b")
    bench.stop()
    #expect(bench.stopped == [1])
    #expect(bench.answers[1] == .done(note: "stopped"))
    #expect(bench.answers[2] == .silenced(reason: "stopped before it was heard"))
    // The player has not let go yet: a new sound waits for it.
    bench.ask(3, "c")
    #expect(bench.played == ["a"])
    bench.end(.done(note: "stopped"))
    #expect(bench.played == ["a", "c"])
    bench.end()
    #expect(bench.answers[3] == heard)
  }

  @Test func S7_stopOfOneAppLeavesTheOthers() {
    var bench = Bench()
    bench.ask(1, "a", app: "x")
    bench.ask(2, "a", app: "y")
    bench.ask(3, "b", app: "x")
    bench.stop("x")
    #expect(bench.stopped.isEmpty)
    #expect(bench.answers.keys.sorted() == [1, 3])
    bench.end()
    #expect(bench.answers[2] == heard)
  }

  @Test func N15_withdrawingStopsTheSoundPlayingOrQueued() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.begin()
    bench.ask(2, "b")
    bench.withdraw(2)
    #expect(bench.answers == [2: .silenced(reason: "withdrawn before it was heard")])
    bench.withdraw(1)
    #expect(bench.stopped == [1])
    bench.end(.done(note: "stopped"))
    #expect(bench.answers[1] == .done(note: "withdrawn"))
    #expect(bench.queue.isIdle)
  }

  @Test func S5_aFailureIsTheAnswerOfAllThatWaitedForTheSound() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.ask(2, "a")
    bench.end(.failed(reason: "no-device"))
    #expect(bench.answers == [1: .failed(reason: "no-device"), 2: .failed(reason: "no-device")])
  }

  /// Whatever comes, every delivery is answered exactly once (the bench checks it).
  @Test func S6_everyDeliveryIsAnsweredOnce() {
    let seed = TestSeed.here()
    var random = Xorshift(state: seed)
    var bench = Bench()
    var asked: UInt64 = 0
    for _ in 0..<20_000 {
      switch random.next() % 10 {
      case 0...3:
        asked += 1
        bench.ask(
          asked, "\(random.next() % 5)", app: "\(random.next() % 3)",
          late: Int64(random.next() % 40) * Nanoseconds.millisecond,
          level: InterruptionLevel.allCases[Int(random.next() % 4)],
          owner: UInt32(random.next() % 3), volume: Double(random.next() % 2))
      case 4: bench.begin()
      case 5, 6: bench.end()
      case 7: bench.withdraw(random.next() % (asked + 1))
      case 8: bench.pass(Int64(random.next() % 9) * Nanoseconds.second)
      default: if random.next() % 8 == 0 { bench.stop("\(random.next() % 3)") }
      }
    }
    for _ in 0..<1000 where !bench.queue.isIdle { bench.end() }
    #expect(bench.queue.isIdle, "seed \(seed)")
    #expect(bench.answers.count == Int(asked), "seed \(seed)")
  }
}
