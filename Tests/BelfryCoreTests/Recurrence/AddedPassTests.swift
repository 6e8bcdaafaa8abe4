import Testing

@testable import BelfryCore

/// In the hour that clocks show twice: what RDATE adds, and what begins in its last pass (T5, T6).
struct AddedPassTests {
  private static func instant(_ text: String) -> Instant {
    try! RFC3339.parse(text, field: "test")
  }

  private func draft(_ rule: String, at start: String, adding added: [String]) throws
    -> Notification
  {
    var draft = Notification()
    draft.alertBody = "x"
    (draft.timeZone, draft.zoneMode) = ("Europe/Berlin", .zoned)
    draft.fireDate = Self.instant(start)
    draft.rrule = try RecurrenceRule.parse(rule)
    draft.rdate = added.map { Self.instant("2027-10-31T\($0):00Z") }
    return try draft.validated()
  }

  private func table(_ draft: Notification) -> Timetable {
    draft.reading(
      scheduledAt: Self.instant("2027-10-01T00:00:00Z"), named: TimetableTests.berlin, board: .utc
    ).timetable()
  }

  /// Start, added dates, and which of them is refused.
  @Test(
    arguments: [
      ("2027-10-11T21:00:00Z", ["00:50"], nil), ("2027-10-11T21:00:00Z", ["00:50", "01:50"], 1),
      ("2027-10-11T21:00:00Z", ["01:00"], 0), ("2027-10-11T21:00:00Z", ["00:59", "02:00"], nil),
      // Of a start in the last pass its own time is taken there.
      ("2027-10-31T01:30:00Z", ["01:30"], nil), ("2027-10-31T01:30:00Z", ["00:30"], 0),
      ("2027-10-31T01:30:00Z", ["00:20"], nil), ("2027-10-31T01:30:00Z", ["01:20"], 0),
      ("2027-10-31T01:30:00Z", ["00:20", "00:40"], 1), ("2027-10-31T01:30:00Z", ["01:40"], nil),
    ] as [(String, [String], Int?)])
  func A4_T5_T6_aDateOnThePassThatARepeatDoesNotTakeIsRefused(
    _ start: String, _ added: [String], _ wrong: Int?
  ) throws {
    for zone in [TimetableTests.berlin, .utc] {
      let draft = try draft("FREQ=DAILY", at: start, adding: added)
      var field: String?
      do throws(FieldError) {
        try draft.checkAddedPasses(reading: zone)
      } catch {
        field = error.field
      }
      #expect(field == (zone === ZoneRules.utc ? nil : wrong.map { "rdate[\($0)]" }))
    }
  }

  /// What begins in the last pass goes on in it, and has nothing before its start.
  @Test(arguments: [
    ("FREQ=DAILY;BYHOUR=2;BYMINUTE=30,40,50", ["01:30", "01:40", "01:50"]),
    ("FREQ=WEEKLY;BYDAY=SU;BYHOUR=2,3;BYMINUTE=20,40", ["01:30", "01:40", "02:20", "02:40"]),
    ("FREQ=DAILY", ["01:30"]), ("FREQ=DAILY;BYHOUR=1,2,3", ["01:30", "02:30"]),
  ])
  func T5_whatBeginsInTheLastPassGoesOnInIt(_ rule: String, _ expected: [String]) throws {
    let table = table(try draft(rule, at: "2027-10-31T01:30:00Z", adding: ["01:30"]))
    for start in ["2027-10-30T12:00:00Z", "2027-10-31T00:30:00Z", "2027-10-31T01:29:59Z"] {
      var found: [String] = []
      var place = Self.instant(start)
      while let due = table.first(after: place), due.instant < Self.instant("2027-10-31T12:00:00Z")
      {
        found.append(String(RFC3339.text(due.instant).dropFirst(11).prefix(5)))
        #expect(table.due(k: due.k)?.instant == due.instant)
        place = due.instant
        #expect(
          table.next(afterIndex: due.k)?.instant == table.first(after: place)?.instant)
      }
      #expect(found == expected, "\(rule) from \(start)")
    }
  }

  @Test(arguments: [OverlapPolicy.last, .both])
  func T5_T6_otherPoliciesTakeIt(_ policy: OverlapPolicy) throws {
    var draft = try draft("FREQ=DAILY", at: "2027-10-11T21:00:00Z", adding: ["01:50"])
    draft.overlap = policy
    try draft.checkAddedPasses(reading: TimetableTests.berlin)
    let due = table(draft).first(after: Self.instant("2027-10-31T01:00:00Z"))
    #expect(due?.instant == Self.instant("2027-10-31T01:50:00Z"))
  }

  @Test func A4_T6_scheduledAndAskedForItIsRefused() throws {
    let world = World { $0.owner = World.alice.uid }
    world.zoneFiles["Europe/Berlin"] = TimetableTests.berlin
    let draft = try draft("FREQ=DAILY", at: "2027-10-11T21:00:00Z", adding: ["01:50"])
    for request in [
      Request.schedule(app: "app", draft), .nextOfDraft(draft, count: 3, after: nil, app: nil),
    ] {
      let reply = world.request(request)
      guard case .refused(.invalidField(let error)) = reply else {
        Issue.record("\(String(describing: reply))")
        continue
      }
      #expect(error.field == "rdate[0]" && error.code == .conflict)
    }
  }

  /// From every minute of that night on: nothing of the rule, and nothing that is added, is passed over.
  @Test(arguments: [
    "FREQ=DAILY", "FREQ=DAILY;BYHOUR=2;BYMINUTE=0,10,30,50", "FREQ=DAILY;BYHOUR=1,2,3",
  ])
  func T5_T6_fromEveryMinuteOfTheNightTheNextIsFound(_ rule: String) throws {
    for start in ["2027-10-11T00:10:00Z", "2027-10-11T21:00:00Z", "2027-10-31T01:30:00Z"] {
      for added in [
        [], ["00:20"], ["00:10", "00:50"], ["01:30"], ["02:00", "00:59"], ["00:10", "01:50"],
      ] {
        let full = try draft(rule, at: start, adding: added)
        if (try? full.checkAddedPasses(reading: TimetableTests.berlin)) == nil { continue }
        let table = table(full)
        // All that there is, by the first search from far before.
        var all: [Instant] = []
        var place = Self.instant("2027-10-30T20:00:00Z")
        while let due = table.first(after: place)?.instant,
          due < Self.instant("2027-10-31T06:00:00Z")
        {
          all.append(due)
          place = due
        }
        for wanted in full.rdate + [full.fireDate!]
        where wanted > Self.instant("2027-10-30T20:00:00Z") {
          #expect(all.contains(wanted), "\(start) \(added) \(RFC3339.text(wanted))")
        }
        place = Self.instant("2027-10-30T22:00:00Z")
        while place < Self.instant("2027-10-31T04:00:00Z") {
          #expect(
            table.first(after: place)?.instant == all.first { $0 > place }
              ?? table.first(after: Self.instant("2027-10-31T05:59:00Z"))?.instant,
            "\(start) \(added) \(RFC3339.text(place))")
          place = place.advanced(by: Nanoseconds.minute)
        }
      }
    }
  }
}
