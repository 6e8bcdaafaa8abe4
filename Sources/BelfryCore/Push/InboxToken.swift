/// How far a reader has come in an inbox (P7): opaque to clients, and good for this inbox alone.
public struct InboxToken: Hashable, Sendable {
  /// The inbox's, of its own random 64 bits.
  public var name: UInt64
  /// Of the last entry seen; 0: none.
  public var position: Int64

  public init(name: UInt64, position: Int64) {
    self.name = name
    self.position = position
  }

  /// What an inbox gives into which nothing has ever come: it has no name yet.
  public static func blank(app: String, container: String) -> InboxToken {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in app.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0x100) &* 0x100_0000_01B3
    for byte in container.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return InboxToken(name: hash, position: 0)
  }
}

extension InboxToken {
  /// 22 characters of base64url (RFC 4648).
  public var text: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(22)
    let words = [name, UInt64(bitPattern: position)]
    for place in 0..<22 {
      // The last one has two bits of the token, and four that are 0.
      let bit = 6 * place
      var six: UInt64 = 0
      for offset in 0..<6 where bit + offset < 128 {
        let at = bit + offset
        let value = words[at / 64] >> UInt64(63 - at % 64) & 1
        six |= value << UInt64(5 - offset)
      }
      bytes.append(Self.digits[Int(six)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// nil: this is no token.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 22 else { return nil }
    var words: [UInt64] = [0, 0]
    for (place, byte) in bytes.enumerated() {
      guard let six = Self.digits.firstIndex(of: byte) else { return nil }
      for offset in 0..<6 where six >> (5 - offset) & 1 == 1 {
        let at = 6 * place + offset
        guard at < 128 else { return nil }
        words[at / 64] |= 1 << UInt64(63 - at % 64)
      }
    }
    self.init(name: words[0], position: Int64(bitPattern: words[1]))
  }

  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}
