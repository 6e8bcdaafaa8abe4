import BelfryCore
import BelfryWire

extension SchedulerEngine {
  /// What `Status` tells a peer of critical notifications that count as less (S6): those of his own
  /// apps, or of all where he sees all; nil: there are none.
  func demotedReport(for peer: Peer) -> JSONObject? {
    let (count, named) = demoted(for: peer)
    guard count > 0 else { return nil }
    return ["count": .integer(count), "named": .array(named.map { .string($0) })]
  }
}
