/// What the scheduler remembers of a store operation until its outcome comes.
enum Awaited {
  case registration(AppNumber)
  indirect case schedule(RequestID, StoredNotification, isExclusive: Bool, most: Int32)
  case cancel(RequestID, AppNumber, Selection)
  case replaceAll(RequestID, AppNumber, [StoredNotification], discarded: [Discarded])
  case load([Slot])
  /// Whether the intents recorded before are in the store.
  case intents([Slot])
  case find(RequestID, identifier: String, count: Int32, after: Instant?)
  case list(RequestID)
  case shown(RequestID)
  case response(ResponseSource, AppNumber?, ResponseTarget, UserResponse)
  case history(RequestID)
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
  /// A push by its number, and what a reader asks.
  case push(UInt64)
  case inbox(RequestID)
  indirect case everyday(EverydayStep)
}
