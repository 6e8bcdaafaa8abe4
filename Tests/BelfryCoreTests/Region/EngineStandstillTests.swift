import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What is told of a board that stands near an edge: once or at every crossing, over starts, replacing
/// and cancelling (R2, R3, N1, N15).
struct EngineStandstillTests {
  private let world = World { $0.owner = World.alice.uid }

  @discardableResult
  private func place(_ identifier: String, every: Bool, body: String = "x") -> ScheduleReply? {
    world.schedule(identifier) {
      $0.region = EngineRegionTests.region
      $0.regionTriggersOnce = !every
      $0.alertBody = body
    }
  }

  /// The number of crossings.
  @discardableResult
  private func fix(_ metres: Double, accuracy: Double? = 20) -> Int64? {
    world.advance(seconds: 1)
    return tell(metres, accuracy: accuracy)
  }

  private func tell(_ metres: Double, accuracy: Double?) -> Int64? {
    let place = GeofenceTests.north(metres)
    let reply = world.request(
      .fix(
        latitude: place.latitude, longitude: place.longitude, accuracy: accuracy, time: nil),
      by: World.root)
    guard case .located(let crossings) = reply else { return nil }
    return crossings
  }

  /// Noise about the edge, never three times in a row beyond it.
  private static let noise = [70.0, 145, 112, 40, 150, 88, 139, 119, 60]

  @Test(arguments: [true, false])
  func R2_R3_aBoardThatStandsStillFiresNothing(every: Bool) {
    place("gate", every: every)
    fix(0)
    let written = world.store.recorded.count
    for _ in 0..<50 { #expect(Self.noise.map { fix($0) } == Self.noise.map { _ in 0 }) }
    #expect(world.listed() == ["gate"] && world.takeDelivered() == [])
    // Flash is precious.
    #expect(world.store.recorded.count == written)
    // It goes.
    #expect([fix(150), fix(150), fix(150)] == [0, 0, 1])
    #expect(world.takeDelivered() == ["gate"])
    #expect(world.listed() == (every ? ["gate"] : []))
    #expect([fix(20), fix(20)] == [0, every ? 1 : 0])
  }

  /// Of a side only the side is stored: a start keeps it, and what speaks for the other begins anew.
  @Test func R3_aStartKeepsTheSideAndNothingElse() {
    place("gate", every: true)
    fix(0)
    #expect([fix(150), fix(150)] == [0, 0])
    world.restart()
    #expect([fix(150), fix(150), fix(150)] == [0, 0, 1])
    world.restart()
    #expect([fix(150), fix(20), fix(20)] == [0, 0, 1])
    #expect(world.deliveries.map { $0.occurrence.id.k } == [0, 1])
  }

  /// A side that is not known takes less, since it fires nothing.
  @Test func R3_theFirstSideIsSoonKnown() {
    place("gate", every: true)
    #expect([fix(160), fix(0)] == [0, 1])
    place("other", every: true)
    #expect(fix(190) == 2)
  }

  @Test func R3_theSameFixToldTwiceCountsOnce() {
    place("gate", every: true)
    fix(0)
    world.advance(seconds: 1)
    for _ in 0..<9 { #expect(tell(150, accuracy: 20) == 0) }
    #expect([fix(150), fix(150)] == [0, 1])
  }

  /// The last fix alone does not say better where the board is than all before it.
  @Test func N1_R3_replacingNearTheEdgeKeepsTheSide() {
    place("gate", every: true)
    fix(0)
    #expect(fix(165) == 0)
    #expect(place("gate", every: true, body: "new")?.replaced == true)
    #expect([fix(70), fix(88), fix(112)] == [0, 0, 0])
    world.restart()
    #expect([fix(70), fix(300)] == [0, 1])
  }

  @Test func N15_R3_whatIsCancelledMidWayIsNotTold() {
    place("a", every: true)
    place("b", every: true)
    fix(0)
    #expect([fix(150), fix(150)] == [0, 0])
    #expect(
      world.request(.cancel(app: "app", identifiers: ["a"]))
        == .cancelled(cancelled: 1, withdrawn: 0))
    #expect(fix(150) == 1)
    #expect(world.takeDelivered() == ["b"])
    // Nothing of it is left to who comes by the same name.
    place("a", every: true)
    #expect([fix(150), fix(150), fix(150), fix(0)] == [0, 0, 0, 2])
  }
}
