import BelfryCore

/// Where the board is, as far as the store knows (R3).
extension Store {
  func lastFix() throws(StoreError) -> LocationFix? {
    let row = try statement(.fix)
    defer { row.reset() }
    guard try row.step() else { return nil }
    return LocationFix(
      latitude: row.number(0), longitude: row.number(1),
      accuracy: row.isNull(2) ? nil : row.number(2), time: Instant(nanoseconds: row.integer(3)))
  }

  func put(_ fix: LocationFix) throws(StoreError) {
    let put = try statement(.putFix).bind(fix.latitude).bind(fix.longitude)
    if let accuracy = fix.accuracy { put.bind(accuracy) } else { put.bindNull() }
    try put.bind(fix.time.nanoseconds).run()
  }
}
