import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// The app's badge, what it registers, and what the user does.
extension Operation where Value == Int {
  static func badge(by context: CallContext) -> Operation {
    number("badge", "Badge", context.parameters(), .reading)
  }

  static func stopSound(by context: CallContext) -> Operation {
    number("stopped", "StopSound", context.parameters(), .harmless)
  }

  static func number(
    _ name: String, _ method: String, _ parameters: JSONObject, _ retryPolicy: RetryPolicy
  ) -> Operation {
    Operation(method, parameters, retryPolicy) { reply in
      Int(clamping: reply[name]?.integer ?? 0)
    }
  }
}

extension Operation where Value == Void {
  static func setBadge(_ number: Int, by context: CallContext) -> Operation {
    Operation("SetBadge", context.parameters(("badge", .integer(Int64(number)))), .harmless) { _ in
    }
  }

  static func act(
    _ id: String, action: String?, text: String?, by context: CallContext
  ) -> Operation {
    var parameters = context.parameters(("id", .string(id)))
    if let action { parameters.append("action", .string(action)) }
    if let text { parameters.append("text", .string(text)) }
    return Operation("Act", parameters, .never) { _ in }
  }

  static func dismiss(_ id: String, by context: CallContext) -> Operation {
    Operation("Dismiss", context.parameters(("id", .string(id))), .never) { _ in }
  }
}

extension Operation where Value == String {
  static func acknowledge(_ id: String?, by context: CallContext) -> Operation {
    var parameters = context.parameters()
    if let id { parameters.append("id", .string(id)) }
    return Operation("Acknowledge", parameters, .never) { $0["identifier"]?.string ?? "" }
  }
}

extension Operation where Value == NotificationSettings {
  static func register(
    _ settings: NotificationSettings, categories: [NotificationCategory], by context: CallContext
  ) -> Operation {
    let parameters = context.parameters(
      ("settings", settings.encoded), ("categories", .array(categories.map { $0.encoded })))
    return Operation("RegisterSettings", parameters, .harmless) { reply in
      NotificationSettings(reply["settings"])
    }
  }
}

extension Operation where Value == RegisteredSettings {
  static func settings(by context: CallContext) -> Operation {
    Operation("Settings", context.parameters(), .reading) { reply in
      RegisteredSettings(
        isRegistered: reply["registered"]?.boolean ?? false,
        settings: NotificationSettings(reply["settings"]),
        categories: (reply["categories"]?.array ?? []).compactMap { NotificationCategory($0) })
    }
  }
}

extension Operation where Value == Date {
  static func snooze(
    _ id: String, for duration: Swift.Duration, by context: CallContext
  ) throws(SchedulerError) -> Operation {
    guard let microseconds = Microseconds.of(duration) else {
      throw SchedulerError(.outOfRange, field: "duration", "this is too long")
    }
    let parameters = context.parameters(("id", .string(id)), ("duration", .integer(microseconds)))
    return Operation("Snooze", parameters, .never) { reply throws(SchedulerError) in
      guard let next = reply["next"]?.integer else {
        throw SchedulerError(.unreadableReply, "the daemon's reply has no next")
      }
      return Microseconds.date(next)
    }
  }
}
