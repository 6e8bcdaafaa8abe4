/// What the user has put away last, which the store's answers about what is shown may tell of all the
/// same: they looked before.
struct HandledOccurrences {
  /// So many are remembered when no question is under way: a disk that refuses has them shown until it
  /// takes records again (D8), and what was snoozed must not come twice under one id (D7).
  static let most = 256

  private var ids: [OccurrenceID] = []
  private var questions: Int32 = 0

  /// A question about what is shown goes to the store.
  mutating func beginQuestion() { questions += 1 }

  /// Its answer has come; what it may tell of though it was put away.
  mutating func endQuestion() -> [OccurrenceID] {
    questions -= 1
    let over = ids.count - Self.most
    if questions == 0, over > 0 { ids.removeFirst(over) }
    return ids
  }

  mutating func note(_ id: OccurrenceID) { ids.append(id) }
}
