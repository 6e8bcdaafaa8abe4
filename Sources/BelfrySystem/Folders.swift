import BelfryCore
import CLinux

extension Files {
  /// mkdir(2) with exactly this mode whatever the umask; there already: left as it is.
  public static func makeFolder(_ path: String, mode: UInt32) throws(SystemError) {
    try checkPath(path, "mkdir")
    let result = clinux_file_make_folder(path, mode)
    if result == -SystemError.exists {
      guard try status(path).kind == .folder else {
        throw SystemError(code: SystemError.notFolder, operation: "mkdir \(path)")
      }
      return
    }
    try check(result, "mkdir \(path)")
  }

  /// The same for every missing folder on the way, outermost first.
  public static func makeFolders(_ path: String, mode: UInt32) throws(SystemError) {
    if let there = try? status(path), there.kind == .folder { return }
    let outer = parent(of: path)
    if ByteString(outer) != ByteString(path), ByteString(outer) != ".", ByteString(outer) != "/" {
      try makeFolders(outer, mode: mode)
    }
    try makeFolder(path, mode: mode)
  }

  /// What may still be written where a path lies, in bytes, by an ordinary user; 0: it is mounted
  /// read-only, nil: nobody knows (statvfs(3)).
  public static func room(_ path: String) -> Int64? {
    var (free, isReadOnly) = (Int64(0), Int32(0))
    guard clinux_disk_free(path, &free, &isReadOnly) == 0 else { return nil }
    return isReadOnly == 0 ? max(1, free) : 0
  }

  /// The names in a folder, sorted by their bytes.
  public static func list(_ path: String) throws(SystemError) -> [String] {
    try checkPath(path, "list")
    let names = NameList()
    let context = Unmanaged.passUnretained(names).toOpaque()
    let result = withExtendedLifetime(names) { clinux_file_list(path, collectName, context) }
    try check(result, "list \(path)")
    return names.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// This path, or with a number behind it where there is something.
  public static func free(_ path: String) -> String {
    var free = path
    var number = 2
    while (try? status(free, follow: false)) != nil {
      free = "\(path)-\(number)"
      number += 1
    }
    return free
  }

  /// Removes an empty folder.
  public static func removeFolder(_ path: String) throws(SystemError) {
    try checkPath(path, "rmdir")
    try check(clinux_file_remove_folder(path), "rmdir \(path)")
  }

  /// Removes a folder with all that is in it, without following links; missing is no error.
  public static func removeTree(_ path: String) throws(SystemError) {
    guard let there = try? status(path, follow: false) else { return }
    guard there.kind == .folder else { return try remove(path) }
    for name in try list(path) {
      try removeTree(path + "/" + name)
    }
    try removeFolder(path)
  }

  /// The part before the last slash: `.` where there is none, `/` for what lies in the root.
  public static func parent(of path: String) -> String {
    let bytes = Array(path.utf8)
    guard let slash = bytes.lastIndex(of: 0x2F) else { return "." }
    return slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self)
  }
}

private final class NameList {
  var names: [String] = []
}

private func collectName(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>) {
  guard let context else { return }
  Unmanaged<NameList>.fromOpaque(context).takeUnretainedValue().names.append(String(cString: name))
}
