import Testing

@testable import BelfryStore

@Suite struct QueryTests {
  /// A statement that has another's SQL answers another question in silence.
  @Test func everyStatementHasSQLOfItsOwnThatTheSchemaTakes() throws {
    let bench = try StoreBench()
    let all =
      AppQuery.allCases.map { $0.sql } + ClockQuery.allCases.map { $0.sql }
      + UserQuery.allCases.map { $0.sql } + NotificationQuery.allCases.map { $0.sql }
      + OccurrenceQuery.allCases.map { $0.sql } + HistoryQuery.allCases.map { $0.sql }
      + ShownQuery.allCases.map { $0.sql } + InboxQuery.allCases.map { $0.sql }
    #expect(Set(all).count == all.count)
    for sql in all { _ = try bench.opened.store.database.prepare(sql) }
  }
}
