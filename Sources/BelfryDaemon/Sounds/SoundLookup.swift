import BelfryCore
import BelfrySystem

/// Answers to who schedules something with a sound: they wait until it is known whether the sound is
/// there, which only the disk can say, and no longer than a moment.
final class SoundLookup {
  typealias Name = ScheduleReply.NamedSound

  struct Finding: Sendable {
    var name: Name
    var isThere: Bool
  }

  private struct Waiting {
    var id: RequestID
    var reply: ScheduleReply
    var name: Name
    var until: Int64
  }

  private var waiting: [Waiting] = []
  private var known: [Name: (isThere: Bool, at: Int64)] = [:]
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
  func complete(_ id: RequestID, _ reply: ScheduleReply, now: Int64) -> ScheduleReply? {
    guard let name = reply.sound else { return reply }
    if let known = known[name], now - known.at < Self.freshness {
      return Self.warned(reply, known.isThere)
    }
    let isAsked = waiting.contains { $0.name == name }
    waiting.append(Waiting(id: id, reply: reply, name: name, until: now + Self.timeout))
    if !isAsked { ask(name) }
    return nil
  }

  /// What was found; returns the replies that waited for it.
  func take(_ finding: Finding, now: Int64) -> [(id: RequestID, reply: ScheduleReply)] {
    if known.count >= Self.maxKnown { known.removeAll() }
    known[finding.name] = (finding.isThere, now)
    let answered = waiting.filter { $0.name == finding.name }
    waiting.removeAll { $0.name == finding.name }
    return answered.map { ($0.id, Self.warned($0.reply, finding.isThere)) }
  }

  /// The replies that have waited long enough.
  func tick(now: Int64) -> [(id: RequestID, reply: ScheduleReply)] {
    let over = waiting.filter { $0.until <= now }
    waiting.removeAll { $0.until <= now }
    return over.map { ($0.id, $0.reply) }
  }

  private static func warned(_ reply: ScheduleReply, _ isThere: Bool) -> ScheduleReply {
    guard !isThere, let sound = reply.sound else { return reply }
    var reply = reply
    reply.warnings.append(
      "no sound folder has \(FieldError.quoted(sound.name)): the default sound plays unless it comes"
    )
    return reply
  }
}
