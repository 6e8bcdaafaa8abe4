extension RecurrenceRule {
  /// Reads an RRULE: `FREQ=MONTHLY;BYDAY=-1FR`, with or without `RRULE:` before it and a semicolon
  /// behind it; capitals and spaces about commas and semicolons do not count. An UNTIL may have
  /// dashes and colons; one beyond 2261 is none.
  ///
  /// Throws `FieldError` with the name given in `field`; its reason says at which character, counted
  /// from 1, and what RFC 5545 wants there.
  @export(interface)
  public static func parse(
    _ text: String, field: String = "rrule"
  ) throws(FieldError) -> RecurrenceRule {
    var parser = RecurrenceRuleParser(text, field)
    return try parser.parse()
  }
}

/// One pass over the text of a rule.
private struct RecurrenceRuleParser {
  private enum Part: String, CaseIterable {
    case freq = "FREQ"
    case interval = "INTERVAL"
    case count = "COUNT"
    case until = "UNTIL"
    case byMonth = "BYMONTH"
    case byWeekNo = "BYWEEKNO"
    case byYearDay = "BYYEARDAY"
    case byMonthDay = "BYMONTHDAY"
    case byDay = "BYDAY"
    case byHour = "BYHOUR"
    case byMinute = "BYMINUTE"
    case bySecond = "BYSECOND"
    case bySetPos = "BYSETPOS"
    case wkst = "WKST"
    case rscale = "RSCALE"
    case skip = "SKIP"
  }

  private let field: String
  private let isTooLong: Bool
  /// In capitals.
  private let text: [UInt8]
  private var place = 0
  /// Where each part begins.
  private var places: [Part: Int] = [:]
  private var rule = RecurrenceRule(.daily)

  init(_ text: String, _ field: String) {
    self.field = field
    isTooLong = text.utf8.count > RecurrenceRule.Limit.text
    self.text = isTooLong ? [] : text.utf8.map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
  }

  mutating func parse() throws(FieldError) -> RecurrenceRule {
    guard !isTooLong else {
      throw FieldError(
        field, .tooLong, "a rule has at most \(RecurrenceRule.Limit.text) bytes")
    }
    if text.starts(with: "RRULE:".utf8) { place = 6 }
    if text.starts(with: "DTSTART".utf8) {
      throw error(0, .unknown, "a rule is what stands behind RRULE:, and DTSTART is its fireDate")
    }
    guard text.count == place || text.contains(UInt8(ascii: "=")) else {
      throw error(place, .malformed, "a rule is written as FREQ=WEEKLY;BYDAY=MO")
    }
    while true {
      try readPart()
      let end = place
      skipSpaces()
      if place < text.count, !isAt(";") { place = end }
      guard place < text.count else { break }
      try expect(";", behind)
      skipSpaces()
      if place == text.count { break }
    }
    try check()
    return rule
  }

  /// What is wrong with a character that stands behind a part.
  private var behind: String {
    guard place > 0, 0x30...0x39 ~= text[place - 1] else {
      return "parts are separated by semicolons"
    }
    if isAt("-") { return "numbers are listed one by one, as 7,8,9" }
    return "behind a whole number stands a comma or a semicolon"
  }

  // MARK: Parts

  private mutating func readPart() throws(FieldError) {
    let start = place
    let name = word()
    guard let part = Part(rawValue: name) else {
      let known = Part.allCases.map { $0.rawValue }
      throw error(
        start, name.isEmpty ? .malformed : .unknown,
        name.isEmpty
          ? "a part such as FREQ=DAILY is missing"
          : FieldError.unknownName(name, among: known, what: "part"))
    }
    guard places[part] == nil else {
      throw error(start, .conflict, "\(name) stands twice; a part must not occur more than once")
    }
    places[part] = start
    try expect("=", "a part is written like \(name)=…")
    switch part {
    case .freq: rule.frequency = try frequency()
    case .interval: rule.interval = try number(1...RecurrenceRule.Limit.interval)
    case .count: rule.end = .count(try number(1...RecurrenceRule.Limit.count))
    case .until:
      rule.untilPlace.character = start + 1
      rule.end = try until()
    case .byMonth: rule.months = try mask(1...12)
    case .byWeekNo: (rule.weeks, rule.weeksFromEnd) = try signedMasks(53)
    case .byYearDay: rule.yearDays = try signedNumbers(366)
    case .byMonthDay: (rule.monthDays, rule.monthDaysFromEnd) = try signedMasks(31)
    case .byDay: try readDays()
    case .byHour: rule.hours = try mask(0...23)
    case .byMinute: rule.minutes = try mask(0...59)
    case .bySecond:
      let seconds = try mask(0...60)
      rule.seconds = seconds >> 60 & 1 == 1 ? (seconds | 1 << 59) & ~(1 << 60) : seconds
    case .bySetPos: rule.positions = try signedNumbers(366)
    case .wkst: rule.weekStart = try weekday()
    case .rscale: try readScale()
    case .skip: rule.skip = try skip()
    }
  }

