import BelfryCore

/// An error reply: its full name and its parameters.
public struct VarlinkFailure: Error, Hashable, Sendable {
  public var name: String
  public var parameters: JSONObject

  public init(name: String, parameters: JSONObject) {
    self.name = name
    self.parameters = parameters
  }

  /// The message, NUL included; an error always carries an object.
  public var encoded: [UInt8] {
    let object: JSONObject = ["error": .string(name), "parameters": .object(parameters)]
    var bytes: [UInt8] = []
    object.write(to: &bytes)
    bytes.append(0)
    return bytes
  }
}

extension VarlinkFailure {
  static let service = "org.varlink.service."

  public static let expectedMore = VarlinkFailure(name: service + "ExpectedMore", parameters: [:])

  public static func interfaceNotFound(_ interface: String) -> VarlinkFailure {
    VarlinkFailure(
      name: service + "InterfaceNotFound", parameters: ["interface": .string(interface)])
  }

  public static func methodNotFound(_ method: String) -> VarlinkFailure {
    VarlinkFailure(name: service + "MethodNotFound", parameters: ["method": .string(method)])
  }

  public static func invalidParameter(_ parameter: String) -> VarlinkFailure {
    VarlinkFailure(
      name: service + "InvalidParameter", parameters: ["parameter": .string(parameter)])
  }

  public static func malformedMessage(at offset: Int64, _ reason: String) -> VarlinkFailure {
    VarlinkFailure(
      name: Varlink.interface + ".MalformedMessage",
      parameters: ["offset": .integer(offset), "reason": .string(reason)])
  }

  public init(_ error: FieldError) {
    self.init(
      name: Varlink.interface + ".InvalidField",
      parameters: [
        "field": .string(error.field), "code": .string(error.code.rawValue),
        "reason": .string(error.reason),
      ])
  }

  public init(_ error: RequestError) {
    let name: String
    let parameters: JSONObject
    switch error {
    case .invalidField(let field):
      self.init(field)
      return
    case .notPermitted: (name, parameters) = ("NotPermitted", [:])
    case .notOwner(let app): (name, parameters) = ("NotOwner", ["app": .string(app)])
    case .notFound(let identifier):
      (name, parameters) = ("NotFound", ["identifier": .string(identifier)])
    case .unknownSink(let sink): (name, parameters) = ("UnknownSink", ["name": .string(sink)])
    case .limitReached(let limit, let value):
      (name, parameters) = ("LimitReached", ["limit": .string(limit), "value": .integer(value)])
    case .unknownSession(let session):
      (name, parameters) = ("UnknownSession", ["session": .integer(session)])
    case .storeUnavailable(let reason):
      (name, parameters) = ("BooksUnavailable", ["reason": .string(reason)])
    case .tokenExpired: (name, parameters) = ("TokenExpired", [:])
    case .tokenForeign: (name, parameters) = ("TokenForeign", [:])
    }
    self.init(name: Varlink.interface + "." + name, parameters: parameters)
  }

  /// JSON that could not be read: names the field where the fault lies in one.
  init(_ error: WireError) {
    guard !error.path.isEmpty else {
      self = .malformedMessage(at: error.place, error.reason)
      return
    }
    var field = FieldError(error)
    field.field = Varlink.field(error.path)
    self.init(field)
  }

  /// A message over the limit: the field in which it passed it.
  init(oversized bytes: [UInt8]) {
    let reason = "the message is longer than \(bytes.count) bytes, which it passes here"
    do throws(WireError) {
      _ = try JSONValue.parse(bytes, valueLimit: VarlinkCall.valueLimit)
    } catch {
      guard !error.path.isEmpty else {
        self = .malformedMessage(at: Int64(bytes.count), reason)
        return
      }
      self.init(FieldError(Varlink.field(error.path), .tooLong, reason))
      return
    }
    self = .malformedMessage(at: Int64(bytes.count), reason)
  }

  /// What the error says of a request; nil for the errors of the protocol itself.
  public var requestError: RequestError? {
    guard name.utf8.starts(with: (Varlink.interface + ".").utf8) else { return nil }
    let text = { (key: String) in parameters[key]?.string ?? "" }
    switch String(name.utf8.dropFirst(Varlink.interface.utf8.count + 1)) ?? "" {
    case "InvalidField":
      let code = FieldError.Code(rawValue: text("code")) ?? .malformed
      return .invalidField(FieldError(text("field"), code, text("reason")))
    case "NotPermitted": return .notPermitted
    case "NotOwner": return .notOwner(app: text("app"))
    case "NotFound": return .notFound(identifier: text("identifier"))
    case "UnknownSink": return .unknownSink(name: text("name"))
    case "LimitReached":
      return .limitReached(limit: text("limit"), value: parameters["value"]?.integer ?? 0)
    case "UnknownSession": return .unknownSession(parameters["session"]?.integer ?? 0)
    case "BooksUnavailable": return .storeUnavailable(reason: text("reason"))
    case "TokenExpired": return .tokenExpired
    case "TokenForeign": return .tokenForeign
    default: return nil
    }
  }
}
