import BelfryCore
import BelfryWire
import Foundation

/// A4: names are bytes. Objects whose names differ by a spelling, a case or a mark are read here and by
/// Python, whose dictionaries take texts for one only where their code points are.
///
/// A byte of the input is a piece of a name, or ends it.
@c(LLVMFuzzerTestOneInput)
func oneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: data, count: min(size, 512))
  let names = bytes.split(separator: 0, omittingEmptySubsequences: false).map(spelt)
  let text =
    "{"
    + names.enumerated().map { "\($0.element.written):\($0.offset)" }
    .joined(separator: ",") + "}"
  let ours = read(text, names.map { $0.name })
  let theirs = python.answer(to: text)
  precondition(ours == theirs, "\(text)\nhere: \(ours)\nPython: \(theirs)")
  return 0
}

/// Pieces that Unicode, or a careless comparison, finds equal to another.
private let pieces: [String] = [
  "a", "A", "e", "\u{E9}", "e\u{301}", "\u{301}", "\u{C5}", "A\u{30A}", "\u{212B}", "\u{DF}", "ss",
  "\u{1E9E}", "\u{FB01}", "fi", "\u{2163}", "IV", "\u{AC00}", "\u{1100}\u{1161}", "\u{3A9}",
  "\u{2126}", "K", "\u{212A}", "i", "\u{131}", "I", "\u{130}", "i\u{307}", "\u{FF21}", "\u{200D}",
  "\u{FEFF}", "\u{AD}", "\u{200B}", " ", "\u{A0}", "\u{2028}", "\u{1F468}\u{200D}\u{1F469}",
  "\u{1F1E9}\u{1F1EA}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "\u{FE0F}", "\u{10FFFF}",
  "$", "$$", "\"", "\\", "\r", "\n", "\r\n", "\t", "\u{1}", "\u{7F}",
]

/// A name, and as what a JSON text has it: in every other piece by `\u` escapes.
private func spelt(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (name: String, written: String) {
  var (name, written) = ("", "\"")
  for byte in bytes {
    let piece = pieces[Int(byte & 0x7F) % pieces.count]
    name += piece
    for scalar in piece.unicodeScalars {
      if byte & 0x80 != 0 || scalar.value < 0x20 || scalar == "\"" || scalar == "\\" {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          written += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        written.unicodeScalars.append(scalar)
      }
    }
  }
  return (name, written + "\"")
}

/// What Python's `oracle` says: `twice`, or each name as hexadecimal UTF-8 with its value, in order.
private func read(_ text: String, _ names: [String]) -> String {
  let value: JSONValue
  do {
    value = try JSONValue.parse(Array(text.utf8))
  } catch {
    precondition(error.code == .duplicate, "\(text): \(error)")
    precondition(Set(names.map { ByteString($0) }).count < names.count)
    return "twice"
  }
  guard case .object(let object) = value else { fatalError(text) }
  for (place, name) in names.enumerated() {
    precondition(object[name]?.integer == Int64(place), text)
  }
  return listed(object.members.map { (ByteString($0.name), $0.value.integer ?? -1) })
}

private func listed(_ pairs: [(ByteString, Int64)]) -> String {
  pairs.sorted { $0.0 < $1.0 }
    .map { name, value in
      name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "=\(value)"
    }
    .joined(separator: " ")
}

private let oracle = """
  import json, sys
  def pairs(found):
      if len(dict(found)) < len(found):
          raise KeyError
      return dict(found)
  for line in sys.stdin.buffer:
      try:
          read = json.loads(line, object_pairs_hook=pairs)
      except KeyError:
          print("twice", flush=True)
          continue
      named = sorted((name.encode("utf-8"), value) for name, value in read.items())
      print(" ".join(name.hex() + "=" + str(value) for name, value in named), flush=True)
  """

private nonisolated(unsafe) let python = Python()

/// One process for the whole run: a line in, a line out.
private final class Python {
  private let process = Process()
  private let (input, output) = (Pipe(), Pipe())

  init() {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", oracle]
    process.standardInput = input
    process.standardOutput = output
    do {
      try process.run()
    } catch {
      fatalError("python3: \(error)")
    }
  }

  func answer(to line: String) -> String {
    input.fileHandleForWriting.write(Data((line + "\n").utf8))
    var answer: [UInt8] = []
    while answer.last != 10 {
      let read = output.fileHandleForReading.availableData
      precondition(!read.isEmpty, "Python has ended")
      answer += read
    }
    return String(decoding: answer.dropLast(), as: UTF8.self)
  }
}

/// libFuzzer's own main loop (its header FuzzerInterface.h).
@_extern(c, "LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ target: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM's name for the program's entry.
@c(FuzzNames_main)
func run(
  _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  var (count, arguments) = (count, arguments)
  return runFuzzer(&count, &arguments, oneInput)
}
