/// Every zone that was ever spoken of: what is known of its rules, which of them are to be loaded,
/// and which are to be watched (T2, T3, T7). `users` tells how many pending entries go by a zone.
struct ZoneDirectory {
  /// The first is the board's.
  private var zones: [KnownZone]
  private var numbers: [ByteString: ZoneNumber] = [:]
  /// Zones whose entries have not all been looked at since their rules changed.
  private var changing: [ZoneNumber] = []
  /// What `.watchZones` said last.
  private var watched: (board: Bool, named: [String])?
  /// Dates are to be shown as the board's clocks show them (L2), or days are theirs (E3).
  private(set) var showsDates = false

  init() {
    var board = KnownZone(number: 0, name: "UTC")
    board.rules = .utc
    zones = [board]
  }

  // MARK: Looking

  subscript(number: ZoneNumber) -> KnownZone { zones[Int(number)] }

  var board: KnownZone { zones[0] }

  /// nil: not loaded, or not to be had.
  func rules(of name: String) -> ZoneRules? {
    numbers[name].flatMap { zones[Int($0)].rules }
  }

  /// The rules by which an entry with this mark is planned.
  func rules(of number: ZoneNumber, isMarked: Bool) -> ZoneRules? {
    let zone = zones[Int(number)]
    return isMarked == zone.mark ? zone.rules : zone.previous
  }

  var isChanging: Bool { !changing.isEmpty }

  /// Whether an entry with this mark is planned by rules that are not the newest.
  func isStale(_ number: ZoneNumber, isMarked: Bool) -> Bool {
    let zone = zones[Int(number)]
    return zone.previous != nil && isMarked != zone.mark
  }

  /// The board's zone was read after a request had come, so it holds for that.
  ///
  /// What is past by it fires at once, and what repeats begins with its next (N2, N5), which no later
  /// change takes back. So nothing near is judged by rules that may be outdated: while nothing floats
  /// the zone is not watched, and a change of one that is watched is noticed some time after it (T7).
  func isBoardFresh(since asked: Int64) -> Bool {
    zones[0].answered >= asked
  }

  // MARK: Loading

  /// The zone of a name, which may not be loaded.
  mutating func number(of name: String) -> ZoneNumber {
    if let number = numbers[name] { return number }
    let number = ZoneNumber(zones.count)
    zones.append(KnownZone(number: number, name: name))
    numbers[name] = number
    return number
  }

  /// The board's zone as it is at the start.
  mutating func setBoard(_ name: String, _ rules: ZoneRules) {
    zones[0].name = name
    zones[0].rules = rules
  }

  /// Whether a zone is loaded; if not, it has been asked for. Throws where it is not to be had.
  mutating func isReady(
    _ name: String, _ turn: inout Turn, users: (ZoneNumber) -> Int
  ) throws(RequestError) -> Bool {
    let number = number(of: name)
    let zone = zones[Int(number)]
    // What nothing pending goes by is not watched, so its file may be another by now (T7).
    let isFresh =
      users(number) > 0
      || (zone.answered != .min && turn.asked.elapsed - zone.answered < Nanoseconds.second)
    if zone.rules != nil, isFresh { return true }
    // Who asks later may find it there.
    if let refusal = zone.refusal, refusal.event >= turn.asked.number {
      throw .invalidField(FieldError("timeZone", .unknown, refusal.reason))
    }
    load(number, &turn)
    return false
  }

  private mutating func load(_ number: ZoneNumber, _ turn: inout Turn) {
    guard !zones[Int(number)].isAsked else { return }
    zones[Int(number)].isAsked = true
    turn.emit(.loadZone(zones[Int(number)].name))
  }

  mutating func loadBoard(_ turn: inout Turn) {
    guard !zones[0].isAsked else { return }
    zones[0].isAsked = true
    turn.emit(.loadBoardZone)
  }

  /// Zones that must be loaded before restored rows can be planned.
  mutating func loadUsed(_ turn: inout Turn, users: (ZoneNumber) -> Int) {
    for zone in zones.dropFirst() where zone.rules == nil && users(zone.number) > 0 {
      load(zone.number, &turn)
    }
  }

