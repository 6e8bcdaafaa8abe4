/// Who may be critical (S6): everything that depends on a notification's level asks here.
///
/// The right is an app's. `[app:ID]` decides, then a manifest of the system, and where neither says
/// anything the owner's uid: root and the daemon's own user have it, and so do members of
/// `[access] critical` and of the operator's group. Nobody can ask the system for the groups of a uid
/// without NSS, so the kernel's word on the owner's own connections is remembered.
extension SchedulerEngine {
  /// The level that counts: critical without the right to it is timeSensitive. Judged anew each time,
  /// at the due instant too, so that a change of configuration or manifest counts at once.
  public func effectiveLevel(
    of notification: Notification, app: AppNumber
  ) -> InterruptionLevel {
    effectiveLevel(notification.interruptionLevel, app: app)
  }

  /// The same of what a step of a ladder says (E6).
  func effectiveLevel(_ level: InterruptionLevel, app: AppNumber) -> InterruptionLevel {
    guard level == .critical else { return level }
    guard let app = apps[app], mayBeCritical(app) else { return .timeSensitive }
    return .critical
  }

  func mayBeCritical(_ app: SchedulerApp) -> Bool {
    mayBeCritical(app.name, owner: app.owner)
  }

  func mayBeCritical(_ id: String, owner: UInt32) -> Bool {
    apps.mayBeCritical(id, owner: owner, configuration)
  }

  /// What an answer says of a critical one that counts as less; nil: it does not.
  func demotion(of notification: Notification, _ app: SchedulerApp) -> String? {
    guard notification.claimsCritical, !mayBeCritical(app) else { return nil }
    return "critical counts as timeSensitive: \(app.name) may not be critical; "
      + "[app:\(app.name)] critical = yes in belfry.conf lets it, or the group of [access] critical"
  }

  /// A request has come: what its peer's groups say of him counts for all of his apps.
  ///
  /// Losing a group counts only when he schedules something critical without it: a process of his that
  /// runs with fewer groups, and merely lists, silences nothing.
  func noteGroups(of peer: Peer, _ request: Request) {
    guard peer.criticalGroup != apps.criticalGroup(of: peer.uid) else { return }
    if peer.criticalGroup == nil, !request.isCritical { return }
    apps.noteCriticalGroup(peer.criticalGroup, of: peer.uid)
    // Of a user without an app the store hears when he has one.
    guard !apps.apps(of: peer.uid).isEmpty else { return }
    record(.noteCritical(owner: peer.uid, group: peer.criticalGroup))
  }

  // MARK: Telling

  /// How many pending ones are critical and count as less, in all apps that a peer may see, and some of
  /// their identifiers behind those of their apps.
  public func demoted(for peer: Peer) -> (count: Int64, named: [String]) {
    demoted(owner: peer.isOperator || peer.uid == configuration.owner ? nil : peer.uid)
  }

  /// The same of one user's apps, or (nil) of all.
  func demoted(owner: UInt32?) -> (count: Int64, named: [String]) {
    var count: Int64 = 0
    var named: [String] = []
    for app in apps.inOrder {
      let own = pending.criticalCount(of: app.number)
      guard own > 0, owner == nil || owner == app.owner, !mayBeCritical(app) else { continue }
      count += Int64(own)
      for known in app.criticals where isPending(known) && named.count < Self.maxNamed {
        named.append("\(app.name) \(known.identifier)")
      }
    }
    return (count, named)
  }

  /// At the start: after an upgrade or a change of the configuration some may count as less.
  func tellDemoted() {
    let (count, named) = demoted(owner: nil)
    guard count > 0 else { return }
    emit(
      .log(
        .warning,
        counted(
          count, "scheduled critical notification counts as timeSensitive, since its app",
          many: "scheduled critical notifications count as timeSensitive, since their apps")
          + " may not be critical: " + named.joined(separator: ", ")))
  }

  /// So many are told by name, and remembered of an app.
  static let maxNamed = 16

  private func isPending(_ known: SchedulerApp.KnownCritical) -> Bool {
    pending.node(of: known.slot, sequence: known.sequence) != nil
  }

  /// A critical one has become pending.
  func noteCritical(_ slot: Slot, sequence: Int64, _ identifier: String?, _ app: AppNumber) {
    guard let identifier, let app = apps[app] else { return }
    let known = SchedulerApp.KnownCritical(
      slot: slot, sequence: sequence, identifier: identifier)
    if app.criticals.count >= Self.maxNamed { app.criticals.removeAll { !isPending($0) } }
    if app.criticals.count < Self.maxNamed { app.criticals.append(known) }
  }
}

extension Request {
  /// It brings something critical.
  fileprivate var isCritical: Bool {
    switch self {
    case .schedule(_, let notification, _), .presentNow(_, let notification):
      notification.claimsCritical
    case .replaceAll(_, let list, _): list.contains { $0.claimsCritical }
    case .push(_, let pushed): pushed.notification.interruptionLevel == .critical
    default: false
    }
  }
}
