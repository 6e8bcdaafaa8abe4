import BelfryCore
import BelfryWire

/// Which sound plays when (S6, S7, N21): a pure state machine, time comes as an argument.
///
/// Identical sounds due within 50 ms become one job; jobs follow each other, critical ones first, at
/// most 16 of them; one that cannot start within 30 s of its due is dropped.
public struct SoundQueue {
  public static let limit = 16
  static let together = 50 * Duration.millisecond
  static let patience = 30 * Duration.second
  static let busy = DeliveryAnswer.failed(reason: "sound-busy")

  /// A delivery that wants to be heard.
  public struct Request: Hashable, Sendable {
    public var token: UInt64
    public var occurrence: OccurrenceID
    public var app: String
    public var name: String
    /// Equal keys are the same sound.
    public var key: Word
    public var due: Instant
    public var handedOver: Instant
    public var isCritical: Bool
    /// 0 to 1.
    public var volume: Double

    public init(_ delivery: HandOver, name: String, key: Word) {
      let told = delivery.announcement
      token = delivery.token
      occurrence = told.id
      app = told.app
      self.name = name
      self.key = key
      // Each repetition is a sound of its own.
      due = delivery.repetition > 0 ? delivery.handedOver : told.due
      handedOver = delivery.handedOver
      isCritical = told.level == .critical
      volume = told.volume
    }
  }

  public enum Command: Hashable, Sendable {
    /// Start this job; answered by `started` and `finished`.
    case play(job: Int, app: String, name: String, volume: Double, deadline: Int64)
    /// Silence this job; `finished` must still come.
    case stop(job: Int)
    case started(token: UInt64, device: String, at: Instant)
    /// `at`: when it was first heard, or when this was decided.
    case answer(token: UInt64, DeliveryAnswer, at: Instant)
  }

  private struct Job {
    var id: Int
    var requests: [Request]
    var isCritical: Bool
    var volume: Double
    /// CLOCK_BOOTTIME after which it is no use.
    var deadline: Int64
    var started: (device: String, at: Instant)?

    var due: Instant { requests[0].due }
    var key: Word { requests[0].key }
  }

  private var waiting: [Job] = []
  private var playing: Job?
  /// The playing job was told to stop; nobody waits for its answer.
  private var isStopping = false
  /// What was last heard to its end, for a twin that comes after it.
  private var last: (key: Word, due: Instant, answer: DeliveryAnswer, at: Instant)?
  private var jobs = 0

  public init() {}

  public var isIdle: Bool { playing == nil && waiting.isEmpty }

  /// When `tick` is next due, CLOCK_BOOTTIME; nil: never.
  public var deadline: Int64? {
    waiting.map { $0.deadline }.min()
  }

  /// The job that is playing, for a watchdog.
  public var playingJob: Int? { playing?.id }

  /// A delivery came.
  public mutating func add(_ request: Request, now: Now) -> [Command] {
    if let last, last.key == request.key, Self.together(last.due, request.due) {
      return [.answer(token: request.token, last.answer, at: last.at)]
    }
    if !isStopping, let job = playing, job.key == request.key, Self.together(job.due, request.due) {
      playing?.requests.append(request)
      guard let started = job.started else { return [] }
      return [.started(token: request.token, device: started.device, at: started.at)]
    }
    for index in waiting.indices
    where waiting[index].key == request.key && Self.together(waiting[index].due, request.due) {
      waiting[index].requests.append(request)
      waiting[index].volume = max(waiting[index].volume, request.volume)
      waiting[index].isCritical = waiting[index].isCritical || request.isCritical
      return []
    }
    return enqueue(request, now) + begin(now)
  }

