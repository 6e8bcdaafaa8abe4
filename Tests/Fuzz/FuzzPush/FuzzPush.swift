import BelfryCore
import BelfryWire

/// Push payloads: refused with a path, or read; what is read is written as bytes that read the same,
/// pruned to each limit it fits, or is refused for that; and drafted for the scheduler as it goes
/// into the store.
@c(LLVMFuzzerTestOneInput)
func pushOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(FieldError) {
    let reading = try PushPayload.read(input)
    let payload = reading.payload
    let written = payload.encoded
    let again = try PushPayload.read(written).payload
    precondition(again == payload)
    precondition(again.encoded == written)
    for limit in PushPayload.limits { try prune(payload, to: limit) }
    try draft(reading)
  } catch {
    precondition(!error.field.isEmpty && !error.reason.isEmpty)
    precondition(!error.field.utf8.contains { $0 < 0x20 || $0 == 0x7F })
  }
  return 0
}

func draft(_ reading: ParsedPush) throws(FieldError) {
  let draft = try reading.draft()
  let notification = draft.push.notification
  precondition(Array((notification.push ?? "").utf8) == reading.payload.encoded)
  let stored = try NotificationCodec.decodeContent(NotificationCodec.encodeContent(notification))
  precondition(stored == notification)
  _ = notification.text(in: .none, zone: .utc)
}

func prune(_ payload: PushPayload, to limit: Int) throws(FieldError) {
  let pruned: PrunedPush
  do throws(FieldError) {
    pruned = try payload.pruned(to: limit)
  } catch {
    precondition(error.field == "payload" && error.code == .tooLong)
    return
  }
  let bytes = pruned.payload.encoded
  precondition(bytes.count <= limit)
  let again = try PushPayload.read(bytes).payload
  precondition(again == pruned.payload)
  precondition(pruned.payload.siblings == payload.siblings)
  precondition(pruned.dropped.isEmpty || pruned.payload.cloud?.isPruned == true)
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzPush_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, pushOneInput)
}
