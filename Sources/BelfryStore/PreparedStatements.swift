/// The statements of one database that have been prepared so far.
struct PreparedStatements {
  /// Those of one group.
  struct Group<Queries: QueryGroup> {
    private var prepared = [Statement?](repeating: nil, count: Queries.allCases.count)

    /// The statement, ready to be bound; prepared if this is its first use.
    mutating func statement(
      _ query: Queries, _ database: Database
    ) throws(StoreError) -> Statement {
      if let known = prepared[query.rawValue] {
        known.reset()
        return known
      }
      let new = try database.prepare(query.sql)
      prepared[query.rawValue] = new
      return new
    }

    /// Ends whatever was left unread.
    func reset() {
      for statement in prepared { statement?.reset() }
    }
  }

  var app = Group<AppQuery>()
  var clock = Group<ClockQuery>()
  var user = Group<UserQuery>()
  var notification = Group<NotificationQuery>()
  var occurrence = Group<OccurrenceQuery>()
  var history = Group<HistoryQuery>()
  var shown = Group<ShownQuery>()
  var inbox = Group<InboxQuery>()
  var pause = Group<PauseQuery>()

  /// Ends whatever any of them was left with unread.
  func reset() {
    app.reset()
    clock.reset()
    user.reset()
    notification.reset()
    occurrence.reset()
    history.reset()
    shown.reset()
    inbox.reset()
    pause.reset()
  }
}
