import BelfryCore
import BelfryWire

/// Frames come out the same however the bytes are cut; each is read as a call, and every failure
/// has a message that parses.
@c(LLVMFuzzerTestOneInput)
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  var whole = VarlinkFrames(limit: 64)
  whole.append(bytes)
  var frames: [VarlinkFrames.Frame] = []
  while let frame = whole.next() { frames.append(frame) }
  var cut = VarlinkFrames(limit: 64)
  var place = 0
  for byte in bytes {
    cut.append([byte])
    while let frame = cut.next() {
      precondition(place < frames.count && frame == frames[place])
      place += 1
    }
  }
  precondition(place == frames.count)
  for part in bytes.split(separator: 0) { read(.message(Array(part))) }
  return 0
}

private func read(_ frame: VarlinkFrames.Frame) {
  do throws(VarlinkCall.Unreadable) {
    let call = try VarlinkCall.parse(frame)
    let again = VarlinkFrames.Frame.message(Array(call.encoded.dropLast()))
    guard let same = try? VarlinkCall.parse(again), same == call else {
      fatalError("a call does not come back: \(call)")
    }
    do throws(VarlinkFailure) {
      _ = try SchedulerCall.read(call, defaultApp: "user.1")
    } catch {
      check(error)
    }
  } catch {
    check(error.failure)
  }
}

private func check(_ failure: VarlinkFailure) {
  let message = failure.encoded
  guard message.last == 0, !message.dropLast().contains(0),
    let value = try? JSONValue.parse(Array(message.dropLast())),
    value["error"]?.string == failure.name
  else { fatalError("an error that is none: \(failure)") }
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzVarlink_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, oneInput)
}
