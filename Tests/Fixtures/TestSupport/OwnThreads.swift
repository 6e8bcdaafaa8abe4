import Foundation
import Testing

/// Runs a suite's tests on threads of their own, a few at a time: they wait for daemons, and what
/// waits on a thread of Swift's pool holds up every other test there is.
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
    await Self.turnstile.enter()
    let result: Result<Void, any Error>
    do {
      try await withTaskExecutorPreference(Self.executor) { try await function() }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await Self.turnstile.leave()
    try result.get()
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

/// Lets so many in at once.
private actor Turnstile {
  private var room: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) {
    room = width
  }

  func enter() async {
    if room > 0 {
      room -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func leave() {
    if waiting.isEmpty { room += 1 } else { waiting.removeFirst().resume() }
  }
}
