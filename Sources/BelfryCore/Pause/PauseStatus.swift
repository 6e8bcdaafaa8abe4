/// What is paused, as `status` tells it.
public struct PauseStatus: Hashable, Sendable {
  public struct Span: Hashable, Sendable {
    /// nil: everything.
    public var app: String?
    public var from: Instant
    public var until: Instant?

    public init(app: String?, from: Instant, until: Instant?) {
      self.app = app
      self.from = from
      self.until = until
    }
  }

  /// Most spans that are told.
  static let most = 100

  /// Of apps, and of everything.
  public var spans: [Span] = []
  /// So many pauses by name, and how many of them have no end.
  public var notifications: Int64 = 0
  public var openNotifications: Int64 = 0

  public init() {}
}
