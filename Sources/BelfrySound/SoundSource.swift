import BelfrySystem
import CLinux

/// The bytes of a sound at random access: a regular file, or memory.
///
/// A file of up to `wholeLimit` bytes is read whole when opened, so that the disk may fall asleep
/// before the sound is due; a longer one stays open and is read as it plays. Nothing is mapped: a
/// file cut while it plays ends early instead of raising SIGBUS. Immutable, so any thread may read.
public final class SoundSource: @unchecked Sendable {
  /// Largest file that is held in memory: 1 MiB, 6 s of CD stereo or 24 s of it in IMA4.
  public static let wholeLimit: Int64 = 1 << 20

  /// Without what stands before the sound.
  public let size: Int64
  /// Where the sound begins.
  private let start: Int64
  private let descriptor: Int32
  private let memory: [UInt8]

  public init(bytes: [UInt8]) {
    let all = Int64(bytes.count)
    start = LeadingTag.length(all) { (offset, target) in
      Self.copy(bytes, at: offset, into: target)
    }
    size = all - start
    memory = bytes
    descriptor = -1
  }

  /// Opens a regular file without ever waiting for a writer or a device: open(2) with O_NONBLOCK,
  /// then fstat(2). Anything else is refused by what it is.
  public init(path: String) throws(SoundError) {
    let file = try Self.open(path)
    let status = try Self.status(file)
    switch status.kind {
    case .regular: break
    case .folder: throw SoundError(.notAFile, "it is a folder")
    default: throw SoundError(.notAFile, "it is a pipe, a socket or a device")
    }
    var whole: [UInt8] = []
    if status.size > 0 && status.size <= Self.wholeLimit {
      whole = [UInt8](repeating: 0, count: Int(status.size))
      let raw = file.raw
      let got = whole.withUnsafeMutableBytes { Self.fill($0, from: raw, at: 0) }
      if got < 0 { throw Self.error(got) }
      whole.removeLast(whole.count - got)
      let held = whole
      start = LeadingTag.length(Int64(got)) { Self.copy(held, at: $0, into: $1) }
      descriptor = -1
      size = Int64(got) - start
    } else {
      let raw = file.raw
      start = LeadingTag.length(status.size) { Self.fill($1, from: raw, at: $0) }
      size = status.size - start
      descriptor = file.release()
    }
    memory = whole
  }

  deinit {
    if descriptor >= 0 { _ = FileDescriptor(owning: descriptor) }
  }

  /// Copies what there is from `offset` on; the count is less than asked for at the end only.
  public func read(
    at offset: Int64, into target: UnsafeMutableRawBufferPointer
  ) throws(SoundError) -> Int {
    guard offset >= 0, offset < size else { return 0 }
    if descriptor >= 0 {
      let count = Self.fill(target, from: descriptor, at: start + offset)
      if count < 0 { throw Self.error(count) }
      return count
    }
    return Self.copy(memory, at: start + offset, into: target)
  }

  /// As much as there is; `offset` lies inside.
  private static func copy(
    _ memory: [UInt8], at offset: Int64, into target: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = min(target.count, memory.count - Int(offset))
    memory.withUnsafeBytes {
      target.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count]))
    }
    return count
  }

  /// A part of a header; throws `damaged` if the file ends inside it.
  func fields(at offset: Int64, count: Int, bigEndian: Bool) throws(SoundError) -> HeaderFields {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    var failure: SoundError?
    bytes.withUnsafeMutableBytes { target in
      do throws(SoundError) { got = try read(at: offset, into: target) } catch { failure = error }
    }
    if let failure { throw failure }
    if got < count { throw SoundError(.damaged, "it ends inside its header") }
    return HeaderFields(bytes: bytes, bigEndian: bigEndian)
  }

  private static func open(_ path: String) throws(SoundError) -> FileDescriptor {
    do throws(SystemError) { return try Files.open(path, .read) } catch { throw Self.error(error) }
  }

  private static func status(
    _ file: borrowing FileDescriptor
  ) throws(SoundError) -> Files.Status {
    do throws(SystemError) { return try Files.status(of: file) } catch { throw Self.error(error) }
  }

  private static func fill(
    _ target: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int64
  ) -> Int {
    guard let base = target.baseAddress else { return 0 }
    var done = 0
    while done < target.count {
      let got = Int(
        clinux_sound_read(descriptor, base + done, target.count - done, offset + Int64(done)))
      if got < 0 { return got }
      if got == 0 { break }
      done += got
    }
    return done
  }

  private static func error(_ count: Int) -> SoundError {
    error(SystemError(code: Int32(-count), operation: "read"))
  }

  private static func error(_ error: SystemError) -> SoundError {
    switch error.code {
    case SystemError.noEntry, SystemError.notFolder:
      SoundError(.missing, "there is no such file")
    case SystemError.noAccess: SoundError(.unreadable, "it may not be read")
    default: SoundError(.unreadable, error.reason)
    }
  }
}
