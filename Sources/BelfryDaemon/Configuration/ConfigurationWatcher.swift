import BelfryCore
import BelfrySystem

/// belfry.conf while belfryd runs: the worker thread reads it again when it changes, and when somebody
/// asks for that.
///
/// Belongs to the clock's thread.
final class ConfigurationWatcher {
  private let path: String
  private let uid: UInt32
  private let zones: ZoneFiles
  private let run: (ConfigurationScan) -> Void
  private(set) var watch: FolderWatch?
  private var names: [Int32: Set<ByteString>] = [:]
  private var watchFailure: String?
  /// When to read again, on the elapsed clock.
  private(set) var deadline: Int64?
  /// The keys that only a restart takes up and that have changed since the start.
  var needsRestart: [String] = []
  /// The configuration of the last time that somebody asked, or of the start; nil: nothing has
  /// changed since. Whoever asks is told what has changed since then, also where the watch was
  /// faster.
  var lastAsked: DaemonConfiguration?
  /// Why the file as it stands is not used; nil: it is.
  var problem: String?

  /// From the last change to reading: a file that is being written is not read half.
  private static let debounce = 300 * Nanoseconds.millisecond

  /// `run` has a scan run by the worker thread and its result brought to `Daemon.take`.
  init(_ path: String, uid: UInt32, zones: ZoneFiles, run: @escaping (ConfigurationScan) -> Void) {
    self.path = path
    self.uid = uid
    self.zones = zones
    self.run = run
  }

  /// Makes the watch, whose descriptor is to be listened to, and reads what has changed meanwhile.
  func begin() throws(SystemError) -> FolderWatch {
    let made = try FolderWatch()
    watch = made
    read(.change)
    return made
  }

  func read(_ cause: ConfigurationScan.Cause) {
    run(ConfigurationScan(path: path, uid: uid, zones: zones, watch: watch, cause: cause))
  }

  func readEvents(now: Int64) {
    guard let events = try? watch?.read(), events.contains(where: { isOurs($0) }) else { return }
    deadline = now + Self.debounce
  }

  private func isOurs(_ event: FolderWatch.Event) -> Bool {
    switch event {
    // A folder that is not known was added a moment ago.
    case .name(let folder, let name): names[folder].map { $0.contains(name) } ?? true
    case .folder, .overflow: true
    }
  }

  func tick(now: Int64) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    read(.change)
  }

  /// Takes up what is watched now; the answer is a sentence for the log.
  func note(_ way: FolderWatch.Way) -> String? {
    guard watch != nil else { return nil }
    for folder in names.keys where way.names[folder] == nil { watch?.remove(folder) }
    names = way.names
    defer { watchFailure = way.failure }
    guard let failure = way.failure, failure != watchFailure else { return nil }
    return "changes of \(path) are not noticed: \(failure)"
  }
}
