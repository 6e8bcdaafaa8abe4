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
        if let problem = options.zoneProblem {
          throw StartFailure(.usage, "belfryd: " + problem)
        }
        try check(path, options)
        return 0
      }
      return try DaemonStart(options).run()
    } catch {
      Output.errorLine(error.line)
      return error.status.rawValue
    }
  }

  /// Says whether a file is a configuration that the daemon would start with.
  private static func check(
    _ path: String, _ options: DaemonOptions
  ) throws(StartFailure) {
    if (try? Files.status(path))?.kind == .folder {
      throw StartFailure(
        .configuration, "belfryd: \(path) is a folder; did you mean \(path)/belfry.conf?")
    }
    let (bytes, distrust) = try LoadedConfiguration.text(path, uid: Process.uid)
    guard let bytes else {
      throw StartFailure(.configuration, "belfryd: \(path): there is no such file")
    }
    if let distrust { throw StartFailure(.configuration, "belfryd: \(distrust)") }
    var check = ConfigurationCheck(
      path: path, paths: try paths(of: path, options),
      zones: ZoneFiles(folder: options.zoneinfo, localtime: options.localtime))
    let count = try check.run(bytes)
    try? Output.line(
      "\(path): no mistake, " + counted(count, "plugin")
        + (count == 0 ? "; nothing shows alerts before it has a [plugin:NAME]" : ""))
  }

  /// Where a daemon of this configuration would look: a file that is neither a user's nor the board's is
  /// that of `--directory` with its folder.
  private static func paths(
    of path: String, _ options: DaemonOptions
  ) throws(StartFailure) -> Paths {
    let program = (try? Process.folder()) ?? ""
    let find = { (home: DaemonOptions.Home) throws(StartFailure) in
      try Paths.find(
        home, uid: Process.uid, program: program, variable: { Environment.value(of: $0) })
    }
    if let home = options.home { return try find(home) }
    for home in [DaemonOptions.Home.user, .system] {
      if let paths = try? find(home), paths.configuration == path { return paths }
    }
    return try find(.directory(Files.parent(of: path)))
  }
}
