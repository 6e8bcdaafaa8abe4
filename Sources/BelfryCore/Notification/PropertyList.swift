/// A value of `userInfo` (N12): property-list types only, kept apart from each other.
public indirect enum PropertyList: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case double(Double)
  case boolean(Bool)
  case date(Instant)
  case data([UInt8])
  case array([PropertyList])
  case dictionary([ByteString: PropertyList])
}

extension PropertyList {
  /// Texts are equal where their bytes are (A4).
  public static func == (left: PropertyList, right: PropertyList) -> Bool {
    switch (left, right) {
    case (.string(let left), .string(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.dictionary(let left), .dictionary(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .string(let text): hasher.combine(ByteString(text))
    case .integer(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number)
    case .boolean(let flag): hasher.combine(flag)
    case .date(let instant): hasher.combine(instant)
    case .data(let bytes): hasher.combine(bytes)
    case .array(let elements): hasher.combine(elements)
    case .dictionary(let pairs): hasher.combine(pairs)
    }
  }
}
