import BelfryCore
import CLinux

/// Which deliveries the clock has handed over in this boot (D7): so the next life knows what of all that
/// was prepared, or waited, may have been shown. A file in the run directory, since nothing may wait for
/// a disk at the due instant; it outlives a kill -9, and a boot makes it worthless.
///
/// A ring of 64-bit numbers that stand for delivery ids, each written by one pwrite(2) with a zero behind
/// it, where the next goes. One thread at a time.
public final class HandOverLog: @unchecked Sendable {
  /// More than can be handed over while the books are a second behind.
  public static let capacity = 4096
  private static let prefix = "handed-over."

  /// It lies in memory, so that no disk holds up `insert`.
  public let isInMemory: Bool
  private let path: String
  private var file: FileDescriptor?
  private var next = 0
  /// What earlier lives of this boot have handed over; nil: nobody knows.
  private var known: Set<UInt64>?

  /// Opens or makes the file of this boot in `directory`, and removes those of others. Where that cannot
  /// be, everything may have been handed over.
  @export(interface)
  public init(in directory: String, boot: Int64) {
    path = directory + "/" + Self.prefix + String(boot)
    isInMemory = clinux_disk_is_memory(directory) == 1
    for name in (try? Files.list(directory)) ?? []
    where name.hasPrefix(Self.prefix) && !path.hasSuffix("/" + name) {
      try? Files.remove(directory + "/" + name)
    }
    do throws(SystemError) {
      take(try Files.read(path, limit: Self.capacity * 8))
    } catch {
      if error.code != SystemError.noEntry { try? Files.remove(path) }
    }
    do throws(SystemError) {
      file = try Files.open(path, [.write, .create, .noFollow], mode: 0o600)
    } catch {
      giveUp()
    }
  }

  private func take(_ bytes: [UInt8]) {
    let numbers = bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
    }
    known = Set<UInt64>(numbers.filter { $0 != 0 })
    next = (numbers.firstIndex(of: 0) ?? numbers.count) % Self.capacity
  }

  /// Nobody knows what earlier lives have handed over.
  public var isNew: Bool { known == nil }

  /// It cannot say what lies before it: the next life must not believe that what is not there was not
  /// handed over.
  public func giveUp() {
    file = nil
    try? Files.remove(path)
  }

  /// Whether an earlier life may have handed an occurrence over to the sink of that name. Asked for once:
  /// the answer has all that is known.
  public func takeEarlier() -> (OccurrenceID, _ sink: String) -> Bool {
    let known = known.take()
    return { known?.contains(Self.number($0, $1)) ?? true }
  }

  /// It is about to be handed over. What cannot be written makes the file worthless.
  @export(interface)
  public func insert(_ id: OccurrenceID, _ sink: String) {
    guard let raw = file?.raw else { return }
    let place = next
    next = (next + 1) % Self.capacity
    let words = [Self.number(id, sink), 0]
    let fits = next > 0
    let result = words.withUnsafeBytes {
      clinux_file_write_at(raw, $0.baseAddress!, fits ? 16 : 8, Int64(place * 8))
    }
    if result < 0 { giveUp() }
  }

  /// FNV-1a over what a delivery's id is made of; never zero.
  private static func number(_ id: OccurrenceID, _ sink: String) -> UInt64 {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ word: UInt64) {
      sum = (sum ^ word) &* 0x100_0000_01B3
      sum ^= sum >> 29
    }
    for word in [id.uuid.high, id.uuid.low] { add(word) }
    for word in [id.generation, id.k, Int64(id.snooze), Int64(id.step)] {
      add(UInt64(bitPattern: word))
    }
    for byte in sink.utf8 { add(UInt64(byte)) }
    return max(sum, 1)
  }
}
