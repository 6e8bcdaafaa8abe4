import Foundation
import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

struct StringsTableTests {
  private func table(_ text: String) throws -> StringsTable {
    try StringsTable(Array(text.utf8))
  }

  private func refusal(_ bytes: [UInt8]) -> StringsError? {
    do throws(StringsError) {
      _ = try StringsTable(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    (#""a" = "b";"#, "a", "b"), (#"a=b;"#, "a", "b"), (#"'a' = 'it"s';"#, "a", #"it"s"#),
    (#""key only";"#, "key only", "key only"), ("k;", "k", "k"),
    (#"/* one */ "a" // two\#n = /**/ b; // three"#, "a", "b"),
    (#""a // b" = "/* c */";"#, "a // b", "/* c */"),
    (#""a" = "\"\\\n\t\r\'\a\b\f\v\q";"#, "a", "\"\\\n\t\r'\u{7}\u{8}\u{C}\u{B}q"),
    (#""a" = "\101\7\60x";"#, "a", "A\u{7}0x"), (#""a" = "\U00e9\u00E9";"#, "a", "éé"),
    (#""a" = "\Ud83d\Ude00 \uD83D\uDE00";"#, "a", "😀 😀"),
    ("\"a\" = \"one\\\ntwo\nthree\";", "a", "one\ntwo\nthree"), ("\"\" = \"empty\";", "", "empty"),
    ("a.b-c_d$e:f/g = h;", "a.b-c_d$e:f/g", "h"), ("a = one; a = two;", "a", "two"),
    ("\u{2028}a\u{2029}= b\u{B};\u{C}", "a", "b"), ("\"ü\" = \"Grüße 🔔\";", "ü", "Grüße 🔔"),
    ("\r\n// x\r\n\"a\" = \"b\"\r\n;\r\n", "a", "b"),
  ])
  func L1_readsPairs(_ text: String, _ key: String, _ value: String) throws {
    for bytes in encodings(of: text) {
      let table = try StringsTable(bytes)
      #expect(table.count == 1)
      #expect(table[key] == value)
      #expect(table[key + "x"] == nil)
    }
    #expect(try table(text) == StringsTable([0xEF, 0xBB, 0xBF] + Array(text.utf8)))
  }

  /// UTF-8 and UTF-16 of both orders, each with and, where the text begins as tables do, without a
  /// byte order mark.
  private func encodings(of text: String) -> [[UInt8]] {
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let marked = [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little,
      [0xFE, 0xFF] + big,
    ]
    return (text.utf8.first ?? 0xFF) < 0x80 ? marked + [little, big] : marked
  }

  @Test func L1_keysAreComparedByteByByte() throws {
    let table = try table("\"\u{E9}\" = one; \"e\u{301}\" = two;")
    #expect(table.count == 2)
    #expect(table["\u{E9}"] == "one")
    #expect(table["e\u{301}"] == "two")
  }

  @Test func L1_anEmptyTableHasNothing() throws {
    for text in ["", " \n", "// nothing", "/* nothing */"] {
      let table = try table(text)
      #expect(table.count == 0)
      #expect(table[""] == nil)
    }
  }

  @Test(arguments: [
    ("a = b", 1, 6, "a ; was expected"), ("a = b // x\nc = d;", 1, 6, "a ; was expected"),
    ("\n\n  = b;", 3, 3, "a key was expected"), ("a = ;", 1, 5, "a value was expected"),
    ("x;\na\nb;", 2, 2, "an = was expected"), ("a =", 1, 4, "the value is missing"),
    ("x;\n\"a\" = \"b;\n", 2, 7, "no closing quote"),
    ("\r\n\"a\" = \"b\\", 2, 7, "no closing quote"),
    ("é = x;", 1, 1, "a key was expected"), ("\"ü\"; /* x", 1, 6, "this comment has no end"),
    ("\"a\" = \"\\U12\";", 1, 8, "four hexadecimal"),
    ("\"a\" = \"\\Ud800\";", 1, 8, "half a surrogate"),
    ("\"a\" = \"é\\Ud800\\U0041\";", 1, 9, "half a surrogate"),
    ("\"a\" = \"\\Udc00\";", 1, 8, "half a surrogate"), ("\"a\" = \"\\0\";", 1, 8, "in octal"),
    ("\"a\" = \"\\351\";", 1, 8, "in octal"), ("\"a\" = \"\\U0000\";", 1, 8, "U+0000"),
    ("\"a\" = \"\u{0}\";", 1, 8, "U+0000"), ("{ a = b; }", 1, 1, "a key was expected"),
    ("a = ü;", 1, 5, "a value was expected"), ("a = (b, c);", 1, 5, "a value was expected"),
    ("<?xml version", 0, 0, "property list"), ("bplist00", 0, 0, "property list"),
    ("\"\0a\0\"\0", 1, 4, "an = was expected"),
  ])
  func L1_aBrokenTableIsNamedWithItsLine(
    _ text: String, _ line: Int64, _ column: Int64, _ reason: String
  ) throws {
    let fault = try #require(refusal(Array(text.utf8)))
    #expect(fault.reason.contains(reason), "\(fault)")
    #expect((fault.line, fault.column) == (line, column), "\(fault)")
  }

  @Test func L1_badEncodingsAreNamedWithTheirLine() throws {
    let cases: [([UInt8], String, Int64)] = [
      (Array("a = b;\n".utf8) + [0xE9], "not UTF-8", 2), ([0xC0, 0x80], "not UTF-8", 1),
      ([0xED, 0xA0, 0x80], "not UTF-8", 1), ([0xF4, 0x90, 0x80, 0x80], "not UTF-8", 1),
      ([0xE2, 0x82], "not UTF-8", 1), ([0xFF, 0xFE, 0x61], "within a character", 1),
      ([0xFF, 0xFE, 0x00, 0xD8], "half a surrogate", 1),
      ([0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x61], "half a surrogate", 1),
      ([0xFE, 0xFF, 0x00, 0x0A, 0xDC, 0x00], "half a surrogate", 2),
    ]
    for (bytes, reason, line) in cases {
      let fault = try #require(refusal(bytes))
      #expect(fault.reason.contains(reason), "\(fault)")
      #expect(fault.line == line, "\(fault)")
    }
  }

  @Test func L1_A2_tablesAreBounded() throws {
    let padding = [UInt8](repeating: 0x20, count: StringsTable.largest)
    #expect(try StringsTable(padding).count == 0)
    #expect(refusal(padding + [0x20])?.reason.contains("at most 4194304") == true)
    let many = (0...StringsTable.maxPairs).map { "k\($0);" }
    #expect(try table(many.dropLast().joined()).count == StringsTable.maxPairs)
    let fault = try #require(refusal(Array(many.joined(separator: "\n").utf8)))
    #expect(fault.line == Int64(StringsTable.maxPairs) + 1)
  }

  @Test func L1_findsEachOfMany() throws {
    let keys = (0..<5000).map { "key \($0 * 7919 % 5000)" }
    let table = try table(keys.map { "\"\($0)\" = \"value of \($0)\";\n" }.joined())
    #expect(table.count == keys.count)
    for key in keys { #expect(table[key] == "value of \(key)") }
    #expect(table["key 5000"] == nil)
    #expect(table[""] == nil)
  }

  /// Foundation reads the same from what both take: its own reader of old property lists.
  @Test func L1_agreesWithFoundation() throws {
    let pieces = [
      "a", "key", "\"a b\"", "'c'", "\"\"", "\"x\\\"y\"", "\"\\n\\\\\"", "\"\\101\"", "\"\\U00e9\"",
      "\"ü\"", "\"two\nlines\"", "\"\\\n\"", " = ", "=", ";", ";\n", ";", " ", "\n", "/* c */",
      "//c\n",
      "\t", "a.b", "\u{2028}", "=",
    ]
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    var agreed = 0
    for _ in 0..<20_000 {
      let isWellFormed = Bool.random(using: &random)
      let text =
        isWellFormed
        ? (0..<Int.random(in: 1...4, using: &random)).map { _ in
          let pick = { pieces[Int.random(in: 0...11, using: &random)] }
          return "\(pick()) = \(pick());"
        }.joined(separator: "\n")
        : (0..<Int.random(in: 1...9, using: &random)).map { _ in
          pieces.randomElement(using: &random)!
        }.joined()
      guard let table = try? table(text) else {
        // Foundation stops without a word at what is no pair.
        #expect(!isWellFormed, "seed \(seed): refused \(text.debugDescription)")
        continue
      }
      guard table.count > 0 else { continue }
      agreed += 1
      let expected = foundation(text) ?? [:]
      #expect(table.count == expected.count, "seed \(seed): \(text.debugDescription)")
      for (key, value) in expected {
        #expect(table[key] == value, "seed \(seed): \(text.debugDescription)")
      }
    }
    #expect(agreed > 5000)
  }

  /// nil: it is something else than a table, or broken.
  private func foundation(_ text: String) -> [String: String]? {
    let found = try? PropertyListSerialization.propertyList(
      from: Data(text.utf8), options: [], format: nil)
    return found as? [String: String]
  }

  @Test func L1_damagedTablesAreNeverATrap() {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    let good = Array("/* x */ \"a\" = \"\\Ud83d\\Ude00\"; 'b' = c; // d\n\"ü\";".utf8)
    for bytes in encodings(of: String(decoding: good, as: UTF8.self)) {
      for _ in 0..<2000 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          damaged[Int.random(in: 0..<damaged.count, using: &random)] =
            UInt8.random(in: 0 ... .max, using: &random)
        }
        let count = Int.random(in: 0...damaged.count, using: &random)
        if let fault = refusal(Array(damaged.prefix(count))) {
          #expect(!fault.reason.isEmpty, "seed \(seed)")
        }
      }
    }
  }
}
