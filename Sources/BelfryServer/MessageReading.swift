import BelfryCore
import BelfrySystem
import BelfryWire

/// A message to be read: a large one takes longer than the clock may be late, so that another thread
/// reads it (A2).
public struct UnreadMessage: Sendable {
  let connection: UInt64
  let frame: VarlinkFrames.Frame
  /// Where the call names no app.
  let app: String
  /// Its user has made more calls in a second than this; nil: not so.
  let passedRate: Int32?

  /// From any thread.
  @export(interface)
  public func read() -> ReadMessage {
    let begin = SystemClock.elapsed()
    let outcome = outcome
    return ReadMessage(
      connection: connection, bytes: frame.count, outcome: outcome,
      nanoseconds: SystemClock.elapsed() - begin)
  }

  private var outcome: ReadMessage.Outcome {
    let call: VarlinkCall
    do throws(VarlinkCall.Unreadable) {
      call = try VarlinkCall.parse(frame)
    } catch {
      return .unreadable(error.failure, oneway: error.oneway, namesList: namesList)
    }
    let head = CallHead(call)
    do throws(VarlinkFailure) {
      if let passedRate {
        throw VarlinkFailure(
          RequestError.limitReached(limit: "requestsPerSecond", value: Int64(passedRate)))
      }
      return .call(try SchedulerCall.read(call, defaultApp: app), head)
    } catch {
      return .refused(error, head)
    }
  }

  /// What cannot be read may be a part of a list.
  private var namesList: Bool {
    let method = Array("ReplaceAll\"".utf8)
    let bytes = frame.bytes
    var index = 0
    while index + method.count <= bytes.count {
      if bytes[index] == method[0], bytes[index...].starts(with: method) { return true }
      index += 1
    }
    return false
  }
}

/// What a message says.
public struct ReadMessage: Sendable {
  enum Outcome {
    case call(SchedulerCall, CallHead)
    case refused(VarlinkFailure, CallHead)
    case unreadable(VarlinkFailure, oneway: Bool, namesList: Bool)
  }

  let connection: UInt64
  let bytes: Int
  let outcome: Outcome
  /// How long reading it took.
  let nanoseconds: Int64
}

/// What is needed of a call beside what it asks for; its parameters can be large.
struct CallHead {
  let method: String
  let more: Bool
  let oneway: Bool
  let limit: Int64?
  let isFinal: Bool

  init(_ call: VarlinkCall) {
    method = call.method
    more = call.more
    oneway = call.oneway
    limit = call.parameters["limit"]?.integer
    isFinal = call.parameters["final"] == true
  }
}

extension Server {
  func handle(_ frame: VarlinkFrames.Frame, _ connection: Connection) {
    let rate = configuration.requestsPerSecond
    let isWithinRate = connection.account.spend(rate: rate, now: elapsed)
    let message = UnreadMessage(
      connection: connection.key, frame: frame, app: AppName.ofUser(connection.peer.uid),
      passedRate: isWithinRate ? nil : rate)
    if let readElsewhere, frame.count > ServerLimits.bytesReadHere {
      connection.account.isReading = true
      reading[connection.key] = connection.account
      return readElsewhere(message)
    }
    take(message.read(), connection)
  }

  /// Carries out what another thread has read.
  @export(interface)
  public func take(_ message: ReadMessage, carryOut: (Incoming) -> Void) {
    guard let account = reading.removeValue(forKey: message.connection) else { return }
    account.isReading = false
    let begin = stopwatch()
    if let connection = connections[message.connection] {
      take(message, connection)
      noteHeld(connection)
    }
    for connection in connections.values where connection.account === account { mark(connection) }
    drain(carryOut)
    charge(account, stopwatch() - begin + message.nanoseconds)
  }

  private func take(_ message: ReadMessage, _ connection: Connection) {
    callBytes = message.bytes
    switch message.outcome {
    case .unreadable(let failure, let oneway, let namesList):
      if namesList || connection.replacement != nil { breakReplacement(connection) }
      if !oneway { answer(connection, failure.encoded) }
    case .refused(let failure, let head):
      noteRefused(head, connection)
      if !head.oneway { answer(connection, failure.encoded) }
    case .call(let call, let head):
      do throws(VarlinkFailure) {
        try carryOut(call, head, connection, size: message.bytes)
      } catch {
        noteRefused(head, connection)
        if !head.oneway { answer(connection, error.encoded) }
      }
    }
  }
}
