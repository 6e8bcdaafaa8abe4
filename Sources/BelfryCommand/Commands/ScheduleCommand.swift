import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry schedule`.
enum ScheduleCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let now = SystemClock.real()
    let trigger = try Trigger.read(context.given, now: now, zone: context.zone)
    var notification = try NotificationReader.read(
      context.given, trigger: trigger, now: now, zone: context.zone)
    // Made here, so that a call that is repeated after a lost reply does nothing twice.
    if notification.identifier == nil { notification.identifier = Random.uuid().text }
    let daemon = try Daemon.connect(context)
    let reply = try daemon.ask { client throws(ClientError) in
      try client.schedule(app: context.app, notification)
    }
    if context.json {
      try context.say(context.words.json(reply, mode: "absolute"))
    } else {
      try say(reply, trigger, context)
    }
    if !reply.scheduled {
      throw .refused(
        "notifications: the limit keeps those that fire soonest, and this is none of them")
    }
  }

  private static func say(
    _ reply: ScheduleReply, _ trigger: Trigger, _ context: CommandContext
  ) throws(CommandError) {
    let done =
      reply.unchanged
      ? "unchanged" : !reply.scheduled ? "discarded" : reply.replaced ? "replaced" : "scheduled"
    try context.say(done + " " + reply.identifier + ": " + firing(reply, trigger, context.words))
    for identifier in reply.discarded where identifier != reply.identifier {
      try context.say("discarded " + identifier + ": the limit keeps those that fire soonest")
    }
  }

  private static func firing(
    _ reply: ScheduleReply, _ trigger: Trigger, _ words: LocalWords
  ) -> String {
    guard let next = reply.next else { return "now" }
    if trigger.form == .now, trigger.unit == nil { return "now" }
    if next <= words.now { return "now, its time is past" }
    return words.firing(next) + ", " + trigger.mode
  }
}
