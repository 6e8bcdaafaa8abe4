import BelfryCore
import BelfryWire

/// Places of the command line: decimal numbers parted by commas, degrees north and east.
enum PlaceText {
  /// What `--on` may say.
  enum Crossing: String, CaseIterable, Sendable {
    case enter, exit, both
  }

  /// `LAT,LON,METRES` with `--on`.
  static func region(_ given: Invocation) throws(CommandError) -> CircularRegion {
    let numbers = try numbers(
      given.value(.region) ?? "", count: 3, "--region", form: "LAT,LON,METRES")
    let crossing: Crossing = try given.choice(.on, "crossing") ?? .both
    return CircularRegion(
      latitude: numbers[0], longitude: numbers[1], radius: numbers[2],
      notifyOnEntry: crossing != .exit, notifyOnExit: crossing != .enter)
  }

  /// `LAT,LON`.
  static func place(
    _ text: String
  ) throws(CommandError) -> (latitude: Double, longitude: Double) {
    let numbers = try numbers(text, count: 2, "LAT,LON", form: "LAT,LON")
    return (numbers[0], numbers[1])
  }

  /// A decimal number; `written` names it in an error.
  static func number(_ text: String, _ written: String) throws(CommandError) -> Double {
    if let value = try? JSONValue.parse(text), let number = value.number { return number }
    throw .usage(written + ": " + FieldError.quoted(text) + " is not a number")
  }

  private static func numbers(
    _ text: String, count: Int, _ written: String, form: String
  ) throws(CommandError) -> [Double] {
    if let numbers = read(text, count: count) { return numbers }
    let isKilometres = text.hasSuffix("km")
    let bare = text.hasSuffix("m") ? String(text.dropLast(isKilometres ? 2 : 1)) : ""
    var plain = bare.hasSuffix(" ") ? String(bare.dropLast()) : bare
    if isKilometres, let place = read(plain, count: 3) {
      plain =
        place[..<2].map { CircularRegion.text($0) }.joined(separator: ",") + ","
        + CircularRegion.text(place[2] * 1000)
    }
    let example = "such as 52.52,13.405" + (count == 3 ? ",100" : "")
    throw .usage(
      written + ": " + FieldError.quoted(text) + " is not " + form
        + (count == 3 && read(plain, count: 3) != nil
          ? "; did you mean \(plain)?" : " " + example))
  }

  private static func read(_ text: String, count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { (try? JSONValue.parse(String($0)))?.number }
    return numbers.count == count && parts.count == count ? numbers : nil
  }
}

extension Notification {
  /// `when the board enters 100 m around 52.52,13.405`; nil: it has no region.
  var crossingWords: String? {
    guard let region else { return nil }
    let once = regionTriggersOnce ? "" : ", every time"
    return "when the board " + region.crossingWord(enters: "enters", leaves: "leaves") + " "
      + region.placeWords + once
  }
}

extension CircularRegion {
  /// `enters or leaves`, by what fires.
  func crossingWord(enters: String, leaves: String) -> String {
    switch (notifyOnEntry, notifyOnExit) {
    case (true, false): enters
    case (false, true): leaves
    default: enters + " or " + leaves
    }
  }

  /// `100 m around 52.52,13.405`.
  var placeWords: String {
    Self.text(radius) + " m around " + Self.text(latitude) + "," + Self.text(longitude)
  }

  /// Without a fraction that is none.
  fileprivate static func text(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
