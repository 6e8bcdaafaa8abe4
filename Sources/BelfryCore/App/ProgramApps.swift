/// What a program scheduled before programs had apps of their own stands in its user's, `user.<uid>`.
/// It stays there until the program schedules it again, which moves it to `user.<uid>.<program>` (A1).
extension SchedulerEngine {
  /// Takes from the user's own app what has just been scheduled in a program's under the same
  /// identifier: it would ring twice. `answer` goes out once that is in the store; false: there is
  /// nothing to take, and no answer goes out.
  @discardableResult
  func takeOver(
    _ identifier: String, into app: SchedulerApp, then answer: (RequestID, Reply)? = nil
  ) -> Bool {
    guard SchedulerApp.isProgram(app.name), let user = apps.named("user.\(app.owner)"),
      pending.count(of: user.number) + pending.regionCount(of: user.number) > 0
    else { return false }
    ask(.find(app: user.number, identifier: identifier), for: .takeOver(app.number, answer))
    return true
  }

  /// What is shown of it stays.
  func takeTakenOver(
    _ outcome: StoreOutcome, _ number: AppNumber, _ answer: (RequestID, Reply)?
  ) {
    // After what this records.
    defer { if let answer { replyAfterCommit(answer.0, answer.1, of: number) } }
    guard case .found(let row?) = outcome, let user = apps[row.app],
      let node = pending.node(of: row.slot, sequence: row.sequence)
    else { return }
    let next = OccurrenceID(
      uuid: row.uuid, generation: row.generation, k: max(row.firedThrough + 1, index(of: node)))
    pending.dropContent(of: row.slot, &turn)
    removeEntry(row.slot)
    // The history row is recorded first: a crash between the two records would lose it otherwise.
    record(
      .settle(
        replacedRow(of: row, as: next, in: user), app: user.number, shown: false, replaces: [],
        closes: true))
    record(.finish(row.slot, app: row.app, generation: row.generation))
    tellLeft(row.notification.identifier ?? "", user, .replaced, due: node.due)
    let identifier = FieldError.quoted(row.notification.identifier ?? "")
    emit(
      .log(
        .info,
        "\(identifier) of \(user.name) is \(apps[number]?.name ?? "")'s from now on"
      ))
  }

  /// The history row of what another app's notification has replaced (D10), like those that the store
  /// write when one replaces another within its app.
  private func replacedRow(
    of row: StoredNotification, as occurrence: OccurrenceID, in app: SchedulerApp
  ) -> HistoryRow {
    let time = clockStamp
    var left = HistoryRow(
      app: app.name, identifier: row.notification.identifier ?? "", occurrence: occurrence,
      sink: "", due: time.real, handedOver: nil, acknowledged: nil, state: .replaced, reason: nil,
      attempts: 0)
    left.clock = time.state
    left.text = row.notification.historyText
    return left
  }
}
