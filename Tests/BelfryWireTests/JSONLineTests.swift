import Testing

@testable import BelfryWire

@Suite struct JSONLineTests {
  @Test func itIsTheSameAsByTheTree() {
    var inner = JSONLine()
    inner.append("name", "a \"quoted\\ one\u{7}, ünï")
    var line = JSONLine()
    line.append("flag", false)
    line.append("number", .min)
    line.append("none", [String]())
    line.append("texts", ["", "two"])
    line.append("objects", [inner, JSONLine()])
    let tree: JSONObject = [
      "flag": .boolean(false), "number": .integer(.min), "none": .array([]),
      "texts": .array([.string(""), .string("two")]),
      "objects": .array([
        .object(["name": .string("a \"quoted\\ one\u{7}, ünï")]), .object([:]),
      ]),
    ]
    #expect(line.text == JSONValue.object(tree).text)
  }

  @Test(arguments: [
    (0, "0.0"), (7, "0.007"), (70, "0.07"), (1000, "1.0"), (30_001, "30.001"), (12_340, "12.34"),
  ])
  func thousandths(_ number: Int64, _ text: String) {
    var line = JSONLine()
    line.append("seconds", thousandths: number)
    #expect(line.text == "{\"seconds\":\(text)}")
  }
}
