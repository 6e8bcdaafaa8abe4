import BelfryKit
import Foundation

/// Pushes.
extension UIApplication {
  /// Asks the daemon whether pushes can come; the delegate is told, later on the main thread.
  ///
  /// Its device token is the app's id in UTF-8, the same for ever: whoever brings pushes to this board,
  /// by `belfry push --app`, the socket or a plugin, names the app by it. An app that does not register
  /// gets them too.
  public func registerForRemoteNotifications() {
    let outcome: Result<Data, SchedulerError>
    do throws(SchedulerError) {
      outcome = .success(try service.remoteToken())
      hasRemoteToken = true
    } catch {
      outcome = .failure(error)
    }
    DispatchQueue.main.async { [self] in
      switch outcome {
      case .success(let token):
        delegate?.application(self, didRegisterForRemoteNotificationsWithDeviceToken: token)
      case .failure(let error):
        delegate?.application(self, didFailToRegisterForRemoteNotificationsWithError: error)
      }
    }
  }

  /// What makes `isRegisteredForRemoteNotifications` false, and nothing else: what is shown of pushes
  /// the settings say, and who may bring them the operator.
  public func unregisterForRemoteNotifications() {
    hasRemoteToken = false
  }

  /// `registerForRemoteNotifications()` succeeded in this process.
  public var isRegisteredForRemoteNotifications: Bool { hasRemoteToken }

  /// A push, as the delegate gets it; nil: the notification is a local one.
  static func userInfo(of notification: LocalNotification) -> [AnyHashable: Any]? {
    notification.push?.mapValues { $0.any }
  }

  /// Tells the delegate of what it received, or what the user has chosen.
  func tell(_ notification: LocalNotification) {
    if let userInfo = Self.userInfo(of: notification) {
      delegate?.application(
        self, didReceiveRemoteNotification: userInfo, fetchCompletionHandler: { _ in })
    } else {
      delegate?.application(self, didReceive: UILocalNotification(notification))
    }
  }
}

/// What a fetch after a push came to; raw values as on iOS.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData, noData, failed
}
