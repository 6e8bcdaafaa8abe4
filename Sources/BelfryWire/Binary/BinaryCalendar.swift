import BelfryCore

extension BinaryWriter {
  mutating func put(_ value: CalendarQuestion) {
    put(value.calendar)
    put(signed: value.anchorDay)
    put(fixed: value.unit.rawValue)
    put(signed: value.every)
    put(value.monthEnd.code)
    put(signed: value.firstIndex)
    put(signed: value.firstDay)
    put(fixed: value.count)
  }

  mutating func put(_ answer: CalendarAnswer) {
    switch answer {
    case .days(let days, let isLast):
      put(UInt8(0))
      put(isLast)
      put(count: days.count)
      for day in days {
        put(signed: day.k)
        put(signed: day.day)
      }
    case .failed(let reason):
      put(UInt8(1))
      put(reason)
    }
  }
}

extension BinaryReader {
  mutating func calendarQuestion() throws(WireError) -> CalendarQuestion {
    let calendar = try text("calendar")
    let anchorDay = try signed("anchorDay")
    guard let unit = RepeatUnit(rawValue: try fixed("unit")) else {
      throw failure(.malformed, "unit: no such unit")
    }
    let every = try signed("every")
    let monthEnd: MonthEndPolicy = try choice("monthEnd")
    let firstIndex = try signed("firstIndex")
    return CalendarQuestion(
      calendar: calendar, anchorDay: anchorDay, unit: unit, every: every, monthEnd: monthEnd,
      firstIndex: firstIndex, firstDay: try signed("firstDay"), count: try fixed("count"))
  }

  mutating func calendarAnswer() throws(WireError) -> CalendarAnswer {
    switch try byte("answer") {
    case 0:
      let isLast = try flag("isLast")
      let count = try length(of: 2, "days")
      var days: [CalendarDay] = []
      days.reserveCapacity(count)
      for _ in 0..<count {
        days.append(CalendarDay(k: try signed("k"), day: try signed("day")))
      }
      return .days(days, isLast: isLast)
    case 1: return .failed(reason: try text("reason"))
    default: throw failure(.malformed, "answer: no such answer")
    }
  }
}

extension MonthEndPolicy: BinaryCoded {
  var code: UInt8 {
    switch self {
    case .clamp: 0
    case .skip: 1
    case .roll: 2
    }
  }

  init?(code: UInt8) {
    switch code {
    case 0: self = .clamp
    case 1: self = .skip
    case 2: self = .roll
    default: return nil
    }
  }
}
