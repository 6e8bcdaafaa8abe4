import BelfryCore
import CLinux

/// A child's own folder in the run directory, held open: what is in it is opened by name below it,
/// never through a link, and only while it has no other name.
///
/// Whoever may become another user makes it and gives it away while it is empty, by descriptor; all
/// else is for its owner.
public final class RunFolder: Sendable {
  private let descriptor: FileDescriptor
  /// For errors.
  public let path: String

  /// Opens or makes the folder of child `name` in `directory`. `owner` nil: ours.
  ///
  /// Users have folders of their own, so that none ever changes hands with something in it.
  @export(interface)
  public init(
    _ name: String, in directory: String, owner: (uid: UInt32, gid: UInt32)? = nil
  ) throws(SystemError) {
    let us = Process.uid
    let other = owner?.uid == us ? nil : owner
    path = directory + "/" + name + (other.map { ".\($0.uid)" } ?? "")
    try Files.makeFolders(path, mode: 0o700)
    let operation = "open \(path)"
    descriptor = FileDescriptor(owning: try check(clinux_file_open_folder(path), operation))
    let status = try Files.status(of: descriptor)
    guard let other, status.uid != other.uid else {
      guard status.uid == other?.uid ?? us else {
        throw SystemError(
          code: SystemError.notPermitted, operation: "\(operation), which is user \(status.uid)'s")
      }
      return
    }
    // Left by a life that ended between making it and giving it away: nobody else could enter it.
    guard status.uid == us, status.mode & 0o077 == 0 else {
      throw SystemError(
        code: SystemError.notPermitted, operation: "\(operation), which is user \(status.uid)'s")
    }
    try check(clinux_file_give(descriptor.raw, other.uid, other.gid), "chown \(path)")
  }

  /// Where the clock puts the folder that it opened for a child of another user.
  public static let number: Int32 = 4

  /// What the clock opened for this process; nil: nothing could be had.
  @export(interface)
  public static func inherited() -> RunFolder? {
    let descriptor = FileDescriptor(owning: number)
    guard (try? Files.status(of: descriptor))?.kind == .folder,
      (try? descriptor.setCloseOnExec(true)) != nil
    else {
      _ = descriptor.release()
      return nil
    }
    return RunFolder(descriptor, path: "the run folder")
  }

  private init(_ descriptor: consuming FileDescriptor, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  /// Its descriptor's number, to be passed to a child.
  public var raw: Int32 { descriptor.raw }

  /// open(2) of a file in it, without following links.
  @export(interface)
  public func open(_ name: String, _ access: Files.Access) throws(SystemError) -> FileDescriptor {
    try checkPath(name, "open")
    let operation = "open \(path)/\(name)"
    let raw = clinux_file_open_at(
      descriptor.raw, name, access.union(.noFollow).rawValue, 0o600)
    let file = FileDescriptor(owning: try check(raw, operation))
    let status = try Files.status(of: file)
    guard status.kind == .regular, status.links == 1 else {
      throw SystemError(
        code: SystemError.notPermitted, operation: "\(operation), which has other names")
    }
    return file
  }

  /// The same for reading and writing, made where missing. What cannot be had, being another's or
  /// having other names, loses its name here and is made anew.
  func openOwn(_ name: String) throws(SystemError) -> FileDescriptor {
    do throws(SystemError) {
      return try open(name, [.readWrite, .create])
    } catch {
      switch error.code {
      case SystemError.notPermitted, SystemError.noAccess, SystemError.tooManyLinks:
        _ = clinux_file_remove_at(descriptor.raw, name)
        return try open(name, [.readWrite, .create, .exclusive])
      default: throw error
      }
    }
  }

  /// The bytes of a file in it, at most `limit`.
  public func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8] {
    let file = try open(name, .read)
    return try Files.read(file, path: path + "/" + name, limit: limit)
  }

  /// Replaces a file in it: old or new, never half, also after a power cut.
  @export(interface)
  public func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
    let temporary = name + ".new"
    do throws(SystemError) {
      _ = clinux_file_remove_at(descriptor.raw, temporary)
      let file = try open(temporary, [.write, .create, .exclusive])
      try Output.write(bytes, to: file)
      try file.sync()
      try check(
        clinux_file_rename_at(descriptor.raw, temporary, name), "rename \(path)/\(temporary)")
    } catch {
      _ = clinux_file_remove_at(descriptor.raw, temporary)
      throw error
    }
    // Ours may have been opened by somebody who could not read it.
    let folder = FileDescriptor(
      owning: try check(
        clinux_file_open_at(descriptor.raw, ".", Files.Access.read.rawValue, 0), "open \(path)"))
    try folder.sync()
  }
}
