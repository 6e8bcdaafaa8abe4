import BelfryCore
import CLinux

/// A number for each of the newest deliveries of a child of the clock (D7), kept in a file of the run
/// directory so that it outlives a kill -9 of clock or child. Nothing is synced: after a power cut
/// they are forgotten, as the rule allows. One thread at a time.
///
/// The file is a ring of 64-byte records, each written by one pwrite(2) within a page: number (0:
/// empty), uuid, generation, k, the value, a check over all the others, and how often it was snoozed.
final class DeliveryRing {
  private static let recordSize = 64

  /// nil: it cannot be written.
  private let file: FileDescriptor?
  private let raw: Int32
  private let name: String
  private let capacity: Int
  private var kept: [OccurrenceID: (number: UInt64, value: Int64)] = [:]
  private var ring: [OccurrenceID?]
  private var next: UInt64 = 1

  /// Opens or makes the file `name`; records that are not whole are passed over. On a read-only disk
  /// what it holds counts, and `insert` remembers in memory alone; so it does without a folder.
  init(in folder: RunFolder?, name: String, capacity: Int) throws(SystemError) {
    self.name = name
    self.capacity = capacity
    ring = [OccurrenceID?](repeating: nil, count: capacity)
    do throws(SystemError) {
      guard let folder else {
        throw SystemError(code: SystemError.readOnly, operation: "open the \(name) ids")
      }
      let opened = try folder.openOwn(name)
      raw = opened.raw
      file = consume opened
    } catch {
      guard error.code == SystemError.readOnly else { throw error }
      raw = -1
      file = nil
    }
    let bytes = try Self.read(folder, name, capacity)
    for place in 0..<min(capacity, bytes.count / Self.recordSize) {
      let words = Self.words(bytes, at: place * Self.recordSize)
      guard words[0] != 0, words[6] == Self.check(words),
        words[0] % UInt64(capacity) == UInt64(place)
      else { continue }
      let id = OccurrenceID(
        uuid: UUIDBits(high: words[1], low: words[2]),
        generation: Int64(bitPattern: words[3]), k: Int64(bitPattern: words[4]),
        snooze: Int32(truncatingIfNeeded: words[7]),
        step: Int32(truncatingIfNeeded: words[7] >> 32))
      ring[place] = id
      if words[0] > kept[id]?.number ?? 0 { kept[id] = (words[0], Int64(bitPattern: words[5])) }
      next = max(next, words[0] + 1)
    }
  }

  /// The newest value; nil: there is none, or it was long ago.
  subscript(_ id: OccurrenceID) -> Int64? { kept[id]?.value }

  /// Remembers it; an error loses no more than this one after a crash.
  func insert(_ id: OccurrenceID, _ value: Int64) throws(SystemError) {
    let place = Int(next % UInt64(capacity))
    // What was remembered anew since stays.
    if let old = ring[place], let number = kept[old]?.number, number + UInt64(capacity) <= next {
      kept[old] = nil
    }
    ring[place] = id
    kept[id] = (next, value)
    var words: [UInt64] = [
      next, id.uuid.high, id.uuid.low, UInt64(bitPattern: id.generation),
      UInt64(bitPattern: id.k), UInt64(bitPattern: value), 0,
      UInt64(UInt32(bitPattern: id.snooze)) | UInt64(UInt32(bitPattern: id.step)) << 32,
    ]
    words[6] = Self.check(words)
    next += 1
    guard raw >= 0 else {
      throw SystemError(code: SystemError.readOnly, operation: "write the \(name) ids")
    }
    let result = words.withUnsafeBytes { record in
      clinux_file_write_at(raw, record.baseAddress!, record.count, Int64(place * Self.recordSize))
    }
    if result < 0 { throw SystemError(code: -result, operation: "write the \(name) ids") }
  }

  private static func read(
    _ folder: RunFolder?, _ name: String, _ capacity: Int
  ) throws(SystemError) -> [UInt8] {
    do throws(SystemError) {
      return try folder?.read(name, limit: capacity * recordSize) ?? []
    } catch {
      guard error.code == SystemError.noEntry else { throw error }
      return []
    }
  }

  private static func words(_ bytes: [UInt8], at start: Int) -> [UInt64] {
    (0..<recordSize / 8).map { word in
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start + word * 8, as: UInt64.self) }
    }
  }

  private static func check(_ words: [UInt64]) -> UInt64 {
    var sum: UInt64 = 0x6265_6C66_7279
    for word in words[..<6] { sum = (sum ^ word) &* 0x100_0000_01B3 }
    // As it was before there were snoozes.
    if words[7] != 0 { sum = (sum ^ words[7]) &* 0x100_0000_01B3 }
    return sum
  }
}
