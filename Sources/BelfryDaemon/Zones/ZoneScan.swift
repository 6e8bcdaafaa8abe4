import BelfryCore
import BelfrySystem

/// What the worker thread is asked to read about zones.
struct ZoneScan: Sendable {
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
  func run() -> ZoneScanResult {
    var reading = ZoneScanResult(purpose: purpose)
    if wantsBoard {
      follow({ files.boardChain() }, &reading)
      reading.board = attempt { () throws(ZoneFileError) in try files.board(known: board) }
    }
    for zone in zones {
      follow({ files.chain(of: zone.name) }, &reading)
      let result = attempt { () throws(ZoneFileError) in
        try files.zone(zone.name, known: zone.known)
      }
      reading.zones.append(ZoneScanResult.Zone(name: zone.name, result: result))
    }
    // A folder of zones that is replaced as a whole moves itself.
    if watch != nil, reading.watchFailure == nil { add(files.folder, nil, &reading) }
    return reading
  }

  /// Watches first and reads then, so that no change falls between; the way may have changed while
  /// its folders were added.
  private func follow(_ chain: () -> SymlinkChain?, _ reading: inout ZoneScanResult) {
    guard watch != nil else { return }
    var last: SymlinkChain?
    for _ in 0..<3 {
      guard let chain = chain(), chain != last else { return }
      for step in chain.steps { add(step.folder, step.name, &reading) }
      last = chain
    }
  }

  private func add(_ folder: String, _ name: String?, _ reading: inout ZoneScanResult) {
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

/// What came of a scan.
struct ZoneScanResult: Sendable {
  struct Zone: Sendable {
    var name: String
    var result: Result<ZoneFile, ZoneFileError>
  }

  var purpose: ZoneScan.Purpose
  /// nil: it was not asked for.
  var board: Result<ZoneFile, ZoneFileError>?
  var zones: [Zone] = []
  /// The names that matter in each folder, by its number in events.
  var watched: [Int32: Set<String>] = [:]
  /// Why a folder cannot be watched.
  var watchFailure: String?
}
