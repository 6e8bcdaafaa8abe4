internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

extension SchedulerError {
  init(_ error: FieldError) {
    self.init(
      Code(rawValue: error.code.rawValue) ?? .malformed, field: error.field, error.reason)
  }

  /// A reply that lacks a field, or has another in its place.
  init(unreadable error: FieldError) {
    self.init(
      .unreadableReply, "the daemon's reply cannot be read: \(error.field): \(error.reason)")
  }

  init(_ error: ClientError) {
    switch error {
    case .noDaemon: self.init(.noDaemon, error.text)
    case .unreachable, .disconnected: self.init(.unreachable, error.text)
    case .refused(let refusal): self.init(refusal)
    case .failed(let failure): self.init(failure, text: error.text)
    case .timedOut: self.init(.timedOut, error.text)
    case .unreadableReply: self.init(.unreadableReply, error.text)
    }
  }

  private init(_ error: RequestError) {
    let text = error.text
    switch error {
    case .invalidField(let field): self.init(field)
    case .notPermitted: self.init(.notPermitted, text)
    case .notOwner: self.init(.notOwner, field: "app", text.afterField)
    case .notFound: self.init(.notFound, field: "identifier", text.afterField)
    case .unknownSink: self.init(.unknownSink, field: "sink", text.afterField)
    case .limitReached(let limit, _): self.init(.limitReached, field: limit, text)
    case .unknownSession: self.init(.unknownSession, "the session has ended, or never was")
    case .storeUnavailable: self.init(.booksUnavailable, text)
    case .tokenExpired: self.init(.tokenExpired, field: "since", text.afterField)
    case .tokenForeign: self.init(.tokenForeign, field: "since", text.afterField)
    }
  }

  /// An error of the protocol, or one that only a newer client than `BelfryClient` knows.
  private init(_ failure: VarlinkFailure, text: String) {
    switch failure.name {
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
      self.init(.notInThisBuild, "this daemon has no such method: \(text)")
    default: self.init(.unreadableReply, text)
    }
  }
}

extension String {
  /// What follows the name of the field in a sentence that begins with it.
  fileprivate var afterField: String {
    guard let colon = firstIndex(of: ":") else { return self }
    return String(self[index(after: colon)...].drop { $0 == " " })
  }
}
