import BelfryCore
import BelfrySystem
import BelfryWire

/// Apps as the daemon sees them: their manifests, and starting them.
extension Daemon {
  func watchManifests() throws(SystemError) {
    guard let raw = manifests.descriptor else { return }
    _ = try loop.watch(raw, .readable) { [unowned(unsafe) self] _ in
      self.manifests.readEvents(now: SystemClock.elapsed())
    }
  }

  /// What the helper read.
  func take(_ reading: ManifestScanResult) {
    guard shutdown == nil else { return }
    for changes in manifests.take(reading) {
      switch changes {
      case .app(let profile):
        if manifests.isRead(profile) { log(.info, "\(profile.id): its manifest was read") }
        feed(.app(tables.completed(profile)))
      case .gone(let id):
        log(.info, "\(id): its manifest is gone")
        feed(.appGone(id))
      case .problem(let text): log(.error, text)
      case .oddity(let text): log(.warning, text)
      }
    }
    followTables()
    followDays()
    let now = SystemClock.elapsed()
    for child in children where child.isSpeaker {
      child.configure(settings(of: child.name), now: now)
    }
  }

  /// S8: the app's folder first, the operator's word before the manifest's.
  var manifestSounds: [Setting] {
    manifests.manifests.keys.map { $0.text }.sorted().compactMap { id in
      manifests.manifests[id]?.soundFolder.map { Setting(key: "folder:" + id, value: $0) }
    }
  }

  var soundFolders: SoundFolders {
    SoundFolders(configuration, manifests: manifestSounds, paths)
  }

  func lookFor(_ sound: SoundLookup.Name) {
    blockingWorker.run { [mailbox, folders = soundFolders] in
      let isThere = folders.has(sound.name, of: sound.app)
      let nearest = isThere ? nil : folders.nearest(sound.name, of: sound.app)
      mailbox.send(
        .sound(SoundLookup.Finding(name: sound, isThere: isThere, nearest: nearest)))
    }
  }

  func launch(_ app: String, attempt: Int32) {
    guard let profile = manifests.profiles[app] else { return feed(.nothingToLaunch(app: app)) }
    guard let manifest = manifests.manifests[app] else {
      let problem = profile.problems.first ?? "nobody can read it"
      return launched(app, failure: "its manifest is refused: " + problem)
    }
    guard let launch = manifest.launch else {
      return launched(app, failure: "its manifest names neither an executable nor a unit")
    }
    launcher?.launch(
      AppLaunch(
        app: app, attempt: attempt, launch: launch, user: scheduler.owner(of: app) ?? uid,
        rights: launchRights, socket: paths.socket, environment: appEnvironment))
  }
}

extension Daemon: LaunchOwner {
  func start(_ launch: AppLaunch) {
    blockingWorker.run { [mailbox] in mailbox.send(.app(launch.app, launch.run())) }
  }

  func launched(_ app: String, failure: String?) {
    feed(.launched(app: app, failure: failure))
  }
}
