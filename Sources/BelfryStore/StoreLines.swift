import BelfryCore

/// What waits for the store thread, and whose turn it is (A2).
///
/// What the clock needs of rows that are due soon has a line of its own. Then goes what has happened,
/// with those who wait for that, then what is asked; in each of them users take turns, and who has cost
/// most waits longest. What concerns the same keeps its order: what has happened to a user's apps is in
/// the store before what is asked of them later, and a row's number is free before another takes it.
///
/// What goes on happening holds up nobody for good: once it has cost much in a row, what was asked
/// gets a part of the time.
struct StoreLines {
  typealias Entry = StoreWriter.Entry

  private var loads = UserLines()
  private var records = UserLines()
  private var asked = UserLines()
  /// So many have come.
  private var last: Int64 = 0
  /// The last of the records in line that says something of the row of this number, and whose it is.
  private var rows: [Slot: (user: Int64, number: Int64)] = [:]
  /// What records have cost beyond their part since they began to come without a pause.
  private var ahead: Int64 = 0
  /// From so much on what was asked goes first, and has one in `recordsPart` of the time.
  private static let mostAhead: Int64 = 256
  private static let recordsPart: Int64 = 4
  /// From an app's end on: nothing passes that, and it passes nothing.
  private var behind: [Entry] = []
  /// Whose was taken last.
  private enum Payer { case loads, records, asked }
  private var payer = Payer.records

  var isEmpty: Bool { count == 0 }
  var count: Int { loads.count + records.count + asked.count + behind.count }
  var hasLoads: Bool { loads.count > 0 }
  var hasAsked: Bool { asked.count > 0 }
  /// Nobody waits for an answer.
  var hasOnlyRecords: Bool {
    records.count > 0 && records.count == count && records.answered == 0
  }

  mutating func add(_ entries: [Entry]) {
    for entry in entries {
      if entry.operation.isLoad {
        loads.add(entry)
      } else if !behind.isEmpty || entry.operation.endsApp {
        behind.append(entry)
      } else {
        line(entry)
      }
    }
  }

  private mutating func line(_ entry: Entry) {
    var entry = entry
    last += 1
    entry.number = last
    let isOfAll = entry.user < 0
    let isBarrier = entry.operation.isBarrier
    let isAsked = !entry.operation.goesWithRecords
    if records.count > 0, isAsked || isBarrier {
      // A barrier stands behind its user's, and waits for what is nobody's, too.
      let user = isOfAll ? Self.everybody : isBarrier ? Self.nobody : entry.user
      entry.follows = [(user, last)]
      for slot in entry.operation.claimed {
        if let row = rows[slot] { entry.follows.append((row.user, row.number + 1)) }
      }
    }
    if isAsked { return asked.add(entry) }
    if isBarrier, isOfAll { entry.user = Self.everybody }
    if let slot = entry.operation.told {
      if let row = rows[slot], row.user != entry.user {
        entry.follows.append((row.user, row.number + 1))
      }
      rows[slot] = (entry.user, last)
    }
    records.add(entry)
  }

  /// As users: of records that are no user's, and of who waits for all of them.
  private static let nobody: Int64 = -1
  fileprivate static let everybody: Int64 = -2

  /// What the clock needs, the next user's.
  mutating func nextLoad() -> Entry? {
    payer = .loads
    return loads.next()
  }

  /// The next of all others.
  mutating func next() -> Entry? {
    let oldest = records.oldest
    if ahead > Self.mostAhead, let one = asked.next(behind: oldest) {
      payer = .asked
      return one
    }
    payer = .records
    if let one = records.next(behind: oldest) {
      if records.count == 0 { rows = [:] }
      return one
    }
    ahead = 0
    payer = .asked
    if let one = asked.next() { return one }
    // All that came before an app's end is done.
    payer = .records
    if behind.isEmpty { return nil }
    let end = behind.removeFirst()
    let next = behind.firstIndex { $0.operation.endsApp } ?? behind.count
    let freed = behind.prefix(next)
    behind.removeFirst(next)
    for entry in freed { line(entry) }
    return end
  }

