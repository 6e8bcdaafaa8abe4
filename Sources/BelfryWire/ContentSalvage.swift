import BelfryCore

extension NotificationCodec {
  /// What can still be read of a content that is not as `encodeContent` wrote it, and the fields that
  /// are lost in whole or in part; nil: nothing can.
  ///
  /// An alarm whose time and text are whole rings, whatever happened to a byte beside them.
  @export(interface)
  public static func salvageContent(
    _ bytes: [UInt8]
  ) -> (notification: Notification, lost: [String])? {
    var salvage = ContentSalvage(bytes, sign: "?")
    guard salvage.run() else { return nil }
    // What reads otherwise where another sign stands for the unreadable ones has one of them.
    var other = ContentSalvage(bytes, sign: "!")
    if other.isAltered, other.run() { salvage.loseDifferences(from: other.notification) }
    return (salvage.notification, salvage.lost)
  }
}

/// Reads a damaged content field by field.
private struct ContentSalvage {
  /// A field's name in the bytes.
  private struct Key {
    /// In `NotificationField.table`, and so in the order of writing.
    var index: Int
    var start: Int
  }

  private let bytes: [UInt8]
  private(set) var notification = Notification()
  private(set) var lost: [String] = []
  private var found: Set<ByteString> = []
  /// `sign` stands somewhere.
  let isAltered: Bool

