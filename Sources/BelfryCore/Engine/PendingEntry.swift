/// What memory holds of a pending notification beside its due.
extension PendingTable {
  /// What of its content the planning needs to know.
  struct Traits: OptionSet {
    var rawValue: UInt16

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
    /// timeSensitive or critical.
    static let urgent = Traits(rawValue: 256)
    /// It says that it is critical, whether it may be or not (S6).
    static let critical = Traits(rawValue: 512)

    /// As it says, whether it may be critical or not.
    var urgency: Urgency {
      if contains(.critical) { return .critical }
      return contains(.urgent) ? .timeSensitive : .rest
    }
  }

  struct Entry {
    /// Due of occurrence 0. Free: the next free slot. Retired: the ticket that it waits for.
    var anchor: Instant
    var app: AppNumber
    var generation: Int32
    /// 0: absolute and exact, by `unit`.
    var shape: SharedPlanTable.Number
    var unit: RepeatUnit?
    var place: Place
    var traits: Traits

    var repeats: Bool { traits.contains(.repeats) }
    /// Towards the limit of its app (N17).
    var counts: Bool { traits.isDisjoint(with: [.atOnce, .region]) }

    init(
      app: AppNumber, generation: Int64, anchor: Instant, unit: RepeatUnit?,
      shape: SharedPlanTable.Number = 0, traits: Traits = []
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
}
