import BelfryKit

/// Categories as the daemon has them: a list of at most four actions, and the names of the at most two
/// of them that the minimal context shows.
extension UIUserNotificationSettings {
  /// Throws where a category or an action has no identifier, or an action no title.
  var registrable: [NotificationCategory] {
    get throws(SchedulerError) {
      var found: [NotificationCategory] = []
      for category in categories ?? [] { found.append(try category.registrable) }
      return found.sorted { $0.identifier < $1.identifier }
    }
  }
}

extension UIUserNotificationCategory {
  /// Minimal actions that the default context has not come behind its own, as far as there is room.
  fileprivate var registrable: NotificationCategory {
    get throws(SchedulerError) {
      guard let identifier, !identifier.isEmpty else {
        throw SchedulerError(.missing, field: "categories", "a category has an identifier")
      }
      var list: [UIUserNotificationAction.Values] = []
      let ample = values.actions[.default]?.prefix(4) ?? []
      let few = values.actions[.minimal]?.prefix(2)
      for action in Array(ample) + Array(few ?? []) where list.count < 4 {
        if list.contains(where: { $0.identifier.isName(action.identifier) }) { continue }
        list.append(action)
      }
      var actions: [NotificationAction] = []
      for action in list { actions.append(try action.registrable(in: identifier)) }
      let names = few?.compactMap { $0.identifier }
      return NotificationCategory(
        identifier: identifier, actions: actions,
        minimal: names?.filter { name in actions.contains { $0.identifier.isName(name) } })
    }
  }

  convenience init(_ category: NotificationCategory) {
    var values = Values(identifier: category.identifier)
    let actions = category.actions.map { UIUserNotificationAction.Values($0) }
    values.actions[.default] = actions
    if let minimal = category.minimal {
      values.actions[.minimal] = minimal.compactMap { name in
        actions.first { $0.identifier.isName(name) }
      }
    }
    self.init(values)
  }
}

extension UIUserNotificationAction.Values {
  fileprivate func registrable(in category: String) throws(SchedulerError) -> NotificationAction {
    guard let identifier, !identifier.isEmpty else {
      throw SchedulerError(
        .missing, field: "categories", "an action of \(category) has no identifier")
    }
    return NotificationAction(
      identifier: identifier, title: title ?? "",
      activationMode: activationMode == .foreground ? .foreground : .background,
      isDestructive: isDestructive, isAuthenticationRequired: isAuthenticationRequired,
      behavior: behavior == .textInput ? .textInput : .default,
      buttonTitle: buttonTitle.flatMap { $0.isEmpty ? nil : $0 })
  }

  fileprivate init(_ action: NotificationAction) {
    self.init(
      identifier: action.identifier, title: action.title,
      activationMode: action.activationMode == .foreground ? .foreground : .background,
      behavior: action.behavior == .textInput ? .textInput : .default,
      isDestructive: action.isDestructive,
      isAuthenticationRequired: action.isAuthenticationRequired, buttonTitle: action.buttonTitle)
  }
}
