/// A zone's place in the scheduler's list; 0 is the board's.
typealias ZoneNumber = Int32

/// A zone that notifications speak of, and what is known of its rules (T2, T3, T7).
struct KnownZone {
  let number: ZoneNumber
  var name: String
  /// nil: not loaded, or not to be had.
  var rules: ZoneRules?
  /// Why it is not to be had, for requests that had come by this event.
  var refusal: (reason: String, event: Int64)?
  /// When its rules came, on the elapsed clock.
  var answered = Int64.min
  /// Its rules have been asked for, and no answer has come.
  var isAsked = false
  /// The rules by which entries were planned that have not been looked at since these came.
  var previous: ZoneRules?
  /// Entries that were planned by `rules` have this mark, those by `previous` the other.
  var mark = false
  /// How many of its entries have come to another due by the newest change, and how many were
  /// looked at.
  var moved = 0
  var seen = 0
  /// What its name was before that change.
  var previousName: String?

  init(number: ZoneNumber, name: String) {
    self.number = number
    self.name = name
  }
}
