/// Regions and on which side of each the board is (R1, R3, R6).
///
/// A fix is judged by straight lines between points on the globe: no formula knows of longitudes, so
/// none fails at the date line or a pole. Regions that the board is outside of are found by a grid
/// over space, `GeofenceGrid`; those that it is inside of, and those that no fix has decided yet, are
/// few and are all looked at. A fix that changes nothing costs the same for ten regions and for ten
/// thousand.
///
/// A side changes by evidence (`RegionEvidence`). What there is of it is kept in memory only: a start
/// gathers it anew.
struct Geofence {
  /// A side that a fix has changed.
  struct Change: Hashable {
    var slot: Slot
    var from: RegionSide
    var to: RegionSide
  }

  private struct Member {
    var centre: GeoPoint
    /// The radius as a squared chord.
    var reach: Double
    var radius: Double
    var slot: Slot
    var evidence: RegionEvidence
    /// Where it stands in `watched`; -1: it does not.
    var watch: Int32 = -1
  }

  private var members: [Member] = []
  private var places: [Slot: Int32] = [:]
  private var grid = GeofenceGrid()
  /// Of members that are not outside, or perhaps not for long.
  private var watched: [Int32] = []

  var count: Int { members.count }

  func side(of slot: Slot) -> RegionSide? {
    places[slot].map { members[Int($0)].evidence.side }
  }

  // MARK: Entering and leaving the list

  /// `slot` is not there yet.
  mutating func insert(_ region: CircularRegion, as slot: Slot, side: RegionSide) {
    let place = Int32(members.count)
    members.append(
      Member(
        centre: region.centre, reach: GeoPoint.squaredChord(distance: region.radius),
        radius: region.radius, slot: slot, evidence: RegionEvidence(side: side)))
    places[slot] = place
    grid.insert(place, at: members[Int(place)].centre, squaredReach: members[Int(place)].reach)
    watch(place)
  }

  /// Does nothing where there is no such region.
  mutating func remove(_ slot: Slot) {
    guard let place = places.removeValue(forKey: slot) else { return }
    unwatch(place)
    let gone = members[Int(place)]
    grid.remove(place, at: gone.centre, squaredReach: gone.reach)
    let last = Int32(members.count - 1)
    let moved = members.removeLast()
    guard last != place else { return }
    grid.rename(last, to: place, at: moved.centre, squaredReach: moved.reach)
    members[Int(place)] = moved
    places[moved.slot] = place
    if moved.watch >= 0 { watched[Int(moved.watch)] = place }
  }

  // MARK: Fixes

  /// Judges a fix; what it changes, in no order.
  ///
  /// `again`: members that know of it already learn nothing.
  mutating func take(_ fix: LocationFix, again: Bool = false) -> [Change] {
    let (point, accuracy) = (fix.point, fix.accuracy)
    var places = watched
    grid.eachNear(point) { place in
      let member = members[Int(place)]
      if member.watch < 0, member.centre.squaredChord(to: point) <= member.reach {
        places.append(place)
      }
    }
    return places.compactMap { place in
      if again, !members[Int(place)].evidence.isNone { return nil }
      return judge(place, point, accuracy)
    }
  }

  /// What one fix says of a region alone, where there is no list yet.
  static func side(of region: CircularRegion, at fix: LocationFix) -> RegionSide {
    var evidence = RegionEvidence(side: .unknown)
    let distance = region.centre.distance(to: fix.point)
    evidence.add(distance: distance, radius: region.radius, accuracy: fix.accuracy)
    return evidence.side
  }

  /// nil: it is where it was, or this fix cannot tell.
  private mutating func judge(
    _ place: Int32, _ point: GeoPoint, _ accuracy: Double?
  ) -> Change? {
    let member = members[Int(place)]
    var evidence = member.evidence
    // Mostly it is where it was, which needs no distance.
    if evidence.isNone, evidence.side == .inside,
      member.centre.squaredChord(to: point) <= member.reach
    {
      return nil
    }
    evidence.add(
      distance: member.centre.distance(to: point), radius: member.radius, accuracy: accuracy)
    members[Int(place)].evidence = evidence
    if evidence.isSurelyOutside { unwatch(place) } else { watch(place) }
    guard evidence.side != member.evidence.side else { return nil }
    return Change(slot: member.slot, from: member.evidence.side, to: evidence.side)
  }

  private mutating func watch(_ place: Int32) {
    let member = members[Int(place)]
    guard !member.evidence.isSurelyOutside, member.watch < 0 else { return }
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
