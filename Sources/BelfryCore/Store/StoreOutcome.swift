/// The store thread's answer to a question or a change.
public enum StoreOutcome: Hashable, Sendable {
  public enum Scheduled: Hashable, Sendable {
    /// `discarded`: the identifier that the limit sent away. `shown`: what sinks show under its own (N15).
    case added(discarded: String?, shown: [ShownDelivery] = [])
    /// `previous`: the summary of what it replaced. The new row has `slot`, `uuid`, `generation`;
    /// `shown` is what `load` would say now; `discarded` as of `added`.
    case replaced(
      previous: PendingSummary, uuid: UUIDBits, generation: Int64, shown: [ShownDelivery],
      discarded: String? = nil)
    case unchanged(PendingSummary, uuid: UUIDBits)
    /// `LimitAction.discardNew` took effect.
    case discardedNew
    case refused

    /// Whether it is on the scheduled list now.
    var isListed: Bool {
      switch self {
      case .added, .replaced, .unchanged: true
      case .discardedNew, .refused: false
      }
    }
  }

  public struct Cancelled: Hashable, Sendable {
    public var rows: [PendingSummary]
    /// Of `rows`, in order.
    public var identifiers: [String]
    public var shown: [ShownDelivery]

    public init(rows: [PendingSummary], identifiers: [String] = [], shown: [ShownDelivery] = []) {
      self.rows = rows
      self.identifiers = identifiers
      self.shown = shown
    }
  }

  case scheduled(Scheduled)
  /// `shown` are marked withdrawn in the history; the sinks must be told.
  case cancelled(Cancelled)
  /// One answer per row given, in order, and the rows that were missing from the list.
  case replacedAll([Scheduled], cancelled: Cancelled)
  case loaded([StoredNotification])
  /// The disk did not give `unread`: they are there, and can be asked for again.
  case loadedPartly([StoredNotification], unread: [Slot])
  indirect case found(StoredNotification?)
  /// Rows in order of slot; `cursor` nil: the last page.
  case listed([StoredNotification], cursor: Int64?)
  case shown([ShownOccurrence], cursor: Int64?)
  case history([HistoryRow], cursor: Int64?)
  case registered
  case committed
  case pushed(PushOutcome)
  case fetched(FetchOutcome)
  /// What was marked before is in neither.
  case markedRead(marked: [UUIDBits], unknown: [UUIDBits])
  /// Its user has no room for it in his share, which is so many bytes (A2); nothing was done.
  case overShare(bytes: Int64)
  case failed(reason: String)

  /// What is said where nothing was done; nil: something was.
  var refusal: RequestError? {
    switch self {
    case .failed(let reason): .storeUnavailable(reason: reason)
    case .overShare(let bytes): .limitReached(limit: "bytes", value: bytes)
    default: nil
    }
  }
}
