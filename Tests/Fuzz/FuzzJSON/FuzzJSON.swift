import BelfryWire

/// What parses is written and parsed again to the same value; a number's double is never NaN.
@c(LLVMFuzzerTestOneInput)
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let value = try? JSONValue.parse(bytes) else { return 0 }
  let written = value.encoded
  guard let again = try? JSONValue.parse(written) else {
    fatalError("what was written cannot be read: \(value.text)")
  }
  precondition(again == value && again.encoded == written, value.text)
  _ = try? NotificationCodec.decode(value).validated()
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
@c(FuzzJSON_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, oneInput)
}
