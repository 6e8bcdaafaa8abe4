/// What people do with what is scheduled (E1, E2, E7).
public enum EverydayRequest: Sendable {
  /// No identifiers: the whole app, or everything. `from` nil: now; `until` nil: until it is resumed.
  case pause(identifiers: [String], from: Instant?, until: Instant?)
  /// Ends what `pause` of the same identifiers began, or was to begin.
  case resume(identifiers: [String])
  /// The next `count` occurrences, 1 to 1000.
  case skip(identifier: String, count: Int64)
  /// The occurrence within the second that begins then.
  case skipAt(identifier: String, Instant)
  /// `at` nil: all that were skipped and lie ahead.
  case unskip(identifier: String, at: Instant?)
  /// The scheduled one as `change` makes it; it throws what is wrong with the fields that were given.
  case edit(
    identifier: String, change: @Sendable (Notification) throws(FieldError) -> Notification)
}

extension EverydayRequest {
  /// Most identifiers in one request (A2).
  static let mostIdentifiers = 1000

  /// The first one that it names; nil: it is about a whole app, or everything.
  var firstIdentifier: String? {
    switch self {
    case .pause(let identifiers, _, _), .resume(let identifiers): identifiers.first
    case .skip(let identifier, _), .skipAt(let identifier, _), .unskip(let identifier, _),
      .edit(let identifier, _):
      identifier
    }
  }

  /// Throws what no state of the scheduler could make right.
  func check(at now: Instant) throws(FieldError) {
    switch self {
    case .pause(let identifiers, let from, let until):
      guard identifiers.count <= Self.mostIdentifiers else {
        throw FieldError(
          "identifiers", .tooLong, "name at most \(Self.mostIdentifiers), or pause the whole app")
      }
      try from?.checkUnit("from", at: now)
      guard let until else { return }
      try until.checkUnit("until", at: now)
      guard until > from ?? now else {
        throw FieldError("until", .outOfRange, "a pause ends after it begins: name a later time")
      }
      guard until > now else {
        throw FieldError("until", .outOfRange, "this is past: name a time to come")
      }
    case .resume(let identifiers):
      guard identifiers.count <= Self.mostIdentifiers else {
        throw FieldError(
          "identifiers", .tooLong, "name at most \(Self.mostIdentifiers), or resume the whole app")
      }
    case .skip(_, let count):
      guard (1...SkipSet.most).contains(count) else {
        throw FieldError("count", .outOfRange, "this is between 1 and \(SkipSet.most)")
      }
    case .skipAt(_, let instant), .unskip(_, .some(let instant)):
      try instant.checkUnit("at", at: now)
      guard instant.advanced(by: Nanoseconds.second) > now else {
        throw FieldError("at", .outOfRange, "this is past: name an occurrence that is to come")
      }
    case .unskip, .edit: break
    }
  }
}

/// The answer to a pause (E1).
public struct PauseReply: Hashable, Sendable {
  /// A one-shot that is due in the pause, and will be skipped.
  public struct Ending: Hashable, Sendable {
    public var app: String
    public var identifier: String
    public var due: Instant

    public init(app: String, identifier: String, due: Instant) {
      self.app = app
      self.identifier = identifier
      self.due = due
    }
  }

  /// Most that are named.
  public static let most = 100

  public var from: Instant
  public var until: Instant?
  /// The soonest of them.
  public var ending: [Ending] = []
  /// So many more than are named.
  public var more: Int64 = 0
  /// So many critical ones are not paused, since nobody named them.
  public var critical: Int64 = 0

  public init(from: Instant, until: Instant?) {
    self.from = from
    self.until = until
  }
}

/// The answer to a resumption (E1).
public struct ResumeReply: Hashable, Sendable {
  /// So many pauses have ended.
  public var resumed: Int64
  /// What still pauses it, a sentence without a full stop; nil: nothing does.
  public var stillPaused: String?

  public init(resumed: Int64, stillPaused: String?) {
    self.resumed = resumed
    self.stillPaused = stillPaused
  }
}

/// The answer to a skip, and to its opposite (E2).
public struct SkipReply: Hashable, Sendable {
  /// The occurrences that the request spoke of.
  public var instants: [Instant]
  /// What rings next; nil: nothing, or nobody knows.
  public var next: Instant?

  public init(instants: [Instant], next: Instant?) {
    self.instants = instants
    self.next = next
  }
}
