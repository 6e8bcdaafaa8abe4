import BelfryCore

extension LifeAction: CustomStringConvertible {
  /// A line of a trace.
  var description: String {
    switch self {
    case .schedule(let app, let name, let plan): "schedule app\(app)/n\(name) \(plan)"
    case .presentNow(let app): "present now app\(app)"
    case .cancel(let app, let name): "cancel app\(app)/n\(name)"
    case .cancelAll(let app): "cancel all of app\(app)"
    case .replaceAll(let app, let plans):
      "replace all of app\(app) by \(plans.count): "
        + plans.map { $0.description }.joined(separator: "; ")
    case .replaceBySame(let app): "replace all of app\(app) by itself"
    case .pass(let length): "\(Nanoseconds.text(length)) pass"
    case .sleep(let length): "suspended for \(Nanoseconds.text(length))"
    case .step(let step): "the clock is set \(signed(step))"
    case .drift(let rate): "the clock runs wrong by \(rate) ppm"
    case .synchronise: "the time server answers"
    case .travel(let zone): "the board is in zone \(LifeShape.zones[zone].name)"
    case .zoneFile(let zone, let isOther):
      "the file of zone \(LifeShape.zones[zone].name) has \(isOther ? "other" : "its first") rules"
    case .loseSync: "the kernel no longer says synchronised"
    case .trust: "trust-clock"
    case .crash(let commands, let written):
      "kill -9 after \(commands) more commands, \(written) of the queue written"
    case .stop: "stopped and started in an orderly way"
    case .reboot(let off, let clock): "off for \(Nanoseconds.text(off)), boots with clock \(clock)"
    case .disk(let state): "the disk is \(state)"
    case .trickle(let count): "\(count) operations get through"
    case .manner(let sink, let manner): "sink \(sink) \(manner)"
    case .sinkDown(let sink): "sink \(sink) goes down"
    case .sinkUp(let sink): "sink \(sink) comes up"
    case .open(let app, let state, let manner): "app\(app) opens a session: \(state), \(manner)"
    case .close(let session, let isUnread): "session \(session) ends\(isUnread ? ", unread" : "")"
    case .turn(let session, let state): "session \(session) is \(state)"
    case .response(let app, let name, let response): "app\(app)/n\(name): \(response)"
    case .answerSnooze(let app, let place, let response):
      "app\(app), snooze \(place): \(response)"
    case .cancelSnooze(let app, let place): "cancel app\(app), snooze \(place)"
    case .input(let sink, let response): "at sink \(sink): \(response)"
    case .register(let app): "app\(app) registers its actions"
    case .fix(let metres, let accuracy):
      "\(metres) m from the centre, within \(accuracy.map { "\($0)" } ?? "?") m"
    case .flood(let app, let flood): "\(flood.count) alerts of app\(app): \(flood)"
    case .meddle(let user, let app, let meddling):
      "user \(LifeShape.users[user].uid) asks for \(meddling) of app\(app)"
    case .everyday(let app, let everyday): "app\(app): \(everyday)"
    case .days(let app, let name, let change):
      "calendar \(name) of \(app.map { "app\($0)" } ?? "all"): \(change)"
    case .outage(let sink, let length):
      "sink \(sink) ends, and cannot start for \(Nanoseconds.text(length))"
    }
  }

  private func signed(_ step: Int64) -> String {
    step < 0 ? "back by \(Nanoseconds.text(-step))" : "forward by \(Nanoseconds.text(step))"
  }
}

extension Plan: CustomStringConvertible {
  var description: String {
    var text =
      switch time {
      case .at(let offset) where offset < 0: "\(Nanoseconds.text(-offset)) ago"
      case .at(let offset): "in \(Nanoseconds.text(offset))"
      case .now: "now"
      case .relative(let length): "\(Nanoseconds.text(length)) from now, relative"
      }
    if let region {
      text =
        "\(region.onEntry ? "entry" : "")\(region.onExit ? " exit" : "") of \(region.radius) m, "
        + (region.isOnce ? "once" : "every time")
    }
    if let unit { text += ", every \(every) \(unit)" }
    if let rule { text += ", \(rule)" }
    if gap != .shift { text += ", gap \(gap)" }
    if overlap != .first { text += ", overlap \(overlap)" }
    if monthEnd != .clamp { text += ", month end \(monthEnd)" }
    if tolerance > 0 { text += ", tolerance \(Nanoseconds.text(tolerance))" }
    if !exceptOn.isEmpty { text += ", except on \(exceptOn)" }
    if !onlyOn.isEmpty { text += ", only on \(onlyOn)" }
    if !asOn.isEmpty { text += ", as on \(asOn)" }
    if !offset.isNone { text += ", offset \(offset.text)" }
    if let zone { text += ", \(isFloating ? "floating" : "zoned") \(LifeShape.zones[zone].name)" }
    if let count { text += ", \(count) times" }
    if let until { text += ", until \(Nanoseconds.text(until)) later" }
    if let late { text += ", late \(late)" }
    if let expires { text += ", expires \(Nanoseconds.text(expires)) later" }
    if badge != 0 { text += ", badge \(badge)" }
    if hasSound { text += ", sound" }
    if level != .active { text += ", \(level)" }
    if let realert {
      text += ", \(realert.atMost) times every \(Nanoseconds.text(realert.every))"
    }
    for step in ladder { text += ", at \(Nanoseconds.text(step.after)) \(step.sinks)" }
    return text
  }
}
