import SchedulerFixtures
import Testing

@testable import BelfryCore

/// What whoever schedules, or presents, may not expect of it is told beforehand.
struct EngineSurpriseTests {
  @Test func D5_aBadgeThatSettingsLeaveOutIsTold() {
    let world = World { $0.sinks = World.sinks }
    var count = 0
    func told(_ change: (inout Notification) -> Void) -> [String]? {
      count += 1
      return world.schedule("badge \(count)", in: 60) {
        ($0.alertBody, $0.applicationIconBadgeNumber) = (nil, 3)
        change(&$0)
      }?.warnings
    }
    #expect(told { _ in } == [])
    #expect(told { $0.alertBody = "Mail" } == [])
    _ = world.request(.user(app: "app", .register(AppRegistration(settings: [.alert, .sound]))))
    let leftOut = "nothing shows its badge: settings leave out: badge"
    #expect(told { _ in } == [leftOut])
    #expect(told { $0.alertBody = "Mail" } == [leftOut])
    #expect(told { ($0.alertBody, $0.applicationIconBadgeNumber) = ("Mail", 0) } == [])
  }

  @Test func D9_aSinkThatFailedLastTimeIsNamed() {
    let world = World { $0.sinks = World.sinks }
    let told = { (sinks: [String]) in
      world.schedule("next", in: 3600) { $0.sinks = sinks }?.warnings
    }
    #expect(told(["one"]) == [])
    world.answer = { _ in .failed(reason: "no paper") }
    world.schedule("bell", in: 10) { $0.sinks = ["one"] }
    world.advance(seconds: 20)
    let failing = "nothing may show it: one failed last time"
    #expect(told(["one"]) == [failing])
    #expect(told([]) == [])
    #expect(told(["one", "two"]) == [])
    world.answer = { _ in .done(note: nil) }
    world.schedule("bell", in: 10) { $0.sinks = ["one"] }
    world.advance(seconds: 20)
    #expect(told(["one"]) == [])
  }

  @Test func N14_whatIsPresentedNowHasNoScheduleAndThatIsTold() throws {
    let world = World { $0.sinks = World.sinks }
    func told(_ change: (inout Notification) -> Void) -> [String]? {
      var notification = Notification()
      notification.alertBody = "now"
      change(&notification)
      guard
        case .scheduled(let reply) = world.request(.presentNow(app: "app", notification))
      else { return nil }
      return reply.warnings
    }
    #expect(told { _ in } == [])
    #expect(
      told { $0.repeatInterval = .day } == ["repeatInterval: PresentNow delivers now, and once"])
    let rule = try RecurrenceRule.parse("FREQ=DAILY")
    #expect(told { $0.rrule = rule } == ["rrule: PresentNow delivers now, and once"])
    #expect(
      told { $0.fireIn = 60 * Nanoseconds.second } == ["fireIn: PresentNow delivers now, and once"])
  }

  @Test func A4_addingNothingToABadgeDeliversNothing() {
    let world = World { $0.sinks = World.sinks }
    var notification = Notification()
    notification.badgeOperation = .add
    guard
      case .refused(.invalidField(let error)) = world.request(
        .schedule(app: "app", notification))
    else { return #expect(Bool(false)) }
    #expect(error.field == "alertBody" && error.code == .missing)
  }
}
