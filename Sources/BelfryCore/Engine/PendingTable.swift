/// The scheduled list as memory holds it: all but the content, which stays in the store.
///
/// Each pending notification has an entry, found by slot, and stands in one of four queues: `far`,
/// a heap with nearly all of them; `near`, a short sorted row of the soonest, whose content is being
/// loaded; `late`, heaps of those whose due has passed long ago; `held`, one of those that are due
/// and wait for a better clock (T9). What is far and has a tolerance stands in `loose` instead, and
/// once more in `windows`, by the end of its tolerance (T12). A pending notification takes 44 bytes: an entry of 24, a heap
/// node of 16, and 4 that say where the node stands.
struct PendingTable {
  enum Place: UInt8 {
    /// In the list of free slots.
    case free
    /// Allotted to a request that is on its way through the store.
    case reserved
    /// Left, but an answer that is under way may still speak of it.
    case retired
    case far, near, late, held
    /// Far, and may be joined with others (T12).
    case loose
  }

  /// Late ones stand apart by app and urgency, so that users can take turns (T10).
  struct LateKey: Hashable {
    var app: AppNumber
    var urgency: Urgency
  }

  /// Slots run from 1 to this; 0 ends the list of free ones.
  static let maxSlots: Slot = 1 << 24

  private(set) var count = 0
  var shapes = SharedPlanTable()
  private(set) var far = TimerHeap()
  private(set) var late: [LateKey: TimerHeap] = [:]
  private(set) var held = TimerHeap()
  private(set) var near: [HeapNode] = []
  private(set) var loose = TimerHeap()
  /// The nodes of `loose`, each with the latest instant that is on time.
  private(set) var windows = TimerHeap()
  private var windowPositions: [Int32] = []
  private var entries = [Entry.unused]
  private var positions: [Int32] = [0]
  private var counts: [AppNumber: Int32] = [:]
  /// Those with a region, which do not count towards N17's limit.
  private(set) var regionCounts: [AppNumber: Int32] = [:]
  private var atOnceCounts: [AppNumber: Int32] = [:]
  private var criticalCounts: [AppNumber: Int32] = [:]
  /// Of those that go by the clock: how many fire once, and how many repeat.
  private(set) var clocked: (once: Int, repeating: Int) = (0, 0)
  /// Of apps that have reached their limit, the one to discard first (N17).
  private var latest = AppHeaps(.latestFirst)
  /// Of apps whose users have asked for the next one (R5): every one of theirs.
  private var soonest = AppHeaps(.soonestFirst)
  /// A heap of their own for those that wake a sleeping board, while there are any (T11).
  private(set) var waking = TimerHeap()
  private var wakingPositions: [Int32] = []
  private var nextFree: Slot = 0
  private var retired: [(ticket: StoreTicket, slot: Slot)] = []

  /// Makes room for exactly so many, so that a large list does not double its way up.
  mutating func reserve(_ count: Int) {
    entries.reserveCapacity(count + 1)
    positions.reserveCapacity(count + 1)
    far.reserve(count)
  }

  // MARK: Looking

  subscript(slot: Slot) -> Entry { entries[Int(slot)] }

  func place(of slot: Slot) -> Place? {
    slot > 0 && Int(slot) < entries.count ? entries[Int(slot)].place : nil
  }

  func isPending(_ slot: Slot) -> Bool {
    switch place(of: slot) {
    case .far, .near, .late, .held, .loose: true
    default: false
    }
  }

  /// O(1); in `near` a search through its at most some hundred nodes.
  func node(of slot: Slot) -> HeapNode? {
    switch place(of: slot) {
    case .far: far.nodes[Int(positions[Int(slot)])]
    case .late: late[lateKey(of: slot)]!.nodes[Int(positions[Int(slot)])]
    case .held: held.nodes[Int(positions[Int(slot)])]
    case .loose: loose.nodes[Int(positions[Int(slot)])]
    case .near: near.first { $0.slot == slot }
    default: nil
    }
  }

  /// The node of this very notification, not of another that has its slot by now: each scheduling
  /// has a sequence of its own.
  func node(of slot: Slot, sequence: Int64) -> HeapNode? {
    guard let node = node(of: slot), node.order == UInt32(truncatingIfNeeded: sequence)
    else { return nil }
    return node
  }

  /// How much later than its due it may come, in nanoseconds (T12).
  func tolerance(of slot: Slot) -> Int64 {
    let shape = entries[Int(slot)].shape
    return shape == 0 ? 0 : shapes[shape].tolerance
  }

  /// The latest instant at which a node is on time (T12).
  func latest(of node: HeapNode) -> Instant {
    node.due.advanced(by: tolerance(of: node.slot))
  }

  /// The last slot that has ever been in use.
  var lastSlot: Slot { Slot(entries.count - 1) }

  /// Of those that count (N17).
  func count(of app: AppNumber) -> Int32 { counts[app] ?? 0 }

  /// Of those with a region (R4).
  func regionCount(of app: AppNumber) -> Int32 { regionCounts[app] ?? 0 }

