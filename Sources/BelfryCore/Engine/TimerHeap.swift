/// A pending notification in a heap: when it is due, and its place in memory; 16 bytes.
struct HeapNode: Hashable, Comparable, Sendable {
  var due: Instant
  /// The low half of its sequence, which decides between equal dues (N21).
  var order: UInt32
  var slot: Slot

  init(due: Instant, sequence: Int64, slot: Slot) {
    self.due = due
    self.order = UInt32(truncatingIfNeeded: sequence)
    self.slot = slot
  }

  static func < (left: HeapNode, right: HeapNode) -> Bool {
    guard left.due == right.due else { return left.due < right.due }
    // Serial numbers (RFC 1982): right as long as equal dues were scheduled within 2^31 others.
    return Int32(bitPattern: left.order &- right.order) < 0
  }
}

/// A binary heap whose members can be found by slot: insert, remove and move take O(log n).
///
/// Where each slot stands is kept in an array of the caller's, so that heaps with no member in
/// common share one. A node that travels is written once, at the end of its way: what moves is the
/// hole.
struct TimerHeap {
  enum Order {
    case soonestFirst, latestFirst
  }

  private(set) var nodes: [HeapNode] = []
  let order: Order

  init(_ order: Order = .soonestFirst) {
    self.order = order
  }

  /// The soonest, or the latest.
  var first: HeapNode? { nodes.first }
  var isEmpty: Bool { nodes.isEmpty }

  mutating func reserve(_ count: Int) {
    nodes.reserveCapacity(count)
  }

  mutating func insert(_ node: HeapNode, positions: inout [Int32]) {
    nodes.append(node)
    rise(node, from: nodes.count - 1, &positions)
  }

  /// nil: no member has this slot, and nothing is removed.
  @discardableResult
  mutating func remove(_ slot: Slot, positions: inout [Int32]) -> HeapNode? {
    guard let hole = place(of: slot, positions) else { return nil }
    let removed = nodes[hole]
    let last = nodes.removeLast()
    if hole < nodes.count { settle(last, at: hole, &positions) }
    return removed
  }

  /// Gives a member a new due and order; false: no member has its slot, and nothing is moved.
  @discardableResult
  mutating func move(_ node: HeapNode, positions: inout [Int32]) -> Bool {
    guard let hole = place(of: node.slot, positions) else { return false }
    settle(node, at: hole, &positions)
    return true
  }

  private func place(of slot: Slot, _ positions: [Int32]) -> Int? {
    guard positions.indices.contains(Int(slot)) else { return nil }
    let place = Int(positions[Int(slot)])
    return nodes.indices.contains(place) && nodes[place].slot == slot ? place : nil
  }

  /// Whether every parent precedes its children and every slot knows its place; O(n), for tests.
  func isSound(positions: [Int32]) -> Bool {
    nodes.indices.allSatisfy { index in
      positions[Int(nodes[index].slot)] == Int32(index)
        && (index == 0 || !precedes(nodes[index], nodes[(index - 1) / 2]))
    }
  }

  private func precedes(_ left: HeapNode, _ right: HeapNode) -> Bool {
    order == .soonestFirst ? left < right : right < left
  }

  private mutating func settle(_ node: HeapNode, at hole: Int, _ positions: inout [Int32]) {
    if hole > 0, precedes(node, nodes[(hole - 1) / 2]) {
      rise(node, from: hole, &positions)
    } else {
      sink(node, from: hole, &positions)
    }
  }

  private mutating func rise(_ node: HeapNode, from start: Int, _ positions: inout [Int32]) {
    var hole = start
    while hole > 0 {
      let parent = nodes[(hole - 1) / 2]
      guard precedes(node, parent) else { break }
      place(parent, hole, &positions)
      hole = (hole - 1) / 2
    }
    place(node, hole, &positions)
  }

  private mutating func sink(_ node: HeapNode, from start: Int, _ positions: inout [Int32]) {
    var hole = start
    while 2 * hole + 1 < nodes.count {
      var child = 2 * hole + 1
      if child + 1 < nodes.count, precedes(nodes[child + 1], nodes[child]) { child += 1 }
      guard precedes(nodes[child], node) else { break }
      place(nodes[child], hole, &positions)
      hole = child
    }
    place(node, hole, &positions)
  }

  private mutating func place(_ node: HeapNode, _ hole: Int, _ positions: inout [Int32]) {
    nodes[hole] = node
    positions[Int(node.slot)] = Int32(hole)
  }
}
