import Foundation

/// Why a call came to nothing: what kind of reason, which field is meant, and one sentence.
public struct SchedulerError: Error, Hashable, Sendable {
  public enum Code: String, CaseIterable, Sendable {
    // Of a field.
    case missing, unknown, wrongType, outOfRange, tooLong, malformed, conflict
    /// This daemon cannot do what the field, or the call, asks.
    case notInThisBuild
    // Of a request.
    case notPermitted
    /// The app belongs to another user.
    case notOwner
    case notFound, unknownSink
    /// The session ended, or never was.
    case unknownSession
    /// A limit is reached (N17, A2); nothing was stored.
    case limitReached
    /// The store cannot be written; nothing was stored.
    case booksUnavailable
    /// What came after a token is partly gone: fetch all, without one (P7).
    case tokenExpired
    /// An inbox never gave this token (P7).
    case tokenForeign
    // Of the connection.
    /// Nobody answers at the socket; nothing was done.
    case noDaemon
    /// The socket cannot be reached for another reason; nothing was done.
    case unreachable
    /// No reply in time to a call that may be made again: it was never sent, changes nothing, or
    /// changes nothing more the second time.
    case timedOut
    /// The connection broke, or no reply came in time, behind a call that could not be repeated
    /// without the danger of doing it twice: it was done once or not at all.
    case outcomeUnknown
    /// A reply that is none, or that lacks a field.
    case unreadableReply
    /// The task was cancelled before the call was sent.
    case cancelled
  }

  public var code: Code
  /// The path of the field as the caller wrote it, such as `userInfo.rooms[3]`; nil: it is about
  /// none.
  public var field: String?
  /// One sentence without a full stop, for the author of the call.
  public var reason: String

  public init(_ code: Code, field: String? = nil, _ reason: String) {
    self.code = code
    self.field = field
    self.reason = reason
  }
}

extension SchedulerError: CustomStringConvertible, LocalizedError {
  /// Field and reason, on one line.
  public var description: String {
    field.map { $0.isEmpty ? reason : "\($0): \(reason)" } ?? reason
  }

  public var errorDescription: String? { description }
}

extension SchedulerError {
  /// What a program exits with that ends for this, as `belfry` does: 3 where the daemon is not there or
  /// does not answer, else 1.
  ///
  /// ```swift
  /// do {
  ///   try BlockingScheduler().schedule(alarm)
  /// } catch {
  ///   FileHandle.standardError.write(Data("alarm: \(error)\n".utf8))
  ///   exit(error.exitStatus)
  /// }
  /// ```
  public var exitStatus: Int32 {
    switch code {
    case .noDaemon, .unreachable, .timedOut, .outcomeUnknown: 3
    default: 1
    }
  }
}
