/// Heaps of pending notifications, one for each app that was asked about; none before.
///
/// All share one array of positions, since a slot belongs to one app.
struct AppHeaps {
  let order: TimerHeap.Order
  private(set) var heaps: [AppNumber: TimerHeap] = [:]
  private var positions: [Int32] = []

  init(_ order: TimerHeap.Order) {
    self.order = order
  }

  /// nil: nobody has asked about it.
  subscript(app: AppNumber) -> TimerHeap? { heaps[app] }

  /// Begins to keep a heap for an app, with these members.
  mutating func begin(_ app: AppNumber, _ nodes: [HeapNode]) {
    heaps[app] = TimerHeap(order)
    for node in nodes { insert(node, of: app) }
  }

  mutating func insert(_ node: HeapNode, of app: AppNumber) {
    guard heaps[app] != nil else { return }
    let missing = Int(node.slot) + 1 - positions.count
    if missing > 0 { positions += Array(repeating: 0, count: missing) }
    heaps[app]!.insert(node, positions: &positions)
  }

  mutating func remove(_ slot: Slot, of app: AppNumber) {
    guard heaps[app] != nil else { return }
    heaps[app]!.remove(slot, positions: &positions)
  }

  mutating func move(_ node: HeapNode, of app: AppNumber) {
    guard heaps[app] != nil else { return }
    heaps[app]!.move(node, positions: &positions)
  }

  /// O(n), for tests.
  var isSound: Bool { heaps.values.allSatisfy { $0.isSound(positions: positions) } }
}
