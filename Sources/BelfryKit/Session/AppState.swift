/// What an app says of itself in a session (D1).
public enum AppState: String, CaseIterable, Sendable {
  /// Its user sees it: what is due goes to ``AppSessionDelegate/session(_:didReceive:)`` and nowhere
  /// else, if the app takes it within 2 s.
  case foreground
  /// What is due is shown and sounded by the board.
  case background
}
