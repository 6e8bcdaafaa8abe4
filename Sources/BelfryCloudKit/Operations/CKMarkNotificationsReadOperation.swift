import BelfryKit
import Foundation

/// Marks pushes read: they leave every later fetch, and every reader that fetches past the mark gets a
/// `.readNotification` with the id, once (P8). What is shown of them stays.
///
/// ```swift
/// let mark = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: ids)
/// mark.markNotificationsReadCompletionBlock = { marked, error in
///   if let missing = (error as? CKError)?.partialErrorsByItemID { print(missing.keys) }
/// }
/// CKContainer.default().add(mark)
/// ```
open class CKMarkNotificationsReadOperation: CKOperation, CKMarkNotificationsReadOperationSwift2,
  @unchecked Sendable
{
  /// The pushes; marking one again does nothing.
  open var notificationIDs: [CKNotificationID]?

  /// Called once with what is marked now or was before, and with an error where something is not.
  ///
  /// Ids that are not in the inbox make it a `CKError` of `.partialFailure`, which names them; the
  /// others are marked all the same.
  @preconcurrency open var markNotificationsReadCompletionBlock:
    (@Sendable ([CKNotificationID]?, (any Error)?) -> Void)?
  {
    get { completion }
    set { completion = newValue }
  }

  /// Under a name of its own, since Swift 2's block has the same.
  var completion: (@Sendable ([CKNotificationID]?, (any Error)?) -> Void)?

  public override init() {
    super.init()
  }

  public convenience init(notificationIDsToMarkRead notificationIDs: [CKNotificationID]) {
    self.init()
    self.notificationIDs = notificationIDs
  }

  override func perform() {
    let ids = notificationIDs ?? []
    do throws(CKError) {
      let unknown = Set(try mark(ids))
      let marked = ids.filter { !unknown.contains($0) }
      completion?(
        marked, unknown.isEmpty ? nil : CKError.partial(Array(unknown)))
    } catch {
      completion?(nil, error)
    }
  }

  override func forget() {
    completion = nil
  }

  /// Which of them are not in the inbox.
  private func mark(_ ids: [CKNotificationID]) throws(CKError) -> [CKNotificationID] {
    guard !isCancelled else { throw .cancelled }
    guard !ids.isEmpty else { return [] }
    do throws(SchedulerError) {
      let place = place
      let outcome = try place.inbox.markRead(
        place.identifier, ids.map { $0.uuid }, timeout: timeout)
      return outcome.unknown.map { CKNotificationID($0) }
    } catch {
      throw CKError(error)
    }
  }
}
