/// A calendar's file as it was read (E3).
public struct DaysFile: Hashable, Sendable {
  public enum Content: Hashable, Sendable {
    case days(DayCalendar)
    /// Why it cannot be used: one sentence that names the file, and the line where there is one.
    case problem(String)
  }

  /// Whose it is alone; nil: the operator's, for all.
  public var app: String?
  /// As notifications name it.
  public var name: String
  public var path: String
  public var content: Content

  public init(app: String?, name: String, path: String, content: Content) {
    self.app = app
    self.name = name
    self.path = path
    self.content = content
  }
}

/// What was last good of a calendar, as the store keeps it.
public struct StoredDays: Hashable, Sendable {
  public var app: String?
  public var name: String
  public var path: String
  public var days: DayCalendar

  public init(app: String?, name: String, path: String, days: DayCalendar) {
    self.app = app
    self.name = name
    self.path = path
    self.days = days
  }
}

/// A calendar as `days list` and `status` tell of it.
public struct ListedDays: Hashable, Sendable {
  public enum State: String, CaseIterable, Sendable {
    case good
    /// Its last day is past.
    case ended
    /// The file is broken or missing: what was last good counts.
    case kept
    /// It was never good, and is ignored.
    case unusable
  }

  public var app: String?
  public var name: String
  public var path: String
  public var state: State
  /// So many, and the first and the last of them, counted from 1970.
  public var count: Int64 = 0
  public var first: Int64?
  public var last: Int64?
  public var problem: String?

  public init(app: String?, name: String, path: String, state: State) {
    self.app = app
    self.name = name
    self.path = path
    self.state = state
  }
}

/// The calendars of days (E3): the operator's and those of apps, each with what was last good of it.
struct DaysDirectory {
  private struct Key: Hashable {
    @Bytewise var app: String?
    @Bytewise var name: String
  }

  private struct Entry {
    var path: String
    /// nil: it was never good.
    var days: DayCalendar?
    /// nil: the file says what counts.
    var problem: String?
  }

  private var entries: [Key: Entry] = [:]

  /// A calendar whose file has gone is forgotten so many days after its last one.
  private static let kept: Int64 = 60

  // MARK: Looking

  /// What counts for an app's notifications: its own calendar goes before the operator's of that name.
  func days(_ name: String, of app: String?) -> DayCalendar? { find(name, app)?.days }

  /// What whoever names it should know; nil: nothing. `suggests`: also what may have been meant.
  private func problem(
    _ name: String, of app: String?, named field: String, suggests: Bool
  ) -> String? {
    let entry = find(name, app)
    let reason = entry?.problem.map { ": " + $0 } ?? ""
    guard entry?.days == nil else {
      return entry?.problem == nil
        ? nil : "the calendar \(name) counts as it was read last" + reason
    }
    let hint = entry == nil && suggests ? meant(name, of: app) : ""
    return "\(field): there is no calendar \(FieldError.quoted(name)) yet\(hint), so it rings as"
      + " if none were named" + reason
  }

  /// The nearest of those that count for an app, in parentheses.
  private func meant(_ name: String, of app: String?) -> String {
    let mine = Key(app: app, name: "")
    let known = entries.keys.filter { $0.app == nil || Key(app: $0.app, name: "") == mine }
      .map { $0.name }.sorted()
    // As its file is called.
    let bare = [".days", ".ics"].first { name.hasSuffix($0) }.map { name.dropLast($0.utf8.count) }
    let near = NameSuggestion.nearest(to: bare.map { String($0) } ?? name, among: known)
    return near.map { " (did you mean \($0)?)" } ?? ""
  }

