import BelfryCore

/// Bits of an action.
private enum ActionFlag {
  static let foreground: UInt8 = 1
  static let destructive: UInt8 = 2
  static let authentication: UInt8 = 4
  static let textInput: UInt8 = 8
  static let minimal: UInt8 = 16
}

extension BinaryWriter {
  mutating func put(_ actions: [OfferedAction]) {
    put(count: actions.count)
    for offered in actions {
      let action = offered.action
      var flags: UInt8 = 0
      if action.activationMode == .foreground { flags |= ActionFlag.foreground }
      if action.isDestructive { flags |= ActionFlag.destructive }
      if action.requiresAuthentication { flags |= ActionFlag.authentication }
      if action.behavior == .textInput { flags |= ActionFlag.textInput }
      if offered.isMinimal { flags |= ActionFlag.minimal }
      put(flags)
      put(action.identifier)
      put(action.title)
      put(optional: action.buttonTitle)
    }
  }

  mutating func put(_ input: SinkInput) {
    put(input.occurrence)
    put(input.isLocked)
    switch input.response {
    case .act(let action, let text):
      put(UInt8(0))
      put(optional: action)
      put(optional: text)
    case .dismiss: put(UInt8(1))
    case .snooze(let duration):
      put(UInt8(2))
      put(signed: duration)
    case .acknowledge:
      put(UInt8(3))
    }
  }
}

extension BinaryReader {
  mutating func offeredActions() throws(WireError) -> [OfferedAction] {
    let count = try length(of: 4, "actions")
    var actions: [OfferedAction] = []
    actions.reserveCapacity(count)
    for _ in 0..<count {
      let flags = try byte("action")
      var action = NotificationAction(
        identifier: try text("action"), title: try text("action"))
      action.activationMode = flags & ActionFlag.foreground != 0 ? .foreground : .background
      action.isDestructive = flags & ActionFlag.destructive != 0
      action.requiresAuthentication = flags & ActionFlag.authentication != 0
      action.behavior = flags & ActionFlag.textInput != 0 ? .textInput : .default
      action.buttonTitle = try optionalText("action")
      actions.append(OfferedAction(action, isMinimal: flags & ActionFlag.minimal != 0))
    }
    return actions
  }

  mutating func sinkInput() throws(WireError) -> SinkInput {
    let id = try occurrenceID()
    let isLocked = try flag("isLocked")
    switch try byte("deed") {
    case 0:
      let response = UserResponse.act(
        action: try optionalText("action"), text: try optionalText("text"))
      return SinkInput(id, response, isLocked: isLocked)
    case 1: return SinkInput(id, .dismiss, isLocked: isLocked)
    case 2: return SinkInput(id, .snooze(try signed("duration")), isLocked: isLocked)
    case 3: return SinkInput(id, .acknowledge, isLocked: isLocked)
    default: throw failure(.malformed, "deed: no such deed")
    }
  }
}
