import Foundation

internal import BelfryClient
internal import BelfrySystem
internal import BelfryWire

/// Carries many operations at once over one connection, on a thread of its own; for any thread.
///
/// What is submitted goes out at once, in that order, however much waits for replies: so whoever
/// awaits holds no thread, and the daemon stores together what came together. The connection is made
/// at the first operation, and anew when the daemon has restarted; the thread ends with the last
/// reference.
final class Pipeline: @unchecked Sendable {
  private let options: SchedulerOptions
  private let lock = Mutex()
  private var mailbox: Mailbox<PipelineMessage>?
  private var last: UInt64 = 0

  init(_ options: SchedulerOptions) {
    self.options = options
  }

  deinit {
    mailbox?.send(.end)
  }

  /// Makes calls one after the other and answers the replies to the last; a task that is cancelled
  /// takes them back if they have not been sent.
  func exchange(
    _ calls: [Call], _ retryPolicy: RetryPolicy, by deadline: Deadline
  ) async throws(SchedulerError) -> [JSONObject] {
    let number = nextNumber()
    let result: Result<[JSONObject], SchedulerError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        submit(
          PipelineJob(
            number: number, calls: calls, retryPolicy: retryPolicy, deadline: deadline,
            completion: { continuation.resume(returning: $0) }))
      }
    } onCancel: {
      withdraw(number)
    }
    return try result.get()
  }

  /// Makes calls whose replies nobody waits for.
  func post(_ calls: [Call], _ retryPolicy: RetryPolicy, by deadline: Deadline) {
    submit(
      PipelineJob(
        number: nextNumber(), calls: calls, retryPolicy: retryPolicy, deadline: deadline,
        completion: { _ in }))
  }

  private func nextNumber() -> UInt64 {
    lock.withLock {
      last += 1
      return last
    }
  }

  /// Its completion is called once, on the pipeline's thread.
  private func submit(_ job: PipelineJob) {
    lock.withLock {
      do throws(SystemError) {
        try opened().send(.job(job))
      } catch {
        var job = job
        job.fail(SchedulerError(.unreachable, error.text))
      }
    }
  }

  /// Takes an operation back that has not been sent; does nothing where it has.
  func withdraw(_ number: UInt64) {
    lock.withLock { mailbox }?.send(.withdrawal(number))
  }

  /// Starts the thread where there is none yet.
  private func opened() throws(SystemError) -> Mailbox<PipelineMessage> {
    if let mailbox { return mailbox }
    let new = try Mailbox<PipelineMessage>()
    mailbox = new
    let thread = Foundation.Thread { [options] in PipelineThread(options, new).run() }
    thread.name = "belfry-calls"
    thread.start()
    return new
  }
}

/// What a pipeline's thread is told.
enum PipelineMessage: Sendable {
  case job(PipelineJob)
  case withdrawal(UInt64)
  /// Nobody submits any more; what was submitted is still carried out.
  case end
}

/// An operation under way.
struct PipelineJob: Sendable {
  typealias Completion = @Sendable (Result<[JSONObject], SchedulerError>) -> Void

  let number: UInt64
  let calls: [Call]
  let retryPolicy: RetryPolicy
  let deadline: Deadline
  /// nil: it has been called; replies that come yet go nowhere.
  var completion: Completion?
  /// By when there must be a daemon to connect to; nil: there is one, or nobody has looked.
  var patience: Deadline?
  /// Whether an earlier try may have done it.
  var isUnsure = false
  /// Where its last call ends on the connection.
  var end: Int64 = 0
  /// Which call's replies come, and those to the last one.
  var answered = 0
  var replies: [JSONObject] = []
  /// The first of its calls that was refused.
  var refusal: ClientError?

  init(
    number: UInt64, calls: [Call], retryPolicy: RetryPolicy, deadline: Deadline,
    completion: @escaping Completion
  ) {
    self.number = number
    self.calls = calls
    self.retryPolicy = retryPolicy
    self.deadline = deadline
    self.completion = completion
  }

  mutating func succeed() {
    completion?(.success(replies))
    completion = nil
  }

  mutating func fail(_ error: SchedulerError) {
    completion?(.failure(error))
    completion = nil
  }

  /// It came to nothing, or to nobody knows what, for this reason.
  mutating func fail(_ error: ClientError, mayHaveArrived: Bool) {
    let isInDoubt =
      retryPolicy == .never && mayHaveArrived || isUnsure && retryPolicy != .reading
    fail(isInDoubt ? .outcomeUnknown(error.text) : SchedulerError(error))
  }
}
