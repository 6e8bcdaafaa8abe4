/// What a program scheduled before programs had apps of their own stands in its user's, `user.<uid>`.
/// It stays there until the program schedules it again, which moves it to `user.<uid>.<program>` (A1).
extension Scheduler {
  /// Takes from the user's own app what has just been scheduled in a program's under the same
  /// identifier: it would ring twice.
  func takeOver(_ identifier: String, into app: SchedulerApp) {
    guard SchedulerApp.isProgram(app.name), let user = appsByName["user.\(app.owner)"],
      pending.count(of: user.number) + pending.regionCount(of: user.number) > 0
    else { return }
    ask(.find(app: user.number, identifier: identifier), for: .takeOver(app.number))
  }

  /// What is shown of it stays.
  func takeTakenOver(_ outcome: BookOutcome, _ number: AppNumber) {
    guard case .found(let row?) = outcome,
      pending.node(of: row.slot, sequence: row.sequence) != nil
    else { return }
    forgetContent(of: row.slot)
    removeEntry(row.slot)
    record(.finish(row.slot, generation: row.generation))
    let identifier = FieldError.quoted(row.notification.identifier ?? "")
    emit(
      .log(
        .info,
        "\(identifier) of \(apps[row.app]?.name ?? "") is \(apps[number]?.name ?? "")'s from now on"
      ))
  }
}
