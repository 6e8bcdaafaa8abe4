import BelfryCore
import CInterface

/// Names of the local protocol (varlink.org).
public enum Varlink {
  /// The scheduler's interface.
  public static let interface = "io.belfry.Scheduler"
  /// The interface of every service.
  public static let service = "org.varlink.service"

  /// The text of the interface's `.varlink` file, which stands beside this one; nil: no such
  /// interface here.
  public static func description(of interface: String) -> String? {
    switch interface {
    case Varlink.interface: String(cString: cinterface_scheduler())
    case service: String(cString: cinterface_service())
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
    var line = JSONLine(after: "{\"parameters\":", capacity: 320)
    line.append("identifier", reply.identifier)
    line.append("scheduled", reply.scheduled)
    line.append("unchanged", reply.unchanged)
    line.append("replaced", reply.replaced)
    if let occurrence = reply.occurrence { line.append("occurrence", occurrence) }
    if let next = reply.next { line.append("next", next.microseconds) }
    line.append("discarded", reply.discarded)
    if let demotion = reply.demotion {
      line.append("interruptionLevel", InterruptionLevel.timeSensitive.rawValue)
      line.append("note", demotion)
    }
    if !reply.warnings.isEmpty { line.append("warnings", reply.warnings) }
    return line.ended(by: "}\0")
  }

  /// A path in a message as callers name the field: without the parameter that holds it.
  static func field(_ path: String) -> String {
    var field = path[...]
    for prefix in ["parameters.", "notification.", "payload."]
    where field.utf8.starts(with: prefix.utf8) && field.utf8.count > prefix.utf8.count {
      field = field.dropFirst(prefix.utf8.count)
    }
    return String(field)
  }
}
