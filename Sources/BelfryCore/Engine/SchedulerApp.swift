/// What the scheduler keeps of an app id.
final class SchedulerApp {
  enum RegistrationState {
    /// The store does not know it.
    case none
    case asked
    case done
  }

  /// What to do for a client, in the order in which the app's clients asked.
  struct Work {
    var id: RequestID
    var request: Request
    /// Whose it is; of sessions alone.
    var uid: UInt32
    var asked: EventTime
    /// Of an edit that waits for what it needs to be read: what it found.
    var edited: FoundRow?

    /// Answered apart from the others, by what becomes of the push.
    var isPush: Bool {
      if case .push = request { true } else { false }
    }
  }

  /// A pending one that is critical, for `status`.
  struct KnownCritical {
    var slot: Slot
    var sequence: Int64
    var identifier: String
  }

  let number: AppNumber
  let name: String
  /// Whose it is (A1): of `user.<uid>` that uid, else the one that its manifest names, else the one
  /// that used the id first.
  let owner: UInt32
  var badge: Int64
  /// When something entered or left it last, and what the store knows of that.
  var used = Instant.distantPast
  var notedUse = Instant.distantPast
  /// What the badge sinks were told, and whether that was ever a number in this life: what a sink shows may be
  /// an earlier one.
  var toldBadge: Int64 {
    didSet { if toldBadge != 0 { hasHadBadge = true } }
  }
  private(set) var hasHadBadge = false
  /// nil: it never registered (D5).
  var registration: AppRegistration?
  /// Whether the store knows it.
  var registrationState: RegistrationState
  /// Requests that wait: for the registration, or for one that must be alone.
  var waiting: [Work] = []
  /// Schedule requests whose outcome is not known; they count towards the limit (N17).
  var schedulesUnderWay: Int32 = 0
  /// A request is under way that must be alone: so that a limit is judged exactly, or nobody's change
  /// gets lost between two.
  private(set) var isExclusive = false
  /// Requests whose work goes on in slices: those after them wait.
  var slicesUnderWay: Int32 = 0
  /// How often what waits stands among what goes on in slices.
  var placesInLine: Int32 = 0
  /// The first of `waiting` is being started.
  var isStarting = false
  /// What that request discards, unless it fires first.
  var evictionCandidate: Slot?
  /// Requests whose answer of the store on what is shown is under way; what a sink has shown since it
  /// was asked.
  private var looksUnderWay: Int32 = 0
  private(set) var shownMeanwhile: [OpenDelivery] = []
  var collapsed = CollapsedPushes()
  /// Some of its critical ones; those that have left may stand here too.
  var criticals: [KnownCritical] = []
  /// What came to be shown lately: what the store says of a row may be older than this.
  private var shownLately: [ShownDelivery] = []
  private static let maxLately = 32
  /// What sinks show and the store never heard of (repeats under a minute): the newest.
  private(set) var shownUnrecorded: [OpenDelivery] = []
  private static let maxUnrecorded = 256

  init(
    number: AppNumber, name: String, owner: UInt32, badge: Int64,
    registrationState: RegistrationState
  ) {
    self.number = number
    self.name = name
    self.owner = Self.user(of: name) ?? owner
    self.badge = badge
    toldBadge = 0
    self.registrationState = registrationState
  }

  /// A request is under way that must be alone.
  func beginAlone() { isExclusive = true }
  func endAlone() { isExclusive = false }

  /// The store is asked what is shown of it.
  func beginLook() { looksUnderWay += 1 }

  /// It has answered; what has come to be shown meanwhile, which it may not have seen.
  func endLook() -> [OpenDelivery] {
    looksUnderWay -= 1
    let meanwhile = shownMeanwhile
    if looksUnderWay == 0 { shownMeanwhile = [] }
    return meanwhile
  }

  /// Those are not shown any more.
  func forgetMeanwhile(_ selection: Selection) {
    shownMeanwhile.removeAll { selection.contains($0.occurrence.notification) }
  }

