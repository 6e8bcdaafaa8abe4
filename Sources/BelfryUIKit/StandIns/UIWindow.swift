import Foundation

/// A screen that is not there: its size is that of a small phone.
@preconcurrency @MainActor
open class UIScreen: NSObject {
  /// The one there is.
  public static let main = UIScreen()

  /// 320 by 568 points.
  open var bounds: CGRect { CGRect(x: 0, y: 0, width: 320, height: 568) }
  /// 1.
  open var scale: CGFloat { 1 }
}

/// A window that nobody sees; making it visible loads its view controller, as on iOS.
open class UIWindow: UIView {
  open var rootViewController: UIViewController?
  open private(set) var isKeyWindow = false

  open func makeKeyAndVisible() {
    isKeyWindow = true
    isHidden = false
    rootViewController?.appear()
  }
}
