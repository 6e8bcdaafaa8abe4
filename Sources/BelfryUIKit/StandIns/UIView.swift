import Foundation

/// A rectangle that nobody sees: it keeps what it is told.
@preconcurrency @MainActor
open class UIView: UIResponderBase {
  open var frame: CGRect
  open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  open var backgroundColor: UIColor?
  open var tintColor: UIColor?
  open var isHidden = false
  open var alpha: CGFloat = 1
  open var tag = 0
  open private(set) var subviews: [UIView] = []
  open private(set) weak var superview: UIView?

  public nonisolated init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  public nonisolated override convenience init() {
    self.init(frame: .zero)
  }

  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    view.superview = self
    subviews.append(view)
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

/// A text that nobody sees.
open class UILabel: UIView {
  open var text: String?
  open var textColor: UIColor?
}

/// A text that nobody types.
open class UITextField: UIView {
  open var text: String?
  open var placeholder: String?
}

/// A switch that only the program turns.
open class UISwitch: UIView {
  open var isOn = false

  open func setOn(_ on: Bool, animated: Bool) {
    isOn = on
  }
}

/// A date that only the program picks.
open class UIDatePicker: UIView {
  open var date = Date()
}
