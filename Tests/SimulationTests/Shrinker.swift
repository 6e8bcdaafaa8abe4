/// Finds a shorter life that breaks the same rule, by leaving out ever smaller pieces of it (delta
/// debugging).
struct Shrinker {
  let life: Life
  let fault: Fault
  let store: () -> any SimulatedStore
  /// How long it may take.
  let end = ContinuousClock.now + .seconds(8)

  /// The shortest list of actions found.
  func shortest(of actions: [LifeAction]) -> [LifeAction] {
    var best = actions
    var size = max(1, best.count / 2)
    while true {
      var start = 0
      var isShorter = false
      while start < best.count, ContinuousClock.now < end {
        var shorter = best
        shorter.removeSubrange(start..<min(best.count, start + size))
        if let lived = breaks(shorter) {
          best = Array(shorter.prefix(lived + 1))
          isShorter = true
        } else {
          start += size
        }
      }
      if ContinuousClock.now >= end || (size == 1 && !isShorter) { return best }
      if !isShorter || size > best.count { size = max(1, size / 2) }
    }
  }

  /// nil: it does not; else how many actions went before.
  private func breaks(_ actions: [LifeAction]) -> Int? {
    let outcome = life.lead(actions, store: store())
    return outcome.fault?.rule == fault.rule ? outcome.lived : nil
  }
}

extension Life {
  private var company: String {
    if shape.hasSnoozes { return ", with snoozes" }
    if shape.hasApps { return ", among apps" }
    return shape.isShared ? ", among users" : shape.isEveryday ? ", every day" : ""
  }

  /// The seed, the rule, and the shortest trace that can be found, in lines; nil: nothing broke.
  func report(store: @escaping () -> any SimulatedStore) -> String? {
    let outcome = lead(store: store())
    guard let fault = outcome.fault else { return nil }
    let shrinker = Shrinker(life: self, fault: fault, store: store)
    let short = shrinker.shortest(of: Array(actions.prefix(outcome.lived + 1)))
    let shown = lead(short, store: store(), traced: true)
    return """
      seed \(seed) (\(shape.kind)\(company)) breaks \(fault.rule): \(fault.text)
      after \(outcome.lived + 1) actions; the same after these \(short.count) \
      (BELFRY_SEED=\(seed) runs it again):
      trusted \(shape.isAlwaysTrusted), synchronised \(shape.startsSynchronised), \
      late \(shape.configuration.late), limit \(shape.configuration.notifications ?? 64)
      \(Life.digest(shown.trace).joined(separator: "\n"))
      \(shown.fault?.text ?? "")
      """
  }
}

extension Life {
  /// A trace without the middle of what happens many times after one action.
  static func digest(_ trace: [String]) -> [String] {
    var lines: [String] = []
    var sinceAction: [String] = []
    func flush() {
      let left = sinceAction.count - 12
      if left > 0 {
        lines += sinceAction.prefix(6) + ["    ... \(left) lines ..."] + sinceAction.suffix(6)
      } else {
        lines += sinceAction
      }
      sinceAction = []
    }
    for line in trace {
      if line.hasPrefix(" ") {
        sinceAction.append(line)
      } else {
        flush()
        lines.append(line)
      }
    }
    flush()
    return lines
  }
}
