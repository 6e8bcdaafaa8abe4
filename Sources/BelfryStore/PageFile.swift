import BelfryCore
import BelfrySystem

/// Numbers of pages, one bit each.
struct PageSet {
  private var words: [UInt64]

  init(upTo last: UInt32) {
    words = [UInt64](repeating: 0, count: Int(last) / 64 + 1)
  }

  func contains(_ page: UInt32) -> Bool {
    let word = Int(page / 64)
    return word < words.count && words[word] & (1 << UInt64(page % 64)) != 0
  }

  /// False: it was there already, or cannot be.
  @discardableResult
  mutating func insert(_ page: UInt32) -> Bool {
    let word = Int(page / 64)
    guard word < words.count, !contains(page) else { return false }
    words[word] |= 1 << UInt64(page % 64)
    return true
  }
}

/// The pages of a file that may be damaged, as they stand in it and in its log.
///
/// Nothing that the file says of itself is believed here, not even its page size: Belfry has always
/// written pages of 1 KiB without reserved bytes.
final class PageFile {
  static let pageSize = 1024

  private let file: FileDescriptor
  let log: LogFrames
  /// Whole pages of the file alone.
  let filePages: UInt32
  let fileSize: Int64
  /// The last page that is anywhere.
  let lastPage: UInt32
  /// Pages that the device does not give.
  private(set) var unreadable = Set<UInt32>()

  /// A device that fails gets so many tries in all, half a second apart: what it does not give by
  /// then is missing.
  private var tries = 20
  private static let pause: Int32 = 500

  /// nil: there is no file to be read.
  init?(_ path: String) {
    do throws(SystemError) {
      file = try Files.open(path, .read)
      fileSize = try Files.status(of: file).size
    } catch {
      return nil
    }
    filePages = UInt32(truncatingIfNeeded: min(fileSize / Int64(Self.pageSize), Int64(Int32.max)))
    log = LogFrames(path + "-wal", filePages: filePages)
    lastPage = max(filePages, log.lastPage)
  }

  /// Another process has SQLite's lock on it.
  var isInUse: Bool {
    // SQLite's shared range (file format, "PENDING_BYTE").
    (try? file.isLocked(at: 0x4000_0002, size: 510)) == true
  }

  /// The newest image of a page; nil: there is none that can be read.
  func page(_ number: UInt32) -> [UInt8]? {
    if let offset = log.images[number], let image = log.image(at: offset) { return image }
    return filePage(number)
  }

  /// As it stands in the file itself.
  func filePage(_ number: UInt32) -> [UInt8]? {
    guard number > 0, number <= filePages else { return nil }
    let offset = Int64(number - 1) * Int64(Self.pageSize)
    while true {
      if let bytes = file.bytes(at: offset, count: Self.pageSize) { return bytes }
      if tries == 0 { break }
      tries -= 1
      // For time to pass: nothing is ever written to it.
      if let none = try? EventDescriptor() {
        _ = Poll.wait(none.descriptor.raw, .readable, milliseconds: Self.pause)
      }
    }
    unreadable.insert(number)
    return nil
  }
}

extension FileDescriptor {
  /// So many bytes; nil: they are not all there, or cannot be read.
  borrowing func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    bytes.withUnsafeMutableBytes { buffer in
      got = (try? read(at: offset, into: buffer)) ?? 0
    }
    return got == count ? bytes : nil
  }
}

extension [UInt8] {
  /// Two bytes, the most significant first; 0 beyond the end.
  func short(_ place: Int) -> Int {
    place >= 0 && place + 2 <= count ? Int(self[place]) << 8 | Int(self[place + 1]) : 0
  }

  /// Four bytes, the most significant first; 0 beyond the end.
  func word(_ place: Int) -> UInt32 {
    guard place >= 0, place + 4 <= count else { return 0 }
    return UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16
      | UInt32(self[place + 2]) << 8 | UInt32(self[place + 3])
  }
}
