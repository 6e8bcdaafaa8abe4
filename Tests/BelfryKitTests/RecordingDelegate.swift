import BelfryKit
import BelfrySystem
import Foundation

/// Remembers what it was told; may take its time, until it is told to go on.
final class RecordingDelegate: AppSessionDelegate, @unchecked Sendable {
  private let lock = Mutex()
  private var told: [AppEvent] = []
  private var completions: [@Sendable () -> Void] = []
  private var reopened = 0
  private var lost: [SchedulerError] = []
  private let takesItsTime: Bool
  private let mayGoOn = DispatchSemaphore(value: 0)
  /// Whether actions are completed at once.
  private let completes: Bool

  init(takesItsTime: Bool = false, completes: Bool = true) {
    self.takesItsTime = takesItsTime
    self.completes = completes
  }

  var events: [AppEvent] { lock.withLock { told } }
  var reopenings: Int { lock.withLock { reopened } }
  var losses: [SchedulerError] { lock.withLock { lost } }

  func names(_ kind: AppEvent.Kind) -> [String] {
    events.filter { $0.kind == kind }.compactMap { $0.notification.identifier }
  }

  func completeAll() {
    for completion in lock.withLock({ completions }) { completion() }
  }

  private func note(_ event: AppEvent) {
    lock.withLock { told.append(event) }
    if takesItsTime { mayGoOn.wait() }
  }

  /// Lets one that takes its time come to an end.
  func goOn() { mayGoOn.signal() }

  func session(_ session: AppSession, didReceive event: AppEvent) { note(event) }
  func session(_ session: AppSession, didActivate event: AppEvent) { note(event) }
  func session(_ session: AppSession, didDismiss event: AppEvent) { note(event) }

  func session(
    _ session: AppSession, handle event: AppEvent, completion: @escaping @Sendable () -> Void
  ) {
    note(event)
    if completes { completion() } else { lock.withLock { completions.append(completion) } }
  }

  func session(_ session: AppSession, didLose error: SchedulerError) {
    lock.withLock { lost.append(error) }
  }

  func sessionDidReopen(_ session: AppSession) {
    lock.withLock { reopened += 1 }
  }
}