  /// What the one that was taken last has cost.
  mutating func charge(_ cost: Int64) {
    switch payer {
    case .loads: loads.charge(cost)
    case .records:
      records.charge(cost)
      ahead = min(2 * Self.mostAhead, ahead + cost)
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

/// First come, first served.
private struct EntryLine {
  private var entries: [StoreWriter.Entry] = []
  private var start = 0

  var count: Int { entries.count - start }
  var first: StoreWriter.Entry? { count > 0 ? entries[start] : nil }
  var all: ArraySlice<StoreWriter.Entry> { entries[start...] }

  mutating func add(_ entry: StoreWriter.Entry) { entries.append(entry) }

  mutating func next() -> StoreWriter.Entry? {
    guard let one = first else { return nil }
    start += 1
    if start == entries.count {
      entries.removeAll(keepingCapacity: start <= 256)
      start = 0
    } else if start >= 1024, start * 2 >= entries.count {
      entries.removeFirst(start)
      start = 0
    }
    return one
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
  /// How many of them are answered.
  private(set) var answered = 0

  mutating func add(_ one: StoreWriter.Entry) {
    count += 1
    if !one.operation.isRecorded { answered += 1 }
    let user = one.user
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

  /// What each user has in line that came first.
  struct Oldest {
    var numbers: [(user: Int64, number: Int64)]

    /// Nothing that it follows is in line.
    func frees(_ entry: StoreWriter.Entry) -> Bool {
      entry.follows.allSatisfy { user, last in
        numbers.allSatisfy {
          $0.number >= last || $0.user != user && user != StoreLines.everybody
        }
      }
    }
  }

  var oldest: Oldest {
    Oldest(numbers: lines.map { ($0.user, $0.entries.first?.number ?? .max) })
  }

  /// Of those that follow nothing of what is in line.
  mutating func next(behind oldest: Oldest? = nil) -> StoreWriter.Entry? {
    var least: Int?
    for place in lines.indices {
      guard let first = lines[place].entries.first,
        lines[place].cost < least.map({ lines[$0].cost }) ?? .max, oldest?.frees(first) ?? true
      else { continue }
      least = place
    }
    guard let least else { return nil }
    var line = lines.remove(at: least)
    guard let one = line.entries.next() else { return nil }
    count -= 1
    if !one.operation.isRecorded { answered -= 1 }
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

  mutating func dropSurplus(_ limit: Int, _ log: (LogLevel, String) -> Void) -> Int64 {
    guard count > limit else { return 0 }
    var left = lines.flatMap { $0.entries.all }.sorted { $0.number < $1.number }
    let dropped = HeldRecords.dropSurplus(&left, limit: limit, log)
    let costs = lines.map { ($0.user, $0.cost) }
    (lines, count, answered) = ([], 0, 0)
    for entry in left { add(entry) }
    for place in lines.indices {
      lines[place].cost = costs.first { $0.0 == lines[place].user }?.1 ?? lines[place].cost
    }
    return dropped
  }
}

extension StoreOperation {
  /// The clock needs it for what is due soon.
  fileprivate var isLoad: Bool { if case .question(.load) = self { true } else { false } }

  /// Somebody waits for its answer, and not only for what has happened to be written.
  var isAsked: Bool { !goesWithRecords }

  /// It waits until what has happened is written.
  fileprivate var isBarrier: Bool {
    switch self {
    case .question(.barrier), .change(.commit): true
    case .record, .question, .change: false
    }
  }

  /// It tells what has happened, or waits until that is written.
  fileprivate var goesWithRecords: Bool {
    switch self {
    case .record, .question(.barrier), .change(.commit), .change(.registerApp): true
    case .question, .change: false
    }
  }

  /// The row of which a record says something.
  fileprivate var told: Slot? { if case .record(let record) = self { record.slot } else { nil } }

  /// Numbers of rows that have been others' before.
  fileprivate var claimed: [Slot] {
    switch self {
    case .change(.schedule(let row, _, _)): [row.slot]
    case .change(.replaceAll(_, let rows, _, _)): rows.map { $0.slot }
    case .record, .question, .change: []
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
