/// What earlier lives may have handed over, as the log of hand-overs says (D7).
struct EarlierHandOvers {
  /// Whether an earlier life of this boot handed it over to the sink of that name; nil: nobody knows, and
  /// it may have.
  private var has: ((OccurrenceID, String) -> Bool)?
  /// All sinks, and the apps themselves.
  private var sinks: [String] = []
  /// Of what was prepared.
  private var prepared: Set<OccurrenceID> = []

  mutating func know(of sinks: [String], has: @escaping (OccurrenceID, String) -> Bool) {
    (self.sinks, self.has) = (sinks, has)
  }

  func mayInclude(_ id: OccurrenceID, _ sink: String) -> Bool { has?(id, sink) ?? true }

  /// To any sink.
  func mayInclude(_ id: OccurrenceID) -> Bool {
    has == nil || sinks.contains { mayInclude(id, $0) }
  }

  /// It was prepared in an earlier life.
  mutating func notePrepared(_ id: OccurrenceID) {
    if mayInclude(id) { prepared.insert(id) }
  }

  /// Earlier hand-overs, of which one is as good as many. `isAtOnce`: nothing was prepared for it.
  func attempts(_ id: OccurrenceID, isAtOnce: Bool = false) -> Int32 {
    (isAtOnce ? mayInclude(id) : prepared.contains(id)) ? 1 : 0
  }

  /// All is restored, and nothing of it is due at once.
  mutating func forget() { has = { _, _ in false } }
}
