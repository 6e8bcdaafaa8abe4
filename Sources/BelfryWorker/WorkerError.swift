import BelfrySystem

/// Why a worker cannot serve: a sentence that says what is needed, what is there and what to do.
public struct WorkerError: Error, Hashable, Sendable {
  public enum Code: Sendable {
    /// A key of the section is unknown, malformed or missing.
    case settings
    /// The plugin's file is not there, or others could have written it (A3).
    case file
    /// The dynamic loader refused it, or it is no plugin.
    case load
    /// It speaks another version of the contract, or breaks it.
    case contract
    /// Its `start` failed.
    case start
    case system
  }

  public var code: Code
  public var reason: String

  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  init(_ error: SystemError) {
    self.init(.system, error.text)
  }
}