  // MARK: Answers

  mutating func noteAnswer(_ name: String, _ now: ClockReading) -> ZoneNumber {
    let number = number(of: name)
    zones[Int(number)].isAsked = false
    zones[Int(number)].answered = now.elapsed
    return number
  }

  /// True: it was asked for, and some may wait for it.
  mutating func noteBoardAnswer(_ now: ClockReading) -> Bool {
    defer { zones[0].isAsked = false }
    zones[0].answered = now.elapsed
    return zones[0].isAsked
  }

  mutating func noteUnavailable(
    _ number: ZoneNumber, _ reason: String, isUsed: Bool, _ turn: inout Turn
  ) {
    if zones[Int(number)].rules == nil {
      zones[Int(number)].refusal = (reason, turn.number)
      if isUsed { turn.log(.error, "\(reason): what goes by it waits") }
    } else {
      turn.log(.warning, "\(reason): what was read before still holds")
    }
  }

  // MARK: Changes

  /// Whether these are other rules than it has.
  func isOther(_ number: ZoneNumber, _ rules: ZoneRules) -> Bool {
    zones[Int(number)].rules.map { $0 != rules } ?? true
  }

  /// Gives a zone new rules; true: entries that go by it are to be looked at. No earlier change may
  /// be under way.
  mutating func change(
    _ number: ZoneNumber, to rules: ZoneRules, name: String, isUsed: Bool
  ) -> Bool {
    var zone = zones[Int(number)]
    defer { zones[Int(number)] = zone }
    zone.refusal = nil
    guard isOther(number, rules) else {
      zone.name = name
      return false
    }
    zone.previousName = zone.name
    zone.name = name
    let before = zone.rules
    zone.rules = rules
    guard isUsed else { return false }
    zone.previous = before ?? rules
    zone.mark.toggle()
    zone.moved = 0
    zone.seen = 0
    changing.append(number)
    return true
  }

  /// One of its entries that had a due has been looked at.
  mutating func noteSeen(_ number: ZoneNumber) {
    zones[Int(number)].seen += 1
  }

  /// One of its entries has come to another due.
  mutating func noteMoved(_ number: ZoneNumber) {
    zones[Int(number)].moved += 1
  }

  /// All entries have been looked at.
  mutating func endChanges(_ turn: inout Turn) {
    for number in changing {
      zones[Int(number)].previous = nil
      if let text = changeText(zones[Int(number)]) { turn.log(.notice, text) }
    }
    changing = []
  }

  private func changeText(_ zone: KnownZone) -> String? {
    guard zone.seen > 0 else { return nil }
    let what =
      "\(zone.moved) of "
      + counted(zone.seen, "notification")
      + (zone.moved == 1 ? " has" : " have") + " come to another time"
    if zone.number > 0 { return "the rules of \(zone.name) have changed: \(what)" }
    if zone.previousName == zone.name {
      return "the rules of the board's zone \(zone.name) have changed: \(what)"
    }
    return "the board's zone is \(zone.name), was \(zone.previousName ?? "none"): \(what)"
  }

  // MARK: What is to be watched

  /// Some argument of an alert is a date, or it goes by days: from now on the board's zone is followed (T7).
  mutating func followDates() {
    showsDates = true
  }

  /// Tells which zones pending notifications go by, where that has changed (T7). Quiet hours are
  /// those of the board's clocks.
  mutating func tellInUse(
    haveChanged: Bool, hasQuietHours: Bool, _ turn: inout Turn, users: (ZoneNumber) -> Int
  ) {
    let goesByBoard = showsDates || hasQuietHours
    guard haveChanged || (goesByBoard && watched?.board != true) else { return }
    let named = zones.dropFirst().filter { users($0.number) > 0 }.map { $0.name }
    let board = goesByBoard || users(0) > 0
    guard watched?.board != board || watched?.named != named else { return }
    watched = (board, named)
    turn.emit(.watchZones(board: board, named: named))
  }
}
