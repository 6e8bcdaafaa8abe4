import BelfryCore
import BelfryWire

/// Makes a notification of the options that say what is delivered.
enum NotificationReader {
  /// Judged by the same rules as in the daemon, so that what is wrong is said without one.
  static func read(
    _ given: Invocation, trigger: Trigger, now: Instant
  ) throws(CommandError) -> Notification {
    let something: [OptionName] = [.body, .title, .sound, .badge, .userInfo]
    guard something.contains(where: { given.has($0) }) else {
      throw .usage(
        "something to deliver is needed: --body, --title, --sound, --badge or --user-info")
    }
    let draft = try draft(given, trigger: trigger, now: now)
    // The steps of a ladder may sound.
    let ofSounds: [OptionName] = given.has(.ladder) ? [] : [.volume, .ringFor, .fadeIn]
    for option in ofSounds + [.repeatSound]
    where given.has(option) && !given.has(.sound) && (option != .volume || draft.volume != 1) {
      throw .usage("--\(option.rawValue) needs --sound NAME")
    }
    do throws(FieldError) {
      return try draft.validated()
    } catch {
      throw .refused(error, .notification)
    }
  }

  /// What the options say, whether it makes a notification or not.
  static func draft(
    _ given: Invocation, trigger: Trigger, now: Instant
  ) throws(CommandError) -> Notification {
    if given.has(.action) && given.has(.noAction) {
      throw .usage("--action and --no-action cannot stand together")
    }
    var draft = trigger.draft
    try checkSound(given)
    try addTexts(given, to: &draft)
    draft.applicationIconBadgeNumber = try given.integer(.badge) ?? 0
    draft.userInfo = try userInfo(given)
    if let word = given.value(.level), let meant = Synonyms.level(word), meant != word {
      throw .usage(
        "--level: there is no level \(FieldError.quoted(word)); did you mean \(meant)? (one of "
          + InterruptionLevel.allCases.map { $0.rawValue }.joined(separator: ", ") + ")")
    }
    draft.interruptionLevel = try given.choice(.level, "level") ?? .active
    draft.volume =
      try given.value(.volume).map { text throws(CommandError) in
        try share(text, "--volume")
      } ?? 1
    draft.repeatSound = try given.integer(.repeatSound) ?? 0
    draft.fadeIn = try given.duration(.fadeIn) ?? 0
    draft.ringFor = try given.duration(.ringFor) ?? 0
    // On the wire nothing is none.
    if given.has(.ringFor), draft.ringFor == 0 {
      throw .refused("--ring-for: a sound rings for 1 s to 1 h; leave it out to play it once")
    }
    if given.has(.repeatSound), draft.repeatSound == 0 {
      throw .refused(
        "--repeat-sound: a sound comes again 1 to 10 times; leave it out to play it once")
    }
    if given.has(.repeatSound), given.has(.ringFor) {
      throw .usage("--repeat-sound and --ring-for cannot stand together")
    }
    draft.realert = try realert(given)
    draft.sinks = try given.names(.to)
    if let text = given.value(.ladder) { draft.ladder = try LadderText.read(text) }
    if given.has(.to), draft.ladder.first.map({ $0.after == 0 && !$0.sinks.isEmpty }) ?? false {
      throw .usage("--to and a step at now cannot stand together: both say who gets it first")
    }
    try DaysArguments.set(given, in: &draft)
    draft.late = try late(given)
    draft.tolerance = try tolerance(given)
    if let text = given.value(.expires) {
      draft.expires = try expiry(text, trigger, now)
      draft.datesAreOld = draft.hasOldDates
    }
    return draft
  }

  /// A name that no file can have, and what to write instead.
  private static func checkSound(_ given: Invocation) throws(CommandError) {
    guard let name = given.value(.sound) else { return }
    let shown = "--sound: " + FieldError.quoted(name)
    let isEdit = given.command.name == "edit"
    if ["none", "no", "off", "silent"].contains(name.lowercased()) || isEdit && name.isEmpty {
      throw .refused(
        shown + " is no sound; for silence "
          + (isEdit ? "write --clear sound" : "leave it out"))
    }
    let standard = Notification.defaultSoundName
    if name != standard, name.lowercased() == standard {
      throw .refused(shown + " is no file; did you mean \(standard)?")
    }
    if name.utf8.contains(UInt8(ascii: "/")), let file = name.split(separator: "/").last {
      throw .refused(
        shown + " is a path; put the file into a sound folder (belfry help sound) and write"
          + " --sound " + file)
    }
  }

  /// A time, or so long after it is due the first time.
  private static func expiry(
    _ text: String, _ trigger: Trigger, _ now: Instant
  ) throws(CommandError) -> Instant {
    if DurationArgument.isMeant(text) { _ = try DurationArgument.parse(text, "--expires") }
    let span = try? DurationArgument.parse(text, "")
    if span != nil, trigger.draft.repeats || trigger.kept?.repeats ?? false {
      throw .usage(
        "--expires: of a repeat it is one moment, and nothing comes after it; to leave out what comes"
          + " so late write --late " + text)
    }
    guard let span else {
      // A number alone may be seconds or minutes.
      if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
        TimeHint.of(text, "--expires", now: now, zone: trigger.zone) == nil
      {
        _ = try DurationArgument.parse(text, "--expires")
      }
      return try TimeText.parseEnd(text, option: .expires, now: now, zone: trigger.zone)
        .instant(in: trigger.zone)
    }
    let new = trigger.draft.reading(
      scheduledAt: now, named: trigger.named.rules, board: trigger.zone.rules)
    let reading = trigger.isNow ? trigger.kept?.reading ?? new : new
    let due = reading.timetable().first(after: now.advanced(by: -1))
    return (due?.instant ?? now).advanced(by: span)
  }

