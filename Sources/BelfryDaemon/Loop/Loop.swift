import BelfryCore
import BelfrySystem

/// The clock's loop: one thread, one epoll, one timer a clock; sleeps until something happens.
///
/// Not Sendable: everything here belongs to the thread that calls `run`.
public final class Loop {
  public typealias Handler = (Readiness) -> Void

  /// A descriptor under watch.
  public struct Watch: Hashable {
    fileprivate var place: UInt32
    fileprivate var life: UInt32
    fileprivate var token: UInt64 { UInt64(life) << 32 | UInt64(place) }
  }

  /// What the loop does after a burst.
  public enum Pace: Hashable {
    /// It sleeps until something happens.
    case wait
    /// There is more to do: it looks for what is ready, and does not sleep.
    case again
    /// The same until that instant of the real clock, which then counts as a timer that ran out.
    case watch(until: Instant)
  }

  private struct Place {
    var life: UInt32 = 0
    var handler: Handler?
  }

  private let epoll: Epoll
  private let real: TimerDescriptor
  private let elapsed: TimerDescriptor
  /// Wakes a sleeping board (T11); nil: it cannot be woken.
  private let alarm: Alarm?
  /// Why it cannot.
  public let alarmRefusal: SystemError?
  private var paths: [Place] = []
  private var free: [UInt32] = []
  private var armedReal = Instant.distantPast
  private var armedElapsed: Int64?
  private var armedAlarm: Instant?
  /// The real timer is set ahead of what is due, so that its delay tells what waking costs.
  private var isAhead = false
  var early = EarlyWake(isWanted: false)
  private var isStopping = false

  private static let realToken = UInt64.max
  private static let elapsedToken = UInt64.max - 1
  private static let alarmToken = UInt64.max - 2

  public init() throws(SystemError) {
    epoll = try Epoll()
    real = try TimerDescriptor(.real)
    elapsed = try TimerDescriptor(.elapsed)
    do throws(SystemError) {
      alarm = Alarm(timer: try TimerDescriptor(.alarm))
      alarmRefusal = nil
    } catch {
      alarm = nil
      alarmRefusal = error
    }
    try epoll.add(real.descriptor.raw, .readable, token: Loop.realToken)
    try epoll.add(elapsed.descriptor.raw, .readable, token: Loop.elapsedToken)
    if let raw = alarm?.timer.descriptor.raw {
      try epoll.add(raw, .readable, token: Loop.alarmToken)
    }
    // Armed far ahead also when nothing is due: only an armed timer tells of a step of the clock.
    try wake(NextWake(real: nil, elapsed: nil))
  }

  // MARK: Descriptors

  /// Calls `handler` whenever `raw` is ready, until `unwatch`.
  public func watch(
    _ raw: Int32, _ readiness: Readiness, _ handler: @escaping Handler
  ) throws(SystemError) -> Watch {
    let place: UInt32
    if let unused = free.popLast() {
      place = unused
    } else {
      place = UInt32(paths.count)
      paths.append(Place())
    }
    let watch = Watch(place: place, life: paths[Int(place)].life)
    do throws(SystemError) {
      try epoll.add(raw, readiness, token: watch.token)
    } catch {
      free.append(place)
      throw error
    }
    paths[Int(place)].handler = handler
    return watch
  }

  public func change(
    _ watch: Watch, _ raw: Int32, _ readiness: Readiness
  ) throws(SystemError) {
    try epoll.change(raw, readiness, token: watch.token)
  }

  /// Before `raw` is closed; events of this burst for it are dropped.
  public func unwatch(_ watch: Watch, _ raw: Int32) {
    let place = Int(watch.place)
    guard paths[place].life == watch.life, paths[place].handler != nil else { return }
    try? epoll.remove(raw)
    paths[place].handler = nil
    paths[place].life &+= 1
    free.append(watch.place)
  }

  // MARK: Timers

