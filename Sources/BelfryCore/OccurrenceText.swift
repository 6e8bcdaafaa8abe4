extension UUIDBits {
  /// Lower-case hexadecimal in groups of 8-4-4-4-12 (RFC 9562).
  public var text: String {
    var text = ""
    text.reserveCapacity(36)
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { text += "-" }
      let half = digit < 16 ? high : low
      text += String((half >> UInt64(60 - digit % 16 * 4)) & 15, radix: 16)
    }
    return text
  }
}

extension OccurrenceID {
  /// `<uuid>.<generation>.<k>` (D7).
  public var text: String { "\(uuid.text).\(generation).\(k)" }

  /// The id of this occurrence's delivery to a sink (D7).
  public func delivery(to sink: String) -> String { "\(text)@\(sink)" }
}
