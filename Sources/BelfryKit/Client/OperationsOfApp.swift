import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// The app's badge, what it registers, and what the user does.
extension Operation where Value == Int {
  static func badge(by caller: Caller) -> Operation {
    number("badge", "Badge", caller.parameters(), .reading)
  }

  static func stopSound(by caller: Caller) -> Operation {
    number("stopped", "StopSound", caller.parameters(), .harmless)
  }

  static func number(
    _ name: String, _ method: String, _ parameters: JSONObject, _ repeating: Repeating
  ) -> Operation {
    Operation(method, parameters, repeating) { reply in
      Int(clamping: reply[name]?.integer ?? 0)
    }
  }
}

extension Operation where Value == Void {
  static func setBadge(_ number: Int, by caller: Caller) -> Operation {
    Operation("SetBadge", caller.parameters(("badge", .integer(Int64(number)))), .harmless) { _ in }
  }

  static func act(
    _ id: String, action: String?, text: String?, by caller: Caller
  ) -> Operation {
    var parameters = caller.parameters(("id", .string(id)))
    if let action { parameters.append("action", .string(action)) }
    if let text { parameters.append("text", .string(text)) }
    return Operation("Act", parameters, .never) { _ in }
  }

  static func dismiss(_ id: String, by caller: Caller) -> Operation {
    Operation("Dismiss", caller.parameters(("id", .string(id))), .never) { _ in }
  }
}

extension Operation where Value == NotificationSettings {
  static func register(
    _ settings: NotificationSettings, categories: [NotificationCategory], by caller: Caller
  ) -> Operation {
    let parameters = caller.parameters(
      ("settings", settings.encoded), ("categories", .array(categories.map { $0.encoded })))
    return Operation("RegisterSettings", parameters, .harmless) { reply in
      NotificationSettings(reply["settings"])
    }
  }
}

extension Operation where Value == RegisteredSettings {
  static func settings(by caller: Caller) -> Operation {
    Operation("Settings", caller.parameters(), .reading) { reply in
      RegisteredSettings(
        isRegistered: reply["registered"]?.boolean ?? false,
        settings: NotificationSettings(reply["settings"]),
        categories: (reply["categories"]?.array ?? []).compactMap { NotificationCategory($0) })
    }
  }
}

extension Operation where Value == Date {
  static func snooze(
    _ id: String, for duration: Swift.Duration, by caller: Caller
  ) throws(SchedulerError) -> Operation {
    guard let microseconds = Microseconds.of(duration) else {
      throw SchedulerError(.outOfRange, field: "duration", "this is too long")
    }
    let parameters = caller.parameters(("id", .string(id)), ("duration", .integer(microseconds)))
    return Operation("Snooze", parameters, .never) { reply throws(SchedulerError) in
      guard let next = reply["next"]?.integer else {
        throw SchedulerError(.unreadableReply, "the daemon's reply has no next")
      }
      return Microseconds.date(next)
    }
  }
}
