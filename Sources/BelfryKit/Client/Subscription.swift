internal import BelfryClient
internal import BelfryCore
internal import BelfrySystem
internal import BelfryWire

/// A call with `more` whose replies one thread reads, and which another may end; made anew when the
/// daemon has restarted.
final class Subscription: @unchecked Sendable {
  enum Message {
    /// The first reply after the daemon was away, or ever.
    case began(JSONObject, again: Bool)
    case reply(JSONObject)
  }

  private let pool: ConnectionPool
  private let method: String
  private let parameters: @Sendable () -> JSONObject
  /// Readable once it is to end.
  private let ending: EventDescriptor
  // The reading thread's own.
  private var client: Client?
  private var hasBegun = false

  init(
    _ pool: ConnectionPool, _ method: String, _ parameters: @escaping @Sendable () -> JSONObject
  ) throws(SchedulerError) {
    self.pool = pool
    self.method = method
    self.parameters = parameters
    do throws(SystemError) {
      ending = try EventDescriptor()
    } catch {
      throw SchedulerError(.unreachable, error.text)
    }
  }

  /// Makes `next` return nil from now on; from any thread.
  func end() {
    ending.ring()
  }

  /// Closes the connection, so that the daemon knows at once; the reading thread's.
  func hangUp() {
    client = nil
  }

  /// Waits so long, or until it is to end.
  func pause(milliseconds: Int32) {
    _ = Poll.wait(ending.descriptor.raw, .readable, milliseconds: milliseconds)
  }

  /// The next message, however long it takes; nil: ended. Throws where the daemon refuses, or is away
  /// for longer than the options' patience.
  func next() throws(SchedulerError) -> Message? {
    while true {
      guard let client else {
        guard let message = try begin() else { return nil }
        return message
      }
      do throws(ClientError) {
        guard let reply = try receive(client) else { return nil }
        return .reply(reply.parameters)
      } catch .disconnected {
        self.client = nil
      } catch {
        // Whatever it was, what follows would be about something else.
        self.client = nil
        throw SchedulerError(error)
      }
    }
  }

  /// Connects and waits for the first reply; nil: ended meanwhile.
  private func begin() throws(SchedulerError) -> Message? {
    let deadline = Deadline(in: pool.options.timeout)
    while true {
      if isEnding { return nil }
      let client = try pool.connect(by: deadline) { self.isEnding }
      guard let client else { return nil }
      do throws(ClientError) {
        try client.send(method, parameters(), more: true, milliseconds: deadline.milliseconds)
        guard let reply = try receive(client, by: deadline) else {
          if isEnding { return nil }
          throw .timedOut
        }
        self.client = client
        let again = hasBegun
        hasBegun = true
        return .began(reply.parameters, again: again)
      } catch .disconnected {
        guard !deadline.hasPassed else { throw SchedulerError(ClientError.timedOut) }
      } catch {
        throw SchedulerError(error)
      }
    }
  }

  private var isEnding: Bool {
    !Poll.wait(ending.descriptor.raw, .readable, milliseconds: 0).isEmpty
  }

  /// nil: ended, or out of time.
  private func receive(
    _ client: Client, by deadline: Deadline? = nil
  ) throws(ClientError) -> Client.Reply? {
    while true {
      if let reply = try client.receive(milliseconds: 0) { return reply }
      var entries = [
        Poll.Entry(client.descriptor, .readable),
        Poll.Entry(ending.descriptor.raw, .readable),
      ]
      do throws(SystemError) {
        _ = try Poll.wait(&entries, milliseconds: deadline?.milliseconds)
      } catch {
        throw .unreachable(error)
      }
      if !entries[1].ready.isEmpty || deadline?.hasPassed ?? false { return nil }
    }
  }
}
