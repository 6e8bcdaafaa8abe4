/// Whose app an operation is about, so that users can take turns in the store (A2).
extension StoreQuestion {
  /// nil: of none or of every one. Of several, all of one user, the first.
  var app: AppNumber? {
    switch self {
    case .load: nil
    case .barrier(let app): app
    case .find(let app, _), .findAll(let app, _), .fetchInbox(let app, _, _, _, _): app
    case .list(let apps, _, _), .listShown(let apps, _, _), .history(let apps, _, _): apps?.first
    case .findShown(let app, _, _): app
    }
  }
}

extension StoreChange {
  /// nil: of none.
  var app: AppNumber? {
    switch self {
    case .schedule(let row, _, _): row.app
    case .cancel(let app, _, _), .cancelEqual(let app, _, _), .cancelAll(let app, _): app
    case .replaceAll(let app, _, _, _), .markRead(let app, _, _, _): app
    case .registerApp(let app): app.number
    case .push(let push): push.app
    case .commit(let app): app
    }
  }
}

extension StoreRecord {
  /// nil: of none.
  var app: AppNumber? {
    switch self {
    case .intend(_, let app, _), .fired(_, let app, _, _), .settle(_, let app, _, _, _),
      .passOver(_, let app, _, _, _, _, _), .setBadge(let app, _), .noteUse(let app, _),
      .forgetApp(let app), .markHandled(_, let app, _, _, _, _), .register(let app, _),
      .finish(_, let app, _), .skip(_, let app, _, _), .replanFromNow(_, let app, _, _),
      .rebase(_, let app, _, _, _), .setSide(_, let app, _, _), .unsnooze(_, let app),
      .forgetWaitingAlert(_, let app), .forgetQueuedEvent(_, let app):
      app
    case .withdrawIntent(_, let app), .resume(_, let app): app
    case .keepQueuedEvent(let event): event.app
    case .snooze(let snooze): snooze.app
    case .keepWaitingAlert(let alert): alert.app
    case .setSkips(let skips): skips.app
    case .pause(let pause): pause.scope.app
    case .keepDays, .noteClock, .limitHistory, .limitBytes, .noteCritical, .queueWithdrawal,
      .withdrawalsConfirmed, .noteFix:
      nil
    }
  }

  /// The number of the row of which it says something; nil: of none.
  public var slot: Slot? {
    switch self {
    case .intend(_, _, let slot), .fired(_, _, let slot, _): slot
    case .passOver(_, _, let slot, _, _, _, _): slot
    case .finish(let slot, _, _), .skip(let slot, _, _, _), .replanFromNow(let slot, _, _, _),
      .rebase(let slot, _, _, _, _), .setSide(let slot, _, _, _):
      slot
    default: nil
    }
  }

  /// About how many bytes of a notification's content it has (A2).
  public var contentWeight: Int {
    switch self {
    case .intend(let occurrence, _, _), .fired(let occurrence, _, _, _):
      occurrence.notification.weight
    case .keepQueuedEvent(let event): event.queuedEvent.occurrence.notification.weight
    case .snooze(let snooze): snooze.occurrence.notification.weight
    case .keepWaitingAlert(let alert): alert.occurrence.notification.weight
    case .register(_, let registration): registration.weight
    default: 0
    }
  }
}
