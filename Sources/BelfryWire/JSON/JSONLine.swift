import BelfryCore

/// An object that is written as it grows, without a tree in between.
///
/// For what is said often, and by programs that read no JSON: a `JSONValue` brings its doubles and
/// their tables along. Names are ours, and come once each.
public struct JSONLine {
  private var bytes: [UInt8] = []
  private var start = 0

  public init() {
    self.init(after: "", capacity: 128)
  }

  /// `prefix` stands before the object.
  init(after prefix: StaticString, capacity: Int) {
    bytes.reserveCapacity(capacity)
    prefix.withUTF8Buffer { bytes.append(contentsOf: $0) }
    start = bytes.count
  }

  public mutating func append(_ name: StaticString, _ text: String) {
    begin(name)
    JSONValue.write(text, to: &bytes)
  }

  /// nil: null.
  public mutating func append(_ name: StaticString, orNull text: String?) {
    if let text { return append(name, text) }
    begin(name)
    bytes.append(contentsOf: "null".utf8)
  }

  /// nil: null.
  public mutating func append(_ name: StaticString, orNull number: Int64?) {
    if let number { return append(name, number) }
    begin(name)
    bytes.append(contentsOf: "null".utf8)
  }

  public mutating func append(_ name: StaticString, _ number: Int64) {
    begin(name)
    JSONValue.write(number, to: &bytes)
  }

  /// A number with a fraction, not negative.
  public mutating func append(_ name: StaticString, thousandths: Int64) {
    begin(name)
    JSONValue.write(thousandths / 1000, to: &bytes)
    bytes.append(UInt8(ascii: "."))
    var rest = thousandths % 1000
    repeat {
      bytes.append(0x30 + UInt8(rest / 100))
      rest = rest % 100 * 10
    } while rest > 0
  }

  public mutating func append(_ name: StaticString, _ flag: Bool) {
    begin(name)
    bytes.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  public mutating func append(_ name: StaticString, _ texts: [String]) {
    begin(name)
    list(texts.count) { JSONValue.write(texts[$0], to: &$1) }
  }

  public mutating func append(_ name: StaticString, _ objects: [JSONLine]) {
    begin(name)
    list(objects.count) { $1.append(contentsOf: objects[$0].encoded) }
  }

  mutating func append(_ name: StaticString, _ id: OccurrenceID) {
    begin(name)
    bytes.append(UInt8(ascii: "\""))
    id.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  public var text: String {
    String(decoding: encoded, as: UTF8.self)
  }

  var encoded: [UInt8] { ended(by: "") }

  /// The whole, with what follows the object.
  consuming func ended(by suffix: StaticString) -> [UInt8] {
    if bytes.count == start { bytes.append(UInt8(ascii: "{")) }
    bytes.append(UInt8(ascii: "}"))
    suffix.withUTF8Buffer { bytes.append(contentsOf: $0) }
    return bytes
  }

  private mutating func begin(_ name: StaticString) {
    bytes.append(bytes.count == start ? UInt8(ascii: "{") : UInt8(ascii: ","))
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: "\":".utf8)
  }

  private mutating func list(_ count: Int, _ item: (Int, inout [UInt8]) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      item(index, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
