import BelfryKit

internal import BelfryCore
internal import BelfryWire

/// What a notification object says, whichever way it came.
struct PushContent: Sendable {
  var type = CKNotification.NotificationType.base
  var id: CKNotificationID?
  var payload = PushPayload()
  var isPruned = false
  var pruned: [String] = []
  /// The payload as it came.
  var pairs: [String: PushValue] = [:]

  var userInfo: [AnyHashable: Any] { pairs.mapValues { $0.any } }

  /// A payload as it came; throws what breaks a rule, by its path.
  init(_ pairs: [String: PushValue]) throws(SchedulerError) {
    self.pairs = pairs
    let object = try PushValue.wire(pairs)
    do throws(FieldError) {
      payload = try PushPayload.read(object).payload
    } catch {
      throw SchedulerError(
        .init(rawValue: error.code.rawValue) ?? .malformed, field: error.field, error.reason)
    }
    type = .init(rawValue: Int(payload.cloud?.kind.number ?? 0)) ?? .base
    id = payload.cloud?.notificationID.flatMap { CKNotificationID(text: $0.text) }
    isPruned = payload.cloud?.isPruned ?? false
    pruned = payload.missing().map { $0.rawValue }
  }

  /// An entry of an inbox. What its payload says was looked at when it came, so it can be read; if not,
  /// its id and its kind are all that is left of it.
  init(_ entry: BelfryKit.InboxEntry) {
    if let pairs = entry.payload, let read = try? PushContent(pairs) { self = read }
    type = .init(rawValue: entry.kind.rawValue) ?? .base
    id = CKNotificationID(entry.id)
    isPruned = entry.isPruned
    pruned = entry.pruned
  }

  var query: CloudQuery? {
    guard case .query(let query) = payload.cloud?.kind else { return nil }
    return query
  }

  /// The zone, the subscription and the database.
  var subject: CloudSubject? {
    switch payload.cloud?.kind {
    case .query(let query): query.subject
    case .recordZone(let subject), .database(let subject): subject
    case .base, nil: nil
    }
  }
}

extension CKNotification {
  /// Belfry's own: reads the `userInfo` of any push, without `ck` too; throws what breaks a rule of P1
  /// to P3, by its path, such as `aps.badge`.
  public static func read(_ userInfo: [AnyHashable: Any]) throws(SchedulerError) -> CKNotification {
    make(try PushContent(try PushValue.payload(userInfo)))
  }

  /// The subclass for it.
  static func make(_ content: PushContent) -> CKNotification {
    switch content.type {
    case .base, .readNotification: CKNotification(content)
    case .query: CKQueryNotification(content)
    case .recordZone: CKRecordZoneNotification(content)
    case .database: CKDatabaseNotification(content)
    }
  }

  /// Arguments as text; nil: there are none.
  func texts(_ arguments: [PropertyList]) -> [String]? {
    guard !arguments.isEmpty else { return nil }
    return arguments.map { argument in
      switch argument {
      case .string(let text): text
      case .integer(let number): "\(number)"
      case .double(let number): "\(number)"
      default: ""
      }
    }
  }
}

extension CKDatabase.Scope {
  /// The wire counts private 1, public 2, shared 3 (P3).
  init(_ wire: DatabaseScope) {
    switch wire {
    case .private: self = .private
    case .public: self = .public
    case .shared: self = .shared
    }
  }
}
