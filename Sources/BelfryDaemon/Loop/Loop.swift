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

  /// Sets the timers; a timer that is already set so is left alone.
  public func wake(_ next: NextWake) throws(SystemError) {
    let due = next.real ?? .distantFuture
    if due != armedReal {
      // A step that was pending is told by the next reading of the clock all the same.
      _ = try real.arm(at: due.nanoseconds)
      armedReal = due
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
  /// set), then the handlers, then `settle` once a burst; true: it has more to do, so look for what
  /// is ready but do not wait.
  public func run(
    clock: (_ stepped: Bool) -> Void, settle: () -> Bool
  ) throws(SystemError) {
    var events = [Epoll.Event](repeating: Epoll.Event(token: 0, readiness: []), count: 64)
    var hasMore = false
    isStopping = false
    while !isStopping {
      let count = try epoll.wait(into: &events, milliseconds: hasMore ? 0 : nil)
      if let stepped = try readTimers(events[..<count]) { clock(stepped) }
      for event in events[..<count] { dispatch(event) }
      hasMore = settle()
    }
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
    let place = Int(truncatingIfNeeded: event.token & 0xFFFF_FFFF)
    guard place < paths.count, UInt64(paths[place].life) == event.token >> 32 else { return }
    paths[place].handler?(event.readiness)
  }
}

/// A timer that may be missing; an optional of one that cannot be copied would have to be consumed.
private final class Alarm {
  let timer: TimerDescriptor

  init(timer: consuming TimerDescriptor) {
    self.timer = timer
  }
}
