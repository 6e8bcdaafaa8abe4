/// Users, from `/etc/passwd` and `/etc/group` alone: a static program cannot ask NSS.
public struct Account: Hashable, Sendable {
  public var name: String
  public var uid: UInt32
  public var gid: UInt32
  public var home: String
  public var shell: String

  /// The account of a name, or of a number in digits; nil: it has no line there. Blocks on the disk.
  @export(interface)
  public static func find(_ user: String, file: String = "/etc/passwd") -> Account? {
    let uid = UInt32(user)
    guard let bytes = try? Files.read(file, limit: 1 << 20) else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // name:password:uid:gid:comment:home:shell (passwd(5)).
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count >= 7, let number = UInt32(fields[2]), let group = UInt32(fields[3]),
        uid == number || uid == nil && fields[0] == user
      else { continue }
      return Account(
        name: fields[0], uid: number, gid: group, home: fields[5], shell: fields[6])
    }
    return nil
  }

  /// The groups that its processes have: its own first, then those that list it.
  @export(interface)
  public func groups(file: String = "/etc/group") -> [UInt32] {
    var groups = [gid]
    guard let bytes = try? Files.read(file, limit: 1 << 20) else { return groups }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // name:password:number:members (group(5)).
      let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
      guard fields.count >= 4, let number = UInt32(String(decoding: fields[2], as: UTF8.self)),
        fields[3].split(separator: UInt8(ascii: ",")).contains(where: {
          $0.elementsEqual(name.utf8)
        }), !groups.contains(number)
      else { continue }
      groups.append(number)
    }
    return groups
  }
}
