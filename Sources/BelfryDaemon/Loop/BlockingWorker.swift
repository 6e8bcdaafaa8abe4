import BelfrySystem

/// The helper thread: what may wait for a card or a kernel is done here, so that the clock never
/// does.
public final class BlockingWorker: @unchecked Sendable {
  private enum Job: Sendable {
    case work(@Sendable () -> Void)
    case stop
  }

  private let mailbox: Mailbox<Job>
  private var thread: Thread?

  public init() throws(SystemError) {
    mailbox = try Mailbox()
  }

  public func start(name: String = "helper", stackSize: Int = 128 * 1024) throws(SystemError) {
    thread = try Thread.start(name: name, stackSize: stackSize) { self.serve() }
  }

  /// One that runs.
  static func started(name: String, stackSize: Int) throws(SystemError) -> BlockingWorker {
    let blockingWorker = try BlockingWorker()
    try blockingWorker.start(name: name, stackSize: stackSize)
    return blockingWorker
  }

  /// Queues work; answers come back by a mailbox of the asker's. From any thread.
  public func run(_ work: @escaping @Sendable () -> Void) {
    mailbox.send(.work(work))
  }

  /// Ends the thread after what is queued; nobody waits for that.
  public func stop() {
    mailbox.send(.stop)
  }

  private func serve() {
    while true {
      for job in mailbox.wait() {
        switch job {
        case .work(let work): work()
        case .stop: return
        }
      }
    }
  }
}
