import BelfryClient
import BelfryCore
import BelfryWire

/// What a person does with an app's badge and with what is shown.
enum UserCommands {
  static func badge(_ context: CommandContext) throws(CommandError) {
    let new = try context.given.operands.first.map { word throws(CommandError) in
      guard let number = Int64(word) else {
        throw .usage("badge: no whole number: " + FieldError.quoted(word))
      }
      return number
    }
    let daemon = try Daemon.connect(context)
    let badge = try daemon.ask { client throws(ClientError) in
      guard let new else { return try client.badge(app: context.app) }
      try client.setBadge(app: context.app, new)
      return new
    }
    if context.json { return try context.say(["badge": .integer(badge)]) }
    try context.say("\(badge)")
  }
}
