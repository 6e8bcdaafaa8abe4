extension Notification {
  /// About how many bytes it takes in memory: what may wait is bounded by it (A2).
  public var weight: Int {
    @export(interface) get {
      let texts = [alertBody, alertTitle, alertSubtitle, alertAction, push]
      let sum = texts.reduce(512) { $0 + ($1?.utf8.count ?? 0) }
      return userInfo.reduce(sum) { $0 + $1.key.utf8.count + $1.value.weight }
    }
  }
}

extension PropertyList {
  /// A list of small values takes several times its text.
  fileprivate var weight: Int {
    switch self {
    case .string(let text): 48 + text.utf8.count
    case .data(let bytes): 48 + bytes.count
    case .array(let list): list.reduce(48) { $0 + $1.weight }
    case .dictionary(let members):
      members.reduce(48) { $0 + 32 + $1.key.utf8.count + $1.value.weight }
    case .integer, .double, .boolean, .date: 48
    }
  }
}
