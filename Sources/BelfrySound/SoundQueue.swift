import BelfryCore
import BelfryWire

/// Which sound plays when (S6, S7, N21): a pure state machine, time comes as an argument.
///
/// Identical sounds due within 50 ms become one job; jobs follow each other, the critical ones first,
/// then the timeSensitive ones, and within each of these users take turns (`SoundTurns`). One that
/// cannot start within 30 s of its due is dropped, unless it is critical. A critical sound interrupts a
/// lesser one, which begins again if it still can.
public struct SoundQueue {
  /// So many lesser sounds may wait, of one user and in all. How many critical ones come at a time is
  /// the clock's to bound.
  static let maxOfUser = 4
  static let most = 64
  static let together = 50 * Nanoseconds.millisecond
  static let timeout = 30 * Nanoseconds.second
  static let busy = DeliveryAnswer.failed(reason: "sound-busy")
  static let interruption = "interrupted by a critical sound"

  public enum Command: Hashable, Sendable {
    /// Start this job; answered by `started` and `finished`.
    case play(
      job: Int, app: String, name: String, volume: Double, deadline: Int64, fade: SoundFade? = nil)
    /// Silence this job; `finished` must still come.
    case stop(job: Int)
    /// To be told to the clock, also where it is only a sign of life: `device` nil.
    case started(token: UInt64, device: String?, at: Instant)
    /// `at`: when it was first heard, or when this was decided.
    case answer(token: UInt64, DeliveryAnswer, at: Instant)
  }

  private var waiting: [Job] = []
  private var playing: Job?
  /// The playing job was told to stop; nobody waits for its answer.
  private var isStopping = false
  /// What was last heard to its end, for a twin that comes after it.
  private var last:
    (
      key: ByteString, due: Instant, volume: Double, fade: SoundFade?, answer: DeliveryAnswer,
      at: Instant
    )?
  private var jobs = 0
  private var turns = SoundTurns()

  public init() {}

  public var isIdle: Bool { playing == nil && waiting.isEmpty }

  /// When `tick` is next due, CLOCK_BOOTTIME; nil: never.
  public var deadline: Int64? {
    waiting.map { $0.deadline }.min().flatMap { $0 == .max ? nil : $0 }
  }

  // MARK: What comes

  /// A delivery came.
  public mutating func add(_ request: Request, now: ClockReading) -> [Command] {
    // A twin that is louder would hardly be heard in a softer one.
    if let last, last.key == request.key, Self.together(last.due, request.due),
      request.volume <= last.volume, last.fade == nil || last.fade == request.fade,
      last.answer != Self.busy
    {
      return [.answer(token: request.token, last.answer, at: last.at)]
    }
    if !isStopping, let job = playing, job.isSame(as: request), job.isLoudEnough(for: request) {
      playing?.requests.append(request)
      guard let started = job.started else { return [] }
      return [.started(token: request.token, device: started.device, at: started.at)]
    }
    if let place = waiting.firstIndex(where: { $0.isSame(as: request) }) {
      waiting[place].requests.append(request)
      waiting[place].volume = max(waiting[place].volume, request.volume)
      if waiting[place].fade != request.fade { waiting[place].fade = nil }
      return interrupt()
    }
    return enqueue(request, now) + begin(now) + interrupt()
  }

  private mutating func enqueue(_ request: Request, _ now: ClockReading) -> [Command] {
    jobs += 1
    var job = Job(
      id: jobs, requests: [request], volume: request.volume, timeout: request.deadline(now))
    job.fade = request.fade
    job.arrival = playing == nil ? turns.last + 1 : turns.last
    let excess = SoundTurns.excess(waiting, and: job)
    waiting.append(job)
    // What plays next does not wait.
    guard let excess, playing != nil else { return [] }
    let gone = waiting.remove(at: excess)
    return answers(gone, gone.inVain, now)
  }

  /// The first frames of `job` went to `device`.
  public mutating func started(job: Int, device: String, now: ClockReading) -> [Command] {
    guard let current = playing, current.id == job, !isStopping else { return [] }
    playing?.started = (device, now.real)
    return current.requests.map { .started(token: $0.token, device: device, at: now.real) }
  }

  /// `job` has ended.
  public mutating func finished(job: Int, _ answer: DeliveryAnswer, now: ClockReading) -> [Command]
  {
    guard let ended = playing, ended.id == job else { return [] }
    playing = nil
    var commands: [Command] = []
    if isStopping {
      isStopping = false
    } else if answer == Self.busy, ended.isCritical {
      commands = tryAgain(ended, now)
    } else {
      commands = answers(ended, Self.noted(answer, ended), now)
      last = (
        ended.key, ended.due, ended.volume, ended.fade, answer, ended.started?.at ?? now.real
      )
    }
    return commands + begin(now)
  }

