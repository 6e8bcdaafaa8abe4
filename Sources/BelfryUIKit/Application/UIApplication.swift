import BelfryKit
import Foundation

/// The app, as Belfry sees it.
///
/// Scheduling needs nothing but `UIApplication.shared`; states and callbacks need a started
/// application (`main()` of the delegate, or `UIApplicationMain`). Everything is for the main thread.
/// A call waits for the daemon's answer, which is usually there within a millisecond.
///
/// The app's id is that of the environment's `BELFRY_APP`, which Belfry sets when it launches an app,
/// else the program's own, `user.<uid>.<program>`, by the name of its file; the socket is
/// `BELFRY_SOCKET` or the usual one.
@preconcurrency @MainActor
open class UIApplication: UIResponder, UIApplicationSwift2 {
  /// The one there is.
  public static let shared = UIApplication(service: nil)

  /// Whoever is told what happens. A started application keeps its delegate alive.
  open weak var delegate: (any UIApplicationDelegate)?

  /// See `State`. On a board there is no screen to tell: an application starts active, unless
  /// `startsInBackground` is true, and goes where `enterBackground()`, `enterForeground()`,
  /// `resignActive()` and `becomeActive()` send it. Inactive before it is started.
  public internal(set) var applicationState = State.inactive

  /// Whether the application begins in the background; at first what `BELFRY_STATE=background` in the
  /// environment says. An app that is launched for a background action begins there in any case.
  public static var startsInBackground =
    ProcessInfo.processInfo.environment["BELFRY_STATE"] == "background"

  /// Whether `UIApplicationMain` starts an app whose daemon is not there, whose session then opens when
  /// it is; at first what `BELFRY_WITHOUT_DAEMON=1` in the environment says. Lists are nil until then.
  public static var startsWithoutDaemon =
    ProcessInfo.processInfo.environment["BELFRY_WITHOUT_DAEMON"] == "1"

  /// Gets what the daemon refuses, or why it cannot be reached, where iOS has no way to say so; at first
  /// it writes a line to standard error.
  public var refusalHandler: @MainActor (SchedulerError) -> Void = { error in
    HeadlessLog.write("belfry: \(error)")
  }

  /// The only view there is of a screen that could be kept on: it is kept.
  open var isIdleTimerDisabled = false
  /// Kept.
  open var isNetworkActivityIndicatorVisible = false
  /// Kept.
  open var statusBarStyle = UIStatusBarStyle.default
  /// Kept.
  open var isStatusBarHidden = false

  let service: any NotificationService
  var keptDelegate: (any UIApplicationDelegate)?
  var isStarted = false
  var isTerminating = false
  /// What was registered, to know which actions bring the app to the front.
  var registered: UIUserNotificationSettings?
  var tasks = BackgroundTasks()
  var hasRemoteToken = false
  var significantTime: SignificantTime?
  /// The time has changed while the app was in the background.
  var owesTimeChange = false
  var signalSources: [any DispatchSourceSignal] = []

  init(service: (any NotificationService)?) {
    self.service = service ?? DaemonNotificationService()
    super.init()
  }

  /// There is one application, `shared`; making another is a fatal error, as it raises an exception on
  /// iOS.
  public required convenience init(startedBy application: Void) {
    fatalError("There is one UIApplication: UIApplication.shared")
  }

  // MARK: What a board without a screen has not

  /// nil.
  open var keyWindow: UIWindow? { delegate?.window ?? nil }

  /// false: there is nothing to open a URL with.
  open func canOpenURL(_ url: URL) -> Bool { false }

  /// `.available`: nothing keeps an app from running.
  open var backgroundRefreshStatus: BackgroundRefreshStatus { .available }

  /// Does nothing: `application(_:performFetchWithCompletionHandler:)` is never called. What is to
  /// happen again and again is a local notification that repeats.
  open func setMinimumBackgroundFetchInterval(_ interval: TimeInterval) {}

  /// Opens nothing; `completion` gets false.
  open func open(
    _ url: URL, options: [String: Any] = [:], completionHandler completion: ((Bool) -> Void)? = nil
  ) {
    completion?(false)
  }
}
