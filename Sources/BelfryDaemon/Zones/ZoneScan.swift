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
      if let watch { reading.way.add(watch.follow { files.boardChain() }) }
      reading.board = attempt { () throws(ZoneFileError) in try files.board(known: board) }
    }
    for zone in zones {
      if let watch { reading.way.add(watch.follow { files.chain(of: zone.name) }) }
      let result = attempt { () throws(ZoneFileError) in
        try files.zone(zone.name, known: zone.known)
      }
      reading.zones.append(ZoneScanResult.Zone(name: zone.name, result: result))
    }
    // A folder of zones that is replaced as a whole moves itself.
    if let watch, reading.way.failure == nil { watch.add(files.folder, nil, to: &reading.way) }
    return reading
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
  /// What is watched for them.
  var way = FolderWatch.Way()
}
