import BelfryCore
import BelfryWire

/// Rows of a damaged store, accepted only where everything in them that the clock goes by can be
/// decoded.
extension ShapedRow {
  /// Where the values of the columns stand.
  private func integer(_ column: Int) -> Int64? { values[column].integer }
  private func text(_ column: Int) -> String { values[column].text ?? "" }

  private func isApp(_ column: Int) -> Bool {
    integer(column).map { (1...Int64(AppNumber.max)).contains($0) } ?? false
  }

  /// The row as it may be taken over; nil: it is none.
  var accepted: ShapedRow? {
    var row = self
    return row.isAccepted() ? row : nil
  }

  /// Whether what it tells twice is the same: when something is due.
  var agrees: Bool {
    guard table == .notification, let fireDate = decoded(10, 9)?.fireDate else { return true }
    return integer(4) == fireDate.nanoseconds
  }

  private mutating func isAccepted() -> Bool {
    switch table {
    case .app: isAcceptedApp()
    case .notification: isAcceptedNotification()
    case .occurrence: isAcceptedOccurrence()
    case .history: isAcceptedHistory()
    case .happening:
      isApp(1) && (0...3).contains(integer(2) ?? -1) && OccurrenceID(text: text(8)) != nil
        && decoded(13, 12) != nil
    case .snoozed:
      isApp(1) && OccurrenceID(text: text(0)) != nil
        && RelativeTime(bytes: values[3].blob ?? []) != nil && decoded(5, 4) != nil
    case .waitingAlert:
      isApp(1) && OccurrenceID(text: text(0)) != nil && (integer(2) ?? -1) >= 0
        && RelativeTime(bytes: values[5].blob ?? []) != nil && decoded(7, 6) != nil
    case .owed: OccurrenceID(text: text(0)) != nil && !text(1).isEmpty
    case .inbox: (1...Inbox.maxNumber).contains(rowID) && isApp(1)
    case .entry:
      integer(1) == rowID >> Inbox.positionBits && (1...Inbox.maxNumber).contains(integer(1) ?? 0)
    case .pause: rowID > 0 && StoredPause(self) != nil
    case .pauseRun: rowID > 0
    case .skip: rowID > 0 && isApp(1) && SkipSet(text: text(5)) != nil
    case .days:
      rowID > 0 && (try? DaysFileParser.read(values[4].blob ?? [], asWritten: true)) != nil
    // One row each.
    case .clock, .fix, .version: rowID == 1
    }
  }

  private mutating func isAcceptedApp() -> Bool {
    let owner = integer(2) ?? -1
    guard (1...Int64(AppNumber.max)).contains(rowID), !text(1).isEmpty,
      (0...Int64(UInt32.max)).contains(owner)
    else { return false }
    if let registration = values[5].blob, (try? RegistrationCodec.read(registration)) == nil {
      // It registers again when it starts.
      values[5] = .null
    }
    return true
  }

  private func decoded(_ content: Int, _ identifier: Int) -> Notification? {
    let name = text(identifier)
    guard (1...128).contains(name.utf8.count), let bytes = values[content].blob else { return nil }
    return (try? Content.decode(bytes, identifier: name))
      ?? Content.salvage(bytes, identifier: name)?.notification
  }

  /// What can be told from the content is, so that a row is not silent for a number beside it.
  private mutating func isAcceptedNotification() -> Bool {
    guard (0...Int64(Slot.max)).contains(rowID), isApp(1), let unit = integer(5),
      let notification = decoded(10, 9)
    else { return false }
    values[2] = .integer(max(0, integer(2) ?? 0))
    values[6] = .integer(max(-1, integer(6) ?? -1))
    let interval = notification.repeatInterval?.rawValue
    if interval != nil || unit != 0 && RepeatUnit(rawValue: Int32(truncatingIfNeeded: unit)) == nil
    {
      values[5] = .integer(Int64(interval ?? 0))
    }
    if let relative = values[11].blob, RelativeTime(bytes: relative) == nil { values[11] = .null }
    values[16] = .integer(notification.interruptionLevel.isUrgent ? 1 : 0)
    let side = integer(17).flatMap { RegionSide(rawValue: $0) } ?? .unknown
    values[17] = notification.region == nil ? .null : .integer(side.rawValue)
    takeDigest(18, of: 10)
    return true
  }

  private mutating func isAcceptedOccurrence() -> Bool {
    guard isApp(1), decoded(13, 12) != nil, let high = integer(3), let low = integer(4),
      let generation = integer(5), let k = integer(6), let snooze = integer(14), snooze >= 0
    else { return false }
    let uuid = UUIDBits(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    let id = OccurrenceID(
      uuid: uuid, generation: generation, k: k, again: snooze)
    // It is only found under this key.
    rowID = OccurrenceKey.hash(id)
    values[0] = .integer(rowID)
    return true
  }

  private mutating func isAcceptedHistory() -> Bool {
    guard rowID > 0, isApp(1), DeliveryState(rawValue: text(13)) != nil else { return false }
    // Content stands only where a sink shows it still.
    if values[15].blob != nil, decoded(15, 2) == nil {
      values[15] = .null
      values[12] = .integer(0)
    }
    takeDigest(21, of: 15)
    return true
  }

  private mutating func takeDigest(_ digest: Int, of content: Int) {
    values[digest] = values[content].blob.map { .integer(Content.digest($0)) } ?? .null
  }
}
