// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are not ours to choose.
import Foundation

@available(*, deprecated, renamed: "CKNotification.NotificationType")
public typealias CKNotificationType = CKNotification.NotificationType

extension CKNotification.NotificationType {
  @available(*, deprecated, renamed: "query")
  public static var Query: Self { .query }
  @available(*, deprecated, renamed: "recordZone")
  public static var RecordZone: Self { .recordZone }
  @available(*, deprecated, renamed: "readNotification")
  public static var ReadNotification: Self { .readNotification }
  @available(*, deprecated, renamed: "database")
  public static var Database: Self { .database }
}

@available(*, deprecated, renamed: "CKQueryNotification.Reason")
public typealias CKQueryNotificationReason = CKQueryNotification.Reason

extension CKQueryNotification.Reason {
  @available(*, deprecated, renamed: "recordCreated")
  public static var RecordCreated: Self { .recordCreated }
  @available(*, deprecated, renamed: "recordUpdated")
  public static var RecordUpdated: Self { .recordUpdated }
  @available(*, deprecated, renamed: "recordDeleted")
  public static var RecordDeleted: Self { .recordDeleted }
}

@available(*, deprecated, renamed: "CKDatabase.Scope")
public typealias CKDatabaseScope = CKDatabase.Scope

@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName = CKCurrentUserDefaultName

extension CKContainer {
  @available(*, deprecated, renamed: "default()")
  public class func defaultContainer() -> CKContainer { .default() }

  @available(*, deprecated, renamed: "add(_:)")
  public func addOperation(_ operation: CKOperation) { add(operation) }
}

@available(*, deprecated, renamed: "CKError.Code")
public typealias CKErrorCode = CKError.Code

extension CKError.Code {
  @available(*, deprecated, renamed: "internalError")
  public static var InternalError: Self { .internalError }
  @available(*, deprecated, renamed: "partialFailure")
  public static var PartialFailure: Self { .partialFailure }
  @available(*, deprecated, renamed: "networkUnavailable")
  public static var NetworkUnavailable: Self { .networkUnavailable }
  @available(*, deprecated, renamed: "networkFailure")
  public static var NetworkFailure: Self { .networkFailure }
  @available(*, deprecated, renamed: "badContainer")
  public static var BadContainer: Self { .badContainer }
  @available(*, deprecated, renamed: "serviceUnavailable")
  public static var ServiceUnavailable: Self { .serviceUnavailable }
  @available(*, deprecated, renamed: "requestRateLimited")
  public static var RequestRateLimited: Self { .requestRateLimited }
  @available(*, deprecated, renamed: "notAuthenticated")
  public static var NotAuthenticated: Self { .notAuthenticated }
  @available(*, deprecated, renamed: "permissionFailure")
  public static var PermissionFailure: Self { .permissionFailure }
  @available(*, deprecated, renamed: "unknownItem")
  public static var UnknownItem: Self { .unknownItem }
  @available(*, deprecated, renamed: "invalidArguments")
  public static var InvalidArguments: Self { .invalidArguments }
  @available(*, deprecated, renamed: "operationCancelled")
  public static var OperationCancelled: Self { .operationCancelled }
  @available(*, deprecated, renamed: "changeTokenExpired")
  public static var ChangeTokenExpired: Self { .changeTokenExpired }
  @available(*, deprecated, renamed: "limitExceeded")
  public static var LimitExceeded: Self { .limitExceeded }
}

@available(*, deprecated, renamed: "OperationQueue")
public typealias NSOperationQueue = OperationQueue

@available(*, deprecated, renamed: "Operation")
public typealias NSOperation = Operation

/// Carries the completion block whose error was an `NSError`.
public protocol CKFetchNotificationChangesOperationSwift2: AnyObject {}

extension CKFetchNotificationChangesOperationSwift2
where Self: CKFetchNotificationChangesOperation {
  @available(*, deprecated, message: "the error is an Error: a CKError")
  @_disfavoredOverload @preconcurrency public var fetchNotificationChangesCompletionBlock:
    (@Sendable (CKServerChangeToken?, NSError?) -> Void)?
  {
    get { nil }
    set {
      completion = nil
      guard let block = newValue else { return }
      completion = { found, error in block(found, error.map { error in error as NSError }) }
    }
  }
}

/// Carries the completion block whose error was an `NSError`.
public protocol CKMarkNotificationsReadOperationSwift2: AnyObject {}

extension CKMarkNotificationsReadOperationSwift2 where Self: CKMarkNotificationsReadOperation {
  @available(*, deprecated, message: "the error is an Error: a CKError")
  @_disfavoredOverload @preconcurrency public var markNotificationsReadCompletionBlock:
    (@Sendable ([CKNotificationID]?, NSError?) -> Void)?
  {
    get { nil }
    set {
      completion = nil
      guard let block = newValue else { return }
      completion = { found, error in block(found, error.map { error in error as NSError }) }
    }
  }
}

/// Coders as Swift 2 spelled them, for the tokens that apps kept.
extension NSKeyedArchiver {
  @available(*, deprecated, message: "use archivedData(withRootObject:requiringSecureCoding:)")
  public class func archivedDataWithRootObject(_ object: Any) -> NSData {
    NSData(
      data: (try? archivedData(withRootObject: object, requiringSecureCoding: false)) ?? Data())
  }
}

extension NSKeyedUnarchiver {
  @available(*, deprecated, message: "use unarchivedObject(ofClass:from:)")
  public class func unarchiveObjectWithData(_ data: NSData) -> Any? {
    try? unarchiveTopLevelObjectWithData(Data(data))
  }
}
