import BelfryWire
import FuzzDriver

@c(FuzzINI_main)
public func fuzzMain(
  _ count: Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
) -> Int32 {
  fuzz_driver_run(count, arguments)
}

/// What parses, written plainly, parses to the same sections.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
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
