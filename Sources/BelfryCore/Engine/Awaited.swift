/// What the scheduler remembers of a store operation until its outcome comes.
enum Awaited {
  case registration(AppNumber)
  indirect case schedule(RequestID, StoredNotification, isExclusive: Bool, most: Int32)
  case cancel(RequestID, AppNumber, Selection)
  case replaceAll(RequestID, AppNumber, [StoredNotification], discarded: [Discarded])
  case load([Slot])
  /// Whether the intents recorded before are in the store.
  case intents([Slot])
  case find(RequestID, AppNumber, identifier: String, count: Int32, after: Instant?)
  /// A list, of what is pending or shown or of the history, and whose turn its answer takes.
  case page(RequestID, of: UInt32)
  case response(ResponseSource, AppNumber?, ResponseTarget, UserResponse)
  /// What has a region, after the start.
  case regions([Slot])
  /// The answer that goes out once all that was recorded before is in the store.
  case barrier(RequestID, Reply)
  /// The same, but it goes out only if the store has it.
  case stored(RequestID, Reply)
  /// The answer to PresentNow, with a warning if the store does not have it.
  case presented(RequestID, ScheduleReply)
  /// What was shown under the identifier of what has gone out.
  case replaced(by: FiredOccurrence)
  /// An app that is on its way out.
  case forget(AppNumber)
  /// What a program's app takes over from its user's own.
  indirect case takeOver(AppNumber, (RequestID, Reply)?)
  /// A push by its number.
  case push(UInt64)
  /// What a reader asks, and whose turn the answer takes.
  case inbox(RequestID, of: UInt32)
  indirect case everyday(EverydayStep)
}
