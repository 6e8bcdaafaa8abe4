import BelfryCore
import BelfrySystem
import BelfryWire

/// The calendars of days (E3): read by the helper when something changes in their folders.
///
/// Belongs to the clock's thread. What was last good of a calendar, the scheduler keeps.
final class DaysWatcher {
  enum Change {
    /// All files, as they are now.
    case files([DaysFile])
    /// For the log.
    case warning(String)
  }

  private let uid: UInt32
  private let watch: FolderWatch?
  private let run: (DaysScan) -> Void
  private var folders: [DaysFolder]
  /// The board's.
  private var zone: ZoneRules
  private var known: [ByteString: DaysScan.KnownFile] = [:]
  private(set) var files: [DaysFile] = []
  /// What concerns no calendar.
  private(set) var problems: [String] = []

  private var names: [Int32: Set<ByteString>] = [:]
  private var whole: Set<Int32> = []
  /// When to read again, on the elapsed clock.
  private(set) var deadline: Int64?
  private var isReading = false
  private var mustReadAgain = false

  /// From a change to reading, so that a file that is being written is not read half.
  private static let debounce = 100 * Nanoseconds.millisecond

  /// `run` has a scan run by the worker thread and its result brought to `take`.
  init(
    _ folders: [DaysFolder], uid: UInt32, zone: ZoneRules, watch: FolderWatch?,
    run: @escaping (DaysScan) -> Void
  ) {
    self.folders = folders
    self.uid = uid
    self.zone = zone
    self.watch = watch
    self.run = run
  }

  /// Readable when something has changed; nil: nothing is watched.
  var descriptor: Int32? { watch?.descriptor }

  var scan: DaysScan {
    DaysScan(
      folders: folders, uid: uid, reader: DaysReader(zone: zone, now: SystemClock.real()),
      watch: watch, known: known)
  }

  // MARK: Asking

  /// Follows these from now on.
  func follow(_ wanted: [DaysFolder]) {
    guard wanted != folders else { return }
    folders = wanted
    reload()
  }

  /// The board's zone is another, and with it the days of UTC times.
  func follow(_ zone: ZoneRules) {
    guard zone != self.zone else { return }
    self.zone = zone
    known = [:]
    reload()
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
    case .name(let folder, let name):
      // A folder that is not known was added a moment ago.
      guard let known = names[folder] else { return true }
      return known.contains(name)
        || whole.contains(folder) && (name.isEmpty || DaysReader.Kind.of(name) != nil)
    case .folder, .overflow: return true
    }
  }

  func tick(now: Int64) {
    guard let deadline, deadline <= now else { return }
    self.deadline = nil
    reload()
  }

  // MARK: Answers

  /// What is new in what the helper read.
  func take(_ result: DaysScanResult) -> [Change] {
    isReading = false
    var changes: [Change] = []
    remember(result)
    var lines = result.problems
    if let failure = result.way.failure {
      lines.append("changes of calendars are not noticed: \(failure)")
    }
    for line in lines where !problems.contains(line) { changes.append(.warning(line)) }
    problems = lines
    let told = files.compactMap { $0.problem }
    for problem in result.files.compactMap({ $0.problem }) where !told.contains(problem) {
      changes.append(.warning(problem + "; what was last read of it, if anything, still counts"))
    }
    if result.files != files {
      files = result.files
      changes.append(.files(files))
    }
    if mustReadAgain {
      mustReadAgain = false
      reload()
    } else {
      known = result.known
    }
    return changes
  }

  private func remember(_ result: DaysScanResult) {
    guard let watch else { return }
    for folder in names.keys where result.way.names[folder] == nil { watch.remove(folder) }
    names = result.way.names
    whole = result.whole
  }
}

extension DaysFile {
  var problem: String? {
    if case .problem(let reason) = content { reason } else { nil }
  }
}
