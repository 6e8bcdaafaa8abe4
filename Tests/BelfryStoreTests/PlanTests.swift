import BelfryCore
import Testing

@testable import BelfryStore

/// How the store keeps when a notification is due (T2, T3, T6, T12).
struct PlanTests {
  private static let plans: [StoredPlan] = {
    var monthly = RepeatPlan(.unit(.month, every: 3))
    monthly.until = Instant(nanoseconds: .max - 1)
    monthly.count = 7
    monthly.gap = .next
    monthly.overlap = .both
    monthly.monthEnd = .roll
    return [
      StoredPlan(monthly, mode: .absolute, zone: nil),
      StoredPlan(RepeatPlan(.once), mode: .floating, zone: nil),
      StoredPlan(monthly, mode: .zoned, zone: "Europe/Berlin"),
    ]
  }()

  @Test(arguments: plans)
  func T2_aPlanIsReadBackWhole(plan: StoredPlan) throws {
    let bench = try StoreBench()
    bench.register()
    var stored = row(7, "a", unit: .month)
    stored.plan = plan
    stored.notification.tolerance = 90 * Nanoseconds.second
    bench.run(.schedule(row(7, "a"), ifAdded: .none))
    stored.generation = 1
    bench.run(.schedule(stored, ifAdded: .none), .schedule(stored, ifAdded: .none))
    #expect(bench.run(.load([7])) == [.loaded([stored])])
    try bench.reopen()
    #expect(bench.pending == [summary(stored)])
    // Back to a plain one: nothing of the plan stays.
    var plain = row(7, "a")
    plain.generation = 2
    bench.run(.schedule(plain, ifAdded: .none))
    #expect(bench.listed() == [plain])
    try bench.reopen()
    #expect(bench.pending == [summary(plain)])
    #expect(bench.opened.warnings.isEmpty)
  }

  @Test(arguments: [
    "plan = 'every second full moon'", "mode = 9", "mode = 2, zone = NULL", "mode = -1",
  ])
  func T6_aRowWhosePlanCannotBeReadIsNeverDueAndToldOf(change: String) throws {
    let bench = try StoreBench()
    bench.register()
    var stored = row(7, "a", unit: .month)
    stored.plan = Self.plans[2]
    bench.run(.schedule(stored, ifAdded: .none), .schedule(row(8, "b"), ifAdded: .none))
    bench.keeper.close()
    let database = try Database(path: bench.path, vfs: nil)
    try database.execute("UPDATE notification SET \(change) WHERE slot = 7")
    database.close()
    try bench.openAgain()
    #expect(bench.pending.map { $0.slot } == [7, 8])
    #expect(bench.pending[0].anchor == .distantFuture)
    #expect(bench.opened.warnings.count == 1, "\(bench.opened.warnings)")
    #expect(bench.listed().map { $0.slot } == [8])
    guard case .cancelled(let gone) = bench.run(.cancel(app: 1, identifiers: ["a"])).first else {
      Issue.record("not cancelled")
      return
    }
    #expect(gone.rows.map { $0.slot } == [7])
  }
}
