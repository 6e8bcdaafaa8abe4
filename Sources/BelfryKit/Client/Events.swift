import Dispatch
import Foundation

internal import BelfryClient
internal import BelfryCore
internal import BelfryWire

/// What happens to the app's notifications, as it happens (D10).
///
/// Each loop over it has a connection of its own, read only as fast as the loop goes; the daemon
/// disconnects who falls too far behind. Leaving the loop or cancelling its task ends it.
public struct Events: AsyncSequence, Sendable {
  public typealias Element = SchedulerEvent
  public typealias Failure = SchedulerError

  let pool: ConnectionPool
  let app: String

  public func makeAsyncIterator() -> Iterator {
    Iterator(pool: pool, app: app)
  }

  public struct Iterator: AsyncIteratorProtocol {
    private let reader: EventReader

    init(pool: ConnectionPool, app: String) {
      reader = EventReader(pool, app)
    }

    /// nil: the task was cancelled. Throws where the daemon refuses, or is away for longer than the
    /// options' patience.
    public func next() async throws(SchedulerError) -> SchedulerEvent? {
      try await reader.next()
    }

    public func next(
      isolation actor: isolated (any Actor)?
    ) async throws(SchedulerError) -> SchedulerEvent? {
      try await reader.next()
    }
  }
}

/// One loop's connection; gone with its last reference.
private final class EventReader: Sendable {
  private let queue = DispatchQueue(label: "io.belfry.events")
  private let app: String
  private let subscription: Result<Subscription, SchedulerError>

  init(_ pool: ConnectionPool, _ app: String) {
    self.app = app
    do throws(SchedulerError) {
      subscription = .success(try Subscription(pool, "Watch") { ["app": .string(app)] })
    } catch {
      subscription = .failure(error)
    }
  }

  func next() async throws(SchedulerError) -> SchedulerEvent? {
    let subscription = try subscription.get()
    return try await withTaskCancellationHandler {
      let result: Result<SchedulerEvent?, SchedulerError> = await withCheckedContinuation {
        continuation in
        queue.async { [app] in
          do throws(SchedulerError) {
            continuation.resume(returning: .success(try Self.next(subscription, app)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
      return result
    } onCancel: {
      subscription.end()
    }.get()
  }

  private static func next(
    _ subscription: Subscription, _ app: String
  ) throws(SchedulerError) -> SchedulerEvent? {
    while let message = try subscription.next() {
      switch message {
      case .began(_, again: false): continue
      case .began(_, again: true): return .reconnected(app: app)
      case .reply(let parameters):
        do throws(ClientError) {
          if let found = try Client.event(parameters), let event = SchedulerEvent(found) {
            return event
          }
        } catch {
          throw SchedulerError(error)
        }
      }
    }
    return nil
  }
}

extension Scheduler {
  /// What happens to the app's notifications from now on (D10).
  ///
  /// ```swift
  /// for try await event in Scheduler().events() where event.kind == .delivered {
  ///   print(event.identifier, "at", event.sink ?? "")
  /// }
  /// ```
  public func events() -> Events {
    Events(pool: blocking.pool, app: app)
  }
}
