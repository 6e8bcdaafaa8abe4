import BelfryCore

/// A push as a plugin makes it (`push/1`): its payload is not looked at before the clock does.
public struct PluginPush: Hashable, Sendable {
  /// The plugin's name for it, in `pushed`.
  public var token: UInt64
  /// On whose behalf (A1); nil: the operator's.
  public var uid: UInt32?
  /// nil: that user's own, `user.<uid>`.
  public var app: String?
  /// Whatever the plugin gave; a payload if it is one.
  public var payload: [UInt8]
  public var collapseIdentifier: String?
  /// Not shown later than this; nil: there is no such limit.
  public var expires: Instant?
  /// Its name where the payload has no `nid` (P9).
  public var id: UUIDBits?

  public init(token: UInt64, app: String?, payload: [UInt8]) {
    self.token = token
    self.app = app
    self.payload = payload
  }
}

/// What became of a plugin's push.
public enum PluginPushAnswer: Hashable, Sendable {
  /// It is in the store.
  case accepted
  /// It was there already (P9).
  case duplicate
  /// It will never be taken as it is.
  case refused(reason: String)
  /// It is to be sent again, so many nanoseconds from now or later.
  case later(reason: String, after: Int64)
}
