import BelfryCore
import BelfryServer
import BelfrySystem
import BelfryWire

/// What goes out to sinks and apps. The log has each first: killed between the two, it may have been
/// shown (D7).
extension Daemon {
  func handOver(_ delivery: Delivery) {
    failpoints.reach(.handoverBefore)
    let notification = delivery.occurrence.notification
    // Of what repeats by the second nothing is prepared, and it would soon fill the log.
    let isFast = notification.repeatInterval == .second && notification.every < 60
    if delivery.repetition == 0, !isFast, let child = child(delivery.sink) {
      note(delivery.occurrence.id, child.name)
    }
    send(.deliver(packer.handOver(delivery, configuration.scheduler)), to: delivery.sink)
    failpoints.reach(.handoverAfter)
  }

  func tell(_ event: SessionEvent, in session: SessionID) {
    if event.kind == .received { note(event.occurrence.id, Sink.app) }
    server.tell(event, in: session)
  }

  /// A disk may take its time: there it is noted a little later, and what a kill loses of it the worker
  /// still knows (`EnteredDeliveries`).
  private func note(_ id: OccurrenceID, _ sink: String) {
    if handOvers.isInMemory {
      handOvers.insert(id, sink)
    } else {
      blockingWorker.run { [handOvers] in handOvers.insert(id, sink) }
    }
  }
}
