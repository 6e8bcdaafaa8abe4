import BelfryCore
import BelfryWire
import Foundation
import Testing

@testable import BelfryDaemon

/// A configuration of version 0.2.0 means what it meant (Tests/Fixtures/Before).
@Suite struct BeforeTests {
  @Test func everyKeyIsTakenUp() throws {
    let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try Data(contentsOf: top.appendingPathComponent("Fixtures/Before/belfry.conf"))
    let configuration = try ConfigurationReader.read([UInt8](text))
    #expect(configuration.trustsAlways && configuration.zone == "Europe/Berlin")
    #expect(configuration.realtime == 12 && configuration.history.rows == 77)
    #expect(configuration.scheduler.grace == 2 * BelfryCore.Nanoseconds.minute)
    #expect(configuration.scheduler.late == .seconds(30))
    #expect(configuration.operatorGroup == "bells" && configuration.criticalGroup == "ward")
    #expect(
      configuration.sound.filter { $0.key == "folder" }.map { $0.value } == ["/srv/a", "/srv/b"])
    let plugin = try #require(configuration.plugins.first)
    #expect(plugin.name == "lamp" && plugin.file == "/opt/lamp.so")
    #expect(plugin.settings.map { "\($0.key)=\($0.value)" } == ["brightness=70"])
  }
}
