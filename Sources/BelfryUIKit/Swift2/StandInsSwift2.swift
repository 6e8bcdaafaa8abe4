// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

extension UIScreen {
  @available(*, deprecated, renamed: "main")
  public class func mainScreen() -> UIScreen { main }
}

extension UIDevice {
  @available(*, deprecated, renamed: "current")
  public class func currentDevice() -> UIDevice { current }
}

extension UIViewController {
  @available(*, deprecated, renamed: "present(_:animated:completion:)")
  public func presentViewController(
    _ controller: UIViewController, animated: Bool, completion: (() -> Void)?
  ) {
    present(controller, animated: animated, completion: completion)
  }

  @available(*, deprecated, renamed: "dismiss(animated:completion:)")
  public func dismissViewControllerAnimated(_ animated: Bool, completion: (() -> Void)?) {
    dismiss(animated: animated, completion: completion)
  }
}

extension UIAlertView {
  @available(*, deprecated, renamed: "addButton(withTitle:)")
  @discardableResult public func addButtonWithTitle(_ title: String?) -> Int {
    addButton(withTitle: title)
  }
}

@available(*, deprecated, renamed: "UIAlertController.Style")
public typealias UIAlertControllerStyle = UIAlertController.Style

@available(*, deprecated, renamed: "UIAlertAction.Style")
public typealias UIAlertActionStyle = UIAlertAction.Style

extension UIAlertController.Style {
  @available(*, deprecated, renamed: "alert")
  public static var Alert: Self { .alert }
  @available(*, deprecated, renamed: "actionSheet")
  public static var ActionSheet: Self { .actionSheet }
}

extension UIAlertAction.Style {
  @available(*, deprecated, renamed: "default")
  public static var Default: Self { .default }
  @available(*, deprecated, renamed: "cancel")
  public static var Cancel: Self { .cancel }
  @available(*, deprecated, renamed: "destructive")
  public static var Destructive: Self { .destructive }
}

extension UIColor {
  @available(*, deprecated, renamed: "black")
  public class func blackColor() -> UIColor { black }
  @available(*, deprecated, renamed: "white")
  public class func whiteColor() -> UIColor { white }
  @available(*, deprecated, renamed: "clear")
  public class func clearColor() -> UIColor { clear }
  @available(*, deprecated, renamed: "red")
  public class func redColor() -> UIColor { red }
  @available(*, deprecated, renamed: "green")
  public class func greenColor() -> UIColor { green }
  @available(*, deprecated, renamed: "blue")
  public class func blueColor() -> UIColor { blue }
}