  private mutating func frequency() throws(FieldError) -> RecurrenceRule.Frequency {
    let (start, name) = (place, word())
    for known in RecurrenceRule.Frequency.allCases where known.text == name { return known }
    let known = RecurrenceRule.Frequency.allCases.map { $0.text }
    throw error(
      start, .unknown,
      FieldError.unknownName(name, among: known, what: "frequency")
        + (NameSuggestion.nearest(to: name, among: known) == nil
          ? "; write YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY" : ""))
  }

  private mutating func skip() throws(FieldError) -> RecurrenceRule.Skip {
    let (start, name) = (place, word())
    for known in RecurrenceRule.Skip.allCases where known.text == name { return known }
    throw error(start, .unknown, "SKIP is OMIT, BACKWARD or FORWARD")
  }

  private mutating func readScale() throws(FieldError) {
    let start = place
    while place < text.count, text[place] != UInt8(ascii: ";") { place += 1 }
    guard text[start..<place].elementsEqual("GREGORIAN".utf8) else {
      throw error(start, .unknown, "RSCALE is GREGORIAN; rules in other calendars are not known")
    }
  }

  private mutating func until() throws(FieldError) -> RecurrenceRule.End {
    let start = place
    let malformed = error(
      start, .malformed, "UNTIL is written 20271231, 20271231T070000 or 20271231T070000Z")
    let noSuch = error(start, .outOfRange, "there is no such day or time of day")
    guard let (year, month, day) = parts(4, separator: "-") else { throw malformed }
    guard month >= 1, month <= 12, day >= 1,
      day <= CivilDate.length(ofMonth: month, year: year)
    else { throw noSuch }
    let date = CivilDate(year: year, month: month, day: day)
    guard year >= 1678 else {
      throw error(start, .outOfRange, "times reach from 1678 to 2261")
    }
    let isForEver = year > 2261
    // A blank stands for the T, too.
    let hasBlank = isAt(" ") && place + 1 < text.count && 0x30...0x39 ~= text[place + 1]
    guard skip(hasBlank ? " " : "T") else {
      return isForEver ? .never : .untilDate(days: date.days)
    }
    guard let (hour, minute, second) = parts(2, separator: ":") else { throw malformed }
    guard hour <= 23, minute <= 59, second <= 60 else { throw noSuch }
    let time = hour * 3600 + minute * 60 + min(second, 59)
    if isForEver {
      _ = skip("Z")
      return .never
    }
    let instant = Instant(second: date.days * 86400 + time)
    return skip("Z") ? .untilInstant(instant) : .untilWall(instant)
  }

  /// Three numbers, the first of so many digits; the sign between them stands twice or not at all.
  /// Seconds may be left out where minutes have it.
  private mutating func parts(
    _ count: Int, separator: Unicode.Scalar
  ) -> (Int64, Int64, Int64)? {
    guard let first = digits(count) else { return nil }
    let isSeparated = skip(separator)
    guard let second = digits(2) else { return nil }
    if count == 2, isSeparated, !isAt(separator) { return (first, second, 0) }
    guard skip(separator) == isSeparated, let third = digits(2) else { return nil }
    return (first, second, third)
  }

  private mutating func readDays() throws(FieldError) {
    var ordinals: Set<RecurrenceRule.OrdinalDay> = []
    repeat {
      if isAtDigit || isAt("+") || isAt("-") {
        let ordinal = try signed(53)
        let day = try weekday()
        ordinals.insert(.init(ordinal: Int8(ordinal), weekday: day))
      } else {
        rule.weekdays |= 1 << UInt64(try weekday())
        if isAt("-") {
          throw error(place, .malformed, "weekdays are listed one by one, as MO,TU,WE,TH,FR")
        }
      }
    } while skipComma()
    rule.ordinalDays = ordinals.sorted()
  }

  private mutating func weekday() throws(FieldError) -> Int8 {
    for (index, name) in RecurrenceRule.weekdayNames.enumerated()
    where text[place...].starts(with: name.utf8) {
      let next = place + 2 < text.count ? text[place + 2] : 0
      guard !(0x41...0x5A ~= next) else { break }
      place += 2
      return Int8(index + 1)
    }
    throw error(place, .malformed, "a weekday is MO, TU, WE, TH, FR, SA or SU")
  }

  // MARK: Numbers

  private mutating func mask(_ range: ClosedRange<Int64>) throws(FieldError) -> UInt64 {
    var mask: UInt64 = 0
    repeat { mask |= 1 << UInt64(try number(range)) } while skipComma()
    return mask
  }

