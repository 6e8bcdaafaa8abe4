/// Zones that come and change (T7).
extension Scheduler {
  func take(boardZone zone: NamedZone) {
    let old = boardZone
    guard zone.name != old.name || zone.rules != old.rules else { return }
    boardZone = zone
    emit(
      .log(
        .notice,
        zone.name == old.name
          ? "the rules of the board's zone \(zone.name) changed"
          : "the board's zone is now \(zone.name); it was \(old.name)"))
  }

  func take(_ answer: ZoneAnswer, forZone name: String) {
    switch answer {
    case .rules(let rules): zones[name] = rules
    case .missing: zones[name] = nil
    }
  }
}