  /// What the calendars that a notification names say of its occurrences; nil: nothing.
  func rule(
    of notification: Notification, app: String?, zone: ZoneRules, _ plan: OccurrencePlan?
  ) -> DayRule? {
    var rule = DayRule(zone: zone, plan: plan)
    let named = { (name: String) in
      days(name, of: app).map { DayRule.Named(name: name, days: $0) }
    }
    rule.exceptOn = notification.exceptOn.compactMap(named)
    rule.onlyOn = notification.onlyOn.compactMap(named)
    // A day that nobody can judge may be one of those of the calendar that is missing.
    if rule.onlyOn.count < notification.onlyOn.count { rule.onlyOn = [] }
    if !notification.asOn.isEmpty {
      rule.weekdays = notification.rrule?.weekdays ?? 0
      rule.asOn = notification.asOn.compactMap { one in
        days(one.calendar, of: app).map {
          DayRule.Treated(name: one.calendar, days: $0, weekday: one.weekday)
        }
      }
    }
    return rule.isEmpty ? nil : rule
  }

  /// What whoever schedules a notification, or lists it, should know of the calendars that it names.
  func problems(of notification: Notification, app: String?) -> [String] {
    var isFirst = true
    return notification.namedDays.compactMap { day in
      // A search through all names, which no request makes more than once.
      defer { isFirst = isFirst && days(day.calendar, of: app) != nil }
      return problem(day.calendar, of: app, named: day.field, suggests: isFirst)
    }
  }

  /// The first of them, for a list.
  func problem(of notification: Notification, app: String?) -> String? {
    for day in notification.namedDays {
      let problem = problem(day.calendar, of: app, named: day.field, suggests: false)
      if let problem { return problem }
    }
    return nil
  }

  private func find(_ name: String, _ app: String?) -> Entry? {
    if let app, let own = entries[Key(app: app, name: name)] { return own }
    return entries[Key(app: nil, name: name)]
  }

  /// In order of app and name, the operator's first.
  func all(today: Int64) -> [ListedDays] {
    let keys = entries.keys.sorted { ($0.app ?? "", $0.name) < ($1.app ?? "", $1.name) }
    return keys.compactMap { key in
      entries[key].map { listed(key, $0, today) }
    }
  }

  private func listed(_ key: Key, _ entry: Entry, _ today: Int64) -> ListedDays {
    let isOver = entry.days?.lastDay.map { $0 < today } ?? false
    let state: ListedDays.State =
      entry.days == nil ? .unusable : entry.problem != nil ? .kept : isOver ? .ended : .good
    var listed = ListedDays(app: key.app, name: key.name, path: entry.path, state: state)
    if let days = entry.days {
      (listed.count, listed.first, listed.last) = (days.dayCount, days.firstDay, days.lastDay)
    }
    listed.problem = entry.problem
    return listed
  }

  // MARK: Changing

  /// Before the files are read: what was last good.
  mutating func restore(_ stored: StoredDays) {
    entries[Key(app: stored.app, name: stored.name)] = Entry(
      path: stored.path, days: stored.days, problem: nil)
  }

  /// All files as they are now.
  mutating func take(_ files: [DaysFile], today: Int64, _ turn: inout Turn) {
    var found: Set<Key> = []
    for file in files {
      let key = Key(app: file.app, name: file.name)
      guard found.insert(key).inserted else { continue }
      var entry = entries[key] ?? Entry(path: file.path)
      entry.path = file.path
      switch file.content {
      case .problem(let reason): entry.problem = reason
      case .days(let days):
        entry.problem = nil
        if entry.days != days {
          entry.days = days
          turn.record(
            .keepDays(
              StoredDays(app: key.app, name: key.name, path: file.path, days: days)))
        }
      }
      entries[key] = entry
    }
    for key in entries.keys.sorted(by: { $0.name < $1.name }) where !found.contains(key) {
      lose(key, today, &turn)
    }
  }

  /// Its file is not there any more.
  private mutating func lose(_ key: Key, _ today: Int64, _ turn: inout Turn) {
    guard var entry = entries[key] else { return }
    guard let last = entry.days?.lastDay else { return entries[key] = nil }
    if last + Self.kept < today {
      entries[key] = nil
      return turn.record(
        .keepDays(
          StoredDays(app: key.app, name: key.name, path: entry.path, days: DayCalendar([]))))
    }
    let problem = "\(entry.path) is gone"
    if entry.problem != problem {
      turn.log(.warning, problem + "; the calendar \(key.name) counts as it was read last")
    }
    entry.problem = problem
    entries[key] = entry
  }
}
