import BelfryCore

/// What waits for the store thread, and whose turn it is (A2).
///
/// What the clock needs of rows that are due soon has a line of its own. Then goes what has happened,
/// in its order, with those who wait for that: so whatever is asked later finds it in the store. For
/// the rest users take turns, and who has cost most waits longest; what one user asks keeps its order.
///
/// What goes on happening holds up nobody for good: once it has cost much in a row, what was asked
/// before the next of it gets a part of the time.
struct StoreLines {
  typealias Entry = StoreWriter.Entry

  private var loads = UserLines()
  private var records = EntryLine()
  private var asked = UserLines()
  /// So many have come.
  private var last: Int64 = 0
  /// What records have cost beyond their part since they began to come without a pause.
  private var ahead: Int64 = 0
  /// From so much on what was asked before them goes first, and has one in `recordsPart` of the time.
  private static let mostAhead: Int64 = 1024
  private static let recordsPart: Int64 = 4
  /// From an app's end on: nothing passes that, and it passes nothing.
  private var behind = EntryLine()
  /// Whose was taken last.
  private enum Payer { case loads, records, asked }
  private var payer = Payer.records

  var isEmpty: Bool { count == 0 }
  var count: Int { loads.count + records.count + asked.count + behind.count }
  var hasLoads: Bool { loads.count > 0 }
  /// Nobody waits for an answer.
  var hasOnlyRecords: Bool {
    records.count > 0 && records.count == count && records.isRecorded
  }

  mutating func add(_ entries: [Entry]) {
    for entry in entries {
      last += 1
      let numbered = NumberedEntry(number: last, entry: entry)
      if entry.operation.isLoad {
        loads.add(numbered)
      } else if behind.count > 0 || entry.operation.endsApp {
        behind.add(numbered)
      } else {
        line(numbered)
      }
    }
  }

  private mutating func line(_ one: NumberedEntry) {
    if one.entry.operation.goesWithRecords { records.add(one) } else { asked.add(one) }
  }

  /// What the clock needs, the next user's.
  mutating func nextLoad() -> Entry? {
    payer = .loads
    return loads.next()?.entry
  }

  /// The next of all others.
  mutating func next() -> Entry? {
    if ahead > Self.mostAhead, let record = records.first, let one = asked.first,
      one.number < record.number
    {
      payer = .asked
      return asked.next()?.entry
    }
    payer = .records
    if let one = records.next() { return one.entry }
    ahead = 0
    payer = .asked
    if let one = asked.next() { return one.entry }
    // All that came before an app's end is done.
    payer = .records
    let end = behind.next()
    while let next = behind.first, !next.entry.operation.endsApp {
      line(next)
      _ = behind.next()
    }
    return end?.entry
  }

  /// What the one that was taken last has cost.
  mutating func charge(_ cost: Int64) {
    switch payer {
    case .loads: loads.charge(cost)
    case .records: ahead = min(2 * Self.mostAhead, ahead + cost)
    case .asked:
      asked.charge(cost)
      ahead = max(0, ahead - (Self.recordsPart - 1) * cost)
    }
  }

  /// Drops records over the limit; how many.
  mutating func dropSurplus(_ limit: Int, _ log: (LogLevel, String) -> Void) -> Int64 {
    records.dropSurplus(limit, log)
  }
}

/// In the order in which they came.
private struct NumberedEntry {
  let number: Int64
  let entry: StoreWriter.Entry
}

/// First come, first served.
private struct EntryLine {
  private var entries: [NumberedEntry] = []
  private var start = 0
  /// How many of them are answered.
  private var answered = 0

  var count: Int { entries.count - start }
  var first: NumberedEntry? { count > 0 ? entries[start] : nil }
  var isRecorded: Bool { answered == 0 }

  mutating func add(_ one: NumberedEntry) {
    entries.append(one)
    if !one.entry.operation.isRecorded { answered += 1 }
  }

  mutating func next() -> NumberedEntry? {
    guard let one = first else { return nil }
    start += 1
    if !one.entry.operation.isRecorded { answered -= 1 }
    if start == entries.count {
      entries.removeAll(keepingCapacity: start <= 256)
      start = 0
    } else if start >= 1024, start * 2 >= entries.count {
      entries.removeFirst(start)
      start = 0
    }
    return one
  }

  mutating func dropSurplus(_ limit: Int, _ log: (LogLevel, String) -> Void) -> Int64 {
    guard count > limit else { return 0 }
    var left = entries[start...].map { $0.entry }
    let numbers = entries[start...].map { $0.number }
    let dropped = HeldRecords.dropSurplus(&left, limit: limit, log)
    // None counts as younger than it is, so that nothing passes it that may not.
    entries = zip(numbers, left).map { NumberedEntry(number: $0, entry: $1) }
    start = 0
    return dropped
  }
}

/// Turns of users: whoever has cost least is next.
private struct UserLines {
  private struct Line {
    let user: Int64
    var entries = EntryLine()
    /// What this user has cost; who comes begins with what the one in turn has, or his own debt.
    var cost: Int64
  }

  private var lines: [Line] = []
  /// Of users who have nothing waiting and have cost as much as `now` or more.
  private var debts: [(user: Int64, cost: Int64)] = []
  /// What the one whose turn it was last had cost.
  private var now: Int64 = 0
  private var last: Int64?
  private(set) var count = 0

  mutating func add(_ one: NumberedEntry) {
    count += 1
    let user = one.entry.user
    if let place = lines.firstIndex(where: { $0.user == user }) {
      lines[place].entries.add(one)
      return
    }
    let debt = debts.first { $0.user == user }?.cost ?? now
    debts.removeAll { $0.user == user }
    var line = Line(user: user, cost: max(now, debt))
    line.entries.add(one)
    lines.append(line)
  }

  private var least: Int? { lines.indices.min { lines[$0].cost < lines[$1].cost } }

  /// What `next` will give.
  var first: NumberedEntry? { least.flatMap { lines[$0].entries.first } }

  mutating func next() -> NumberedEntry? {
    guard let least else { return nil }
    var line = lines.remove(at: least)
    let one = line.entries.next()
    count -= 1
    now = max(now, line.cost)
    debts.removeAll { $0.cost < now }
    last = line.user
    // It stands last among its equals.
    if line.entries.count > 0 { lines.append(line) } else { debts.append((line.user, line.cost)) }
    return one
  }

  /// Charges the user whose turn it was last.
  mutating func charge(_ cost: Int64) {
    if let place = lines.firstIndex(where: { $0.user == last }) {
      lines[place].cost += cost
    } else if let place = debts.firstIndex(where: { $0.user == last }) {
      debts[place].cost += cost
    }
  }
}

extension StoreOperation {
  /// The clock needs it for what is due soon.
  fileprivate var isLoad: Bool {
    if case .question(.load(let slots)) = self { !slots.isEmpty } else { false }
  }

  /// It tells what has happened, or waits until that is written.
  fileprivate var goesWithRecords: Bool {
    switch self {
    case .record, .question(.load), .change(.commit), .change(.registerApp): true
    case .question, .change: false
    }
  }

  /// An app and all that is in it goes, so that its name is free.
  fileprivate var endsApp: Bool {
    switch self {
    case .record(.forgetApp): true
    case .change(.cancelAll(_, let time)): time == nil
    case .record, .question, .change: false
    }
  }
}
