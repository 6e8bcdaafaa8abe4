import SchedulerFixtures
import Testing

@testable import BelfryCore

/// A4: names are bytes; U+00E9 and e with U+0301 are two, though Swift takes them for one.
struct NameTests {
  static let one = "caf\u{E9}"
  static let other = "cafe\u{301}"

  @Test func A4_twoSpellingsAreTwoTexts() {
    let (one, other) = (Self.one, Self.other)
    let (maybe, maybeOther): (String?, String?) = (one, other)
    #expect(one != other && !(one == other) && one == Self.one)
    #expect(maybe != maybeOther && maybe != other && maybe == one && maybe != nil)
    #expect(![one].contains(other) && [one].contains(one))
    #expect([other, one].firstIndex(of: one) == 1)
    #expect([one, "x"] != [other, "x"] && [one] == [one])
    switch one {
    case other: Issue.record("taken for the other")
    case Self.one: break
    default: Issue.record("not taken for itself")
    }
    #expect(ByteString(one) != ByteString(other))
    #expect(Set([ByteString(one), ByteString(other)]).count == 2)
  }

  @Test func A4_dictionariesKeepBoth() {
    var names: [ByteString: Int] = [:]
    (names[Self.one], names[Self.other]) = (1, 2)
    #expect(names.count == 2 && names[Self.one] == 1 && names[Self.other] == 2)
    names[Self.one] = nil
    #expect(names[Self.other] == 2)
    var set: Set<ByteString> = []
    #expect(set.insert(Self.one).inserted && set.insert(Self.other).inserted)
    #expect(!set.insert(Self.one).inserted && set.contains(Self.other))
  }

  @Test func A4_notificationsThatAreSpelledInTwoWaysAreNotEqual() {
    let changes: [(inout Notification, String) -> Void] = [
      { $0.identifier = $1 }, { $0.soundName = $1 }, { $0.category = $1 }, { $0.alertBody = $1 },
      { $0.threadIdentifier = $1 }, { $0.exceptOn = [$1] },
      { $0.userInfo = [ByteString($1): .integer(1)] }, { $0.userInfo = ["a": .string($1)] },
      { $0.ladder = [LadderStep(after: 0, sinks: [$1])] },
    ]
    for change in changes {
      var (left, right, same) = (Notification(), Notification(), Notification())
      change(&left, Self.one)
      change(&right, Self.other)
      change(&same, Self.one)
      #expect(left != right)
      #expect(left == same && left.hashValue == same.hashValue)
    }
  }

  @Test func A4_twoIdentifiersAreTwoInTheEngine() {
    let world = World()
    let list = [world.alert(Self.one, in: 60), world.alert(Self.other, in: 60)]
    for notification in list { world.request(.schedule(app: "app", notification)) }
    #expect(world.listed().map { ByteString($0) } == list.map { ByteString($0.identifier ?? "") })
    // The list by itself changes nothing.
    guard case .replacedAll(let reply) = world.request(.replaceAll(app: "app", list)) else {
      Issue.record("refused")
      return
    }
    #expect(reply.unchanged == 2 && reply.added == 0 && reply.cancelled == 0)
    world.request(.cancel(app: "app", identifiers: [Self.other]))
    #expect(world.listed() == [Self.one])
    world.restart()
    #expect(world.listed() == [Self.one])
  }

  @Test func A4_anEditThatOnlySpellsAnotherWayIsOne() {
    let world = World()
    world.schedule("a", in: 60) { $0.soundName = Self.one }
    let edited = world.edit("a") { $0.soundName = Self.other }
    guard case .scheduled(let reply) = edited else {
      Issue.record("refused")
      return
    }
    #expect(!reply.unchanged)
  }

  @Test func A4_aCategoryIsFoundByItsBytes() {
    let action = NotificationAction(identifier: Self.one, title: "Go")
    let registration = AppRegistration(
      settings: [.alert], categories: [ActionCategory(identifier: Self.one, actions: [action])])
    let world = World()
    world.schedule("first", in: 60)
    _ = world.request(.user(app: "app", .register(registration)))
    for (category, count) in [(Self.one, 1), (Self.other, 0)] {
      world.schedule("n", in: 1) { $0.category = category }
      world.advance(seconds: 2)
      let actions = world.deliveries.last?.actions
      #expect(actions?.count ?? 0 == count)
    }
  }
}
