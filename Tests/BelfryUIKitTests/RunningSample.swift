import Foundation

/// A sample or an example that runs beside a daemon; it ends with it, or by `end`.
final class RunningSample: @unchecked Sendable {
  private let process = Process()
  private let daemon: RunningDaemon
  private let lock = NSLock()
  private var written = ""

  /// `state`, `withoutDaemon`: what the environment says to `UIApplication`.
  convenience init(
    _ name: String, _ arguments: String..., state: String? = nil, withoutDaemon: Bool = false,
    with daemon: RunningDaemon
  ) throws {
    try self.init(
      "UIKitSamples", arguments: [name] + arguments, state: state, withoutDaemon: withoutDaemon,
      with: daemon)
  }

  init(
    _ program: String, arguments: [String], state: String? = nil, withoutDaemon: Bool = false,
    with daemon: RunningDaemon
  ) throws {
    self.daemon = daemon
    process.executableURL = URL(fileURLWithPath: RunningDaemon.products + "/" + program)
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["BELFRY_SOCKET"] = daemon.socket
    environment["BELFRY_APP"] = "samples"
    environment["TZ"] = "Europe/Berlin"
    environment["BELFRY_STATE"] = state
    environment["BELFRY_WITHOUT_DAEMON"] = withoutDaemon ? "1" : nil
    process.environment = environment
    // One pipe, so that lines of both come in their order.
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    // A readabilityHandler would go on watching a descriptor that is closed with us, and so whatever
    // gets its number next.
    let output = pipe.fileHandleForReading
    Thread.detachNewThread { [weak self] in
      while true {
        let data = output.availableData
        if data.isEmpty { return }
        self?.append(String(decoding: data, as: UTF8.self))
      }
    }
  }

  private func append(_ text: String) {
    lock.withLock { written += text }
  }

  var text: String { lock.withLock { written } }
  var lines: [String] { text.split(separator: "\n").map { String($0) } }

  /// Waits for the lines, in this order; others may stand between them.
  func expect(_ wanted: String...) throws {
    try waitUntil("\(wanted) in \(text)") {
      var rest = lines[...]
      for line in wanted {
        guard let index = rest.firstIndex(of: line) else { return false }
        rest = rest[(index + 1)...]
      }
      return true
    }
  }

  /// SIGTERM; the exit status.
  func end() -> Int32 {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit {
    if process.isRunning { process.terminate() }
  }
}
