/// What is known of apps from outside of them.
extension SchedulerEngine {
  /// A manifest, as it was read at the start; before the first event.
  public func restore(_ profile: AppProfile) {
    apps.note(profile)
  }

  /// What holds for an app: `[app:ID]`, else its manifest, else `[limits]` and the like (A2).
  func profile(of app: SchedulerApp) -> AppProfile {
    profile(of: app.name)
  }

  /// The same for an id that nobody may have used yet.
  func profile(of id: String) -> AppProfile {
    apps.profile(of: id, configuration)
  }

  /// The limits that hold for an app (A2).
  func limits(of id: String) -> AppLimits {
    profile(of: id).limits.merged(over: configuration.limits)
  }

  /// R5: where neither the operator nor a manifest says, root's apps and those of the user that the
  /// daemon runs for.
  func mayLocate(_ app: SchedulerApp) -> Bool {
    mayLocate(app.name, owner: app.owner)
  }

  func mayLocate(_ id: String, owner: UInt32?) -> Bool {
    apps.mayLocate(id, owner: owner, configuration)
  }

  func takeProfile(_ profile: AppProfile) {
    apps.note(profile)
    settleOwner(of: profile.id)
    if let app = apps.named(profile.id) { tellBadge(of: app) }
  }

  func forgetProfile(_ id: String) {
    apps.removeProfile(of: id)
    if let app = apps.named(id) { tellBadge(of: app) }
  }

  // MARK: Telling

  /// Rows in order of id, at most `limit`, after so many; `id` nil: all that the peer may see.
  func tellApps(
    _ request: RequestID, _ peer: Peer, _ id: String?, cursor: Int64, limit: Int32
  ) throws(RequestError) {
    var ids: [String]
    if let id {
      _ = try known(id, peer)
      ids = apps.isKnown(id) ? [id] : []
    } else {
      ids = apps.ids
      if !peer.isOperator { ids.removeAll { owner(of: $0).map { $0 != peer.uid } ?? false } }
      ids.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    let first = Int(clamping: max(0, cursor))
    let page = ids.dropFirst(first).prefix(Int(max(0, limit)))
    let next = first + page.count
    emit(
      .reply(
        request,
        .apps(page.map { info(of: $0) }, cursor: next < ids.count ? Int64(next) : nil)))
  }

  private func info(of id: String) -> AppInfo {
    let profile = profile(of: id)
    let app = apps.named(id)
    let owner = owner(of: id)
    var info = AppInfo(
      app: id, name: profile.name, owner: owner, manifest: profile.manifest,
      launch: profile.launch, language: profile.language, allowed: profile.allowed,
      location: mayLocate(id, owner: owner), badge: app?.badge ?? 0,
      scheduled: Int64(
        app.map { pending.count(of: $0.number) + pending.regionCount(of: $0.number) } ?? 0),
      sessions: Int64(app.map { sessions.count(of: $0.number) } ?? 0), limits: limits(of: id),
      problems: profile.problems)
    info.limits.notifications = limit(of: id).most
    info.launchesForPush = profile.launchesForPush
    return info
  }
}
