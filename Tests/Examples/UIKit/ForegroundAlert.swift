import BelfryUIKit

// 2016, Swift 3: arrived while the app was used, or chosen by the user?
class ForegroundAlertDelegate: UIResponder, UIApplicationDelegate {
  var window: UIWindow?

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]? = nil
  ) -> Bool {
    window = UIWindow(frame: UIScreen.main.bounds)
    window?.rootViewController = UINavigationController(rootViewController: StatusController())
    window?.makeKeyAndVisible()
    return true
  }

  func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
    switch application.applicationState {
    case .active:
      let alert = UIAlertController(
        title: "Reminder", message: notification.alertBody, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "OK", style: .default, handler: nil))
      window?.rootViewController?.present(alert, animated: true, completion: nil)
      print("arrived: \(notification.alertBody!)")
    case .inactive: print("chosen: \(notification.alertBody!)")
    case .background: print("in the background")
    }
  }
}

class StatusController: UIViewController {
  let label = UILabel(frame: CGRect(x: 0, y: 0, width: 320, height: 20))

  override func viewDidLoad() {
    super.viewDidLoad()
    title = "Status"
    view.addSubview(label)
    label.text = "Waiting"
    print("loaded")
  }
}
