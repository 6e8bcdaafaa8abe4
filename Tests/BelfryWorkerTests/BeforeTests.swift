import BelfryWire
import Testing

/// A plugin that was written for version 0.2.0 works as it is (Tests/Fixtures/Before).
@Suite struct BeforeTests {
  private func start(_ settings: [String: String]) throws -> ClockDouble {
    let folder = try Fixtures.scratch()
    let before = Fixtures.root + "/Tests/Fixtures/Before"
    let plugin = folder + "/lamp.so"
    let status = try Fixtures.run(
      "/usr/bin/cc",
      ["-shared", "-fPIC", "-I", before + "/include", "-o", plugin, before + "/lamp.c"])
    try #require(status == .exited(0))
    return try ClockDouble(plugin, settings: settings, run: folder)
  }

  @Test func itSaysWhatItIsAndShowsAndTakesBack() throws {
    let clock = try start(["brightness": "70"])
    let summary = try clock.ready()
    #expect(summary.id == "org.example.lamp" && summary.version == "1.2")
    #expect(summary.capabilities == ["delivery/1", "badge/1", "input/1"])
    #expect(summary.concurrency == 2 && !summary.wantsEverything)
    let id = Sample.id()
    clock.send(.deliver(Sample.delivery(id)))
    #expect(clock.answer()?.answer == .done(note: "tea: The tea is ready, 0 actions"))
    clock.send(.withdraw(token: 1, id))
    clock.send(.stop)
    #expect(try clock.end() == .exited(0))
  }

  @Test func itsRefusalIsPassedOn() throws {
    let clock = try start([:])
    #expect(try #require(clock.refusal()).contains("brightness is 50"))
    #expect(try clock.end() == .exited(1))
  }
}
