internal import BelfryClient
internal import BelfrySystem
internal import BelfryWire

/// Connections to the daemon that are made anew when it has restarted; for any thread.
///
/// Every call has a connection of its own while it waits, so that a slow one delays no other.
final class ConnectionPool: @unchecked Sendable {
  let options: SchedulerOptions
  private let lock = Mutex()
  private var idle: [Client] = []
  /// More than so many are closed instead of kept.
  private static let kept = 4

  init(_ options: SchedulerOptions) {
    self.options = options
  }

  /// Carries an operation out and waits for what it comes to.
  func perform<Value>(
    _ operation: Operation<Value>, by deadline: Deadline
  ) throws(SchedulerError) -> Value {
    let replies = try exchange(operation.calls, operation.retryPolicy, by: deadline)
    return try operation.read(replies)
  }

  /// Calls a method and waits for its one reply.
  func call(
    _ method: String, _ parameters: JSONObject, _ retryPolicy: RetryPolicy, by deadline: Deadline
  ) throws(SchedulerError) -> JSONObject {
    try exchange([Call(method, parameters)], retryPolicy, by: deadline).last ?? [:]
  }

  /// Makes calls one after the other on one connection and answers the replies to the last; again on
  /// a new one where the daemon went away meanwhile and nothing was done, or may be done again.
  private func exchange(
    _ calls: [Call], _ retryPolicy: RetryPolicy, by deadline: Deadline
  ) throws(SchedulerError) -> [JSONObject] {
    // Whether an earlier try may have done it.
    var isUnsure = false
    while true {
      let client: Client
      do throws(SchedulerError) {
        client = try connection(by: deadline)
      } catch {
        throw isUnsure ? .outcomeUnknown(error.reason) : error
      }
      do throws(ClientError) {
        let replies = try Self.exchange(calls, with: client, by: deadline)
        keep(client)
        return replies
      } catch {
        let hasLeft = client.mayHaveArrived
        switch error {
        case .refused, .failed:
          // A list whose parts did not all go would go on with the next one's.
          if calls.count == 1 { keep(client) }
          throw SchedulerError(error)
        case .disconnected where !hasLeft || retryPolicy != .never:
          isUnsure = isUnsure || hasLeft && retryPolicy != .reading
          continue
        default:
          let isInDoubt = isUnsure || hasLeft && retryPolicy == .never
          throw isInDoubt ? .outcomeUnknown(error.text) : SchedulerError(error)
        }
      }
    }
  }

  private static func exchange(
    _ calls: [Call], with client: Client, by deadline: Deadline
  ) throws(ClientError) -> [JSONObject] {
    var replies: [JSONObject] = []
    for call in calls {
      do throws(ClientError) {
        replies = try client.replies(to: call, by: deadline)
      } catch {
        throw error.counting(from: call.first)
      }
    }
    return replies
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
      if idle.count < ConnectionPool.kept { idle.append(client) }
    }
  }
}

extension Client {
  fileprivate func replies(to call: Call, by deadline: Deadline) throws(ClientError) -> [JSONObject]
  {
    try send(call.method, call.parameters, more: call.more, milliseconds: deadline.milliseconds)
    var replies: [JSONObject] = []
    while true {
      guard let reply = try receive(milliseconds: deadline.milliseconds) else { throw .timedOut }
      replies.append(reply.parameters)
      if !reply.continues { return replies }
    }
  }
}

extension SchedulerError {
  static func outcomeUnknown(_ reason: String) -> SchedulerError {
    SchedulerError(.outcomeUnknown, "\(reason); it was done once or not at all")
  }
}
