/// How a notification is planned and fired where that is more than a unit counted in UTC.
struct SharedPlan: Hashable {
  var plan: RepeatPlan
  var mode: ZoneMode
  /// Of a zoned one; the board's for a floating one.
  var zone: ZoneNumber
  /// In nanoseconds (T12).
  var tolerance: Int64
}

/// Shapes, each kept once: a hundred thousand alarms at wall clocks share a few.
///
/// Number 0 is the plain one: absolute and exact, with a unit that its entry knows.
struct SharedPlanTable {
  typealias Number = Int32

  private struct Place {
    var shape: SharedPlan
    /// How many entries have it; 0: free, and in `free`.
    var users: Int32
  }

  private var places: [Place] = []
  private var numbers: [SharedPlan: Number] = [:]
  private var free: [Number] = []
  private var zoneUsers: [ZoneNumber: Int] = [:]
  /// A zone has come into use, or out of it.
  var zonesHaveChanged = false

  subscript(number: Number) -> SharedPlan { places[Int(number) - 1].shape }

  /// How many entries go by a zone.
  func users(of zone: ZoneNumber) -> Int { zoneUsers[zone] ?? 0 }

  /// The number of a shape, one user more.
  mutating func take(_ shape: SharedPlan) -> Number {
    if shape.mode != .absolute {
      zoneUsers[shape.zone, default: 0] += 1
      if zoneUsers[shape.zone] == 1 { zonesHaveChanged = true }
    }
    if let number = numbers[shape] {
      places[Int(number) - 1].users += 1
      return number
    }
    let place = Place(shape: shape, users: 1)
    let number: Number
    if let unused = free.popLast() {
      number = unused
      places[Int(number) - 1] = place
    } else {
      places.append(place)
      number = Number(places.count)
    }
    numbers[shape] = number
    return number
  }

  /// One user less.
  mutating func drop(_ number: Number) {
    guard number > 0 else { return }
    let shape = places[Int(number) - 1].shape
    if shape.mode != .absolute {
      zoneUsers[shape.zone, default: 0] -= 1
      if zoneUsers[shape.zone] == 0 { zonesHaveChanged = true }
    }
    places[Int(number) - 1].users -= 1
    guard places[Int(number) - 1].users == 0 else { return }
    numbers[shape] = nil
    places[Int(number) - 1].shape.plan = RepeatPlan(.once)
    free.append(number)
  }
}
