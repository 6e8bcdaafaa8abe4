import BelfryCore
import BelfrySystem

/// Finds the files of children: their programs and plugins, never through PATH.
public enum ChildProgram {
  public static let worker = "belfry-worker"
  public static let speaker = "belfry-speaker"

  /// The first of `folders` that has an executable of this name.
  public static func find(_ name: String, in folders: [String]) -> String? {
    for folder in folders {
      let path = folder + "/" + name
      if let status = try? Files.status(path), status.kind == .regular, Files.may(path, 1) {
        return path
      }
    }
    return nil
  }

  /// The file that `file = name` means: a path where it has a slash, else `NAME`, `NAME.so` or
  /// `libbelfry-NAME.so` in the first of `folders` that has one.
  public static func findPlugin(_ name: String, in folders: [String]) -> String? {
    if name.contains("/") { return isFile(name) ? name : nil }
    for folder in folders {
      for spelling in [name, name + ".so", "libbelfry-" + name + ".so"] {
        let path = folder + "/" + spelling
        if isFile(path) { return path }
      }
    }
    return nil
  }

  private static func isFile(_ path: String) -> Bool {
    if let status = try? Files.status(path) { return status.kind == .regular }
    return false
  }

  /// A3: why a file is not to be loaded; nil: only its owner can write it, who is root or us.
  public static func distrust(_ status: Files.Status, path: String, uid: UInt32) -> String? {
    if status.mode & 0o022 != 0 {
      return "\(path) can be written by others than its owner: chmod go-w it"
    }
    if status.uid != 0 && status.uid != uid {
      return "\(path) belongs to user \(status.uid), neither root nor user \(uid)"
    }
    return nil
  }
}
