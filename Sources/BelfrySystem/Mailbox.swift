import CLinux

/// The one door between threads: a queue with a bell that rings once a burst.
public final class Mailbox<Message: Sendable>: @unchecked Sendable {
  private let mutex = Mutex()
  private let bell: EventDescriptor
  private var queue: [Message] = []
  /// The bell has been rung, or is about to be, for what is in the queue.
  private var rung = false

  public init() throws(SystemError) {
    bell = try EventDescriptor()
  }

  /// Readable while something waits: for an epoll or a poll.
  public var descriptor: Int32 { bell.descriptor.raw }

  /// Puts a message in; from any thread, never waits for the reader.
  public func send(_ message: Message) {
    let first = mutex.withLock {
      queue.append(message)
      let first = !rung
      rung = true
      return first
    }
    if first { bell.ring() }
  }

  /// Takes everything out, in order; empty when there is nothing. One reader at a time.
  public func drain() -> [Message] {
    bell.clear()
    return mutex.withLock {
      var taken: [Message] = []
      swap(&taken, &queue)
      rung = false
      return taken
    }
  }

  /// Waits until something is there and takes everything out, for a thread that serves only this.
  public func wait() -> [Message] {
    while true {
      let taken = drain()
      if !taken.isEmpty { return taken }
      _ = Poll.wait(descriptor, .readable)
    }
  }

  /// How many messages wait.
  public var count: Int {
    mutex.withLock { queue.count }
  }
}
