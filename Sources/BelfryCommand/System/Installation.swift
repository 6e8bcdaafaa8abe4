import BelfryCore
import BelfrySystem
import CLinux

/// The programs beside this one.
struct Installation: Sendable {
  /// Searched in this order, as the daemon does.
  var folders: [String]

  static func here() throws(CommandError) -> Installation {
    do throws(SystemError) {
      let folder = try BelfrySystem.Process.folder()
      return Installation(folders: [folder, Files.parent(of: folder) + "/libexec/belfry"])
    } catch {
      throw .refused(error.text)
    }
  }

  /// Where a plugin's name is looked up, beside the daemon's own folders.
  var pluginFolders: [String] {
    [
      folders[0], Files.parent(of: folders[0]) + "/lib/belfry/plugins",
      "/usr/local/lib/belfry/plugins", "/usr/lib/belfry/plugins",
    ]
  }

  /// The path of a program; nil: not installed.
  func find(_ name: String) -> String? {
    for folder in folders where Files.may(folder + "/" + name, 1) {
      if let status = try? Files.status(folder + "/" + name), status.kind == .regular {
        return folder + "/" + name
      }
    }
    return nil
  }

  /// The file of a plugin by its name in the configuration; nil: not installed.
  func plugin(_ name: String, in folders: [String]? = nil) -> String? {
    for folder in folders ?? pluginFolders {
      for file in [name, name + ".so", "libbelfry-" + name + ".so"] {
        let path = folder + "/" + file
        if let status = try? Files.status(path), status.kind == .regular { return path }
      }
    }
    return nil
  }

  func need(_ name: String) throws(CommandError) -> String {
    if let path = find(name) { return path }
    throw .refused(
      name + ": not found in " + folders.joined(separator: " or ")
        + "; install it beside belfry")
  }

  /// Becomes `name`; returns only by an error.
  func become(_ name: String, _ arguments: [String]) throws(CommandError) {
    let path = try need(name)
    var joined: [CChar] = []
    for argument in [path] + arguments {
      joined += argument.utf8.map { CChar(bitPattern: $0) } + [0]
    }
    let failed = clinux_exec_replace(path, joined, arguments.count + 1)
    throw .refused(SystemError(code: -failed, operation: "start " + path).text)
  }

  /// What `name` writes to standard output; nil: it could not be started, failed, or took longer
  /// than `seconds`.
  func output(_ name: String, _ arguments: [String], seconds: Int64) -> String? {
    guard let (text, end) = run(name, arguments, seconds: seconds, errors: false) else {
      return nil
    }
    return end == .exited(0) ? text : nil
  }

  /// What `name` writes, with `errors` to standard error too, and how it ends; nil: it could not be
  /// started, or took longer than `seconds`.
  func run(
    _ name: String, _ arguments: [String], seconds: Int64, errors: Bool
  ) -> (text: String, end: Child.End)? {
    guard let path = find(name) else { return nil }
    return Child.output(path, arguments: arguments, seconds: seconds, errors: errors)
  }
}
