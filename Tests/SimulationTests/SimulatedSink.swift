import BelfryCore

/// A sink's process as a board sees it: what it is given, what it says and when.
struct SimulatedSink {
  let kind: Sink.Kind
  var manner = SinkManner.prompt
  var isUp = false
  /// It cannot be started.
  var isBroken = false
  /// It ends at once when it is started before, on the elapsed clock.
  var refusesUntil: Int64 = 0
  var supervisor = SimulatedSupervisor()
  /// Counts its processes: what an earlier one had to say is never heard.
  var process = 0
  var deliveries = 0
  /// When it has done all that it was given, on the elapsed clock.
  var busyUntil: Int64 = 0
  /// What people see of it, and of which app and identifier that is.
  var showing: [OccurrenceID: PromiseName] = [:]

  struct Answer {
    var answer = DeliveryAnswer.done(note: nil)
    var after: Int64 = 0
  }

  /// What it answers to a delivery, and after how long.
  mutating func answers(to delivery: Delivery, at now: Int64) -> [Answer] {
    deliveries += 1
    if case .busy(let time) = manner {
      busyUntil = max(busyUntil, now) + time
      return [Answer(after: busyUntil - now)]
    }
    switch manner {
    case .prompt, .crashes, .confused: return [Answer()]
    case .slow(let time), .busy(let time): return [Answer(after: time)]
    case .hung: return []
    case .loses(let every): return deliveries.isMultiple(of: every) ? [] : [Answer()]
    case .repeats: return [Answer(), Answer(), Answer(after: Nanoseconds.second)]
    case .pending(let time): return [Answer(answer: .pending), Answer(after: time)]
    case .retries where delivery.attempt == 1:
      return [Answer(answer: .retry(after: 5 * Nanoseconds.second))]
    case .retries: return [Answer()]
    case .fails: return [Answer(answer: .failed(reason: "simulated"))]
    }
  }

  /// Its process ends of this delivery.
  var crashesNow: Bool {
    if case .crashes(let every) = manner { return deliveries.isMultiple(of: every) }
    return false
  }
}
