import BelfryCore
import CLinux

/// Tells what happens to the names in folders, and to single files (inotify(7)).
///
/// Folders are added from one thread at a time; events may be read by another.
public final class FolderWatch: Sendable {
  public enum Event: Hashable, Sendable {
    /// A name in a folder was made, moved in or out, written or removed. Empty: the file itself.
    case name(folder: Int32, String)
    /// A folder or a file was moved, removed or unmounted; its number is of no more use.
    case folder(Int32)
    /// Anything may have happened: the kernel could not keep it all.
    case overflow
  }

  private let owner: FileDescriptor

  public init() throws(SystemError) {
    owner = FileDescriptor(owning: try check(clinux_watch_make(), "inotify_init1"))
  }

  /// Readable while events wait.
  public var descriptor: Int32 { owner.raw }

  /// Watches a folder from now on; its number in events, the same again for one already watched.
  @export(interface)
  public func add(_ folder: String) throws(SystemError) -> Int32 {
    try add(folder, Int32(CLINUX_WATCH_NAMES))
  }

  /// Watches whether a folder itself is moved or removed, and not what is in it.
  @export(interface)
  public func add(onlyFolder folder: String) throws(SystemError) -> Int32 {
    try add(folder, Int32(CLINUX_WATCH_SELF))
  }

  /// Watches one file, which is no symbolic link: nothing else in its folder wakes the reader.
  @export(interface)
  public func add(file: String) throws(SystemError) -> Int32 {
    try add(file, Int32(CLINUX_WATCH_FILE))
  }

  private func add(_ path: String, _ what: Int32) throws(SystemError) -> Int32 {
    try checkPath(path, "watch")
    return try check(clinux_watch_add(owner.raw, path, what), "watch \(path)")
  }

  public func remove(_ folder: Int32) {
    _ = clinux_watch_remove(owner.raw, folder)
  }

  /// Everything that waits; never waits for more.
  public func read() throws(SystemError) -> [Event] {
    let list = EventList()
    let context = Unmanaged.passUnretained(list).toOpaque()
    try withExtendedLifetime(list) { () throws(SystemError) in
      while try check(clinux_watch_read(owner.raw, collectEvent, context), "inotify") > 0 {}
    }
    return list.events
  }
}

private final class EventList {
  var events: [FolderWatch.Event] = []
}

private func collectEvent(
  _ context: UnsafeMutableRawPointer?, _ folder: Int32, _ kind: Int32, _ name: UnsafePointer<CChar>
) {
  guard let context else { return }
  let list = Unmanaged<EventList>.fromOpaque(context).takeUnretainedValue()
  switch kind {
  case Int32(CLINUX_WATCH_NAME):
    list.events.append(.name(folder: folder, String(cString: name)))
  case Int32(CLINUX_WATCH_FOLDER): list.events.append(.folder(folder))
  default: list.events.append(.overflow)
  }
}
