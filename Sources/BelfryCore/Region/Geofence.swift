/// Regions and on which side of each the board is (R1, R3, R6).
///
/// A fix is judged by straight lines between points on the globe: no formula knows of longitudes, so
/// none fails at the date line or a pole. Regions that the board is outside of are found by a grid
/// over space, `GeofenceGrid`; those that it is inside of, and those that no fix has decided yet, are
/// few and are all looked at. A fix that changes nothing costs the same for ten regions and for ten
/// thousand.
struct Geofence {
  /// A side that a fix has changed.
  struct Change: Hashable {
    var slot: Slot
    var from: RegionSide
    var to: RegionSide
  }

  private struct Member {
    var centre: GeoPoint
    /// Squared chords: inside is within the first; who is inside leaves beyond the second.
    var entering: Double
    var leaving: Double
    var radius: Double
    var slot: Slot
    var side: RegionSide
    /// Where it stands in `watched`; -1: it does not.
    var watch: Int32 = -1
  }

  private var members: [Member] = []
  private var places: [Slot: Int32] = [:]
  private var grid = GeofenceGrid()
  /// Of members that are not outside.
  private var watched: [Int32] = []

  var count: Int { members.count }

  func side(of slot: Slot) -> RegionSide? {
    places[slot].map { members[Int($0)].side }
  }

  // MARK: Entering and leaving the list

  /// `slot` is not there yet.
  mutating func insert(_ region: CircularRegion, as slot: Slot, side: RegionSide) {
    let place = Int32(members.count)
    members.append(
      Member(
        centre: region.centre, entering: GeoPoint.squaredChord(distance: region.radius),
        leaving: GeoPoint.squaredChord(distance: region.radius + region.margin),
        radius: region.radius, slot: slot, side: side))
    places[slot] = place
    grid.insert(place, at: members[Int(place)].centre, squaredReach: members[Int(place)].entering)
    watch(place)
  }

  /// Does nothing where there is no such region.
  mutating func remove(_ slot: Slot) {
    guard let place = places.removeValue(forKey: slot) else { return }
    unwatch(place)
    let gone = members[Int(place)]
    grid.remove(place, at: gone.centre, squaredReach: gone.entering)
    let last = Int32(members.count - 1)
    let moved = members.removeLast()
    guard last != place else { return }
    grid.rename(last, to: place, at: moved.centre, squaredReach: moved.entering)
    members[Int(place)] = moved
    places[moved.slot] = place
    if moved.watch >= 0 { watched[Int(moved.watch)] = place }
  }

  // MARK: Fixes

  /// Judges a fix; what it changes, in no order.
  mutating func take(_ fix: LocationFix) -> [Change] {
    let (point, accuracy) = (fix.point, fix.accuracy ?? 0)
    var changed: [(place: Int32, side: RegionSide)] = []
    for place in watched {
      if let side = judge(place, point, accuracy) { changed.append((place, side)) }
    }
    grid.eachNear(point) { place in
      guard members[Int(place)].side == .outside else { return }
      if let side = judge(place, point, accuracy) { changed.append((place, side)) }
    }
    return changed.map { change($0.place, to: $0.side) }
  }

  /// What one fix says of a region alone, where there is no list yet.
  static func side(of region: CircularRegion, at fix: LocationFix) -> RegionSide {
    guard fix.accuracy ?? 0 <= region.radius else { return .unknown }
    let reach = GeoPoint.squaredChord(distance: region.radius)
    return region.centre.squaredChord(to: fix.point) <= reach ? .inside : .outside
  }

  /// nil: it is where it was, or this fix cannot tell.
  private func judge(
    _ place: Int32, _ point: GeoPoint, _ accuracy: Double
  ) -> RegionSide? {
    let member = members[Int(place)]
    // R3: a worse one never decides.
    guard accuracy <= member.radius else { return nil }
    let reach = member.side == .inside ? member.leaving : member.entering
    let side: RegionSide =
      member.centre.squaredChord(to: point) <= reach ? .inside : .outside
    return side == member.side ? nil : side
  }

  private mutating func change(_ place: Int32, to side: RegionSide) -> Change {
    let from = members[Int(place)].side
    members[Int(place)].side = side
    if side == .outside { unwatch(place) } else { watch(place) }
    return Change(slot: members[Int(place)].slot, from: from, to: side)
  }

  private mutating func watch(_ place: Int32) {
    guard members[Int(place)].side != .outside, members[Int(place)].watch < 0 else { return }
    members[Int(place)].watch = Int32(watched.count)
    watched.append(place)
  }

  private mutating func unwatch(_ place: Int32) {
    let index = Int(members[Int(place)].watch)
    guard index >= 0 else { return }
    members[Int(place)].watch = -1
    let last = watched.removeLast()
    guard last != place else { return }
    watched[index] = last
    members[Int(last)].watch = Int32(index)
  }
}