  /// Of those that say they are critical (S6).
  func criticalCount(of app: AppNumber) -> Int32 { criticalCounts[app] ?? 0 }

  /// Whether some are about to be delivered at once.
  func hasAtOnce(of app: AppNumber) -> Bool { atOnceCounts[app] ?? 0 > 0 }

  /// The latest-firing notification of an app that counts; the first call for an app takes O(n).
  mutating func latest(of app: AppNumber) -> HeapNode? {
    if latest[app] == nil { latest.begin(app, nodes(of: app).filter { self[$0.slot].counts }) }
    return latest[app]?.first
  }

  /// All of an app, the soonest first, then in no order; after `followSoonest`.
  func soonest(of app: AppNumber) -> [HeapNode] { soonest[app]?.nodes ?? [] }

  /// Keeps what is pending of these apps at hand; O(n) if any of them has something pending and was
  /// not followed yet.
  mutating func followSoonest(of apps: [AppNumber]) {
    var found: [AppNumber: [HeapNode]] = [:]
    for app in apps where soonest[app] == nil { found[app] = [] }
    guard !found.isEmpty else { return }
    if found.keys.contains(where: { hasPending(of: $0) }) {
      for nodes in allNodes {
        for node in nodes { found[entries[Int(node.slot)].app]?.append(node) }
      }
    }
    for (app, nodes) in found { soonest.begin(app, nodes) }
  }

  private func hasPending(of app: AppNumber) -> Bool {
    count(of: app) > 0 || regionCount(of: app) > 0 || hasAtOnce(of: app)
  }

  private func nodes(of app: AppNumber) -> [HeapNode] {
    allNodes.flatMap { nodes in nodes.filter { entries[Int($0.slot)].app == app } }
  }

  private var allNodes: [[HeapNode]] {
    [far.nodes, loose.nodes, held.nodes, near] + late.values.map { $0.nodes }
  }

  // MARK: Entering, moving, leaving

  /// `node.slot` is reserved, retired, or a restored one.
  mutating func enter(_ entry: Entry, _ node: HeapNode, at place: Place) {
    entries[Int(node.slot)] = entry
    put(node, at: place)
    tally(entry, 1)
    if entry.counts { latest.insert(node, of: entry.app) }
    soonest.insert(node, of: entry.app)
    if entry.traits.contains(.wakes) {
      while wakingPositions.count <= Int(node.slot) { wakingPositions.append(0) }
      waking.insert(node, positions: &wakingPositions)
    }
  }

  private mutating func tally(_ entry: Entry, _ change: Int) {
    count += change
    if entry.counts { counts[entry.app, default: 0] += Int32(change) }
    if entry.traits.contains(.region) {
      regionCounts[entry.app, default: 0] += Int32(change)
      if regionCounts[entry.app] == 0 { regionCounts[entry.app] = nil }
    }
    if entry.traits.contains(.critical) {
      criticalCounts[entry.app, default: 0] += Int32(change)
      if criticalCounts[entry.app] == 0 { criticalCounts[entry.app] = nil }
    }
    if entry.traits.contains(.atOnce) {
      atOnceCounts[entry.app, default: 0] += Int32(change)
    }
    if entry.traits.contains(.unheld) { return }
    if entry.repeats { clocked.repeating += change } else { clocked.once += change }
  }

  /// Takes a notification off the list; its slot is reserved until the caller says more.
  mutating func leave(_ slot: Slot) {
    let app = entries[Int(slot)].app
    take(slot)
    entries[Int(slot)].place = .reserved
    shapes.drop(entries[Int(slot)].shape)
    tally(entries[Int(slot)], -1)
    if entries[Int(slot)].counts { latest.remove(slot, of: app) }
    soonest.remove(slot, of: app)
    if entries[Int(slot)].traits.contains(.wakes) {
      waking.remove(slot, positions: &wakingPositions)
    }
  }

  /// Gives a notification its next due.
  mutating func reschedule(_ node: HeapNode, at place: Place) {
    take(node.slot)
    put(node, at: place)
    let app = entries[Int(node.slot)].app
    if entries[Int(node.slot)].counts { latest.move(node, of: app) }
    soonest.move(node, of: app)
    if entries[Int(node.slot)].traits.contains(.wakes) {
      waking.move(node, positions: &wakingPositions)
    }
  }

  /// Moves a notification to another queue.
  mutating func shift(_ slot: Slot, to place: Place) {
    put(take(slot), at: place)
  }

  mutating func setTraits(_ traits: Traits, of slot: Slot) {
    entries[Int(slot)].traits = traits
  }

  mutating func setAnchor(_ anchor: Instant, of slot: Slot) {
    entries[Int(slot)].anchor = anchor
  }

  /// Says that what fires of it from now on is another generation; O(1).
  mutating func setGeneration(_ generation: Int32, of slot: Slot) {
    entries[Int(slot)].generation = generation
  }

