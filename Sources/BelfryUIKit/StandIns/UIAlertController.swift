import Foundation

/// A choice of an alert.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
  /// How a choice is marked.
  public enum Style: Int, Sendable {
    case `default`, cancel, destructive
  }

  public let title: String?
  public let style: Style
  let handler: ((UIAlertAction) -> Void)?
  open var isEnabled = true

  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    self.title = title
    self.style = style
    self.handler = handler
    super.init()
  }
}

/// An alert of the app itself: presenting it writes one line to standard error.
///
/// Nobody taps here, so no handler is called unless `UIAlertController.answer` chooses an action.
open class UIAlertController: UIViewController {
  /// What it looks like where there is something to see.
  public enum Style: Int, Sendable {
    case actionSheet, alert
  }

  /// Chooses in the user's place; nil, or an answer of nil: nobody does.
  public static var answer: ((UIAlertController) -> UIAlertAction?)?

  open var message: String?
  open private(set) var actions: [UIAlertAction] = []
  /// Those that `addTextField` made; nil: none.
  open private(set) var textFields: [UITextField]?
  open private(set) var preferredStyle = Style.alert

  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    self.title = title
    self.message = message
    self.preferredStyle = preferredStyle
  }

  open func addAction(_ action: UIAlertAction) {
    actions.append(action)
  }

  /// Adds a field that only the program fills.
  open func addTextField(configurationHandler handler: ((UITextField) -> Void)? = nil) {
    let field = UITextField()
    textFields = (textFields ?? []) + [field]
    handler?(field)
  }

  override func appear() {
    super.appear()
    HeadlessLog.alert(
      "UIAlertController", title: title, message: message, choices: actions.map { $0.title ?? "" })
    if let chosen = Self.answer?(self) { chosen.handler?(chosen) }
  }
}

/// Who hears which button of an alert of iOS 2 to 8 was chosen.
@preconcurrency @MainActor
public protocol UIAlertViewDelegate: AnyObject {
  func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int)
  /// As Swift 2 spelled it; called where the delegate has not the one above.
  func alertView(alertView: UIAlertView, clickedButtonAtIndex buttonIndex: Int)
}

extension UIAlertViewDelegate {
  public func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int) {
    self.alertView(alertView: alertView, clickedButtonAtIndex: buttonIndex)
  }

  /// As Swift 2 spelled it.
  public func alertView(alertView: UIAlertView, clickedButtonAtIndex buttonIndex: Int) {}
}

/// An alert of iOS 2 to 8: showing it writes one line to standard error.
///
/// Nobody taps here, so no delegate is called unless `UIAlertView.answer` chooses a button.
open class UIAlertView: UIView {
  /// Chooses in the user's place; nil, or an answer of nil: nobody does.
  public static var answer: ((UIAlertView) -> Int?)?

  open var title = ""
  open var message: String?
  open var delegate: AnyObject?
  private var buttons: [String] = []

  public init(
    title: String?, message: String?, delegate: AnyObject? = nil, cancelButtonTitle: String?,
    otherButtonTitles: String...
  ) {
    super.init(frame: .zero)
    self.title = title ?? ""
    self.message = message
    self.delegate = delegate
    buttons = (cancelButtonTitle.map { [$0] } ?? []) + otherButtonTitles
    if cancelButtonTitle != nil { cancelButtonIndex = 0 }
  }

  /// One without texts or buttons yet.
  public nonisolated override init(frame: CGRect) {
    super.init(frame: frame)
  }

  /// The button that cancels: the one of `cancelButtonTitle`, -1 without it, or as it was set.
  open var cancelButtonIndex = -1

  @discardableResult open func addButton(withTitle title: String?) -> Int {
    buttons.append(title ?? "")
    return buttons.count - 1
  }

  open func buttonTitle(at index: Int) -> String? {
    buttons.indices.contains(index) ? buttons[index] : nil
  }

  open var numberOfButtons: Int { buttons.count }

  open func show() {
    HeadlessLog.alert("UIAlertView", title: title, message: message, choices: buttons)
    guard let chosen = Self.answer?(self), buttons.indices.contains(chosen) else { return }
    (delegate as? any UIAlertViewDelegate)?.alertView(self, clickedButtonAt: chosen)
  }
}
