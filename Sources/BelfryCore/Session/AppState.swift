/// Names an open session to its app's connections: chosen by the server at random, 1 to 2^52, so that
/// it is whole as a JSON number.
public typealias SessionID = UInt64

/// What an app says of itself in a session (D1).
public enum AppState: String, CaseIterable, Sendable {
  case foreground, background
}
