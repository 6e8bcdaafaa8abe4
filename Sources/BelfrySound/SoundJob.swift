import BelfryCore
import BelfryWire

/// How soon a sound gets its turn (S6), the most urgent first.
enum Urgency: Int, Comparable, Sendable {
  case critical, timeSensitive, other

  init(_ level: InterruptionLevel) {
    switch level {
    case .critical: self = .critical
    case .timeSensitive: self = .timeSensitive
    case .active, .passive: self = .other
    }
  }

  static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
}

extension SoundQueue {
  /// A delivery that wants to be heard.
  public struct Request: Hashable, Sendable {
    public var token: UInt64
    public var occurrence: OccurrenceID
    public var app: String
    /// The uid whose app it is: users take turns.
    public var owner: UInt32
    public var name: String
    /// Equal keys are the same sound.
    public var key: ByteString
    public var due: Instant
    public var handedOver: Instant
    var urgency: Urgency
    /// 0 to 1.
    public var volume: Double
    /// How it fades in (E11); nil: it does not.
    public var fade: SoundFade?

    public init(_ delivery: DeliveryMessage, name: String, key: ByteString) {
      let told = delivery.deliveryContent
      token = delivery.token
      occurrence = told.id
      app = told.app
      owner = delivery.owner
      self.name = name
      self.key = key
      // Each repetition is a sound of its own.
      due = delivery.repetition > 0 ? delivery.handedOver : told.due
      handedOver = delivery.handedOver
      urgency = Urgency(delivery.level)
      volume = told.volume
      fade = delivery.fade
    }

    /// CLOCK_BOOTTIME after which it is no use to start it. One that was handed over late (T10) has
    /// its patience from the hand-over.
    func deadline(_ now: ClockReading) -> Int64 {
      let since = now.real.nanoseconds(since: max(due, handedOver))
      return now.elapsed + SoundQueue.timeout - min(max(since, 0), SoundQueue.timeout)
    }
  }

  /// One sound, and all that want it.
  struct Job {
    var id: Int
    var requests: [Request]
    var volume: Double
    /// nil where one of them does not fade in: it is to be heard at once.
    var fade: SoundFade?
    /// Of the first request; a critical one has none.
    var timeout: Int64
    /// The turn in progress, or else the next one, when it came.
    var arrival: Int64 = 0
    /// First heard, in this run.
    var started: (device: String, at: Instant)?
    /// First heard, in a run that a critical sound has interrupted.
    var interrupted: Instant?

    var due: Instant { requests[0].due }
    var key: ByteString { requests[0].key }
    /// The one it is counted for: who asked first.
    var owner: UInt32 { requests[0].owner }
    var urgency: Urgency { requests.map { $0.urgency }.min() ?? .other }
    var isCritical: Bool { urgency == .critical }
    /// When it is dropped: never, if it is critical.
    var deadline: Int64 { isCritical ? .max : timeout }
    /// When it was first heard.
    var heard: Instant? { interrupted ?? started?.at }

    /// What those are told who wait in vain: it was heard in part, or not at all.
    var inVain: DeliveryAnswer {
      interrupted == nil ? SoundQueue.busy : .done(note: SoundQueue.interruption)
    }

    /// Whether this request is the same sound at the same time.
    func isSame(as request: Request) -> Bool {
      key == request.key && SoundQueue.together(due, request.due)
    }

    /// Whether this request is heard in it as loud as it is to be.
    func isLoudEnough(for request: Request) -> Bool {
      request.volume <= volume && (fade == nil || fade == request.fade)
    }
  }
}
