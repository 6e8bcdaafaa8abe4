/// The rules about when a notification is due, as far as they can be judged without a clock.
extension Notification {
  func checkTimes() throws(FieldError) {
    try checkZone()
    try checkRelative()
    try checkRepeat()
    try checkEnds()
    try checkExpiry()
    guard tolerance >= 0, tolerance <= Limit.tolerance else {
      throw FieldError("tolerance", .outOfRange, "the time must be between 0 and one day")
    }
  }

  /// Whether there is such a zone is for those to say who have its files.
  private func checkZone() throws(FieldError) {
    try Self.checkName(timeZone, "timeZone")
    guard let zoneMode, zoneMode != .absolute, timeZone == nil else { return }
    throw FieldError(
      "timeZone", .missing,
      "the mode \(zoneMode.rawValue) needs the zone whose clocks fireDate is read from")
  }

  private func checkRelative() throws(FieldError) {
    guard let fireIn else { return }
    guard fireIn >= 0, fireIn <= Limit.fireIn else {
      throw FieldError("fireIn", .outOfRange, "the time must be between 0 and 100 years")
    }
    guard !repeats else {
      throw FieldError("fireIn", .conflict, "what repeats goes by the clock: give a fireDate")
    }
    guard mode == .absolute else {
      throw FieldError("fireIn", .conflict, "what goes by a zone's clocks has a fireDate")
    }
  }

  private func checkRepeat() throws(FieldError) {
    guard every >= 1, every <= Limit.times else {
      throw FieldError("every", .outOfRange, "the number must be between 1 and \(Limit.times)")
    }
    guard repeatInterval == nil else { return }
    if every != 1 {
      throw FieldError("every", .conflict, "there is no repeatInterval that it could count")
    }
    if monthEnd != .clamp {
      throw FieldError("monthEnd", .conflict, "there is no repeatInterval that could need it")
    }
    if overlap == .both, !repeats {
      throw FieldError("overlap", .conflict, "what fires once takes the first pass or the last")
    }
  }

  private func checkEnds() throws(FieldError) {
    if let count {
      guard count >= 1, count <= Limit.times else {
        throw FieldError("count", .outOfRange, "the number must be between 1 and \(Limit.times)")
      }
      guard repeats else {
        throw FieldError("count", .conflict, "there is no repeat that it could end")
      }
    }
    guard let until else { return }
    guard repeats else {
      throw FieldError("until", .conflict, "there is no repeat that it could end")
    }
    if let fireDate, until < fireDate {
      throw FieldError("until", .conflict, "it lies before fireDate, so nothing would ever be due")
    }
  }

  private func checkExpiry() throws(FieldError) {
    guard let expires, let fireDate, fireDate != .distantFuture else { return }
    guard expires > fireDate else {
      throw FieldError("expires", .conflict, "it would expire before its fireDate, never shown")
    }
  }

  /// What this build cannot do yet.
  func checkBuild() throws(FieldError) {
    var field: String?
    if timeZone != nil { field = "timeZone" }
    if zoneMode != nil { field = "zoneMode" }
    if every != 1 { field = "every" }
    if until != nil { field = "until" }
    if count != nil { field = "count" }
    if gap != .shift { field = "gap" }
    if overlap != .first { field = "overlap" }
    if monthEnd != .clamp { field = "monthEnd" }
    if tolerance != 0 { field = "tolerance" }
    if let field {
      throw FieldError(field, .notInThisBuild, "this build cannot do what this field asks")
    }
  }
}
