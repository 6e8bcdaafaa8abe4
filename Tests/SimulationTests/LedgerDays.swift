@testable import BelfryCore

/// Calendars of days (E3), plainly: the days that each file names, and what was last good of it.
struct PromisedCalendars {
  /// So many names.
  static let count = 3
  /// A calendar whose file has gone is kept so many days after its last one.
  private static let kept: Int64 = 60

  struct Key: Hashable {
    /// nil: the operator's.
    var app: String?
    var name: String
  }

  enum File {
    case days([ClosedRange<Int64>])
    case damaged
  }

  private(set) var files: [Key: File] = [:]
  /// What was last good.
  private var known: [Key: [ClosedRange<Int64>]] = [:]

  static func name(_ number: Int) -> String { "c\(number)" }

  var isEmpty: Bool { files.isEmpty && known.isEmpty }

  /// What the folders hold, in an order that is always the same.
  var content: [DaysFile] {
    let sorted = files.sorted { ($0.key.app ?? "", $0.key.name) < ($1.key.app ?? "", $1.key.name) }
    return sorted.map { key, file in
      let content: DaysFile.Content =
        switch file {
        case .damaged: .problem("it is damaged")
        case .days(let days):
          .days(
            DayCalendar(
              days.map {
                DayCalendar.Range(first: $0.lowerBound, last: $0.upperBound, name: "off")
              }))
        }
      return DaysFile(
        app: key.app, name: key.name, path: "days/\(key.app ?? "")/\(key.name).days",
        content: content)
    }
  }

  mutating func change(_ key: Key, _ change: DaysChange, today: Int64) {
    switch change {
    case .good(let days):
      files[key] = .days(days.map { ($0.lowerBound + today)...($0.upperBound + today) })
    case .broken: files[key] = .damaged
    case .gone: files[key] = nil
    }
  }

  /// A process starts with what the store has.
  mutating func restore(_ stored: [StoredDays]) {
    known = [:]
    for one in stored {
      known[Key(app: one.app, name: one.name)] = one.days.ranges.map { $0.first...$0.last }
    }
  }

  /// The process reads the folders.
  mutating func read(today: Int64) {
    for case (let key, .days(let days)) in files { known[key] = days }
    known = known.filter { key, days in
      files[key] != nil || days.map { $0.upperBound }.max() ?? .min >= today - Self.kept
    }
  }

  /// nil: it was never good.
  func days(_ name: String, of app: String) -> [ClosedRange<Int64>]? {
    let own = Key(app: app, name: name)
    return files[own] != nil || known[own] != nil ? known[own] : known[Key(app: nil, name: name)]
  }
}

/// What the calendars that a notification names make of one of its occurrences.
enum DayVerdict {
  case rings
  /// It is skipped, and somebody hears of it.
  case told
  /// Its rule does not have that weekday, so nobody expects it.
  case untold
}

/// Days off (E3).
extension Ledger {
  func verdict(_ promise: Promise, _ k: Int64) -> DayVerdict {
    let notification = promise.notification
    guard notification.goesByDays, promise.purpose == nil,
      let instant = promise.oracle.occurrence(k)
    else { return .rings }
    let clocks = effectiveZone(notification) ?? zone
    let day = floorDivide(clocks.wall(at: instant).nanoseconds, Nanoseconds.day)
    func has(_ name: String) -> Bool? {
      calendars.days(name, of: promise.name.app).map { $0.contains { $0.contains(day) } }
    }
    if notification.exceptOn.contains(where: { has($0) == true }) { return .told }
    // Where one was never good nobody can say that the day is not among its own.
    let only = notification.onlyOn.map(has)
    if !only.isEmpty, !only.contains(nil), !only.contains(true) { return .told }
    guard !notification.asOn.isEmpty else { return .rings }
    let weekdays = notification.rrule?.weekdays ?? 0
    // 1970-01-01 was a Thursday.
    let isOwn = weekdays >> UInt64(floorModulo(day + 3, 7) + 1) & 1 == 1
    let treated = notification.asOn.first { has($0.calendar) == true }
    guard let treated else { return isOwn ? .rings : .untold }
    if weekdays >> UInt64(treated.weekday.number) & 1 == 1 { return .rings }
    return isOwn ? .told : .untold
  }

  /// What comes next and is told of, or lies ahead.
  func nextTold(_ promise: Promise) -> (k: Int64, due: Instant)? {
    var next = promise.next(at: now.real)
    while let one = next, one.due <= now.real, verdict(promise, one.k) == .untold {
      next = promise.oracle.next(after: one.k)
    }
    return next
  }

  /// What nobody is told of has passed, before calendars or zones make something else of it.
  func passUntold() {
    for promise in pending.values where !promise.notification.asOn.isEmpty {
      while let next = promise.oracle.next(after: promise.lastK), next.due <= now.real,
        verdict(promise, next.k) == .untold
      {
        promise.lastK = next.k
      }
    }
  }
}

extension Board {
  func changeDays(_ app: Int?, _ number: Int, _ change: DaysChange) {
    let key = PromisedCalendars.Key(
      app: app.map { LifeShape.apps[$0] }, name: PromisedCalendars.name(number))
    ledger.calendars.change(
      key, change, today: floorDivide(now.real.nanoseconds, Nanoseconds.day))
    ledger.disturb()
    readDays()
  }

  /// The folders are read, as the daemon does at its start and after a change.
  func readDays() {
    let wall = ledger.zone.wall(at: now.real).nanoseconds
    ledger.calendars.read(today: floorDivide(wall, Nanoseconds.day))
    handle(.days(ledger.calendars.content))
  }
}
