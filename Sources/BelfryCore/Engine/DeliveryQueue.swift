/// The deliveries that wait for one sink: turns among users (D9), retries that wait for their time,
/// and who has how many, so that cuts fall on whoever has most.
struct DeliveryQueue {
  /// In whose place a delivery stands that its sink has failed with more than once: it has turns of
  /// its own, so that it holds up none of its user's others.
  private static let possiblyDelivered: Int64 = -1

  private var turns = TurnQueue<OpenDelivery>()
  /// Not to be handed over yet, the soonest first.
  private var delayed: [OpenDelivery] = []
  private var byName: [NotificationName: [OpenDelivery]] = [:]
  private var counts: [UInt32: Int] = [:]
  private var weights: [UInt32: Int] = [:]
  private(set) var weight = 0
  /// No delivery waits too long, or expires, before these; they may be too early.
  private var oldest = Int64.max
  private var soonestOver = Instant.distantFuture

  var count: Int { turns.count + delayed.count }
  var isEmpty: Bool { count == 0 }
  /// When the next of those that wait for their time is to be handed over.
  var nextRetry: Int64? { delayed.first?.notBefore }
  var isNextCritical: Bool { turns.isNextCritical }
  /// Something can be handed over now; `admit` first.
  var hasReady: Bool { !turns.isEmpty }

  // MARK: Entering

  /// `first`: it was handed over before, so its user's turn has come already.
  mutating func insert(_ delivery: OpenDelivery, now: Int64, first: Bool = false) {
    byName[delivery.name, default: []].append(delivery)
    counts[delivery.owner, default: 0] += 1
    weights[delivery.owner, default: 0] += delivery.weight
    weight += delivery.weight
    oldest = min(oldest, delivery.since)
    if let over = delivery.overAt { soonestOver = min(soonestOver, over) }
    guard delivery.notBefore > now else { return enter(delivery, first: first) }
    let place = delayed.firstIndex { Self.comesLater($0, than: delivery) } ?? delayed.count
    delayed.insert(delivery, at: place)
  }

  private static func comesLater(_ one: OpenDelivery, than other: OpenDelivery) -> Bool {
    (one.notBefore, one.order) > (other.notBefore, other.order)
  }

  private mutating func enter(_ delivery: OpenDelivery, first: Bool) {
    turns.insert(
      delivery, order: delivery.order, user: Self.user(of: delivery), delivery.urgency,
      first: first && delivery.failures == 0)
  }

  private static func user(of delivery: OpenDelivery) -> Int64 {
    delivery.failures > 1 ? possiblyDelivered : Int64(delivery.owner)
  }

  /// Lets in what has waited for its time.
  mutating func admit(now: Int64) {
    guard let first = delayed.first, first.notBefore <= now else { return }
    let ready = delayed.prefix { $0.notBefore <= now }
    delayed.removeFirst(ready.count)
    for delivery in ready { enter(delivery, first: true) }
  }

  // MARK: Leaving

  /// Takes the next in turn.
  mutating func next() -> OpenDelivery? {
    guard let delivery = turns.next() else { return nil }
    forget(delivery)
    return delivery
  }

  /// False: it does not wait here.
  @discardableResult
  mutating func remove(_ delivery: OpenDelivery) -> Bool {
    let isInTurn =
      turns.remove(
        order: delivery.order, user: Self.user(of: delivery), delivery.urgency) != nil
    if !isInTurn {
      guard let place = delayed.firstIndex(where: { $0 === delivery }) else { return false }
      delayed.remove(at: place)
    }
    forget(delivery)
    return true
  }

  /// Takes out those that are meant, in order.
  mutating func removeAll(where isMeant: (OpenDelivery) -> Bool) -> [OpenDelivery] {
    guard !isEmpty else { return [] }
    let meant = all.filter(isMeant)
    for delivery in meant { remove(delivery) }
    return meant
  }

  private mutating func forget(_ delivery: OpenDelivery) {
    let name = delivery.name
    byName[name]?.removeAll { $0 === delivery }
    if byName[name]?.isEmpty ?? false { byName[name] = nil }
    counts[delivery.owner, default: 0] -= 1
    weights[delivery.owner, default: 0] -= delivery.weight
    if counts[delivery.owner] == 0 {
      counts[delivery.owner] = nil
      weights[delivery.owner] = nil
    }
    weight -= delivery.weight
    guard isEmpty else { return }
    oldest = .max
    soonestOver = .distantFuture
  }

  // MARK: Looking

  /// All that waits, in order of firing; O(n log n).
  var all: [OpenDelivery] {
    isEmpty ? [] : (turns.all + delayed).sorted { $0.order < $1.order }
  }

  /// What waits under one identifier of an app.
  func deliveries(of name: NotificationName) -> [OpenDelivery] { byName[name] ?? [] }

  /// O(n).
  func delivery(_ id: OccurrenceID) -> OpenDelivery? {
    isEmpty ? nil : (delayed + turns.all).first { $0.id == id }
  }

  // MARK: What waits too long

  /// When `takeOver` is to be asked next: on the elapsed clock, and on the real one.
  func nextOver(limit: Int64) -> (elapsed: Int64?, real: Instant?) {
    isEmpty
      ? (nil, nil)
      : (
        oldest.addingReportingOverflow(limit).partialValue,
        soonestOver == .distantFuture ? nil : soonestOver
      )
  }

  /// Takes out what has waited longer than `limit`, or has expired.
  mutating func takeOver(at now: ClockReading, limit: Int64) -> [OpenDelivery] {
    guard !isEmpty, now.elapsed - oldest >= limit || soonestOver <= now.real else { return [] }
    return takeOver { now.elapsed - $0.since >= limit || $0.hasExpired(at: now.real) }
  }

  /// Takes out what has expired since it came.
  mutating func takeExpired(at now: ClockReading) -> [OpenDelivery] {
    guard !isEmpty, soonestOver <= now.real else { return [] }
    return takeOver { $0.since < now.elapsed && $0.hasExpired(at: now.real) }
  }

  private mutating func takeOver(where isOver: (OpenDelivery) -> Bool) -> [OpenDelivery] {
    let over = removeAll(where: isOver)
    oldest = .max
    soonestOver = .distantFuture
    for delivery in all {
      oldest = min(oldest, delivery.since)
      if let over = delivery.overAt { soonestOver = min(soonestOver, over) }
    }
    return over
  }

  // MARK: Cutting

  /// Takes out one of whoever has most waiting; `byWeight`: of whoever has most memory. Of the least
  /// urgent that he has, the oldest.
  mutating func cutOne(byWeight: Bool = false) -> OpenDelivery? {
    let most = (byWeight ? weights : counts).max { ($0.value, $1.key) < ($1.value, $0.key) }
    guard let owner = most?.key, let delivery = leastUrgent(of: owner) else { return nil }
    remove(delivery)
    return delivery
  }

  private func leastUrgent(of owner: UInt32) -> OpenDelivery? {
    let waiting = turns.leastUrgent(of: Int64(owner))
    let others = delayed.filter { $0.owner == owner }
    // What was sent in vain before goes before what never was.
    let delayed = others.max { ($0.urgency.rawValue, $1.order) < ($1.urgency.rawValue, $0.order) }
    guard let delayed else { return waiting ?? suspect(of: owner) }
    guard let waiting, waiting.urgency.rawValue > delayed.urgency.rawValue else { return delayed }
    return waiting
  }

  private func suspect(of owner: UInt32) -> OpenDelivery? {
    all.first { $0.owner == owner }
  }
}
