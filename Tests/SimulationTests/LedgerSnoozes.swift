import BelfryCore

/// What was snoozed and is to come again (D11).
struct PromisedSnooze {
  var name: PromiseName
  var notification: Notification
  var duration: Int64
  /// On the elapsed clock of this boot: between these; nil: it goes by the real clock (T9).
  var due: ClosedRange<Int64>?
  var real: Instant
  var isByGoodClock: Bool
  /// In another boot.
  var isFromBefore = false
  /// The deed was answered while the disk was well.
  var isAnswered = false
}

extension Ledger {
  /// A plugin is about to say so of what it shows.
  func snoozing(_ id: OccurrenceID, for duration: Int64) {
    snoozingAtSinks.append((id, duration))
  }

  /// The scheduler says that it was snoozed: it comes again under an id of its own.
  func snoozed(_ event: WatchEvent, _ id: OccurrenceID, for duration: Int64) {
    var next = id
    next.snooze += 1
    next.step = 0
    let name = PromiseName(app: event.app, identifier: event.identifier)
    let line = OccurrenceID(uuid: id.uuid, generation: id.generation, k: 0)
    guard let notification = contents[line] else {
      return fail("D11 snoozed", "\(id.text) is snoozed and was never shown")
    }
    // It was moved while it waited.
    if let moved = snoozes.removeValue(forKey: id) { pastSnoozes[id] = moved }
    let due = now.elapsed + duration
    snoozes[next] = PromisedSnooze(
      name: name, notification: notification, duration: duration, due: due...due,
      real: now.real.advanced(by: duration), isByGoodClock: clock.isSynchronised)
  }

  func answeredSnooze(_ name: PromiseName) {
    guard isDiskWell else { return }
    for (id, snooze) in snoozes where snooze.name == name { snoozes[id]!.isAnswered = true }
  }

  /// It is due again.
  func snoozeFires(_ occurrence: Occurrence) {
    let id = occurrence.id
    let what = Firing(occurrence).text
    guard let snooze = snoozes.removeValue(forKey: id) else {
      return fail("D11 again", "\(what) comes again, and nobody asked for that")
    }
    pastSnoozes[id] = snooze
    if let due = snooze.due, now.elapsed < due.lowerBound {
      fail("D11 early", "\(what) comes \(Nanoseconds.text(due.lowerBound - now.elapsed)) early")
    }
    if snooze.due == nil, now.real < snooze.real {
      fail("D11 early", "\(what) comes before \(RFC3339.text(snooze.real))")
    }
    if let due = snooze.due, due.lowerBound == due.upperBound,
      isQuiet(for: 65 * Nanoseconds.second),
      now.elapsed - due.upperBound > Nanoseconds.millisecond
    {
      fail("T10 on time", "\(what) comes late on a quiet board")
    }
  }

  /// What a request names: an identifier, or an occurrence.
  func name(_ app: String, _ text: String) -> PromiseName {
    let line = OccurrenceID(text: text).map {
      OccurrenceID(uuid: $0.uuid, generation: $0.generation, k: 0)
    }
    return PromiseName(app: app, identifier: line.flatMap { contents[$0]?.identifier } ?? text)
  }

  /// It was snoozed, and waits or has come since.
  func isPutOff(_ id: OccurrenceID) -> Bool {
    (Array(snoozes.keys) + Array(pastSnoozes.keys)).contains {
      $0.uuid == id.uuid && $0.generation == id.generation && $0.k == id.k && $0.snooze > id.snooze
    }
  }

  /// It waits, and its user has put it away.
  func isPutAway(_ event: WatchEvent, _ id: OccurrenceID) -> Bool {
    snoozes[id] != nil && [.dismissed, .activated, .superseded].contains(event.kind)
  }

  /// It ends without coming again.
  func snoozeEnds(_ event: WatchEvent, _ id: OccurrenceID) {
    guard let snooze = snoozes.removeValue(forKey: id) else {
      return fail("D11 again", "\(id.text) is \(event.kind), and was not to come again")
    }
    pastSnoozes[id] = snooze
    let late = max(
      snooze.due.map { now.elapsed - $0.lowerBound } ?? 0,
      now.real.nanoseconds(since: snooze.real))
    switch event.kind {
    case .withdrawn:
      withdrawnSnoozes[snooze.name, default: 0] += 1
      let isReplaced = (met[snooze.name] ?? []).contains {
        $0.uuid == id.uuid && $0.generation > id.generation
      }
      if !isReplaced, !isCancelling(snooze.name) {
        fail("D11 lost", "\(id.text) is withdrawn, and was neither cancelled nor replaced")
      }
    case .missed:
      if late <= grace || mayFire(snooze.notification.late ?? policy, late) {
        fail("T10 dropped", "\(id.text) is missed, \(late / Nanoseconds.second) s late")
      }
    case .expired:
      if snooze.notification.expires.map({ $0 >= now.real }) ?? true {
        fail("N19 expired", "\(id.text) expires too soon")
      }
    case .dismissed, .activated, .superseded:
      if !isAnswering(snooze.name) { fail("D11 lost", "\(id.text) is put away by nobody") }
    default: fail("D11 lost", "\(id.text) is \(event.kind)")
    }
  }

