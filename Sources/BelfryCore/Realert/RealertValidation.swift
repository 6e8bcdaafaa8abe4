extension Notification.Limit {
  /// Nanoseconds between two realerts, and how many there are (E6).
  public static let realertEvery = (10 * Nanoseconds.second)...Nanoseconds.day
  public static let realerts: ClosedRange<Int64> = 1...100
  /// Steps of a ladder, sinks of a step, and nanoseconds until the last step.
  public static let ladder = 8
  public static let sinks = 16
  public static let ladderAfter = Nanoseconds.day
  /// Nanoseconds of `fadeIn` and of `ringFor` (E11).
  public static let fadeIn = 30 * Nanoseconds.minute
  public static let ringFor = Nanoseconds.second...Nanoseconds.hour
}

extension Notification {
  /// E6. Whether the sinks are there is for the scheduler to say: see `checkSinks`.
  func checkAnswering() throws(FieldError) {
    if let realert {
      try Self.checkUnit(of: realert.every, "realert.every", least: 100 * Nanoseconds.millisecond)
      guard Limit.realertEvery.contains(realert.every) else {
        throw FieldError(
          "realert.every", .outOfRange, "it comes again every 10 s to 24 h, such as 5m")
      }
      guard Limit.realerts.contains(realert.atMost) else {
        throw FieldError(
          "realert.atMost", .outOfRange, "the number must be between 1 and 100; left out it is 10")
      }
    }
    guard ladder.count <= Limit.ladder else {
      throw FieldError(
        "ladder", .tooLong, "a ladder has at most \(Limit.ladder) steps, not \(ladder.count)")
    }
    var last: Int64 = -1
    for (index, step) in ladder.enumerated() {
      do throws(FieldError) {
        try step.check(after: last)
      } catch {
        throw error.under(field: "ladder[\(index)]")
      }
      last = step.after
    }
  }

  /// More than a badge, which says no more the second time; what is to be shown may be a push's.
  var hasSomethingToRepeat: Bool {
    alertBody != nil || alertTitle != nil || soundName != nil || !userInfo.isEmpty
      || applicationIconBadgeNumber == 0 || ladder.contains { $0.sound != nil }
  }

  /// `due`, or nil where it expires before: then it is never shown (N19).
  func shown(at due: Instant) -> Instant? {
    guard let expires, region == nil, expires < due else { return due }
    return nil
  }

  /// What of it never comes, since it expires before; `due`: when it is handed over first (N19, E6).
  func outlived(due: Instant) -> [String] {
    guard let expires, region == nil, due != .distantFuture else { return [] }
    guard due <= expires else {
      return [
        repeats
          ? "it expires before it rings again" : "it expires before it is due: it is never shown"
      ]
    }
    var outlived: [String] = []
    if repeats {
      outlived.append("nothing of its repeat is shown after it expires: " + RFC3339.text(expires))
    }
    if let realert, due.advanced(by: realert.every) > expires {
      outlived.append("it expires before it comes again: its realert has no effect")
    }
    let (count, step) = (ladder.count, ladder.firstIndex { due.advanced(by: $0.after) > expires })
    if let step = step.map({ $0 + 1 }) {
      // A step comes at once where no sink takes the one before.
      outlived.append(
        step == count
          ? "it expires before step \(count) of its ladder"
          : "it expires before steps \(step) to \(count) of its ladder")
    }
    return outlived
  }

  /// What of it may never come, since a newer occurrence ends what the one before began (E6).
  var outpaced: [String] {
    guard repeats, region == nil else { return [] }
    let pace = plan(reading: .utc).pace
    // Of a rule of days it is not known how many lie between two.
    guard rules.isEmpty || pace < Nanoseconds.day else { return [] }
    var outpaced: [String] = []
    if let realert, realert.every >= pace {
      outpaced.append("the next may be due before this one comes again: that ends its realert")
    }
    if let step = ladder.firstIndex(where: { $0.after >= pace }) {
      outpaced.append(
        "the next may be due before step \(step + 1) of its ladder: that ends the ladder of this one"
      )
    }
    return outpaced
  }

