import BelfryKit
import BelfrySystem
import Foundation

/// A real belfryd in a folder of one test's own; both are gone with it.
final class RunningDaemon: @unchecked Sendable {
  let folder: String
  private let lock = Mutex()
  private var child: Child?

  var socket: String { folder + "/socket" }

  /// `configuration`: lines of belfry.conf.
  init(configuration: String = "") throws {
    folder = NSTemporaryDirectory() + "belfry-kit-" + UUID().uuidString.prefix(8)
    try Files.makeFolder(folder, mode: 0o700)
    let text = "[clock]\ntrust = always\n" + configuration
    try Files.write(Array(text.utf8), to: folder + "/belfry.conf")
    try start()
    try await_ { Files.may(self.socket, 2) }
  }

  /// Where the build has put the programs.
  static let products: String = {
    let candidates = [try? Files.readLink("/proc/self/exe")] + CommandLine.arguments
    for candidate in candidates.compactMap({ $0 }) {
      let folder = Files.parent(of: candidate)
      if Files.may(folder + "/belfryd", 1) { return folder }
    }
    return FileManager.default.currentDirectoryPath + "/.build/debug"
  }()

  func options(
    app: String? = nil, timeout: Duration = .seconds(20), patience: Duration = .seconds(20)
  ) -> SchedulerOptions {
    SchedulerOptions(socket: socket, app: app, timeout: timeout, patience: patience)
  }

  func scheduler(app: String? = nil) -> Scheduler { Scheduler(options(app: app)) }

  func start() throws {
    try lock.withLock {
      let log = try Files.open(folder + "/log", [.append, .create])
      let nothing = try Files.open("/dev/null", .read)
      child = try Child.spawn(
        Self.products + "/belfryd", arguments: ["belfryd", "--directory", folder],
        environment: Environment.all,
        descriptors: [(nothing.raw, 0), (log.raw, 1), (log.raw, 2)])
    }
  }

  /// kill -9, without a chance to say goodbye.
  func kill() {
    lock.withLock {
      guard let pid = child?.pid else { return }
      try? BelfrySystem.Process.signal(pid, .kill)
      _ = try? child?.reap(wait: true)
      child = nil
    }
  }

  /// Stops it where it stands, or lets it go on.
  func freeze(_ frozen: Bool) {
    lock.withLock {
      guard let pid = child?.pid else { return }
      _ = Foundation.kill(pid, frozen ? SIGSTOP : SIGCONT)
    }
  }

  func restart() throws {
    kill()
    try start()
  }

  /// Its workers end by themselves when it does, but one that has just begun makes its folder first.
  private func killAndAwaitWorkers() {
    freeze(true)
    let workers = lock.withLock { (child?.pid).map { Self.children(of: $0) } ?? [] }
    kill()
    let end = Date(timeIntervalSinceNow: 10)
    while workers.contains(where: { Files.may("/proc/\($0)", 0) }) && Date() < end {
      usleep(2_000)
    }
  }

  private static func children(of pid: Int32) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.filter { name in
      guard Int32(name) != nil,
        let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
      else { return false }
      // Behind the program's name: state, parent.
      let words = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
      return words.count > 2 && words[2] == "\(pid)"
    }
  }

  deinit {
    killAndAwaitWorkers()
    try? Files.removeTree(folder)
  }
}

/// Waits until `condition` holds; throws after `seconds`.
func await_(_ seconds: Double = 120, _ condition: () throws -> Bool) throws {
  let end = Date(timeIntervalSinceNow: seconds)
  while try !condition() {
    guard Date() < end else { throw Overdue() }
    usleep(5_000)
  }
}

/// What a call with a short deadline comes to, which a busy machine may miss now and then.
func inTime<T>(_ call: () async throws -> T) async throws -> T {
  for _ in 0..<200 {
    do {
      return try await call()
    } catch let error as SchedulerError where error.code == .timedOut {
      continue
    }
  }
  throw Overdue()
}

/// The same for a test that must not hold a thread of Swift's pool; it may itself wait long for one,
/// and so tries a good many times before it gives up.
func until(_ seconds: Double = 120, _ condition: () throws -> Bool) async throws {
  let end = Date(timeIntervalSinceNow: seconds)
  var tries = 0
  while try !condition() {
    tries += 1
    guard Date() < end || tries < 500 else { throw Overdue() }
    try await Task.sleep(for: .milliseconds(20))
  }
}

/// A condition that did not come to hold.
struct Overdue: Error {}
