/// The scheduled list as memory holds it: all but the content, which stays in the books.
///
/// Each pending notification has an entry, found by slot, and stands in one of four queues: `far`,
/// a heap with nearly all of them; `near`, a short sorted row of the soonest, whose content is being
/// loaded; `late`, a heap of those whose due has passed long ago; `held`, one of those that are due
/// and wait for a better clock (T9). What is far and has a tolerance stands in `loose` instead, and
/// once more in `windows`, by the end of its tolerance (T12). A pending notification takes 44 bytes: an entry of 24, a heap
/// node of 16, and 4 that say where the node stands.
struct PendingTable {
  enum Place: UInt8 {
    /// In the list of free slots.
    case free
    /// Allotted to a request that is on its way through the books.
    case reserved
    /// Left, but an answer that is under way may still speak of it.
    case retired
    case far, near, late, held
    /// Far, and may be joined with others (T12).
    case loose
  }

  /// What of its content the planning needs to know.
  struct Traits: OptionSet {
    var rawValue: UInt8

    /// Does not go by the clock, and so does not wait for a better one: relative, or at once.
    static let unheld = Traits(rawValue: 1)
    /// Runs on the elapsed clock: its due moves with every step of the real one.
    static let relative = Traits(rawValue: 2)
    /// A sleeping board is woken for it (T11).
    static let wakes = Traits(rawValue: 4)
    static let repeats = Traits(rawValue: 8)
    /// Which of the two last rules of its zone it is planned by (`KnownZone.mark`).
    static let mark = Traits(rawValue: 16)
    /// Its zone is not to be had; it has no due.
    static let unplanned = Traits(rawValue: 32)
    /// Delivered at once (N2): does not count towards the limit (N17).
    static let atOnce = Traits(rawValue: 64)
    /// Fires by crossings of its region (R1): it never has a due, and has a limit of its own (R4).
    static let region = Traits(rawValue: 128)
  }

  struct Entry {
    /// Due of occurrence 0. Free: the next free slot. Retired: the ticket that it waits for.
    var anchor: Instant
    var app: AppNumber
    var generation: Int32
    /// 0: absolute and exact, by `unit`.
    var shape: ShapeTable.Number
    var unit: RepeatUnit?
    var place: Place
    var traits: Traits

    var repeats: Bool { traits.contains(.repeats) }
    /// Towards the limit of its app (N17).
    var counts: Bool { traits.isDisjoint(with: [.atOnce, .region]) }

    init(
      app: AppNumber, generation: Int64, anchor: Instant, unit: RepeatUnit?,
      shape: ShapeTable.Number = 0, traits: Traits = []
    ) {
      self.anchor = anchor
      self.app = app
      self.generation = Int32(truncatingIfNeeded: generation)
      self.unit = unit
      self.shape = shape
      self.place = .far
      self.traits = traits
    }

    static let unused: Entry = {
      var entry = Entry(app: 0, generation: 0, anchor: Instant(nanoseconds: 0), unit: nil)
      entry.place = .free
      return entry
    }()
  }

  /// Slots run from 1 to this; 0 ends the list of free ones.
  static let mostSlots: Slot = 1 << 24

  private(set) var count = 0
  var shapes = ShapeTable()
  private(set) var far = TimerHeap()
  private(set) var late = TimerHeap()
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
  /// Of those that go by the clock: how many fire once, and how many repeat.
  private(set) var clocked: (once: Int, repeating: Int) = (0, 0)
  /// A heap of their own for apps that have reached their limit, the one to discard first (N17).
  private var latest: [AppNumber: TimerHeap] = [:]
  private var latestPositions: [Int32] = []
  /// A heap of their own for those that wake a sleeping board, while there are any (T11).
  private(set) var waking = TimerHeap()
  private var wakingPositions: [Int32] = []
  private var nextFree: Slot = 0
  private var retired: [(ticket: BookTicket, slot: Slot)] = []

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
    case .late: late.nodes[Int(positions[Int(slot)])]
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

  /// Whether some are about to be delivered at once.
  func hasAtOnce(of app: AppNumber) -> Bool { atOnceCounts[app] ?? 0 > 0 }

