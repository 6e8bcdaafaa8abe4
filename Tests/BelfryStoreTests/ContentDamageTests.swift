import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// D8: a damaged byte in a row's content.
struct ContentDamageTests {
  private func damage(_ bench: StoreBench, _ old: String, _ new: String) throws {
    let damaged = try bench.opened.store.database.prepare(
      "UPDATE notification SET content = CAST(replace(CAST(content AS TEXT), ?, ?) AS BLOB)")
    damaged.bind(old).bind(new)
    try damaged.run()
  }

  private func filled() throws -> StoreBench {
    let bench = try StoreBench()
    bench.register()
    var bell = row(1, "bell", unit: .day)
    bell.notification.userInfo = ["room": .integer(7)]
    bench.run(.schedule(bell, ifAdded: .none))
    return bench
  }

  @Test(arguments: [
    (#""userInfo":{"#, #""userInfo":#"#, "userInfo"), (#""room""#, #""room#"#, "userInfo"),
    (#""fireDate":1"#, #""fireDate":x"#, "fireDate"), (#":"day""#, #":"dax""#, "repeatInterval"),
    (#":"body of bell""#, #":"body of bell#"#, "alertBody"),
    (#""alertBody":"body"#, #""alertBody":12345"#, "alertBody"),
  ])
  func D8_whatIsReadableIsLoadedAndTheLossIsSaid(old: String, new: String, field: String) throws {
    let bench = try filled()
    let whole = try #require(bench.listed().first)
    try damage(bench, old, new)
    let listed = try #require(bench.listed().first)
    #expect(listed.loss?.contains(field) == true)
    #expect(listed.notification.fireDate == whole.notification.fireDate)
    #expect(listed.notification.repeatInterval == .day)
    #expect(listed.notification.alertBody?.isEmpty == false)
    #expect(bench.run(.load([1])) == [.loaded([listed])])
    #expect(bench.log.lines.count == 1, "\(bench.log.lines)")
    #expect(bench.log.contains("bell") && bench.log.contains(field))
    // The history says so, too.
    let occurrence = listed.occurrence()
    bench.run(.fired(occurrence, app: 1, slot: 1, sinks: ["screen"]))
    bench.run(
      .settle(listed.settled("screen"), app: 1, shown: false, replaces: [], closes: true))
    #expect(bench.history().first?.reason?.contains(field) == true)
  }

  @Test func D8_aDamagedRowOutlivesARepairOfTheStore() throws {
    let bench = try filled()
    try damage(bench, #""room""#, #""room#"#)
    bench.keeper.close()
    let copy = try Database()
    #expect(try Recovery.copy(from: bench.path, into: copy).notifications == 1)
    copy.close()
    try bench.openAgain()
    #expect(bench.listed().first?.notification.alertBody == "body of bell")
  }
}
