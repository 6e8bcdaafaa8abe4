import BelfryCore
import BelfrySystem
import BelfryWire

/// Who gets a connection, so that no few users can have them all (A1, A2).
///
/// Root and the operator are no guests: only their own number and the descriptors bound them. A guest
/// may have as many more as leave the others their part of what is free: alone on the board he gets
/// `connectionsOfUser`, a second beside him fewer, and so on. Whoever has next to nothing and finds
/// the house full gets the place of the one who has most.
extension Server {
  /// The limit that one more connection would pass; nil: there is room, or it has been made.
  func excess(_ peer: Peer, _ account: PeerQuota, _ descriptor: Int32) -> Int32? {
    let isOutOfDescriptors = descriptor >= configuration.descriptors
    let own = account.connections
    if own >= configuration.connectionsOfUser { return configuration.connectionsOfUser }
    if peer.isOperator {
      guard isOutOfDescriptors, !makeRoom(besides: nil) else { return nil }
      return Int32(clamping: connections.count)
    }
    if !isOutOfDescriptors, hasPart(own) { return nil }
    if own < ServerLimits.guaranteed {
      if !isOutOfDescriptors, guests < configuration.connections { return nil }
      if makeRoom(besides: account) { return nil }
    }
    return max(own, isOutOfDescriptors ? Int32(clamping: connections.count) : 0)
  }

  /// Whether what is free leaves one more to a guest who has so many.
  private func hasPart(_ own: Int32) -> Bool {
    let all = Int64(configuration.connections)
    let free = all - Int64(guests)
    guard free > 0 else { return false }
    // Alone he comes to `connectionsOfUser`: then both sides are equal.
    let most = min(Int64(configuration.connectionsOfUser), all)
    return Int64(own) * max(1, all - most) < most * free
  }

  /// Disconnects one of the guest who has most; false: nobody has two more than `account`.
  private func makeRoom(besides account: PeerQuota?) -> Bool {
    var largest: PeerQuota?
    for connection in connections.values where !connection.peer.isOperator {
      let other = connection.account
      if other.connections > largest?.connections ?? 0 { largest = other }
    }
    guard let largest, largest.connections >= (account.map { $0.connections + 2 } ?? 1) else {
      return false
    }
    // One that does nothing, else the newest.
    let own = connections.values.filter { $0.account === largest && !$0.peer.isOperator }
    let idle = own.filter { $0.calls.isEmpty && !$0.hasFrames && $0.inFlight == 0 }
    guard let victim = (idle.isEmpty ? own : idle).max(by: { $0.key < $1.key }) else {
      return false
    }
    if elapsed - largest.toldOfLoss >= Nanoseconds.minute {
      largest.toldOfLoss = elapsed
      log(
        .warning,
        "uid \(largest.uid) has \(largest.connections) of \(connections.count) connections and "
          + "loses some to users who have next to none")
    }
    if !victim.isBehind {
      let failure = RequestError.limitReached(
        limit: "connections", value: Int64(largest.connections - 1))
      _ = try? victim.socket.send(VarlinkFailure(failure).encoded)
    }
    close(victim, isUnread: true)
    return true
  }
}
