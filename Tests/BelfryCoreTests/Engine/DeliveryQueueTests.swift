import Testing

@testable import BelfryCore

@Suite struct DeliveryQueueTests {
  /// Deliveries to one sink; each has a notification of its own unless a test says otherwise.
  private final class Bench {
    var queue = DeliveryQueue()
    var order: Int64 = 0

    @discardableResult
    func add(
      _ name: String, of user: UInt32 = 1, _ urgency: Urgency = .rest,
      k: Int64 = 0, since: Int64 = 0, notBefore: Int64 = .min, expires: Instant? = nil,
      failures: Int32 = 0, weight: Int = 0
    ) -> OpenDelivery {
      order += 1
      var notification = Notification()
      notification.identifier = name
      notification.expires = expires
      notification.alertBody = String(repeating: "x", count: weight)
      let id = OccurrenceID(
        uuid: UUIDBits(high: 1, low: UInt64(order)), generation: 0, k: k)
      let occurrence = Occurrence(
        id: id, app: "app", notification: notification, due: Instant(nanoseconds: 0))
      let delivery = OpenDelivery(
        FiredOccurrence(occurrence, app: 1, isRecorded: true), owner: user, urgency: urgency,
        order: order, sink: 0, parts: .alert, since: since, attempt: 0, replaces: [])
      delivery.notBefore = notBefore
      delivery.failures = failures
      queue.insert(delivery, now: 0)
      return delivery
    }

    func take(now: Int64 = 0) -> String? {
      queue.admit(now: now)
      return queue.next().map { Bench.name($0) }
    }

    func takeAll(now: Int64 = 0) -> [String] {
      var names: [String] = []
      while let name = take(now: now) { names.append(name) }
      return names
    }

    static func name(_ delivery: OpenDelivery) -> String {
      delivery.occurrence.notification.identifier ?? ""
    }
  }

  @Test func D9_whatIsToBeTriedLaterIsInNobodysWay() {
    let bench = Bench()
    bench.add("later", notBefore: 50)
    bench.add("latest", notBefore: 70)
    bench.add("now")
    #expect(bench.queue.count == 3 && bench.queue.nextRetry == 50)
    let early = bench.takeAll()
    let then = bench.takeAll(now: 60)
    #expect(early == ["now"] && then == ["later"])
    #expect(bench.queue.nextRetry == 70 && !bench.queue.isEmpty)
  }

  @Test func D8_whatItsSinkFailedWithTwiceHasTurnsOfItsOwn() {
    let bench = Bench()
    bench.add("killer", failures: 2)
    for number in 1...3 { bench.add("a\(number)") }
    bench.add("b", of: 2)
    let all = bench.takeAll()
    #expect(all == ["killer", "a1", "b", "a2", "a3"])
  }

  @Test func T10_whatWaitsOfOneNotificationIsFound() {
    let bench = Bench()
    let old = bench.add("tea", k: 1)
    let later = bench.add("tea", k: 2, notBefore: 9)
    bench.add("other")
    let name = later.name
    #expect(bench.queue.deliveries(of: name).map { $0.id.k } == [1, 2])
    #expect(bench.queue.delivery(later.id) === later)
    let isGone = bench.queue.remove(old)
    let isGoneAgain = bench.queue.remove(old)
    #expect(isGone && !isGoneAgain)
    #expect(bench.queue.deliveries(of: name).map { $0.id.k } == [2])
    let gone = bench.queue.removeAll { $0.name == name }
    #expect(gone.map { $0.id.k } == [2] && bench.queue.delivery(later.id) == nil)
    #expect(bench.queue.count == 1 && bench.queue.deliveries(of: name).isEmpty)
  }

  @Test func D9_whatWaitsTooLongOrExpiresIsTakenOut() {
    let bench = Bench()
    bench.add("short", since: 10, expires: Instant(nanoseconds: 500))
    bench.add("old", since: 20)
    bench.add("new", since: 300, notBefore: 10_000)
    #expect(bench.queue.nextOver(limit: 1000).elapsed == 1010)
    #expect(bench.queue.nextOver(limit: 1000).real == Instant(nanoseconds: 501))
    func over(_ real: Int64, _ elapsed: Int64) -> [String] {
      bench.queue.takeOver(
        at: ClockReading(real: Instant(nanoseconds: real), elapsed: elapsed), limit: 1000
      ).map { Bench.name($0) }
    }
    #expect(over(400, 900) == [])
    #expect(over(501, 900) == ["short"])
    #expect(bench.queue.nextOver(limit: 1000).elapsed == 1020)
    #expect(over(501, 1299) == ["old"])
    #expect(over(501, 1300) == ["new"])
    #expect(bench.queue.nextOver(limit: 1000).elapsed == nil)
  }

  @Test func D9_cutsTakeFromWhoeverHasMostTheLeastUrgentAndOldestFirst() {
    let bench = Bench()
    bench.add("ring", .critical)
    bench.add("hers")
    bench.add("alarm", of: 2, .critical)
    bench.add("soon", of: 2, .timeSensitive)
    bench.add("b1", of: 2)
    bench.add("b2", of: 2)
    var cut: [String] = []
    while bench.queue.count > 2, let one = bench.queue.cutOne() { cut.append(Bench.name(one)) }
    #expect(cut.prefix(2) == ["b1", "b2"])
    #expect(!cut.contains("ring") && !cut.contains("alarm"))
  }

  @Test func A2_cutsByWeightTakeFromWhoeverHasMostOfIt() {
    let bench = Bench()
    for number in 1...5 { bench.add("small\(number)", weight: 10) }
    bench.add("large", of: 2, weight: 10_000)
    let weight = bench.queue.weight
    let cut = bench.queue.cutOne(byWeight: true).map { Bench.name($0) }
    #expect(cut == "large" && bench.queue.weight < weight)
    _ = bench.takeAll()
    #expect(bench.queue.weight == 0)
  }
}
