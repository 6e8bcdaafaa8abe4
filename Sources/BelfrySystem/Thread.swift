import CLinux

/// A running thread of a small stack.
public final class Thread: @unchecked Sendable {
  private let handle: UInt
  private var joined = false

  private init(handle: UInt) {
    self.handle = handle
  }

  /// Runs `body` on a new thread. `name` shows in ps(1), cut to 15 bytes; `stackSize` is in bytes.
  ///
  /// Call `join` before the last reference goes; a thread never joined keeps its stack.
  public static func start(
    name: String, stackSize: Int, body: @escaping @Sendable () -> Void
  ) throws(SystemError) -> Thread {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    var handle: UInt = 0
    let result = clinux_thread_start(name, stackSize, runThread, context, &handle)
    if result < 0 {
      Unmanaged<ThreadBody>.fromOpaque(context).release()
    }
    try check(result, "pthread_create")
    return Thread(handle: handle)
  }

  /// Waits until the body has returned; a second call does nothing.
  public func join() {
    if joined { return }
    joined = true
    _ = clinux_thread_join(handle)
  }
}

private final class ThreadBody {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

private func runThread(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().body()
}
