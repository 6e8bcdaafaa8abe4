import BelfryCore
import BelfryWire

/// How a payload is understood, in rows for people and for scripts.
struct PushExplanation {
  var reading: ParsedPush
  var draft: PushDraft

  var object: JSONObject {
    let named = { (entries: [ParsedPush.Ignored]) in
      JSONValue.array(
        entries.map { ["path": .string($0.path), "reason": .string($0.reason)] })
    }
    return [
      "kind": .string(reading.payload.kindName), "payload": .object(draft.payload.object),
      "bytes": .integer(Int64(draft.payload.encoded.count)), "ignored": named(draft.ignored),
      "odd": named(reading.odd),
      "pruned": .array(draft.push.pruned.map { .string($0) }),
      "cut": .array(draft.cut.map { .string($0) }),
      "shown": draft.payload.isShown
        ? .object(NotificationCodec.encode(draft.payload.shown)) : .null,
    ]
  }

  func say(_ context: CommandContext) throws(CommandError) {
    try context.say(reading.payload.kindName + ", \(draft.payload.encoded.count) bytes")
    var properties = TextTable([
      .init(title: "PROPERTY"), .init(title: "VALUE", shrinks: true, wraps: true),
      .init(title: "BECAUSE", wraps: true),
    ])
    for row in PushRows.rows(of: reading.payload) {
      properties.add([row.property, row.value, note(on: row.property) ?? row.because])
    }
    for name in draft.push.pruned where !draft.dropped.contains(where: { $0.rawValue == name }) {
      properties.add([name, "-", "left out before it came"])
    }
    for entry in reading.odd + draft.ignored { properties.add([entry.path, "-", entry.reason]) }
    try context.say(properties)
    try context.say("")
    var shown = TextTable([
      .init(title: "SHOWN"), .init(title: "AS", shrinks: true, wraps: true),
      .init(title: "BECAUSE", wraps: true),
    ])
    for row in PushRows.shown(of: draft) { shown.add([row.property, row.value, row.because]) }
    try context.say(shown)
  }

  /// What pruning has done to a property.
  private func note(on property: String) -> String? {
    if draft.dropped.contains(where: { $0.rawValue == property }) {
      return "left out to fit the limit"
    }
    if draft.cut.contains(where: { $0.hasPrefix(property + "[") }) {
      return "arguments are cut to \(PushPayload.argumentLimit) characters"
    }
    return nil
  }
}
