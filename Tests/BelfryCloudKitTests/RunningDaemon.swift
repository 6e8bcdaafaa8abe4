import BelfryKit
import Foundation

/// A real belfryd in a folder of one test's own; both are gone with it.
final class RunningDaemon: @unchecked Sendable {
  let folder: String
  private var process: Process?

  /// `configuration`: more lines of belfry.conf.
  init(configuration: String = "") throws {
    folder = NSTemporaryDirectory() + "belfry-cloudkit-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let text = "[clock]\ntrust = always\n[sound]\nenabled = no\n" + configuration
    try text.write(toFile: folder + "/belfry.conf", atomically: true, encoding: .utf8)
    try start()
  }

  var options: SchedulerOptions {
    SchedulerOptions(
      socket: folder + "/socket", app: "list", timeout: .seconds(20), patience: .seconds(20))
  }
  var scheduler: BlockingScheduler { BlockingScheduler(options) }

  /// Where the build has put the programs: this test bundle's folder.
  private static let products: String = {
    let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for path in [own].compactMap({ $0 }) + CommandLine.arguments {
      let folder = (path as String).split(separator: "/").dropLast().joined(separator: "/")
      if FileManager.default.isExecutableFile(atPath: "/\(folder)/belfryd") { return "/\(folder)" }
    }
    return FileManager.default.currentDirectoryPath + "/.build/debug"
  }()

  private func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.products + "/belfryd")
    process.arguments = ["--directory", folder]
    for stream in [\Process.standardInput, \.standardOutput, \.standardError] {
      process[keyPath: stream] = FileHandle.nullDevice
    }
    try process.run()
    self.process = process
  }

  /// kill -9, and another one.
  func restart() throws {
    stop(SIGKILL)
    try start()
  }

  private func stop(_ signal: Int32) {
    guard let process else { return }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    self.process = nil
  }

  deinit {
    stop(SIGTERM)
    try? FileManager.default.removeItem(atPath: folder)
  }
}
