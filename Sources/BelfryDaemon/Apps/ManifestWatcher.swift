import BelfryCore
import BelfrySystem

/// The manifests of apps: read by the helper when something changes in their folders.
///
/// Belongs to the clock's thread. What cannot be read any more stays as it was until the file goes.
final class ManifestWatcher {
  enum Change {
    case app(AppProfile)
    case gone(String)
    /// For the log: a manifest that is not read, or one that is read and odd.
    case problem(String)
    case oddity(String)
  }

  private let folders: [ManifestFolder]
  private let uid: UInt32
  private let watch: FolderWatch?
  private let run: (ManifestScan) -> Void
  /// Those that hold, by app id.
  private(set) var manifests: [ByteString: AppManifest] = [:]
  /// As the scheduler was told last.
  private(set) var profiles: [ByteString: AppProfile] = [:]
  /// What concerns no app.
  private(set) var problems: [String] = []

  private var watched: [Int32: Set<ByteString>] = [:]
  private var whole: Set<Int32> = []
  /// When to read again, on the elapsed clock.
  private(set) var deadline: Int64?
  private var isReading = false
  private var mustReadAgain = false

  /// From a change to reading, so that a file that is being written is not read half.
  private static let debounce = 100 * Nanoseconds.millisecond

  /// `run` has a scan run by the worker thread and its result brought to `take`.
  init(
    _ folders: [ManifestFolder], uid: UInt32, watch: FolderWatch?,
    run: @escaping (ManifestScan) -> Void
  ) {
    self.folders = folders
    self.uid = uid
    self.watch = watch
    self.run = run
  }

  /// Readable when something has changed; nil: nothing is watched.
  var descriptor: Int32? { watch?.descriptor }

  var scan: ManifestScan { ManifestScan(folders: folders, uid: uid, watch: watch) }

  /// Why manifests are not read, for `status`.
  var allProblems: [String] { problems + told { !isRead($0) } }

  /// What is odd in those that are.
  var allOddities: [String] { told(of: isRead) }

  private func told(of isMeant: (AppProfile) -> Bool) -> [String] {
    profiles.values.filter(isMeant)
      .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
      .flatMap { $0.problems }
  }

  /// Its manifest was read, oddities and all.
  func isRead(_ profile: AppProfile) -> Bool {
    manifests[ByteString(profile.id)]?.oddities == profile.problems
  }

  // MARK: Changes

  func readEvents(now: Int64) {
    guard let events = try? watch?.read(), events.contains(where: { isOurs($0) }) else { return }
    deadline = deadline ?? now + Self.debounce
  }

  private func isOurs(_ event: FolderWatch.Event) -> Bool {
    switch event {
    case .name(let folder, let name):
      guard let names = watched[folder] else { return true }
      return names.contains(name)
        || whole.contains(folder) && (name.isEmpty || name.hasSuffix(ManifestReader.suffix))
    case .folder, .overflow: return true
    }
  }

  func tick(now: Int64) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    reload()
  }

  /// Reads everything again, one reading at a time.
  func reload() {
    if isReading { return mustReadAgain = true }
    isReading = true
    run(scan)
  }

  // MARK: Answers

  /// What is new in what the helper read.
  func take(_ reading: ManifestScanResult) -> [Change] {
    isReading = false
    remember(reading)
    var changes: [Change] = []
    var found: Set<ByteString> = []
    var lines = reading.problems
    if let failure = reading.watchFailure {
      lines.append("changes of manifests are not noticed: \(failure)")
    }
    for line in lines where !problems.contains(line) { changes.append(.problem(line)) }
    problems = lines
    for file in chosen(reading.files) {
      found.insert(file.id)
      take(file, &changes)
    }
    for id in profiles.keys.map({ $0.text }).sorted() where !found.contains(id) {
      profiles[id] = nil
      manifests[id] = nil
      changes.append(.gone(id))
    }
    if mustReadAgain {
      mustReadAgain = false
      reload()
    }
    return changes
  }

  private func remember(_ reading: ManifestScanResult) {
    guard let watch else { return }
    for folder in watched.keys where reading.watched[folder] == nil { watch.remove(folder) }
    watched = reading.watched
    whole = reading.whole
  }

  /// One file an id: the first, but no user's own against one of the system that gives the id to
  /// another (A1).
  private func chosen(_ files: [ManifestScanResult.File]) -> [ManifestScanResult.File] {
    var chosen: [ByteString: ManifestScanResult.File] = [:]
    for file in files {
      if case .gone = file.result { continue }
      guard var first = chosen[file.id] else {
        chosen[file.id] = file
        continue
      }
      guard let user = first.folder.user, file.folder.user == nil,
        case .manifest(let theirs) = file.result, let owner = theirs.owner, owner != user
      else { continue }
      first.result = .problem("\(first.path): \(file.id) is user \(owner)'s, says \(file.path)")
      manifests[file.id] = theirs
      chosen[file.id] = first
    }
    return chosen.values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
  }

  private func take(_ file: ManifestScanResult.File, _ changes: inout [Change]) {
    var profile: AppProfile
    switch file.result {
    case .gone: return
    case .manifest(let manifest):
      manifests[file.id] = manifest
      profile = manifest.profile
      let known = profiles[file.id]?.problems ?? []
      for problem in profile.problems where !known.contains(problem) {
        changes.append(.oddity(problem))
      }
    case .problem(let problem):
      profile = manifests[file.id]?.profile ?? broken(file)
      profile.problems = [problem]
      if profiles[file.id]?.problems != profile.problems { changes.append(.problem(problem)) }
    }
    guard profile != profiles[file.id] else { return }
    profiles[file.id] = profile
    changes.append(.app(profile))
  }

  /// Of one that never could be read: it holds the id for whom it names, or whose folder it lies in,
  /// else for nobody until it is mended (A1).
  private func broken(_ file: ManifestScanResult.File) -> AppProfile {
    var profile = AppProfile(id: file.id)
    profile.manifest = file.path
    profile.owner = file.owner ?? file.folder.user
    profile.isReserved = profile.owner == nil
    return profile
  }
}
