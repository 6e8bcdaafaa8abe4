import BelfryCore

/// R3 as a user may read it: on which side of a circle the board is, from all fixes since the side was
/// last changed. It goes back through them, and keeps nothing.
public enum SideOracle {
  /// How far from the centre, and how far from there the board may be, nil where that is not told; in
  /// metres.
  public typealias Fix = (metres: Double, accuracy: Double?)

  /// The side after the last of `fixes`.
  public static func side(
    of region: CircularRegion, was side: RegionSide, after fixes: [Fix]
  ) -> RegionSide {
    guard let newest = fixes.last else { return side }
    let there: RegionSide = newest.metres > region.radius ? .outside : .inside
    guard there != side else { return side }
    let newestDepth = depth(newest, region)
    guard isWhole(newest, region, there) else { return side }
    if newestDepth >= (side == .unknown ? 3 : 4.5) * unit(newest, region, there) { return there }
    var sum = 0.0
    for fix in fixes.reversed() {
      let accuracy = accuracy(fix, region)
      if accuracy > depth(fix, region) && accuracy > region.radius { continue }
      let isThere = (fix.metres > region.radius) == (there == .outside)
      guard isThere else { break }
      if isWhole(fix, region, there) {
        sum += depth(fix, region) / unit(fix, region, there)
      }
    }
    return sum >= 6 ? there : side
  }

  private static func depth(_ fix: Fix, _ region: CircularRegion) -> Double {
    abs(fix.metres - region.radius)
  }

  private static func margin(_ region: CircularRegion, _ side: RegionSide) -> Double {
    side == .outside ? region.margin : region.innerMargin
  }

  /// The circle of accuracy, and one of the margin, lie on one side.
  private static func isWhole(
    _ fix: Fix, _ region: CircularRegion, _ side: RegionSide
  ) -> Bool {
    let depth = depth(fix, region)
    return depth >= accuracy(fix, region) && depth >= margin(region, side)
  }

  /// What its depth is measured in.
  private static func unit(_ fix: Fix, _ region: CircularRegion, _ side: RegionSide) -> Double {
    max(accuracy(fix, region), min(margin(region, side) / 2, 10))
  }

  private static func accuracy(_ fix: Fix, _ region: CircularRegion) -> Double {
    fix.accuracy ?? min(20, region.radius * 0.2)
  }
}
