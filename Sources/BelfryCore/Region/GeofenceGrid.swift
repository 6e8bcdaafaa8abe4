/// Finds the circles that may contain a point: cubes of space around the globe, in a few sizes.
///
/// A circle is kept in the one cube that holds its centre, of a size at least twice its reach; so
/// whatever contains a point has its centre in one of the eight cubes, of each size in use, that are
/// nearest to the point. Cubes know of no date line and no poles. Cubes without a circle take no
/// memory; a circle takes a link of 4 bytes, and its cube an entry in a dictionary.
struct GeofenceGrid {
  /// Cubes of level n have edges of 4 / 2^n radii: from the whole of space down to some 200 m.
  private static let finest = 17
  private var users = [Int32](repeating: 0, count: finest + 1)
  /// The first member of each cube; each has the next one in `next`, -1 at the end.
  private var heads: [UInt64: Int32] = [:]
  private var next: [Int32] = []

  /// Calls `body` with every member whose circle contains the point, and with some others.
  func eachNear(_ point: GeoPoint, _ body: (Int32) -> Void) {
    for level in users.indices where users[level] > 0 {
      // The cubes on both sides of the nearest corner, on each axis.
      let (x, y, z) = (
        Self.corner(point.x, level), Self.corner(point.y, level), Self.corner(point.z, level)
      )
      for cube in 0..<8 as Range<Int64> {
        let key = Self.key(level, x + (cube & 1), y + (cube >> 1 & 1), z + (cube >> 2))
        var member = heads[key] ?? -1
        while member >= 0 {
          body(member)
          member = next[Int(member)]
        }
      }
    }
  }

  /// Members are numbered from 0 without gaps; `squaredReach` is the square of a chord.
  mutating func insert(_ member: Int32, at centre: GeoPoint, squaredReach: Double) {
    while next.count <= Int(member) { next.append(-1) }
    let level = Self.level(squaredReach)
    users[level] += 1
    let key = Self.key(level, centre)
    next[Int(member)] = heads[key] ?? -1
    heads[key] = member
  }

  /// With what it was inserted with.
  mutating func remove(_ member: Int32, at centre: GeoPoint, squaredReach: Double) {
    let level = Self.level(squaredReach)
    users[level] -= 1
    relink(Self.key(level, centre), member, to: next[Int(member)])
  }

  /// Gives a member another number, which is free.
  mutating func rename(
    _ member: Int32, to number: Int32, at centre: GeoPoint, squaredReach: Double
  ) {
    next[Int(number)] = next[Int(member)]
    relink(Self.key(Self.level(squaredReach), centre), member, to: number)
  }

  /// Whatever leads to `member` leads to `other`, or ends.
  private mutating func relink(_ key: UInt64, _ member: Int32, to other: Int32) {
    guard var link = heads[key] else { return }
    if link == member {
      heads[key] = other < 0 ? nil : other
      return
    }
    while link >= 0, next[Int(link)] != member { link = next[Int(link)] }
    if link >= 0 { next[Int(link)] = other }
  }

  // MARK: Cubes

  /// The finest level whose cubes are at least twice as wide as the reach.
  private static func level(_ squaredReach: Double) -> Int {
    var level = finest
    while level > 0, edge(level) * edge(level) < 4 * squaredReach { level -= 1 }
    return level
  }

  /// In radii.
  private static func edge(_ level: Int) -> Double { 4 / Double(1 << Int64(level)) }

  /// The number of the cube below the corner nearest to a coordinate, counted from -1.
  private static func corner(_ coordinate: Double, _ level: Int) -> Int64 {
    Int64((coordinate + 2) / edge(level) + 0.5) - 1
  }

  private static func key(_ level: Int, _ point: GeoPoint) -> UInt64 {
    let edge = edge(level)
    return key(
      level, Int64((point.x + 2) / edge), Int64((point.y + 2) / edge),
      Int64((point.z + 2) / edge))
  }

  /// Numbers are below 2^17, and -1.
  private static func key(_ level: Int, _ x: Int64, _ y: Int64, _ z: Int64) -> UInt64 {
    let cube = (UInt64(bitPattern: x + 1) << 36) | (UInt64(bitPattern: y + 1) << 18)
    return (UInt64(level) << 54) | cube | UInt64(bitPattern: z + 1)
  }
}
