/// What the scheduler knows of places.
///
/// Notifications with a region have their content in memory all the time: nobody knows when the
/// board will cross one, and then no disk may delay it (D8). They are few (R4).
struct RegionTable {
  /// A side that a fix has changed, and the row of the region.
  struct Crossing {
    var change: Geofence.Change
    var row: StoredNotification
  }

  /// So many rows are read at once.
  private static let page = 256

  private var geofence = Geofence()
  private var rows: [Slot: StoredNotification] = [:]
  /// Restored, their content not read yet.
  private var toLoad: [Slot] = []
  private var isLoading = false
  /// Fixes that came meanwhile, and are judged when all is read.
  private var waiting: [(id: RequestID, fix: LocationFix)] = []
  /// What the last fix has changed is being followed: others wait.
  var isFollowing = false
  private(set) var lastFix: LocationFix?
  /// That was in this life, and so says where the board is; an older one need not be the last that
  /// there was.
  private var isCurrent = false

  // MARK: Loading

  /// All that was restored has been read, so that fixes can be judged.
  var isLoaded: Bool { toLoad.isEmpty }
  var wantsLoad: Bool { !toLoad.isEmpty && !isLoading }

  /// The last fix of an earlier life.
  mutating func restore(_ fix: LocationFix) { lastFix = fix }

  /// A row of an earlier life, whose content is to be read.
  mutating func restore(_ slot: Slot) { toLoad.append(slot) }

  /// The rows that are to be read now; `endLoad` follows.
  mutating func beginLoad() -> [Slot] {
    isLoading = true
    return Array(toLoad.prefix(Self.page))
  }

  /// These have been read, but for `unread`, which are asked for again.
  mutating func endLoad(_ slots: [Slot], unread: [Slot]) {
    isLoading = false
    toLoad.removeFirst(slots.count)
    toLoad += unread
  }

  /// Nothing could be read; all of it is asked for again.
  mutating func failLoad() { isLoading = false }

  // MARK: Entering and leaving the list

  func contains(_ slot: Slot) -> Bool { rows[slot] != nil }

  /// Does nothing with a row that has no region.
  mutating func enter(_ row: StoredNotification) {
    guard let region = row.notification.region else { return }
    rows[row.slot] = row
    geofence.insert(region, as: row.slot, side: row.side ?? .unknown)
  }

  /// The row as it is now; nil: what crossed is here no more.
  func row(of crossing: Crossing) -> StoredNotification? {
    guard let row = rows[crossing.row.slot], row.sequence == crossing.row.sequence,
      row.generation == crossing.row.generation
    else { return nil }
    return row
  }

  /// The row of a region that is here has changed, but for the region.
  mutating func update(_ row: StoredNotification) {
    if rows[row.slot] != nil { rows[row.slot] = row }
  }

  /// Does nothing where there is no such region.
  mutating func remove(_ slot: Slot) {
    guard rows.removeValue(forKey: slot) != nil else { return }
    geofence.remove(slot)
  }

  // MARK: Fixes

  /// Keeps a fix until all is read.
  mutating func wait(_ id: RequestID, _ fix: LocationFix) { waiting.append((id, fix)) }

  /// The fix that has waited longest, once no other one is followed.
  mutating func nextWaiting() -> (id: RequestID, fix: LocationFix)? {
    waiting.isEmpty || isFollowing ? nil : waiting.removeFirst()
  }

  /// The board is there: what that changes, in the order of scheduling (N21).
  mutating func locate(_ fix: LocationFix) -> [Crossing] {
    // Told twice, it is no second piece of evidence.
    let again = isCurrent && fix == lastFix
    lastFix = fix
    isCurrent = true
    return judge(fix, again: again)
  }

  /// Judges the last fix of this life again, for regions that were not here when it came; nil: there
  /// was none.
  mutating func judgeAgain() -> (fix: LocationFix, crossings: [Crossing])? {
    guard isCurrent, let lastFix else { return nil }
    return (lastFix, judge(lastFix, again: true))
  }

  private mutating func judge(_ fix: LocationFix, again: Bool) -> [Crossing] {
    geofence.take(fix, again: again).compactMap { change in
      rows[change.slot].map { Crossing(change: change, row: $0) }
    }.sorted { $0.row.sequence < $1.row.sequence }
  }

  // MARK: Sides

  /// R3: the last fix says on which side the board is, unless it was in an earlier life.
  func side(of region: CircularRegion) -> RegionSide {
    guard isCurrent, let lastFix else { return .unknown }
    return Geofence.side(of: region, at: lastFix)
  }

  /// The side of a region that is here; nil: it is not.
  func side(of slot: Slot) -> RegionSide? { geofence.side(of: slot) }

  /// What replaces a notification of the same circle knows as much of the board as that did, whatever
  /// the last fix says alone; nil: that knew no side.
  func sideKept(by row: StoredNotification, from previous: PendingSummary) -> RegionSide? {
    guard let old = rows[previous.slot], old.sequence == previous.sequence,
      let side = old.side, side != .unknown,
      let now = row.notification.region, let then = old.notification.region,
      now.isSameCircle(as: then)
    else { return nil }
    return side
  }
}

extension CircularRegion {
  fileprivate func isSameCircle(as other: CircularRegion) -> Bool {
    latitude == other.latitude && longitude == other.longitude && radius == other.radius
  }
}
