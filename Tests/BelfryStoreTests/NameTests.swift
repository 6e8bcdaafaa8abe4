import BelfryCore
import Testing

@testable import BelfryStore

/// A4 in the store: two spellings of one letter are two names.
struct NameTests {
  @Test func A4_twoSpellingsAreTwoRows() throws {
    let (one, other) = ("caf\u{E9}", "cafe\u{301}")
    let bench = try StoreBench()
    bench.register()
    let rows = [row(7, one), row(8, other)]
    for row in rows {
      #expect(bench.run(.schedule(row, ifAdded: .none)) == [.scheduled(.added(discarded: nil))])
    }
    #expect(bench.run(.find(app: 1, identifier: one)) == [.found(rows[0])])
    #expect(bench.run(.find(app: 1, identifier: other)) == [.found(rows[1])])
    try bench.reopen()
    #expect(bench.listed() == rows)
    // In the same row, another sound is another notification.
    var again = row(9, one)
    again.notification.soundName = one
    bench.run(.schedule(again, ifAdded: .none))
    var spelled = again
    spelled.notification.soundName = other
    guard case .scheduled(.replaced) = bench.run(.schedule(spelled, ifAdded: .none))[0] else {
      Issue.record("taken for unchanged")
      return
    }
    let sound = bench.listed().compactMap { $0.notification.soundName }
    #expect(sound.map { Array($0.utf8) } == [Array(other.utf8)])
  }
}
