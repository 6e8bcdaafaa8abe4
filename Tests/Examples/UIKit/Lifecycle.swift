import BelfryUIKit

// 2010: Apple's template, with a line in each method.
class LifecycleDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    print("didFinishLaunching \(application.applicationState.rawValue)")
    return true
  }

  func applicationWillResignActive(_ application: UIApplication) {
    print("willResignActive \(application.applicationState.rawValue)")
  }

  func applicationDidEnterBackground(_ application: UIApplication) {
    print("didEnterBackground \(application.applicationState.rawValue)")
    DispatchQueue.main.async { application.enterForeground() }
  }

  func applicationWillEnterForeground(_ application: UIApplication) {
    print("willEnterForeground \(application.applicationState.rawValue)")
  }

  func applicationDidBecomeActive(_ application: UIApplication) {
    print("didBecomeActive \(application.applicationState.rawValue)")
    guard !wasActive else { return }
    wasActive = true
    DispatchQueue.main.async { application.enterBackground() }
  }

  func applicationWillTerminate(_ application: UIApplication) {
    print("willTerminate \(application.applicationState.rawValue)")
  }

  private var wasActive = false
}
