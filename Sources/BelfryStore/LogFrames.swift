import BelfryCore
import BelfrySystem

/// What stands in the log beside a file (SQLite's WAL format, "The WAL File Format").
///
/// SQLite reads a log up to the first frame that is not as it was written, and silently drops the
/// rest. That is right for a transaction that a power cut tore, which nobody was told of. When whole
/// transactions follow, the log was damaged later, and what was acknowledged would be gone.
final class LogFrames {
  enum Verdict {
    case sound
    /// Acknowledged transactions stand behind a frame that is damaged.
    case damaged
  }

  static let headerSize = 32
  private static let frameHeader = 24
  fileprivate static var frameSize: Int { frameHeader + PageFile.pageSize }

  private let file: FileDescriptor?
  /// Where in the log the newest image of a page begins.
  private(set) var images: [UInt32: Int64] = [:]
  /// Images in frames that fail their checksum: whose they are is not certain.
  private(set) var loose: [Int64] = []
  private(set) var verdict = Verdict.sound
  /// How many pages the file has after the newest transaction; nil: the log has none.
  private(set) var pageCount: UInt32?
  /// The last page that has an image.
  private(set) var lastPage: UInt32 = 0
  private(set) var isHeaderSound = true

  init(_ path: String, filePages: UInt32) {
    do throws(SystemError) {
      file = try Files.open(path, .read)
    } catch {
      file = nil
    }
    judge(heads(), filePages)
  }

  private func heads() -> [LogReader.Head] {
    guard let size = size, let header = bytes(at: 0, count: Self.headerSize) else { return [] }
    let frames = (size - Int64(Self.headerSize)) / Int64(Self.frameSize)
    var reader = LogReader(header)
    isHeaderSound = reader.isHeaderSound
    if !isHeaderSound {
      reader.guessSalts(
        (0..<min(frames, 9)).compactMap {
          bytes(at: Int64(Self.headerSize) + $0 * Int64(Self.frameSize), count: Self.frameHeader)
        })
    }
    var heads: [LogReader.Head] = []
    for index in 0..<max(0, frames) {
      let offset = Int64(Self.headerSize) + index * Int64(Self.frameSize)
      guard let frame = bytes(at: offset, count: Self.frameSize) else { break }
      heads.append(reader.read(frame))
    }
    return heads
  }

  private var size: Int64? {
    guard file != nil, let size = try? Files.status(of: file!).size else { return nil }
    return size > Int64(Self.headerSize) ? size : nil
  }

  private func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    file == nil ? nil : file!.bytes(at: offset, count: count)
  }

  private func judge(_ heads: [LogReader.Head], _ filePages: UInt32) {
    let sound = isHeaderSound ? heads.firstIndex { !$0.isLinked } ?? heads.count : 0
    var lastCommit = heads[..<sound].lastIndex { $0.commit > 0 }
    let later = heads.indices[sound...].filter {
      heads[$0].commit > 0 && heads[$0].hasSalts && (heads[$0].isLinked || $0 == sound)
    }
    // One commit behind the first bad frame may be its own, of a transaction that was never told.
    if later.count > 1 || !isHeaderSound && !later.isEmpty {
      verdict = .damaged
      lastCommit = later.last
    }
    guard let lastCommit else { return }
    let most = max(filePages, heads[...lastCommit].reduce(0) { max($0, $1.commit) })
    for (index, head) in heads[...lastCommit].enumerated() where head.hasSalts {
      let offset =
        Int64(Self.headerSize) + Int64(index) * Int64(Self.frameSize) + Int64(Self.frameHeader)
      // The first frame's checksum begins with the header's.
      let isSure = head.isLinked || !isHeaderSound && index == 0
      if isSure, head.page > 0, head.page <= most {
        images[head.page] = offset
        lastPage = max(lastPage, head.page)
      } else {
        loose.append(offset)
      }
    }
    pageCount = heads[lastCommit].commit
  }

  func image(at offset: Int64) -> [UInt8]? {
    bytes(at: offset, count: PageFile.pageSize)
  }

}

/// Reads a log's frames in order, each against the checksum of the one before.
struct LogReader {
  struct Head {
    var page: UInt32
    /// The file's pages after the transaction that the frame ends; 0: it ends none.
    var commit: UInt32
    /// It is of the log's present round, not a left-over.
    var hasSalts: Bool
    /// It is what was written behind the frame before.
    var isLinked: Bool
  }

  private(set) var isHeaderSound: Bool
  private var salts: (UInt32, UInt32)
  private var sum: (UInt32, UInt32)
  private let isBigEndian: Bool

  init(_ header: [UInt8]) {
    let magic = header.word(0)
    isBigEndian = magic == 0x377F_0683
    salts = (header.word(16), header.word(20))
    sum = (header.word(24), header.word(28))
    isHeaderSound =
      Self.isMagic(magic) && header.word(4) == 3_007_000
      && header.word(8) == UInt32(PageFile.pageSize)
      && Self.sum(header, 0..<24, (0, 0), isBigEndian) == sum
  }

  /// Whether a file begins like a log.
  static func begins(_ file: borrowing FileDescriptor) -> Bool {
    file.bytes(at: 0, count: 4).map { isMagic($0.word(0)) } ?? false
  }

  /// How many whole frames so many bytes have.
  static func frames(_ size: Int64) -> Int64 {
    max(0, size - Int64(LogFrames.headerSize)) / Int64(LogFrames.frameSize)
  }

  /// Whether a frame, counted from 1, says of which page it is, or lies beyond the end.
  static func hasFrame(_ file: borrowing FileDescriptor, _ number: Int64) -> Bool {
    guard number > 0 else { return true }
    let place = Int64(LogFrames.headerSize) + (number - 1) * Int64(LogFrames.frameSize)
    return file.bytes(at: place, count: 4).map { $0.word(0) > 0 } ?? true
  }

  private static func isMagic(_ word: UInt32) -> Bool {
    word == 0x377F_0682 || word == 0x377F_0683
  }

  /// Those that most of the first frames have.
  mutating func guessSalts(_ heads: [[UInt8]]) {
    var found: [(salts: (UInt32, UInt32), count: Int)] = []
    for head in heads {
      let these = (head.word(8), head.word(12))
      if let place = found.firstIndex(where: { $0.salts == these }) {
        found[place].count += 1
      } else {
        found.append((these, 1))
      }
    }
    var best = 0
    for each in found where each.count > best {
      salts = each.salts
      best = each.count
    }
  }

  mutating func read(_ frame: [UInt8]) -> Head {
    let start = Self.sum(frame, 0..<8, sum, isBigEndian)
    let computed = Self.sum(frame, 24..<frame.count, start, isBigEndian)
    sum = (frame.word(16), frame.word(20))
    let hasSalts = (frame.word(8), frame.word(12)) == salts
    return Head(
      page: frame.word(0), commit: frame.word(4), hasSalts: hasSalts,
      isLinked: hasSalts && computed == sum)
  }

  private static func sum(
    _ bytes: [UInt8], _ range: Range<Int>, _ seed: (UInt32, UInt32), _ isBigEndian: Bool
  ) -> (UInt32, UInt32) {
    var (first, second) = seed
    bytes.withUnsafeBytes { raw in
      var place = range.lowerBound
      while place + 8 <= range.upperBound {
        let left = raw.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let right = raw.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        first &+= (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
        second &+= (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
        place += 8
      }
    }
    return (first, second)
  }
}
