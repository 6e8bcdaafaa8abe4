/// The operations of one transaction, taken one after the other until they are many or have cost much.
struct StoreGroup {
  typealias Entry = StoreWriter.Entry

  /// Those that were taken.
  private(set) var entries: [Entry] = []
  private let most: Int
  private let budget: Int64
  private let take: () -> Entry?
  private let charge: (Int64) -> Void
  /// What all work had cost when the first one was asked for, and when the newest was taken.
  private var began: Int64?
  private var taken: Int64?

  /// All of these.
  init(_ entries: [Entry]) {
    self.init(most: entries.count, budget: .max, take: { nil }, charge: { _ in })
    self.entries = entries
  }

  /// At most so many, and none once `budget` is spent: `take` gives the next, `charge` is told what it
  /// has cost.
  init(
    most: Int, budget: Int64, take: @escaping () -> Entry?, charge: @escaping (Int64) -> Void
  ) {
    self.most = most
    self.budget = budget
    self.take = take
    self.charge = charge
  }

  /// The one with this number, taken if none has asked for it yet; nil: the group ends before it.
  ///
  /// `cost`: what all work has cost so far.
  mutating func entry(_ number: Int, cost: Int64) -> Entry? {
    if number < entries.count { return entries[number] }
    if let taken { charge(max(1, cost - taken)) }
    taken = nil
    let start = began ?? cost
    began = start
    guard entries.count < most, cost - start < budget, let entry = take() else { return nil }
    taken = cost
    entries.append(entry)
    return entry
  }
}
