import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry schedule`.
enum ScheduleCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let now = SystemClock.real()
    // What is wrong is said without a daemon.
    _ = try read(context, now)
    let daemon = try Daemon.connect(context)
    let context = context.following(daemon)
    let (trigger, notification) = try read(context, now)
    try trigger.checkAhead(of: now, board: context.board)
    let reply = try daemon.ask(of: .notification) { client throws(ClientError) in
      try client.schedule(app: context.app, notification)
    }
    // Who names the mode knows what it does.
    let drift =
      context.given.has(.zoneMode) ? nil : trigger.drift(board: context.board, now: now)
    let passing = trigger.passing(reply.next, context.given, board: context.board, now: now)
    let more = [drift, passing, try wait(reply, context)].compactMap { $0 } + trigger.warnings
    if context.json {
      try context.say(context.words.json(reply, trigger, warnings: context.warnings(reply) + more))
    } else {
      try say(reply, trigger, notification, context)
      for warning in more { context.warn(warning) }
    }
    if !reply.scheduled {
      throw .refused(
        "--app: its limit keeps those that fire soonest, and this is none of them")
    }
  }

  /// Who says --now or --in, and a rule that has none then, is told.
  private static func wait(
    _ reply: ScheduleReply, _ context: CommandContext
  ) throws(CommandError) -> String? {
    let given = context.given
    let span = try given.duration(.inDuration) ?? 0
    guard given.has(.now) || given.has(.inDuration), let next = reply.next,
      next != .distantFuture, !given.has(.offset), !isPassed(reply),
      next > context.words.now.advanced(by: span + 2 * Nanoseconds.second)
    else { return nil }
    if given.has(.now) {
      return "--now: its repeat has none now; for one at once schedule another with --now alone"
    }
    return "--in: its repeat has none then; it begins " + context.words.moment(next)
  }

  /// What it would have first is paused, or on a day off.
  private static func isPassed(_ reply: ScheduleReply) -> Bool {
    reply.warnings.contains {
      $0.split(separator: " ").dropFirst().starts(with: ["does", "not", "ring:"])
    }
  }

  private static func read(
    _ context: CommandContext, _ now: Instant
  ) throws(CommandError) -> (Trigger, Notification) {
    let trigger = try context.trigger(now: now)
    var notification = try NotificationReader.read(context.given, trigger: trigger, now: now)
    // Made here, so that a call that is repeated after a lost reply does nothing twice.
    if notification.identifier == nil { notification.identifier = IdentifierBeginning.make() }
    return (trigger, notification)
  }

  private static func say(
    _ reply: ScheduleReply, _ trigger: Trigger, _ notification: Notification,
    _ context: CommandContext
  ) throws(CommandError) {
    let done =
      reply.unchanged
      ? "unchanged" : !reply.scheduled ? "discarded" : reply.replaced ? "replaced" : "scheduled"
    var repeats = context.repeatWords
    var told = notification
    told.exdate.removeAll { trigger.strayDates.contains($0) }
    let parts = [
      firing(reply, trigger, context.words), tolerance(notification, reply.next),
      repeats.repeating(told, next: reply.next ?? context.words.now), sound(notification),
      badge(notification),
      sinks(notification),
    ]
    try context.say(
      done + " " + reply.identifier + ": " + parts.compactMap { $0 }.joined(separator: "; "))
    if let demotion = reply.demotion { try context.say(DisplayWidth.safe(demotion)) }
    context.warn(of: reply)
    for identifier in reply.discarded where identifier != reply.identifier {
      try context.say("discarded " + identifier + ": the limit keeps those that fire soonest")
    }
  }

  /// `up to 5 min later`; nil: on time.
  static func tolerance(_ notification: Notification, _ next: Instant?) -> String? {
    // No more than half of the way to the next one (T12).
    let most = min(
      notification.tolerance(from: next ?? .distantFuture),
      notification.plan(reading: .utc).shortestInterval / 2)
    guard most >= Nanoseconds.second else { return nil }
    return "up to " + Nanoseconds.words(most).dropFirst("in ".count) + " later"
  }

  static func sound(_ notification: Notification) -> String {
    guard notification.mayHaveSound, notification.mayReachSpeaker else { return "without sound" }
    return notification.soundName.map { "sound " + DisplayWidth.safe($0) } ?? "sound later"
  }

  /// nil: it leaves the badge alone.
  static func badge(_ notification: Notification) -> String? {
    let number = notification.applicationIconBadgeNumber
    switch notification.badgeOperation ?? .set {
    case .add where number > 0: return "adds \(number) to the badge"
    case .add where number < 0: return "takes \(-number) off the badge"
    case .set where number > 0: return "badge \(number)"
    case .set where number < 0, .clear: return "clears the badge"
    default: return nil
    }
  }

  /// Whom it goes to, and what comes until somebody acknowledges it (E6); nil: it goes to all, once.
  static func sinks(_ notification: Notification) -> String? {
    var parts: [String] = []
    let (names, steps) = (notification.firstSinks, notification.ladder.count)
    if !names.isEmpty {
      parts.append(
        (steps == 0 ? "only to " : "first only to ")
          + DisplayWidth.safe(names.joined(separator: ", ")))
    }
    if let realert = notification.realert {
      let span = Nanoseconds.words(realert.every).dropFirst("in ".count)
      parts.append("again every " + span + " until acknowledged")
    }
    if steps > 0 { parts.append(counted(steps, "step") + " of a ladder until acknowledged") }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  private static func firing(
    _ reply: ScheduleReply, _ trigger: Trigger, _ words: LocalWords
  ) -> String {
    if let words = trigger.draft.crossingWords { return words }
    guard let next = reply.next, !trigger.isNow else {
      // What calendars of days, or a pause, leave nothing of has no next one either.
      let isAhead = trigger.draft.fireDate ?? words.now > words.now
      let isNever = trigger.draft.repeats || isAhead || isPassed(reply)
      return isNever ? "never, as things are" : "now"
    }
    if next <= words.now {
      let isLate = words.now.nanoseconds(since: next) > 2 * Nanoseconds.second
      return isLate ? "now, its time is past" : "now"
    }
    return next == .distantFuture ? "never" : words.firing(next, trigger)
  }
}

extension Notification {
  /// Who gets it when it is due; none: every sink that wants it.
  var firstSinks: [String] {
    if let step = ladder.first, step.after == 0 { return step.sinks }
    return sinks
  }
}
