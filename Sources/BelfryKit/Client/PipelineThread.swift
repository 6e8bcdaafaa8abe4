internal import BelfryClient
internal import BelfrySystem
internal import BelfryWire

/// What a pipeline's thread does; everything here is that thread's own.
///
/// One list of jobs in the order in which they were submitted: the first `sent` of them are on the
/// connection and get their replies in that order, the rest wait for it. Where it breaks, what may be
/// asked again moves to the rest, and is still ahead of what came later.
final class PipelineThread {
  private let options: SchedulerOptions
  private let mailbox: Mailbox<PipelineMessage>
  private var sent: [PipelineJob] = []
  private var waiting: [PipelineJob] = []
  private var client: Client?
  private var pause: Int32 = 2
  private var isEnding = false
  /// More than so many do not wait for replies at once: the daemon would not read them.
  private static let inFlight = 192

  init(_ options: SchedulerOptions, _ mailbox: Mailbox<PipelineMessage>) {
    self.options = options
    self.mailbox = mailbox
  }

  func run() {
    while true {
      takeMessages()
      giveUpOverdue()
      if !waiting.isEmpty {
        if client == nil { connect() }
        send()
      }
      if isEnding, waiting.isEmpty, !sent.contains(where: { $0.completion != nil }) { return }
      if wait() { receive() }
    }
  }

  private func takeMessages() {
    for message in mailbox.drain() {
      switch message {
      case .job(let job): waiting.append(job)
      case .withdrawal(let number): withdraw(number)
      case .end: isEnding = true
      }
    }
  }

  private func withdraw(_ number: UInt64) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    var job = waiting.remove(at: index)
    let reason = "the task was cancelled"
    job.fail(
      job.isUnsure && job.retryPolicy != .reading
        ? .outcomeUnknown(reason) : SchedulerError(.cancelled, reason + " before the call was sent")
    )
  }

  // MARK: Time

  // Jobs come in the order of their deadlines, so looking at the first ones will do.

  private func giveUpOverdue() {
    while waiting.first?.deadline.hasPassed ?? false {
      var job = waiting.removeFirst()
      job.fail(.timedOut, mayHaveArrived: false)
    }
    guard let client else { return }
    var isHalfSent = false
    for index in sent.indices where sent[index].completion != nil {
      guard sent[index].deadline.hasPassed else { break }
      let hasLeft = sent[index].end <= client.sentBytes
      sent[index].fail(.timedOut, mayHaveArrived: hasLeft)
      isHalfSent = isHalfSent || !hasLeft
    }
    // What was given up must not leave later.
    if isHalfSent { disconnect() }
  }

  /// Milliseconds until somebody's time is over; nil: nobody waits.
  private var patience: Int32? {
    let first = sent.first { $0.completion != nil }
    guard let job = first ?? waiting.first else { return nil }
    return min(job.deadline.milliseconds, waiting.first?.deadline.milliseconds ?? .max)
  }

  /// Waits for something to do; true: the connection has something to say, or room.
  private func wait() -> Bool {
    var entries = [Poll.Entry(mailbox.descriptor, .readable)]
    var milliseconds = patience
    if let client {
      let wanted: Readiness = client.unsentBytes > 0 ? [.readable, .writable] : .readable
      entries.append(Poll.Entry(client.descriptor, wanted))
    } else if !waiting.isEmpty {
      milliseconds = min(milliseconds ?? .max, pause)
      pause = min(2 * pause, 100)
    }
    _ = try? Poll.wait(&entries, milliseconds: milliseconds)
    return entries.count > 1 && !entries[1].ready.isEmpty
  }

  // MARK: The connection

  private func connect() {
    do throws(ClientError) {
      // Where the daemon takes nobody in, others' time goes on.
      let longest = min(patience ?? 100, 100)
      client = try Client(path: options.socketPath, milliseconds: max(1, longest))
      pause = 2
      for index in waiting.indices { waiting[index].patience = nil }
    } catch {
      switch error {
      case .timedOut: return
      case .noDaemon: giveUpImpatient(error)
      default:
        for var job in waiting { job.fail(error, mayHaveArrived: false) }
        waiting = []
      }
    }
  }

  private func giveUpImpatient(_ error: ClientError) {
    for index in waiting.indices where waiting[index].patience == nil {
      waiting[index].patience = Deadline(in: options.patience)
    }
    waiting.removeAll { job in
      guard let patience = job.patience, patience.hasPassed else { return false }
      var job = job
      job.fail(error, mayHaveArrived: false)
      return true
    }
  }

  private func disconnect() {
    guard let client else { return }
    self.client = nil
    var again: [PipelineJob] = []
    for var job in sent where job.completion != nil {
      let hasLeft = job.end <= client.sentBytes
      guard !hasLeft || job.retryPolicy != .never else {
        job.fail(.disconnected, mayHaveArrived: true)
        continue
      }
      job.isUnsure = job.isUnsure || hasLeft
      (job.answered, job.replies, job.refusal) = (0, [], nil)
      again.append(job)
    }
    sent = []
    waiting.insert(contentsOf: again, at: 0)
  }

  private func send() {
    guard let client else { return }
    var count = 0
    while count < waiting.count, sent.count < Self.inFlight, client.unsentBytes < 1 << 18 {
      var job = waiting[count]
      for call in job.calls {
        job.end = client.enqueue(call.method, call.parameters, more: call.more)
      }
      sent.append(job)
      count += 1
    }
    waiting.removeFirst(count)
    client.flush()
  }

  // MARK: Replies

  private func receive() {
    guard let client else { return }
    client.flush()
    while true {
      do throws(ClientError) {
        guard let reply = try client.receive(milliseconds: 0) else { return }
        take(reply)
      } catch {
        switch error {
        case .refused, .failed: refuse(error)
        default:
          // Whatever it was, what follows would be about something else.
          if error != .disconnected, !sent.isEmpty {
            sent[0].fail(error, mayHaveArrived: true)
          }
          return disconnect()
        }
      }
      // A reply that nobody has asked for.
      if self.client == nil { return }
    }
  }

  private func take(_ reply: Client.Reply) {
    guard !sent.isEmpty else { return disconnect() }
    let isLast = sent[0].answered == sent[0].calls.count - 1
    if isLast, sent[0].completion != nil { sent[0].replies.append(reply.parameters) }
    if !reply.continues { finishCall() }
  }

  private func refuse(_ error: ClientError) {
    guard !sent.isEmpty else { return disconnect() }
    let first = sent[0].calls[sent[0].answered].first
    if sent[0].refusal == nil { sent[0].refusal = error.counting(from: first) }
    finishCall()
  }

  private func finishCall() {
    sent[0].answered += 1
    guard sent[0].answered == sent[0].calls.count else { return }
    var job = sent.removeFirst()
    if let refusal = job.refusal {
      job.fail(SchedulerError(refusal))
    } else {
      job.succeed()
    }
  }
}
