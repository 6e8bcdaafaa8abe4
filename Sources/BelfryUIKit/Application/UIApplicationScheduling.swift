import BelfryKit
import Foundation

/// Local notifications.
///
/// The calls of iOS answer nothing: what they cannot do goes to `refusalHandler`. Each has one beside
/// it that throws.
extension UIApplication {
  /// Schedules a copy (N13). One with a region and a fireDate is a fatal error, as it raises an exception
  /// on iOS (N3); what else is refused goes to `refusalHandler`. Scheduling an equal one again makes
  /// a second one, as on iOS.
  public func scheduleLocalNotification(_ notification: UILocalNotification) {
    guard !notification.hasTwoTriggers else {
      fatalError("scheduleLocalNotification: there is a region or a fireDate, not both")
    }
    settle { () throws(SchedulerError) in try schedule(notification) }
  }

  /// As `scheduleLocalNotification(_:)`, throwing what was refused, by its field, or why the daemon
  /// cannot be reached.
  public func schedule(_ notification: UILocalNotification) throws(SchedulerError) {
    try service.schedule(try notification.scheduled(as: UUID().uuidString))
  }

  /// Delivers a copy at once, whatever its `fireDate` and `region`; it is never listed (N14).
  public func presentLocalNotificationNow(_ notification: UILocalNotification) {
    settle { () throws(SchedulerError) in try presentNow(notification) }
  }

  /// As `presentLocalNotificationNow(_:)`, throwing what was refused.
  public func presentNow(_ notification: UILocalNotification) throws(SchedulerError) {
    guard let copy = notification.copy() as? UILocalNotification else { return }
    (copy.fireDate, copy.region) = (nil, nil)
    try service.presentNow(try copy.scheduled(as: UUID().uuidString))
  }

  /// Cancels every scheduled one that is equal (N15); what sinks show of them is taken back.
  public func cancelLocalNotification(_ notification: UILocalNotification) {
    settle { () throws(SchedulerError) in try cancel(notification) }
  }

  /// As `cancelLocalNotification(_:)`, throwing what was refused.
  public func cancel(_ notification: UILocalNotification) throws(SchedulerError) {
    try service.cancel(equalTo: try notification.scheduled(as: nil))
  }

  /// Cancels all of this app's; what sinks show of them is taken back.
  public func cancelAllLocalNotifications() {
    settle { () throws(SchedulerError) in try cancelAll() }
  }

  /// As `cancelAllLocalNotifications()`, throwing what went wrong.
  public func cancelAll() throws(SchedulerError) {
    let regions = try monitoredCrossings()
    try service.cancelAll()
    // On iOS it is no matter of theirs. The board's last fix says on which side of them it is.
    for region in regions { try service.schedule(region) }
  }

  /// What is scheduled (N16), or nil if the daemon cannot be asked.
  ///
  /// Setting it replaces the whole list at once: equal ones are left alone, others are replaced, and
  /// missing ones are cancelled while what is shown of them stays. nil is the empty list.
  public var scheduledLocalNotifications: [UILocalNotification]? {
    get {
      settle { () throws(SchedulerError) in
        try service.scheduled().filter { MonitoredCrossing($0) == nil }.map {
          UILocalNotification($0)
        }
      }
    }
    set {
      settle { () throws(SchedulerError) in try setScheduled(newValue ?? []) }
    }
  }

  /// As setting `scheduledLocalNotifications`, throwing what was refused; then nothing has changed.
  public func setScheduled(_ notifications: [UILocalNotification]) throws(SchedulerError) {
    // By their bytes: two spellings of one letter are two names (A4).
    var names: Set<[UInt8]> = []
    var list: [LocalNotification] = []
    for notification in notifications {
      // The same object, or a copy, twice in the list is two notifications.
      var name = notification.content.identifier ?? UUID().uuidString
      if !names.insert(Array(name.utf8)).inserted {
        name = UUID().uuidString
        names.insert(Array(name.utf8))
      }
      list.append(try notification.scheduled(as: name))
    }
    try service.replaceAll(list + monitoredCrossings())
  }

  /// The app's badge (D6); 0 or a negative number clears it, and takes back nothing that is shown.
  public var applicationIconBadgeNumber: Int {
    get { settle { () throws(SchedulerError) in try service.badge() } ?? 0 }
    set { settle { () throws(SchedulerError) in try service.setBadge(max(0, newValue)) } }
  }

  /// Does it, or hands what went wrong to `refusalHandler`.
  @discardableResult
  func settle<Value>(_ body: () throws(SchedulerError) -> Value) -> Value? {
    do throws(SchedulerError) {
      return try body()
    } catch {
      refusalHandler(error)
      return nil
    }
  }
}
