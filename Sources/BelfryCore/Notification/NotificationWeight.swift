extension Notification {
  /// About how many bytes it takes in memory: what a user may have waiting is bounded by it (A2).
  ///
  /// A list of small values takes several times its text.
  public var weight: Int {
    let texts = [alertBody, alertTitle, alertSubtitle, alertAction, push]
    var sum = texts.reduce(512) { $0 + ($1?.utf8.count ?? 0) }
    if !userInfo.isEmpty { sum += 8 * PropertyList.dictionary(userInfo).encodedSize }
    return sum
  }
}