  /// Sets the timers as `wake` does, the real one ahead of `due`, at which something is handed over.
  /// The answer is how to wait for that.
  func wake(_ next: NextWake, aheadOf due: Instant) throws(SystemError) -> Pace {
    var next = next
    let now = SystemClock.now()
    if early.maySpin(until: due, now: now, cpus: Process.usableCPUs) {
      // It tells of a step of the clock, and ends what should have ended by itself.
      let limit = due.advanced(by: EarlyWake.leads.upperBound)
      next.real = next.real.map { $0 < due ? $0 : limit } ?? limit
      try wake(next)
      return .watch(until: due)
    }
    guard let ahead = early.wake(for: due, now: now), ahead > now.real else {
      try wake(next)
      return .wait
    }
    let real = min(next.real ?? ahead, ahead)
    next.real = real
    try wake(next)
    isAhead = real == ahead
    return .wait
  }

  /// Sets the timers; a timer that is already set so is left alone.
  public func wake(_ next: NextWake) throws(SystemError) {
    let due = next.real ?? .distantFuture
    if due != armedReal {
      // A step that was pending is told by the next reading of the clock all the same.
      _ = try real.arm(at: due.nanoseconds)
      armedReal = due
      isAhead = false
    }
    if next.elapsed != armedElapsed {
      if let deadline = next.elapsed {
        _ = try elapsed.arm(at: deadline)
      } else {
        try elapsed.disarm()
      }
      armedElapsed = next.elapsed
    }
    if next.alarm != armedAlarm {
      if let due = next.alarm {
        _ = try alarm?.timer.arm(at: due.nanoseconds)
      } else {
        try alarm?.timer.disarm()
      }
      armedAlarm = next.alarm
    }
  }

  // MARK: Running

  /// Runs until `stop`. `clock` is called first when a timer ran out (`stepped`: the real clock was
  /// set), then the handlers, then `settle` once a burst, which says how to go on.
  public func run(
    clock: (_ stepped: Bool) -> Void, settle: () -> Pace
  ) throws(SystemError) {
    var events = [Epoll.Event](repeating: Epoll.Event(token: 0, readiness: []), count: 64)
    var pace = Pace.wait
    isStopping = false
    while !isStopping {
      var count = 0
      switch pace {
      case .wait: count = try epoll.wait(into: &events)
      case .again: count = try epoll.wait(into: &events, milliseconds: 0)
      case .watch(let due): count = try watch(&events, until: due)
      }
      if let stepped = try readTimers(events[..<count]) {
        clock(stepped)
      } else if case .watch = pace, count == 0 {
        clock(false)
      }
      for event in events[..<count] { dispatch(event) }
      pace = settle()
    }
  }

  /// Looks for what is ready without sleeping; none: it is `due` by the real clock.
  private func watch(
    _ events: inout [Epoll.Event], until due: Instant
  ) throws(SystemError) -> Int {
    let start = SystemClock.elapsed()
    var count = 0
    repeat {
      count = try epoll.wait(into: &events, milliseconds: 0)
    } while count == 0 && SystemClock.real() < due
    let end = SystemClock.elapsed()
    early.noteSpin(end - start, end: end)
    return count
  }

  public func stop() {
    isStopping = true
  }

  /// nil: no timer ran out.
  private func readTimers(_ events: ArraySlice<Epoll.Event>) throws(SystemError) -> Bool? {
    var stepped: Bool?
    for event in events {
      if event.token == Loop.realToken {
        switch try real.read() {
        case .notYet: break
        case .ranOut:
          if isAhead {
            early.noteWake(after: SystemClock.real().nanoseconds(since: armedReal))
            isAhead = false
          }
          armedReal = .distantPast
          stepped = stepped ?? false
        case .stepped:
          armedReal = .distantPast
          stepped = true
        }
      } else if event.token == Loop.elapsedToken, try elapsed.read() == .ranOut {
        armedElapsed = nil
        stepped = stepped ?? false
      } else if event.token == Loop.alarmToken, try alarm?.timer.read() == .ranOut {
        armedAlarm = nil
        stepped = stepped ?? false
      }
    }
    return stepped
  }

  private func dispatch(_ event: Epoll.Event) {
    // The tokens of timers are no places, and no Int where that has 32 bits.
    guard event.token & 0xFFFF_FFFF < UInt64(paths.count) else { return }
    let place = paths[Int(event.token & 0xFFFF_FFFF)]
    if UInt64(place.life) == event.token >> 32 { place.handler?(event.readiness) }
  }
}

/// A timer that may be missing; an optional of one that cannot be copied would have to be consumed.
private final class Alarm {
  let timer: TimerDescriptor

  init(timer: consuming TimerDescriptor) {
    self.timer = timer
  }
}
