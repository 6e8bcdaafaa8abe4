import BelfryCore
import BelfrySystem

/// The texts of apps: read by the helper when an app wants them or when they change (L1).
///
/// Belongs to the clock's thread. A table that is gone counts no more; one that breaks in use counts as it
/// was last good.
final class StringsWatcher {
  enum Change {
    /// This app's tables are others now.
    case changed(String)
    /// For the log.
    case warning(String)
  }

  private let uid: UInt32
  private let run: (StringsScan) -> Void
  private(set) var watch: FolderWatch?
  private var sources: [TableSource] = []
  private var apps: [ByteString: AppTables] = [:]
  private var files: [ByteString: StringsFile] = [:]
  private var watched: [Int32: Set<ByteString>] = [:]
  private var watchFailure: String?
  /// When to read again, on the elapsed clock.
  private(set) var deadline: Int64?
  private var isReading = false
  private var mustReadAgain = false

  /// From a change to reading, so that a file that is being written is not read half.
  private static let debounce = 100 * Nanoseconds.millisecond

  /// `run` has a scan run by the worker thread and its result brought to `take`.
  init(uid: UInt32, run: @escaping (StringsScan) -> Void) {
    self.uid = uid
    self.run = run
  }

  /// A manifest's profile with what its app has of tables now.
  func completed(_ profile: AppProfile) -> AppProfile {
    guard let found = apps[profile.id] else { return profile }
    var profile = profile
    profile.tables = found.tables
    profile.problems += found.problems
    return profile
  }

  /// Everything that is wrong with tables, for `status`.
  var problems: [String] { sources.flatMap { apps[$0.app]?.problems ?? [] } }

  // MARK: Asking

  /// Follows these from now on; true: `scan` is to be run.
  func follow(_ wanted: [TableSource]) -> Bool {
    guard wanted != sources else { return false }
    sources = wanted
    apps = apps.filter { app in wanted.contains { ByteString($0.app) == app.key } }
    return true
  }

  /// A watch for what is followed, if there is none yet: its descriptor is to be listened to.
  func makeWatch() throws(SystemError) -> FolderWatch? {
    guard watch == nil, !sources.isEmpty else { return nil }
    watch = try FolderWatch()
    return watch
  }

  var scan: StringsScan {
    StringsScan(sources: sources, uid: uid, watch: watch, known: files)
  }

  /// Reads again what has changed, one reading at a time.
  func reload() {
    if isReading { return mustReadAgain = true }
    isReading = true
    run(scan)
  }

  // MARK: Changes

  func readEvents(now: Int64) {
    guard let events = try? watch?.read(), events.contains(where: { isOurs($0) }) else { return }
    deadline = deadline ?? now + Self.debounce
  }

  private func isOurs(_ event: FolderWatch.Event) -> Bool {
    switch event {
    // A folder that is not known was added a moment ago.
    case .name(let folder, let name): watched[folder].map { $0.contains(name) } ?? true
    case .folder, .overflow: true
    }
  }

  func tick(now: Int64) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    reload()
  }

  // MARK: Answers

  /// What is new in what the helper read.
  func take(_ reading: StringsScanResult) -> [Change] {
    isReading = false
    var changes: [Change] = []
    if let failure = reading.watchFailure, failure != watchFailure {
      changes.append(.warning("changes of texts are not noticed: \(failure)"))
    }
    watchFailure = reading.watchFailure
    for folder in watched.keys where reading.watched[folder] == nil { watch?.remove(folder) }
    watched = reading.watched
    files = reading.files
    for source in sources {
      guard let found = reading.apps[source.app], found != apps[source.app] else { continue }
      let told = apps[source.app]?.problems ?? []
      for problem in found.problems where !told.contains(problem) {
        changes.append(.warning("\(source.app): \(problem)"))
      }
      apps[source.app] = found
      changes.append(.changed(source.app))
    }
    if mustReadAgain {
      mustReadAgain = false
      reload()
    }
    return changes
  }
}
