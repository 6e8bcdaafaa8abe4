/// Going through all pending entries, a bounded turn at a time: after a step of the clock or a start,
/// which may have let repeats run ahead (T8), and after a change of a zone's rules (T7).
struct ReplanSweep {
  /// A step back of up to this fires nothing twice; after a longer one repeats are planned afresh.
  static let shortStep = 3 * Nanoseconds.hour
  /// From the easternmost zone to the westernmost one.
  static let longestTravel = 26 * Nanoseconds.hour
  /// What one turn may cost: about a millisecond. A look at a slot costs 1.
  static let budget = 4096

  /// Repeats that have fired further ahead of now than this are to be planned afresh; nil: the
  /// clock gives no reason to look for such.
  private(set) var beyond: Int64?
  /// The review of the start, before which anything may have happened.
  private var isFirst = true
  /// The least that a review had to go by since the start while entries were unplanned.
  private var beyondForUnplanned = ReplanSweep.shortStep
  /// To another zone, since the start.
  private var boardHasMoved = false
  /// How many were planned afresh.
  private var count = 0
  /// Where it goes on.
  private var next: Slot = 1

  // MARK: Reasons

  /// T8: the clock may have been corrected while nobody looked.
  mutating func begin() {
    beyond = Self.shortStep
  }

  /// A zone's rules have changed: every entry is to be looked at.
  mutating func restart() {
    next = 1
  }

  /// After a step back: repeats that fired ahead of the corrected clock are planned afresh, if it
  /// went back far, or was not synchronised when they fired (T8).
  mutating func review(back step: Int64, isSynchronised: Bool) {
    let isLong = step > Self.shortStep || !isSynchronised
    beyond = min(beyond ?? .max, isLong ? 0 : Self.shortStep)
    next = 1
    count = 0
  }

  mutating func noteBoardMoved() {
    boardHasMoved = true
  }

  // MARK: Going through

  /// The slot to look at now; nil: all through `last` have been.
  mutating func takeNext(through last: Slot) -> Slot? {
    guard next <= last else { return nil }
    defer { next += 1 }
    return next
  }

  func isThrough(_ last: Slot) -> Bool { next > last }

  /// One had fired ahead of the clock.
  mutating func notePlannedAfresh() {
    count += 1
  }

  /// All entries have been looked at, and `hasUnplanned` says whether some could not be judged.
  mutating func endReview(hasUnplanned: Bool, _ turn: inout Turn) {
    if let beyond, hasUnplanned { beyondForUnplanned = min(beyondForUnplanned, beyond) }
    beyond = nil
    isFirst = false
    guard count > 0 else { return }
    turn.log(
      .notice,
      counted(count, "repeat") + " had fired ahead of the corrected clock: planned afresh from now")
  }

  /// A turn has ended.
  mutating func end() {
    next = 1
  }

  // MARK: Limits

  /// How far ahead one may have fired that had no due while all others were reviewed.
  var limitForUnplanned: Int64 { min(beyond ?? .max, beyondForUnplanned) }

  /// A floating one that fired at its time may look as if it had fired ahead, once its board has
  /// travelled west; a board that was off may have travelled too (T2).
  func travel(isFloating: Bool, isFirst isFirstLook: Bool) -> Int64 {
    isFloating && (isFirstLook || isFirst || boardHasMoved) ? Self.longestTravel : 0
  }
}
