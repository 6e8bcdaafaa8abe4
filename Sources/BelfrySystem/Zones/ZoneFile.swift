import BelfryCore

/// A zone as it was read.
public struct ZoneFile: Sendable {
  /// Tells whether a path still names the same bytes.
  public struct Identity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public var size: Int64
    /// Its change time: `cp -p` and package managers set the time of modification to what it was.
    public var changed: Instant
  }

  /// Such as `Europe/Berlin`; for a board without a link to a zone the path of its file, or the text
  /// of `TZ`.
  public var name: String
  public var rules: ZoneRules
  /// nil: not from a file, or from one that had changed so shortly before that a later change could
  /// carry the same time.
  public var identity: Identity?

  public init(name: String, rules: ZoneRules, identity: Identity?) {
    self.name = name
    self.rules = rules
    self.identity = identity
  }
}

extension ZoneFile.Identity {
  init(_ status: Files.Status) {
    self.init(
      device: status.device, inode: status.inode, size: status.size, changed: status.changed)
  }
}
