import BelfryCore
import Testing

@testable import BelfryWire

@Suite struct AppLimitTests {
  private func limits(_ key: AppLimitKey, _ number: Int64) throws -> AppLimits {
    var limits = AppLimits()
    let value: SettingValue =
      switch key.values {
      case .words(let words): .text(words[Int(number)])
      case .latePolicy: .latePolicy(.seconds(number))
      default: .integer(number)
      }
    let isSet = limits.set(key, value)
    try #require(isSet)
    return limits
  }

  /// What a new limit would otherwise miss in silence.
  @Test(arguments: AppLimitKey.allCases)
  func A2_everyLimitIsSetAndMerged(_ key: AppLimitKey) throws {
    let (one, other) = (try limits(key, 0), try limits(key, 1))
    #expect(one != other && one != AppLimits() && other != AppLimits())
    #expect(one.merged(over: other) == one)
    #expect(AppLimits().merged(over: one) == one)
    #expect(one.merged(over: AppLimits()) == one)
    var wrong = AppLimits()
    let isTaken = wrong.set(key, .boolean(true))
    #expect(!isTaken && wrong == AppLimits())
  }

  @Test func A2_theLimitsOfABoardAreThoseOfTheTable() {
    for key in AppLimitKey.allCases {
      let row: SettingHelp = key.row()
      guard let number = AppLimits.standard.number(of: key) else { continue }
      #expect(row.usual == "\(number)")
    }
    #expect(AppLimitKey.shown.allSatisfy { $0.values != .latePolicy })
  }
}
