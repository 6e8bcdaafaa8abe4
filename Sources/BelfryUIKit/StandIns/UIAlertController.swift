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

  override func appear() {
    super.appear()
    HeadlessLog.alert(
      "UIAlertController", title: title, message: message, choices: actions.map { $0.title ?? "" })
    if let chosen = Self.answer?(self) { chosen.handler?(chosen) }
  }
}

/// An alert of iOS 2 to 8: showing it writes one line to standard error.
open class UIAlertView: UIView {
  open var title: String
  open var message: String?
  open var delegate: AnyObject?
  private var buttons: [String] = []

  public init(
    title: String?, message: String?, delegate: AnyObject? = nil, cancelButtonTitle: String?,
    otherButtonTitles: String...
  ) {
    self.title = title ?? ""
    self.message = message
    self.delegate = delegate
    super.init(frame: .zero)
    buttons = (cancelButtonTitle.map { [$0] } ?? []) + otherButtonTitles
  }

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
  }
}
