import Foundation
import Testing

@testable import BelfryUIKit

@MainActor @Suite struct SignificantTimeTests {
  struct Row: Sendable {
    var zone: String
    var after: String
    var next: String
  }

  @Test(arguments: [
    Row(zone: "UTC", after: "2026-11-21T12:00:00Z", next: "2026-11-22T00:00:00Z"),
    Row(zone: "UTC", after: "2026-11-22T00:00:00Z", next: "2026-11-23T00:00:00Z"),
    Row(zone: "Asia/Kolkata", after: "2026-11-21T12:00:00Z", next: "2026-11-21T18:30:00Z"),
    // Into summer, the midnight after, and back.
    Row(zone: "Europe/Berlin", after: "2027-03-27T23:00:00Z", next: "2027-03-28T01:00:00Z"),
    Row(zone: "Europe/Berlin", after: "2027-03-28T01:00:00Z", next: "2027-03-28T22:00:00Z"),
    Row(zone: "Europe/Berlin", after: "2027-10-30T22:00:00Z", next: "2027-10-31T01:00:00Z"),
    Row(zone: "Europe/Berlin", after: "2027-10-31T01:00:00Z", next: "2027-10-31T23:00:00Z"),
    // A day that began at one o'clock.
    Row(zone: "America/Sao_Paulo", after: "2018-11-03T12:00:00Z", next: "2018-11-04T03:00:00Z"),
  ])
  func theNextMidnightOrChangeOfTheClocks(_ row: Row) throws {
    let format = ISO8601DateFormatter()
    let zone = try #require(TimeZone(identifier: row.zone))
    let after = try #require(format.date(from: row.after))
    #expect(format.string(from: SignificantTime.next(after: after, in: zone)) == row.next)
  }

  @Test func eachIsToldWhenItComes() async {
    var due = [0.02, 0.02, 3600]
    var times: [Date] = []
    var instants: [Date] = []
    var watched: SignificantTime?
    await withCheckedContinuation { continuation in
      watched = SignificantTime(
        next: { now in
          instants.append(now.addingTimeInterval(due.removeFirst()))
          return instants.last ?? now
        },
        come: {
          times.append(Date())
          if times.count == 2 { continuation.resume() }
        })
    }
    #expect(watched != nil && due.isEmpty)
    #expect(zip(times, instants).allSatisfy { $0 >= $1 })
  }
}
