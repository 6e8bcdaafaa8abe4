import BelfryCore
import BelfryWire
import CPlugin

/// Questions to a plugin that knows calendars.
extension Worker {
  private struct Failure: Error {
    var reason: String
  }

  func answer(_ question: CalendarQuestion) -> CalendarAnswer {
    guard let functions = module.calendar?.pointee else {
      return .failed(reason: "the plugin has no calendar/1")
    }
    let name = Array(question.calendar.utf8)
    guard module.calendars.contains(where: { Array($0.utf8) == name }) else {
      return .failed(reason: "the plugin does not know the calendar " + question.calendar)
    }
    let search = CalendarSearch<Failure>(question: question) {
      [self] (first, count, monthEnd) throws(Failure) in
      try days(question, from: first, count, monthEnd, functions.days)
    }
    do throws(Failure) {
      let answer = try search.days()
      if let nonsense = answer.nonsense(for: question) {
        return .failed(reason: "the plugin answered " + nonsense)
      }
      return answer
    } catch {
      return .failed(reason: error.reason)
    }
  }

  private typealias Days =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<belfry_calendar_question>,
      UnsafeMutablePointer<Int64>, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<belfry_answer>
    ) -> Int32

  private func days(
    _ question: CalendarQuestion, from first: Int64, _ count: Int, _ monthEnd: MonthEndPolicy,
    _ function: Days
  ) throws(Failure) -> [Int64?] {
    var asked = belfry_calendar_question()
    asked.size = UInt32(MemoryLayout<belfry_calendar_question>.size)
    asked.unit = UInt32(question.unit.rawValue)
    asked.month_end = monthEnd.number
    asked.count = UInt32(count)
    asked.anchor_day = question.anchorDay
    asked.every = question.every
    asked.first_index = first
    var days = [Int64](repeating: noDay, count: count)
    var written: UInt32 = 0
    var answer = Self.emptyAnswer
    let status = withText(question.calendar) { name in
      asked.calendar = name
      return days.withUnsafeMutableBufferPointer {
        function(instance, &asked, $0.baseAddress!, &written, &answer)
      }
    }
    guard status == BELFRY_DONE else {
      let reason = answer.text.line()
      throw Failure(
        reason: reason.isEmpty ? "the plugin answered \(status) and gave no reason" : reason)
    }
    guard Int(written) <= count else {
      throw Failure(
        reason: "the plugin says that it wrote " + counted(written, "day")
          + " into room for \(count)")
    }
    return try checked(days[..<Int(written)], question, from: first)
  }

  private func checked(
    _ days: ArraySlice<Int64>, _ question: CalendarQuestion, from first: Int64
  ) throws(Failure) -> [Int64?] {
    var last = first == 0 ? question.anchorDay - 1 : question.anchorDay
    var result: [Int64?] = []
    for (offset, day) in days.enumerated() {
      if day == noDay {
        result.append(nil)
        continue
      }
      guard day > last, first != 0 || offset != 0 || day == question.anchorDay else {
        throw Failure(reason: "the plugin answered days that do not ascend from the anchor")
      }
      last = day
      result.append(day)
    }
    return result
  }
}

/// The header's BELFRY_NO_DAY, a macro that Swift does not import.
private let noDay = Int64.min

extension MonthEndPolicy {
  /// BELFRY_MONTH_END_…
  fileprivate var number: UInt32 {
    switch self {
    case .clamp: BELFRY_MONTH_END_CLAMP
    case .skip: BELFRY_MONTH_END_SKIP
    case .roll: BELFRY_MONTH_END_ROLL
    }
  }
}
