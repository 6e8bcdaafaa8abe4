import BelfryCore

/// `jan 1`, `1 January 2027`, `Dec. 31st,`, `the day after tomorrow`: a date in words.
enum DateWords {
  private static let names = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// With the date as `2027-01-01`, without a year the next such; nil: none is there.
  static func replaced(_ words: [Substring], today: CivilDate) -> [Substring]? {
    if let place = words.indices.dropLast(2).first(where: {
      words[$0] == "day" && words[$0 + 1] == "after" && words[$0 + 2] == "tomorrow"
    }) {
      let isNamed = place > 0 && words[place - 1] == "the"
      let date = LocalWords.date(CivilDate(days: today.days + 2))
      return Array(words[..<(place - (isNamed ? 1 : 0))]) + [date[...]] + words[(place + 3)...]
    }
    guard let place = words.firstIndex(where: { month($0) != nil }),
      let month = month(words[place])
    else { return nil }
    for dayPlace in [place - 1, place + 1] where words.indices.contains(dayPlace) {
      guard let day = day(words[dayPlace]) else { continue }
      var (first, last) = (min(place, dayPlace), max(place, dayPlace))
      var year: Int64?
      if last + 1 < words.count, let written = self.year(words[last + 1], today) {
        year = written
        last += 1
      } else if first > 0, let written = self.year(words[first - 1], today) {
        year = written
        first -= 1
      }
      guard let date = date(year, month, day, today) else { return nil }
      return Array(words[..<first]) + [date[...]] + Array(words[(last + 1)...])
    }
    return nil
  }

  /// 1 to 12.
  private static func month(_ word: Substring) -> Int64? {
    let letters = word.last.map { ".,".contains($0) } ?? false ? word.dropLast() : word
    guard letters.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(letters) || letters == "sept" && $0 == "september" }
      .map { Int64($0) + 1 }
  }

  private static func day(_ word: Substring) -> Int64? {
    let digits = word.prefix { $0.isNumber && $0.isASCII }
    guard
      ["", ".", ",", "st", "nd", "rd", "th", "st,", "nd,", "rd,", "th,"]
        .contains(where: { $0 == word.dropFirst(digits.count) }),
      let day = Int64(digits), (1...31).contains(day)
    else { return nil }
    return day
  }

  /// One to come: `1930` is a time of day.
  private static func year(_ word: Substring, _ today: CivilDate) -> Int64? {
    guard word.utf8.count == 4, let year = Int64(word), (today.year...2261).contains(year) else {
      return nil
    }
    return year
  }

  /// nil: there is no such day.
  private static func date(
    _ year: Int64?, _ month: Int64, _ day: Int64, _ today: CivilDate
  ) -> String? {
    let years = year.map { [$0] } ?? (0...8).map { today.year + $0 }
    for year in years where day <= CivilDate.length(ofMonth: month, year: year) {
      let date = CivilDate(year: year, month: month, day: day)
      if years.count > 1, date.days < today.days { continue }
      return LocalWords.date(date)
    }
    return nil
  }
}
