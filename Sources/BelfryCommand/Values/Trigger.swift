import BelfryCore

/// When a notification fires, as the trigger options said it.
struct Trigger: Hashable, Sendable {
  enum Form: Hashable, Sendable {
    case now
    /// With an offset.
    case absolute
    /// `--in`.
    case relative
    /// The board's clock, read once.
    case wallClock
  }

  /// nil: at once.
  var fireDate: Instant?
  /// `--in` of what fires once: it runs on a clock that no step moves (T9).
  var fireIn: Int64?
  var unit: RepeatUnit?
  var calendar: String?
  var form: Form

  /// How the answer calls it, so that nobody expects an alarm clock that travels.
  var mode: String {
    form == .wallClock
      ? "absolute: this instant, floating times are not in this build" : "absolute"
  }

  static func read(
    _ given: Invocation, now: Instant, zone: BoardZone
  ) throws(CommandError) -> Trigger {
    let chosen = [OptionName.at, .inDuration, .now].filter { given.has($0) }
    guard let first = chosen.first else {
      throw .usage("one of --at TIME, --in DURATION and --now is needed")
    }
    if chosen.count > 1 {
      let names = chosen.map { "--" + $0.rawValue }.joined(separator: " and ")
      throw .usage(names + " cannot stand together")
    }
    var trigger = Trigger(form: .now)
    switch first {
    case .at:
      let time = try TimeText.parse(given.value(.at) ?? "", option: .at, now: now, zone: zone)
      trigger.fireDate = time.instant
      trigger.form = time.isWallClock ? .wallClock : .absolute
    case .inDuration:
      let away = try duration(given.value(.inDuration) ?? "")
      trigger.fireDate = now.advanced(by: away)
      trigger.form = .relative
    default: break
    }
    trigger.unit = try unit(given)
    if trigger.form == .relative, trigger.unit == nil {
      trigger.fireIn = try duration(given.value(.inDuration) ?? "")
    }
    trigger.calendar = given.value(.calendar)
    try trigger.checkMode(given)
    return trigger
  }

  private static func duration(_ text: String) throws(CommandError) -> Int64 {
    do throws(FieldError) {
      return try Duration.parse(text, field: "--in")
    } catch {
      if error.code == .outOfRange { throw .refused(error.field + ": " + error.reason) }
      throw .usage(
        "--in: no duration in " + FieldError.quoted(text) + "; write 90s, 10m, 1h30m, 2d")
    }
  }

  private static func unit(_ given: Invocation) throws(CommandError) -> RepeatUnit? {
    guard let name = given.value(.repeatUnit) else { return nil }
    do throws(FieldError) {
      return try RepeatUnit.parse(name, field: "--repeat")
    } catch {
      throw .usage("--repeat: " + error.reason)
    }
  }

  /// A wall clock that repeats by the day would have to follow the zone, which this build cannot;
  /// `--zone-mode absolute` says that UTC is meant.
  private func checkMode(_ given: Invocation) throws(CommandError) {
    let mode = given.value(.zoneMode)
    if let mode, mode != "absolute" {
      let modes = ["absolute", "floating", "zoned"]
      if modes.contains(mode) { throw .notInThisBuild("--zone-mode " + mode) }
      throw .usage(
        "--zone-mode: no mode " + FieldError.quoted(mode)
          + CommandLineParser.suggestion(mode, among: modes, prefix: ""))
    }
    guard form == .wallClock, mode == nil, let unit, unit.isDayOrLonger else { return }
    throw .refused(
      "--at: a clock time that repeats by the " + unit.name + " is a floating time, which is not"
        + " in this build; give it an offset, such as 2027-01-01T07:00+01:00, and it repeats in UTC"
    )
  }
}

extension RepeatUnit {
  fileprivate var isDayOrLonger: Bool {
    switch self {
    case .second, .minute, .hour: false
    default: true
    }
  }
}
