/// Whose app an operation is about, so that users can take turns in the store (A2).
extension StoreQuestion {
  /// nil: of none or of every one. Of several, all of one user, the first.
  var app: AppNumber? {
    switch self {
    case .load: nil
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
    case .commit: nil
    }
  }
}
