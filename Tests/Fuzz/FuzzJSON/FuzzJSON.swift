import BelfryWire
import FuzzDriver

@c(FuzzJSON_main)
public func fuzzMain(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
  fuzz_driver_run(count, arguments)
}

/// What parses is written and parsed again to the same value; a number's double is never NaN.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
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
