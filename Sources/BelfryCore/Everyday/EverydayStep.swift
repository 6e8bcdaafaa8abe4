/// What the scheduler remembers of an everyday request until the store answers.
enum EverydayStep {
  /// Those that are to be paused by name.
  case pause(RequestID, AppNumber, [String], from: Instant, until: Instant?)
  /// What ends in the pause, by slot: it has no names yet.
  case ending(RequestID, PauseReply, [PauseNaming.Found])
  case resume(RequestID, AppNumber, [String])
  /// The one that a skip, or its opposite, is about.
  case skips(RequestID, AppNumber, EverydayRequest)
  /// The one that is edited.
  case edit(SchedulerApp.Work, AppNumber, EverydayRequest)
  indirect case edited(RequestID, EditedRow)
}