  /// E11.
  func checkRinging() throws(FieldError) {
    // A minute in seconds would be 60 µs, and half an hour 1.8 ms.
    try Self.checkUnit(of: fadeIn, "fadeIn", least: 10 * Nanoseconds.millisecond)
    guard (0...Limit.fadeIn).contains(fadeIn) else {
      throw FieldError("fadeIn", .outOfRange, "a sound fades in for 0 s to 30 min")
    }
    try Self.checkUnit(of: ringFor, "ringFor", least: 10 * Nanoseconds.millisecond)
    guard ringFor == 0 || Limit.ringFor.contains(ringFor) else {
      throw FieldError("ringFor", .outOfRange, "a sound rings for 1 s to 1 h")
    }
    guard ringFor == 0 || repeatSound == 0 else {
      throw FieldError(
        "ringFor", .conflict, "repeatSound says already how often the sound comes again")
    }
    guard mayHaveSound || (fadeIn == 0 && ringFor == 0) else {
      throw FieldError(fadeIn > 0 ? "fadeIn" : "ringFor", .conflict, "there is no soundName")
    }
  }

  /// Its sound may be played: the speaker is one of its sinks, at once or by a later step.
  public var mayReachSpeaker: Bool { mayReach(Sink.speaker) }

  /// The sink gets it, at once or by a later step, if it wants it.
  func mayReach(_ sink: String) -> Bool {
    let own = ladder.first.flatMap { $0.after == 0 && !$0.sinks.isEmpty ? $0.sinks : nil }
    let later = ladder.filter { $0.after > 0 }.map { $0.sinks }
    return ([own ?? sinks] + later).contains { $0.isEmpty || $0.contains(sink) }
  }

  /// It sounds, at once or by a later step.
  public var mayHaveSound: Bool {
    soundName != nil || ladder.contains { $0.sound != nil || $0.sinks.contains(Sink.speaker) }
  }

  /// The files that it may play, each once; `default` is none.
  public var namedSounds: [String] {
    var names: [String] = []
    for name in [soundName] + ladder.map({ $0.sound }) {
      guard let name, name != Self.defaultSoundName, !names.contains(name) else { continue }
      names.append(name)
    }
    return mayReachSpeaker ? names : []
  }

  /// It, or a step of its ladder, names sinks.
  var namesSinks: Bool { !sinks.isEmpty || ladder.contains { !$0.sinks.isEmpty } }

  /// Throws where it, or a step of its ladder, names a sink which is none of `known`.
  /// `offered`: those that show or sound something.
  func checkSinks(among known: [String], offering offered: [String]) throws(FieldError) {
    try Self.checkSinks(sinks, "sinks", among: known, offered)
    for (index, step) in ladder.enumerated() {
      try Self.checkSinks(step.sinks, "ladder[\(index)].sinks", among: known, offered)
    }
  }

  private static func checkSinks(
    _ names: [String], _ field: String, among known: [String], _ offered: [String]
  ) throws(FieldError) {
    for name in names where !known.contains(name) {
      if name == "all" || name == "*", field == "sinks" {
        throw FieldError(field, .unknown, "there is no sink \"\(name)\"; left out, all get it")
      }
      throw FieldError(
        field, .unknown,
        FieldError.unknownName(name, among: offered, what: "sink") + " (known are "
          + offered.joined(separator: ", ") + ")")
    }
  }

  static func checkSinkNames(_ names: [String]) throws(FieldError) {
    guard names.count <= Limit.sinks else {
      throw FieldError("sinks", .tooLong, "name at most \(Limit.sinks) sinks, not \(names.count)")
    }
    for (place, name) in names.enumerated() {
      try checkName(name, "sinks")
      guard !names[..<place].contains(name) else {
        throw FieldError("sinks", .conflict, "\(FieldError.quoted(name)) stands in the list twice")
      }
    }
  }
}

extension LadderStep {
  /// `last`: when the step before it comes.
  fileprivate func check(after last: Int64) throws(FieldError) {
    // A day in seconds would be 86 ms.
    try Notification.checkUnit(of: after, "after", least: 100 * Nanoseconds.millisecond)
    guard after >= 0, after <= Notification.Limit.ladderAfter else {
      throw FieldError("after", .outOfRange, "a step comes 0 s to 24 h after the first hand-over")
    }
    guard after > last else {
      throw FieldError(
        "after", .conflict, "each step comes later than the one before it, at \(text(last))")
    }
    try Notification.checkSinkNames(sinks)
    try Notification.checkFileName(sound, "sound")
    if let volume, !(volume >= 0 && volume <= 1) {
      throw FieldError("volume", .outOfRange, "the volume must be between 0 and 1")
    }
  }

  private func text(_ duration: Int64) -> String {
    duration == 0 ? "now" : Nanoseconds.text(duration)
  }
}
