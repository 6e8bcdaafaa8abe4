import BelfryKit
import Foundation

/// Hears what the session tells, on a queue of its own, and says it on the main thread, one after the
/// other; what waited for the session is kept for whoever opens it.
final class SessionListener: AppSessionDelegate, @unchecked Sendable {
  private let queue = DispatchQueue(label: "io.belfry.uikit.session")
  private let handler: @MainActor (SessionQueuedEvent) -> Void
  private let lost: @MainActor (SchedulerError) -> Void
  // The main thread's own.
  private var session: AppSession?
  // The queue's own.
  private var waiting: [SessionQueuedEvent]? = []

  init(
    handler: @escaping @MainActor (SessionQueuedEvent) -> Void,
    lost: @escaping @MainActor (SchedulerError) -> Void
  ) {
    self.handler = handler
    self.lost = lost
  }

  /// Answers what waited, first of it the tap that launched the app. Throws where the session cannot be
  /// opened at once; then it is tried again every second.
  @MainActor func open(
    _ options: SchedulerOptions, foreground: Bool
  ) throws(SchedulerError) -> [SessionQueuedEvent] {
    var options = options
    // An app starts without its daemon, and does not wait for it long.
    options.patience = min(options.patience, .seconds(2))
    let session = AppSession(
      options, state: foreground ? .foreground : .background, delegate: self, queue: queue)
    self.session = session
    do throws(SchedulerError) {
      let launch = try session.openAndWait()
      let waited = queue.sync { takeWaiting() }
      return (launch.map { [SessionQueuedEvent($0, .launch) {}] } ?? []) + waited
    } catch {
      _ = queue.sync { takeWaiting() }
      openLater(session)
      throw error
    }
  }

  /// What has been heard so far; what comes from now on goes to the main thread.
  private func takeWaiting() -> [SessionQueuedEvent] {
    defer { waiting = nil }
    return waiting ?? []
  }

  private func openLater(_ session: AppSession) {
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self else { return }
      do throws(SchedulerError) {
        // Running already, it is activated by what would have launched it.
        guard let launch = try session.openAndWait() else { return }
        queue.async { self.tell(SessionQueuedEvent(launch, .activated) {}) }
      } catch {
        switch error.code {
        case .noDaemon, .unreachable, .timedOut, .outcomeUnknown: openLater(session)
        default: DispatchQueue.main.async { self.lost(error) }
        }
      }
    }
  }

  /// Holds for what is due once it returns. Where the daemon is away, the session opens with it later.
  @MainActor func setForeground(_ foreground: Bool) {
    try? session?.setStateAndWait(foreground ? .foreground : .background)
  }

  @MainActor func close() {
    session?.close()
    session = nil
  }

  /// Returns once the app has dealt with it: that is what acknowledges a received one (D1).
  private func tell(_ queuedEvent: SessionQueuedEvent) {
    if waiting != nil {
      waiting?.append(queuedEvent)
    } else {
      DispatchQueue.main.sync { handler(queuedEvent) }
    }
  }

  func session(_ session: AppSession, didReceive event: AppEvent) {
    tell(SessionQueuedEvent(event, .received) {})
  }

  func session(_ session: AppSession, didActivate event: AppEvent) {
    tell(SessionQueuedEvent(event, .activated) {})
  }

  func session(
    _ session: AppSession, handle event: AppEvent, completion: @escaping @Sendable () -> Void
  ) {
    let kind = SessionQueuedEvent.Kind.action(identifier: event.action ?? "", text: event.text)
    tell(SessionQueuedEvent(event, kind, completion))
  }

  func session(_ session: AppSession, didDismiss event: AppEvent) {
    tell(SessionQueuedEvent(event, .dismissed) {})
  }

  func session(_ session: AppSession, didLose error: SchedulerError) {
    DispatchQueue.main.async { self.lost(error) }
  }
}

extension SessionQueuedEvent {
  fileprivate init(
    _ event: AppEvent, _ kind: Kind, _ complete: @escaping @Sendable () -> Void
  ) {
    self.init(kind: kind, notification: event.notification, complete: complete)
  }
}
