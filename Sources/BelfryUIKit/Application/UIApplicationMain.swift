// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import BelfryKit
import Foundation

/// Starting.
extension UIApplication {
  /// Opens the session, tells the delegate that the app has launched, and makes it active; returns once
  /// it is. What happens afterwards needs the main run loop.
  ///
  /// For programs that have a main loop of their own; `UIApplicationMain` does this and runs one. Only
  /// the first call does anything. Without a daemon the app starts all the same, `refusalHandler` is
  /// told, and the session opens when the daemon is there.
  public func start(delegate: any UIApplicationDelegate) {
    start(delegate: delegate) { _ in }
  }

  /// `refused` hears after `refusalHandler` why the session could not be opened.
  func start(
    delegate: any UIApplicationDelegate, refused: @MainActor (SchedulerError) -> Void
  ) {
    guard !isStarted else { return }
    isStarted = true
    self.delegate = delegate
    keptDelegate = delegate
    let background = Self.startsInBackground
    var waiting: [SessionQueuedEvent] = []
    do throws(SchedulerError) {
      waiting = try service.open(
        foreground: !background, lost: { [weak self] error in self?.refusalHandler(error) },
        handler: { [weak self] queuedEvent in self?.handle(queuedEvent) })
    } catch {
      refusalHandler(error)
      refused(error)
    }
    launch(waiting, background: background || beginsInBackground(waiting))
    significantTime = SignificantTime { [weak self] in self?.timeHasChanged() }
  }

  private func launch(_ waiting: [SessionQueuedEvent], background: Bool) {
    applicationState = background ? .background : .inactive
    if background { service.setForeground(false) }
    var rest = waiting
    var options: [LaunchOptionsKey: Any]?
    // One tap launches; further ones follow as if the app had been running (D3).
    if let index = rest.firstIndex(where: { $0.kind == .launch }) {
      let launch = rest.remove(at: index)
      options =
        if let push = Self.userInfo(of: launch.notification) { [.remoteNotification: push] } else {
          [.localNotification: UILocalNotification(launch.notification)]
        }
      launch.complete()
    }
    _ = delegate?.application(self, willFinishLaunchingWithOptions: options)
    _ = delegate?.application(self, didFinishLaunchingWithOptions: options)
    let info = options.map { options in
      Dictionary(uniqueKeysWithValues: options.map { (AnyHashable($0.key.rawValue), $0.value) })
    }
    post(Self.didFinishLaunchingNotification, info)
    for queuedEvent in rest { handle(queuedEvent) }
    becomeActive()
  }

  /// SIGTERM and SIGINT end the program as `terminate()` does.
  func heedSignals() {
    for number in [SIGTERM, SIGINT] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler {
        MainActor.assumeIsolated { () -> Void in UIApplication.shared.terminate() }
      }
      source.resume()
      signalSources.append(source)
    }
  }
}

/// Starts the application with this delegate and runs the main run loop; ends by SIGTERM, SIGINT or
/// `UIApplication.terminate()`.
///
/// Without a daemon `refusalHandler` gets its line, and the program exits with status 3 before the
/// delegate hears anything: apps of iOS read lists that are always there. Where the daemon refuses
/// the session the status is 1. `UIApplication.startsWithoutDaemon` lets the app start all the same.
@preconcurrency @MainActor
public func UIApplicationMain(_ delegate: any UIApplicationDelegate) -> Never {
  UIApplication.shared.heedSignals()
  UIApplication.shared.start(delegate: delegate) { error in
    if !UIApplication.startsWithoutDaemon { exit(error.exitStatus) }
  }
  while true { RunLoop.main.run(until: .distantFuture) }
}

/// Starts the application as on iOS: the delegate's class is named as `NSStringFromClass` names it, and
/// is a `UIResponder`. A fatal error if there is no such class; the other arguments are not used.
@preconcurrency @MainActor
public func UIApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ principalClassName: String?, _ delegateClassName: String?
) -> Never {
  guard let name = delegateClassName, let type = NSClassFromString(name) as? UIResponder.Type,
    let delegate = type.init(startedBy: ()) as? any UIApplicationDelegate
  else {
    fatalError("UIApplicationMain: \(delegateClassName ?? "nil") names no delegate's class")
  }
  UIApplicationMain(delegate)
}

extension UIApplicationDelegate where Self: UIResponder {
  /// What `@main` calls: makes the delegate and starts the application.
  public static func main() {
    UIApplicationMain(Self(startedBy: ()))
  }
}