  /// `sign` comes in place of what is no UTF-8, or no character of a text.
  init(_ bytes: [UInt8], sign: Unicode.Scalar) {
    var signs = String.UnicodeScalarView()
    for read in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      signs.append(read.value < 0x20 || read == "\u{FFFD}" ? sign : read)
    }
    self.bytes = Array(String(signs).utf8)
    isAltered = self.bytes != bytes
  }

  mutating func run() -> Bool {
    if case .object(let object)? = Self.value(bytes[...]) {
      for member in object.members {
        let index = Self.index(of: member.name) ?? resembling(member.name, in: object)
        if let index, take(member.value, index) { continue }
        lose(index.map { NotificationField.table[$0].name } ?? FieldError.path(of: member.name))
      }
    } else {
      readAround()
    }
    return !found.isEmpty
  }

  private mutating func take(_ value: JSONValue, _ index: Int) -> Bool {
    let field = NotificationField.table[index]
    var changed = notification
    do throws(FieldError) {
      try field.read(&changed, FieldReader(name: field.name, value: value))
    } catch {
      return false
    }
    notification = changed
    found.insert(field.name)
    return true
  }

  mutating func loseDifferences(from other: Notification) {
    for field in NotificationField.table where field.write(notification) != field.write(other) {
      lose(field.name)
    }
  }

  private mutating func lose(_ name: String) {
    if !lost.contains(name) { lost.append(name) }
  }

  private static func value(_ bytes: ArraySlice<UInt8>) -> JSONValue? {
    try? JSONValue.parse(Array(bytes), depthLimit: JSONValue.depthLimit + 1)
  }

  // MARK: Names

  private static func index(of name: String) -> Int? {
    NotificationField.table.firstIndex { $0.name == name }
  }

  /// A byte that became a backslash makes these of the letter behind it.
  private static let escaped: [UInt8: UInt8] = [
    0x08: UInt8(ascii: "b"), 0x09: UInt8(ascii: "t"), 0x0A: UInt8(ascii: "n"),
    0x0C: UInt8(ascii: "f"), 0x0D: UInt8(ascii: "r"),
  ]

  /// The field whose name differs in one byte and is missing.
  private func resembling(_ name: String, in object: JSONObject) -> Int? {
    let bytes = name.utf8.flatMap { byte in
      Self.escaped[byte].map { [UInt8(ascii: "\\"), $0] } ?? [byte]
    }
    return NotificationField.table.indices.first { index in
      let known = NotificationField.table[index].name
      guard known.utf8.count == bytes.count, object[known] == nil else { return false }
      return zip(known.utf8, bytes).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) } == 1
    }
  }

  // MARK: What is no JSON

  /// What stands before the damage is an object of its own, once a brace is put to it, and so is what
  /// stands behind it. Between the two lies one member, or what became of it.
  private mutating func readAround() {
    let keys = keys()
    var (low, high) = (1, bytes.count)
    var before: [(index: Int, value: JSONValue)] = []
    for key in Self.ends(of: keys).reversed() where key.start > 1 {
      guard let members = Self.members(bytes[..<(key.start - 1)] + "}".utf8, after: -1) else {
        continue
      }
      (before, low) = (members, key.start)
      break
    }
    let last = before.last?.index ?? -1
    var behind: [(index: Int, value: JSONValue)] = []
    for key in Self.ends(of: keys.filter { $0.start >= low }) {
      guard let members = Self.members("{".utf8 + bytes[key.start...], after: last) else {
        continue
      }
      (behind, high) = (members, key.start)
      break
    }
    for member in before + behind where !take(member.value, member.index) {
      lose(NotificationField.table[member.index].name)
    }
    if high - 1 > low { readDamaged(low..<high - 1) }
  }

  /// Few names are in a row, and stand at its beginning or its end: but userInfo may be full of them.
  private static func ends(of keys: [Key]) -> [Key] {
    let few = 64
    return keys.count <= 2 * few ? keys : Array(keys.prefix(few) + keys.suffix(few))
  }

  /// Of an object whose names are fields in the order of writing, all of them behind `last`; nil: it is
  /// none, such as the inside of a userInfo.
  private static func members(
    _ bytes: some Sequence<UInt8>, after last: Int
  ) -> [(index: Int, value: JSONValue)]? {
    guard case .object(let object)? = value(Array(bytes)[...]) else { return nil }
    var members: [(index: Int, value: JSONValue)] = []
    for member in object.members {
      guard let index = index(of: member.name), index > members.last?.index ?? last else {
        return nil
      }
      members.append((index, member.value))
    }
    return members
  }

  private mutating func readDamaged(_ place: Range<Int>) {
    let fields = NotificationField.table
    let index = fields.indices.first { index in
      let name = Array(fields[index].name.utf8)
      return name.count + 3 <= place.count && isKey(name, at: place.lowerBound)
    }
    guard let index else { return lose("a field whose name is gone") }
    let piece = bytes[(place.lowerBound + fields[index].name.utf8.count + 3)..<place.upperBound]
    if let value = Self.value(piece), take(value, index) { return }
    lose(fields[index].name)
    if let text = Self.text(piece) { _ = take(.string(text), index) }
  }

  /// All names in the bytes, in their order, with one byte of each or of the signs around it damaged at
  /// most.
  private func keys() -> [Key] {
    // The quote in front is whole, or the signs behind are.
    let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") }
    let ends = quotes.filter { $0 + 1 < bytes.count && bytes[$0 + 1] == UInt8(ascii: ":") }
    var keys: [Key] = []
    for (index, field) in NotificationField.table.enumerated() {
      let name = Array(field.name.utf8)
      let starts = Set<Int>(quotes).union(ends.map { $0 - name.count - 1 })
      for start in starts where start >= 0 && start + name.count + 3 <= bytes.count {
        if isKey(name, at: start) { keys.append(Key(index: index, start: start)) }
      }
    }
    return keys.sorted { $0.start < $1.start }
  }

  private func isKey(_ name: [UInt8], at start: Int) -> Bool {
    let end = start + 1 + name.count
    var damage = bytes[start] == UInt8(ascii: "\"") ? 0 : 1
    if bytes[end] != UInt8(ascii: "\"") { damage += 1 }
    if bytes[end + 1] != UInt8(ascii: ":") { damage += 1 }
    for place in name.indices where damage <= 1 && bytes[start + 1 + place] != name[place] {
      damage += 1
    }
    return damage <= 1
  }

  /// A text whose quotes or escapes may be damaged; nil: it is none.
  private static func text(_ piece: ArraySlice<UInt8>) -> String? {
    guard piece.count > 2 else { return nil }
    let inner = Array(piece.dropFirst().dropLast())
    var plain: [UInt8] = [UInt8(ascii: "\"")]
    var place = 0
    while place < inner.count {
      let byte = inner[place]
      let length = byte == UInt8(ascii: "\\") ? escape(inner, place) : 1
      if length == 0 {
        plain.append(UInt8(ascii: "?"))
      } else if byte == UInt8(ascii: "\"") {
        plain += [UInt8(ascii: "\\"), byte]
      } else {
        plain += inner[place..<place + length]
      }
      place += max(1, length)
    }
    guard case .string(let text)? = value((plain + [UInt8(ascii: "\"")])[...]) else { return nil }
    return text
  }

  /// The length of the escape at `place`; 0: it is none.
  private static func escape(_ bytes: [UInt8], _ place: Int) -> Int {
    for length in [2, 6] where place + length <= bytes.count {
      let quoted = [UInt8(ascii: "\"")] + bytes[place..<place + length] + [UInt8(ascii: "\"")]
      if value(quoted[...]) != nil { return length }
    }
    return 0
  }
}
