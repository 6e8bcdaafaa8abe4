import BelfryCore

extension StoredPlan {
  /// From the columns of that name; nil: there is no text, or it is none of a plan.
  init?(mode: Int64, zone: String?, text: String?) {
    guard let text, mode >= 0, mode < Int64(ZoneMode.allCases.count) else { return nil }
    do throws(FieldError) {
      let plan = try RepeatPlan.parse(text)
      self.init(plan, mode: ZoneMode.allCases[Int(mode)], zone: zone)
    } catch {
      return nil
    }
    guard (self.mode == .zoned) == (zone != nil) else { return nil }
  }

  /// The number of the mode in the store: its place among all.
  var modeNumber: Int64 {
    switch mode {
    case .absolute: 0
    case .floating: 1
    case .zoned: 2
    }
  }
}

extension Statement {
  /// The three columns mode, zone and plan.
  @discardableResult
  func bind(_ plan: StoredPlan?) -> Statement {
    bind(plan?.modeNumber ?? 0).bind(plan?.zone).bind(plan?.plan.text)
  }
}
