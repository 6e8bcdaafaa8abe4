import Testing

@testable import BelfryCore

@Suite struct HandledOccurrencesTests {
  private static func id(_ number: Int) -> OccurrenceID {
    OccurrenceID(uuid: UUIDBits(high: 0, low: UInt64(number)), generation: 0, k: 0)
  }

  /// The store may have looked before any of them was put away.
  @Test func D7_whileAQuestionIsUnderWayNothingIsForgotten() {
    var handled = HandledOccurrences()
    handled.beginQuestion()
    handled.beginQuestion()
    for number in 0..<1000 { handled.note(Self.id(number)) }
    let first = handled.endQuestion()
    #expect(first.count == 1000)
    let last = handled.endQuestion()
    #expect(last == (744..<1000).map(Self.id))
  }
}
