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

extension UIStatusBarStyle {
  @available(*, deprecated, renamed: "default")
  public static var Default: Self { .default }
  @available(*, deprecated, renamed: "lightContent")
  public static var LightContent: Self { .lightContent }
}

extension UIStatusBarAnimation {
  @available(*, deprecated, renamed: "none")
  public static var None: Self { .none }
  @available(*, deprecated, renamed: "fade")
  public static var Fade: Self { .fade }
  @available(*, deprecated, renamed: "slide")
  public static var Slide: Self { .slide }
}

extension UIApplication {
  @available(*, deprecated, renamed: "isStatusBarHidden")
  public var statusBarHidden: Bool {
    get { isStatusBarHidden }
    set { isStatusBarHidden = newValue }
  }

  @available(*, deprecated, renamed: "setStatusBarHidden(_:with:)")
  public func setStatusBarHidden(_ hidden: Bool, withAnimation animation: UIStatusBarAnimation) {
    setStatusBarHidden(hidden, with: animation)
  }

  @available(*, deprecated, renamed: "isNetworkActivityIndicatorVisible")
  public var networkActivityIndicatorVisible: Bool {
    get { isNetworkActivityIndicatorVisible }
    set { isNetworkActivityIndicatorVisible = newValue }
  }
}

extension NSUserActivity {
  @available(*, deprecated, renamed: "isEligibleForHandoff")
  public var eligibleForHandoff: Bool {
    get { isEligibleForHandoff }
    set { isEligibleForHandoff = newValue }
  }

  @available(*, deprecated, renamed: "isEligibleForSearch")
  public var eligibleForSearch: Bool {
    get { isEligibleForSearch }
    set { isEligibleForSearch = newValue }
  }

  @available(*, deprecated, renamed: "isEligibleForPublicIndexing")
  public var eligibleForPublicIndexing: Bool {
    get { isEligibleForPublicIndexing }
    set { isEligibleForPublicIndexing = newValue }
  }

  @available(*, deprecated, renamed: "addUserInfoEntries(from:)")
  public func addUserInfoEntriesFromDictionary(_ other: [AnyHashable: Any]) {
    addUserInfoEntries(from: other)
  }
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
