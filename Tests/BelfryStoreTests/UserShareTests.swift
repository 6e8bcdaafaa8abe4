import BelfryCore
import SchedulerFixtures
import Testing

@testable import BelfryStore

/// What one user may fill of the books (A2).
struct UserShareTests {
  /// Owners: 1 and 2 are 1000's, 3 is 2000's, 4 root's, 5 belfryd's own user's.
  private func bench(bytes: Int64 = 100_000) throws -> StoreBench {
    let bench = try StoreBench()
    for (app, owner) in [(1, 1000), (2, 1000), (3, 2000), (4, 0), (5, 77)] as [(AppNumber, UInt32)]
    {
      bench.run(.registerApp(StoredApp(number: app, name: "app\(app)", owner: owner, badge: 0)))
    }
    bench.options.share = UserShare(exempt: 77)
    try bench.reopen()
    bench.run(.limitBytes(bytes))
    return bench
  }

  private func large(
    _ slot: Slot, app: AppNumber = 1, of bytes: Int = 30_000, named identifier: String? = nil
  ) -> StoredNotification {
    row(slot, identifier ?? "n\(slot)", app: app, body: String(repeating: "x", count: bytes))
  }

  private func isOver(_ outcome: StoreOutcome?) -> Bool {
    if case .overShare(bytes: 100_000)? = outcome { true } else { false }
  }

  @Test func A2_whatIsMoreThanAUsersShareIsRefusedAndNobodyElseIs() throws {
    let bench = try bench()
    for (slot, app) in [(1, 1), (2, 2), (3, 1)] as [(Slot, AppNumber)] {
      #expect(!isOver(bench.run(.schedule(large(slot, app: app), ifAdded: .none)).first))
    }
    for app in [1, 2] as [AppNumber] {
      #expect(isOver(bench.run(.schedule(large(4, app: app), ifAdded: .none)).first))
    }
    #expect(bench.listed().map { $0.slot } == [1, 3])
    for (slot, app) in [(5, 3), (6, 4), (7, 4), (8, 4), (9, 4), (10, 5), (11, 5), (12, 5), (13, 5)]
      as [(Slot, AppNumber)]
    {
      #expect(!isOver(bench.run(.schedule(large(slot, app: app), ifAdded: .none)).first))
    }
    // Small ones go on until the last byte.
    #expect(!isOver(bench.run(.schedule(large(14, of: 5000), ifAdded: .none)).first))
    // Room is made by what leaves, in whatever way.
    bench.run(.cancel(app: 2, identifiers: ["n2"]))
    #expect(!isOver(bench.run(.schedule(large(15), ifAdded: .none)).first))
    bench.run(.fired(large(1).occurrence(), app: 1, slot: 1, sinks: ["s"]))
    #expect(!isOver(bench.run(.schedule(large(16), ifAdded: .none)).first))
    #expect(isOver(bench.run(.schedule(large(17), ifAdded: .none)).first))
  }

  @Test func A2_N1_whatComesInPlaceOfAsMuchGoes() throws {
    let bench = try bench()
    for slot in 1...3 as ClosedRange<Slot> {
      bench.run(.schedule(large(slot), ifAdded: .none))
    }
    let same = bench.run(.schedule(large(9, named: "n1"), ifAdded: .none)).first
    guard case .scheduled(.unchanged)? = same else { return #expect(Bool(false), "\(same as Any)") }
    let shorter = bench.run(.schedule(large(9, of: 29_000, named: "n1"), ifAdded: .none)).first
    guard case .scheduled(.replaced)? = shorter else {
      return #expect(Bool(false), "\(shorter as Any)")
    }
    #expect(isOver(bench.run(.schedule(large(9, of: 60_000, named: "n1"), ifAdded: .none)).first))
    #expect(
      bench.listed().map { $0.notification.alertBody?.utf8.count } == [29_000, 30_000, 30_000])
  }

