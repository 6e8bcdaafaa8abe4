import BelfryCore

/// The DURATION of `--offset` (E4): `-15m`, `1d`, `-1w`, with a sign in front, or as RFC 5545 writes
/// it. Days and weeks keep the wall clock, so that `1d` and `24h` are not the same.
enum OffsetArgument {
  static func parse(_ text: String) throws(CommandError) -> DueOffset {
    let bytes = Array(text.utf8.prefix(128))
    let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
    let rest = bytes.dropFirst(isSigned ? 1 : 0)
    do throws(FieldError) {
      if let first = rest.first, first | 0x20 == UInt8(ascii: "p") {
        return try DueOffset.parse(text, field: "--offset")
      }
      let sign: Int64 = bytes.first == UInt8(ascii: "-") ? -1 : 1
      let end = rest.lastIndex(where: isNominal).map { $0 + 1 } ?? rest.startIndex
      let (nominal, exact) = (rest[..<end], rest[end...])
      let days = try nanoseconds(nominal, of: text)
      let time = try nanoseconds(exact, of: text)
      guard days % Nanoseconds.day == 0, time % Nanoseconds.second == 0,
        !nominal.isEmpty || !exact.isEmpty
      else { throw FieldError("--offset", .malformed, "") }
      let offset = DueOffset(
        days: sign * (days / Nanoseconds.day), seconds: sign * (time / Nanoseconds.second))
      try offset.check(field: "--offset")
      return offset
    } catch {
      if error.code == .outOfRange { throw .refused("--offset: " + error.reason) }
      let sign = isSigned ? String(text.prefix(1)) : ""
      let words = DurationArgument.meant(String(decoding: rest, as: UTF8.self)).map {
        $0.split(separator: " ").map { $0 == "or" ? "or" : sign + $0 }
      }
      // A fraction of a day or a second is none.
      let meant = words.flatMap { words in
        words.contains(where: { $0.utf8.contains(UInt8(ascii: ".")) })
          ? nil : "; did you mean " + words.joined(separator: " ") + "?"
      }
      throw .usage(
        "--offset: " + FieldError.quoted(text) + " is not a duration"
          + (meant ?? "; use -15m, -1h30m, 1d, -1w or -PT15M"))
    }
  }

  private static func isNominal(_ letter: UInt8) -> Bool {
    letter == UInt8(ascii: "d") || letter == UInt8(ascii: "w")
  }

  /// Of a part of it; nothing is 0.
  private static func nanoseconds(
    _ part: ArraySlice<UInt8>, of text: String
  ) throws(FieldError) -> Int64 {
    guard !part.isEmpty else { return 0 }
    do throws(CommandError) {
      return try DurationArgument.parse(String(decoding: part, as: UTF8.self), "--offset")
    } catch {
      // A number of days that no duration can have is too long for an offset, too.
      throw FieldError(
        "--offset", error.status == .refused ? .outOfRange : .malformed,
        "it must be between -\(DueOffset.most) and +\(DueOffset.most) days")
    }
  }
}
