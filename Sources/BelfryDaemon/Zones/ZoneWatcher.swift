import BelfryCore
import BelfrySystem

/// The zones in use: read by the helper, watched for as long as something goes by them (T7).
///
/// Belongs to the clock's thread. After a change it waits a moment before it reads, so that a link
/// that is removed and made again is not taken for a missing one; what cannot be read any more stays
/// as it was.
final class ZoneWatcher {
  /// What the scheduler has to know.
  enum Change {
    case board(ZoneFile)
    case zone(String, Result<ZoneFile, ZoneFileError>)
    /// For the log.
    case warning(String)
  }

  private var files: ZoneFiles
  private let run: (ZoneScan) -> Void
  /// As the scheduler was told last; also those that are not followed any longer.
  private(set) var board: ZoneFile?
  private var zones: [ByteString: ZoneFile] = [:]

  private var followsBoard = false
  private var names: Set<ByteString> = []
  private(set) var watch: FolderWatch?
  private var watched: [Int32: Set<ByteString>] = [:]
  /// When to read again, on the elapsed clock.
  private(set) var deadline: Int64?
  /// A zone that was there could not be read: once more, then the log says so.
  private var isSecondTry = false
  private var lastWarning: String?

  /// From a change to reading.
  private static let debounce = 100 * Nanoseconds.millisecond
  private static let secondTry = 400 * Nanoseconds.millisecond

  /// `run` has a scan run by the worker thread and its result brought to `take`.
  init(_ files: ZoneFiles, board: ZoneFile?, run: @escaping (ZoneScan) -> Void) {
    self.files = files
    self.board = board
    self.run = run
  }

  // MARK: Asking

  /// Reads one zone; `.zone` answers in any case.
  func load(_ name: String) {
    send(.answer, board: false, [name])
  }

  /// Reads the board's zone; `.board` answers in any case.
  func loadBoard() {
    send(.answer, board: true, [])
  }

  /// `[clock] zone` is another from now on; nil: the system's. `.board` answers.
  func choose(_ name: String?) {
    files.chosen = name
    loadBoard()
  }

  /// Follows these from now on, and reads what may have changed since it was read. The answer is a
  /// watch to listen to; nil: the one that was listened to goes on.
  func follow(board: Bool, named: [String]) throws(SystemError) -> FolderWatch? {
    let added = named.filter { !names.contains($0) }
    let addsBoard = board && !followsBoard
    (followsBoard, names) = (board, Set<ByteString>(named.map { ByteString($0) }))
    guard watch == nil else {
      if addsBoard || !added.isEmpty { send(.added, board: addsBoard, added) }
      return nil
    }
    // Read in any case: only what comes later is missed without a watch.
    defer { send(.whole, board: board, named) }
    watch = try FolderWatch()
    return watch
  }

  /// Nothing goes by zones any more: `watch`'s descriptor must not be listened to any longer.
  func stopFollowing() {
    watch = nil
    watched = [:]
    (followsBoard, names) = (false, [])
    deadline = nil
  }

  private func send(_ purpose: ZoneScan.Purpose, board wantsBoard: Bool, _ names: [String]) {
    run(
      ZoneScan(
        files: files, watch: watch, wantsBoard: wantsBoard, board: board,
        zones: names.map { ZoneScan.Subject(name: $0, known: zones[$0]) }, purpose: purpose))
  }

  // MARK: Changes

  /// Something happened in a folder.
  func readEvents(now: Int64) {
    guard let events = try? watch?.read(), events.contains(where: { isOurs($0) }) else { return }
    isSecondTry = false
    deadline = min(deadline ?? .max, now + Self.debounce)
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
    send(.whole, board: followsBoard, names.map { $0.text })
  }

  // MARK: Answers

  /// What is new in what the helper read.
  func take(_ reading: ZoneScanResult, now: Int64) -> [Change] {
    var changes: [Change] = []
    remember(reading)
    if let failure = reading.way.failure {
      warn("changes of time zones are not noticed: \(failure)", &changes)
    }
    var failure = takeBoard(reading, &changes)
    for zone in reading.zones {
      if let lost = take(zone, reading, &changes) { failure = lost }
    }
    if let failure {
      repeatOrWarn(failure, now: now, &changes)
    } else if reading.purpose == .whole {
      (isSecondTry, lastWarning) = (false, nil)
    }
    return changes
  }

  /// The answer is why the board's zone cannot be read.
  private func takeBoard(_ reading: ZoneScanResult, _ changes: inout [Change]) -> String? {
    switch reading.board {
    case .success(let file):
      if reading.purpose == .answer || !isSame(file, board) { changes.append(.board(file)) }
      board = file
      return nil
    case .failure(let error):
      if reading.purpose == .answer {
        changes.append(.board(board ?? ZoneFile(name: "UTC", rules: .utc, identity: nil)))
      }
      return "\(error.reason); the board's zone stays \(board?.name ?? "UTC")"
    case nil: return nil
    }
  }

  /// The answer is why a zone that was there is so no more.
  private func take(
    _ zone: ZoneScanResult.Zone, _ reading: ZoneScanResult, _ changes: inout [Change]
  ) -> String? {
    let known = zones[zone.name]
    switch zone.result {
    case .success(let file):
      zones[zone.name] = file
      if reading.purpose == .answer || !isSame(file, known) {
        changes.append(.zone(zone.name, zone.result))
      }
    case .failure(let error):
      if reading.purpose == .answer {
        changes.append(.zone(zone.name, zone.result))
      } else if known != nil {
        return "\(error.reason); its rules stay what they were"
      }
    }
    return nil
  }

  private func repeatOrWarn(_ failure: String, now: Int64, _ changes: inout [Change]) {
    if isSecondTry {
      warn(failure, &changes)
    } else if watch != nil {
      isSecondTry = true
      deadline = min(deadline ?? .max, now + Self.secondTry)
    }
  }

  private func remember(_ reading: ZoneScanResult) {
    guard watch != nil else { return }
    guard reading.purpose == .whole else {
      for (folder, names) in reading.way.names {
        watched[folder] = names.union(watched[folder] ?? [])
      }
      return
    }
    for folder in watched.keys where reading.way.names[folder] == nil { watch?.remove(folder) }
    watched = reading.way.names
  }

  private func isSame(_ file: ZoneFile, _ known: ZoneFile?) -> Bool {
    file.name == known?.name && file.rules == known?.rules
  }

  /// Once for each sentence, however often it is met.
  private func warn(_ text: String, _ changes: inout [Change]) {
    guard text != lastWarning else { return }
    lastWarning = text
    changes.append(.warning(text))
  }
}
