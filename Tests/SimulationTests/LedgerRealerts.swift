import BelfryCore

/// What waits for an answer, and comes again until then (E6).
struct PromisedAlert {
  /// The occurrence itself.
  var base: OccurrenceID
  var name: PromiseName
  var notification: Notification
  /// When it was handed over first, on the elapsed clock; nil: in another boot.
  var start: Int64?
  /// The newest step that has come, and when.
  var step: Int32 = 0
  var at: Int64
  /// Of an earlier process: what had not reached the store may come again.
  var isFromBefore = false

  private var beginsAtOnce: Bool { notification.ladder.first?.after == 0 }
  /// How many steps the ladder has after the first hand-over.
  var rungs: Int32 { Int32(notification.ladder.count) - (beginsAtOnce ? 1 : 0) }
  var last: Int32 { max(0, rungs) + Int32(notification.realert?.atMost ?? 0) }

  /// Nanoseconds after the first hand-over, of a step of the ladder.
  private func after(_ step: Int32) -> Int64 {
    step == 0 ? 0 : notification.ladder[Int(step) - (beginsAtOnce ? 0 : 1)].after
  }

  /// When a step is due, on the elapsed clock; nil: that is not known. Behind the last one: when nobody
  /// has answered.
  func due(_ number: Int32) -> Int64? {
    if number <= rungs { return start.map { $0 + after(number) } }
    let every = notification.realert?.every ?? Nanoseconds.minute
    if step >= rungs { return at + every * Int64(number - step) }
    return start.map { $0 + after(rungs) + every * Int64(number - max(0, rungs)) }
  }

  /// It is surely due by then, whatever boot it began in.
  var latest: Int64 {
    due(step + 1) ?? at + (step < rungs ? after(step + 1) : 0) + Nanoseconds.minute
  }
}

/// Realerts and ladders (E6): each step in its time under its own id, none after an answer.
extension Ledger {
  private static let impatience = 10 * Nanoseconds.second

  /// The scheduler has the store remember it.
  func waits(_ stored: WaitingAlert) {
    let base = stored.occurrence.id
    let name = PromiseName(
      app: stored.occurrence.app, identifier: stored.occurrence.notification.identifier ?? "")
    guard stored.step == 0, ringing[base.uuid]?.base != base else { return }
    freshAlerts.append((base, name))
    if gone.contains(base) { fail("E6 answered", "\(base.text) waits again") }
    ringing[base.uuid] = PromisedAlert(
      base: base, name: name, notification: stored.occurrence.notification, start: now.elapsed,
      at: now.elapsed)
  }

  /// A step is seen for the first time in this life of the process.
  func stepComes(_ occurrence: Occurrence) {
    let (id, number) = (occurrence.id, occurrence.id.step)
    let what = Firing(occurrence).text
    if gone.contains(id.base) { fail("E6 answered", "\(what) comes after it was answered") }
    guard var alert = ringing[id.uuid], alert.base == id.base else {
      return fail("E6 answered", "\(what) comes, and nobody is asked")
    }
    if number <= alert.step, !alert.isFromBefore || number < alert.step {
      fail("E6 twice", "\(what) comes after step \(alert.step)")
    }
    if number > alert.last { fail("E6 last", "\(what) is step \(number) of \(alert.last)") }
    if number > alert.step { checkTime(of: alert, number, what) }
    alert.step = number
    alert.at = now.elapsed
    alert.isFromBefore = false
    ringing[id.uuid] = alert
  }

  private func checkTime(of alert: PromisedAlert, _ number: Int32, _ what: String) {
    guard !alert.isFromBefore, let due = alert.due(number) else { return }
    // A step that no sink has taken is followed by the next before its time; what came a little late
    // is followed by what was due before.
    let isNext = number == alert.step + 1
    let early =
      isNext && number <= alert.rungs ? min(due, alert.at + Self.impatience) : due - grace
    if now.elapsed < early {
      fail("E6 early", "\(what) comes \(Nanoseconds.text(early - now.elapsed)) early")
    }
    if number < alert.rungs, let next = alert.due(number + 1), next <= now.elapsed {
      fail("E6 newest", "\(what) comes when a newer step has come")
    }
    if isNext, isQuiet(for: 65 * Nanoseconds.second),
      now.elapsed - max(due, alert.at) > Nanoseconds.millisecond
    {
      fail("E6 on time", "\(what) comes late on a quiet board")
    }
  }

