import BelfryClient
import BelfryCore
import BelfryWire

/// How `belfry` ends; scripts rely on the numbers.
enum EndStatus: Int32, Sendable {
  case done = 0
  /// Understood and refused, by a rule, a limit or what is there; the line on stderr names the field
  /// and the reason.
  case refused = 1
  /// Not understood: no such command or option, or an argument that cannot be read as what it should
  /// be.
  case wrongUsage = 2
  case noDaemon = 3
}

/// Why a command did not do what was asked: one line for stderr and the exit status.
struct CommandError: Error, Hashable, Sendable {
  var status: EndStatus
  /// For scripts: a `FieldError.Code`, an error of the interface, or `usage`, `refused`, `noDaemon`.
  var code: String
  /// What is wrong, such as `--at` or `aps.badge`; nil: nothing in particular.
  var field: String?
  /// Without the program's name and without a full stop; empty: all is said already.
  var reason: String

  /// `message` is a reason, or a field and behind `: ` the reason.
  init(status: EndStatus, code: String? = nil, message: String) {
    self.status = status
    self.code =
      code
      ?? (status == .wrongUsage ? "usage" : status == .noDaemon ? "noDaemon" : "refused")
    let parts = Self.parts(message)
    (field, reason) = (parts.field, parts.reason)
  }

  static func usage(_ message: String) -> CommandError {
    CommandError(status: .wrongUsage, message: message)
  }

  static func refused(_ message: String) -> CommandError {
    CommandError(status: .refused, message: message)
  }

  static func outOfRange(_ message: String) -> CommandError {
    CommandError(status: .refused, code: FieldError.Code.outOfRange.rawValue, message: message)
  }

  /// What breaks a rule, in the words of the command line.
  static func refused(_ error: FieldError, _ origin: CommandWords.Origin) -> CommandError {
    var refusal = CommandError(status: .refused, code: error.code.rawValue, message: "")
    refusal.field = CommandWords.field(error.field, origin)
    refusal.reason = CommandWords.reason(error.reason)
    return refusal
  }

  /// The line for a person.
  var message: String { (field.map { $0 + ": " } ?? "") + reason }

  /// The line for a script.
  var json: JSONObject {
    [
      "code": .string(code), "field": field.map { .string($0) } ?? .null,
      "message": .string(reason),
    ]
  }

  /// A field is one word, perhaps with a place in it as `--user-info a.b`; a path is none.
  private static func parts(_ message: String) -> (field: String?, reason: String) {
    let bytes = Array(message.utf8)
    var end = 0
    while end + 1 < bytes.count {
      let byte = bytes[end]
      if byte == UInt8(ascii: ":"), bytes[end + 1] == UInt8(ascii: " "), end > 0 {
        return (
          String(decoding: bytes[..<end], as: UTF8.self),
          String(decoding: bytes[(end + 2)...], as: UTF8.self)
        )
      }
      if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\"") {
        break
      }
      end += 1
    }
    return (nil, message)
  }
}

extension CommandError {
  /// `origin` says whose fields a refusal names.
  init(_ error: ClientError, of origin: CommandWords.Origin = .call) {
    switch error {
    case .noDaemon(let path):
      self.init(
        status: .noDaemon, message: error.text + "; " + SocketPlace.start(of: path))
    case .unreachable, .disconnected, .timedOut:
      self.init(status: .noDaemon, message: error.text)
    case .refused(.invalidField(let error)): self = .refused(error, origin)
    case .refused(let refusal):
      self.init(status: .refused, code: refusal.word, message: refusal.text)
      field = field.map { CommandWords.field($0, .call) }
    case .failed, .unreadableReply:
      self.init(status: .refused, message: error.text)
    }
  }
}

extension RequestError {
  /// The interface's name of it.
  fileprivate var word: String {
    switch self {
    case .notPermitted: "notPermitted"
    case .notOwner: "notOwner"
    case .notFound: "notFound"
    case .limitReached: "limitReached"
    case .unknownSink: "unknownSink"
    case .unknownSession: "unknownSession"
    case .storeUnavailable: "booksUnavailable"
    case .tokenExpired: "tokenExpired"
    case .tokenForeign: "tokenForeign"
    case .invalidField(let error): error.code.rawValue
    }
  }
}
