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
      return try DaemonStart(options).run()
    } catch {
      Output.errorLine(error.line)
      return error.status.rawValue
    }
  }
}
