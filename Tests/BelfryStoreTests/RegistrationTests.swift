import BelfryCore
import Testing

@testable import BelfryStore

struct RegistrationTests {
  @Test func D5_whatAnAppRegisteredIsKept() throws {
    let bench = try BooksBench()
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
}
