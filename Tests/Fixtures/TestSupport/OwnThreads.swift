import Foundation
import Testing

/// Runs a suite's tests on threads of their own, a few at a time: they wait for daemons or players, and
/// what waits on a thread of Swift's pool holds up every other test there is.
public struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  public let isRecursive = true
  private static let turnstile = Turnstile(width: 4)
  /// For tasks that a test starts itself, which do not inherit where it runs.
  public static let executor: any TaskExecutor = ThreadEach()

  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.executor) {
      await Self.turnstile.enter()
      defer { Self.turnstile.leave() }
      try await function()
    }
  }
}

extension Trait where Self == OwnThreads {
  public static var ownThreads: Self { OwnThreads() }
}

/// A thread for every piece of work.
private final class ThreadEach: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Lets so many in at once. No actor: whoever enters one stands in the pool's line, behind all tests that
/// have not run.
private final class Turnstile: @unchecked Sendable {
  private let lock = NSLock()
  private var room: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) {
    room = width
  }

  func enter() async {
    await withCheckedContinuation { mine in
      let isIn = lock.withLock {
        if room == 0 {
          waiting.append(mine)
          return false
        }
        room -= 1
        return true
      }
      if isIn { mine.resume() }
    }
  }

  func leave() {
    let next: CheckedContinuation<Void, Never>? = lock.withLock {
      if !waiting.isEmpty { return waiting.removeFirst() }
      room += 1
      return nil
    }
    next?.resume()
  }
}
