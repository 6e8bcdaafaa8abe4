import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

struct TextFormTests {
  static let uuid = UUIDBits(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)

  @Test func D7_uuidIsFoundations() {
    #expect(Self.uuid.text == "01234567-89ab-cdef-fedc-ba9876543210")
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      let bits = (random.next(), random.next())
      let theirs = withUnsafeBytes(of: bits) { UUID(uuid: $0.load(as: uuid_t.self)) }.uuidString
      #expect(UUIDBits(text: theirs)?.text == theirs.lowercased(), "seed \(seed)")
    }
  }

  @Test func D7_occurrenceAndDeliveryIds() throws {
    let text = "01234567-89ab-cdef-fedc-ba9876543210.7.9223372036854775807"
    let id = OccurrenceID(uuid: Self.uuid, generation: 7, k: .max)
    #expect(id.text == text)
    #expect(OccurrenceID(text: text) == id)
    #expect(id.deliveryID(sink: "bell@tower") == text + "@bell@tower")
    let parsed = try #require(OccurrenceID.parse(deliveryID: text + "@bell@tower"))
    #expect(parsed.occurrence == id && parsed.sink == "bell@tower")
    for k in [0, 1, -1, .min, .max] as [Int64] {
      let id = OccurrenceID(uuid: Self.uuid, generation: .max, k: k)
      #expect(OccurrenceID(text: id.text) == id)
    }
    let snoozed = OccurrenceID(uuid: Self.uuid, generation: .max, k: .min, snooze: .max)
    #expect(snoozed.text.hasSuffix("-9223372036854775808.s2147483647"))
    #expect(OccurrenceID(text: snoozed.text) == snoozed)
    let shown = OccurrenceID.parse(deliveryID: snoozed.text + "@one")
    #expect(shown?.occurrence == snoozed && shown?.sink == "one")
  }

  @Test(arguments: [
    "", ".", "01234567-89ab-cdef-fedc-ba9876543210", "01234567-89ab-cdef-fedc-ba9876543210.0",
    "01234567-89ab-cdef-fedc-ba9876543210.0.", "01234567-89ab-cdef-fedc-ba9876543210.00.1",
    "01234567-89ab-cdef-fedc-ba9876543210.0.-0", "01234567-89ab-cdef-fedc-ba9876543210.-1.0",
    "01234567-89ab-cdef-fedc-ba9876543210.0.+1", "01234567-89ab-cdef-fedc-ba9876543210.0.1 ",
    "01234567-89ab-cdef-fedc-ba9876543210.0.9223372036854775808",
    "01234567-89ab-cdef-fedc-ba9876543210.0.01", "0123456789abcdeffedcba9876543210.0.1",
    "01234567-89ab-cdef-fedc-ba987654321g.0.1", "01234567-89ab-cdef-fedc-ba9876543210.0.1.s0",
    "01234567-89ab-cdef-fedc-ba9876543210.0.1.s", "01234567-89ab-cdef-fedc-ba9876543210.0.1.1",
    "01234567-89ab-cdef-fedc-ba9876543210.0.1.s01",
    "01234567-89ab-cdef-fedc-ba9876543210.0.1.s2147483648",
    "01234567-89ab-cdef-fedc-ba9876543210.0.1@",
  ])
  func D7_noOccurrenceId(_ text: String) {
    #expect(OccurrenceID(text: text) == nil)
    #expect(OccurrenceID.parse(deliveryID: text) == nil)
  }

  static func parsed(_ text: String) -> Instant? { try? RFC3339.parse(text, field: "at") }

  static func code(_ text: String) -> FieldError.Code? {
    do {
      _ = try RFC3339.parse(text, field: "at")
      return nil
    } catch {
      return error.field == "at" ? error.code : nil
    }
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00+01:00", 0),
      ("1970-01-01T01:00:00+0100", 0), ("1970-01-01 01:00+0100", 0),
      ("1969-12-31T19:00-0500", 0), ("1970-01-01T05:45+0545", 0), ("1970-01-01T00:00-0000", 0),
      ("1969-12-31T23:59:59.999999999Z", -1), ("1970-01-01t00:00:00.5z", 500_000_000),
      ("1970-01-01 00:00Z", 0), ("1970-01-01T00:00:00.0000000019Z", 1),
      ("2013-08-31T19:00Z", 1_377_975_600_000_000_000),
      ("2026-12-24T08:25:00-23:59", 1_798_187_040_000_000_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
      ("1677-09-21T00:12:43.145224192Z", .min), ("2262-04-11T23:47:16.854775807Z", .max),
      ("2262-04-12T01:47:16.854775807+02:00", .max),
      ("2028-02-29T00:00:00Z", 1_835_395_200_000_000_000),
    ] as [(String, Int64)])
  func T1_readsRFC3339(_ text: String, _ expected: Int64) {
    #expect(Self.parsed(text)?.nanoseconds == expected)
  }

  @Test(
    arguments: [
      ("", .malformed), ("now", .malformed), ("2026-12-24", .malformed),
      ("2026-12-24T", .malformed),
      ("2026-12-24T8:25:00Z", .malformed), ("2026-12-24T08:25:00.Z", .malformed),
      ("2026-12-24T08:25:00+01", .malformed), ("2026-12-24T08:25:00Z ", .malformed),
      ("2026-12-24T08:25:00+010", .malformed), ("2026-12-24T08:25:00+01000", .malformed),
      ("2026-12-24T08:25:00+01:0", .malformed), ("2026-12-24T08:25:00+2400", .outOfRange),
      ("2026-12-24T08:25:00+01:00:00", .malformed), ("+2026-12-24T08:25:00Z", .malformed),
      ("２０２６-12-24T08:25:00Z", .malformed), ("2026-12-24T08:25:00\0Z", .malformed),
      (String(repeating: "2", count: 1_000_000), .malformed),
      ("2026-13-24T08:25:00Z", .outOfRange), ("2026-02-29T08:25:00Z", .outOfRange),
      ("2026-00-24T08:25:00Z", .outOfRange), ("2026-12-00T08:25:00Z", .outOfRange),
      ("2026-12-24T24:00:00Z", .outOfRange), ("2026-12-24T08:60:00Z", .outOfRange),
      ("2026-12-24T08:25:61Z", .outOfRange), ("2026-12-24T08:25:00+24:00", .outOfRange),
      ("10000-01-01T00:00:00Z", .outOfRange), ("9999-12-31T23:59:59Z", .outOfRange),
      ("2262-04-11T23:47:16.854775808Z", .outOfRange), ("0000-01-01T00:00:00Z", .outOfRange),
      ("1677-09-21T00:12:43.145224191Z", .outOfRange),
      ("2026-12-24T08:25:00", .malformed), ("2026-12-24 08:25", .malformed),
    ] as [(String, FieldError.Code)])
  func A4_refusesWhatIsNoTime(_ text: String, _ code: FieldError.Code) {
    #expect(Self.code(text) == code)
  }

  @Test(
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000000Z"), (1, 3600, "1970-01-01T01:00:00.000000001+01:00"),
      (-1000, -12_600, "1969-12-31T20:29:59.999999-03:30"),
      (0, 3208, "1970-01-01T00:53:00.000000+00:53"), (0, -59, "1970-01-01T00:00:00.000000Z"),
      (.min, 0, "1677-09-21T00:12:43.145224192Z"),
      (.max, 86_340, "2262-04-12T23:46:16.854775807+23:59"),
      (0, .max, "1970-01-01T23:59:00.000000+23:59"),
    ] as [(Int64, Int64, String)])
  func T1_writesRFC3339(_ nanoseconds: Int64, _ offset: Int64, _ text: String) {
    let instant = Instant(nanoseconds: nanoseconds)
    #expect(RFC3339.text(instant, offset: offset) == text)
    #expect(Self.parsed(text) == instant)
  }

  @Test func T1_timesGoThereAndBackAndFoundationAgrees() throws {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<5000 {
      let instant = Instant(nanoseconds: .random(in: .min ... .max, using: &random))
      let offset = Int64.random(in: -50_400...50_400, using: &random)
      let text = RFC3339.text(instant, offset: offset)
      #expect(Self.parsed(text) == instant, "seed \(seed): \(text)")
      let seconds = floorDivide(instant.nanoseconds, Nanoseconds.second)
      let whole = Instant(nanoseconds: max(seconds, -9_223_372_036) * Nanoseconds.second)
      let theirs = try style.parse(
        RFC3339.text(whole, offset: offset).replacing(".000000", with: ""))
      #expect(
        Int64(theirs.timeIntervalSince1970) * Nanoseconds.second == whole.nanoseconds,
        "seed \(seed): \(text)")
    }
  }

  @Test(
    arguments: [
      ("0s", 0, "0s"), ("90s", 90_000_000_000, "1m30s"), ("10m", 600_000_000_000, "10m"),
      ("1h30m", 5_400_000_000_000, "1h30m"), ("2d", 172_800_000_000_000, "2d"),
      ("1d2h3m4s", 93_784_000_000_000, "1d2h3m4s"), ("0.5s", 500_000_000, "0.5s"),
      ("1.000000001s", 1_000_000_001, "1.000000001s"), ("1d0.25s", 86_400_250_000_000, "1d0.25s"),
      ("9223372036.854775807s", .max, "106751d23h47m16.854775807s"),
    ] as [(String, Int64, String)])
  func D_durationsGoThereAndBack(_ text: String, _ nanoseconds: Int64, _ canonical: String) throws {
    #expect(try Nanoseconds.parse(text, field: "in") == nanoseconds)
    #expect(Nanoseconds.text(nanoseconds) == canonical)
    #expect(try Nanoseconds.parse(canonical, field: "in") == nanoseconds)
  }

  @Test(
    arguments: [
      ("", .malformed), ("90", .malformed), ("s", .malformed), ("-1s", .malformed),
      ("1s1m", .malformed), ("1m1m", .malformed), ("1.5m", .malformed), ("1.s", .malformed),
      ("1 h", .malformed), ("1w", .malformed), ("1e3s", .malformed), ("nan", .malformed),
      ("10ms", .malformed), ("106752d", .outOfRange), ("99999999999999999999s", .outOfRange),
      ("9223372036.854775808s", .outOfRange), ("106751d24h", .outOfRange),
    ] as [(String, FieldError.Code)])
  func A4_refusesWhatIsNoDuration(_ text: String, _ code: FieldError.Code) {
    do {
      _ = try Nanoseconds.parse(text, field: "in")
      Issue.record("accepted")
    } catch {
      #expect(error.field == "in" && error.code == code)
    }
  }

  @Test(
    arguments: [
      (0, "now"), (499_999_999, "now"), (500_000_000, "in 1 s"),
      (59 * Nanoseconds.second, "in 59 s"),
      (90 * Nanoseconds.second, "in 1 min 30 s"), (10 * Nanoseconds.minute - 1, "in 10 min"),
      (9 * Nanoseconds.hour + 12 * Nanoseconds.minute + 4, "in 9 h 12 min"),
      (Nanoseconds.hour - 1, "in 1 h"), (Nanoseconds.day - 1, "in 1 d"),
      (3 * Nanoseconds.day + 4 * Nanoseconds.hour, "in 3 d 4 h"), (-2 * Nanoseconds.day, "2 d ago"),
      (.min, "106752 d ago"), (.max, "in 106752 d"),
    ] as [(Int64, String)])
  func D_distancesInWords(_ nanoseconds: Int64, _ words: String) {
    #expect(Nanoseconds.words(nanoseconds) == words)
  }

  @Test(
    arguments: [
      (0, 0), (1, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2),
      (.max, 64_092_211_200_000_000), (.min, -62_135_769_600_000_000),
      (.max - 1, 9_223_372_036_854_775), (.min + 1, -9_223_372_036_854_775),
    ] as [(Int64, Int64)])
  func N2_instantsInMicroseconds(_ nanoseconds: Int64, _ microseconds: Int64) {
    #expect(Instant(nanoseconds: nanoseconds).microseconds == microseconds)
    #expect(Instant(microseconds: microseconds)?.microseconds == microseconds)
  }

  @Test func N2_distantInstantsAreFoundations() {
    #expect(
      Double(Instant.distantPast.microseconds) == Date.distantPast.timeIntervalSince1970 * 1e6)
    #expect(
      Double(Instant.distantFuture.microseconds) == Date.distantFuture.timeIntervalSince1970 * 1e6)
    for microseconds in [
      9_223_372_036_854_776, -9_223_372_036_854_776, .max, .min, 1_000_000_000_000_000_000,
      64_092_211_200_000_001,
    ] as [Int64] {
      #expect(Instant(microseconds: microseconds) == nil)
    }
  }
}
