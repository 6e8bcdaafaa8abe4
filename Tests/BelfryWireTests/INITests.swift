import Testing

@testable import BelfryWire

@Suite struct INITests {
  @Test func readsSectionsAndLines() throws {
    let text = """
      # Belfry
      ; and another comment

      [clock]
      trust = always
      \tzone=Europe/Berlin # not a comment
      [plugin:console]\r
      file = "console"
      empty =
      folder = /a
      folder = /b = c
      """
    let file = try INIFile.parse(Array(text.utf8), repeatable: ["folder"])
    #expect(file.sections.map(\.header) == ["clock", "plugin:console"])
    #expect(file.sections.map(\.line) == [4, 7])
    #expect(file.sections[0]["trust"] == "always")
    #expect(file.sections[0]["zone"] == "Europe/Berlin # not a comment")
    #expect(file.sections[0].entries.map(\.line) == [5, 6])
    #expect(file.sections[1].kind == "plugin")
    #expect(file.sections[1].name == "console")
    #expect(
      file.sections[1].entries.map { "\($0.key)=\($0.value)" }
        == ["file=\"console\"", "empty=", "folder=/a", "folder=/b = c"])
    #expect(file.sections[1]["none"] == nil)
  }

  @Test(
    arguments: [
      ("a = 1", .malformed, 1), ("[a]\nb", .malformed, 2), ("[a", .malformed, 1),
      ("[]", .malformed, 1), ("[a:]", .malformed, 1), ("[:a]", .malformed, 1),
      ("[a]\n= 1", .malformed, 2), ("[a]\nb c = 1", .malformed, 2),
      ("[a]\n[b]\n[a]", .duplicate, 3),
      ("[a]\nk = 1\n\nk = 1", .duplicate, 4), ("[a]\nk = \u{1}", .badText, 2),
      ("[a]\n\0", .badText, 2),
    ] as [(String, WireError.Code, Int64)])
  func refuses(text: String, code: WireError.Code, line: Int64) {
    #expect {
      try INIFile.parse(Array(text.utf8))
    } throws: {
      ($0 as? WireError)?.code == code && ($0 as? WireError)?.place == line
    }
  }

  @Test func refusesWhatIsNotUTF8AndTooMuch() {
    #expect { try INIFile.parse([0x0A, 0xFF]) } throws: { ($0 as? WireError)?.place == 2 }
    #expect {
      try INIFile.parse([UInt8](repeating: 10, count: INIFile.limit + 1))
    } throws: {
      ($0 as? WireError)?.code == .tooLong
    }
  }
}
