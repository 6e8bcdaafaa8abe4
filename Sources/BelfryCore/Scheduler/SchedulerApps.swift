/// What is known of apps from outside of them.
extension Scheduler {
  /// A manifest, as it was read at the start; before the first event.
  public func restore(_ profile: AppProfile) {
    profiles[profile.id] = profile
  }

  /// What holds for an app: `[app:ID]`, else its manifest, else `[limits]` and the like (A2).
  func profile(of app: SchedulerApp) -> AppProfile {
    profile(of: app.name)
  }

  /// The same for an id that nobody may have used yet.
  func profile(of name: String) -> AppProfile {
    var profile = profiles[name] ?? AppProfile(id: name)
    if let override = configuration.overrides[name] {
      profile.notifications = override.notifications ?? profile.notifications
      profile.onFull = override.onFull ?? profile.onFull
      profile.late = override.late ?? profile.late
    }
    return profile
  }

  /// R5: where neither the operator nor a manifest says, root's apps and those of the user that the
  /// daemon runs for.
  func mayLocate(_ app: SchedulerApp) -> Bool {
    profile(of: app).mayLocate ?? (app.owner == 0 || app.owner == configuration.owner)
  }

  func takeProfile(_ profile: AppProfile) {
    profiles[profile.id] = profile
  }

  func forgetProfile(_ id: String) {
    profiles[id] = nil
  }

  /// What came of starting an app; its session is what counts.
  func takeLaunched(_ id: String, failure: String?) {
    guard let failure else { return }
    emit(.log(.warning, "\(id) could not be started: \(failure)"))
  }
}
