import BelfryCore

/// A field of a notification, as the wire has it: its name, its type, how it is written and read.
///
/// `NotificationCodec`, the list of known names and the check of the interface's description go by
/// `table`; the command line names its option for a field in `OptionTable`.
public struct NotificationField: Sendable {
  public let name: String
  /// As the interface's description has it, without the ? of what may be left out.
  public let type: String
  /// nil: the field has its default, and is left out.
  let write: @Sendable (Notification) -> JSONValue?
  let read: @Sendable (inout Notification, FieldReader) throws(FieldError) -> Void

  /// The first field is the one that `near` expects, as when names are in order.
  static func find(_ name: String, near place: inout Int) -> NotificationField? {
    for step in 0..<table.count {
      let index = (place + step) % table.count
      guard table[index].name == name else { continue }
      place = index + 1
      return table[index]
    }
    return nil
  }
}

// Kinds of fields.
extension NotificationField {
  init(
    _ name: String, _ type: String, write: @escaping @Sendable (Notification) -> JSONValue?,
    read: @escaping @Sendable (inout Notification, FieldReader) throws(FieldError) -> Void
  ) {
    self.name = name
    self.type = type
    self.write = write
    self.read = read
  }

  /// Text that may be left out.
  static func text(
    _ name: String, _ get: @escaping @Sendable (Notification) -> String?,
    _ set: @escaping @Sendable (inout Notification, String) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "string", write: { get($0).map { .string($0) } },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.text())
      })
  }

  static func integer(
    _ name: String, unless usual: Int64? = nil,
    _ get: @escaping @Sendable (Notification) -> Int64?,
    _ set: @escaping @Sendable (inout Notification, Int64) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "int", write: { get($0).flatMap { $0 == usual ? nil : .integer($0) } },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.integer())
      })
  }

  /// Microseconds on the wire, nanoseconds here.
  static func duration(
    _ name: String, unless usual: Int64? = nil,
    _ get: @escaping @Sendable (Notification) -> Int64?,
    _ set: @escaping @Sendable (inout Notification, Int64) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "int",
      write: { get($0).flatMap { $0 / 1000 == usual ? nil : .integer($0 / 1000) } },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.duration())
      })
  }

  static func flag(
    _ name: String, unless usual: Bool, _ get: @escaping @Sendable (Notification) -> Bool,
    _ set: @escaping @Sendable (inout Notification, Bool) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "bool", write: { get($0) == usual ? nil : .boolean(!usual) },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.boolean())
      })
  }

  static func instant(
    _ name: String, _ get: @escaping @Sendable (Notification) -> Instant?,
    _ set: @escaping @Sendable (inout Notification, Instant) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "int", write: { get($0).map { .integer($0.microseconds) } },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.instant())
      })
  }

  static func instants(
    _ name: String, _ get: @escaping @Sendable (Notification) -> [Instant],
    _ set: @escaping @Sendable (inout Notification, [Instant]) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "[]int",
      write: { notification in
        let instants = get(notification)
        return instants.isEmpty ? nil : .array(instants.map { .integer($0.microseconds) })
      },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.instants())
      })
  }

  static func names(
    _ name: String, _ get: @escaping @Sendable (Notification) -> [String],
    _ set: @escaping @Sendable (inout Notification, [String]) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "[]string",
      write: { notification in
        let names = get(notification)
        return names.isEmpty ? nil : .array(names.map { .string($0) })
      },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.texts())
      })
  }

  /// What is put into a text (L2).
  static func arguments(
    _ name: String, _ get: @escaping @Sendable (Notification) -> [PropertyList],
    _ set: @escaping @Sendable (inout Notification, [PropertyList]) -> Void
  ) -> NotificationField {
    NotificationField(
      name, "[]object",
      write: { notification in
        let arguments = get(notification)
        return arguments.isEmpty ? nil : .array(arguments.map { PropertyListCodec.encode($0) })
      },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.arguments())
      })
  }

  /// A value of an enumeration, by its name; an error calls it a `what`.
  static func choice<Value: CaseIterable & RawRepresentable<String> & Sendable>(
    _ name: String, _ type: String, _ what: String, unless usual: Value? = nil,
    _ get: @escaping @Sendable (Notification) -> Value?,
    _ set: @escaping @Sendable (inout Notification, Value) -> Void
  ) -> NotificationField {
    NotificationField(
      name, type,
      write: { notification in
        get(notification).flatMap {
          $0.rawValue == usual?.rawValue ? nil : .string($0.rawValue)
        }
      },
      read: { (notification, field) throws(FieldError) in
        set(&notification, try field.choice(what))
      })
  }
}
