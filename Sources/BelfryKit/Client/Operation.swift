internal import BelfryClient
internal import BelfryWire

/// What is asked of the daemon, and what its answer means; `BlockingScheduler` and `Scheduler` each
/// have a way of asking.
struct Operation<Value: Sendable>: Sendable {
  /// Calls that follow each other on one connection, without another's between them.
  var calls: [Call]
  var retryPolicy: RetryPolicy
  /// Reads the replies to the last call.
  var read: @Sendable ([JSONObject]) throws(SchedulerError) -> Value

  init(
    _ calls: [Call], _ retryPolicy: RetryPolicy,
    read: @escaping @Sendable ([JSONObject]) throws(SchedulerError) -> Value
  ) {
    self.calls = calls
    self.retryPolicy = retryPolicy
    self.read = read
  }

  /// One call with one reply.
  init(
    _ method: String, _ parameters: JSONObject, _ retryPolicy: RetryPolicy,
    read: @escaping @Sendable (JSONObject) throws(SchedulerError) -> Value
  ) {
    self.init([Call(method, parameters)], retryPolicy) { replies throws(SchedulerError) in
      try read(replies.last ?? [:])
    }
  }
}

/// One message to the daemon.
struct Call: Sendable {
  var method: String
  var parameters: JSONObject
  /// Asks for one reply a row.
  var more = false
  /// Of a list that comes in parts: the index of this part's first element.
  var first = 0

  init(_ method: String, _ parameters: JSONObject, more: Bool = false, first: Int = 0) {
    self.method = method
    self.parameters = parameters
    self.more = more
    self.first = first
  }
}

/// What may be done where a call was sent and its reply is lost.
enum RetryPolicy: Sendable {
  /// Ask again: it changes nothing.
  case reading
  /// Ask again: the second time changes nothing more.
  case harmless
  /// Say that the outcome is unknown: a second time could do it twice.
  case never
}

extension ClientError {
  /// This error of a part, its index as the whole list counts.
  func counting(from first: Int) -> ClientError {
    let list = "notifications["
    guard first > 0, case .refused(.invalidField(var field)) = self, field.field.hasPrefix(list),
      let end = field.field.firstIndex(of: "]"),
      let index = Int(field.field[..<end].dropFirst(list.utf8.count))
    else { return self }
    field.field = "\(list)\(first + index)\(field.field[end...])"
    return .refused(.invalidField(field))
  }
}
