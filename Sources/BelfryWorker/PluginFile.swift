import BelfryCore
import BelfrySystem
import CLinux

/// Which files are fit to be loaded (A3).
enum PluginFile {
  /// The absolute path behind `path`, whose file and folders only root or `uid` can write.
  static func checked(_ path: String, uid: UInt32) throws(WorkerError) -> String {
    let resolved = try resolve(path)
    let file = try status(resolved)
    guard file.kind == .regular else {
      throw WorkerError(.file, "\(resolved) is no file: `file =` must name a shared object")
    }
    try check(resolved, file, uid, "plugin file")
    let folder = Files.parent(of: resolved)
    try check(folder, try status(folder), uid, "folder of the plugin")
    if let problem = Trust.problem(above: path, owners: [uid]) {
      throw WorkerError(.file, problem)
    }
    return resolved
  }

  private static func resolve(_ path: String) throws(WorkerError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw WorkerError(.file, "a plugin needs a file: give its section a `file =`")
    }
    var resolved = [CChar](repeating: 0, count: 4096)
    let result = clinux_confine_resolve(path, &resolved, resolved.count)
    if result < 0 {
      let error = SystemError(code: -result, operation: path)
      throw WorkerError(.file, "\(error.text): check `file =` and that the plugin is installed")
    }
    let bytes = resolved.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func status(_ path: String) throws(WorkerError) -> Files.Status {
    do throws(SystemError) {
      return try Files.status(path)
    } catch {
      throw WorkerError(.file, error.text)
    }
  }

  private static func check(
    _ path: String, _ status: Files.Status, _ uid: UInt32, _ what: String
  ) throws(WorkerError) {
    guard status.uid == 0 || status.uid == uid else {
      throw WorkerError(
        .file,
        "\(what) \(path) belongs to user \(status.uid), not to root or user \(uid), and is not "
          + "trusted: chown it")
    }
    guard status.mode & 0o022 == 0 else {
      throw WorkerError(
        .file, "\(what) \(path) can be written by others than its owner: chmod go-w \(path)")
    }
  }
}
