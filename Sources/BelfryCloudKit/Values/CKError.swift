// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import BelfryKit
import Foundation

/// The domain of CloudKit's errors.
public let CKErrorDomain = "CKErrorDomain"
/// In `userInfo`: how many seconds to wait before asking again.
public let CKErrorRetryAfterKey = "CKRetryAfter"
/// In `userInfo`: what became of each item that failed, by its id.
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"

/// Why an operation came to nothing, or not to all that was asked.
///
/// ```swift
/// if let error = error as? CKError, error.code == .changeTokenExpired {
///   fetchChanges(since: nil)
/// }
/// ```
public struct CKError: Error, Hashable, Sendable {
  /// CloudKit's codes; those that arise here have a comment.
  public enum Code: Int, Sendable {
    /// The daemon's reply cannot be read.
    case internalError = 1
    /// Some of the ids were not in the inbox; `partialErrorsByItemID` says which.
    case partialFailure
    case networkUnavailable
    /// No reply in time.
    case networkFailure
    /// The daemon refuses the container's name.
    case badContainer
    /// No daemon answers, or its store cannot be written: ask again after `retryAfterSeconds`.
    case serviceUnavailable
    /// Too many requests a second: ask again after `retryAfterSeconds`.
    case requestRateLimited
    case missingEntitlement, notAuthenticated
    /// The app belongs to another user (A1).
    case permissionFailure
    /// An id that is not in the inbox.
    case unknownItem
    /// Something else that the daemon refuses; `localizedDescription` names it.
    case invalidArguments
    case resultsTruncated, serverRecordChanged, serverRejectedRequest, assetFileNotFound
    case assetFileModified
    /// This daemon has no inboxes.
    case incompatibleVersion
    case constraintViolation
    /// The operation was cancelled.
    case operationCancelled
    /// The token is too old, or of another inbox: fetch again without one (P7).
    case changeTokenExpired
    case batchRequestFailed, zoneBusy, badDatabase, quotaExceeded, zoneNotFound
    /// The app has as many containers as it may.
    case limitExceeded
    case userDeletedZone, tooManyParticipants, alreadyShared, referenceViolation
    case managedAccountRestricted, participantMayNeedVerification
    /// The reply was lost: it was done once, or not at all.
    case serverResponseLost
    case assetNotAvailable, accountTemporarilyUnavailable
  }

  public let code: Code
  /// What the daemon said; its field is the path of what it refused.
  public let reason: SchedulerError
  /// Seconds after which asking again may help; nil: it will not.
  public let retryAfterSeconds: Double?
  let unknown: [CKNotificationID]

  init(
    _ code: Code, _ reason: SchedulerError, retryAfter: Double? = nil,
    unknown: [CKNotificationID] = []
  ) {
    self.code = code
    self.reason = reason
    retryAfterSeconds = retryAfter
    self.unknown = unknown
  }

  /// Of `partialFailure`: why, by `CKNotificationID`.
  public var partialErrorsByItemID: [AnyHashable: any Error]? {
    guard code == .partialFailure else { return nil }
    let error = CKError(
      .unknownItem, SchedulerError(.notFound, field: "ids", "it is not in the inbox"))
    return Dictionary(unknown.map { (AnyHashable($0), error) }, uniquingKeysWith: { $1 })
  }

  /// What an `NSError` made of it has.
  public var userInfo: [String: Any] { errorUserInfo }
}

extension CKError: CustomNSError, LocalizedError, CustomStringConvertible {
  public static var errorDomain: String { CKErrorDomain }
  public var errorCode: Int { code.rawValue }

  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: reason.description, NSUnderlyingErrorKey: reason,
    ]
    info[CKErrorRetryAfterKey] = retryAfterSeconds
    info[CKPartialErrorsByItemIDKey] = partialErrorsByItemID
    return info
  }

  public var errorDescription: String? { reason.description }
  public var description: String { "CKError.\(code) (\(code.rawValue)): \(reason)" }
}

/// Codes by their short names, and as patterns: `catch CKError.changeTokenExpired`.
extension CKError {
  public static var internalError: Code { .internalError }
  public static var partialFailure: Code { .partialFailure }
  public static var networkUnavailable: Code { .networkUnavailable }
  public static var networkFailure: Code { .networkFailure }
  public static var badContainer: Code { .badContainer }
  public static var serviceUnavailable: Code { .serviceUnavailable }
  public static var requestRateLimited: Code { .requestRateLimited }
  public static var notAuthenticated: Code { .notAuthenticated }
  public static var permissionFailure: Code { .permissionFailure }
  public static var unknownItem: Code { .unknownItem }
  public static var invalidArguments: Code { .invalidArguments }
  public static var incompatibleVersion: Code { .incompatibleVersion }
  public static var operationCancelled: Code { .operationCancelled }
  public static var changeTokenExpired: Code { .changeTokenExpired }
  public static var limitExceeded: Code { .limitExceeded }
  public static var serverResponseLost: Code { .serverResponseLost }
}

extension CKError.Code {
  public static func ~= (code: CKError.Code, error: any Error) -> Bool {
    (error as? CKError)?.code == code
  }
}

extension CKError {
  /// What the daemon, or the way to it, came to.
  init(_ error: SchedulerError) {
    switch error.code {
    case .tokenExpired, .tokenForeign: self.init(.changeTokenExpired, error)
    case .noDaemon, .unreachable, .booksUnavailable:
      self.init(.serviceUnavailable, error, retryAfter: 5)
    case .limitReached where error.field == "requestsPerSecond":
      self.init(.requestRateLimited, error, retryAfter: 1)
    case .limitReached: self.init(.limitExceeded, error)
    case .notPermitted, .notOwner: self.init(.permissionFailure, error)
    case .timedOut: self.init(.networkFailure, error)
    case .outcomeUnknown: self.init(.serverResponseLost, error)
    case .unreadableReply: self.init(.internalError, error)
    case .notInThisBuild: self.init(.incompatibleVersion, error)
    case .cancelled: self.init(.operationCancelled, error)
    default: self.init(error.field == "container" ? .badContainer : .invalidArguments, error)
    }
  }

  /// Some ids were not in the inbox.
  static func partial(_ unknown: [CKNotificationID]) -> CKError {
    let reason = SchedulerError(
      .notFound, field: "ids", "\(unknown.count) of them are not in the inbox")
    return CKError(.partialFailure, reason, unknown: unknown)
  }

  static var cancelled: CKError {
    CKError(.operationCancelled, SchedulerError(.cancelled, "the operation was cancelled"))
  }
}
