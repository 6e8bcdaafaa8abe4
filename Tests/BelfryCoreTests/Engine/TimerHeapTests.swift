import SchedulerFixtures
import TestSupport
import Testing

@testable import BelfryCore

@Suite struct TimerHeapTests {
  /// A million random pushes, cancels, moves and pops beside a sorted array.
  @Test func heapAgreesWithASortedArray() {
    let seed = TestSeed.here()
    var random = SeededRandom(seed: seed)
    var heap = TimerHeap()
    var positions = [Int32](repeating: 0, count: 2001)
    var free = (1...2000).map { Slot($0) }
    var sorted: [HeapNode] = []
    var sequence: Int64 = 0xFFFF_0000  // The order of equal dues must survive its wrap.

    func index(of node: HeapNode) -> Int {
      var (low, high) = (0, sorted.count)
      while low < high {
        let middle = (low + high) / 2
        if sorted[middle] < node { low = middle + 1 } else { high = middle }
      }
      return low
    }
    func fresh(_ slot: Slot) -> HeapNode {
      sequence += 1
      // Few instants, so that many are equal.
      let due = Instant(nanoseconds: Int64(random.next() % 500))
      return HeapNode(due: due, sequence: sequence, slot: slot)
    }

    for step in 0..<1_000_000 {
      let kind = random.next() % 8
      if kind < 3, let slot = free.popLast() {
        let node = fresh(slot)
        heap.insert(node, positions: &positions)
        sorted.insert(node, at: index(of: node))
      } else if kind < 5, let first = heap.first {
        guard first == sorted.first else {
          Issue.record("order, seed \(seed)")
          return
        }
        heap.remove(first.slot, positions: &positions)
        sorted.removeFirst()
        free.append(first.slot)
      } else if !sorted.isEmpty {
        let old = sorted.remove(at: Int(random.next() % UInt64(sorted.count)))
        if kind == 5 {
          heap.remove(old.slot, positions: &positions)
          free.append(old.slot)
        } else {
          let node = fresh(old.slot)
          heap.move(node, positions: &positions)
          sorted.insert(node, at: index(of: node))
        }
      }
      guard heap.first == sorted.first, heap.nodes.count == sorted.count else {

        Issue.record("step \(step), seed \(seed)")
        return

      }
      if step % 10_000 == 0 {
        #expect(heap.isSound(positions: positions), "step \(step), seed \(seed)")
      }
    }
    #expect(Set(heap.nodes) == Set(sorted), "seed \(seed)")
  }

  @Test func N17_latestFirstPutsTheNewerOfEqualsInFront() {
    var heap = TimerHeap(.latestFirst)
    var positions = [Int32](repeating: 0, count: 5)
    for (slot, due) in [(1, 10), (2, 30), (3, 30), (4, 20)] {
      let node = HeapNode(
        due: Instant(nanoseconds: Int64(due)), sequence: Int64(slot), slot: Slot(slot))
      heap.insert(node, positions: &positions)
    }
    var order: [Slot] = []
    while let first = heap.first {
      order.append(first.slot)
      heap.remove(first.slot, positions: &positions)
    }
    #expect(order == [3, 2, 4, 1])
  }

  @Test func whatIsNotInTheHeapIsNeitherRemovedNorMoved() {
    var heap = TimerHeap()
    var other = TimerHeap()
    var positions = [Int32](repeating: 0, count: 6)
    let nodes = (1...5).map {
      HeapNode(due: Instant(nanoseconds: Int64($0)), sequence: Int64($0), slot: Slot($0))
    }
    for node in nodes[..<3] { heap.insert(node, positions: &positions) }
    other.insert(nodes[3], positions: &positions)
    // One of another heap, one of none, one that has left, and one without a position.
    heap.remove(2, positions: &positions)
    for slot: Slot in [4, 5, 2, 77] {
      let stranger = HeapNode(due: .distantPast, sequence: 0, slot: slot)
      let removed = heap.remove(slot, positions: &positions)
      let isMoved = heap.move(stranger, positions: &positions)
      #expect(removed == nil && !isMoved)
    }
    #expect(Set(heap.nodes) == [nodes[0], nodes[2]] && other.nodes == [nodes[3]])
    #expect(heap.isSound(positions: positions) && other.isSound(positions: positions))
  }

  @Test func aPendingNotificationTakes44Bytes() {
    #expect(MemoryLayout<HeapNode>.stride == 16)
    #expect(MemoryLayout<PendingTable.Entry>.stride == 24)
  }
}
