import Foundation

/// How the letters of a status bar look; raw values as on iOS.
public enum UIStatusBarStyle: Int, Sendable {
  case `default` = 0
  case lightContent = 1
  case darkContent = 3
}

/// How a status bar comes and goes; raw values as on iOS.
public enum UIStatusBarAnimation: Int, Sendable {
  case none, fade, slide
}

/// There is no status bar: what is set is kept, and read back.
extension UIApplication {
  public func setStatusBarStyle(_ style: UIStatusBarStyle, animated: Bool) {
    statusBarStyle = style
  }

  public func setStatusBarHidden(_ hidden: Bool, with animation: UIStatusBarAnimation) {
    isStatusBarHidden = hidden
  }

  /// Zero.
  public var statusBarFrame: CGRect { .zero }
}
