import BelfryCore

/// Finds the days that a `CalendarQuestion` wants by asking for occurrences by their index, and
/// believes nothing that it is told.
struct CalendarSearch<Failure: Error> {
  /// `count` occurrences from `firstIndex` on, nil for one that the month's end leaves out; fewer:
  /// the calendar cannot tell the others.
  typealias Reckon = (_ firstIndex: Int64, _ count: Int, _ monthEnd: MonthEndPolicy)
    throws(Failure) -> [Int64?]

  let question: CalendarQuestion
  let reckon: Reckon

  /// What is asked for at a time.
  private static var stride: Int { 128 }
  /// After so many indices without enough days the search ends with what it has.
  private static var timeout: Int64 { 4096 }

  func days() throws(Failure) -> CalendarAnswer {
    guard question.isSound else { return .failed(reason: "no such question can be asked") }
    var found: [CalendarDay] = []
    let first = try firstIndex()
    var index = first
    while found.count < Int(question.count) {
      guard index - first < Self.timeout, index <= CalendarQuestion.maxIndex else {
        return .days(found, isLast: false)
      }
      let count = min(Self.stride, Int(question.count) - found.count + 1)
      let days = try reckon(index, count, question.monthEnd)
      for (offset, day) in days.enumerated() {
        guard let day, day >= question.firstDay, found.count < Int(question.count) else { continue }
        found.append(CalendarDay(k: index + Int64(offset), day: day))
      }
      if days.count < count { return .days(found, isLast: found.count < Int(question.count)) }
      index += Int64(count)
    }
    return .days(found, isLast: false)
  }

  /// No occurrence that is wanted has a smaller index.
  private func firstIndex() throws(Failure) -> Int64 {
    let lowest = question.firstIndex
    guard question.firstDay > question.anchorDay, try day(lowest) < question.firstDay else {
      return lowest
    }
    // Clamped days ascend, so halving finds the first; what is rolled may be one day later.
    var (before, step) = (lowest, estimate)
    while before + step <= CalendarQuestion.maxIndex, try day(before + step) < question.firstDay {
      (before, step) = (before + step, step * 2)
    }
    var behind = min(before + step, CalendarQuestion.maxIndex)
    while behind - before > 1 {
      let middle = before + (behind - before) / 2
      if try day(middle) < question.firstDay { before = middle } else { behind = middle }
    }
    return before
  }

  /// About how many occurrences lie before the first day: a little fewer, for units of usual length.
  private var estimate: Int64 {
    let length: Int64 =
      switch question.unit {
      case .month: 31
      case .quarter: 93
      default: 385
      }
    return max(1, (question.firstDay - question.anchorDay) / length / question.every)
  }

  /// The distant future where the calendar cannot tell.
  private func day(_ index: Int64) throws(Failure) -> Int64 {
    let days = try reckon(index, 1, .clamp)
    return days.isEmpty ? .max : (days[0] ?? .max)
  }
}
