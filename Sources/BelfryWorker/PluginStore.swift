import BelfrySystem
import CPlugin

/// A plugin's key-value store: one small file of the run directory, rewritten as a whole.
struct PluginStore {
  static let limit = 64 * 1024
  static let keyLimit = 128

  enum Refusal: Error {
    case invalid, full
    case notWritten(SystemError)
  }

  private struct Entry {
    var key: [UInt8]
    var value: PermanentText
  }

  private static let name = "store"

  /// nil: nothing can be kept.
  private let folder: RunFolder?
  private var entries: [Entry] = []

  /// Reads what the folder has; missing or damaged: empty.
  init(in folder: RunFolder?) {
    self.folder = folder
    guard let bytes = try? folder?.read(Self.name, limit: Self.limit + 1) else { return }
    var rest = bytes[...]
    while let key = Self.take(&rest), let value = Self.take(&rest) {
      entries.append(Entry(key: key, value: PermanentText(value)))
    }
  }

  func value(_ key: [UInt8]) -> belfry_text? {
    entries.first { $0.key == key }?.value.text
  }

  /// nil removes the key.
  mutating func set(_ key: [UInt8], to value: [UInt8]?) throws(Refusal) {
    guard !key.isEmpty, key.count <= Self.keyLimit else { throw .invalid }
    var kept = entries.filter { $0.key != key }
    var bytes: [UInt8] = []
    for entry in kept {
      Self.put(entry.key, to: &bytes)
      Self.put(entry.value.text.bytes(limit: Self.limit), to: &bytes)
    }
    if let value {
      guard value.count <= Self.limit else { throw .full }
      Self.put(key, to: &bytes)
      Self.put(value, to: &bytes)
      guard bytes.count <= Self.limit else { throw .full }
    }
    do throws(SystemError) {
      guard let folder else {
        throw SystemError(code: SystemError.readOnly, operation: "keep what the plugin stores")
      }
      try folder.write(bytes, to: Self.name)
    } catch {
      throw .notWritten(error)
    }
    for entry in entries where entry.key == key { entry.value.text.bytes?.deallocate() }
    if let value { kept.append(Entry(key: key, value: PermanentText(value))) }
    entries = kept
  }

  private static func put(_ field: [UInt8], to bytes: inout [UInt8]) {
    for shift: UInt32 in [0, 8, 16, 24] {
      bytes.append(UInt8(truncatingIfNeeded: UInt32(field.count) >> shift))
    }
    bytes += field
  }

  private static func take(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.count >= 4 else { return nil }
    let size = rest.prefix(4).reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    rest = rest.dropFirst(4)
    guard size <= UInt32(rest.count) else { return nil }
    let field = Array(rest.prefix(Int(size)))
    rest = rest.dropFirst(Int(size))
    return field
  }
}