  /// The scheduler says that something became of it.
  func noteAnswer(_ event: WatchEvent) {
    let name = PromiseName(app: event.app, identifier: event.identifier)
    switch event.kind {
    case .activated, .dismissed, .snoozed, .received: answeredNow.insert(name)
    case .unanswered:
      answeredNow.insert(name)
      guard let id = event.occurrence, let alert = ringing[id.uuid], alert.base == id.base else {
        return fail("E6 unanswered", "\(event.identifier) is unanswered, and did not wait")
      }
      guard event.reason == nil, !alert.isFromBefore else { return }
      if alert.step != alert.last { fail("E6 unanswered", "\(id.text) of \(alert.last) steps") }
      if let due = alert.due(alert.step + 1), now.elapsed < due - grace {
        fail("E6 unanswered", "\(id.text) has time to be answered")
      }
    default: break
    }
  }

  func stopsWaiting(_ id: OccurrenceID) {
    guard let alert = ringing[id.uuid], alert.base == id else { return }
    ringing[id.uuid] = nil
    // A kill between the records of a snooze: the store has only that it comes again.
    if isPutOff(id) { return }
    forgotten.append((id, alert.name))
  }

  /// An event of the scheduler is over. `mayReplace`: a request is under way that may replace it.
  func checkForgotten(mayReplace: (PromiseName) -> Bool) {
    for (id, name) in freshAlerts where !(met[name]?.contains(id) ?? false) {
      fail("E6 waits", "\(id.text) waits for an answer and was not shown")
    }
    freshAlerts = []
    for (id, name) in forgotten
    where !answeredNow.contains(name) && !isCancelling(name) && !mayReplace(name) {
      fail("E6 lost", "\(id.text) was not answered, and is not waited for any more")
    }
    forgotten = []
    answeredNow = []
  }

  func lookForAlerts() {
    guard isQuiet(for: timeout) else { return }
    for alert in ringing.values where now.elapsed - max(alert.latest, quietSince) > timeout {
      fail("E6 lost", "\(alert.base.text) waits for an answer, and nothing comes of it")
    }
  }

  // MARK: Ends of a process

  func restartAlerts(_ stored: [WaitingAlert]) {
    (freshAlerts, forgotten, answeredNow) = ([], [], [])
    let ids = Set(stored.map { $0.occurrence.id })
    if let lost = keptAlerts.subtracting(ids).first {
      fail("E6 lost", "\(lost.text) waits for an answer and is not in the books")
    }
    let before = ringing
    ringing = [:]
    for row in stored {
      let base = row.occurrence.id
      if gone.contains(base) { fail("E6 answered", "\(base.text) waits again after its answer") }
      let known = before[base.uuid].flatMap { $0.base == base ? $0 : nil }
      if let known, row.step > known.step {
        fail("E6 step", "the books have step \(row.step) of \(base.text), which has not come")
      }
      let name = PromiseName(
        app: row.occurrence.app, identifier: row.occurrence.notification.identifier ?? "")
      ringing[base.uuid] = PromisedAlert(
        base: base, name: name, notification: row.occurrence.notification, start: known?.start,
        step: row.step, at: now.elapsed, isFromBefore: true)
    }
  }

  /// `isOtherBoot`: the elapsed clock begins anew.
  func startAlerts(isOtherBoot: Bool) {
    for uuid in ringing.keys {
      ringing[uuid]!.isFromBefore = true
      ringing[uuid]!.at = now.elapsed
      if isOtherBoot { ringing[uuid]!.start = nil }
    }
  }
}
