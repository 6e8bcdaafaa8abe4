import BelfryCore
import BelfrySystem
import CPlugin

/// What the plugin wants to be called back for: descriptors and timers, each up to the limit
/// that the header promises.
final class HostEventLoop {
  private struct Watch {
    var number: UInt32
    var descriptor: Int32
    var events: UInt32
    var callback: belfry_fd_callback
    var context: UnsafeMutableRawPointer?
  }

  private struct Timer {
    var number: UInt32
    /// On CLOCK_BOOTTIME.
    var at: Int64
    var callback: belfry_timer_callback
    var context: UnsafeMutableRawPointer?
  }

  private var watches: [Watch] = []
  /// The watches that the last `entries` stand for.
  private var polled: [Watch] = []
  private var timers: [Timer] = []
  private var lastNumber: UInt32 = 0

  private func number() -> UInt32 {
    lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    return lastNumber
  }

  func watch(
    _ descriptor: Int32, _ events: UInt32, _ callback: @escaping belfry_fd_callback,
    _ context: UnsafeMutableRawPointer?, _ result: UnsafeMutablePointer<UInt32>
  ) -> Int32 {
    guard watches.count < Int(BELFRY_WATCHES) else { return BELFRY_FULL }
    let ready = Poll.wait(descriptor, Readiness(rawValue: events), milliseconds: 0)
    if ready.contains(.invalid) { return BELFRY_INVALID }
    let number = number()
    watches.append(
      Watch(
        number: number, descriptor: descriptor,
        events: events & (BELFRY_READABLE | BELFRY_WRITABLE), callback: callback,
        context: context))
    result.pointee = number
    return BELFRY_OK
  }

  func unwatch(_ number: UInt32) -> Bool {
    guard let index = watches.firstIndex(where: { $0.number == number }) else { return false }
    watches.remove(at: index)
    return true
  }

  func startTimer(
    _ after: Int64, _ callback: @escaping belfry_timer_callback,
    _ context: UnsafeMutableRawPointer?, _ result: UnsafeMutablePointer<UInt32>
  ) -> Int32 {
    guard timers.count < Int(BELFRY_TIMERS) else { return BELFRY_FULL }
    let number = number()
    let (at, overflow) = SystemClock.elapsed().addingReportingOverflow(max(0, after))
    timers.append(
      Timer(number: number, at: overflow ? .max : at, callback: callback, context: context))
    result.pointee = number
    return BELFRY_OK
  }

  func stopTimer(_ number: UInt32) -> Bool {
    guard let index = timers.firstIndex(where: { $0.number == number }) else { return false }
    timers.remove(at: index)
    return true
  }

  /// Milliseconds until the next timer, rounded up; nil: there is none.
  var timeout: Int32? {
    guard let next = timers.map({ $0.at }).min() else { return nil }
    let left = max(0, next.subtractingReportingOverflow(SystemClock.elapsed()).partialValue)
    return Int32(min(Int64(Int32.max), left / 1_000_000 + (left % 1_000_000 > 0 ? 1 : 0)))
  }

  /// Calls back every timer that has run out, those with the same time in the order of starting.
  func runTimers() {
    let now = SystemClock.elapsed()
    let due = timers.filter { $0.at <= now }.sorted { ($0.at, $0.number) < ($1.at, $1.number) }
    for timer in due where stopTimer(timer.number) {
      timer.callback(timer.context, timer.number)
    }
  }

  /// What to poll for.
  func entries() -> [Poll.Entry] {
    polled = watches
    return polled.map { Poll.Entry($0.descriptor, Readiness(rawValue: $0.events)) }
  }

  /// Calls back for what polling the last `entries` found ready. A watch whose descriptor was closed
  /// is ended.
  func run(_ entries: ArraySlice<Poll.Entry>, complain: (String) -> Void) {
    // The list may change under the callbacks; a number tells whether a watch is still wanted.
    let ready = zip(polled, entries).filter { !$0.1.ready.isEmpty }
    for (watch, entry) in ready where watches.contains(where: { $0.number == watch.number }) {
      if entry.ready.contains(.invalid) {
        _ = unwatch(watch.number)
        complain("the plugin closed descriptor \(watch.descriptor) without ending its watch")
        continue
      }
      watch.callback(watch.context, watch.descriptor, entry.ready.rawValue)
    }
  }
}

extension Readiness {
  /// POLLNVAL: the descriptor is not open.
  static let invalid = Readiness(rawValue: 0x20)
}