  /// The latest-firing notification of an app that counts; the first call for an app takes O(n).
  mutating func latest(of app: AppNumber) -> HeapNode? {
    if let heap = latest[app] { return heap.first }
    if latestPositions.count < entries.count {
      latestPositions += Array(repeating: 0, count: entries.count - latestPositions.count)
    }
    var heap = TimerHeap(.latestFirst)
    for nodes in [far.nodes, loose.nodes, late.nodes, held.nodes, near] {
      for node in nodes
      where entries[Int(node.slot)].app == app && entries[Int(node.slot)].counts {
        heap.insert(node, positions: &latestPositions)
      }
    }
    latest[app] = heap
    return heap.first
  }

  // MARK: Entering, moving, leaving

  /// `node.slot` is reserved, retired, or a restored one.
  mutating func enter(_ entry: Entry, _ node: HeapNode, at place: Place) {
    entries[Int(node.slot)] = entry
    put(node, at: place)
    tally(entry, 1)
    if entry.counts, latest[entry.app] != nil {
      growLatestPositions(to: node.slot)
      latest[entry.app]!.insert(node, positions: &latestPositions)
    }
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
    if entries[Int(slot)].counts, latest[app] != nil {
      latest[app]!.remove(slot, positions: &latestPositions)
    }
    if entries[Int(slot)].traits.contains(.wakes) {
      waking.remove(slot, positions: &wakingPositions)
    }
  }

  /// Gives a notification its next due.
  mutating func reschedule(_ node: HeapNode, at place: Place) {
    take(node.slot)
    put(node, at: place)
    let app = entries[Int(node.slot)].app
    if entries[Int(node.slot)].counts, latest[app] != nil {
      latest[app]!.move(node, positions: &latestPositions)
    }
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
    case .late: late.insert(node, positions: &positions)
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
      return loose.remove(slot, positions: &positions)
    case .late: return late.remove(slot, positions: &positions)
    case .held: return held.remove(slot, positions: &positions)
    case .near: return near.remove(at: near.firstIndex { $0.slot == slot }!)
    default: return far.remove(slot, positions: &positions)
    }
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

  private mutating func growLatestPositions(to slot: Slot) {
    while latestPositions.count <= Int(slot) { latestPositions.append(0) }
  }

  // MARK: Slots

  /// A reserved slot; nil: there are as many as there can be.
  mutating func allot() -> Slot? {
    let slot = nextFree
    if slot > 0 {
      nextFree = Slot(truncatingIfNeeded: entries[Int(slot)].anchor.nanoseconds)
    } else {
      guard entries.count <= Int(Self.mostSlots) else { return nil }
      grow(to: Slot(entries.count))
    }
    let fresh = slot > 0 ? slot : Slot(entries.count - 1)
    entries[Int(fresh)].place = .reserved
    return fresh
  }

  /// Frees a reserved slot that the books never heard of, or have forgotten.
  mutating func giveBack(_ slot: Slot) {
    entries[Int(slot)] = .unused
    entries[Int(slot)].anchor = Instant(nanoseconds: Int64(nextFree))
    nextFree = slot
  }

  /// Frees a reserved slot once `ticket` is answered: what the books do until then may still find
  /// the row there, and replace it.
  mutating func retire(_ slot: Slot, until ticket: BookTicket) {
    entries[Int(slot)].place = .retired
    entries[Int(slot)].anchor = Instant(nanoseconds: Int64(bitPattern: ticket))
    retired.append((ticket, slot))
  }

  mutating func release(through ticket: BookTicket) {
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

  /// Takes a row of the books in; false: it cannot be one.
  mutating func restore(_ entry: Entry, _ node: HeapNode) -> Bool {
    guard node.slot > 0, node.slot <= Self.mostSlots else { return false }
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
    far.isSound(positions: positions) && late.isSound(positions: positions)
      && held.isSound(positions: positions)
      && waking.isSound(positions: wakingPositions)
      && latest.values.allSatisfy { $0.isSound(positions: latestPositions) }
      && zip(near, near.dropFirst()).allSatisfy { $0 < $1 }
      && loose.isSound(positions: positions) && windows.isSound(positions: windowPositions)
      && loose.nodes.count == windows.nodes.count
      && far.nodes.count + loose.nodes.count + late.nodes.count + held.nodes.count + near.count
        == count
  }
}
