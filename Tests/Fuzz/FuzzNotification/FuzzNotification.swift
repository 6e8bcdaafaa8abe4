import BelfryCore
import BelfryWire

/// Notifications as JSON: refused with a field, or read; what is read is written back as bytes
/// that read the same and are written the same.
@c(LLVMFuzzerTestOneInput)
func notificationOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  do throws(FieldError) {
    let notification = try NotificationCodec.decodeContent(input)
    let written = JSONValue.object(NotificationCodec.encode(notification)).encoded
    let again = try NotificationCodec.decodeContent(written)
    precondition(again == notification)
    precondition(JSONValue.object(NotificationCodec.encode(again)).encoded == written)
    let size = PropertyListCodec.encode(notification.userInfo)
    precondition(
      PropertyList.dictionary(notification.userInfo).encodedSize
        == JSONValue.object(size).encoded.count)
    let checked = try notification.validated()
    precondition(checked == notification)
    let text = notification.text(in: .none, zone: .utc)
    precondition((text.body?.utf8.count ?? 0) <= Notification.Limit.alertBody + 3)
  } catch {
    precondition(!error.reason.isEmpty)
    precondition(!error.field.utf8.contains { $0 < 0x20 || $0 == 0x7F })
  }
  return 0
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzNotification_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, notificationOneInput)
}
