import BelfrySystem
import Foundation
import Testing

/// The programs beside the test bundle, and plugins compiled for the tests.
enum Fixtures {
  /// The tree's top folder.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Where `swift test` has put the programs.
  static let products: String = {
    let candidates = [try? Files.readLink("/proc/self/exe")] + CommandLine.arguments
    for candidate in candidates.compactMap({ $0 }) {
      let folder = Files.parent(of: candidate)
      if Files.may(folder + "/belfry-worker", 1) { return folder }
    }
    return root + "/.build/debug"
  }()

  static let worker = products + "/belfry-worker"

  /// A folder of this run's own, which only we can write.
  static let folder: String = {
    let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("belfry-worker-tests-\(getpid())").path
    try? FileManager.default.removeItem(atPath: path)
    try? Files.makeFolders(path, mode: 0o700)
    atexit { try? FileManager.default.removeItem(atPath: Fixtures.folder) }
    return path
  }()

  /// Ours, without the backtraces that Swift's runtime prints of crashes.
  static let environment =
    Environment.all.filter { !$0.hasPrefix("SWIFT_BACKTRACE=") } + ["SWIFT_BACKTRACE=enable=no"]

  private static let compiled = Compiled()

  private final class Compiled: @unchecked Sendable {
    let mutex = Mutex()
    var names: Set<String> = []
  }

  /// The shared object of a file in Tests/Fixtures/Plugins.
  static func plugin(_ name: String) throws -> String {
    let output = folder + "/\(name).so"
    return try compiled.mutex.withLock {
      guard !compiled.names.contains(name) else { return output }
      let source = root + "/Tests/Fixtures/Plugins/\(name).c"
      let status = try run(
        "/usr/bin/cc",
        ["-shared", "-fPIC", "-I", root + "/CInterop/CPlugin/include", "-o", output, source])
      try #require(status == .exited(0), "cc \(source)")
      compiled.names.insert(name)
      return output
    }
  }

  /// A new folder for one test.
  static func scratch() throws -> String {
    let path = folder + "/" + UUID().uuidString
    try Files.makeFolder(path, mode: 0o700)
    return path
  }

  static func run(_ program: String, _ arguments: [String]) throws -> Child.End {
    let child = try Child.spawn(
      program, arguments: [program] + arguments, environment: environment,
      descriptors: [(1, 1), (2, 2)])
    return try child.reap(wait: true)!
  }

  /// Standard output and exit of a program.
  static func output(_ program: String, _ arguments: [String]) throws -> (String, Child.End) {
    let path = try scratch() + "/output"
    let file = try Files.open(path, [.write, .create])
    let child = try Child.spawn(
      program, arguments: [program] + arguments, environment: environment,
      descriptors: [(file.raw, 1), (file.raw, 2)])
    let end = try child.reap(wait: true)!
    return (String(decoding: try Files.read(path, limit: 1 << 26), as: UTF8.self), end)
  }

  /// Waits for a condition; the error says which one never came.
  static func wait(_ what: String, seconds: Double = 60, _ condition: () -> Bool) throws {
    let deadline = Date().addingTimeInterval(seconds)
    while !condition() {
      try #require(Date() < deadline, "\(what) did not come true in \(seconds) s")
      usleep(2000)
    }
  }
}
