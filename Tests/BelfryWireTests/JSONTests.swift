import Foundation
import TestSupport
import Testing

@testable import BelfryWire

@Suite struct JSONTests {
  @Test(
    arguments: [
      ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-0", .integer(0)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808.0", .double(9_223_372_036_854_775_808)), ("1.0", .double(1)),
      ("-1e19", .double(-1e19)),
      ("1e2", .double(100)), ("-1.5E-3", .double(-0.0015)), (#""""#, ""),
      (#""a\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00""#, "a\"\\/\u{8}\u{c}\n\r\té€😀"),
      ("[]", []), ("[1,[2,\t{}]]", [1, [2, [:]]]), (#"{"b":1,"a":[null]}"#, ["b": 1, "a": [nil]]),
    ] as [(String, JSONValue)])
  func reads(text: String, value: JSONValue) throws {
    #expect(try JSONValue.parse(text) == value)
    #expect(try JSONValue.parse(value.text) == value)
  }

  @Test(
    arguments: [
      ("", .truncated, 0, ""), ("[1", .truncated, 2, ""), ("[1,]", .malformed, 3, "[1]"),
      ("{\"a\":}", .malformed, 5, "a"), ("{a:1}", .malformed, 1, ""), ("nul", .malformed, 0, ""),
      ("01", .malformed, 0, ""), ("1.", .truncated, 2, ""), ("+1", .malformed, 0, ""),
      ("1 2", .malformed, 2, ""), ("{\"v\":NaN}", .malformed, 5, "v"),
      ("[-Infinity]", .malformed, 2, "[0]"),
      ("9223372036854775808", .outOfRange, 0, ""),
      ("[-9223372036854775809]", .outOfRange, 1, "[0]"),
      ("{\"v\":1e400}", .malformed, 5, "v"),
      ("{\"a\":1,\"b\":{\"c\":2,\"c\":3}}", .duplicate, 19, "b.c"),
      (#"{"a":["\ud800"]}"#, .badText, 7, "a[0]"), (#""\udc00\ud800""#, .badText, 1, ""),
      (#""\ud83dx""#, .badText, 1, ""), (#"{"t":"a\u0000"}"#, .badText, 7, "t"),
      ("\"a\nb\"", .badText, 2, ""), (#""\x""#, .malformed, 1, ""), (#""\u12"#, .truncated, 1, ""),
      (#""\u12g4""#, .malformed, 1, ""), ("\u{FEFF}\u{FEFF}1", .malformed, 3, ""),
      ("/*c*/1", .malformed, 0, ""), ("\"abcdefghijkl", .truncated, 13, ""),
    ] as [(String, WireError.Code, Int64, String)])
  func refuses(text: String, code: WireError.Code, place: Int64, path: String) {
    #expect {
      try JSONValue.parse(text)
    } throws: {
      let error = $0 as? WireError
      return error?.code == code && error?.place == place && error?.path == path
    }
  }

  @Test func refusesTextThatIsNotUTF8() {
    let wrong: [[UInt8]] = [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
    ]
    for bytes in wrong {
      for padding in 0..<9 {
        let text = [UInt8](repeating: 0x61, count: padding) + bytes
        #expect(throws: WireError.self) { try JSONValue.parse([0x22] + text + [0x22]) }
        #expect(throws: WireError.self) { try JSONValue.parse([0x22, 0x5C, 0x6E] + text + [0x22]) }
      }
    }
  }

  @Test func depthIsBounded() throws {
    let deep = String(repeating: "[", count: 10_000)
    #expect { try JSONValue.parse(deep) } throws: { ($0 as? WireError)?.code == .tooDeep }
    let objects = String(repeating: "{\"a\":", count: 10_000)
    #expect { try JSONValue.parse(objects) } throws: { ($0 as? WireError)?.code == .tooDeep }
    let most = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
    #expect(try JSONValue.parse(most).array?.count == 1)
    #expect(throws: WireError.self) { try JSONValue.parse("[" + most + "]") }
  }

  @Test func A2_valuesAreBoundedWhereTheyHoldTheClock() throws {
    let array = "[" + String(repeating: "1,", count: 999) + "1]"
    #expect(try JSONValue.parse(Array(array.utf8), valueLimit: 1001).array?.count == 1000)
    let error = #expect(throws: WireError.self) {
      try JSONValue.parse(Array("{\"a\":\(array)}".utf8), valueLimit: 1001)
    }
    #expect(error?.code == .tooLong && error?.path == "a[999]")
    let values = String(repeating: "1,", count: VarlinkCall.valueLimit)
    let call = "{\"method\":\"a.b.C\",\"parameters\":{\"x\":[\(values)1]}}"
    #expect(throws: VarlinkCall.Unreadable.self) {
      try VarlinkCall.parse(.message(Array(call.utf8)))
    }
  }

  @Test func duplicateNamesAreFoundAmongMany() {
    let names = (0..<2_000).map { "\"n\($0)\":0" }.joined(separator: ",")
    #expect(throws: Never.self) { try JSONValue.parse("{\(names)}") }
    #expect {
      try JSONValue.parse("{\(names),\"n0\":1}")
    } throws: {
      ($0 as? WireError)?.code == .duplicate
    }
  }

  @Test func numbersAreTheNearestDoubles() throws {
    let seed = TestSeed.here()
    var random = Seeded(seed: seed)
    let hard = [
      "2.2250738585072011e-308", "2.2250738585072014e-308", "4.9e-324", "2.4703282292062327e-324",
      "2.4703282292062328e-324", "1.7976931348623157e308", "9007199254740993.0",
      "9007199254740993.00000000000000000000000000000000000000000000000000001",
      "179769313486231580793e288", "179769313486231580794e288", "1e309", "1e23", "8.5e22",
      "6.631236871469758276785396630275e-316",
      "0." + String(repeating: "0", count: 400) + "1e401",
      "1" + String(repeating: "0", count: 300) + ".0",
      String(repeating: "9", count: 1_500) + "e-1400", "-0.0", "0e999999999", "1e-999999999",
      "100000000000000016777215.0", "100000000000000016777216.0", "5e-324", "1e-400",
    ]
    let some = (0..<20_000).map { _ in "\(Double(bitPattern: random.next()))" }
    let long = (0..<5_000).map { _ in
      "\(random.next())\(random.next()).\(random.next())e\(Int.random(in: -340...260, using: &random))"
    }
    for text in hard + some + long where !text.contains("n") {
      let expected = try #require(Double(text))
      let read = try? JSONValue.parse(text).number
      #expect(
        read?.bitPattern == (expected.isFinite ? expected.bitPattern : nil),
        "\(text), seed \(seed)")
    }
  }

  /// Foundation's reader and writer as the oracle.
  @Test func agreesWithFoundation() throws {
    let seed = TestSeed.here()
    var samples = Samples(random: Seeded(seed: seed))
    var compared = 0
    for _ in 0..<1_000 {
      let value = samples.json()
      let bytes = value.encoded
      #expect(try JSONValue.parse(bytes) == value, "seed \(seed)")
      let theirs = try JSONSerialization.jsonObject(
        with: Data(bytes), options: [.fragmentsAllowed])
      let back = try JSONSerialization.data(withJSONObject: theirs, options: [.fragmentsAllowed])
      let again: JSONValue
      do throws(WireError) {
        again = try JSONValue.parse(Array(back))
      } catch {
        // It writes large doubles without fraction and exponent.
        #expect(error.code == .outOfRange, "seed \(seed)")
        continue
      }
      #expect(again.comparable == value.comparable, "seed \(seed)")
      compared += 1
    }
    #expect(compared > 500, "seed \(seed)")
  }

  @Test func aValueIsWrittenInItsShortestForm() {
    let value: JSONValue = [
      "i": -1, "d": 1.0, "s": "\u{1}\"é\\/", "n": nil, "a": [true, 1e-7, 1e99, .double(.nan)],
    ]
    let text = #"{"i":-1,"d":1.0,"s":"\u0001\"é\\/","n":null,"a":[true,1e-07,1e+99,null]}"#
    #expect(value.text == text)
  }
}

extension JSONValue {
  /// Without what Foundation does not keep: the order of members, integers apart from doubles.
  fileprivate var comparable: JSONValue {
    switch self {
    case .integer(let number): return .double(Double(number))
    case .array(let items): return .array(items.map(\.comparable))
    case .object(let object):
      var sorted = JSONObject()
      for member in object.members.sorted(by: {
        Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8))
      }) {
        sorted.append(member.name, member.value.comparable)
      }
      return .object(sorted)
    default: return self
    }
  }
}

extension Samples {
  mutating func json(depth: Int = 0) -> JSONValue {
    switch Int.random(in: 0...(depth > 4 ? 4 : 6), using: &random) {
    case 0: return .null
    case 1: return .boolean(Bool.random(using: &random))
    case 2: return .integer(integer())
    case 3: return .double(double())
    case 4: return .string(text(upTo: 40))
    case 5:
      return .array((0..<Int.random(in: 0...5, using: &random)).map { _ in json(depth: depth + 1) })
    default:
      var object = JSONObject()
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let name = text()
        // Two ways to write one name are the same name twice to those who read it.
        if object.members.contains(where: { $0.name == name }) { continue }
        object[name] = json(depth: depth + 1)
      }
      return .object(object)
    }
  }
}
