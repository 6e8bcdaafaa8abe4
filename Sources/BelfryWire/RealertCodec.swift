import BelfryCore

/// A realert and the steps of a ladder as JSON (E6).
enum RealertCodec {
  /// What has its default is left out; names are in order of their bytes.
  static func encode(_ realert: Realert) -> JSONObject {
    var object = JSONObject()
    if realert.atMost != Realert.usualCount { object.add("atMost", realert.atMost) }
    object.append("every", .integer(realert.every / 1000))
    return object
  }

  static func decode(_ value: JSONValue, field: String) throws(FieldError) -> Realert {
    guard case .object(let object) = value else {
      throw FieldError(field, .wrongType, "a realert is an object, not \(value.kind)")
    }
    let members = try MemberReader(
      object, of: "a realert", known: ["atMost", "every"], prefix: field + ".")
    return Realert(
      every: try duration("every", members),
      atMost: try members.optionalInteger("atMost") ?? Realert.usualCount)
  }

  static func encode(_ step: LadderStep) -> JSONObject {
    var object: JSONObject = ["after": .integer(step.after / 1000)]
    object.add("interruptionLevel", step.interruptionLevel?.rawValue)
    if !step.sinks.isEmpty { object.append("sinks", .array(step.sinks.map { .string($0) })) }
    object.add("sound", step.sound)
    // -0 is 0.
    if let volume = step.volume { object.append("volume", .double(volume == 0 ? 0 : volume)) }
    return object
  }

  static func decodeStep(_ value: JSONValue, field: String) throws(FieldError) -> LadderStep {
    guard case .object(let object) = value else {
      throw FieldError(field, .wrongType, "a step of a ladder is an object, not \(value.kind)")
    }
    let members = try MemberReader(
      object, of: "a step of a ladder",
      known: ["after", "interruptionLevel", "sinks", "sound", "volume"], prefix: field + ".")
    return LadderStep(
      after: try duration("after", members), sinks: try members.optionalTexts("sinks") ?? [],
      sound: try members.optionalText("sound"), volume: try members.optionalNumber("volume"),
      interruptionLevel: try members.optionalChoice("interruptionLevel"))
  }

  /// Microseconds, as nanoseconds.
  private static func duration(
    _ name: String, _ members: MemberReader
  ) throws(FieldError) -> Int64 {
    let (duration, overflow) = try members.integer(name).multipliedReportingOverflow(by: 1000)
    return overflow ? .max : duration
  }
}
