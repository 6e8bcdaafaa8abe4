internal import BelfryClient
internal import BelfrySystem
internal import BelfryWire

/// Connections to the daemon that are made anew when it has restarted; for any thread.
///
/// Every call has a connection of its own while it waits, so that a slow one delays no other.
final class Link: @unchecked Sendable {
  /// What may be done where a call was sent and its reply is lost.
  enum Repeating {
    /// Ask again: it changes nothing, or the second time changes nothing more.
    case harmless
    /// Say that the outcome is unknown: a second time could do it twice.
    case never
  }

  let options: SchedulerOptions
  private let lock = Mutex()
  private var idle: [Client] = []
  /// More than so many are closed instead of kept.
  private static let kept = 4

  init(_ options: SchedulerOptions) {
    self.options = options
  }

  /// Calls a method and waits for its one reply.
  func call(
    _ method: String, _ parameters: JSONObject, _ repeating: Repeating, by deadline: Deadline
  ) throws(SchedulerError) -> JSONObject {
    try perform(repeating, by: deadline) { client throws(ClientError) in
      try client.call(method, parameters, milliseconds: deadline.milliseconds)
    }
  }

  /// Runs `body` with a connection; again with a new one where the daemon went away meanwhile and
  /// nothing was done, or may be done again.
  func perform<T>(
    _ repeating: Repeating, by deadline: Deadline,
    _ body: (Client) throws(ClientError) -> T
  ) throws(SchedulerError) -> T {
    // Whether an earlier try may have done it.
    var isUnsure = false
    while true {
      let client: Client
      do throws(SchedulerError) {
        client = try connection(by: deadline)
      } catch {
        throw isUnsure ? error.behindUnknownOutcome : error
      }
      do throws(ClientError) {
        let result = try body(client)
        keep(client)
        return result
      } catch {
        switch error {
        case .refused, .failed: keep(client)
        case .disconnected where !client.mayHaveArrived || repeating == .harmless:
          isUnsure = isUnsure || client.mayHaveArrived
          continue
        case .disconnected, .timedOut, .unreadableReply:
          guard client.mayHaveArrived, repeating == .never else { break }
          throw SchedulerError.outcomeUnknown(error.text)
        case .noDaemon, .unreachable: break
        }
        throw SchedulerError(error)
      }
    }
  }

  /// An idle connection, or a new one as soon as there is somebody to connect to.
  private func connection(by deadline: Deadline) throws(SchedulerError) -> Client {
    while let client = lock.withLock({ idle.popLast() }) {
      if !client.isStale { return client }
    }
    guard let client = try connect(by: deadline) else {
      throw SchedulerError(ClientError.timedOut)
    }
    return client
  }

  /// A new connection as soon as there is somebody to connect to; nil: `isOver` says so.
  func connect(
    by deadline: Deadline, until isOver: () -> Bool = { false }
  ) throws(SchedulerError) -> Client? {
    let patience = Deadline(in: options.patience)
    var pause: Int64 = 2_000_000
    while true {
      do throws(ClientError) {
        return try Client(path: options.socketPath, milliseconds: max(1, deadline.milliseconds))
      } catch {
        guard case .noDaemon = error, !patience.hasPassed, !deadline.hasPassed else {
          throw SchedulerError(error)
        }
      }
      if isOver() { return nil }
      Process.sleep(pause)
      pause = min(2 * pause, 100_000_000)
    }
  }

  private func keep(_ client: Client) {
    lock.withLock {
      if idle.count < Link.kept { idle.append(client) }
    }
  }
}

extension SchedulerError {
  static func outcomeUnknown(_ reason: String) -> SchedulerError {
    SchedulerError(.outcomeUnknown, "\(reason); it was done once or not at all")
  }

  /// The error of a repeat whose first try may have done it.
  fileprivate var behindUnknownOutcome: SchedulerError {
    .outcomeUnknown(reason)
  }
}
