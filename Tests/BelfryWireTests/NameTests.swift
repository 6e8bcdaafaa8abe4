import BelfryCore
import Testing

@testable import BelfryWire

/// A4 on the wire: two spellings of one letter are two names.
struct NameTests {
  static let one = "caf\u{E9}"
  static let other = "cafe\u{301}"

  @Test(arguments: [0, 20])
  func A4_membersOfTwoSpellingsAreTwo(_ others: Int) throws {
    let rest = (0..<others).map { ",\"n\($0)\":0" }.joined()
    let text = "{\"\(Self.one)\":1,\"\(Self.other)\":2\(rest)}"
    let object = try #require(try JSONValue.parse(text).object)
    #expect(object[Self.one]?.integer == 1 && object[Self.other]?.integer == 2)
    #expect(throws: WireError.self) {
      try JSONValue.parse("{\"\(Self.one)\":1,\"\(Self.one)\":2\(rest)}")
    }
  }

  @Test func A4_keysOfUserInfoAreBytes() throws {
    let text = "{\"\(Self.one)\":1,\"\(Self.other)\":{\"\(Self.one)\":2,\"\(Self.other)\":3}}"
    let value = try JSONValue.parse(text)
    let pairs = try PropertyListCodec.decode(value)
    #expect(pairs.count == 2 && pairs[Self.one] == .integer(1))
    let again = JSONValue.object(PropertyListCodec.encode(pairs))
    #expect(try PropertyListCodec.decode(JSONValue.parse(again.text)) == pairs)
    #expect(again.text.utf8.count == text.utf8.count)
  }

  @Test func A4_aPushKeepsSiblingsOfTwoSpellings() throws {
    let text = "{\"aps\":{\"alert\":\"Fire\"},\"\(Self.one)\":1,\"\(Self.other)\":2}"
    let payload = try PushPayload.read(Array(text.utf8)).payload
    #expect(payload.siblings[Self.one]?.integer == 1 && payload.siblings[Self.other]?.integer == 2)
    #expect(try PushPayload.read(payload.encoded).payload == payload)
  }

  @Test func A4_aMemberThatIsSpelledAnotherWayIsNotThatMember() {
    // U+212A is canonically K, which Swift takes for it.
    #expect(throws: (any Error).self) {
      try INIFile.parse(Array("[cloc\u{6B}]\n[cloc\u{6B}]\n".utf8))
    }
    #expect("\u{212A}" != "K")
  }

  @Test func A4_sectionsOfTwoSpellingsAreTwo() throws {
    let text = "[plugin:\(Self.one)]\nfile = a\n[plugin:\(Self.other)]\nfile = b\n"
    #expect(try INIFile.parse(Array(text.utf8)).sections.count == 2)
  }

  // MARK: A byte order mark

  @Test func A4_aByteOrderMarkBeforeATextIsSkipped() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    #expect(try JSONValue.parse(mark + Array("{\"a\": 1}".utf8)).object?["a"]?.integer == 1)
    let push = try PushPayload.read(mark + Array(#"{"aps": {"alert": "Fire"}}"#.utf8))
    #expect(push.payload.alert.body == "Fire")
    let file = try INIFile.parse(mark + Array("[clock]\ntrust = always\n".utf8))
    #expect(file.sections.map(\.header) == ["clock"] && file.sections[0].line == 1)
    // One is skipped, and only before the text.
    for bad in [mark + mark + [0x31], [0x31] + mark, [0x20] + mark + [0x31], mark] {
      #expect(throws: WireError.self) { try JSONValue.parse(bad) }
    }
    #expect(throws: WireError.self) {
      try INIFile.parse(mark + mark + Array("[clock]\n".utf8))
    }
  }
}
