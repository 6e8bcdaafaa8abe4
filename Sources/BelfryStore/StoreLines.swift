import BelfryCore

/// What waits for the store thread, and whose turn it is (A2).
///
/// What the clock needs of rows that are due soon has a line of its own. Then goes what has happened,
/// in its order, with those who wait for that: so whatever is asked later finds it in the store. For
/// the rest users take turns, and who has cost most waits longest; what one user asks keeps its order.
struct StoreLines {
  typealias Entry = StoreWriter.Entry

  private var loads = UserLines()
  private var records = EntryLine()
  private var asked = UserLines()
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
      if entry.operation.isLoad {
        loads.add(entry)
      } else if behind.count > 0 || entry.operation.endsApp {
        behind.add(entry)
      } else {
        line(entry)
      }
    }
  }

  private mutating func line(_ entry: Entry) {
    if entry.operation.goesWithRecords { records.add(entry) } else { asked.add(entry) }
  }

  /// What the clock needs, the next user's.
  mutating func nextLoad() -> Entry? {
    payer = .loads
    return loads.next()
  }

  /// The next of all others.
  mutating func next() -> Entry? {
    payer = .records
    if let entry = records.next() { return entry }
    payer = .asked
    if let entry = asked.next() { return entry }
    // All that came before an app's end is done.
    payer = .records
    let end = behind.next()
    while let next = behind.first, !next.operation.endsApp {
      line(next)
      _ = behind.next()
    }
    return end
  }

  /// What the one that was taken last has cost.
  mutating func charge(_ cost: Int64) {
    switch payer {
    case .loads: loads.charge(cost)
    case .records: break
    case .asked: asked.charge(cost)
    }
  }

  /// Drops the oldest records over the limit.
  mutating func dropOldest(_ limit: Int, _ log: (LogLevel, String) -> Void) {
    records.dropOldest(limit, log)
  }
}

/// First come, first served.
private struct EntryLine {
  private var entries: [StoreWriter.Entry] = []
  private var start = 0
  /// How many of them are answered.
  private var answered = 0

  var count: Int { entries.count - start }
  var first: StoreWriter.Entry? { count > 0 ? entries[start] : nil }
  var isRecorded: Bool { answered == 0 }

  mutating func add(_ entry: StoreWriter.Entry) {
    entries.append(entry)
    if !entry.operation.isRecorded { answered += 1 }
  }

  mutating func next() -> StoreWriter.Entry? {
    guard let entry = first else { return nil }
    start += 1
    if !entry.operation.isRecorded { answered -= 1 }
    if start == entries.count {
      entries.removeAll(keepingCapacity: start <= 256)
      start = 0
    } else if start >= 1024, start * 2 >= entries.count {
      entries.removeFirst(start)
      start = 0
    }
    return entry
  }

  mutating func dropOldest(_ limit: Int, _ log: (LogLevel, String) -> Void) {
    guard count > limit else { return }
    entries.removeFirst(start)
    start = 0
    _ = StoreWriter.dropOldest(&entries, limit: limit, log)
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

  mutating func add(_ entry: StoreWriter.Entry) {
    count += 1
    let user = entry.user
    if let place = lines.firstIndex(where: { $0.user == user }) {
      lines[place].entries.add(entry)
      return
    }
    let debt = debts.first { $0.user == user }?.cost ?? now
    debts.removeAll { $0.user == user }
    var line = Line(user: user, cost: max(now, debt))
    line.entries.add(entry)
    lines.append(line)
  }

  mutating func next() -> StoreWriter.Entry? {
    guard let least = lines.indices.min(by: { lines[$0].cost < lines[$1].cost }) else { return nil }
    var line = lines.remove(at: least)
    let entry = line.entries.next()
    count -= 1
    now = max(now, line.cost)
    debts.removeAll { $0.cost < now }
    last = line.user
    // It stands last among its equals.
    if line.entries.count > 0 { lines.append(line) } else { debts.append((line.user, line.cost)) }
    return entry
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
