import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

/// plugins/Console under a worker, writing to a pseudo-terminal.
@Suite struct ConsoleTests {
  /// Both ends of a pseudo-terminal of so many columns.
  private final class Terminal {
    let leader: Int32
    let path: String
    private let follower: Int32

    init(columns: UInt16) throws {
      var ends: (Int32, Int32) = (-1, -1)
      var name = [CChar](repeating: 0, count: 128)
      var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      // One end stays open here, so that the pair outlives the worker.
      try #require(openpty(&ends.0, &ends.1, &name, nil, &size) == 0)
      (leader, follower) = ends
      path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
      close(leader)
      close(follower)
    }

    /// All that has been written so far.
    func text() -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !Poll.wait(leader, .readable, milliseconds: 50).isEmpty {
        let count = read(leader, &buffer, buffer.count)
        if count <= 0 { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func shown(
    columns: UInt16, _ settings: [String: String] = ["colour": "never"],
    _ change: (inout BelfryCore.Notification) -> Void
  ) throws -> String {
    let terminal = try Terminal(columns: columns)
    let clock = try ClockDouble(
      Fixtures.products + "/libbelfry-console.so",
      settings: settings.merging(["device": terminal.path]) { $1 },
      run: try Fixtures.scratch(), environment: ["TERM=xterm", "NO_COLOR="])
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id(), change)))
    #expect(clock.answer()?.answer == .done(note: nil))
    return terminal.text()
  }

