import BelfryCore
import BelfrySystem
import BelfryWire

/// Why a call came to nothing.
public enum ClientError: Error, Hashable, Sendable {
  /// Nobody listens at the socket: exit status 3.
  case noDaemon(path: String)
  /// The socket cannot be reached for another reason, such as missing rights.
  case unreachable(SystemError)
  /// The daemon said no: exit status 1.
  case refused(RequestError)
  /// An error of the protocol itself, such as `MethodNotFound` from an older daemon.
  case failed(VarlinkFailure)
  /// The daemon closed the connection, or the kernel did; what was asked may have been done.
  case disconnected
  /// No reply in time; what was asked may be done yet.
  case timedOut
  /// A reply that is none, or lacks a field.
  case unreadableReply(reason: String)

  /// One line for a person, which names the field where there is one.
  public var text: String {
    switch self {
    case .noDaemon(let path): return "no daemon answers at \(path)"
    case .unreachable(let error): return error.text
    case .refused(let error): return error.text
    case .failed(let failure): return "\(failure.name) \(JSONValue.object(failure.parameters).text)"
    case .disconnected: return "the daemon closed the connection"
    case .timedOut: return "the daemon did not answer in time"
    case .unreadableReply(let reason): return "the daemon's reply cannot be read: \(reason)"
    }
  }
}

extension RequestError {
  /// One line for a person.
  public var text: String {
    switch self {
    case .invalidField(let error): return "\(error.field): \(error.reason)"
    case .notPermitted: return "only root and the operator's group may do this"
    case .notOwner(let app): return "app: \(app) belongs to another user"
    case .notFound(let identifier): return "identifier: nothing scheduled is called \(identifier)"
    case .unknownSink(let name): return "sink: there is none called \(name)"
    case .limitReached(let limit, let value) where ["notifications", "regions"].contains(limit):
      return "the app has \(value) \(limit), as many as it may have ([limits] \(limit))"
    case .limitReached(let limit, let value): return "the limit \(limit) = \(value) is reached"
    case .unknownSession(let session): return "session: none is open under the number \(session)"
    case .storeUnavailable(let reason): return "the books cannot be written: \(reason)"
    case .tokenExpired:
      return "since: what came after this token is partly gone; fetch all, without one"
    case .tokenForeign: return "since: this inbox never gave such a token"
    }
  }
}
