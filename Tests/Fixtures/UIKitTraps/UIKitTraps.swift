import BelfryUIKit
import Foundation

/// Does what iOS answers with an exception, by the name of what it is; it must not come back.
@main
@MainActor
enum UIKitTraps {
  static func main() {
    let notification = UILocalNotification()
    switch CommandLine.arguments.last {
    case "userInfo": notification.userInfo = ["a": NSNull()]
    case "twoTriggers":
      notification.fireDate = Date()
      notification.region = CLCircularRegion(
        center: CLLocationCoordinate2D(), radius: 1, identifier: "r")
      UIApplication.shared.scheduleLocalNotification(notification)
    default: break
    }
  }
}