  /// N1: what replaces a notification has come, so what was put off of it does not.
  func checkReplaced(by id: OccurrenceID) {
    if let old = snoozes.keys.first(where: { $0.uuid == id.uuid && $0.generation < id.generation })
    {
      fail("N1 snooze", "\(old.text) is to come again after \(id.text)")
    }
  }

  func lookForSnoozes() {
    guard isQuiet(for: timeout) else { return }
    for (id, snooze) in snoozes {
      let late =
        snooze.due.map { now.elapsed - $0.upperBound } ?? now.real.nanoseconds(since: snooze.real)
      let isHeld = snooze.due == nil && !clock.isTrusted && now.real < clock.known
      if late > timeout, !isHeld { fail("lost", "\(id.text) was snoozed and does not come again") }
    }
  }

  func listedSnoozes(_ app: String, _ rows: [ListedNotification]) {
    let expected = snoozes.values.filter { $0.name.app == app }.map { $0.name.identifier }.sorted()
    let found = rows.map { $0.notification.identifier ?? "" }.sorted()
    if found != expected { fail("D11 list", "\(found) are listed as snoozed, and not \(expected)") }
  }

  // MARK: Ends of a process

  /// `isAsked`: a request without an answer may have snoozed it, or cancelled it.
  func restartSnoozes(
    _ stored: [StoredSnooze], fired: Set<OccurrenceID>, isAsked: (PromiseName) -> Bool
  ) {
    let ids = Set(stored.map { $0.occurrence.id })
    for (id, snooze) in snoozes where !ids.contains(id) {
      if snooze.isAnswered, !isAsked(snooze.name), !fired.contains(id) {
        fail("lost", "\(id.text) was snoozed and is not in the books")
      }
      pastSnoozes[id] = snoozes.removeValue(forKey: id)
    }
    restartedSnoozing = Set(snoozingAtSinks.map { $0.id.uuid })
    for row in stored where snoozes[row.occurrence.id] == nil {
      let id = row.occurrence.id
      // Of the same id there may have been one that no disk ever had.
      let isSame =
        row.relative.boot != boot || pastSnoozes[id]?.due?.contains(row.relative.due) ?? true
      if let old = pastSnoozes[id], isSame {
        snoozes[id] = old
      } else {
        adopt(row, isAsked: isAsked)
      }
      if ended.contains(id.uuid) { fail("N15 cancelled", "\(id.text) is back in the books") }
    }
  }

  /// Nobody was left to be told of it.
  private func adopt(_ row: StoredSnooze, isAsked: (PromiseName) -> Bool) {
    let (occurrence, relative) = (row.occurrence, row.relative)
    let name = PromiseName(
      app: occurrence.app, identifier: occurrence.notification.identifier ?? "")
    if !isAsked(name), !restartedSnoozing.contains(occurrence.id.uuid) {
      fail("D11 again", "\(occurrence.id.text) is snoozed, and nobody asked for that")
    }
    snoozes[occurrence.id] = PromisedSnooze(
      name: name, notification: occurrence.notification,
      duration: relative.due - relative.made, due: relative.due...relative.due,
      real: occurrence.due, isByGoodClock: relative.isSynchronised)
  }

  func startSnoozes(died: Int64?) {
    for id in snoozes.keys {
      var snooze = snoozes[id]!
      if let died {
        snooze.isFromBefore = true
        let left = snooze.due.map { max(0, $0.lowerBound - died) }
        snooze.due = nil
        if !snooze.isByGoodClock, let left {
          snooze.due = (now.elapsed + left)...(now.elapsed + max(left, snooze.duration))
        }
      } else if snooze.isFromBefore, let due = snooze.due {
        // Its coming into this boot may not have been written down.
        snooze.due = due.lowerBound...max(due.upperBound, now.elapsed + snooze.duration)
      }
      snoozes[id] = snooze
    }
  }
}
