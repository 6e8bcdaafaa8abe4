import BelfryCore
import BelfryWire
import Testing

@testable import BelfryCommand

struct JSONRowsTests {
  let uuid = UUIDBits(high: 1, low: 2)

  func words() throws -> LocalWords {
    LocalWords(now: try instant("2026-12-25T08:30:00+01:00"), zone: berlin)
  }

  @Test func historyHasTheKeysThatScriptsKnow() throws {
    let due = try instant("2026-12-25T07:00:00Z")
    let row = HistoryRow(
      app: "user.0", identifier: "bell", occurrence: OccurrenceID(uuid: uuid, generation: 0, k: 3),
      sink: "console", due: due, handedOver: due.advanced(by: 1_500_000), acknowledged: nil,
      state: .delivered, reason: nil, attempts: 1)
    let json = try words().json(row)
    for key in [
      "identifier", "app", "occurrence", "due", "handedOver", "lateSeconds", "sink", "state",
      "reason", "attempts",
    ] {
      #expect(json[key] != nil, "\(key)")
    }
    #expect(json["due"] == "2026-12-25T08:00:00.000000+01:00")
    #expect(json["handedOver"] == "2026-12-25T08:00:00.001500+01:00")
    #expect(json["lateSeconds"] == 0.0015)
    #expect(json["reason"] == .null)
  }

  @Test func listHasTheFieldsAsGiven() throws {
    var notification = Notification()
    notification.identifier = "bell"
    notification.alertBody = "Ding"
    notification.fireDate = try instant("2027-01-01T07:00Z")
    let row = ListedNotification(
      app: "user.0", notification: notification, next: notification.fireDate, state: .scheduled)
    let json = try words().json(row)
    #expect(json["identifier"] == "bell")
    #expect(json["next"] == "2027-01-01T08:00:00.000000+01:00")
    #expect(json["fireDate"] == "2027-01-01T08:00:00.000000+01:00")
    #expect(json["state"] == "scheduled")
    #expect(json["alertBody"] == "Ding")
    #expect(try JSONValue.parse(JSONValue.object(json).text) == .object(json))
  }

  @Test func eventsReadAsALine() throws {
    let due = try instant("2026-12-25T07:00:00Z")
    let event = WatchEvent(
      kind: .delivered, app: "user.0", identifier: "bell", occurrence: nil, sink: "console",
      at: due.advanced(by: 3_000_000), due: due, handedOver: due.advanced(by: 200_000),
      reason: nil, missed: 2)
    #expect(
      WatchCommand.line(event, try words())
        == "08:00:00.003  delivered   bell  by console, 0.2 ms late, 2 missed before it")
  }
}

struct FindingTests {
  @Test(arguments: [
    (0o755 as UInt32, 0 as UInt32, nil as String?),
    (0o775, 0, "can be written by others than its owner"),
    (0o757, 0, "can be written by others than its owner"), (0o755, 12345, "belongs to user 12345"),
  ])
  func A3_onlyTheOwnerMayWrite(_ mode: UInt32, _ uid: UInt32, _ expected: String?) {
    #expect(FileChecks.distrust(mode: mode, uid: uid) == expected)
  }

  @Test(arguments: [
    (Int64(0), "0 bytes"), (10239, "10239 bytes"), (10240, "10 KiB"), (20 << 20, "20 MiB"),
    (64 << 30, "64 GiB"),
  ])
  func sizes(_ count: Int64, _ expected: String) {
    #expect(StoreCheck.bytes(count) == expected)
  }
}
