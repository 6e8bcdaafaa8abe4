import BelfryKit
import Foundation
import Testing

/// A payload's values, between JSON and what an app has.
@Suite struct PushValueTests {
  @Test func P1_everyTypeComesBackAsItself() throws {
    let payload: [String: PushValue] = [
      "null": nil, "text": "x", "whole": 1, "broken": 1.0, "flag": true,
      "list": [1, 1.0, false, nil, [:]], "inner": ["deep": ["er": []]],
    ]
    let userInfo: [AnyHashable: Any] = payload.mapValues { $0.any }
    #expect(try PushValue.payload(userInfo) == payload)
    #expect(userInfo["null"] is NSNull && userInfo["whole"] as? Int == 1)
    #expect(payload["inner"]?["deep"]?["er"]?.array?.isEmpty == true)
    #expect(PushValue.integer(1) != .double(1) && PushValue.integer(1) != .boolean(true))
  }

  @Test func P1_foundationsOwnTypesAreRead() throws {
    let object = try JSONSerialization.jsonObject(
      with: Data(#"{"a": [1, 1.5, true, null, "x", {"b": -7}]}"#.utf8))
    let payload = try PushValue.payload(try #require(object as? [AnyHashable: Any]))
    #expect(payload == ["a": [1, 1.5, true, nil, "x", ["b": -7]]])
    let objects: [AnyHashable: Any] = [
      "a": NSArray(array: [NSNumber(value: 1), NSNumber(value: true), NSString(string: "x")])
    ]
    #expect(try PushValue.payload(objects) == ["a": [1, true, "x"]])
  }

  @Test func A4_whatJSONHasNotIsNamedByItsPath() {
    let strange: [(String, [AnyHashable: Any])] = [
      ("when", ["when": Date()]), ("a.b[1]", ["a": ["b": [1, Data()] as [Any]]]),
      ("x", ["x": Double.nan]), ("big", ["big": UInt64.max]), ("", [1: 2]),
    ]
    for (path, userInfo) in strange {
      do {
        _ = try PushValue.payload(userInfo)
        Issue.record("read: \(path)")
      } catch {
        #expect(error.field == path)
      }
    }
  }
}
