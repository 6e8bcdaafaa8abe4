import BelfryCore

/// Whose turn it is in a queue, and how urgent (D9).
struct Turn: Hashable {
  /// A place in `LifeShape.users`, or `possiblyDelivered`.
  var user: Int
  /// 2 critical, 1 timeSensitive, 0 the rest.
  var level: Int

  static let levels = 3
  /// In whose place a delivery stands that its sink has failed with more than once.
  static let possiblyDelivered = LifeShape.users.count

  init(user: Int, level: Int) {
    self.user = user
    self.level = level
  }

  init(_ notification: Notification, app: String) {
    user = LifeShape.ownerPlace(of: app)
    level =
      switch notification.interruptionLevel {
      // S6: without the right to it critical counts as timeSensitive.
      case .critical: LifeShape.mayBeCritical(app) ? 2 : 1
      case .timeSensitive: 1
      case .active, .passive: 0
      }
  }
}

/// How many turns each user has had at each level; what went before what is told by two of these.
struct TurnCount {
  private static let users = LifeShape.users.count + 1
  private var turns = Array(repeating: 0, count: Turn.levels * users)

  /// By user: went again, having been in hand, or asked to be tried later.
  private var resent = Array(repeating: 0, count: users)
  /// Its process has ended so often.
  private var ends = 0

  mutating func noteEnd() { ends += 1 }

  mutating func note(_ turn: Turn, isResent: Bool = false) {
    if isResent {
      resent[turn.user] += 1
    } else {
      turns[place(turn.user, turn.level)] += 1
    }
  }

  /// What a wait for this turn, which is taken now, has had before it.
  func passed(_ turn: Turn, since start: TurnCount) -> Passed {
    var passed = Passed(ends: ends - start.ends)
    passed.ownResent = resent[turn.user] - start.resent[turn.user]
    for user in 0..<Self.users {
      passed.resent += resent[user] - start.resent[user]
      let counts = (0..<Turn.levels).map {
        turns[place(user, $0)] - start.turns[place(user, $0)]
      }
      // Critical ones go by themselves; of the rest a user has one in his turn, the urgent first.
      let same = turn.level == 2 ? counts[2] : counts[0] + counts[1]
      let less = counts[..<turn.level].reduce(0, +)
      passed.lower += turn.level == 2 ? less : 0
      passed.higher += turn.level == 2 ? 0 : counts[2]
      if user == turn.user {
        passed.own += same
        passed.ownLower = less
      } else if same > 0 {
        // Something timeSensitive goes first in its round, and so may go once more.
        passed.most = max(passed.most, same - (turn.level == 0 ? min(counts[1], 1) : 0))
        passed.others += 1
        passed.ofOthers += same
      }
    }
    return passed
  }

  private func place(_ user: Int, _ level: Int) -> Int { level * Self.users + user }

  /// Turns that were taken while one waited.
  struct Passed {
    /// Had been in hand before; of it its own user's.
    var resent = 0
    var ownResent = 0
    /// How often the sink has failed meanwhile: what it failed by goes again.
    var ends = 0
    /// What had to wait for it: all that is not critical if it is; and its own user's less urgent.
    var lower = 0
    var ownLower = 0
    /// Critical ones, if it is not.
    var higher = 0
    /// Of its kind: its own user's, this one counted; the most of any other user; how many others had
    /// one; all of theirs.
    var own = 1
    var most = 0
    var others = 0
    var ofOthers = 0

    /// All but this one.
    var all: Int { resent + lower + higher + own - 1 + ofOthers }

    /// The most turns that D9 lets go before it: all critical ones, and before each of its own user's
    /// one of each other user's.
    var bound: Int { resent + higher + own - 1 + max(others * own, ofOthers) }

    /// nil: D9 was kept.
    var fault: String? {
      if lower + ownLower > 0 { return "after \(max(lower, ownLower)) that are less urgent" }
      // What goes again goes by turns as well.
      if most > own + ownResent + ends {
        return "after \(most) turns of another user, its own being number \(own)"
      }
      return nil
    }
  }
}
