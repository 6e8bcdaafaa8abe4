import CLinux

/// A lock whose holder inherits the priority of who waits for it (PTHREAD_PRIO_INHERIT).
public final class Mutex: @unchecked Sendable {
  private let handle: OpaquePointer

  /// Traps when there is no memory for a lock, as every allocation of Swift's does.
  public init() {
    guard let handle = clinux_mutex_make() else { fatalError("out of memory") }
    self.handle = handle
  }

  deinit {
    clinux_mutex_free(handle)
  }

  /// Runs `body` while this thread alone holds the lock. Not recursive.
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    clinux_mutex_lock(handle)
    defer { clinux_mutex_unlock(handle) }
    return try body()
  }
}
