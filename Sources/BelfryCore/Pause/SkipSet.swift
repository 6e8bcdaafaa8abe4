/// What the store knows of the skips of one notification (E2).
public struct StoredSkips: Hashable, Sendable {
  public var app: AppNumber
  public var slot: Slot
  public var uuid: UUIDBits
  /// They hold for this generation alone.
  public var generation: Int64
  public var skips: SkipSet

  public init(app: AppNumber, slot: Slot, uuid: UUIDBits, generation: Int64, skips: SkipSet) {
    self.app = app
    self.slot = slot
    self.uuid = uuid
    self.generation = generation
    self.skips = skips
  }
}

/// Occurrences of one notification that are not handed over (E2), by k.
public struct SkipSet: Hashable, Sendable {
  /// Some that follow each other.
  public struct Run: Hashable, Sendable {
    public var first: Int64
    public var last: Int64
    /// So many.
    public var count: Int64

    public init(first: Int64, last: Int64, count: Int64) {
      self.first = first
      self.last = last
      self.count = count
    }

    func contains(_ k: Int64) -> Bool {
      !LastPass.isBefore(k, first) && !LastPass.isBefore(last, k)
    }
  }

  /// Most occurrences that can be skipped of one notification at a time (A2).
  public static let most: Int64 = 1000
  /// Most runs.
  public static let mostRuns = 64

  /// In order, none within another.
  public private(set) var runs: [Run] = []

  public init() {}

  public init(_ runs: [Run]) {
    for run in runs { insert(run) }
  }

  public var isEmpty: Bool { runs.isEmpty }
  public var count: Int64 { runs.reduce(0) { $0 + $1.count } }

  func run(with k: Int64) -> Run? { runs.first { $0.contains(k) } }

  /// The first run that begins after k.
  func run(after k: Int64) -> Run? { runs.first { LastPass.isBefore(k, $0.first) } }

  /// Adds some; runs that begin within them go.
  public mutating func insert(_ run: Run) {
    runs.removeAll { run.contains($0.first) && run.contains($0.last) }
    let place = runs.firstIndex { LastPass.isBefore(run.first, $0.first) } ?? runs.count
    runs.insert(run, at: place)
  }

  /// Takes the run of one occurrence out, and returns it.
  mutating func remove(with k: Int64) -> Run? {
    guard let place = runs.firstIndex(where: { $0.contains(k) }) else { return nil }
    return runs.remove(at: place)
  }

  /// Forgets what lies behind k; `isOver` says so of the last of a run.
  mutating func removeAll(through k: Int64, isOver: (Int64) -> Bool = { _ in true }) {
    runs.removeAll { !LastPass.isBefore(k, $0.last) && isOver($0.last) }
  }

  // MARK: As text

  /// `first last count` for each run, with `;` between.
  public var text: String {
    var words = ""
    for run in runs {
      if !words.isEmpty { words += ";" }
      words += "\(run.first) \(run.last) \(run.count)"
    }
    return words
  }

  /// nil: it is no such text.
  public init?(text: String) {
    for part in text.utf8.split(separator: UInt8(ascii: ";")) {
      let words = part.split(separator: UInt8(ascii: " "))
      guard words.count == 3, let first = Int64(Substring(words[0])),
        let last = Int64(Substring(words[1])), let count = Int64(Substring(words[2])),
        count > 0, runs.count < Self.mostRuns
      else { return nil }
      runs.append(Run(first: first, last: last, count: count))
    }
  }
}

extension StoredSkips {
  /// The same notification, of which nothing is skipped.
  var without: StoredSkips {
    StoredSkips(app: app, slot: slot, uuid: uuid, generation: generation, skips: SkipSet())
  }
}

extension SkipSet {
  /// Adds occurrences that follow each other, but for those that are in it.
  mutating func add(_ occurrences: [PlannedOccurrence], _ coming: Coming) {
    var addition = SkipAddition(self, coming)
    var budget = Int.max
    _ = addition.add(occurrences, &budget)
    self = addition.whole
  }
}

/// A set of skips to which occurrences that follow each other are added, in slices (A2): whether two
/// of them are neighbours can take a search.
struct SkipAddition {
  private let coming: Coming
  private var skips: SkipSet
  private var run: SkipSet.Run?
  private var before: PlannedOccurrence?
  /// Of the occurrences that are being added, so many have been.
  private var place = 0

  init(_ skips: SkipSet, _ coming: Coming) {
    self.skips = skips
    self.coming = coming
  }

  /// With the run that has begun.
  var whole: SkipSet {
    var whole = skips
    if let run { whole.insert(run) }
    return whole
  }

  /// Adds some of these, all those that are in the set left out; true: all of them.
  mutating func add(_ occurrences: [PlannedOccurrence], _ budget: inout Int) -> Bool {
    while place < occurrences.count {
      guard budget > 0 else { return false }
      let one = occurrences[place]
      place += 1
      budget -= coming.lookCost
      if skips.run(with: one.k) != nil {
        endRun()
        continue
      }
      if let begun = run, let before, coming.areTogether(before, one) {
        run = SkipSet.Run(first: begun.first, last: one.k, count: begun.count + 1)
      } else {
        endRun()
        run = SkipSet.Run(first: one.k, last: one.k, count: 1)
      }
      before = one
    }
    endRun()
    place = 0
    return true
  }

  private mutating func endRun() {
    if let run { skips.insert(run) }
    (run, before) = (nil, nil)
  }
}
