import Foundation

internal import BelfryCore
internal import BelfryWire

extension Instant {
  /// Throws where the wire cannot say `date`: not a number, or outside 1678 to 2262 (N2).
  init(_ date: Date, field: String) throws(FieldError) {
    guard let microseconds = Microseconds.of(date), let found = Instant(microseconds: microseconds)
    else {
      throw FieldError(field, .outOfRange, "times reach from 1677-09-21 to 2262-04-11")
    }
    self = found
  }
}

extension Date {
  init(_ instant: Instant) {
    self = Microseconds.date(instant.microseconds)
  }
}

extension CircularRegion {
  init(_ wire: BelfryCore.CircularRegion) {
    self.init(
      identifier: wire.identifier, latitude: wire.latitude, longitude: wire.longitude,
      radius: wire.radius)
    notifyOnEntry = wire.notifyOnEntry
    notifyOnExit = wire.notifyOnExit
  }

  func wire() throws(FieldError) -> BelfryCore.CircularRegion {
    let numbers = [("latitude", latitude), ("longitude", longitude), ("radius", radius)]
    // JSON has no such number.
    for (name, number) in numbers where !number.isFinite {
      throw FieldError("region.\(name)", .outOfRange, "this must be a finite number")
    }
    return BelfryCore.CircularRegion(
      identifier: identifier, latitude: latitude, longitude: longitude, radius: radius,
      notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit)
  }
}

extension PropertyListValue {
  init(_ wire: PropertyList) {
    switch wire {
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(Date(value))
    case .data(let value): self = .data(Data(value))
    case .array(let elements): self = .array(elements.map { PropertyListValue($0) })
    case .dictionary(let pairs): self = .dictionary(Self.values(pairs))
    }
  }

  /// Of two keys that Swift takes for one, the last in the order of bytes stays.
  static func values(_ pairs: [ByteString: PropertyList]) -> [String: PropertyListValue] {
    var values = [String: PropertyListValue](minimumCapacity: pairs.count)
    for (key, value) in pairs.sorted(by: { $0.key < $1.key }) {
      values[key.text] = PropertyListValue(value)
    }
    return values
  }

  /// Throws with the path inside `pairs`.
  static func wire(
    _ pairs: [String: PropertyListValue]
  ) throws(FieldError) -> [ByteString: PropertyList] {
    var wire = [ByteString: PropertyList](minimumCapacity: pairs.count)
    for (key, value) in pairs {
      do throws(FieldError) {
        wire[ByteString(key)] = try value.wire()
      } catch {
        throw error.under(key: key)
      }
    }
    return wire
  }

  private static func wire(
    _ elements: [PropertyListValue]
  ) throws(FieldError) -> [PropertyList] {
    var wire: [PropertyList] = []
    wire.reserveCapacity(elements.count)
    for element in elements {
      do throws(FieldError) {
        wire.append(try element.wire())
      } catch {
        throw error.under(index: wire.count)
      }
    }
    return wire
  }

  static func wire(
    _ elements: [PropertyListValue], field: String
  ) throws(FieldError) -> [PropertyList] {
    do throws(FieldError) {
      return try wire(elements)
    } catch {
      throw error.under(field: field)
    }
  }

  private func wire() throws(FieldError) -> PropertyList {
    switch self {
    case .string(let value): return .string(value)
    case .integer(let value): return .integer(value)
    // JSON has no such number: said here, where its path is known.
    case .double(let value) where !value.isFinite:
      throw FieldError("", .outOfRange, "a double must be a finite number")
    case .double(let value): return .double(value)
    case .boolean(let value): return .boolean(value)
    case .date(let value): return .date(try Instant(value, field: ""))
    case .data(let value): return .data([UInt8](value))
    case .array(let elements): return .array(try Self.wire(elements))
    case .dictionary(let pairs): return .dictionary(try Self.wire(pairs))
    }
  }
}
