extension Notification {
  /// Bounds of the fields, in bytes of UTF-8 unless said otherwise.
  public enum Limit {
    public static let identifier = 128
    public static let alertBody = 16 * 1024
    /// Title, subtitle and action.
    public static let title = 1024
    /// File names, category, thread.
    public static let name = 255
    /// Arguments of one text, and their bytes as JSON on the wire, brackets included.
    public static let arguments = 64
    public static let argumentBytes = 16 * 1024
    /// Either way of zero.
    public static let badge = Int64(Int32.max)
    /// Nanoseconds of `fireIn`: 100 years.
    public static let fireIn = 36_525 * Nanoseconds.day
    /// `every` and `count`.
    public static let times: Int64 = 1_000_000
    /// Dates in `exdate`, and in `rdate`.
    public static let dates = 1000
    /// Nanoseconds of `tolerance`.
    public static let tolerance = Nanoseconds.day
    /// Times that a sound comes again (D11).
    public static let repeatSound: Int64 = 10
    /// Seconds of `late`.
    public static let late: Int64 = 1_000_000_000
    /// Bytes of `userInfo` as JSON on the wire, shortest form, tags and braces included.
    public static let userInfo = 64 * 1024
    /// Arrays and dictionaries inside each other, `userInfo` itself counted.
    public static let depth = 64
  }

  /// This notification if it keeps the rules of N that can be judged without a clock; throws the
  /// first field that does not.
  ///
  /// Nothing is cut. A volume of -0 becomes 0, and dates are put in order, so that equal
  /// notifications are equal bytes. Whether a plugin is there that knows its calendar is for those
  /// to say who can ask one (N6).
  @export(interface)
  public func validated() throws(FieldError) -> Notification {
    if let identifier { try Self.checkIdentifier(identifier) }
    if push != nil { throw Self.pushIsOurs }
    try Self.checkText(alertBody, "alertBody", Limit.alertBody)
    try Self.checkText(alertTitle, "alertTitle", Limit.title)
    try Self.checkText(alertSubtitle, "alertSubtitle", Limit.title)
    try Self.checkText(alertAction, "alertAction", Limit.title)
    try checkArguments()
    try Self.checkFileName(alertLaunchImage, "alertLaunchImage")
    try Self.checkName(category, "category")
    try Self.checkName(threadIdentifier, "threadIdentifier")
    try Self.checkFileName(soundName, "soundName")
    try checkCalendar()
    try checkNumbers()
    try Self.checkSinkNames(sinks)
    try checkAnswering()
    try checkRinging()
    let region = try checkedRegion()
    try checkTimes()
    try checkDays()
    try PropertyList.check(userInfo: userInfo)
    var checked = self
    checked.region = region
    checked.volume += 0
    if rrules.count == 1 { (checked.rrule, checked.rrules) = (rrules[0], []) }
    checked.exdate = exdate.ascending
    checked.rdate = rdate.ascending
    return checked
  }

  /// Throws unless `identifier` has 1 to 128 bytes and no control characters (N1).
  public static func checkIdentifier(
    _ identifier: String, field: String = "identifier"
  ) throws(FieldError) {
    guard !identifier.isEmpty else {
      throw FieldError(field, .malformed, "an identifier has at least one character")
    }
    try checkLength(identifier, field, Limit.identifier)
    try checkControl(identifier, field)
  }

  /// Of a client that sends the field itself.
  static let pushIsOurs = FieldError(
    "push", .conflict, "the daemon says what came as a push: leave it out")

  static func checkText(
    _ text: String?, _ field: String, _ limit: Int
  ) throws(FieldError) {
    guard let text else { return }
    try checkLength(text, field, limit)
    guard !text.utf8.contains(0) else {
      throw FieldError(field, .malformed, "a text must not contain the NUL character")
    }
  }

  /// Throws `FieldError` for a name that is empty, over 255 bytes or has control characters (A2).
  public static func checkName(_ name: String?, _ field: String) throws(FieldError) {
    guard let name else { return }
    guard !name.isEmpty else {
      throw FieldError(field, .malformed, "an empty name names nothing; leave it out")
    }
    try checkLength(name, field, Limit.name)
    try checkControl(name, field)
  }

