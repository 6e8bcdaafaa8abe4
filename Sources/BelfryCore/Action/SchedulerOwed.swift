/// What a sink has yet to take back (N15).
///
/// The books remember it until the sink says that it is done: a kill of the clock while the sink is
/// down, hangs or has not come to it loses no withdrawal, and the next life tells it again.
extension Scheduler {
  /// Has a sink take back what it shows or sounds; `token` 0: of an earlier life.
  func takeBack(_ id: OccurrenceID, at index: SinkIndex, token: UInt64 = 0) {
    emit(.withdraw(index, token: token, id))
    let sink = sinks[Int(index)]
    // A sound ends with the speaker.
    guard sink.sink.kind == .plugin else { return }
    sink.takingBack += 1
    sink.isOwed = true
    record(.owe(id, sink: sink.sink.name))
  }

  /// It is up.
  func payOff(_ sink: SchedulerSink) {
    for id in sink.owed {
      sink.takingBack += 1
      emit(.withdraw(sink.index, token: 0, id))
    }
    sink.owed = []
  }

  func noteTakenBack(by sink: SchedulerSink) {
    guard sink.takingBack > 0 else { return }
    sink.takingBack -= 1
    guard sink.takingBack == 0, sink.isOwed, sink.owed.isEmpty else { return }
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
