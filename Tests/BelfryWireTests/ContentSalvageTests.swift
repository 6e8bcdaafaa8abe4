import BelfryCore
import BelfryWire
import Testing

/// D8: of a content with a damaged byte, what is readable is read.
struct ContentSalvageTests {
  private static let sample: [UInt8] = {
    var sample = Notification()
    sample.fireDate = Instant(microseconds: 1_798_102_800_000_000)
    sample.repeatInterval = .day
    sample.timeZone = "Europe/Berlin"
    sample.alertBody = "Take \"the\" bread\\out, näher"
    sample.alertTitle = "Kitchen"
    sample.soundName = "default"
    sample.interruptionLevel = .timeSensitive
    sample.volume = 0.5
    sample.userInfo = [
      "id": .integer(7), "volume": .double(1.5), "fireDate": .string("alertBody"),
      "deep": .dictionary(["alertBody": .string("x"), "list": .array([.boolean(true)])]),
    ]
    return NotificationCodec.encodeContent(sample)
  }()

  private func members(_ notification: Notification) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    for member in NotificationCodec.encode(notification).members {
      members[member.name] = member.value
    }
    return members
  }

  /// The names of the fields that are not as in the sample.
  private func changed(_ notification: Notification) throws -> Set<String> {
    let whole = members(try NotificationCodec.decodeContent(Self.sample))
    let left = members(notification)
    return Set(whole.keys).union(left.keys).filter { whole[$0] != left[$0] }
  }

  /// Where the members stand in the sample.
  private static let places: [(name: String, range: Range<Int>)] = {
    let text = Array(sample)
    var starts: [(String, Int)] = []
    for name in NotificationCodec.fields {
      let key = Array("\"\(name)\":".utf8)
      let places = (1..<text.count - key.count).filter { Array(text[$0..<$0 + key.count]) == key }
      // Of the same names in userInfo the first or the last is the field's.
      guard let place = name == "volume" ? places.last : places.first else { continue }
      starts.append((name, place))
    }
    return starts.enumerated().map { number, start in
      (start.0, start.1..<(number + 1 < starts.count ? starts[number + 1].1 : text.count))
    }
  }()

  @Test func D8_aDamagedByteCostsOneFieldAtMost() throws {
    #expect(Self.places.map { $0.name }.contains("userInfo"))
    for place in Self.sample.indices {
      // Each place gets two of them in turn.
      let bytes = [0, 0x20, 0x22, 0x2C, 0x30, 0x3A, 0x5C, 0x7B, 0x7D, 0x80, 0xFF] as [UInt8]
      for byte in [bytes[place % bytes.count], bytes[(3 * place + 5) % bytes.count]] {
        var damaged = Self.sample
        damaged[place] = byte
        if (try? NotificationCodec.decodeContent(damaged)) != nil { continue }
        let words: Comment = "\(byte) at \(place): \(String(decoding: damaged, as: UTF8.self))"
        guard let (notification, lost) = NotificationCodec.salvageContent(damaged) else {
          Issue.record("nothing is left: \(words)")
          continue
        }
        let changed = try changed(notification)
        #expect(changed.count <= 1, words)
        #expect(changed.isSubset(of: lost), words)
        if let field = Self.places.first(where: { $0.range.contains(place) }), changed.count == 1 {
          let isBetween = place >= field.range.upperBound - 2
          #expect(changed.first == field.name || isBetween, words)
        }
      }
    }
  }

  @Test func D8_aTextIsReadAroundItsDamage() throws {
    for (damaged, text) in [
      ("{\"alertBody\":\"Te\u{1} is ready\"}", "Te? is ready"),
      (#"{"alertBody":"Tea is "eady"}"#, "Tea is \"eady"),
      (#"{"alertBody":"Tea \xs ready"}"#, "Tea ?xs ready"),
      (#"{"alertBody":#Tea is ready"}"#, "Tea is ready"),
      (#"{"alertBody":"Tea is ready#}"#, "Tea is ready"),
      (#"{"alertBxdy":"Tea is ready"}"#, "Tea is ready"),
      (#"{"alertBodyx:"Tea is ready"}"#, "Tea is ready"),
      (#"{"alertBody"x"Tea is ready"}"#, "Tea is ready"),
      (#"{xalertBody":"Tea is ready"}"#, "Tea is ready"),
      (#"x"alertBody":"Tea is ready"}"#, "Tea is ready"),
      (#"{"alertBody":"Tea is ready"x"#, "Tea is ready"),
    ] {
      let salvaged = NotificationCodec.salvageContent(Array(damaged.utf8))
      #expect(salvaged?.notification.alertBody == text, "\(damaged)")
    }
  }

  @Test func D8_whatIsNoContentIsNone() {
    for other in ["", "{}", "x", "[1,2]", "{\"a\":1}", "\u{0}\u{0}\u{0}", "Dear diary, alertBody"] {
      #expect(NotificationCodec.salvageContent(Array(other.utf8)) == nil, "\(other)")
    }
  }

  /// A row is as long as it may be, and full of names.
  @Test func D8_theCostIsBounded() {
    let names = String(repeating: #""alertBody":{"volume":[,"#, count: 2700)
    let damaged = Array((#"{"alertBody":"tea","userInfo":{"# + names).utf8)
    #expect(NotificationCodec.salvageContent(damaged)?.notification.alertBody == "tea")
  }
}
