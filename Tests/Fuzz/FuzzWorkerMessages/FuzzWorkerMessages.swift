import BelfryWire

/// What decodes is encoded and decoded again to the same message, in both directions.
@c(LLVMFuzzerTestOneInput)
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  var bytes = Array(UnsafeBufferPointer(start: data, count: size))
  // The length is made right, or nearly no input would get past the header.
  if bytes.count >= 8 {
    bytes[0] = 1
    bytes[2] = 0
    bytes[3] = 0
    for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: bytes.count >> (8 * index)) }
  }
  if let message = try? MessageToChild.decode(bytes), let packet = try? message.encode() {
    guard let again = try? MessageToChild.decode(packet), let last = try? again.encode() else {
      fatalError("what was written cannot be read: \(message)")
    }
    precondition(last.count == packet.count)
  }
  if let message = try? MessageFromChild.decode(bytes), let packet = try? message.encode() {
    guard let again = try? MessageFromChild.decode(packet) else {
      fatalError("what was written cannot be read: \(message)")
    }
    precondition(again == message)
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
@c(FuzzWorkerMessages_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, oneInput)
}
