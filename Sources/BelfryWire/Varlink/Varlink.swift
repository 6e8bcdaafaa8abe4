import BelfryCore

/// Names of the local protocol (varlink.org).
public enum Varlink {
  /// The scheduler's interface.
  public static let interface = "io.belfry.Scheduler"
  /// The interface of every service.
  public static let service = "org.varlink.service"

  /// A description in Varlink's own language; nil: no such interface here.
  public static func description(of interface: String) -> String? {
    switch interface {
    case Varlink.interface: schedulerDescription
    case service: serviceDescription
    default: nil
    }
  }

  /// A reply's message, NUL included.
  public static func reply(_ parameters: JSONObject, continues: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(contentsOf: "{\"parameters\":".utf8)
    parameters.write(to: &bytes)
    bytes.append(contentsOf: (continues ? ",\"continues\":true}" : "}").utf8)
    bytes.append(0)
    return bytes
  }

  /// The reply to `Schedule`: the same bytes as by `parameters`, without the tree in between.
  public static func reply(_ reply: ScheduleReply) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(320)
    bytes.append(contentsOf: "{\"parameters\":{\"identifier\":".utf8)
    JSONValue.write(reply.identifier, to: &bytes)
    write("scheduled", reply.scheduled, to: &bytes)
    write("unchanged", reply.unchanged, to: &bytes)
    write("replaced", reply.replaced, to: &bytes)
    if let occurrence = reply.occurrence {
      bytes.append(contentsOf: ",\"occurrence\":\"".utf8)
      occurrence.append(to: &bytes)
      bytes.append(UInt8(ascii: "\""))
    }
    if let next = reply.next {
      bytes.append(contentsOf: ",\"next\":".utf8)
      JSONValue.write(next.microseconds, to: &bytes)
    }
    bytes.append(contentsOf: ",\"discarded\":".utf8)
    JSONValue.array(reply.discarded.map { .string($0) }).write(to: &bytes)
    bytes.append(contentsOf: "}}\0".utf8)
    return bytes
  }

  private static func write(_ name: StaticString, _ flag: Bool, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: ",\"".utf8)
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: (flag ? "\":true" : "\":false").utf8)
  }

  /// A path in a message as callers name the field: without the parameter that holds it.
  static func field(_ path: String) -> String {
    var field = path[...]
    for prefix in ["parameters.", "notification."]
    where field.utf8.starts(with: prefix.utf8) && field.utf8.count > prefix.utf8.count {
      field = field.dropFirst(prefix.utf8.count)
    }
    return String(field)
  }
}
