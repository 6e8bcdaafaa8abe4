/// What a sink has yet to take back (N15).
extension SchedulerEngine {
  /// Has a sink take back what it shows or sounds; `token` 0: of an earlier life.
  func takeBack(_ id: OccurrenceID, at index: SinkIndex, token: UInt64 = 0) {
    sinkQueues.takeBack(id, at: sinkQueues[index], token: token, &turn)
  }

  /// What an earlier life has left; before the first event.
  public func restore(owed id: OccurrenceID, by name: String) {
    sinkQueues.restore(owed: id, by: name)
  }
}
