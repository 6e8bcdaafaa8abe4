import BelfryCore
import BelfrySystem

/// What belfryd remembers in the run folder of the log that it writes, so that a start after a kill
/// knows whether it has all that was acknowledged: SQLite takes an empty, shorter or missing log for
/// one that was folded in.
///
/// Written after each commit that made the log longer, never synced: the folder is in memory on a
/// board, and counts for this boot alone. One thread at a time.
final class LogNote: @unchecked Sendable {
  /// What stands in the note, as five numbers of 16 hexadecimal digits.
  private struct Content: Equatable {
    var boot: UInt64
    var file: FilePlace.Identity
    var logInode: UInt64
    var size: Int64

    var log: FilePlace.Identity {
      FilePlace.Identity(device: file.device, inode: logInode)
    }
  }

  private let path: String
  private let boot: UInt64
  private var written: Content?

  init(_ path: String) {
    self.path = path
    boot = UInt64(bitPattern: KnownTime.boot())
  }

  /// Best effort: without it a loss is only not told.
  func write(file: FilePlace.Identity, log: FilePlace.Identity, size: Int64) {
    guard size > 0 else { return }
    let content = Content(boot: boot, file: file, logInode: log.inode, size: size)
    guard content != written else { return }
    do throws(SystemError) {
      try Files.open(path, [.write, .create, .noFollow]).write(Self.bytes(of: content), at: 0)
      written = content
    } catch {
      written = nil
    }
  }

  /// Before belfryd itself puts other files in the place of these, and after a close.
  func clear() {
    try? Files.remove(path)
    written = nil
  }

  /// What is missing of the store at `path`, for the operator; nil: nothing. A log that was left
  /// beside a link at `origin`, when the file behind it was moved, follows the file.
  func judge(_ path: String, origin: String) -> String? {
    guard let noted = read(), noted.boot == boot else { return nil }
    let file = Self.status(path)
    if origin != path, file.map({ FilePlace.Identity($0) }) == noted.file,
      Self.status(origin + "-wal").map({ FilePlace.Identity($0) }) == noted.log,
      !IntegrityMark.hasLog(path)
    {
      return follow(from: origin, to: path)
    }
    let log = Self.status(path + "-wal")
    let isTheirs =
      log.map { FilePlace.Identity($0) } == noted.log && Self.isLog(path + "-wal", noted.size)
    let size = isTheirs ? log?.size ?? 0 : 0
    if file.map({ FilePlace.Identity($0) }) == noted.file,
      size >= min(noted.size, FilePlace.logLimit)
    {
      return nil
    }
    return """
      the books or their log \(path)-wal are not as belfryd left them (\(noted.size) bytes of log, \
      now \(size)): what was acknowledged and stood in the log alone is lost
      """
  }

  private func follow(from origin: String, to path: String) -> String {
    do throws(SystemError) {
      try Files.rename(origin + "-wal", to: path + "-wal")
      return "the books' log was left behind when they were moved: it is \(path)-wal again"
    } catch {
      return "the books' log was left behind as \(origin)-wal, and does not count: \(error.text)"
    }
  }

  private static func isLog(_ path: String, _ size: Int64) -> Bool {
    do throws(SystemError) {
      let file = try Files.open(path, .read)
      return LogReader.begins(file) && LogReader.hasFrame(file, LogReader.frames(size))
    } catch {
      return false
    }
  }

  private static func status(_ path: String) -> Files.Status? {
    try? Files.status(path, follow: false)
  }

  // MARK: Its bytes

  private static func bytes(of content: Content) -> [UInt8] {
    let numbers = [
      content.boot, content.file.device, content.file.inode, content.logInode,
      UInt64(bitPattern: content.size),
    ]
    let words = numbers.map { number in
      let digits = String(number, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
    return Array((words.joined(separator: " ") + "\n").utf8)
  }

  private func read() -> Content? {
    guard let bytes = try? Files.read(path, limit: 256) else { return nil }
    let numbers = String(decoding: bytes, as: UTF8.self).split(whereSeparator: { $0.isWhitespace })
      .compactMap { UInt64($0, radix: 16) }
    guard numbers.count == 5 else { return nil }
    return Content(
      boot: numbers[0], file: FilePlace.Identity(device: numbers[1], inode: numbers[2]),
      logInode: numbers[3], size: Int64(bitPattern: numbers[4]))
  }
}
