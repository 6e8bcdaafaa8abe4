import BelfryCore
import BelfrySystem

/// Answers to who schedules something with a sound: they wait until it is known whether the sound is
/// there, which only the disk can say, and no longer than a moment.
final class SoundLookup {
  typealias Name = ScheduleReply.NamedSound

  struct Finding: Sendable {
    var name: Name
    var isThere: Bool
    /// What may be meant by one that is not there.
    var nearest: String?

    fileprivate var warning: String {
      "no sound folder has \(FieldError.quoted(name.name))"
        + (nearest.map { "; did you mean \(FieldError.quoted($0))?" } ?? "")
        + ": the default sound plays unless it comes"
    }
  }

  private struct Waiting {
    var id: RequestID
    var reply: Reply
    /// Those that are not known to be there or not.
    var open: [Name]
    var missing: [Finding]
    var until: Int64
  }

  private var waiting: [Waiting] = []
  private var known: [Name: (finding: Finding, at: Int64)] = [:]
  /// Asks another thread; its answer comes by `take`.
  private let ask: (Name) -> Void

  /// A disk that takes longer warns nobody.
  static let timeout = Nanoseconds.second / 2
  /// A program that schedules many with one sound asks the disk once.
  static let freshness = Nanoseconds.second
  private static let maxKnown = 64

  init(ask: @escaping (Name) -> Void) {
    self.ask = ask
  }

  /// When `tick` must be called, CLOCK_BOOTTIME; nil: not at all.
  var deadline: Int64? { waiting.first?.until }

  /// The reply as it may go out now; nil: it comes later.
  func complete(_ id: RequestID, _ reply: Reply, now: Int64) -> Reply? {
    let names = reply.namedSounds
    if names.isEmpty { return reply }
    var (open, missing): ([Name], [Finding]) = ([], [])
    for name in names {
      guard let known = known[name], now - known.at < Self.freshness else {
        open.append(name)
        continue
      }
      if !known.finding.isThere { missing.append(known.finding) }
    }
    if open.isEmpty { return reply.warned(of: missing) }
    let unasked = open.filter { name in !waiting.contains { $0.open.contains(name) } }
    waiting.append(
      Waiting(id: id, reply: reply, open: open, missing: missing, until: now + Self.timeout))
    for name in unasked { ask(name) }
    return nil
  }

  /// What was found; returns the replies that waited for it.
  func take(_ finding: Finding, now: Int64) -> [(id: RequestID, reply: Reply)] {
    if known.count >= Self.maxKnown { known.removeAll() }
    known[finding.name] = (finding, now)
    for place in waiting.indices where waiting[place].open.contains(finding.name) {
      waiting[place].open.removeAll { $0 == finding.name }
      if !finding.isThere { waiting[place].missing.append(finding) }
    }
    return leave { $0.open.isEmpty }
  }

  /// The replies that have waited long enough.
  func tick(now: Int64) -> [(id: RequestID, reply: Reply)] {
    leave { $0.until <= now }
  }

  private func leave(_ isOver: (Waiting) -> Bool) -> [(id: RequestID, reply: Reply)] {
    let over = waiting.filter(isOver)
    if over.isEmpty { return [] }
    waiting.removeAll(where: isOver)
    return over.map { ($0.id, $0.reply.warned(of: $0.missing)) }
  }
}

extension Reply {
  fileprivate var namedSounds: [SoundLookup.Name] {
    switch self {
    case .scheduled(let reply): reply.sounds
    case .replacedAll(let reply): reply.sounds
    case .pushed(let reply): reply.sounds
    default: []
    }
  }

  fileprivate func warned(of missing: [SoundLookup.Finding]) -> Reply {
    let warnings = missing.map { $0.warning }
    switch self {
    case .scheduled(var reply):
      reply.warnings += warnings
      return .scheduled(reply)
    case .replacedAll(var reply):
      reply.warnings += warnings
      return .replacedAll(reply)
    case .pushed(var reply):
      reply.warnings += warnings
      return .pushed(reply)
    default: return self
    }
  }
}
