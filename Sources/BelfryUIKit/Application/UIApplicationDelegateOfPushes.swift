import Foundation

/// What an app is told of pushes, on the main thread. `UIApplicationDelegate` includes it; nothing is
/// required.
///
/// `userInfo` is the whole payload, `aps` and `ck` and the app's own, as `String`, `Int`, `Double`,
/// `Bool`, `[Any]`, `[String: Any]` and `NSNull`; of CloudKit's,
/// `CKNotification(fromRemoteNotificationDictionary:)` of BelfryCloudKit says more.
@preconcurrency @MainActor
public protocol UIApplicationDelegateOfPushes: AnyObject {
  /// After `registerForRemoteNotifications()`: the token is the app's id in UTF-8, which is what
  /// `belfry push --app` takes.
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  )

  /// After `registerForRemoteNotifications()`: the daemon is not there, or is one without inboxes.
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)

  /// A push came while the app was active (`applicationState` is `.active`), the user chose its alert
  /// (`.inactive`), or it has something new for the app (`content-available`) in whatever state.
  ///
  /// Returning within 2 s acknowledges it; later it has been shown as in background (D1).
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any])

  /// As without a handler, and called first. Nothing suspends an app here, so what the handler is told
  /// is not used: returning acknowledges.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)

  /// The user chose an action of a push; calling `completionHandler` within 30 s completes it, else it
  /// comes again, three times in all (D4).
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void)

  /// As without `responseInfo`, and called first; `UIUserNotificationActionResponseTypedTextKey` has
  /// what was typed.
  func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any],
    withResponseInfo responseInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void)
}

/// What happens where a delegate does not say: the Swift 2 spelling is tried, then nothing.
extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    self.application(
      application: application,
      didRegisterForRemoteNotificationsWithDeviceToken: NSData(data: deviceToken))
  }

  public func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    self.application(
      application: application,
      didFailToRegisterForRemoteNotificationsWithError: error as NSError)
  }

  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) {
    self.application(
      application: application, didReceiveRemoteNotification: UIApplication.swift2(userInfo))
  }

  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    self.application(
      application: application, didReceiveRemoteNotification: UIApplication.swift2(userInfo),
      fetchCompletionHandler: completionHandler)
  }

  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    self.application(
      application: application, handleActionWithIdentifier: identifier,
      forRemoteNotification: UIApplication.swift2(userInfo), completionHandler: completionHandler)
  }

  public func application(
    _ application: UIApplication, handleActionWithIdentifier identifier: String?,
    forRemoteNotification userInfo: [AnyHashable: Any],
    withResponseInfo responseInfo: [AnyHashable: Any], completionHandler: @escaping () -> Void
  ) {
    self.application(
      application: application, handleActionWithIdentifier: identifier,
      forRemoteNotification: UIApplication.swift2(userInfo),
      withResponseInfo: UIApplication.swift2(responseInfo), completionHandler: completionHandler)
  }
}
