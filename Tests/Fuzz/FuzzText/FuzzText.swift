import BelfryCore

/// Text forms: whatever is read is written back as something that reads the same.
@c(LLVMFuzzerTestOneInput)
func textOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  if let instant = try? RFC3339.parse(text, field: "at") {
    for offset in [0, 20_700, -12_600, .min] as [Int64] {
      let written = RFC3339.text(instant, offset: offset)
      precondition((try? RFC3339.parse(written, field: "at")) == instant, written)
    }
  }
  if let duration = try? Nanoseconds.parse(text, field: "in") {
    let written = Nanoseconds.text(duration)
    precondition((try? Nanoseconds.parse(written, field: "in")) == duration, written)
    precondition(!Nanoseconds.words(duration).isEmpty && !Nanoseconds.words(-duration).isEmpty)
  }
  if let id = OccurrenceID(text: text) {
    precondition(id.text.utf8.elementsEqual(text.utf8) || OccurrenceID(text: id.text) == id)
  }
  if let (id, sink) = OccurrenceID.parse(deliveryID: text) {
    let again = OccurrenceID.parse(deliveryID: id.deliveryID(sink: sink))
    precondition(again?.occurrence == id && again?.sink == sink)
  }
  if let late = try? LatePolicy.parse(text, field: "late") {
    precondition(late.text.utf8.elementsEqual(text.utf8))
  }
  precondition(FormatEscapes.stripped(text).utf8.count <= text.utf8.count)
  _ = NameSuggestion.nearest(to: text, among: ["alertBody", "fireDate"])
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
@c(FuzzText_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, textOneInput)
}
