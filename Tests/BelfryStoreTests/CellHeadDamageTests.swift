import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// D8: one wrong bit before the values of a row.
struct CellHeadDamageTests {
  /// A closed store's file with 20 alarms of each day, and where the cell of one begins and its
  /// values begin.
  private func filled(_ slot: Slot) throws -> (file: [UInt8], head: Range<Int>) {
    let bench = try StoreBench()
    bench.register()
    for slot in 1...20 as ClosedRange<Slot> {
      bench.run(.schedule(row(slot, "n\(slot)", unit: .day), ifAdded: .none))
    }
    bench.keeper.close()
    let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.path)))
    let pages = try #require(PageFile(bench.path))
    for number in 2...pages.lastPage {
      let page = try #require(pages.page(number))
      let cells = PageCells(page, start: 0)
      guard cells.kind == .tableLeaf, let first = cells.cells(as: .tableLeaf, from: pages).first,
        ShapedRow(first)?.table == .notification
      else { continue }
      for index in 0..<cells.count {
        let begin = page.short(8 + 2 * index)
        var place = begin
        guard page.variable(&place) != nil, page.variable(&place) == Int64(slot) else { continue }
        var end = place
        let head = try #require(page.variable(&end))
        let start = Int(number - 1) * PageFile.pageSize
        return (file, start + begin..<start + place + Int(head))
      }
    }
    throw StoreError(.damaged, "no such row")
  }

  @Test func D8_aWrongBitInARowsHeadSilencesNothing() throws {
    let (file, head) = try filled(7)
    #expect(head.count > 20)
    let whole = row(7, "n7", unit: .day)
    for place in head {
      for bit in 0..<8 as Range<UInt8> {
        var damaged = file
        damaged[place] ^= 1 << bit
        let bench = try StoreBench { path in
          try Data(damaged).write(to: URL(fileURLWithPath: path))
          try Data().write(to: URL(fileURLWithPath: IntegrityMark.mark(of: path)))
        }
        let found = bench.listed().first { $0.identifier == "n7" }
        let pending = bench.pending.first { $0.slot == found?.slot }
        let isWhole =
          found?.notification == whole.notification && pending?.anchor == whole.anchor
          && pending?.unit == .day && pending?.firedThrough == -1 && bench.pending.count == 20
        #expect(isWhole, "bit \(bit) of byte \(place - head.lowerBound): \(bench.pending)")
        bench.keeper.close()
      }
    }
  }
}
