internal import BelfryCore

extension LocalNotification {
  /// Throws where a time or a volume cannot be written at all.
  func writeAnswering(to wire: inout WireNotification) throws(FieldError) {
    wire.realert = try realert.map { realert throws(FieldError) in
      BelfryCore.Realert(
        every: try Self.nanoseconds(realert.every, field: "realert.every"),
        atMost: Int64(realert.atMost))
    }
    wire.fadeIn = try Self.nanoseconds(fadeIn, field: "fadeIn")
    wire.ringFor = try Self.nanoseconds(ringFor, field: "ringFor")
    wire.ladder = []
    for (index, step) in ladder.enumerated() {
      if let volume = step.volume, !volume.isFinite {
        throw FieldError(
          "ladder[\(index)].volume", .outOfRange, "the volume must be between 0 and 1")
      }
      wire.ladder.append(
        BelfryCore.LadderStep(
          after: try Self.nanoseconds(step.after, field: "ladder[\(index)].after"),
          sinks: step.sinks, sound: step.soundName, volume: step.volume,
          interruptionLevel: step.interruptionLevel.flatMap { .init(rawValue: $0.rawValue) }))
    }
  }

  mutating func readAnswering(from wire: WireNotification) {
    realert = wire.realert.map {
      Realert(every: .nanoseconds($0.every), atMost: Int(clamping: $0.atMost))
    }
    fadeIn = .nanoseconds(wire.fadeIn)
    ringFor = .nanoseconds(wire.ringFor)
    ladder = wire.ladder.map { step in
      LadderStep(
        after: .nanoseconds(step.after), sinks: step.sinks, soundName: step.sound,
        volume: step.volume,
        interruptionLevel: step.interruptionLevel.flatMap { .init(rawValue: $0.rawValue) })
    }
  }
}
