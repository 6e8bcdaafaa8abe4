import BelfryWire

/// What parses, written plainly, parses to the same sections.
@c(LLVMFuzzerTestOneInput)
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard let file = try? INIFile.parse(bytes, repeatable: ["folder"]) else { return 0 }
  var text = ""
  for section in file.sections {
    text += "[\(section.header)]\n"
    for entry in section.entries { text += "\(entry.key)=\(entry.value)\n" }
  }
  guard let again = try? INIFile.parse(Array(text.utf8), repeatable: ["folder"]) else {
    fatalError("what was written cannot be read: \(text)")
  }
  precondition(again.sections.map(\.header) == file.sections.map(\.header))
  for (new, old) in zip(again.sections, file.sections) {
    precondition(new.entries.map(\.value) == old.entries.map(\.value), text)
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
@c(FuzzINI_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, oneInput)
}
