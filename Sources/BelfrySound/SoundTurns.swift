import BelfryCore

/// Whose turn it is, and how many may wait (S6).
///
/// Within each urgency the user whose last turn was longest ago is next. Anybody may call his sounds
/// timeSensitive, so these do not overtake without end: a user's timeSensitive sound goes before what
/// lesser sounds other users have waiting, but not if another one of his had its turn while they waited.
struct SoundTurns {
  private struct Key: Hashable {
    var urgency: Urgency
    var owner: UInt32
  }

  /// More users than this are not remembered; the one whose turn was longest ago is forgotten.
  private static let most = 256

  private var turns: [Key: Int64] = [:]
  private(set) var last: Int64 = 0

  /// The place of the job whose turn it is; nil: nothing waits.
  func next(_ waiting: [SoundQueue.Job]) -> Int? {
    let all = Array(waiting.indices)
    guard let first = soonest(all, waiting), waiting[first].urgency == .timeSensitive else {
      return soonest(all, waiting)
    }
    let owner = waiting[first].owner
    guard let turn = turns[Key(urgency: .timeSensitive, owner: owner)] else { return first }
    let overtaken = all.filter {
      waiting[$0].urgency == .other && waiting[$0].owner != owner && waiting[$0].arrival <= turn
    }
    return soonest(overtaken, waiting) ?? first
  }

  private func soonest(_ places: [Int], _ waiting: [SoundQueue.Job]) -> Int? {
    var best: (urgency: Int, turn: Int64, place: Int)?
    for place in places {
      let urgency = waiting[place].urgency
      let turn = turns[Key(urgency: urgency, owner: waiting[place].owner)] ?? 0
      let own = (urgency.rawValue, turn, place)
      if let known = best, known <= own { continue }
      best = own
    }
    return best?.place
  }

  mutating func take(_ job: SoundQueue.Job) {
    last += 1
    turns[Key(urgency: job.urgency, owner: job.owner)] = last
    if turns.count > Self.most, let oldest = turns.min(by: { $0.value < $1.value }) {
      turns[oldest.key] = nil
    }
  }

  // MARK: Shares

  /// Which of the waiting jobs goes when `new` is one too many; nil: none is. Its own place is
  /// `waiting.count`. Critical ones neither count nor go.
  ///
  /// A user's share is `maxOfUser`; where `most` wait in all it shrinks to an equal part of that, so
  /// that a user who has less waiting finds room. Of the user who is over his share the newest of the
  /// least urgent goes.
  static func excess(_ waiting: [SoundQueue.Job], and new: SoundQueue.Job) -> Int? {
    if new.isCritical { return nil }
    let jobs = waiting + [new]
    let lesser = jobs.indices.filter { !jobs[$0].isCritical }
    func last(_ isMeant: (SoundQueue.Job) -> Bool) -> Int? {
      lesser.filter { isMeant(jobs[$0]) }.max {
        (jobs[$0].urgency.rawValue, $0) < (jobs[$1].urgency.rawValue, $1)
      }
    }
    var counts: [UInt32: Int] = [:]
    for place in lesser { counts[jobs[place].owner, default: 0] += 1 }
    let own = counts[new.owner] ?? 0
    if own > SoundQueue.maxOfUser { return last { $0.owner == new.owner } }
    guard lesser.count > SoundQueue.most else { return nil }
    let largest = counts.max { ($0.value, $0.key) < ($1.value, $1.key) }
    if let largest, largest.value > own,
      let place = last({ $0.owner == largest.key && $0.urgency >= new.urgency })
    {
      return place
    }
    return last { $0.urgency >= new.urgency }
  }
}
