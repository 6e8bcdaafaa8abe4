/// The rules of one time zone: which offset its clocks have at every `Instant`.
///
/// Made from the bytes of a TZif file (RFC 8536, versions 1 to 4) or from a POSIX zone text.
/// Immutable; any thread. The rule in a file's footer is written out to the end of `Instant`'s range
/// when the file is read, so that every answer is one search in one table of a few kilobytes.
public final class ZoneRules: Sendable {
  /// Seconds since 1970 UTC at which the clocks change, each later than the one before.
  private let changes: [Int64]
  /// For each time between changes, the first before them all, its place in `kinds`.
  private let order: [UInt8]
  private let kinds: [ZonePeriod]

  /// Coordinated Universal Time.
  public static let utc = ZoneRules(
    ZoneTable(ZonePeriod(offset: 0, isDST: false, abbreviation: "UTC")))

  /// Reads a zone file. What stands behind the footer is left alone.
  ///
  /// Throws for files that are cut, contradict themselves, count leap seconds, or have more than
  /// 2000 transitions; never reads further than the bytes reach, and takes time in proportion to
  /// them (RFC 8536, 3).
  public convenience init(tzif bytes: [UInt8]) throws(ZoneError) {
    var reader = TZifReader(bytes)
    self.init(try reader.read())
  }

  /// Reads a zone as the environment's `TZ` may spell it out: `CET-1CEST,M3.5.0,M10.5.0/3`
  /// (POSIX.1-2024, 8.3; hours of -167 to 167 as in RFC 8536, 3.3.1).
  public convenience init(posix text: String) throws(ZoneError) {
    guard text.utf8.count <= PosixZone.longest else {
      throw ZoneError(.tooLarge, "a zone text has at most \(PosixZone.longest) bytes")
    }
    let zone = try PosixZone(Array(text.utf8)[...])
    var table = ZoneTable(zone.standard)
    zone.append(to: &table)
    self.init(table)
  }

  init(_ table: ZoneTable) {
    changes = table.changes
    order = table.order
    kinds = table.kinds
  }

  // MARK: From an instant

  /// Seconds east of UTC. Takes some nanoseconds.
  public func offset(at instant: Instant) -> Int32 {
    kinds[Int(order[place(of: instant.wholeSeconds)])].offset
  }

  /// Offset, abbreviation, and whether it is daylight saving time.
  public func period(at instant: Instant) -> ZonePeriod {
    kinds[Int(order[place(of: instant.wholeSeconds)])]
  }

  /// What the zone's clocks show at an instant.
  public func civil(at instant: Instant) -> CivilTime {
    CivilTime(instant, offset: Int64(offset(at: instant)))
  }

  /// What the zone's clocks show at an instant, counted as if they showed UTC; sticks at the ends.
  public func wall(at instant: Instant) -> Instant {
    instant.advanced(by: Int64(offset(at: instant)) * Nanoseconds.second)
  }

  /// The next change of the clocks, and not only of their zone's name; nil if there is none before 2262.
  public func nextShift(after instant: Instant) -> ZoneTransition? {
    var next = transition(after: instant)
    while let change = next, change.before.offset == change.after.offset {
      next = transition(after: change.instant)
    }
    return next
  }

  /// The next change after an instant; nil if there is none before 2262.
  public func transition(after instant: Instant) -> ZoneTransition? {
    let next = place(of: instant.wholeSeconds)
    return next < changes.count ? transition(next) : nil
  }

  // MARK: From a wall clock

  /// When the zone's clocks show `civil`.
  public func resolve(_ civil: CivilTime) -> LocalTime {
    let days = civil.date.days
    guard abs(days) < 200_000 else { return .once(days < 0 ? .distantPast : .distantFuture) }
    let seconds = days * 86400 + floorDivide(civil.nanosecondOfDay, Nanoseconds.second)
    return resolve(
      seconds: seconds, fraction: floorModulo(civil.nanosecondOfDay, Nanoseconds.second))
  }

  /// When the zone's clocks show a wall clock that is counted as if it were UTC.
  public func resolve(wall: Instant) -> LocalTime {
    let seconds = wall.wholeSeconds
    return resolve(seconds: seconds, fraction: floorModulo(wall.nanoseconds, Nanoseconds.second))
  }

  private func resolve(seconds wall: Int64, fraction: Int64) -> LocalTime {
    // No offset is larger than 26 hours, so what answers lies that near.
    var place = self.place(of: wall - ZoneTable.farthest)
    var first: Int64?
    var last: Int64 = 0
    var gap: Int?
    while true {
      let time = wall - Int64(offset(place))
      let isBegun = place == 0 || changes[place - 1] <= time
      let isOver = place < changes.count && changes[place] <= time
      if isBegun, !isOver {
        if first == nil { first = time }
        last = time
      }
      guard place < changes.count, changes[place] <= wall + ZoneTable.farthest else { break }
      if gap == nil, isOver, wall - Int64(offset(place + 1)) < changes[place] { gap = place }
      place += 1
    }
    if let first {
      let instant = Instant(seconds: first, fraction: fraction)
      guard first != last else { return .once(instant) }
      return .twice(first: instant, last: Instant(seconds: last, fraction: fraction))
    }
    // Clocks run through all wall clocks but those that a change jumps over.
    let jump = gap ?? max(0, place - 1)
    return .skipped(
      before: offset(jump), after: offset(jump + 1), transition: transition(jump).instant)
  }

  private func offset(_ place: Int) -> Int32 {
    kinds[Int(order[place])].offset
  }

  private func transition(_ place: Int) -> ZoneTransition {
    ZoneTransition(
      instant: Instant(seconds: changes[place], fraction: 0), before: kinds[Int(order[place])],
      after: kinds[Int(order[place + 1])])
  }

  /// How many changes are not after `seconds`.
  private func place(of seconds: Int64) -> Int {
    changes.withUnsafeBufferPointer { changes in
      var (low, count) = (0, changes.count)
      // Without a branch on what is found, which no processor could foresee.
      while count > 0 {
        let half = (count + 1) / 2
        low += changes[low + half - 1] <= seconds ? half : 0
        count -= half
      }
      return low
    }
  }
}

extension ZoneRules: Equatable {
  /// Whether two zones always show the same, under the same abbreviations.
  public static func == (left: ZoneRules, right: ZoneRules) -> Bool {
    guard left !== right else { return true }
    guard left.changes == right.changes else { return false }
    return left.order.indices.allSatisfy {
      left.kinds[Int(left.order[$0])] == right.kinds[Int(right.order[$0])]
    }
  }
}

extension Instant {
  /// Whole seconds since 1970, rounded down.
  fileprivate var wholeSeconds: Int64 {
    floorDivide(nanoseconds, Nanoseconds.second)
  }

  /// Sticks at the ends of the range.
  fileprivate init(seconds: Int64, fraction: Int64) {
    // The range begins within a second, so seconds are counted towards zero.
    let (whole, rest) =
      seconds < 0 ? (seconds + 1, fraction - Nanoseconds.second) : (seconds, fraction)
    let (product, tooFar) = whole.multipliedReportingOverflow(by: Nanoseconds.second)
    let (sum, overflow) = product.addingReportingOverflow(rest)
    self =
      tooFar || overflow
      ? (seconds < 0 ? .distantPast : .distantFuture) : Instant(nanoseconds: sum)
  }
}
