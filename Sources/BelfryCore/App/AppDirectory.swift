/// The apps that the store knows or is to know, what manifests say of these and others, and whose each
/// app id is (A1, A2).
struct AppDirectory {
  private var byNumber: [AppNumber: SchedulerApp] = [:]
  /// An app that is being forgotten has no name here any more.
  private var byName: [ByteString: SchedulerApp] = [:]
  private var lastNumber: AppNumber = 0
  /// What manifests say, also of apps that nobody has used yet.
  private var profiles: [ByteString: AppProfile] = [:]
  /// Users whose apps may be critical by a group, and by which (S6), as their own connections showed.
  private var criticalGroups: [UInt32: UInt32] = [:]
  /// Apps with a request that waits until what is to be delivered at once has been (N17).
  private var waitingForRoom: Set<AppNumber> = []

  // MARK: Looking

  subscript(number: AppNumber) -> SchedulerApp? { byNumber[number] }

  func named(_ name: String) -> SchedulerApp? { byName[name] }

  var count: Int { byNumber.count }
  /// In no order.
  var values: Dictionary<AppNumber, SchedulerApp>.Values { byNumber.values }
  /// In the order of first use.
  var inOrder: [SchedulerApp] { byNumber.values.sorted { $0.number < $1.number } }

  func apps(of uid: UInt32) -> [SchedulerApp] { byNumber.values.filter { $0.owner == uid } }

  /// The ids of apps in use, and of those that have a manifest.
  var ids: [String] {
    (byName.keys + profiles.keys.filter { byName[$0] == nil }).map { $0.text }
  }

  func isKnown(_ id: String) -> Bool { byName[id] != nil || profiles[id] != nil }

  // MARK: Entering and leaving

  /// The app of an id that nobody uses; its owner is `uid`, if the id is nobody else's.
  mutating func make(_ id: String, uid: UInt32, used: Instant) -> SchedulerApp {
    let app = SchedulerApp(
      number: lastNumber + 1, name: id, owner: owner(of: id) ?? uid, badge: 0,
      registrationState: .none)
    app.used = used
    add(app)
    return app
  }

  mutating func add(_ app: SchedulerApp) {
    byNumber[app.number] = app
    byName[app.name] = app
    lastNumber = max(lastNumber, app.number)
  }

  /// The id is free for another app, while this one is still on its way out.
  mutating func freeName(of app: SchedulerApp) {
    if byName[app.name] === app { byName[app.name] = nil }
  }

  mutating func remove(_ app: SchedulerApp) {
    freeName(of: app)
    byNumber[app.number] = nil
    waitingForRoom.remove(app.number)
  }

  // MARK: Whose an id is

  /// The uid that an id belongs to; nil: to nobody yet.
  func owner(of id: String) -> UInt32? {
    profiles[id]?.owner ?? byName[id]?.owner ?? SchedulerApp.user(of: id)
  }

  /// Whether the id is whose it is by first use alone.
  func isTaken(_ app: SchedulerApp) -> Bool {
    profiles[app.name]?.owner == nil && SchedulerApp.user(of: app.name) == nil
  }

  /// Whether nobody but an operator may take the id first.
  func isReserved(_ id: String) -> Bool { profiles[id]?.isReserved ?? false }

  /// The app of the id, if its manifest gives that to another user than the app's, and to whom.
  func misowned(_ id: String) -> (app: SchedulerApp, owner: UInt32)? {
    guard let app = byName[id], let owner = profiles[id]?.owner, app.owner != owner else {
      return nil
    }
    return (app, owner)
  }

  // MARK: Profiles

  var profileIDs: [String] { profiles.keys.sorted().map { $0.text } }

  mutating func note(_ profile: AppProfile) { profiles[profile.id] = profile }

  mutating func removeProfile(of id: String) { profiles[id] = nil }

  /// What a manifest says of the app of an id; nil: there is none.
  func manifest(of id: String) -> AppProfile? { profiles[id] }

  /// What holds for the app of an id: `[app:ID]`, else its manifest, else `[limits]` and the like (A2).
  func profile(of id: String, _ configuration: EngineConfiguration) -> AppProfile {
    var profile = profiles[id] ?? AppProfile(id: id)
    if let override = configuration.overrides[id] {
      profile.allowed = override.allowed ?? profile.allowed
      profile.limits = override.limits.merged(over: profile.limits)
      profile.mayLocate = override.mayLocate ?? profile.mayLocate
      profile.mayBeCritical = override.mayBeCritical ?? profile.mayBeCritical
    }
    return profile
  }

  /// R5: where neither the operator nor a manifest says, root's apps and those of the user that the
  /// daemon runs for.
  func mayLocate(
    _ id: String, owner: UInt32?, _ configuration: EngineConfiguration
  ) -> Bool {
    profile(of: id, configuration).mayLocate
      ?? (owner == 0 || owner != nil && owner == configuration.owner)
  }

  /// R5: whether an app of a user's is allowed to know where the board is.
  func knowsPlace(_ uid: UInt32, _ configuration: EngineConfiguration) -> Bool {
    let tells = { (id: ByteString) in
      let owner = self.owner(of: id.text)
      return owner == uid && self.mayLocate(id.text, owner: owner, configuration)
    }
    return byName.keys.contains(where: tells) || profiles.keys.contains(where: tells)
      || configuration.overrides.keys.contains(where: tells)
  }

  // MARK: The right to be critical

  /// S6: where neither the operator nor a manifest says, by the owner's uid or group.
  func mayBeCritical(
    _ id: String, owner: UInt32, _ configuration: EngineConfiguration
  ) -> Bool {
    if let word = profile(of: id, configuration).mayBeCritical { return word }
    if owner == 0 || owner == configuration.owner { return true }
    guard let group = criticalGroups[owner] else { return false }
    return configuration.criticalGroups.contains(group)
  }

  /// The group by which a user's apps may be critical, as far as that is known.
  func criticalGroup(of uid: UInt32) -> UInt32? { criticalGroups[uid] }

  mutating func noteCriticalGroup(_ group: UInt32?, of uid: UInt32) { criticalGroups[uid] = group }

  // MARK: Waiting for room

  /// A request of the app waits until what it has to be delivered at once has been.
  mutating func waitForRoom(_ app: SchedulerApp) { waitingForRoom.insert(app.number) }

  /// Moves out those that wait no longer, in order; `isFull`: the app has such ones still.
  mutating func endWaitForRoom(isFull: (AppNumber) -> Bool) -> [SchedulerApp] {
    if waitingForRoom.isEmpty { return [] }
    let free = waitingForRoom.sorted().filter { !isFull($0) }
    waitingForRoom.subtract(free)
    return free.compactMap { byNumber[$0] }
  }
}
