import CPlugin

/// The values of this plugin's keys.
struct HostSettings {
  private let host: UnsafePointer<belfry_host>

  init(_ host: UnsafePointer<belfry_host>) {
    self.host = host
  }

  func text(_ key: StaticString) -> String {
    var value = belfry_text()
    return host.pointee.config(host, belfry_text(key), &value) == BELFRY_OK ? value.string : ""
  }

  func flag(_ key: StaticString) -> Bool {
    var value: Int64 = 0
    return host.pointee.config_number(host, belfry_text(key), &value) == BELFRY_OK && value != 0
  }
}

extension belfry_text {
  init(_ words: StaticString) {
    self.init(
      bytes: UnsafeRawPointer(words.utf8Start).assumingMemoryBound(to: CChar.self),
      size: UInt32(words.utf8CodeUnitCount))
  }

  /// A copy; empty where there is none.
  var string: String {
    guard let bytes else { return "" }
    let raw = UnsafeRawBufferPointer(start: bytes, count: Int(size))
    return String(decoding: raw, as: UTF8.self)
  }
}
