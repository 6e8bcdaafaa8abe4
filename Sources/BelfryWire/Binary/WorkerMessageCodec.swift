import BelfryCore

/// The bytes of one worker message: version, kind, two zero bytes, the whole length (UInt32), and
/// the fields. Both sides are built together, so another version is refused, not translated.
public enum WorkerMessage {
  /// The most bytes a message may have.
  public static let limit = 128 * 1024

  static let version: UInt8 = 1

  static func begin(_ kind: UInt8, capacity: Int = 256) -> BinaryWriter {
    var writer = BinaryWriter(capacity: capacity)
    writer.put(version)
    writer.put(kind)
    writer.put(fixed: UInt16(0))
    writer.put(fixed: UInt32(0))
    return writer
  }

  static func finish(_ writer: consuming BinaryWriter) throws(WireError) -> [UInt8] {
    let length = writer.bytes.count
    guard length <= limit else {
      throw WireError(.tooLong, at: Int64(limit), "a worker message has at most 128 KiB")
    }
    writer.replace(at: 4, with: UInt32(length))
    return writer.bytes
  }

  /// Checks the header and gives the kind.
  static func open(_ bytes: [UInt8]) throws(WireError) -> (kind: UInt8, reader: BinaryReader) {
    guard bytes.count <= limit else {
      throw WireError(.tooLong, at: Int64(limit), "a worker message has at most 128 KiB")
    }
    var reader = BinaryReader(bytes)
    guard try reader.byte("version") == version else {
      throw WireError(.badVersion, at: 0, "this program belongs to another version of Belfry")
    }
    let kind = try reader.byte("kind")
    let zero: UInt16 = try reader.fixed("header")
    let length: UInt32 = try reader.fixed("length")
    guard zero == 0 else { throw WireError(.malformed, at: 2, "header: reserved bytes are set") }
    guard UInt64(length) == UInt64(bytes.count) else {
      throw WireError(.truncated, at: 4, "length: differs from the packet's")
    }
    return (kind, reader)
  }
}

extension MessageToChild {
  enum Kind {
    static let configure: UInt8 = 1
    static let deliver: UInt8 = 2
    static let badge: UInt8 = 3
    static let withdraw: UInt8 = 4
    static let prepareSound: UInt8 = 5
    static let stopSounds: UInt8 = 6
    static let health: UInt8 = 7
    static let stop: UInt8 = 8
    static let calendar: UInt8 = 9
    static let pushed: UInt8 = 10
    static let soon: UInt8 = 11
    static let keepAwake: UInt8 = 12
    static let rest: UInt8 = 13
  }

  /// The packet that says this; `tooLong` is its only error.
  @export(interface)
  public func encode() throws(WireError) -> [UInt8] {
    var writer: BinaryWriter
    switch self {
    case .configure(let configuration):
      writer = WorkerMessage.begin(Kind.configure)
      writer.put(configuration)
    case .deliver(let delivery):
      writer = WorkerMessage.begin(Kind.deliver, capacity: 512)
      writer.put(delivery)
    case .soon:
      writer = WorkerMessage.begin(Kind.soon, capacity: 8)
    case .badge(let token, let app, let value):
      writer = WorkerMessage.begin(Kind.badge)
      writer.put(fixed: token)
      writer.put(app)
      writer.put(signed: value)
    case .withdraw(let token, let occurrence):
      writer = WorkerMessage.begin(Kind.withdraw)
      writer.put(fixed: token)
      writer.put(occurrence)
    case .prepareSound(let app, let name):
      writer = WorkerMessage.begin(Kind.prepareSound)
      writer.put(app)
      writer.put(name)
    case .keepAwake(let occurrence, let app, let name, let due):
      writer = WorkerMessage.begin(Kind.keepAwake)
      writer.put(occurrence)
      writer.put(app)
      writer.put(name)
      writer.put(due)
    case .rest(let occurrence):
      writer = WorkerMessage.begin(Kind.rest)
      writer.put(occurrence)
    case .stopSounds(let app):
      writer = WorkerMessage.begin(Kind.stopSounds)
      writer.put(optional: app)
    case .health(let token):
      writer = WorkerMessage.begin(Kind.health)
      writer.put(fixed: token)
    case .stop:
      writer = WorkerMessage.begin(Kind.stop)
    case .calendar(let token, let question):
      writer = WorkerMessage.begin(Kind.calendar)
      writer.put(fixed: token)
      writer.put(question)
    case .pushed(let token, let answer):
      writer = WorkerMessage.begin(Kind.pushed, capacity: 64)
      writer.put(fixed: token)
      writer.put(answer)
    }
    return try WorkerMessage.finish(writer)
  }

  /// What a packet says; refuses what is cut, too long, of another version or of no known kind.
  @export(interface)
  public static func decode(_ bytes: [UInt8]) throws(WireError) -> MessageToChild {
    var (kind, reader) = try WorkerMessage.open(bytes)
    let message = try read(kind, &reader)
    try reader.end()
    return message
  }