  private mutating func put(_ node: HeapNode, at place: Place) {
    let tolerance = tolerance(of: node.slot)
    let place = place == .far && tolerance > 0 ? .loose : place
    entries[Int(node.slot)].place = place
    switch place {
    case .loose:
      loose.insert(node, positions: &positions)
      while windowPositions.count <= Int(node.slot) { windowPositions.append(0) }
      var window = node
      window.due = node.due.advanced(by: tolerance)
      windows.insert(window, positions: &windowPositions)
    case .late:
      late[lateKey(of: node.slot), default: TimerHeap()].insert(node, positions: &positions)
    case .held: held.insert(node, positions: &positions)
    case .near: near.insert(node, at: nearIndex(of: node))
    default: far.insert(node, positions: &positions)
    }
  }

  @discardableResult
  private mutating func take(_ slot: Slot) -> HeapNode {
    switch entries[Int(slot)].place {
    case .loose:
      windows.remove(slot, positions: &windowPositions)
      return loose.remove(slot, positions: &positions)!
    case .late: return takeLate(slot)
    case .held: return held.remove(slot, positions: &positions)!
    case .near: return near.remove(at: near.firstIndex { $0.slot == slot }!)
    default: return far.remove(slot, positions: &positions)!
    }
  }

  private mutating func takeLate(_ slot: Slot) -> HeapNode {
    let key = lateKey(of: slot)
    let node = late[key]!.remove(slot, positions: &positions)!
    if late[key]!.isEmpty { late[key] = nil }
    return node
  }

  func lateKey(of slot: Slot) -> LateKey {
    let entry = entries[Int(slot)]
    return LateKey(app: entry.app, urgency: entry.traits.urgency)
  }

  var lateCount: Int { late.values.reduce(0) { $0 + $1.nodes.count } }

  /// Whether this very node stands in `near`.
  func isNear(_ node: HeapNode) -> Bool {
    let index = nearIndex(of: node)
    return index < near.count && near[index] == node
  }

  /// Where a node stands in `near`, or would stand.
  private func nearIndex(of node: HeapNode) -> Int {
    var low = 0
    var high = near.count
    while low < high {
      let middle = (low + high) / 2
      if near[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Slots

  /// A reserved slot; nil: there are as many as there can be.
  mutating func allot() -> Slot? {
    let slot = nextFree
    if slot > 0 {
      nextFree = Slot(truncatingIfNeeded: entries[Int(slot)].anchor.nanoseconds)
    } else {
      guard entries.count <= Int(Self.maxSlots) else { return nil }
      grow(to: Slot(entries.count))
    }
    let fresh = slot > 0 ? slot : Slot(entries.count - 1)
    entries[Int(fresh)].place = .reserved
    return fresh
  }

  /// Frees a reserved slot that the store never heard of, or has forgotten.
  mutating func giveBack(_ slot: Slot) {
    entries[Int(slot)] = .unused
    entries[Int(slot)].anchor = Instant(nanoseconds: Int64(nextFree))
    nextFree = slot
  }

  /// Frees a reserved slot once `ticket` is answered: what the store does until then may still find
  /// the row there, and replace it.
  mutating func retire(_ slot: Slot, until ticket: StoreTicket) {
    entries[Int(slot)].place = .retired
    entries[Int(slot)].anchor = Instant(nanoseconds: Int64(bitPattern: ticket))
    retired.append((ticket, slot))
  }

  mutating func release(through ticket: StoreTicket) {
    guard let first = retired.first, first.ticket <= ticket else { return }
    let end = retired.firstIndex { $0.ticket > ticket } ?? retired.count
    for (ticket, slot) in retired[..<end] {
      // It may have come back to life, and even left again, meanwhile.
      let entry = entries[Int(slot)]
      if entry.place == .retired, entry.anchor.nanoseconds == Int64(bitPattern: ticket) {
        giveBack(slot)
      }
    }
    retired.removeFirst(end)
  }

  private mutating func grow(to slot: Slot) {
    while entries.count <= Int(slot) {
      entries.append(.unused)
      positions.append(0)
    }
  }

  // MARK: Start-up

  /// Takes a row of the store in; false: it cannot be one.
  mutating func restore(_ entry: Entry, _ node: HeapNode) -> Bool {
    guard node.slot > 0, node.slot <= Self.maxSlots else { return false }
    grow(to: node.slot)
    guard entries[Int(node.slot)].place == .free else { return false }
    enter(entry, node, at: .far)
    return true
  }

  /// To be called once, after the last row: finds the slots between them.
  mutating func collectFreeSlots() {
    for slot in entries.indices.reversed() where slot > 0 && entries[slot].place == .free {
      giveBack(Slot(slot))
    }
  }

  /// O(n), for tests.
  var isSound: Bool {
    far.isSound(positions: positions)
      && late.values.allSatisfy { $0.isSound(positions: positions) && !$0.isEmpty }
      && held.isSound(positions: positions)
      && waking.isSound(positions: wakingPositions)
      && latest.isSound && soonest.isSound
      && zip(near, near.dropFirst()).allSatisfy { $0 < $1 }
      && loose.isSound(positions: positions) && windows.isSound(positions: windowPositions)
      && loose.nodes.count == windows.nodes.count
      && far.nodes.count + loose.nodes.count + lateCount + held.nodes.count + near.count == count
  }
}
