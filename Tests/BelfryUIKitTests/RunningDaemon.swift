import BelfryKit
import Foundation

/// A real belfryd in a folder of one test's own, showing what it shows on a console in `log`; both are
/// gone with it.
final class RunningDaemon: @unchecked Sendable {
  let folder: String
  private var process: Process?

  var socket: String { folder + "/socket" }
  var options: SchedulerOptions { options(app: "samples") }
  var scheduler: BlockingScheduler { BlockingScheduler(options) }

  /// `configuration`: more lines of belfry.conf.
  init(configuration: String = "") throws {
    folder = NSTemporaryDirectory() + "belfry-uikit-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let text =
      "[clock]\ntrust = always\n[sound]\nenabled = no\n[plugin:console]\nfile = console\n"
      + configuration
    try text.write(toFile: folder + "/belfry.conf", atomically: true, encoding: .utf8)
    try start()
  }

  func options(app: String) -> SchedulerOptions {
    SchedulerOptions(
      socket: socket, app: app, timeout: .seconds(20), patience: .seconds(20))
  }

  /// Where the build has put the programs: this test bundle's folder.
  static let products: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for path in [own].compactMap({ $0 }) + CommandLine.arguments {
      let folder = (path as String).split(separator: "/").dropLast().joined(separator: "/")
      if FileManager.default.isExecutableFile(atPath: "/\(folder)/belfryd") { return "/\(folder)" }
    }
    return FileManager.default.currentDirectoryPath + "/.build/debug"
  }()

  func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.products + "/belfryd")
    process.arguments = ["--directory", folder]
    if !FileManager.default.fileExists(atPath: folder + "/log") {
      try Data().write(to: URL(fileURLWithPath: folder + "/log"))
    }
    let log = try FileHandle(forWritingTo: URL(fileURLWithPath: folder + "/log"))
    try log.seekToEnd()
    // Floating ones go by the board's zone, which is that of the samples (T2).
    process.environment = ProcessInfo.processInfo.environment.merging(["TZ": "Europe/Berlin"]) {
      $1
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = log
    process.standardError = log
    try process.run()
    self.process = process
    try waitUntil { (try? scheduler.badge()) != nil }
  }

  func stop() {
    guard let process else { return }
    process.terminate()
    process.waitUntilExit()
    self.process = nil
  }

  /// What the daemon and its console have written.
  var log: String { (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? "" }

  /// Where apps that it launches write their numbers: they are their own and outlive it.
  var launched: String { folder + "/launched-pids" }

  deinit {
    stop()
    let numbers = (try? String(contentsOfFile: launched, encoding: .utf8)) ?? ""
    for number in numbers.split(separator: "\n").compactMap({ Int32($0) }) { kill(number, SIGKILL) }
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// Waits until `condition` holds; throws after 120 s.
func waitUntil(
  _ what: @autoclosure () -> String = "", _ condition: () throws -> Bool
) throws {
  let end = Date(timeIntervalSinceNow: 120)
  while try !condition() {
    guard Date() < end else { throw Overdue(what: what()) }
    usleep(5_000)
  }
}

/// A condition that did not come to hold.
struct Overdue: Error {
  var what: String
}
