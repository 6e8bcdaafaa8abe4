import BelfryCore
import TestSupport
import Testing

@testable import BelfryWire

@Suite struct WorkerMessageTests {
  @Test func everyMessageComesBackAsItWent() throws {
    let seed = TestSeed.here()
    var samples = Samples(random: Seeded(seed: seed))
    for _ in 0..<2_000 {
      let down = samples.messageToChild()
      #expect(try MessageToChild.decode(down.encode()) == down, "seed \(seed)")
      let up = samples.messageFromChild()
      #expect(try MessageFromChild.decode(up.encode()) == up, "seed \(seed)")
    }
  }

  @Test func aCutOrLengthenedMessageIsRefused() throws {
    var samples = Samples(random: Seeded(seed: 7))
    for _ in 0..<40 {
      let bytes = try samples.messageToChild().encode()
      for count in 0..<bytes.count {
        #expect(throws: WireError.self) { try MessageToChild.decode(Array(bytes[..<count])) }
        var cut = Array(bytes[..<count])
        guard count >= 8 else { continue }
        cut[4] = UInt8(truncatingIfNeeded: count)
        cut[5] = UInt8(truncatingIfNeeded: count >> 8)
        #expect(throws: WireError.self) { try MessageToChild.decode(cut) }
      }
      #expect(throws: WireError.self) { try MessageToChild.decode(bytes + [0]) }
    }
  }

  @Test func damagedBytesNeverTrap() throws {
    let seed = TestSeed.here()
    var samples = Samples(random: Seeded(seed: seed))
    for _ in 0..<3_000 {
      var down = try samples.messageToChild().encode()
      var up = try samples.messageFromChild().encode()
      for _ in 0..<3 {
        down[Int.random(in: 8..<max(9, down.count), using: &samples.random) % down.count] =
          UInt8.random(in: 0...255, using: &samples.random)
        up[Int.random(in: 0..<up.count, using: &samples.random)] = 0xFF
      }
      _ = try? MessageToChild.decode(down)
      _ = try? MessageFromChild.decode(up)
    }
  }

  @Test(
    arguments: [
      ([2, 8, 0, 0, 8, 0, 0, 0], WireError.Code.badVersion),
      ([1, 8, 1, 0, 8, 0, 0, 0], .malformed),
      ([1, 8, 0, 0, 9, 0, 0, 0], .truncated),
      ([1, 99, 0, 0, 8, 0, 0, 0], .malformed),
      ([1, 130, 0, 0, 8, 0, 0, 0], .malformed),
      ([1, 6, 0, 0, 9, 0, 0, 0, 2], .malformed),
      ([1, 6, 0, 0, 11, 0, 0, 0, 1, 1, 0xFF], .badText),
    ] as [([UInt8], WireError.Code)])
  func aWrongHeaderIsRefused(bytes: [UInt8], code: WireError.Code) {
    #expect { try MessageToChild.decode(bytes) } throws: { ($0 as? WireError)?.code == code }
  }

  @Test func theLimitIs128KiB() throws {
    let room = WorkerMessage.limit - 8 - 1 - 1 - 3
    let largest = MessageToChild.prepareSound(
      app: "", name: String(repeating: "a", count: room + 1))
    #expect(try largest.encode().count == WorkerMessage.limit)
    #expect(try MessageToChild.decode(largest.encode()) == largest)
    let over = MessageToChild.prepareSound(app: "a", name: String(repeating: "a", count: room + 1))
    #expect(throws: WireError.self) { try over.encode() }
    #expect(throws: WireError.self) {
      try MessageToChild.decode([UInt8](repeating: 1, count: WorkerMessage.limit + 1))
    }
  }

  @Test func packedDeliveriesAreTheSameBytes() throws {
    var samples = Samples(random: Seeded(seed: 5))
    var packer = DeliveryPacker()
    let limits = EngineConfiguration()
    func check(_ delivery: Delivery) throws {
      let told = DeliveryMessage(
        delivery, limits, deliveryContent: DeliveryContent(delivery.occurrence, delivery.text))
      let handOver = packer.handOver(delivery, limits)
      #expect(handOver == told)
      #expect(try packer.pack(handOver) == MessageToChild.deliver(told).encode())
    }
    for _ in 0..<200 {
      var delivery = samples.delivery()
      let before = samples.delivery()
      packer.prepare(before.occurrence, before.text)
      packer.prepare(delivery.occurrence, delivery.text)
      try check(delivery)
      delivery.token &+= 1
      try check(delivery)
      delivery.occurrence.missed &+= 1
      try check(delivery)
      // A table that was read meanwhile wins (L1).
      delivery.text.title = "Titel"
      try check(delivery)
      // One that it did not make itself.
      let other = samples.handOver()
      #expect(try packer.pack(other) == MessageToChild.deliver(other).encode())
      try check(delivery)
    }
  }

  @Test func N12_typesStayApart() throws {
    var notification = Notification()
    notification.userInfo = [
      "one": .integer(1), "real": .double(1), "true": .boolean(true),
      "date": .date(Instant(nanoseconds: 1000)), "data": .data([1]), "": .dictionary([:]),
    ]
    let id = OccurrenceID(uuid: UUIDBits(high: 1, low: 2), generation: 0, k: 0)
    let told = DeliveryContent(
      Occurrence(id: id, app: "a", notification: notification, due: Instant(nanoseconds: 0)),
      AlertText())
    let back = try JSONValue.parse(told.userInfo)
    #expect(try PropertyListCodec.decode(back) == notification.userInfo)
  }
}
