import Foundation

/// Waits for what iOS calls a significant time change: midnight, and the clocks' change for summer or
/// winter.
///
/// A step of the clock over such an instant counts as its coming, as soon as the clock is set. A zone
/// that the board is given while the app runs counts from the app's next start. For the main thread.
@MainActor
final class SignificantTime {
  private let timer = DispatchSource.makeTimerSource(queue: .main)
  private let next: (Date) -> Date
  private let come: @MainActor () -> Void

  /// `next`: the first such instant after another.
  init(
    next: @escaping (Date) -> Date = { SignificantTime.next(after: $0, in: .current) },
    come: @escaping @MainActor () -> Void
  ) {
    self.next = next
    self.come = come
    timer.setEventHandler { [weak self] in
      MainActor.assumeIsolated { () -> Void in self?.fire() }
    }
    wait()
    timer.resume()
  }

  isolated deinit { timer.cancel() }

  nonisolated static func next(after now: Date, in zone: TimeZone) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let today = calendar.startOfDay(for: now)
    let midnight = calendar.date(byAdding: .day, value: 1, to: today)
      .map { calendar.startOfDay(for: $0) }
    let changes = [midnight, zone.nextDaylightSavingTimeTransition(after: now)]
    return changes.compactMap { $0 }.filter { $0 > now }.min() ?? now.addingTimeInterval(86400)
  }

  private func wait() {
    let instant = next(Date()).timeIntervalSince1970
    let seconds = instant.rounded(.down)
    timer.schedule(
      wallDeadline: DispatchWallTime(
        timespec: timespec(
          tv_sec: Int(seconds), tv_nsec: Int((instant - seconds) * 1_000_000_000))),
      leeway: .milliseconds(100))
  }

  private func fire() {
    wait()
    come()
  }
}

extension UIApplication {
  /// Tells the delegate; in the background once, when the app comes to the front.
  func timeHasChanged() {
    guard applicationState != .background else { return owesTimeChange = true }
    owesTimeChange = false
    delegate?.applicationSignificantTimeChange(self)
    post(Self.significantTimeChangeNotification)
  }
}
