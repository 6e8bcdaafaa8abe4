/// How soon something has its turn in a queue (D9): critical goes first of all; then users take
/// turns, in each round those with something timeSensitive first.
enum Urgency: Int {
  case critical, timeSensitive, rest

  init(_ level: InterruptionLevel) {
    switch level {
    case .critical: self = .critical
    case .timeSensitive: self = .timeSensitive
    case .active, .passive: self = .rest
    }
  }
}
