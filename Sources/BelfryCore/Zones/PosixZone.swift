/// A zone as a short text: `CET-1CEST,M3.5.0,M10.5.0/3`, as in a zone file's footer (RFC 8536, 3.3.1).
struct PosixZone {
  /// Bytes of such a text; the longest in use has 40.
  static let longest = 256

  struct Daylight {
    var period: ZonePeriod
    var start: YearlyTime
    var end: YearlyTime
  }

  var standard: ZonePeriod
  var daylight: Daylight?

  init(_ text: ArraySlice<UInt8>) throws(ZoneError) {
    var reader = PosixZoneReader(text)
    let name = try reader.name()
    standard = ZonePeriod(offset: -(try reader.offset()), isDST: false, abbreviation: name)
    guard !reader.isAtEnd else { return }
    let other = try reader.name()
    let isPlain = reader.isAtEnd || reader.isAt(",")
    let offset = isPlain ? standard.offset + 3600 : -(try reader.offset())
    let period = ZonePeriod(offset: offset, isDST: true, abbreviation: other)
    guard !reader.isAtEnd else { throw reader.error("has summer time without a rule for it") }
    try reader.expect(",")
    let start = try reader.yearlyTime()
    try reader.expect(",")
    let end = try reader.yearlyTime()
    guard reader.isAtEnd else { throw reader.error("has more than a rule") }
    daylight = Daylight(period: period, start: start, end: end)
  }

  /// Writes the rule out: it holds from the last change of `table`, always in one without any, to
  /// the end of `Instant`'s range.
  func append(to table: inout ZoneTable) {
    let begin = max(table.last ?? .min, ZoneTable.range.lowerBound - 1)
    guard begin <= ZoneTable.range.upperBound else { return }
    guard let daylight else { return table.append(standard, from: begin) }
    var changes: [(seconds: Int64, isDST: Bool)] = []
    let firstYear = CivilDate(days: floorDivide(begin, 86400)).year - 2
    for year in firstYear...2263 {
      let start = daylight.start.seconds(in: year) - Int64(standard.offset)
      let end = daylight.end.seconds(in: year) - Int64(daylight.period.offset)
      let pair: [(seconds: Int64, isDST: Bool)] =
        start < end ? [(start, true), (end, false)] : [(end, false), (start, true)]
      for change in pair {
        // Summer that ends when or after the next begins lasts: daylight saving all year.
        while let last = changes.last, last.seconds >= change.seconds { changes.removeLast() }
        changes.append(change)
      }
    }
    // What holds at `begin` is what the last change until then says.
    let next = changes.firstIndex { $0.seconds > begin } ?? changes.count
    let atBegin = next > 0 ? changes[next - 1].isDST : !(changes.first?.isDST ?? true)
    table.append(atBegin ? daylight.period : standard, from: begin)
    for change in changes[next...] {
      table.append(change.isDST ? daylight.period : standard, from: change.seconds)
    }
  }
}

/// One day of every year, and a time on it.
struct YearlyTime {
  enum Day {
    /// 1 to 365; 29 February is never counted.
    case julian(Int64)
    /// 0 to 365; 29 February is counted.
    case ordinal(Int64)
    /// Month 1 to 12; week 1 to 5, where 5 is the last; weekday 0, Sunday, to 6.
    case weekday(month: Int64, week: Int64, day: Int64)
  }

  var day: Day
  /// Seconds after midnight, within ±168 hours.
  var time: Int64

  /// Seconds from 1970 to this time in `year`, by a clock without a zone.
  func seconds(in year: Int64) -> Int64 {
    days(in: year) * 86400 + time
  }

  private func days(in year: Int64) -> Int64 {
    let newYear = CivilDate(year: year, month: 1, day: 1).days
    switch day {
    case .julian(let number):
      return newYear + number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1)
    case .ordinal(let number):
      return newYear + number
    case .weekday(let month, let week, let day):
      let first = CivilDate(year: year, month: month, day: 1)
      let toDay = floorModulo(day - first.weekday, 7)
      let length = CivilDate.length(ofMonth: month, year: year)
      var offset = toDay + (week - 1) * 7
      if offset >= length { offset -= 7 }
      return first.days + offset
    }
  }
}