  private static func addTexts(
    _ given: Invocation, to draft: inout Notification
  ) throws(CommandError) {
    draft.hasAction = !given.has(.noAction)
    for spec in OptionTable.all where spec.isCopied {
      guard let field = spec.field, let text = given.value(spec.name) else { continue }
      do throws(FieldError) {
        try NotificationCodec.set(field, to: .string(text), in: &draft)
      } catch {
        throw .refused(error, .notification)
      }
    }
  }

  private static func realert(_ given: Invocation) throws(CommandError) -> Realert? {
    let count = try given.integer(.realertAtMost)
    guard let every = try given.duration(.realert) else {
      guard count == nil else {
        throw .usage("--realert-at-most: it needs --realert DURATION beside it")
      }
      return nil
    }
    return Realert(every: every, atMost: count ?? Realert.usualCount)
  }

  /// A volume: a share, or so many per cent. `written` names it in an error.
  static func share(_ text: String, _ written: String) throws(CommandError) -> Double {
    let isPercent = text.hasSuffix("%")
    let digits = isPercent ? String(text.dropLast()) : text
    if let value = try? JSONValue.parse(digits), let number = value.number {
      let share = isPercent ? number / 100 : number
      if share >= 0, share <= 1 { return share }
      let range = isPercent ? "0% to 100%" : "0 to 1"
      let meant = !isPercent && number >= 2 && number <= 100 ? "; did you mean \(digits)%?" : ""
      throw .outOfRange(
        written + ": " + FieldError.quoted(text) + " is not within " + range + meant)
    }
    throw .usage(written + ": " + FieldError.quoted(text) + " is not a volume; use 0.5 or 50%")
  }

  /// Seconds, or a duration.
  private static func tolerance(_ given: Invocation) throws(CommandError) -> Int64 {
    guard let text = given.value(.tolerance) else { return 0 }
    if let seconds = Int64(text) {
      let (product, overflow) = seconds.multipliedReportingOverflow(by: Nanoseconds.second)
      return overflow ? .max : product
    }
    let isFraction = text.utf8.contains(UInt8(ascii: "."))
    if isFraction, text.utf8.allSatisfy({ $0 == 0x2E || 0x30...0x39 ~= $0 }) {
      throw .usage(
        "--tolerance: \(FieldError.quoted(text)) has no unit; did you mean \(text)s?")
    }
    let span = try given.duration(.tolerance) ?? 0
    guard span == 0 || span >= 10 * Nanoseconds.millisecond else {
      throw .refused("--tolerance: it is at least 0.01s; leave it out to be on time")
    }
    return span
  }

  private static func late(_ given: Invocation) throws(CommandError) -> LatePolicy? {
    guard let text = given.value(.late) else { return nil }
    if let policy = try? LatePolicy.parse(text, field: "") { return policy }
    guard text.utf8.contains(where: { 0x30...0x39 ~= $0 }) else {
      let synonym = Synonyms.latePolicy(text).map { "; did you mean \($0)?" }
      let meant =
        synonym ?? CommandLineParser.suggestion(text, among: ["fire", "drop"], prefix: "")
      throw .usage(
        "--late: " + FieldError.quoted(text) + " is not fire, drop or a duration such as 10m"
          + meant)
    }
    return .seconds(try DurationArgument.parse(text, "--late") / Nanoseconds.second)
  }

  private static let object = " (a JSON object, such as '{\"room\": 3}')"

  /// `@file`, `{'a': 1}` and `room=3`, as other programs take them; nil: it is none.
  private static func pair(_ text: String) -> String? {
    if text.hasPrefix("@") {
      return FieldError.quoted(text) + " is not JSON; what a file has is given as"
        + " --user-info \"$(cat \(text.dropFirst()))\""
    }
    let doubled = String(
      decoding: text.utf8.map { $0 == UInt8(ascii: "'") ? UInt8(ascii: "\"") : $0 },
      as: UTF8.self)
    if doubled != text, case .object? = try? JSONValue.parse(doubled) {
      return "JSON has double quotes; did you mean \(ShellQuoting.single(doubled))?"
    }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let isPlain = { (byte: UInt8) in byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F }
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isPlain) else { return nil }
    let given = String(parts[1])
    var value = (try? JSONValue.parse(given)) ?? .string(given)
    if case .null = value { value = .string(given) }
    let meant = ShellQuoting.single("{\"\(parts[0])\": \(value.text)}")
    return FieldError.quoted(text) + " is not JSON; did you mean \(meant)?"
  }

  private static func userInfo(
    _ given: Invocation
  ) throws(CommandError) -> [ByteString: PropertyList] {
    guard let text = given.value(.userInfo) else { return [:] }
    let value: JSONValue
    do throws(WireError) {
      value = try JSONValue.parse(text)
    } catch {
      throw .usage("--user-info: " + (pair(text) ?? error.reason + object))
    }
    guard value.object != nil else {
      throw .usage(
        "--user-info: " + (value.string == nil ? FieldError.quoted(text) : "a string")
          + " is not a JSON object, such as '{\"room\": 3}'")
    }
    do throws(FieldError) {
      // The codec takes a whole notification, and names what is wrong by its path in it.
      return try NotificationCodec.decode(JSONObject(dictionaryLiteral: ("userInfo", value)))
        .userInfo
    } catch {
      throw .refused(error, .notification)
    }
  }
}