  @Test func A2_N16_aListThatTakesThePlaceOfAnotherIsJudgedWhole() throws {
    let bench = try bench()
    for slot in 1...3 as ClosedRange<Slot> {
      bench.run(.schedule(large(slot), ifAdded: .none))
    }
    let new = (4...6).map { large($0) }
    let outcome = bench.run(.replaceAll(app: 1, rows: new + [large(7)])).first
    #expect(isOver(outcome))
    #expect(bench.listed().map { $0.slot } == [1, 2, 3])
    bench.run(.replaceAll(app: 1, rows: new))
    #expect(bench.listed().map { $0.slot } == [4, 5, 6])
    // What is another app's stays.
    #expect(isOver(bench.run(.replaceAll(app: 2, rows: [large(8, app: 2)])).first))
    #expect(!isOver(bench.run(.replaceAll(app: 1, rows: [])).first))
    #expect(!isOver(bench.run(.replaceAll(app: 2, rows: [large(8, app: 2)])).first))
  }

  /// Whose share was made smaller may shrink a list, repeat it, and clear it.
  @Test func A2_N16_whoHasTooMuchMayHaveLess() throws {
    let bench = try bench(bytes: 1 << 30)
    for (slot, app) in [(1, 1), (2, 1), (3, 2), (4, 2)] as [(Slot, AppNumber)] {
      bench.run(.schedule(large(slot, app: app, of: 60_000), ifAdded: .none))
    }
    bench.run(.limitBytes(100_000))
    let same = [large(1, of: 60_000), large(2, of: 60_000)]
    #expect(!isOver(bench.run(.replaceAll(app: 1, rows: same)).first))
    #expect(isOver(bench.run(.replaceAll(app: 1, rows: same + [large(5, of: 10)])).first))
    #expect(!isOver(bench.run(.replaceAll(app: 1, rows: [large(1, of: 50_000)])).first))
    #expect(!isOver(bench.run(.replaceAll(app: 1, rows: [])).first))
    #expect(bench.listed(2).count == 2)
  }

  @Test func A2_N17_theOtherLimitsAnswerFirst() throws {
    let bench = try bench()
    for slot in 1...3 as ClosedRange<Slot> {
      bench.run(.schedule(large(slot), ifAdded: .none))
    }
    #expect(bench.run(.schedule(large(4), ifAdded: .refuse)).first == .scheduled(.refused))
    #expect(bench.run(.schedule(large(4), ifAdded: .onlyReplace)).first == .scheduled(.refused))
    let instead = bench.run(.schedule(large(4), ifAdded: .discard(2))).first
    guard case .scheduled(.added(discarded: "n2", _))? = instead else {
      return #expect(Bool(false), "\(instead as Any)")
    }
    #expect(bench.listed().map { $0.slot } == [1, 3, 4])
    #expect(isOver(bench.run(.schedule(large(5, of: 60_000), ifAdded: .discard(1))).first))
  }

