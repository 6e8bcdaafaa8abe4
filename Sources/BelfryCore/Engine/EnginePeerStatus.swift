/// What of the board a peer may see (A1, R5).
extension SchedulerEngine {
  /// Root, the operator and the user that the daemon runs for see everybody's.
  public func seesAll(_ peer: Peer) -> Bool {
    peer.isOperator || peer.uid == configuration.owner
  }

  /// The whole board's figures for those who may see all, else those of the peer's own apps.
  ///
  /// Takes time in proportion to the peer's own notifications; at the first call that finds some of
  /// an app, to everybody's.
  @export(interface)
  public func status(for peer: Peer) -> SchedulerStatus {
    var status = status
    status.pauses = pauses(for: peer)
    guard !seesAll(peer) else { return status }
    let own = apps.apps(of: peer.uid)
    status.isWhole = false
    (status.pending, status.prepared, status.inFlight) = (0, 0, 0)
    (status.late, status.held, status.next) = (0, 0, nil)
    var next: HeapNode?
    for nodes in pending.soonest(of: own.map { $0.number }) {
      count(nodes, into: &status, &next)
    }
    status.next = next.map { told($0) }
    if status.held == 0 { status.heldReason = nil }
    status.apps = Int64(own.count)
    status.sessions = own.reduce(0) { $0 + Int64(sessions.count(of: $1.number)) }
    status.queuedEvents = Int64(
      sessions.kept.count { apps[$0.app]?.owner == peer.uid })
    status.location = location(for: peer, own)
    for index in status.sinks.indices {
      (status.sinks[index].queued, status.sinks[index].handedOver) = (0, 0)
    }
    return status
  }

  private func count(
    _ nodes: [HeapNode], into status: inout SchedulerStatus, _ next: inout HeapNode?
  ) {
    status.pending += Int64(nodes.count)
    let mayBeHeld = clock.isDoubtful(at: now)
    for node in nodes {
      let entry = pending[node.slot]
      if entry.place == .late { status.late += 1 }
      if mayBeHeld, clock.holds(entry, at: now) { status.held += 1 }
      let isWaiting = entry.place == .late || entry.place == .held
      if !isWaiting, node.due < next?.due ?? .distantFuture { next = node }
    }
  }

  private func location(
    for peer: Peer, _ own: [SchedulerApp]
  ) -> SchedulerStatus.LocationStatus {
    var location = SchedulerStatus.LocationStatus(fix: nil, regions: 0, denied: [])
    for app in own {
      let regions = pending.regionCount(of: app.number)
      location.regions += Int64(regions)
      if regions > 0, !mayLocate(app) { location.denied.append(app.name) }
    }
    location.denied.sort()
    if regions.lastFix != nil, apps.knowsPlace(peer.uid, configuration) {
      location.fix = regions.lastFix
    }
    return location
  }
}
