import BelfryCore
import BelfrySystem

/// What the helper thread is asked to read about zones.
struct ZoneErrand: Sendable {
  enum Purpose: Sendable {
    /// The scheduler waits for an answer.
    case answer
    /// These have come into use since they were read.
    case added
    /// Everything in use, because something may have changed.
    case whole
  }

  /// A zone to read: its name, and what is known of it.
  struct Subject: Sendable {
    var name: String
    var known: ZoneFile?
  }

  var files: ZoneFiles
  /// Where to watch the folders on the way to each file; nil: nothing is watched.
  var watch: FolderWatch?
  var wantsBoard: Bool
  var board: ZoneFile?
  var zones: [Subject]
  var purpose: Purpose

  /// Blocks on the disk.
  func run() -> ZoneReading {
    var reading = ZoneReading(purpose: purpose)
    if wantsBoard {
      follow({ files.boardTrail() }, &reading)
      reading.board = attempt { () throws(ZoneFileError) in try files.board(known: board) }
    }
    for zone in zones {
      follow({ files.trail(of: zone.name) }, &reading)
      let result = attempt { () throws(ZoneFileError) in
        try files.zone(zone.name, known: zone.known)
      }
      reading.zones.append(ZoneReading.Zone(name: zone.name, result: result))
    }
    // A folder of zones that is replaced as a whole moves itself.
    if watch != nil, reading.watchFailure == nil { add(files.folder, nil, &reading) }
    return reading
  }

  /// Watches first and reads then, so that no change falls between; the way may have changed while
  /// its folders were added.
  private func follow(_ trail: () -> FileTrail?, _ reading: inout ZoneReading) {
    guard watch != nil else { return }
    var last: FileTrail?
    for _ in 0..<3 {
      guard let trail = trail(), trail != last else { return }
      for step in trail.steps { add(step.folder, step.name, &reading) }
      last = trail
    }
  }

  private func add(_ folder: String, _ name: String?, _ reading: inout ZoneReading) {
    do throws(SystemError) {
      guard let number = try watch?.add(folder) else { return }
      reading.watched[number, default: []].formUnion(name.map { [$0] } ?? [])
    } catch {
      // A folder that is not there is told of by the one that it is missing from.
      guard error.code != SystemError.noEntry, error.code != SystemError.notFolder else { return }
      reading.watchFailure = error.text
    }
  }

  private func attempt(
    _ read: () throws(ZoneFileError) -> ZoneFile
  ) -> Result<ZoneFile, ZoneFileError> {
    do throws(ZoneFileError) {
      return .success(try read())
    } catch {
      return .failure(error)
    }
  }
}

/// What came of an errand.
struct ZoneReading: Sendable {
  struct Zone: Sendable {
    var name: String
    var result: Result<ZoneFile, ZoneFileError>
  }

  var purpose: ZoneErrand.Purpose
  /// nil: it was not asked for.
  var board: Result<ZoneFile, ZoneFileError>?
  var zones: [Zone] = []
  /// The names that matter in each folder, by its number in events.
  var watched: [Int32: Set<String>] = [:]
  /// Why a folder cannot be watched.
  var watchFailure: String?
}
