import Testing

@testable import BelfryCore

@Suite struct TurnQueueTests {
  private struct Bench {
    var queue = TurnQueue<String>()
    var order: Int64 = 0

    /// `a1` to `a<count>`, of user 1 for a, 2 for b and so on.
    mutating func add(_ letter: Character, _ count: Int, _ urgency: Urgency = .rest) {
      for number in 1...count {
        order += 1
        let user = Int64(letter.asciiValue!) - 96
        queue.insert("\(letter)\(number)", order: order, user: user, urgency)
      }
    }

    mutating func takeAll() -> String {
      var names: [String] = []
      while let name = queue.next() { names.append(name) }
      return names.joined(separator: " ")
    }
  }

  @Test func D9_usersTakeTurns() {
    var bench = Bench()
    bench.add("a", 5)
    bench.add("b", 2)
    bench.add("c", 1)
    #expect(bench.queue.count == 8)
    let taken = bench.takeAll()
    #expect(taken == "a1 b1 c1 a2 b2 a3 a4 a5")
    #expect(bench.queue.isEmpty)
  }

  /// Between two turns of hers, he has had one.
  @Test func D9_whoComesBackWithNothingWaitingGoesFirstInTheNextRound() {
    var bench = Bench()
    bench.add("a", 1)
    bench.add("b", 9)
    bench.add("c", 9)
    var order: [String?] = []
    for _ in 0..<3 {
      for _ in 0..<3 { order.append(bench.queue.next()) }
      bench.add("a", 1)
    }
    #expect(order == ["a1", "b1", "c1", "a1", "b2", "c2", "a1", "b3", "c3"])
  }

  /// The one who has waited all the time has one turn for each of the other's.
  @Test func D9_whoComesBackGoesAfterWhoeverHadTheirTurnBefore() {
    var bench = Bench()
    bench.add("a", 9)
    var order: [String?] = [bench.queue.next()]
    bench.add("b", 1)
    order.append(bench.queue.next())
    for _ in 0..<2 {
      bench.add("b", 1)
      for _ in 0..<2 { order.append(bench.queue.next()) }
    }
    #expect(order == ["a1", "b1", "a2", "b1", "a3", "b1"])
  }

  @Test func D9_criticalGoesFirstAndTimeSensitiveBeforeTheRestOfItsRound() {
    var bench = Bench()
    bench.add("a", 3)
    bench.add("b", 2, .timeSensitive)
    bench.add("c", 2, .critical)
    bench.add("d", 1, .critical)
    let taken = bench.takeAll()
    #expect(taken == "c1 d1 c2 b1 a1 b2 a2 a3")
  }

  @Test func D9_aFloodThatCallsItselfTimeSensitiveTakesNobodysTurn() {
    var bench = Bench()
    bench.add("a", 4, .timeSensitive)
    bench.add("b", 1)
    let taken = bench.takeAll()
    #expect(taken == "a1 b1 a2 a3 a4")
    // Nor one that has never more than one waiting.
    bench.add("a", 1, .timeSensitive)
    bench.add("b", 2)
    var order = [bench.queue.next()]
    bench.add("a", 1, .timeSensitive)
    order.append(bench.queue.next())
    #expect(order == ["a1", "b1"])
  }

  @Test func D9_N21_oneUsersOwnKeepTheirOrderThoughOneComesBack() {
    var bench = Bench()
    bench.add("a", 4)
    let first = bench.queue.next()
    bench.queue.insert("a1", order: 1, user: 1, .rest, first: true)
    #expect(first == "a1")
    bench.queue.remove(order: 3, user: 1, .rest)
    bench.queue.insert("a3", order: 3, user: 1, .rest)
    #expect(bench.queue.all == ["a1", "a2", "a3", "a4"])
    let taken = bench.takeAll()
    #expect(taken == "a1 a2 a3 a4")
  }

  @Test func removingAnyLeavesTheOthersInTurn() {
    var random = SplitMix(seed: 11)
    for _ in 0..<200 {
      var queue = TurnQueue<Int64>()
      var waiting: [Int64: (user: Int64, urgency: Urgency)] = [:]
      for order in 1...Int64(300) {
        if waiting.isEmpty || random.next() % 3 > 0 {
          let user = Int64(random.next() % 5)
          let urgency = Urgency(rawValue: Int(random.next() % 3))!
          queue.insert(order, order: order, user: user, urgency, first: random.next() % 9 == 0)
          waiting[order] = (user, urgency)
        } else if random.next() % 2 == 0 {
          let victim = waiting.keys.sorted()[Int(random.next() % UInt64(waiting.count))]
          let place = waiting.removeValue(forKey: victim)!
          let removed = queue.remove(order: victim, user: place.user, place.urgency)
          let again = queue.remove(order: victim, user: place.user, place.urgency)
          #expect(removed == victim && again == nil)
        } else {
          let next = queue.next()
          let place = next.flatMap { waiting.removeValue(forKey: $0) }
          #expect(place != nil)
          let isCriticalLeft = waiting.values.contains { $0.urgency == .critical }
          #expect(place?.urgency == .critical || !isCriticalLeft)
        }
        #expect(queue.count == waiting.count)
      }
      #expect(queue.all == waiting.keys.sorted())
      var last: [Int64: [Int64]] = [:]
      while let next = queue.next() {
        let place = waiting.removeValue(forKey: next)!
        last[place.user * 3 + Int64(place.urgency.rawValue), default: []].append(next)
      }
      #expect(waiting.isEmpty && last.values.allSatisfy { $0 == $0.sorted() })
    }
  }
}

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014).
private struct SplitMix {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}
