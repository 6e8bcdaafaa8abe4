import BelfryCore
import CLinux

/// The environment; read it while starting, never change it once threads run.
public enum Environment {
  /// nil: not set.
  public static func value(of name: String) -> String? {
    guard let value = clinux_process_environment(name) else { return nil }
    return String(cString: value)
  }

  /// Every `NAME=value`, in its order.
  public static var all: [String] {
    var result: [String] = []
    while let entry = clinux_process_environment_at(result.count) {
      result.append(String(cString: entry))
    }
    return result
  }

  public static func set(_ name: String, to value: String) throws(SystemError) {
    try check(clinux_process_set_environment(name, value), "setenv \(name)")
  }

  public static func unset(_ name: String) {
    _ = clinux_process_unset_environment(name)
  }
}

/// The command line's words.
public enum Arguments {
  /// All of them, the program's name first (proc_pid_cmdline(5)); what is not UTF-8 in them is
  /// replaced.
  public static var all: [String] { raw.map { String(decoding: $0, as: UTF8.self) } }

  /// The place of the first that is not UTF-8, as in `all`; nil: none.
  public static var firstMalformed: Int? {
    raw.firstIndex { String(validating: $0, as: UTF8.self) == nil }
  }

  private static var raw: [ArraySlice<UInt8>] {
    guard let bytes = try? Files.read("/proc/self/cmdline", limit: 4 << 20) else { return [] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
  }
}