  /// The device was taken all the time: critical ones go on trying.
  private mutating func tryAgain(_ job: Job, _ now: ClockReading) -> [Command] {
    var again = renewed(job)
    var commands: [Command] = []
    for request in job.requests where request.urgency != .critical {
      commands.append(.answer(token: request.token, job.inVain, at: job.heard ?? now.real))
    }
    again.requests.removeAll { $0.urgency != .critical }
    waiting.insert(again, at: 0)
    return commands
      + again.requests.map { .started(token: $0.token, device: nil, at: now.real) }
  }

  /// It was interrupted, and has been heard to its end now.
  private static func noted(_ answer: DeliveryAnswer, _ job: Job) -> DeliveryAnswer {
    guard job.interrupted != nil, case .done(let note) = answer else { return answer }
    return .done(note: (note.map { $0 + "; " } ?? "") + interruption + ", then played again")
  }

  // MARK: Turns

  private mutating func begin(_ now: ClockReading) -> [Command] {
    guard playing == nil, let place = turns.next(waiting) else { return [] }
    let job = waiting.remove(at: place)
    playing = job
    turns.take(job)
    let first = job.requests[0]
    return [
      .play(
        job: job.id, app: first.app, name: first.name, volume: job.volume,
        deadline: job.isCritical ? now.elapsed + Self.timeout : job.deadline, fade: job.fade)
    ]
  }

  /// What plays makes room for a critical one, and begins again if it still can.
  private mutating func interrupt() -> [Command] {
    guard let job = playing, !isStopping, !job.isCritical,
      waiting.contains(where: { $0.isCritical })
    else { return [] }
    isStopping = true
    var again = renewed(job)
    // Due together, it merely began too early.
    if waiting.contains(where: { $0.isCritical && Self.together($0.due, job.due) }) {
      again.interrupted = job.interrupted
    }
    waiting.insert(again, at: 0)
    return [.stop(job: job.id)]
  }

  /// The same to begin once more.
  private mutating func renewed(_ job: Job) -> Job {
    jobs += 1
    var again = job
    again.id = jobs
    again.interrupted = job.heard
    again.started = nil
    return again
  }

  // MARK: Silence

  /// The occurrence was withdrawn: it is not heard any more (N15).
  public mutating func withdraw(_ occurrence: OccurrenceID, now: ClockReading) -> [Command] {
    end(now, note: "withdrawn") { $0.occurrence == occurrence }
  }

  /// Silence, of one app or (nil) of all (S7).
  public mutating func stop(app: String?, now: ClockReading) -> [Command] {
    let app = app.map { ByteString($0) }
    return end(now, note: "stopped") { app == nil || ByteString($0.app) == app }
  }

  private mutating func end(
    _ now: ClockReading, note: String, _ isMeant: (Request) -> Bool
  ) -> [Command] {
    var commands: [Command] = []
    var kept: [Job] = []
    for var job in waiting {
      commands += ends(job, note, now, isMeant)
      job.requests.removeAll(where: isMeant)
      if !job.requests.isEmpty { kept.append(job) }
    }
    waiting = kept
    if let job = playing, !isStopping {
      commands += ends(job, note, now, isMeant)
      let rest = job.requests.filter { !isMeant($0) }
      if rest.isEmpty {
        isStopping = true
        commands.append(.stop(job: job.id))
      } else {
        playing?.requests = rest
        commands += interrupt()
      }
    }
    return commands
  }

  private func ends(
    _ job: Job, _ note: String, _ now: ClockReading, _ isMeant: (Request) -> Bool
  ) -> [Command] {
    let answer: DeliveryAnswer =
      job.heard == nil ? .silenced(reason: "\(note) before it was heard") : .done(note: note)
    return job.requests.filter(isMeant).map {
      .answer(token: $0.token, answer, at: job.heard ?? now.real)
    }
  }

  /// Drops what has waited too long.
  public mutating func tick(now: ClockReading) -> [Command] {
    var commands: [Command] = []
    for job in waiting where job.deadline <= now.elapsed {
      commands += answers(job, job.inVain, now)
    }
    waiting.removeAll { $0.deadline <= now.elapsed }
    return commands + begin(now)
  }

  private func answers(_ job: Job, _ answer: DeliveryAnswer, _ now: ClockReading) -> [Command] {
    job.requests.map { .answer(token: $0.token, answer, at: job.heard ?? now.real) }
  }

  static func together(_ left: Instant, _ right: Instant) -> Bool {
    let distance = left.nanoseconds(since: right)
    return -together <= distance && distance <= together
  }
}
