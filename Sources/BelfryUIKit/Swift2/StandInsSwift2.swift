// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

extension UIScreen {
  @available(*, deprecated, renamed: "getter:UIScreen.main()")
  public class func mainScreen() -> UIScreen { main }
}

extension UIDevice {
  @available(*, deprecated, renamed: "getter:UIDevice.current()")
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
  @available(*, deprecated, renamed: "buttonTitle(at:)")
  public func buttonTitleAtIndex(_ index: Int) -> String? { buttonTitle(at: index) }

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
  @available(*, deprecated, renamed: "getter:UIColor.black()")
  public class func blackColor() -> UIColor { black }
  @available(*, deprecated, renamed: "getter:UIColor.white()")
  public class func whiteColor() -> UIColor { white }
  @available(*, deprecated, renamed: "getter:UIColor.clear()")
  public class func clearColor() -> UIColor { clear }
  @available(*, deprecated, renamed: "getter:UIColor.red()")
  public class func redColor() -> UIColor { red }
  @available(*, deprecated, renamed: "getter:UIColor.green()")
  public class func greenColor() -> UIColor { green }
  @available(*, deprecated, renamed: "getter:UIColor.gray()")
  public class func grayColor() -> UIColor { gray }
  @available(*, deprecated, renamed: "getter:UIColor.lightGray()")
  public class func lightGrayColor() -> UIColor { lightGray }
  @available(*, deprecated, renamed: "getter:UIColor.darkGray()")
  public class func darkGrayColor() -> UIColor { darkGray }
  @available(*, deprecated, renamed: "getter:UIColor.yellow()")
  public class func yellowColor() -> UIColor { yellow }
  @available(*, deprecated, renamed: "getter:UIColor.orange()")
  public class func orangeColor() -> UIColor { orange }
  @available(*, deprecated, renamed: "getter:UIColor.blue()")
  public class func blueColor() -> UIColor { blue }
}