  @Test func A2_P9_aPushIsTakenAndTheOldestGo() throws {
    let bench = try bench()
    for slot in 1...3 as ClosedRange<Slot> {
      bench.run(.schedule(large(slot), ifAdded: .none))
    }
    let payload = String(repeating: " ", count: 4000) + "{}"
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(bench.push(StoreBench.push(id, payload: payload)) == .stored(shown: []))
    }
    // Some 9,000 bytes are left beside the notifications.
    #expect(bench.ids() == [4, 5])
    bench.run(.cancelAll(app: 1))
    for id in 6...9 as ClosedRange<UInt64> { bench.push(StoreBench.push(id, payload: payload)) }
    #expect(bench.ids() == [4, 5, 6, 7, 8, 9])
  }

  /// Whatever is done, undone and begun anew: the count is what the rows say.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func A2_theCountIsWhatTheRowsSay(seed: UInt64) throws {
    var random = SeededRandom(seed: 0x5A4E + seed)
    let bench = try bench(bytes: 1 << 40)
    var owners: [AppNumber: UInt32] = [1: 1000, 2: 1000, 3: 2000, 4: 0, 5: 77]
    for step in 0..<150 {
      let slot = Slot(Int32.random(in: 1...20, using: &random))
      let app = AppNumber(Int32.random(in: 1...5, using: &random))
      let row = large(
        slot + 100 * Slot(app), app: app, of: .random(in: 1...3000, using: &random))
      switch Int.random(in: 0..<12, using: &random) {
      case 0: bench.run(.cancel(app: app, identifiers: [row.identifier]))
      case 1: bench.run(.fired(row.occurrence(), app: app, slot: row.slot, sinks: ["s"]))
      case 2: bench.run(.finish(row.slot, app: 1, generation: 0))
      case 3: bench.run(.replaceAll(app: app, rows: [row]))
      case 4: bench.push(StoreBench.push(.random(in: 1...30, using: &random), app: app, limit: 5))
      case 5: bench.mark(.random(in: 1...30, using: &random))
      case 6: try bench.reopen()
      case 7 where app > 1:
        // An app that a manifest gives to another user.
        owners[app] = [0, 77, 1000, 2000, 3000].randomElement(using: &random)!
        bench.run(
          .registerApp(StoredApp(number: app, name: "app\(app)", owner: owners[app]!, badge: 0)))
      case 8:
        try bench.opened.store.begin()
        _ = try bench.opened.store.carryOut(.schedule(row, ifAdded: .none))
        bench.opened.store.rollBack()
      default: bench.run(.schedule(row, ifAdded: .none))
      }
      for app in 1...5 as ClosedRange<AppNumber> {
        let owner = Int64(owners[app]!)
        let database = bench.opened.store.database
        let expected = try database.integer(
          """
          SELECT ifnull((SELECT sum(length(content) + \(UserShare.row)) FROM notification WHERE app
            IN (SELECT number FROM app WHERE owner = \(owner))), 0)
            + ifnull((SELECT sum(bytes) FROM inbox WHERE app
            IN (SELECT number FROM app WHERE owner = \(owner))), 0)
          """)
        let counted = try database.integer("SELECT bytes FROM held WHERE owner = \(owner)")
        #expect(counted == expected, "seed \(seed), step \(step), user \(owner)")
        guard counted == expected else { return }
      }
    }
  }

  /// So many alerts of an app come to be shown, each of 1,500 bytes.
  /// `isLate`: the sink had been given up before it answers.
  private func show(
    _ count: Int, from first: Int, of app: AppNumber, isLate: Bool = false, in bench: StoreBench
  ) {
    for number in first..<first + count {
      let one = large(Slot(number), app: app, of: 1500)
      bench.run(.fired(one.occurrence(), app: app, slot: nil, sinks: ["s"]))
      if isLate {
        bench.run(.settle(one.settled("s"), app: app, shown: false, replaces: [], closes: false))
      }
      bench.run(.settle(one.settled("s"), app: app, shown: true, replaces: [], closes: true))
    }
  }

  private func shownBytes(of app: AppNumber, in bench: StoreBench) throws -> Int64 {
    try bench.opened.store.database.integer(
      "SELECT ifnull(sum(length(content)), 0) FROM history WHERE app = \(app)")
  }

  @Test func A2_whatIsShownHasAShareTooAndTheOldestGoes() throws {
    let bench = try bench()
    show(60, from: 1000, of: 3, in: bench)
    let others = try shownBytes(of: 3, in: bench)
    show(400, from: 2000, of: 1, in: bench)
    show(100, from: 3000, of: 4, in: bench)
    // Looked at once in 64 rows.
    let most = 100_000 + 64 * 1800
    let held = try shownBytes(of: 1, in: bench)
    #expect(held > 50_000 && held < most)
    // Another's, and root's, stay; the newest, too, and it can be scheduled as before.
    #expect(try shownBytes(of: 3, in: bench) == others)
    #expect(try shownBytes(of: 4, in: bench) > 100 * 1500)
    let kept = bench.shown().filter { $0.shown.app == 1 }.map { $0.shown.identifier }
    #expect(kept == (1...kept.count).map { "n\(2400 - $0)" }.reversed())
    #expect(!isOver(bench.run(.schedule(large(1), ifAdded: .none)).first))
    // After a start it is counted anew; what left the screens does not count.
    try bench.reopen()
    bench.run(.limitBytes(100_000))
    bench.run(.cancelAll(app: 1))
    #expect(try shownBytes(of: 1, in: bench) == 0)
    show(30, from: 5000, of: 1, in: bench)
    #expect(try shownBytes(of: 1, in: bench) > 30 * 1500)
    show(200, from: 6000, of: 1, in: bench)
    #expect(try shownBytes(of: 1, in: bench) < most)
    show(200, from: 7000, of: 1, isLate: true, in: bench)
    #expect(try shownBytes(of: 1, in: bench) < most)
  }
}
