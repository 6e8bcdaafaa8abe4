import BelfryCore
import Testing

@testable import BelfryStore

struct RegistrationTests {
  @Test func D5_whatAnAppRegisteredIsKept() throws {
    let bench = try StoreBench()
    bench.register()
    #expect(bench.opened.apps.isEmpty)
    var registration = AppRegistration(settings: [.alert])
    registration.categories = [
      ActionCategory(
        identifier: "c", actions: [NotificationAction(identifier: "a", title: "A")], minimal: [])
    ]
    bench.run(.register(app: 1, AppRegistration()), .register(app: 1, registration))
    try bench.reopen()
    #expect(bench.opened.apps.map { $0.registration } == [registration])
    bench.keeper.close()
    let database = try Database(path: bench.path, vfs: nil)
    try database.execute("UPDATE app SET registration = '{}'")
    database.close()
    try bench.openAgain()
    // As if it never had: it registers when it starts.
    #expect(bench.opened.apps.map { $0.registration } == [nil])
    #expect(bench.opened.warnings.count == 1, "\(bench.opened.warnings)")
  }

  @Test func S6_theGroupByWhichAUserMayBeCriticalIsKept() throws {
    let bench = try StoreBench()
    var first = StoredApp(number: 1, name: "ward", owner: 1000, badge: 0)
    first.criticalGroup = 50
    bench.run(
      .registerApp(first), .registerApp(StoredApp(number: 2, name: "hers", owner: 1001, badge: 0)),
      .registerApp(StoredApp(number: 3, name: "second", owner: 1000, badge: 0)))
    try bench.reopen()
    #expect(bench.opened.apps.map { $0.criticalGroup } == [50, nil, nil])
    bench.run(.noteCritical(owner: 1000, group: UInt32.max), .noteCritical(owner: 1001, group: nil))
    try bench.reopen()
    #expect(bench.opened.apps.map { $0.criticalGroup } == [UInt32.max, nil, UInt32.max])
    bench.run(.noteCritical(owner: 1000, group: nil))
    try bench.reopen()
    #expect(bench.opened.apps.map { $0.criticalGroup } == [nil, nil, nil])
  }

  @Test func S6_criticalOnesAreToldByTheirIdentifiers() throws {
    let bench = try StoreBench()
    bench.register()
    var critical = row(1, "ward")
    critical.notification.interruptionLevel = .critical
    var timely = row(2, "timely")
    timely.notification.interruptionLevel = .timeSensitive
    timely.notification.alertBody = #""interruptionLevel":"critical""#
    bench.run(.schedule(critical, ifAdded: .none), .schedule(timely, ifAdded: .none))
    try bench.reopen()
    #expect(bench.pending.map { $0.critical } == ["ward", nil])
  }
}