  private mutating func enqueue(_ request: Request, _ now: Now) -> [Command] {
    var commands: [Command] = []
    let audible = playing != nil && !isStopping ? 1 : 0
    if waiting.count + audible >= Self.limit {
      guard request.isCritical, let victim = waiting.lastIndex(where: { !$0.isCritical }) else {
        return [.answer(token: request.token, Self.busy, at: now.real)]
      }
      commands = answers(waiting.remove(at: victim), Self.busy, now)
    }
    // Handed over late (T10): its patience counts from the hand-over.
    let since = now.real.nanoseconds(since: max(request.due, request.handedOver))
    let left = Self.patience - min(max(since, 0), Self.patience)
    jobs += 1
    waiting.append(
      Job(
        id: jobs, requests: [request], isCritical: request.isCritical, volume: request.volume,
        deadline: now.elapsed + left))
    // Due together with what just began: the critical one goes first, the other begins again.
    if request.isCritical, let job = playing, !isStopping, !job.isCritical,
      Self.together(job.due, request.due)
    {
      commands.append(.stop(job: job.id))
      isStopping = true
      jobs += 1
      var again = job
      again.id = jobs
      again.started = nil
      waiting.insert(again, at: 0)
    }
    return commands
  }

  /// The first frames of `job` went to `device`.
  public mutating func started(job: Int, device: String, now: Now) -> [Command] {
    guard let current = playing, current.id == job, !isStopping else { return [] }
    playing?.started = (device, now.real)
    return current.requests.map { .started(token: $0.token, device: device, at: now.real) }
  }

  /// `job` has ended.
  public mutating func finished(job: Int, _ answer: DeliveryAnswer, now: Now) -> [Command] {
    guard let ended = playing, ended.id == job else { return [] }
    playing = nil
    var commands: [Command] = []
    if !isStopping {
      commands = answers(ended, answer, now)
      last = (ended.key, ended.due, answer, ended.started?.at ?? now.real)
    }
    isStopping = false
    return commands + begin(now)
  }

  /// The occurrence was withdrawn: it is not heard any more (N15).
  public mutating func withdraw(_ occurrence: OccurrenceID, now: Now) -> [Command] {
    end(now, note: "withdrawn") { $0.occurrence == occurrence }
  }

  /// Silence, of one app or (nil) of all (S7).
  public mutating func stop(app: String?, now: Now) -> [Command] {
    let app = app.map { Word($0) }
    return end(now, note: "stopped") { app == nil || Word($0.app) == app }
  }

  private mutating func end(
    _ now: Now, note: String, _ isMeant: (Request) -> Bool
  ) -> [Command] {
    var commands: [Command] = []
    var kept: [Job] = []
    for var job in waiting {
      for request in job.requests where isMeant(request) {
        commands.append(
          .answer(token: request.token, .done(note: "\(note) before it was heard"), at: now.real))
      }
      job.requests.removeAll(where: isMeant)
      if !job.requests.isEmpty { kept.append(job) }
    }
    waiting = kept
    if let job = playing, !isStopping {
      let note = job.started == nil ? "\(note) before it was heard" : note
      for request in job.requests where isMeant(request) {
        let at = job.started?.at ?? now.real
        commands.append(.answer(token: request.token, .done(note: note), at: at))
      }
      let rest = job.requests.filter { !isMeant($0) }
      if rest.isEmpty {
        isStopping = true
        commands.append(.stop(job: job.id))
      } else {
        playing?.requests = rest
      }
    }
    return commands
  }

  /// Drops what has waited too long.
  public mutating func tick(now: Now) -> [Command] {
    var commands: [Command] = []
    for job in waiting where job.deadline <= now.elapsed {
      commands += answers(job, Self.busy, now)
    }
    waiting.removeAll { $0.deadline <= now.elapsed }
    return commands + begin(now)
  }

  private mutating func begin(_ now: Now) -> [Command] {
    guard playing == nil, !waiting.isEmpty else { return [] }
    let job = waiting.remove(at: waiting.firstIndex { $0.isCritical } ?? 0)
    playing = job
    return [
      .play(
        job: job.id, app: job.requests[0].app, name: job.requests[0].name, volume: job.volume,
        deadline: job.deadline)
    ]
  }

  private func answers(_ job: Job, _ answer: DeliveryAnswer, _ now: Now) -> [Command] {
    job.requests.map {
      .answer(token: $0.token, answer, at: job.started?.at ?? now.real)
    }
  }

  private static func together(_ left: Instant, _ right: Instant) -> Bool {
    let distance = left.nanoseconds(since: right)
    return -together <= distance && distance <= together
  }
}
