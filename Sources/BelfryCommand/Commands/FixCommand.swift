import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry fix`: where the board is (R5).
enum FixCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let given = context.given
    let place = try PlaceText.place(given.operands[0])
    let accuracy = try given.value(.accuracy).map { text throws(CommandError) in
      try PlaceText.number(text, "--accuracy")
    }
    let now = SystemClock.real()
    let time = try given.value(.time).map { text throws(CommandError) in
      try TimeText.parse(text, option: .time, now: now, zone: context.zone)
        .instant(in: context.zone)
    }
    let daemon = try Daemon.connect(context)
    let crossings = try daemon.ask { client throws(ClientError) in
      try client.fix(
        latitude: place.latitude, longitude: place.longitude, accuracy: accuracy, time: time)
    }
    if context.json { return try context.say(["crossings": .integer(crossings)]) }
    switch crossings {
    case 0: try context.say("no crossing")
    case 1: try context.say("1 crossing fired")
    default: try context.say("\(crossings) crossings fired")
    }
  }
}
