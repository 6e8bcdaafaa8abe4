import BelfryCore

@testable import BelfryWire

/// Payloads with any of their properties, from a seed.
struct RandomPush {
  private var random: Seeded

  init(seed: UInt64) {
    random = Seeded(seed: seed)
  }

  mutating func payload() -> PushPayload {
    var payload = PushPayload()
    if chance(3, of: 4) { payload.alert = alert() }
    payload.badge = maybe { [0, 1, 180, Int64(Int32.max)].randomElement(using: &$0.random)! }
    payload.sound = maybe { $0.sound() }
    payload.category = maybe { $0.text() }
    payload.threadIdentifier = maybe { $0.text() }
    payload.interruptionLevel = maybe {
      InterruptionLevel.allCases.randomElement(using: &$0.random)!
    }
    payload.contentAvailable = chance(1, of: 3)
    payload.cloud = maybe { $0.cloud() }
    payload.siblings = others()
    payload.unknown = others()
    return payload
  }

  private mutating func alert() -> PushAlert {
    var alert = PushAlert()
    alert.body = maybe { $0.text() }
    alert.bodyKey = maybe { $0.text() }
    alert.bodyArguments = arguments()
    alert.title = maybe { $0.text() }
    alert.titleKey = maybe { $0.text() }
    alert.titleArguments = arguments()
    alert.subtitle = maybe { $0.text() }
    alert.subtitleKey = maybe { $0.text() }
    alert.subtitleArguments = arguments()
    alert.actionKey = maybe { $0.text() }
    alert.launchImage = maybe { $0.text() }
    alert.unknown = others()
    return alert
  }

  private mutating func sound() -> PushSound {
    // An empty name is no sound.
    var sound = PushSound(name: "s" + text())
    sound.volume = maybe { Double(Int.random(in: 0...8, using: &$0.random)) / 8 }
    sound.isCritical = chance(1, of: 3)
    sound.unknown = others()
    return sound
  }

  private mutating func cloud() -> CloudKitPayload {
    var part = CloudKitPayload()
    part.notificationID = maybe { UUIDBits(high: $0.random.next(), low: $0.random.next()) }
    part.containerIdentifier = maybe { $0.text() }
    part.isPruned = chance(1, of: 5)
    part.unknown = others()
    switch Int.random(in: 0...3, using: &random) {
    case 0: part.kind = .base
    case 1:
      var query = CloudQuery()
      query.reason = maybe { CloudQuery.Reason.allCases.randomElement(using: &$0.random)! }
      query.record = maybe { $0.text() }
      query.fields = maybe { $0.others() }
      query.subject = subject()
      part.kind = .query(query)
    case 2: part.kind = .recordZone(subject())
    default: part.kind = .database(subject())
    }
    return part
  }

  private mutating func subject() -> CloudSubject {
    var subject = CloudSubject()
    subject.zone = maybe { $0.text() }
    subject.zoneOwner = maybe { $0.text() }
    subject.subscription = maybe { $0.text() }
    subject.scope = maybe { [.private, .public, .shared].randomElement(using: &$0.random)! }
    subject.unknown = others()
    return subject
  }

  private mutating func arguments() -> [PropertyList] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      switch Int.random(in: 0...3, using: &random) {
      case 0: .integer(Int64.random(in: .min ... .max, using: &random))
      case 1: .double(Double.random(in: -1e6...1e6, using: &random))
      default: .string(text())
      }
    }
  }

  /// Members that no version of a payload knows, in order of their names.
  private mutating func others() -> JSONObject {
    guard chance(1, of: 4) else { return [:] }
    var others = JSONObject()
    for index in 0..<Int.random(in: 1...3, using: &random) {
      others.append("x\(index)", chance(1, of: 2) ? .string(text()) : ["deep": [1, 2.5, true]])
    }
    return others
  }

  private mutating func text() -> String {
    let samples = [
      "", "a", "Tea is ready", "%@ and %2$@ %n %%", "日本語", "\"\\\n\t\u{1}", "e\u{301}",
    ]
    let sample = samples.randomElement(using: &random)!
    let times = chance(1, of: 6) ? Int.random(in: 1...400, using: &random) : 1
    return String(repeating: sample, count: times)
  }

  private mutating func chance(_ some: Int, of all: Int) -> Bool {
    Int.random(in: 1...all, using: &random) <= some
  }

  private mutating func maybe<T>(_ make: (inout RandomPush) -> T) -> T? {
    chance(1, of: 2) ? make(&self) : nil
  }
}
