/// The last of a rule with COUNT that counts elapsed time: whole days or units by arithmetic, one by
/// one only what the start or a change of the clocks divides.
extension ElapsedRule {
  /// The last of so many; nil if there are fewer.
  func time(ofCount count: Int64, _ meter: inout StepMeter) -> Int64? {
    if let interval = plainInterval {
      let (way, tooFar) = (count - 1).multipliedReportingOverflow(by: interval)
      return tooFar || way > Self.end - start ? nil : start + way
    }
    var stretches: [Stretch] = []
    var (left, place) = (count, start)
    while place <= Self.end, meter.take() {
      let (stretch, end) = self.stretch(at: place, &stretches)
      let series = stretch.series
      guard series.last != .min else {
        place = end
        continue
      }
      guard let begin = stretch.day(from: place, &meter) else { return nil }
      guard begin < end else {
        place = max(end, begin - Self.farthest)
        continue
      }
      // An interval of a day or more comes to each day once at most: its units are counted.
      let counts =
        series.interval < 86400 / series.unit
        ? self.counts(of: stretch, in: &stretches, &meter) : []
      let grain = counts.isEmpty ? series.unit : 86400
      while place < end {
        let shown = place + stretch.offset
        var stop = end + stretch.offset
        let whole = floorDivide(shown, grain) * grain
        if whole == shown {
          let last = floorDivide(stop, grain) * grain
          let found =
            counts.isEmpty
            ? series.unit(from: shown, before: last, leaving: &left, &meter)
            : series.day(from: shown, before: last, leaving: &left, counts, &meter)
          guard let found else { return nil }
          guard found == shown else {
            place = found - stretch.offset
            continue
          }
        }
        stop = min(stop, whole + grain)
        var next = shown
        while let found = series.within(onOrAfter: next, before: stop, &meter), found < stop {
          left -= 1
          if left == 0 { return found - stretch.offset }
          next = found + 1
        }
        if meter.isSpent { return nil }
        place = stop - stretch.offset
      }
    }
    return nil
  }

  /// How many its days have, see `RuleSeries.countsOfDay`.
  private func counts(
    of stretch: Stretch, in known: inout [Stretch], _ meter: inout StepMeter
  ) -> [Int32] {
    guard stretch.counts.isEmpty else { return stretch.counts }
    let counts = stretch.series.countsOfDay(&meter)
    for place in known.indices where known[place].offset == stretch.offset {
      known[place].counts = counts
    }
    return counts
  }
}

extension RuleSeries {
  /// Where the last of so many is, one at least, in whole units; those before it are taken off.
  fileprivate func unit(
    from time: Int64, before end: Int64, leaving count: inout Int64, _ meter: inout StepMeter
  ) -> Int64? {
    let each = positions.isEmpty ? perUnit : chosenCount(of: perUnit)
    guard each > 0 else { return end }
    var number = (count - 1) / each
    let rest = count - number * each
    let found = unit(from: time, before: end, having: &number, &meter)
    count = number * each + rest
    return found
  }

  /// The same in whole days.
  fileprivate func day(
    from time: Int64, before end: Int64, leaving count: inout Int64, _ counts: [Int32],
    _ meter: inout StepMeter
  ) -> Int64? {
    var number = count - 1
    let found = day(
      from: time / 86400, before: end / 86400, having: &number, counts, &meter)
    count = number + 1
    return found.map { $0 * 86400 }
  }
}
