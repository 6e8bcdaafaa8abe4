import BelfryCore
import BelfryServer
import BelfryStore
import BelfrySystem

/// The program belfryd: from its command line to its exit status.
public enum BelfryDaemon {
  /// Runs until SIGTERM; the result is the exit status.
  public static func run(_ arguments: [String]) -> Int32 {
    do throws(StartFailure) {
      let options = try DaemonOptions.parse(Array(arguments.dropFirst()))
      if options.wantsHelp || options.wantsVersion {
        try? Output.line(
          options.wantsHelp ? DaemonOptions.help : "belfryd \(DaemonOptions.version)")
        return 0
      }
      if let path = options.checked {
        try check(path)
        return 0
      }
      return try DaemonStart(options).run()
    } catch {
      Output.errorLine(error.line)
      return error.status.rawValue
    }
  }

  /// Says whether a file is a configuration that the daemon would start with.
  private static func check(_ path: String) throws(StartFailure) {
    guard Files.may(path, 0) else {
      throw StartFailure(.configuration, "belfryd: \(path): there is no such file")
    }
    let loaded = try LoadedConfiguration.load(path, uid: Process.uid)
    if let distrust = loaded.distrust { throw StartFailure(.configuration, "belfryd: \(distrust)") }
    try? Output.line("\(path): no mistake, \(loaded.configuration.plugins.count) plugins")
  }
}
