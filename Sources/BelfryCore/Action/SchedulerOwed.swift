/// What a sink that is down has yet to take back (N15).
///
/// Its child is told as soon as it runs; the books remember it, so that another life of the clock
/// tells it too.
extension Scheduler {
  /// Has a sink take back what it shows or sounds; `token` 0: of an earlier life.
  func takeBack(_ id: OccurrenceID, at index: SinkIndex, token: UInt64 = 0) {
    emit(.withdraw(index, token: token, id))
    let sink = sinks[Int(index)]
    guard sink.sink.kind == .plugin, !sink.isUp else { return }
    sink.isOwed = true
    record(.owe(id, sink: sink.sink.name))
  }

  /// It is up.
  func payOff(_ sink: SchedulerSink) {
    guard sink.isOwed else { return }
    for id in sink.owed { emit(.withdraw(sink.index, token: 0, id)) }
    sink.owed = []
    sink.isOwed = false
    record(.paidOff(sink: sink.sink.name))
  }

  /// What an earlier life has left; before the first event.
  public func restore(owed id: OccurrenceID, by name: String) {
    guard let sink = sinksByName[name] else { return goneSinks.append(name) }
    sink.isOwed = true
    sink.owed.append(id)
  }

  /// The first event: of sinks that are gone from the configuration nothing is wanted any more.
  func forgiveGoneSinks() {
    for name in Set(goneSinks).sorted() { record(.paidOff(sink: name)) }
    goneSinks = []
  }
}
