import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

struct TextArgumentsTests {
  private static let arguments: [PropertyList] = [.string("one"), .integer(-2), .double(0.5)]

  private func put(
    _ arguments: [PropertyList], _ text: String, zone: ZoneRules = .utc, limit: Int = 1024
  ) -> String {
    TextArguments.put(arguments, into: text, zone: zone, limit: limit)
  }

  @Test(arguments: [
    ("%@", "one"), ("%@ %@ %@", "one -2 0.5"), ("%@%@%@%@|", "one-20.5|"), ("%2$@ %1$@", "-2 one"),
    ("%2$@ %@", "-2 one"), ("%1$@%1$@", "oneone"), ("100%%", "100%"), ("%%@", "%@"),
    ("%%%@", "%one"), ("%0$@|", "|"), ("%4$@|", "|"), ("%1000000000$@|", "|"),
    ("%99999999999999999999999999$@|", "|"), ("%01$@", "one"), ("%d %s %n %ld", "%d %s %n %ld"),
    ("%-5@", "%-5@"), ("%1$d", "%1$d"), ("%$@", "%$@"), ("%1$", "%1$"), ("%", "%"), ("%1", "%1"),
    ("50 % @", "50 % @"), ("%1$%@", "%1$one"), ("ü%@ß", "üoneß"), ("", ""),
  ])
  func L2_argumentsArePutIn(_ text: String, _ expected: String) {
    #expect(put(Self.arguments, text) == expected)
  }

  @Test func L2_whatArgumentsSayIsNotReadAgain() {
    #expect(put([.string("%@ %%"), .string("x")], "%@") == "%@ %%")
  }

  @Test(arguments: [
    (1, "1"), (-0.0, "0"), (21.5, "21.5"), (0.1, "0.1"), (-3.25, "-3.25"), (100, "100"),
    (1e15, "1000000000000000"), (1e20, "100000000000000000000"), (1e21, "1e+21"),
    (1.5e-6, "0.0000015"), (1.5e-7, "1.5e-7"), (.leastNonzeroMagnitude, "5e-324"),
    (-1.25e300, "-1.25e+300"),
    (123456.789, "123456.789"), (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
    (9007199254740992, "9007199254740992"), (0.000001, "0.000001"),
  ])
  func L2_numbersAreShortest(_ number: Double, _ expected: String) {
    #expect(put([.double(number)], "%@") == expected)
  }

  @Test func L2_numbersReadAsTheSame() {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let text = DecimalText.text(number)
      #expect(Double(text) == number, "seed \(seed): \(number)")
      #expect(text.utf8.filter { $0 != UInt8(ascii: "0") }.count <= 25)
    }
    #expect(put([.integer(.min), .integer(.max)], "%@ %@") == "\(Int64.min) \(Int64.max)")
  }

  @Test func L2_datesAreLocal() throws {
    let zone = try ZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")
    let date = PropertyList.date(Instant(nanoseconds: 1_798_097_159 * Nanoseconds.second))
    #expect(put([date], "%@", zone: zone) == "2026-12-24 08:25")
    #expect(put([date], "%@") == "2026-12-24 07:25")
    let summer = PropertyList.date(Instant(nanoseconds: 1_782_864_000 * Nanoseconds.second))
    #expect(put([summer], "%@", zone: zone) == "2026-07-01 02:00")
    #expect(put([.date(.distantPast)], "%@").hasPrefix("1677-09-21 "))
  }

  @Test func L2_whatComesOutIsBounded() {
    let text = String(repeating: "%1$@", count: 4000)
    let long = put([.string(String(repeating: "ü", count: 8000))], text, limit: 16 * 1024)
    #expect(long.utf8.count == 16 * 1024 + 3)
    #expect(long.hasSuffix("ü…"))
    #expect(put([.string("ü")], "%@%@", limit: 2) == "ü")
    #expect(put([.string("ü")], "%1$@%1$@", limit: 3) == "ü…")
    #expect(TextArguments.cut("abc", limit: 3) == "abc")
    #expect(TextArguments.cut("abü", limit: 3) == "ab…")
  }
}
