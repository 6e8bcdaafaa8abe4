import BelfryKit
import Foundation
import KitSamples
import Testing

/// Values on this side of the socket.
@Suite struct ValueTests {
  static let bridged: [(any Sendable, PropertyListValue)] = [
    (1, 1), (Int8(1), 1), (UInt16(7), 7), (Int64.max, .integer(.max)),
    (1.0, .double(1)), (Float(0.5), 0.5), (true, true), ("text", "text"),
    (Date(timeIntervalSince1970: 1), .date(Date(timeIntervalSince1970: 1))),
    (Data([1, 2]), .data(Data([1, 2]))), ([1, 2], [1, 2]), (["a": ["b": 1]], ["a": ["b": 1]]),
  ]

  @Test func N12_typesAreKeptApart() throws {
    for (value, expected) in Self.bridged { #expect(try PropertyListValue(value) == expected) }
    let numbers: [NSNumber] = [
      NSNumber(value: 1), NSNumber(value: 1.0), NSNumber(value: true), NSNumber(value: Int8(1)),
    ]
    let read = try numbers.map { try PropertyListValue($0) }
    #expect(read == [.integer(1), .double(1), .boolean(true), .integer(1)])
    #expect(Set(read).count == 3)
  }

  @Test func N12_whatIsNoPropertyListIsRefusedByItsPath() throws {
    let cases: [([AnyHashable: Any], String, SchedulerError.Code)] = [
      (["a": ["b": [1, 2, 3, NSNull()]]], "userInfo.a.b[3]", .wrongType),
      (["a": Decimal(1)], "userInfo.a", .wrongType),
      (["a": URL(fileURLWithPath: "/")], "userInfo.a", .wrongType),
      (["a": ["b": UInt64.max]], "userInfo.a.b", .outOfRange),
      ([1: "one"], "userInfo", .wrongType), (["a": [1: 2]], "userInfo.a", .wrongType),
    ]
    for (pairs, field, code) in cases {
      let error = #expect(throws: SchedulerError.self) {
        _ = try PropertyListValue.userInfo(pairs)
      }
      #expect(error?.field == field && error?.code == code)
    }
  }

  @Test func N12_throughAnyAndBack() throws {
    let pairs = KitSamples.userInfo
    let any = pairs.mapValues { $0.any }
    #expect(try PropertyListValue.userInfo(any) == pairs)
  }

  @Test func N13_schedulingIsOfAValue() {
    var first = LocalNotification(alertBody: "one")
    let copy = first
    first.alertBody = "two"
    #expect(copy.alertBody == "one" && copy != first)
    first.identifier = "other"
    first.alertBody = "one"
    #expect(copy != first && copy.isEqual(ignoringIdentifier: first))
  }

  @Test func N4_unitsHaveTheirRawValues() {
    let expected: [RepeatInterval: UInt] = [
      .second: 128, .minute: 64, .hour: 32, .day: 16, .weekday: 512, .weekdayOrdinal: 1024,
      .week: 256, .weekOfMonth: 4096, .weekOfYear: 8192, .month: 8, .quarter: 2048, .year: 4,
      .yearForWeekOfYear: 16384,
    ]
    for unit in RepeatInterval.allCases { #expect(unit.rawValue == expected[unit]) }
    #expect(expected.count == RepeatInterval.allCases.count)
    #expect(RepeatInterval(.era) == nil && RepeatInterval(.nanosecond) == nil)
    #expect(RepeatInterval(.weekOfYear) == .weekOfYear && RepeatInterval(rawValue: 24) == nil)
  }

  @Test func N6_calendarsHaveICUsNames() {
    for (identifier, name) in [
      (Calendar.Identifier.republicOfChina, "roc"), (.islamicUmmAlQura, "islamic-umalqura"),
      (.hebrew, "hebrew"), (.ethiopicAmeteMihret, "ethiopic"),
    ] {
      var notification = LocalNotification()
      notification.repeatCalendar = identifier
      #expect(notification.repeatCalendarName == name)
      #expect(notification.repeatCalendar == identifier)
    }
  }

  @Test func T6_rulesAreWrittenOneWay() {
    var first = LocalNotification()
    first.rrule = "BYDAY=MO;FREQ=WEEKLY;INTERVAL=1"
    var second = LocalNotification()
    second.rrule = "FREQ=WEEKLY;BYDAY=MO"
    #expect(first == second)
    first.rrule = "every monday"
    #expect(first.rrule == "every monday")
  }

  @Test func aProgramEndsAsTheCommandLineDoes() {
    let away: Set<SchedulerError.Code> = [.noDaemon, .unreachable, .timedOut, .outcomeUnknown]
    for code in SchedulerError.Code.allCases {
      #expect(SchedulerError(code, "why").exitStatus == (away.contains(code) ? 3 : 1), "\(code)")
    }
  }
}
