/// On which side of a circle the board is, and what speaks for the other side (R3).
///
/// A fix weighs as many of its accuracies as it lies beyond the edge, where it is beyond by its whole
/// accuracy and by the margin, too. The side changes by one fix that weighs much, or by fixes in a row
/// that weigh so together: noise goes back over the edge before it comes to that.
struct RegionEvidence {
  /// So much changes a known side at once: noise is hardly ever that far from the truth.
  private static let decisive: Float = 4.5
  /// The first side fires nothing, and so takes less.
  private static let decisiveAtFirst: Float = 3
  /// So much changes it in a row.
  private static let together: Float = 6
  /// No fix is taken to be better than half the margin, or so many metres: what is told as exact has
  /// noise, too.
  private static let best = 10.0
  /// The accuracy of a fix that does not tell it: this, a common receiver's, and at most a fifth of the
  /// radius, so that one fix at the centre decides.
  private static let untold = 20.0

  private(set) var side: RegionSide
  /// For being outside; below zero: for being inside.
  private var weight: Float = 0

  init(side: RegionSide) { self.side = side }

  /// Nothing speaks for the other side.
  var isNone: Bool { weight == 0 }
  var isSurelyOutside: Bool { side == .outside && isNone }

  /// A fix so many metres from the centre; `told`: its accuracy, if it tells one.
  mutating func add(distance: Double, radius: Double, accuracy told: Double?) {
    let accuracy = told ?? min(Self.untold, radius / 5)
    let depth = abs(distance - radius)
    // What is worse than the circle and reaches over its edge says nothing at all.
    guard accuracy <= max(radius, depth) else { return }
    let there: RegionSide = distance <= radius ? .inside : .outside
    let sign: Float = there == .inside ? -1 : 1
    if there == side || weight * sign < 0 { weight = 0 }
    let margin =
      there == .inside ? CircularRegion.innerMargin(radius) : CircularRegion.margin(radius)
    guard there != side, depth >= max(accuracy, margin) else { return }
    let own = Float(depth / max(accuracy, min(margin / 2, Self.best)))
    weight += own * sign
    guard
      own >= (side == .unknown ? Self.decisiveAtFirst : Self.decisive)
        || abs(weight) >= Self.together
    else { return }
    (side, weight) = (there, 0)
  }
}
