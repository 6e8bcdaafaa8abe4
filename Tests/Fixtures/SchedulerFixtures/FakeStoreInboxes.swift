import BelfryCore

/// Inboxes of the store in memory (P6, P7, P8).
extension FakeStore {
  /// Without eviction, which is for the real ones.
  func push(_ push: StoredPush) -> PushOutcome {
    let key = InboxKey(app: push.app, container: push.container)
    let own = inboxes.keys.count { $0.app == push.app }
    guard inboxes[key] != nil || own < InboxLimit.containers else { return .tooManyContainers }
    let entries = inboxes[key] ?? []
    if entries.contains(where: { $0.id == push.id }) { return .duplicate }
    inboxes[key] =
      entries + [
        InboxEntry(
          id: push.id, position: (entries.last?.position ?? 0) + 1, kind: push.kind,
          payload: push.payload, received: push.received, pruned: push.pruned)
      ]
    guard let occurrence = push.occurrence else { return .stored(shown: []) }
    open[occurrence.id] = OpenOccurrence(
      occurrence: occurrence, app: push.app, slot: nil, sinks: nil, settled: [])
    return .stored(
      shown: shown.values.filter {
        $0.app == push.app && $0.identifier == occurrence.notification.identifier
      })
  }

  func fetch(
    _ key: InboxKey, _ since: InboxToken?, _ blank: InboxToken, _ limit: Int32
  ) -> StoreOutcome {
    let name = inboxes[key] == nil ? blank.name : UInt64(key.app)
    let last = inboxes[key]?.last?.position ?? 0
    if let since, since != blank, since.name != name || !(0...last).contains(since.position) {
      return .fetched(.foreign)
    }
    let after = (inboxes[key] ?? []).filter { $0.position > since?.position ?? 0 }
    let page = Array(after.prefix(Int(limit)))
    return .fetched(
      .page(
        page, InboxToken(name: name, position: page.last?.position ?? since?.position ?? 0),
        moreComing: page.count < after.count))
  }

  func mark(_ key: InboxKey, _ ids: [UUIDBits], _ now: Instant) -> StoreOutcome {
    var entries = inboxes[key] ?? []
    var marked: [UUIDBits] = []
    var unknown: [UUIDBits] = []
    for id in ids {
      guard let place = entries.firstIndex(where: { $0.id == id }) else {
        unknown.append(id)
        continue
      }
      if entries[place].kind == InboxEntry.readKind { continue }
      let last = entries.last?.position ?? 0
      entries.remove(at: place)
      entries.append(
        InboxEntry(
          id: id, position: last + 1, kind: InboxEntry.readKind, payload: nil, received: now))
      marked.append(id)
    }
    inboxes[key] = entries
    return .markedRead(marked: marked, unknown: unknown)
  }
}