  private mutating func signedMasks(_ most: Int64) throws(FieldError) -> (UInt64, UInt64) {
    var (fromStart, fromEnd) = (UInt64(0), UInt64(0))
    repeat {
      let number = try signed(most)
      if number > 0 { fromStart |= 1 << UInt64(number) } else { fromEnd |= 1 << UInt64(-number) }
    } while skipComma()
    return (fromStart, fromEnd)
  }

  private mutating func signedNumbers(_ most: Int64) throws(FieldError) -> [Int16] {
    var numbers: Set<Int16> = []
    repeat { numbers.insert(Int16(try signed(most))) } while skipComma()
    return numbers.sorted()
  }

  private mutating func signed(_ most: Int64) throws(FieldError) -> Int64 {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    let number = try number(1...most, isSigned: true)
    return isNegative ? -number : number
  }

  private mutating func number(
    _ range: ClosedRange<Int64>, isSigned: Bool = false
  ) throws(FieldError) -> Int64 {
    let start = place
    let (least, most) = (range.lowerBound, range.upperBound)
    let bounds = "from \(least) to \(most)" + (isSigned ? ", or from -\(most) to -\(least)" : "")
    var value: Int64 = 0
    while isAtDigit {
      // More digits than any bound has change nothing any more.
      value = min(value * 10 + Int64(text[place] - UInt8(ascii: "0")), 1 << 40)
      place += 1
    }
    guard place > start || isAt("-") else {
      throw error(start, .malformed, "a whole number \(bounds) stands here")
    }
    guard place > start, range.contains(value) else {
      throw error(start, .outOfRange, "this number must be \(bounds)")
    }
    return value
  }

  // MARK: What fits together (RFC 5545, 3.3.10)

  private func check() throws(FieldError) {
    guard places[.freq] != nil else {
      throw error(place, .missing, "FREQ is missing; a rule says how often, as FREQ=DAILY")
    }
    if places[.count] != nil, let until = places[.until] {
      throw error(until, .conflict, "COUNT and UNTIL must not stand together")
    }
    if let place = places[.byWeekNo], rule.frequency != .yearly {
      throw error(place, .conflict, "BYWEEKNO stands with FREQ=YEARLY only")
    }
    if let place = places[.byYearDay], (.daily ... .monthly).contains(rule.frequency) {
      throw error(
        place, .conflict, "BYYEARDAY must not stand with FREQ=\(rule.frequency.text)")
    }
    if let place = places[.byMonthDay], rule.frequency == .weekly {
      throw error(place, .conflict, "BYMONTHDAY must not stand with FREQ=WEEKLY")
    }
    if let place = places[.byDay], !rule.ordinalDays.isEmpty {
      guard rule.frequency >= .monthly else {
        throw error(
          place, .conflict, "weekdays have numbers with FREQ=MONTHLY and FREQ=YEARLY only")
      }
      guard places[.byWeekNo] == nil else {
        throw error(place, .conflict, "weekdays must not have numbers beside BYWEEKNO")
      }
    }
    if let place = places[.bySetPos], !places.keys.contains(where: { Self.by.contains($0) }) {
      throw error(place, .conflict, "BYSETPOS needs another BY part to choose from")
    }
  }

  private static let by: [Part] = [
    .byMonth, .byWeekNo, .byYearDay, .byMonthDay, .byDay, .byHour, .byMinute, .bySecond,
  ]

  // MARK: Characters

  private func error(_ place: Int, _ code: FieldError.Code, _ reason: String) -> FieldError {
    FieldError(field, code, reason + " (character \(place + 1))")
  }

  private var isAtDigit: Bool {
    place < text.count && text[place] >= UInt8(ascii: "0") && text[place] <= UInt8(ascii: "9")
  }

  private func isAt(_ sign: Unicode.Scalar) -> Bool {
    place < text.count && text[place] == UInt8(truncatingIfNeeded: sign.value)
  }

  private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard isAt(sign) else { return false }
    place += 1
    return true
  }

  /// As people write lists, with spaces about it.
  private mutating func skipComma() -> Bool {
    let start = place
    skipSpaces()
    guard skip(",") else {
      place = start
      return false
    }
    skipSpaces()
    return true
  }

  private mutating func skipSpaces() {
    while skip(" ") {}
  }

  private mutating func expect(_ sign: Unicode.Scalar, _ reason: String) throws(FieldError) {
    guard skip(sign) else { throw error(place, .malformed, reason) }
  }

  /// The letters, digits and hyphens that stand here.
  private mutating func word() -> String {
    let start = place
    while place < text.count,
      text[place] >= 0x30 && text[place] <= 0x39 || text[place] == 0x2D
        || text[place] >= 0x41 && text[place] <= 0x5A
    { place += 1 }
    return String(decoding: text[start..<place], as: UTF8.self)
  }

  private mutating func digits(_ count: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<count {
      guard isAtDigit else { return nil }
      value = value * 10 + Int64(text[place] - UInt8(ascii: "0"))
      place += 1
    }
    return value
  }
}
