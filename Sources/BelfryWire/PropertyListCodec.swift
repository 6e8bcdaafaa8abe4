import BelfryCore

/// `userInfo` as JSON: property-list types kept apart (N12).
///
/// Strings, booleans, arrays and objects are themselves; a number without fraction and exponent is
/// an integer, every other a double. Dates and data are objects with one tag, `{"$date": int}` in
/// microseconds since 1970 UTC and `{"$data": "base64"}`; a key of the user's own that begins with
/// `$` is written with one more in front.
public enum PropertyListCodec {
  /// The JSON of a dictionary, keys in order of their bytes; equal dictionaries give equal JSON.
  @export(interface)
  public static func encode(_ pairs: [ByteString: PropertyList]) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(pairs.count)
    for (key, value) in pairs {
      let name = key.utf8.first == dollar ? "$" + key.text : key.text
      members.append(JSONObject.Member(name: name, value: encode(value)))
    }
    members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    return JSONObject(unique: members)
  }

  /// The JSON of one value.
  @export(interface)
  public static func encode(_ value: PropertyList) -> JSONValue {
    switch value {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    // Minus zero equals zero, so it is written like it.
    case .double(let number): .double(number == 0 ? 0 : number)
    case .boolean(let flag): .boolean(flag)
    case .date(let instant): tagged("$date", .integer(instant.microseconds))
    case .data(let bytes): tagged("$data", .string(Base64.encode(bytes)))
    case .array(let elements): .array(elements.map { encode($0) })
    case .dictionary(let pairs): .object(encode(pairs))
    }
  }

  /// Reads a dictionary; throws a `FieldError` with the path inside it, such as `.rooms[3]`, empty
  /// for the dictionary itself.
  @export(interface)
  public static func decode(_ value: JSONValue) throws(FieldError) -> [ByteString: PropertyList] {
    guard case .dictionary(let pairs) = try decode(value, depth: 1) else {
      throw FieldError("", .wrongType, "this must be an object of the user's own keys")
    }
    return pairs
  }

  /// Reads the elements of an array; an error has the index, such as `[3]`.
  @export(interface)
  public static func decode(
    elements: [JSONValue]
  ) throws(FieldError) -> [PropertyList] {
    try decode(elements, depth: 1)
  }

  private static let dollar = UInt8(ascii: "$")

  private static func tagged(_ tag: String, _ value: JSONValue) -> JSONValue {
    .object(JSONObject(unique: [JSONObject.Member(name: tag, value: value)]))
  }

  private static func decode(_ value: JSONValue, depth: Int) throws(FieldError) -> PropertyList {
    switch value {
    case .null:
      throw FieldError("", .wrongType, "null is no property-list type; leave the key out")
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .double(let number): return .double(number)
    case .string(let text): return .string(text)
    case .array(let items):
      try checkDepth(depth)
      return .array(try decode(items, depth: depth))
    case .object(let object):
      if let leaf = try leaf(object) { return leaf }
      try checkDepth(depth)
      return .dictionary(try decode(object, depth: depth))
    }
  }

  private static func decode(
    _ items: [JSONValue], depth: Int
  ) throws(FieldError) -> [PropertyList] {
    var elements: [PropertyList] = []
    elements.reserveCapacity(items.count)
    for item in items {
      do throws(FieldError) {
        elements.append(try decode(item, depth: depth + 1))
      } catch {
        throw error.under(index: elements.count)
      }
    }
    return elements
  }

  private static func decode(
    _ object: JSONObject, depth: Int
  ) throws(FieldError) -> [ByteString: PropertyList] {
    var pairs = [ByteString: PropertyList](minimumCapacity: object.members.count)
    for member in object.members {
      do throws(FieldError) {
        pairs[ByteString(try key(member.name))] = try decode(member.value, depth: depth + 1)
      } catch {
        throw error.under(key: member.name)
      }
    }
    return pairs
  }

  private static func key(_ name: String) throws(FieldError) -> String {
    guard name.utf8.first == dollar else { return name }
    guard name.utf8.dropFirst().first == dollar else {
      throw FieldError(
        "", .malformed,
        "a key of your own that begins with $ is written with $$; the tags are"
          + " {\"$date\": microseconds} and {\"$data\": \"base64\"}, each alone in its object")
    }
    return String(name.unicodeScalars.dropFirst())
  }

  /// The date or data that an object with one tag stands for; nil for other objects.
  private static func leaf(_ object: JSONObject) throws(FieldError) -> PropertyList? {
    guard object.members.count == 1, object.members[0].name.utf8.first == dollar else {
      return nil
    }
    switch (object.members[0].name, object.members[0].value) {
    case ("$date", .integer(let microseconds)):
      guard let instant = Instant(microseconds: microseconds) else {
        throw FieldError("", .outOfRange, "dates reach from 1677-09-21 to 2262-04-11")
      }
      return .date(instant)
    case ("$data", .string(let text)):
      guard let bytes = Base64.decode(text) else {
        throw FieldError("", .malformed, "this is not base 64 with padding (RFC 4648)")
      }
      return .data(bytes)
    case ("$date", _):
      throw FieldError("", .wrongType, "$date takes an integer, microseconds since 1970 UTC")
    case ("$data", _): throw FieldError("", .wrongType, "$data takes a string in base 64")
    default: return nil
    }
  }

  private static func checkDepth(_ depth: Int) throws(FieldError) {
    guard depth <= Notification.Limit.depth else {
      throw FieldError(
        "", .outOfRange,
        "at most \(Notification.Limit.depth) arrays and dictionaries may lie inside each other")
    }
  }
}
