/// What the scheduler knows of places.
///
/// Notifications with a region have their content in memory all the time: nobody knows when the
/// board will cross one, and then no disk may delay it (D8). They are few (R4).
struct RegionTable {
  var geofence = Geofence()
  var rows: [Slot: StoredNotification] = [:]
  /// Restored, their content not read yet.
  var toLoad: [Slot] = []
  var isLoading = false
  /// Fixes that came meanwhile, and are judged when all is read.
  var waiting: [(id: RequestID, fix: LocationFix)] = []
  var lastFix: LocationFix?
  /// That was in this life, and so says where the board is; an older one need not be the last that
  /// there was.
  var isCurrent = false

  var wantsLoad: Bool { !toLoad.isEmpty && !isLoading }
}
