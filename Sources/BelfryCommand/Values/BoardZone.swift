import BelfryCore
import BelfrySystem

/// A zone by which the command line reads and writes clock times: the board's, or a named one.
struct BoardZone: Sendable {
  /// Such as `Europe/Berlin`; for a board without a link to a zone what its rules were read from.
  var name: String
  var rules: ZoneRules

  static let utc = BoardZone(name: "UTC", rules: .utc)

  /// The zone files of this machine; `TZDIR` holds as for libc (tzset(3)).
  static var files: ZoneFiles {
    ZoneFiles(folder: Environment.value(of: "TZDIR"))
  }

  /// The machine's own; universal time where it has none that can be read, as libc has it.
  static func board(_ files: ZoneFiles) -> BoardZone {
    guard let file = try? files.board() else { return utc }
    return BoardZone(name: file.name, rules: file.rules)
  }

  /// What `TZ` says; nil: it is not set. As for libc, what it cannot mean is universal time.
  static func asked(_ files: ZoneFiles) -> BoardZone? {
    guard let variable = Environment.value(of: "TZ") else { return nil }
    return read(variable, files) ?? utc
  }

  /// What `TZ` says where that is no zone; nil: it is one, or not set.
  static func unreadable(_ files: ZoneFiles) -> String? {
    guard let variable = Environment.value(of: "TZ"), !variable.isEmpty else { return nil }
    return read(variable, files) == nil ? variable : nil
  }

  /// The zone that a daemon or `TZ` calls so: by its name, its file or its rule; nil: it cannot be
  /// read here.
  static func read(_ name: String, _ files: ZoneFiles) -> BoardZone? {
    var files = files
    if name.hasPrefix("/") {
      files.localtime = name
    } else {
      files.variable = name
    }
    guard let file = try? files.board() else { return nil }
    return BoardZone(name: file.name, rules: file.rules)
  }

  /// Its name for people, who need no path.
  var told: String {
    if name.hasPrefix("/") { return "the board's zone" }
    return name == "Etc/UTC" ? "UTC" : name
  }

  func offset(at instant: Instant) -> Int64 {
    Int64(rules.offset(at: instant))
  }

  /// What the zone's clocks show at an instant.
  func civil(_ instant: Instant) -> CivilTime {
    rules.civil(at: instant)
  }

  /// When the zone's clocks show a wall clock, counted as if it showed UTC: on one of the passes if
  /// they do so twice, and later by the gap if they never do (T5).
  func instant(ofWall wall: Instant, isLastPass: Bool = false) -> Instant {
    switch rules.resolve(wall: wall) {
    case .once(let instant): instant
    case .twice(let first, let last): isLastPass ? last : first
    case .skipped(let before, _, _): wall.advanced(by: -Int64(before) * Nanoseconds.second)
    }
  }

  /// When a day begins; nil: outside of what an instant can be.
  func start(of date: CivilDate) -> Instant? {
    CivilTime(date: date, nanosecondOfDay: 0).instant().map { instant(ofWall: $0) }
  }

  /// Throws where an instant was written with an offset that its clocks do not have then, with both
  /// of what may be meant. A wall clock that they jump over has the offset of before.
  func check(
    _ instant: Instant, offset: Int64, _ text: String, _ option: OptionName
  ) throws(CommandError) {
    let own = self.offset(at: instant)
    let wall = instant.advanced(by: offset * Nanoseconds.second)
    if case .skipped(let before, _, _) = rules.resolve(wall: wall), Int64(before) == offset {
      return
    }
    // Offsets are written in minutes.
    guard own / 60 != offset / 60 else { return }
    let (moment, meant) = (stamp(instant), stamp(self.instant(ofWall: wall)))
    let written = FieldError.quoted(text)
    throw .refused(
      """
      --\(option.rawValue): \(written) has an offset that \(name) has not: write \(moment) for that \
      moment, \(meant) for what its clocks show, or leave out --time-zone
      """)
  }

  private func stamp(_ instant: Instant) -> String {
    LocalWords(now: instant, zone: self).stamp(instant)
  }

  /// Whether its clocks show a wall clock twice.
  func doubles(_ wall: Instant) -> Bool {
    if case .twice = rules.resolve(wall: wall) { true } else { false }
  }
}
