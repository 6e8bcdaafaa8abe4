/// What is with sessions in the foreground, the oldest first (D1).
struct OfferList {
  /// The first is not over; those after it may be.
  private var offers: [ForegroundOffer] = []

  var isEmpty: Bool { offers.isEmpty }
  /// How many are not over.
  var count: Int { offers.count { !$0.isOver } }

  /// When the first has had its time, on the elapsed clock; nil: there is none.
  var nextWake: Int64? { offers.first?.until }

  mutating func append(_ offer: ForegroundOffer) { offers.append(offer) }

  mutating func close(_ offer: ForegroundOffer) {
    offer.isOver = true
    for (session, event) in offer.asked { session.offers[event] = nil }
    offer.asked = []
    offers.removeFirst(offers.prefix { $0.isOver }.count)
  }

  /// Closes what has been with sessions for too long; in order.
  mutating func closeOverdue(at now: ClockReading) -> [ForegroundOffer] {
    guard let wake = nextWake, wake <= now.elapsed else { return [] }
    return close { $0.until <= now.elapsed }
  }

  /// What an occurrence replaces that sessions have been offered; false: none has it.
  func replace(_ shown: [ShownDelivery], by id: OccurrenceID) -> Bool {
    guard let offer = offers.first(where: { !$0.isOver && $0.showing.firing.occurrence.id == id })
    else { return false }
    offer.showing.shown += shown
    return true
  }

  /// Closes those that this one has overtaken (T10).
  mutating func close(before firing: FiredOccurrence) -> [ForegroundOffer] {
    close { firing.overtakes($0.showing.firing) }
  }

  /// Closes what a cancel request means (N15).
  mutating func close(_ selection: Selection, of app: AppNumber) -> [ForegroundOffer] {
    close { offer in
      offer.showing.firing.app == app
        && selection.contains(offer.showing.firing.occurrence.notification)
    }
  }

  private mutating func close(where isMeant: (ForegroundOffer) -> Bool) -> [ForegroundOffer] {
    if offers.isEmpty { return [] }
    let meant = offers.filter { !$0.isOver && isMeant($0) }
    for offer in meant { close(offer) }
    return meant
  }
}
