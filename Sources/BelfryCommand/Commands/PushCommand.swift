import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry push --dry-run`: how a payload is understood, without a daemon.
enum PushCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    guard context.given.has(.dryRun) else { throw .notInThisBuild("push without --dry-run") }
    let reading: PushReading
    let limit = try limit(context)
    var pruned: PrunedPush?
    do throws(FieldError) {
      reading = try PushPayload.read(try bytes(context.given.operands[0]))
      if let limit { pruned = try reading.payload.pruned(to: limit) }
    } catch {
      throw .refused(error.field + ": " + error.reason)
    }
    if context.json { return try context.say(object(reading, pruned)) }
    try say(reading, pruned, limit, context)
  }

  private static func limit(_ context: CommandContext) throws(CommandError) -> Int? {
    guard let number = try context.given.integer(.limit) else { return nil }
    guard (1...Int64(PushPayload.sizeLimit)).contains(number) else {
      throw .usage("--limit: not a number of bytes from 1 to \(PushPayload.sizeLimit)")
    }
    return Int(number)
  }

  /// `-` is standard input.
  private static func bytes(_ path: String) throws(FieldError) -> [UInt8] {
    let most = PushPayload.sizeLimit + 1
    do throws(SystemError) {
      if path != "-" { return try Files.read(path, limit: most) }
      return try standardInput(atMost: most)
    } catch {
      throw FieldError(path == "-" ? "standard input" : path, .malformed, error.text)
    }
  }

  private static func standardInput(atMost most: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    let input = FileDescriptor(owning: 0)
    while bytes.count < most {
      guard let more = try input.read(atMost: 4096) else {
        _ = Poll.wait(input.raw, .readable)
        continue
      }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  // MARK: Answers

  private static func object(_ reading: PushReading, _ pruned: PrunedPush?) -> JSONObject {
    let payload = pruned?.payload ?? reading.payload
    let ignored = reading.ignored.map { entry in
      JSONValue.object(["path": .string(entry.path), "reason": .string(entry.reason)])
    }
    var object: JSONObject = [
      "kind": .string(payload.kindName), "payload": .object(payload.object),
      "bytes": .integer(Int64(payload.encoded.count)), "ignored": .array(ignored),
    ]
    guard let pruned else { return object }
    object.append("pruned", .array(pruned.dropped.map { .string($0.rawValue) }))
    object.append("cut", .array(pruned.cut.map { .string($0) }))
    return object
  }

  private static func say(
    _ reading: PushReading, _ pruned: PrunedPush?, _ limit: Int?, _ context: CommandContext
  ) throws(CommandError) {
    let payload = pruned?.payload ?? reading.payload
    try context.say(payload.kindName + ", \(payload.encoded.count) bytes")
    var table = TextTable([
      .init(title: "PROPERTY"), .init(title: "VALUE", shrinks: true),
      .init(title: "BECAUSE", shrinks: true),
    ])
    for row in PushRows.rows(of: reading.payload) {
      var because = row.because
      if let pruned, let limit, pruned.dropped.contains(where: { $0.rawValue == row.property }) {
        because = "left out to fit \(limit) bytes"
      } else if let pruned, pruned.cut.contains(where: { $0.hasPrefix(row.property + "[") }) {
        because = "arguments are cut to \(PushPayload.argumentLimit) characters"
      }
      table.add([row.property, row.value, because])
    }
    for entry in reading.ignored { table.add([entry.path, "-", entry.reason]) }
    try context.say(table)
  }
}
