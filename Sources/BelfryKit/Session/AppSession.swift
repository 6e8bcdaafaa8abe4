import Dispatch
import Foundation

internal import BelfryCore
internal import BelfryWire

/// The app as the daemon sees it run: while a session is open, what the user does comes to its
/// delegate, and in the foreground what is due does too (D1 to D4).
///
/// The delegate is held strongly, until ``close()``. A session whose daemon restarts opens itself
/// again with the state that the app has by then.
///
/// ```swift
/// let session = AppSession(state: .foreground, delegate: Pills())
/// if let launch = try await session.open() {
///   print("started by a tap on", launch.notification.alertBody ?? "")  // D3: the launch option
/// }
/// // … the app goes to the back:
/// try await session.setState(.background)
/// ```
public final class AppSession: Sendable {
  public let scheduler: BlockingScheduler
  let delegate: any AppSessionDelegate
  /// Where the delegate is called.
  let queue: DispatchQueue
  /// Where states are sent, in order, so that the delegate waits for none.
  let calls = DispatchQueue(label: "io.belfry.session.calls")
  /// Where completions go: none waits for another's reply, or many that are due at once would not all
  /// be taken within their 2 s (D1).
  private let completions: Pipeline
  let register: SessionRegister

  /// `queue` is a serial queue for the delegate; nil: one of the session's own.
  public init(
    _ options: SchedulerOptions = SchedulerOptions(), state: AppState,
    delegate: any AppSessionDelegate, queue: DispatchQueue? = nil
  ) {
    scheduler = BlockingScheduler(options)
    completions = Pipeline(options)
    self.delegate = delegate
    self.queue = queue ?? DispatchQueue(label: "io.belfry.session")
    register = SessionRegister(state: state)
  }

  /// What the app says of itself.
  public var state: AppState { register.state }

  /// Opens the session; returns the notification whose default action started the app, if one did
  /// (D3). Call it once, at the start of the app: within 30 s of being launched.
  ///
  /// Throws where the daemon refuses, or is not there within the options' patience.
  public func open() async throws(SchedulerError) -> AppEvent? {
    let result: Result<AppEvent?, SchedulerError> = await withCheckedContinuation { continuation in
      calls.async {
        do throws(SchedulerError) {
          continuation.resume(returning: .success(try self.openAndWait()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }

  /// The same for a thread that may block.
  public func openAndWait() throws(SchedulerError) -> AppEvent? {
    let app = scheduler.app
    let register = register
    let subscription = try Subscription(scheduler.pool, "OpenSession") {
      ["app": .string(app), "state": .string(register.stateToOpenWith().rawValue)]
    }
    guard register.adopt(subscription) else {
      throw SchedulerError(.conflict, "the session has been opened before, or closed")
    }
    let reader = SessionReader(self, subscription)
    do throws(SchedulerError) {
      let launch = try reader.open()
      reader.start()
      return launch
    } catch {
      register.abandon()
      throw error
    }
  }

  /// Says that the app came to the front or went to the back; holds for what is due from then on.
  ///
  /// Where the daemon is away this is what the session will open with.
  public func setState(_ state: AppState) async throws(SchedulerError) {
    register.state = state
    let result: Result<Void, SchedulerError> = await withCheckedContinuation { continuation in
      calls.async {
        do throws(SchedulerError) {
          try self.sendState()
          continuation.resume(returning: .success(()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try result.get()
  }

  /// The same for a thread that may block.
  public func setStateAndWait(_ state: AppState) throws(SchedulerError) {
    register.state = state
    try sendState()
  }

  /// Tells the daemon the newest state, unless the session is being opened with it anyway.
  func sendState() throws(SchedulerError) {
    guard let (session, state) = register.stateToSend() else { return }
    let parameters: JSONObject = [
      "session": .integer(session), "state": .string(state.rawValue),
    ]
    do throws(SchedulerError) {
      _ = try scheduler.pool.call(
        "SetState", parameters, .harmless, by: scheduler.deadline())
    } catch {
      // It will be opened again, with this state.
      guard error.code != .unknownSession, error.code != .noDaemon else { return }
      throw error
    }
  }

  /// Tells the daemon that an event is taken, or dealt with; it hears of it at most once.
  func complete(_ event: Int64, of session: Int64) {
    let parameters: JSONObject = ["session": .integer(session), "event": .integer(event)]
    // A session that has ended needs none: what counts is told again to the next one.
    completions.post([Call("Complete", parameters)], .harmless, by: scheduler.deadline())
  }

  /// Ends the session: the app counts as not running. The delegate is called no more, but for what
  /// had begun.
  public func close() {
    register.close()?.end()
  }
}
