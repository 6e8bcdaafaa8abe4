import Foundation

/// Numbers that `Tests/Fixtures/zone_oracle.py` answers, read one after another.
struct ZoneOracle {
  /// The line of text before them.
  private(set) var heading = ""
  private let numbers: [Int64]
  private var place = 0

  /// Asks the oracle; `input` is what it reads. `heading`: a line comes first.
  init(_ arguments: [String], input: String = "", hasHeading: Bool = false) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Foundation.Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments =
      [tests.appendingPathComponent("Fixtures/zone_oracle.py").path] + arguments
    let (questions, answers) = (Pipe(), Pipe())
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
    // Few enough to fit the pipe, so that neither side waits for the other.
    precondition(input.utf8.count < 60_000)
    questions.fileHandleForWriting.write(Data(input.utf8))
    try questions.fileHandleForWriting.close()
    var data = answers.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    if hasHeading, let end = data.firstIndex(of: 0x0A) {
      heading = String(decoding: data[..<end], as: UTF8.self)
      data = data[(end + 1)...]
    }
    numbers = [Int64](unsafeUninitializedCapacity: data.count / 8) { buffer, count in
      count = data.count / 8
      data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  var isAtEnd: Bool { place == numbers.count }

  mutating func next() -> Int64 {
    place += 1
    return numbers[place - 1]
  }
}
