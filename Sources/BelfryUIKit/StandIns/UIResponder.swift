import Foundation

/// What a responder and a view controller have in common on a board without a screen.
@preconcurrency @MainActor
open class UIResponderBase: NSObject, UIUserActivityRestoring {
  /// Kept.
  open var userActivity: NSUserActivity?

  public nonisolated override init() {
    super.init()
  }

  /// Does nothing, until a subclass says otherwise; never called.
  open func updateUserActivityState(_ activity: NSUserActivity) {}
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// false, until a subclass says otherwise.
  open var canBecomeFirstResponder: Bool { false }

  /// Nothing has a focus here; answers as `canBecomeFirstResponder` does.
  @discardableResult open func becomeFirstResponder() -> Bool { canBecomeFirstResponder }

  /// Answers true.
  @discardableResult open func resignFirstResponder() -> Bool { true }
}

/// The class that application delegates come from.
///
/// View controllers and views are no responders here: Swift without Objective-C can make an object of
/// a class it is handed only by an initializer that all subclasses inherit.
@preconcurrency @MainActor
open class UIResponder: UIResponderBase {
  public nonisolated override init() {
    super.init()
  }

  /// Calls `init()`; this is how `main()` makes the delegate.
  public nonisolated required convenience init(startedBy application: Void) {
    self.init()
  }
}
