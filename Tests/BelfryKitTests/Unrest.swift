import BelfryKit
import BelfrySystem
import Foundation
import TestSupport
import Testing

/// Kills the daemon and starts it again, over and over, while somebody calls it.
final class Unrest: @unchecked Sendable {
  /// Let go before this thread's end is told, so that it ends with its test.
  private var daemon: RunningDaemon?
  private let lock = Mutex()
  private var isOver = false
  private var isCalling = false
  private var kills = 0
  private var killsInCalls = 0
  /// Lives since a call succeeded last.
  private var fruitlessLives: UInt32 = 0
  private var failure: (any Error)?
  private let ended = DispatchSemaphore(value: 0)
  let seed: UInt64

  init(_ daemon: RunningDaemon) {
    self.daemon = daemon
    seed = TestSeed.here()
    Foundation.Thread.detachNewThread {
      self.run()
      self.ended.signal()
    }
  }

  private func run() {
    guard let daemon else { return }
    harass(daemon)
    self.daemon = nil
  }

  private func harass(_ daemon: RunningDaemon) {
    var generator = SplitMix(state: seed)
    while !lock.withLock({ isOver }) {
      // A busy machine may be too slow for any call to succeed in so short a life.
      let longestLife: UInt32 = 8_000 << lock.withLock { min(fruitlessLives, 7) }
      usleep(UInt32.random(in: 0..<longestLife, using: &generator))
      // Where judging takes longer than calling, few kills would meet a call by luck.
      if Bool.random(using: &generator) { awaitCall(for: 1_000) }
      lock.withLock {
        kills += 1
        fruitlessLives += 1
        if isCalling { killsInCalls += 1 }
      }
      daemon.kill()
      usleep(UInt32.random(in: 0..<8_000, using: &generator))
      do {
        try daemon.start()
        // What it answers first it answers only once it is up.
        _ = try BlockingScheduler(daemon.options()).scheduled()
      } catch {
        lock.withLock { failure = error }
      }
    }
  }

  /// Returns once somebody is in a call, at the latest after `milliseconds`.
  private func awaitCall(for milliseconds: Int) {
    for _ in 0..<milliseconds * 20 {
      if lock.withLock({ isCalling || isOver }) { return }
      usleep(50)
    }
  }

  /// Calls `body` with 0, 1, 2, … until the daemon was killed so many times (at most BELFRY_KILLS), a
  /// third of them in a call, and a call succeeded: one whose answer `isSuccess`. The outcome of each
  /// goes to `judge`, which is not disturbed.
  func harass<T>(
    kills most: Int = 40, _ body: (Int) throws(SchedulerError) -> T,
    isSuccess: (T) -> Bool = { _ in true },
    judge: (Int, Result<T, SchedulerError>) throws -> Void
  ) throws {
    let limit = ProcessInfo.processInfo.environment["BELFRY_KILLS"].flatMap { Int($0) } ?? most
    let wanted = min(most, limit)
    var number = 0
    var counts = (kills: 0, inCalls: 0)
    var hasSucceeded = false
    let goesOn = {
      counts = (self.kills, self.killsInCalls)
      let isDone = counts.kills >= wanted && counts.inCalls * 3 >= counts.kills && hasSucceeded
      return !isDone && counts.kills < wanted * 5 && self.failure == nil
    }
    while lock.withLock(goesOn) {
      let start = SystemClock.elapsed()
      lock.withLock { isCalling = true }
      let result = Result { () throws(SchedulerError) in try body(number) }
      lock.withLock { isCalling = false }
      let seconds = Double(SystemClock.elapsed() - start) / 1e9
      #expect(seconds < 25, "call \(number) took \(seconds) s, seed \(seed)")
      if case .success(let answer) = result, isSuccess(answer) {
        hasSucceeded = true
        lock.withLock { fruitlessLives = 0 }
      }
      try judge(number, result)
      number += 1
    }
    stop()
    #expect(lock.withLock { failure } == nil, "seed \(seed)")
    #expect(hasSucceeded, "none of \(number) calls succeeded, seed \(seed)")
    #expect(
      counts.inCalls * 3 >= counts.kills,
      "\(counts.inCalls) of \(counts.kills) kills met a call, seed \(seed)")
  }

  private func stop() {
    lock.withLock { isOver = true }
    ended.wait()
  }
}

/// Random numbers from a seed (Steele and others, 2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