  /// A sink shows it.
  func noteShown(_ delivery: OpenDelivery, at sink: String) {
    forgetUnrecorded(replacedBy: delivery)
    shownLately.removeAll {
      $0.sink == sink && ($0.occurrence == delivery.id || delivery.replaces.contains($0.occurrence))
    }
    if shownLately.count == Self.maxLately { shownLately.removeFirst() }
    shownLately.append(
      ShownDelivery(
        occurrence: delivery.id, app: number, identifier: delivery.name.identifier, sink: sink))
    if !delivery.firing.isRecorded {
      noteUnrecorded(delivery)
    } else if looksUnderWay > 0 {
      shownMeanwhile.append(delivery)
    }
  }

  private func noteUnrecorded(_ shown: OpenDelivery) {
    if shownUnrecorded.count == Self.maxUnrecorded { shownUnrecorded.removeFirst() }
    shownUnrecorded.append(shown)
  }

  /// What came to be shown on a sink in this life and goes when this is shown, the newest last (N1, N15).
  func shown(before firing: FiredOccurrence, at sink: SchedulerSink) -> [OccurrenceID] {
    let lately = shownLately.filter { $0.sink == sink.sink.name && firing.replaces($0) }
    let unrecorded = shownUnrecorded.filter { $0.sink == sink.index && firing.replaces($0) }
    return lately.map { $0.occurrence }
      + unrecorded.map { $0.id }.filter { id in !lately.contains { $0.occurrence == id } }
  }

  /// Moves that out, from every sink; the store knows of it.
  func takeShownLately(before firing: FiredOccurrence) -> [ShownDelivery] {
    let older = shownLately.filter { firing.replaces($0) }
    shownLately.removeAll { firing.replaces($0) }
    return older
  }

  /// Moves them out, from every sink.
  func takeUnrecorded(before firing: FiredOccurrence) -> [OpenDelivery] {
    let older = shownUnrecorded.filter { firing.replaces($0) }
    shownUnrecorded.removeAll { firing.replaces($0) }
    return older
  }

  /// It is shown no longer; `sink` nil: on none.
  func forgetShown(_ id: OccurrenceID, at sink: String? = nil) {
    shownLately.removeAll { $0.occurrence == id && (sink == nil || $0.sink == sink) }
    if sink == nil { shownUnrecorded.removeAll { $0.id == id } }
  }

  /// They are not shown any more: this one replaced them.
  private func forgetUnrecorded(replacedBy shown: OpenDelivery) {
    shownUnrecorded.removeAll { older in
      older.sink == shown.sink && shown.replaces.contains(older.occurrence.id)
    }
  }

  /// Moves out those that a cancel request means.
  func takeUnrecorded(_ selection: Selection) -> [OpenDelivery] {
    let isMeant = { (shown: OpenDelivery) in selection.contains(shown.occurrence.notification) }
    let meant = shownUnrecorded.filter(isMeant)
    shownUnrecorded.removeAll(where: isMeant)
    return meant
  }

  /// The uid that an id names, `user.<uid>` or `user.<uid>.<program>`; nobody else can take it first
  /// (A1).
  static func user(of name: String) -> UInt32? {
    let prefix = "user."
    guard name.utf8.starts(with: prefix.utf8) else { return nil }
    let rest = name.utf8.dropFirst(prefix.utf8.count)
    let digits = rest.prefix { $0 != UInt8(ascii: ".") }
    guard let first = digits.first, digits.count <= 10, digits.count + 1 != rest.count,
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    var uid: UInt64 = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      uid = uid * 10 + UInt64(byte - UInt8(ascii: "0"))
    }
    return UInt32(exactly: uid)
  }

  /// Whether an id is `user.<uid>.<program>`, what a program has that names no app of its own (A1).
  static func isProgram(_ name: String) -> Bool {
    user(of: name).map { name != "user.\($0)" } ?? false
  }

  /// `[A-Za-z0-9._-]{1,128}` (A1).
  static func isValid(_ name: String) -> Bool {
    let bytes = name.utf8
    return (1...128).contains(bytes.count)
      && bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