  @Test func everythingIsShown() throws {
    let text = try shown(columns: 80) {
      $0.alertTitle = "Kitchen"
      $0.alertSubtitle = "Kettle"
      $0.alertAction = "View"
    }
    let lines = text.split(separator: "\r\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("org.example.tea  Kitchen — Kettle"))
    #expect(lines[1] == "  The tea is ready")
    #expect(lines[2] == "  [View]")
  }

  @Test func nothingFromOutsideMovesTheTerminal() throws {
    let attack =
      "a\u{1B}[2Jb\u{7}c\u{9B}31md\u{9D}0;t\u{9C}e\u{8}f\u{0}g\u{7F}h\u{202E}i\u{2066}j\u{200F}k"
      + "\u{1B}]0;title\u{7}\u{90}x\u{E}\u{2028}\u{85}\u{FEFF}z\u{E0041}"
    let text = try shown(columns: 80) {
      $0.alertTitle = attack
      $0.alertSubtitle = attack
      $0.alertBody = attack
      $0.alertAction = attack
    }
    let forbidden: Set<UInt32> = [
      0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
      0x2069, 0x2028, 0x2029, 0xFEFF, 0xE0041,
    ]
    for scalar in text.unicodeScalars where scalar != "\r" && scalar != "\n" {
      let value = scalar.value
      #expect(value >= 0x20 && !(0x7F...0x9F).contains(value), "U+\(String(value, radix: 16))")
      #expect(!forbidden.contains(value), "U+\(String(value, radix: 16))")
    }
    #expect(text.contains("a\u{FFFD}[2Jb\u{FFFD}c"))
  }

  @Test func noLineIsWiderThanTheTerminal() throws {
    // glibc's wcwidth is the oracle; it needs a locale.
    try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
    let bodies = [
      String(repeating: "漢字かな交じり文 ", count: 20),
      String(repeating: "x", count: 300),
      String(repeating: "e\u{301}", count: 150) + " short words between long ones",
      String(repeating: "👩‍👩‍👧‍👦🇩🇪👍🏽❤️ ", count: 30),
      String(repeating: "हिन्दी में एक लंबा वाक्य ", count: 12),
      String(repeating: "السلام عليكم ", count: 20), "한국어 " + String(repeating: "각", count: 99),
    ]
    for columns: UInt16 in [12, 40, 79] {
      for body in bodies {
        let text = try shown(columns: columns) {
          $0.alertBody = body
          $0.alertTitle = body
        }
        for line in text.components(separatedBy: "\r\n") {
          let width = line.unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t($1.value)))) }
          // A family of emoji joined into one is drawn once, where wcwidth counts its members.
          guard !line.unicodeScalars.contains("\u{200D}") else { continue }
          #expect(width <= Int(columns), "\(columns) columns: \(line)")
        }
      }
    }
  }

  @Test func colourIsForTerminalsOrWhenAskedFor() throws {
    #expect(try shown(columns: 80, ["colour": "auto"]) { _ in }.contains("\u{1B}["))
    #expect(try shown(columns: 80, ["colour": "always"]) { _ in }.contains("\u{1B}["))
    #expect(!(try shown(columns: 80, ["colour": "never"]) { _ in }.contains("\u{1B}")))
    let folder = try Fixtures.scratch()
    let clock = try ClockDouble(
      Fixtures.products + "/libbelfry-console.so",
      settings: ["device": folder + "/file", "bell": "yes"], run: folder)
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id())))
    #expect(clock.answer()?.answer == .done(note: nil))
    let text = String(decoding: try Files.read(folder + "/file", limit: 4096), as: UTF8.self)
    // On a busy machine a line about lateness may follow.
    #expect(text.contains("org.example.tea\n  The tea is ready\n"))
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test func theBellRingsWhenItIsConfigured() throws {
    let text = try shown(columns: 80, ["colour": "never", "bell": "yes"]) { _ in }
    #expect(text.unicodeScalars.filter { $0 == "\u{7}" }.count == 1)
  }

  @Test(arguments: [("Kitchen", "Kitchen"), ("", "The tea is ready")])
  func N15_aWithdrawalIsALine(title: String, named: String) throws {
    let folder = try Fixtures.scratch()
    let clock = try ClockDouble(
      Fixtures.products + "/libbelfry-console.so", settings: ["device": folder + "/file"],
      run: folder)
    _ = try clock.ready()
    let id = Sample.id()
    clock.send(.deliver(Sample.delivery(id) { $0.alertTitle = title.isEmpty ? nil : title }))
    #expect(clock.answer() != nil)
    clock.send(.withdraw(token: 0, id))
    clock.send(.stop)
    #expect(try clock.end() == .exited(0))
    let text = String(decoding: try Files.read(folder + "/file", limit: 4096), as: UTF8.self)
    #expect(text.hasSuffix("  withdrawn: \(named)\n"))
  }

  /// The next process finds in its run folder what the one before has shown: 128 of it.
  @Test func N15_afterARestartAWithdrawalStillSaysWhatItWas() throws {
    let folder = try Fixtures.scratch()
    func life(_ messages: [MessageToChild]) throws {
      let clock = try ClockDouble(
        Fixtures.products + "/libbelfry-console.so", settings: ["device": folder + "/file"],
        run: folder)
      _ = try clock.ready()
      for message in messages {
        clock.send(message)
        if case .deliver = message { #expect(clock.answer() != nil) }
      }
      clock.send(.stop)
      #expect(try clock.end() == .exited(0))
    }
    let ids = (0..<130).map { _ in Sample.id() }
    try life(
      ids.enumerated().map { number, id in
        .deliver(Sample.delivery(id) { $0.alertTitle = "Alert \(number)" })
      })
    try life([1, 2, 129].map { .withdraw(token: 0, ids[$0]) })
    try life([.withdraw(token: 0, ids[2]), .withdraw(token: 0, ids[128])])
    let text = String(decoding: try Files.read(folder + "/file", limit: 65_536), as: UTF8.self)
    let said = text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "withdrawn: ").map { String(line[$0.upperBound...]) }
    }
    #expect(
      said.map { $0.hasPrefix("Alert") ? $0 : "" } == ["", "Alert 2", "Alert 129", "", "Alert 128"])
    // What is not known is named by its delivery id.
    #expect(said.first?.hasPrefix(ids[1].text) == true && said[3].hasPrefix(ids[2].text))
  }
}
