import BelfryCore

extension NotificationCodec {
  /// What can still be read of a content that is not as `encodeContent` wrote it, and the fields that
  /// are lost in whole or in part; nil: nothing can.
  ///
  /// An alarm whose time and text are whole rings, whatever happened to a byte beside them.
  public static func salvageContent(
    _ bytes: [UInt8]
  ) -> (notification: Notification, lost: [String])? {
    var salvage = ContentSalvage(bytes)
    return salvage.run() ? (salvage.notification, salvage.lost) : nil
  }
}

/// Reads a damaged content field by field.
private struct ContentSalvage {
  /// A field's name in the bytes.
  private struct Key {
    /// In `NotificationField.table`, and so in the order of writing.
    var index: Int
    var start: Int
    var value: Int
  }

  private let bytes: [UInt8]
  private(set) var notification = Notification()
  private(set) var lost: [String] = []
  private var found: Set<ByteString> = []

  init(_ bytes: [UInt8]) {
    // What is no UTF-8, or no character of a text, is one sign that nobody can read.
    var signs = String.UnicodeScalarView()
    for sign in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      signs.append(sign.value < 0x20 || sign == "\u{FFFD}" ? "?" : sign)
    }
    self.bytes = Array(String(signs).utf8)
  }

  mutating func run() -> Bool {
    if case .object(let object)? = Self.value(bytes[...]) {
      for member in object.members {
        let index = Self.index(of: member.name) ?? resembling(member.name, in: object)
        if let index, take(member.value, index) { continue }
        lose(index.map { NotificationField.table[$0].name } ?? FieldError.path(of: member.name))
      }
    } else {
      readPieces()
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

  /// The field whose name differs in one byte and is missing.
  private func resembling(_ name: String, in object: JSONObject) -> Int? {
    let bytes = Array(name.utf8)
    return NotificationField.table.indices.first { index in
      let known = NotificationField.table[index].name
      guard known.utf8.count == bytes.count, object[known] == nil else { return false }
      return zip(known.utf8, bytes).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) } == 1
    }
  }

  // MARK: Pieces of what is no JSON

  /// A value reaches to one of the names behind it, whichever makes it one. Names that are not in the
  /// order of writing are those of another's userInfo.
  private mutating func readPieces() {
    let keys = keys()
    var next = 0
    var last = -1
    while next < keys.count {
      let key = keys[next]
      next += 1
      guard key.index > last else { continue }
      last = key.index
      if let end = readWhole(key, keys, from: next) {
        next = end
        continue
      }
      lose(NotificationField.table[key.index].name)
      while next < keys.count, keys[next].index <= key.index { next += 1 }
      let end = next < keys.count ? keys[next].start : bytes.count
      if let text = Self.text(piece(key.value, end)) { _ = take(.string(text), key.index) }
    }
  }

  /// Between a colon and what stands before the next name or the end: a comma or brace, or what became
  /// of it.
  private func piece(_ start: Int, _ end: Int) -> ArraySlice<UInt8> {
    start < end ? bytes[start..<end - 1] : []
  }

  /// The number of the key behind a value that is whole; nil: it is not.
  private mutating func readWhole(_ key: Key, _ keys: [Key], from next: Int) -> Int? {
    // Few names are in a row, but userInfo may be full of them.
    let ends = (next..<min(keys.count, next + 16)).filter { keys[$0].index > key.index }
    for end in ends + [keys.count] {
      let place = end < keys.count ? keys[end].start : bytes.count
      if let value = Self.value(piece(key.value, place)), take(value, key.index) { return end }
    }
    return nil
  }

  /// All names in the bytes, in their order, with one byte of each or of the signs around it damaged at
  /// most.
  private func keys() -> [Key] {
    var keys: [Key] = []
    for (index, field) in NotificationField.table.enumerated() {
      let name = Array(field.name.utf8)
      guard name.count + 3 <= bytes.count else { continue }
      for start in 0...bytes.count - name.count - 3 where isKey(name, at: start) {
        keys.append(Key(index: index, start: start, value: start + name.count + 3))
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
