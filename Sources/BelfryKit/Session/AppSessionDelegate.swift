/// What an app does with what D1 to D4 promise it. Every method is called on the session's queue, one
/// after the other; each has an implementation that does nothing.
///
/// ```swift
/// final class Pills: AppSessionDelegate {
///   func session(_ session: AppSession, didReceive event: AppEvent) {
///     show(event.notification.alertBody)  // in the foreground the board shows nothing (D1)
///   }
///
///   func session(
///     _ session: AppSession, handle event: AppEvent, completion: @escaping @Sendable () -> Void
///   ) {
///     record(event.action, event.text)
///     completion()  // within 30 s, else it is told again (D4)
///   }
/// }
/// ```
public protocol AppSessionDelegate: AnyObject, Sendable {
  /// A notification is due and the app is in the foreground: nothing is shown or sounded if this
  /// returns within 2 s of that (D1). A method that takes longer, or a busy queue, and the board shows
  /// it as if the app were in the background.
  ///
  /// Also a push with something new for the app (`content-available`, P1), whatever the app's state is;
  /// its payload is ``LocalNotification/push``.
  func session(_ session: AppSession, didReceive event: AppEvent)

  /// The user's default action on a notification, while the app runs (D3).
  func session(_ session: AppSession, didActivate event: AppEvent)

  /// Another action (D4). Call `completion`, from any thread, within 30 s: what is not completed is
  /// told again to the app's next session, three times in all.
  ///
  /// In one process this is called once for an action, however often the daemon tells it.
  func session(
    _ session: AppSession, handle event: AppEvent, completion: @escaping @Sendable () -> Void)

  /// The user has dismissed it.
  func session(_ session: AppSession, didDismiss event: AppEvent)

  /// The daemon is away for longer than the options' patience, or hung up for a reason that it gave;
  /// the session opens itself again as soon as it can.
  func session(_ session: AppSession, didLose error: SchedulerError)

  /// It stands again, with the state that the app has now.
  func sessionDidReopen(_ session: AppSession)
}

extension AppSessionDelegate {
  public func session(_ session: AppSession, didReceive event: AppEvent) {}
  public func session(_ session: AppSession, didActivate event: AppEvent) {}
  public func session(
    _ session: AppSession, handle event: AppEvent, completion: @escaping @Sendable () -> Void
  ) {
    completion()
  }
  public func session(_ session: AppSession, didDismiss event: AppEvent) {}
  public func session(_ session: AppSession, didLose error: SchedulerError) {}
  public func sessionDidReopen(_ session: AppSession) {}
}
