import BelfryCore
import SchedulerFixtures
import Testing

struct CountedTests {
  @Test(arguments: [
    (0, "0 days", "0 were lost"), (1, "1 day", "1 was lost"), (2, "2 days", "2 were lost"),
    (-1, "-1 days", "-1 were lost"), (1001, "1001 days", "1001 were lost"),
  ])
  func countsAgreeWithWhatIsCounted(_ count: Int, _ days: String, _ lost: String) {
    #expect(counted(count, "day") == days)
    #expect(counted(Int64(count), "was lost", many: "were lost") == lost)
  }

  @Test(arguments: [(1, "sounded again 1 time"), (2, "sounded again 2 times")])
  func D11_theHistoryCountsHowOftenItSoundedAgain(_ count: Int64, _ reason: String) {
    let world = World { $0.sinks = World.sinks }
    world.schedule("tea", in: 1) {
      $0.soundName = "default"
      $0.repeatSound = count
    }
    world.advance(seconds: 60)
    #expect(world.store.history.values.first { $0.sink == "speaker" }?.reason == reason)
  }
}
