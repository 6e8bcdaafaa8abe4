import Foundation

/// A view controller that keeps its life cycle: `loadView`, `viewDidLoad`, `viewWillAppear` and
/// `viewDidAppear` are called as on iOS; nothing is drawn.
@preconcurrency @MainActor
open class UIViewController: UIResponderBase {
  open var title: String?
  open private(set) var presentedViewController: UIViewController?
  open private(set) var navigationController: UINavigationController?
  private var loaded: UIView?

  /// There are no nibs here: both are ignored.
  public nonisolated init(nibName: String?, bundle: Bundle?) {
    super.init()
  }

  public nonisolated override convenience init() {
    self.init(nibName: nil, bundle: nil)
  }

  /// There are no storyboards here.
  public nonisolated required init?(coder: NSCoder) {
    super.init()
  }

  /// Loaded when it is first asked for.
  open var view: UIView! {
    get {
      if loaded == nil {
        loadView()
        viewDidLoad()
      }
      return loaded
    }
    set { loaded = newValue }
  }

  open var isViewLoaded: Bool { loaded != nil }

  open func loadView() {
    loaded = UIView(frame: UIScreen.main.bounds)
  }

  open func viewDidLoad() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewWillDisappear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  /// There is no status bar: never asked.
  open var preferredStatusBarStyle: UIStatusBarStyle { .default }
  open var prefersStatusBarHidden: Bool { false }
  /// Does nothing.
  open func setNeedsStatusBarAppearanceUpdate() {}

  /// Shows a view controller: its life cycle runs, and an alert becomes a log line.
  open func present(
    _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
  ) {
    presentedViewController = controller
    controller.appear()
    completion?()
  }

  /// Lets go of what `present` showed.
  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    if let gone = presentedViewController {
      gone.viewWillDisappear(animated)
      presentedViewController = nil
      gone.viewDidDisappear(animated)
    }
    completion?()
  }

  func appear() {
    _ = view
    viewWillAppear(false)
    viewDidAppear(false)
  }

  func enter(_ controller: UINavigationController) {
    navigationController = controller
  }
}

/// A stack of view controllers.
open class UINavigationController: UIViewController {
  open private(set) var viewControllers: [UIViewController] = []

  public convenience init(rootViewController: UIViewController) {
    self.init(nibName: nil, bundle: nil)
    viewControllers = [rootViewController]
    rootViewController.enter(self)
  }

  open var topViewController: UIViewController? { viewControllers.last }

  open func pushViewController(_ controller: UIViewController, animated: Bool) {
    viewControllers.append(controller)
    controller.enter(self)
    controller.appear()
  }

  override func appear() {
    super.appear()
    topViewController?.appear()
  }
}