  /// The same of the name of a file, which is no path (S8).
  public static func checkFileName(_ name: String?, _ field: String) throws(FieldError) {
    try checkName(name, field)
    guard let name else { return }
    guard !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != ".." else {
      throw FieldError(
        field, .malformed, "this is a file name, not a path: / and .. are refused")
    }
  }

  private static func checkLength(
    _ text: String, _ field: String, _ limit: Int
  ) throws(FieldError) {
    let count = text.utf8.count
    guard count <= limit else {
      throw FieldError(field, .tooLong, "at most \(limit) bytes of UTF-8 are allowed, not \(count)")
    }
  }

  private static func checkControl(_ text: String, _ field: String) throws(FieldError) {
    for scalar in text.unicodeScalars where FieldError.isControl(scalar) {
      let code = String(scalar.value, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: 4 - code.utf8.count) + code
      throw FieldError(field, .malformed, "the control character U+\(padded) is not allowed here")
    }
  }

  private func checkCalendar() throws(FieldError) {
    guard let repeatCalendar else { return }
    guard Self.calendars.contains(repeatCalendar) else {
      throw FieldError(
        "repeatCalendar", .unknown,
        FieldError.unknownName(repeatCalendar, among: Self.calendars, what: "calendar"))
    }
    // Only who knows all the days from the first on can count those that were left out.
    if pluginCalendar != nil, count != nil, monthEnd == .skip || gap == .skip {
      throw FieldError(
        "count", .conflict,
        "in a plugin's calendar it does not go with \(gap == .skip ? "gap" : "monthEnd") skip; say "
          + "until when instead")
    }
  }

  /// Every name that `repeatCalendar` may have.
  public static let calendars = gregorianCalendars + calendarsOfPlugins
  /// Calendars whose months, and so all unit arithmetic, are the Gregorian ones (N6).
  static let gregorianCalendars = ["gregorian", "iso8601", "buddhist", "japanese", "roc"]
  /// The others that ICU knows.
  static let calendarsOfPlugins = [
    "chinese", "coptic", "dangi", "ethiopic", "ethiopic-amete-alem", "hebrew", "indian", "islamic",
    "islamic-civil", "islamic-rgsa", "islamic-tbla", "islamic-umalqura", "persian",
  ]

  /// N3, N4, R1.
  private func checkedRegion() throws(FieldError) -> CircularRegion? {
    guard let region else { return nil }
    if fireDate != nil || fireIn != nil {
      throw FieldError(
        "region", .conflict,
        "either a region or \(fireDate != nil ? "fireDate" : "fireIn") says when it is due, not both"
      )
    }
    guard !repeats else {
      throw FieldError(
        repeatField, .conflict,
        "what has a region repeats by its crossings: regionTriggersOnce false")
    }
    do throws(FieldError) {
      return try region.validated()
    } catch {
      throw error.under(field: "region")
    }
  }

  private func checkNumbers() throws(FieldError) {
    guard abs(applicationIconBadgeNumber.clamped) <= Limit.badge else {
      throw FieldError(
        "applicationIconBadgeNumber", .outOfRange,
        "the number must be between -\(Limit.badge) and \(Limit.badge)")
    }
    // Not a number is refused here too: it compares false.
    guard volume >= 0 && volume <= 1 else {
      throw FieldError("volume", .outOfRange, "the volume must be between 0 and 1")
    }
    guard (0...Limit.repeatSound).contains(repeatSound) else {
      throw FieldError(
        "repeatSound", .outOfRange, "a sound comes again 1 to \(Limit.repeatSound) times")
    }
    guard repeatSound == 0 || soundName != nil else {
      throw FieldError("repeatSound", .conflict, "there is no soundName to come again")
    }
    if case .seconds(let seconds) = late, seconds < 0 || seconds > Limit.late {
      throw FieldError(
        "late", .outOfRange, "the seconds must be between 0 and \(Limit.late)")
    }
  }
}

extension Int64 {
  /// This number, or the nearest whose absolute value exists.
  fileprivate var clamped: Int64 { Swift.max(self, -.max) }
}

extension FieldError {
  /// Why a calendar that is not the core's own is refused, and what to do.
  public static func needsPlugin(calendar: String) -> String {
    "the calendar \(quoted(calendar)) comes by a plugin: install libbelfry-calendars.so, which needs"
      + " libicu, in a plugin folder, and give the configuration a section [plugin:calendars] with"
      + " file = calendars"
  }
}