  private static func read(
    _ kind: UInt8, _ reader: inout BinaryReader
  ) throws(WireError) -> MessageToChild {
    switch kind {
    case Kind.configure: return .configure(try reader.configuration())
    case Kind.deliver: return .deliver(try reader.handOver())
    case Kind.soon: return .soon
    case Kind.badge:
      return .badge(
        token: try reader.fixed("token"), app: try reader.text("app"),
        value: try reader.signed("value"))
    case Kind.withdraw:
      return .withdraw(token: try reader.fixed("token"), try reader.occurrenceID())
    case Kind.prepareSound:
      return .prepareSound(app: try reader.text("app"), name: try reader.text("name"))
    case Kind.keepAwake:
      return .keepAwake(
        try reader.occurrenceID(), app: try reader.text("app"), name: try reader.text("name"),
        due: try reader.instant("due"))
    case Kind.rest: return .rest(try reader.occurrenceID())
    case Kind.stopSounds: return .stopSounds(app: try reader.optionalText("app"))
    case Kind.health: return .health(token: try reader.fixed("token"))
    case Kind.stop: return .stop
    case Kind.calendar:
      return .calendar(token: try reader.fixed("token"), try reader.calendarQuestion())
    case Kind.pushed:
      return .pushed(token: try reader.fixed("token"), try reader.pluginPushAnswer())
    default: throw WireError(.malformed, at: 1, "kind: no such message to a child")
    }
  }
}

extension MessageFromChild {
  private enum Kind {
    static let ready: UInt8 = 129
    static let refused: UInt8 = 130
    static let answered: UInt8 = 131
    static let started: UInt8 = 132
    static let log: UInt8 = 133
    static let health: UInt8 = 134
    static let calendar: UInt8 = 135
    static let withdrawn: UInt8 = 136
    static let input: UInt8 = 137
    static let push: UInt8 = 138
  }

  /// The packet that says this; `tooLong` is its only error.
  @export(interface)
  public func encode() throws(WireError) -> [UInt8] {
    var writer: BinaryWriter
    switch self {
    case .ready(let summary):
      writer = WorkerMessage.begin(Kind.ready)
      writer.put(summary)
    case .refused(let reason):
      writer = WorkerMessage.begin(Kind.refused)
      writer.put(reason)
    case .answered(let token, let answer, let entered):
      writer = WorkerMessage.begin(Kind.answered, capacity: 64)
      writer.put(fixed: token)
      writer.put(entered)
      writer.put(answer)
    case .started(let token, let note):
      writer = WorkerMessage.begin(Kind.started)
      writer.put(fixed: token)
      writer.put(note)
    case .log(let level, let text):
      writer = WorkerMessage.begin(Kind.log)
      writer.put(level.code)
      writer.put(text)
    case .withdrawn: writer = WorkerMessage.begin(Kind.withdrawn)
    case .input(let input):
      writer = WorkerMessage.begin(Kind.input)
      writer.put(input)
    case .push(let push):
      writer = WorkerMessage.begin(Kind.push, capacity: push.payload.count + 256)
      writer.put(push)
    case .health(let token, let status, let text):
      writer = WorkerMessage.begin(Kind.health)
      writer.put(fixed: token)
      writer.put(fixed: status)
      writer.put(text)
    case .calendar(let token, let answer):
      writer = WorkerMessage.begin(Kind.calendar)
      writer.put(fixed: token)
      writer.put(answer)
    }
    return try WorkerMessage.finish(writer)
  }

  /// What a packet says; refuses what is cut, too long, of another version or of no known kind.
  @export(interface)
  public static func decode(_ bytes: [UInt8]) throws(WireError) -> MessageFromChild {
    var (kind, reader) = try WorkerMessage.open(bytes)
    let message = try read(kind, &reader)
    try reader.end()
    return message
  }

  private static func read(
    _ kind: UInt8, _ reader: inout BinaryReader
  ) throws(WireError) -> MessageFromChild {
    switch kind {
    case Kind.ready: return .ready(try reader.pluginSummary())
    case Kind.refused: return .refused(reason: try reader.text("reason"))
    case Kind.answered:
      let token: UInt64 = try reader.fixed("token")
      let entered = try reader.instant("entered")
      return .answered(token: token, try reader.answer(), entered: entered)
    case Kind.started:
      return .started(token: try reader.fixed("token"), note: try reader.text("note"))
    case Kind.log:
      let level: LogLevel = try reader.choice("level")
      return .log(level, try reader.text("text"))
    case Kind.withdrawn: return .withdrawn
    case Kind.input: return .input(try reader.sinkInput())
    case Kind.push: return .push(try reader.pluginPush())
    case Kind.health:
      return .health(
        token: try reader.fixed("token"), status: try reader.fixed("status"),
        text: try reader.text("text"))
    case Kind.calendar:
      return .calendar(token: try reader.fixed("token"), try reader.calendarAnswer())
    default: throw WireError(.malformed, at: 1, "kind: no such message from a child")
    }
  }
}
