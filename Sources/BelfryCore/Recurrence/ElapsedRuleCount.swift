/// The last of a rule with COUNT that counts elapsed time: whole days by arithmetic, one by one only
/// those on which the clocks change.
extension ElapsedRule {
  /// The last of so many; nil if there are fewer.
  func time(ofCount count: Int64, _ meter: inout StepMeter) -> Int64? {
    if let interval = plainInterval {
      let (way, tooFar) = (count - 1).multipliedReportingOverflow(by: interval)
      return tooFar ? nil : start + way
    }
    var stretches: [Stretch] = []
    var (left, place) = (count, start)
    while place <= Self.end, meter.take() {
      let (stretch, end) = self.stretch(at: place, &stretches)
      guard let begin = stretch.day(from: place, &meter) else { return nil }
      if begin >= end {
        place = max(end, begin - Self.farthest)
        continue
      }
      let dayEnd = begin + 86400
      if begin >= place, dayEnd <= end,
        let whole = self.count(ofDayAt: begin, in: stretch, &stretches, &meter), whole < left
      {
        (left, place) = (left - whole, dayEnd)
        continue
      }
      let stop = min(end, dayEnd)
      place = max(place, begin)
      while stretch.series.last != .min,
        let found = stretch.series.within(
          onOrAfter: place + stretch.offset, before: stop + stretch.offset, &meter),
        found < stop + stretch.offset
      {
        left -= 1
        if left == 0 { return found - stretch.offset }
        place = found - stretch.offset + 1
      }
      place = stop
    }
    return nil
  }

  /// nil: only one by one.
  private func count(
    ofDayAt begin: Int64, in stretch: Stretch, _ known: inout [Stretch],
    _ meter: inout StepMeter
  ) -> Int64? {
    let series = stretch.series
    guard series.last != .min else { return 0 }
    guard series.interval < 86400 / series.unit else { return nil }
    var counts = stretch.counts
    if counts.isEmpty {
      counts = series.countsOfDay(&meter)
      for place in known.indices where known[place].offset == stretch.offset {
        known[place].counts = counts
      }
    }
    return series.count(ofDay: floorDivide(begin + stretch.offset, 86400), counts)
  }
}
