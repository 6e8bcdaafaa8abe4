/// Groups of users, from `/etc/group` alone: a static program cannot ask NSS.
public enum Group {
  /// A group's number, given its number or its name; nil: no such name.
  @export(interface)
  public static func number(of name: String, file: String = "/etc/group") -> UInt32? {
    if let number = UInt32(name) { return number }
    guard let bytes = try? Files.read(file, limit: 1 << 20) else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // name:password:number:members (group(5)).
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[0].elementsEqual(name.utf8) else { continue }
      return UInt32(String(decoding: fields[2], as: UTF8.self))
    }
    return nil
  }

  /// The name of a group's number; nil: it has no line there.
  @export(interface)
  public static func name(of number: UInt32, file: String = "/etc/group") -> String? {
    guard let bytes = try? Files.read(file, limit: 1 << 20) else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      if fields.count >= 3, UInt32(fields[2]) == number { return fields[0] }
    }
    return nil
  }
}
