import BelfryCore
import BelfryWire
import Testing

@testable import BelfrySound

/// A queue with a clock of its own, and what it said.
struct Bench {
  var queue = SoundQueue()
  var now = Now(real: Instant(nanoseconds: 1_000_000 * Duration.second), elapsed: 0)
  var played: [String] = []
  var stopped: [Int] = []
  var answers: [UInt64: DeliveryAnswer] = [:]
  var started: [UInt64] = []
  /// The last job that was told to play.
  var job = 0

  mutating func pass(_ nanoseconds: Int64) {
    now.real = now.real.advanced(by: nanoseconds)
    now.elapsed += nanoseconds
    take(queue.tick(now: now))
  }

  mutating func ask(
    _ token: UInt64, _ name: String, app: String = "a", due: Int64 = 0, late: Int64 = 0,
    critical: Bool = false, volume: Double = 1
  ) {
    let id = OccurrenceID(uuid: UUIDBits(high: 0, low: token), generation: 0, k: 0)
    var told = Announcement(id: id, app: app, due: now.real.advanced(by: due - late))
    told.level = critical ? .critical : .active
    told.volume = volume
    let delivery = HandOver(token: token, parts: .sound, handedOver: now.real, announcement: told)
    take(queue.add(SoundQueue.Request(delivery, name: name, key: Word(name)), now: now))
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
      case .play(let job, _, let name, _, _):
        self.job = job
        played.append(name)
      case .stop(let job): stopped.append(job)
      case .started(let token, _, _): started.append(token)
      case .answer(let token, let answer, _):
        #expect(answers[token] == nil, "\(token) is answered once")
        answers[token] = answer
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
    bench.ask(2, "bell", due: 50 * Duration.millisecond)
    bench.begin()
    bench.ask(3, "bell", due: -50 * Duration.millisecond)
    bench.ask(4, "bell", due: 51 * Duration.millisecond)
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
    bench.pass(20 * Duration.millisecond)
    bench.ask(2, "click")
    #expect(bench.played == ["click"])
    #expect(bench.answers[2] == heard)
    bench.pass(Duration.second)
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

  @Test func S6_criticalOnesGoFirst() {
    var bench = Bench()
    bench.ask(1, "a")
    bench.pass(Duration.second)
    bench.ask(2, "b")
    bench.ask(3, "c", critical: true)
    bench.ask(4, "d", critical: true)
    for _ in 0..<4 { bench.end() }
    #expect(bench.played == ["a", "c", "d", "b"])
    #expect(bench.stopped.isEmpty)
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

  @Test func S6_sixteenAtMost() {
    var bench = Bench()
    for token in 1...16 { bench.ask(UInt64(token), "\(token)") }
    #expect(bench.answers.isEmpty)
    bench.ask(17, "17")
    #expect(bench.answers == [17: busy])
    // A critical one takes the place of the last that is not.
    bench.pass(Duration.second)
    bench.ask(18, "18", critical: true)
    #expect(bench.answers == [17: busy, 16: busy])
    for _ in 0..<16 { bench.end() }
    #expect(bench.played.prefix(3) == ["1", "18", "2"])
    #expect(bench.played.count == 16)
    #expect(bench.queue.isIdle)
  }

  @Test func S6_whatCannotStartWithin30SecondsOfItsDueIsDropped() {
    var bench = Bench()
    bench.ask(1, "long")
    bench.begin()
    bench.ask(2, "waits")
    bench.pass(30 * Duration.second - 1)
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
    bench.ask(2, "late", late: Duration.hour)
    bench.pass(29 * Duration.second)
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
    #expect(bench.answers[2] == .done(note: "stopped before it was heard"))
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
    #expect(bench.answers == [2: .done(note: "withdrawn before it was heard")])
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
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = Xorshift(state: seed)
    var bench = Bench()
    var asked: UInt64 = 0
    for _ in 0..<20_000 {
      switch random.next() % 10 {
      case 0...3:
        asked += 1
        bench.ask(
          asked, "\(random.next() % 5)", app: "\(random.next() % 3)",
          late: Int64(random.next() % 40) * Duration.millisecond,
          critical: random.next() % 5 == 0)
      case 4: bench.begin()
      case 5, 6: bench.end()
      case 7: bench.withdraw(random.next() % (asked + 1))
      case 8: bench.pass(Int64(random.next() % 9) * Duration.second)
      default: if random.next() % 8 == 0 { bench.stop("\(random.next() % 3)") }
      }
    }
    for _ in 0..<40 where !bench.queue.isIdle { bench.end() }
    #expect(bench.queue.isIdle, "seed \(seed)")
    #expect(bench.answers.count == Int(asked), "seed \(seed)")
  }
}
