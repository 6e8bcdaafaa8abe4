import BelfryKit
import Foundation

/// Fetches what came into an inbox since a token, oldest first (P7).
///
/// One operation fetches one page. Keep the token of its end, and where `moreComing` is true begin
/// another one with it:
///
/// ```swift
/// func fetchChanges(since token: CKServerChangeToken?) {
///   let fetch = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
///   fetch.notificationChangedBlock = { push in
///     guard push.notificationType != .readNotification else { return }
///     note(push)
///   }
///   fetch.fetchNotificationChangesCompletionBlock = { token, error in
///     if let error = error as? CKError, error.code == .changeTokenExpired {
///       return fetchChanges(since: nil)
///     }
///     guard let token, error == nil else { return }
///     keep(token)
///     if fetch.moreComing { fetchChanges(since: token) }
///   }
///   CKContainer.default().add(fetch)
/// }
/// ```
open class CKFetchNotificationChangesOperation: CKOperation,
  CKFetchNotificationChangesOperationSwift2, @unchecked Sendable
{
  /// Where the last fetch ended; nil: everything that the inbox has.
  open var previousServerChangeToken: CKServerChangeToken?

  /// At most so many, up to 1,000; 0: as many as the daemon gives at once.
  open var resultsLimit = 0

  /// Belfry's own: true fetches page after page until nothing is left, each of at most `resultsLimit`.
  open var fetchAllChanges = false

  /// There is more behind the token; known before the completion block is called.
  open internal(set) var moreComing = false

  /// Gets each push. All say that they are pruned (P7); one that was marked read comes as a
  /// `CKNotification` of type `.readNotification` with its id alone (P8).
  @preconcurrency open var notificationChangedBlock: (@Sendable (CKNotification) -> Void)?

  /// Called once, after the last push, with the token for the next fetch, or with the error.
  ///
  /// With both where some pages were fetched before it failed: the token is where to go on. An error
  /// is a `CKError`; at `.changeTokenExpired` fetch again without a token.
  @preconcurrency open var fetchNotificationChangesCompletionBlock:
    (@Sendable (CKServerChangeToken?, (any Error)?) -> Void)?
  {
    get { completion }
    set { completion = newValue }
  }

  /// Under a name of its own, since Swift 2's block has the same.
  var completion: (@Sendable (CKServerChangeToken?, (any Error)?) -> Void)?

  public override init() {
    super.init()
  }

  public convenience init(previousServerChangeToken: CKServerChangeToken?) {
    self.init()
    self.previousServerChangeToken = previousServerChangeToken
  }

  override func perform() {
    var token: CKServerChangeToken?
    do throws(CKError) {
      repeat {
        token = try fetchPage(since: token ?? previousServerChangeToken)
      } while fetchAllChanges && moreComing
      completion?(token, nil)
    } catch {
      completion?(token, error)
    }
  }

  override func forget() {
    notificationChangedBlock = nil
    completion = nil
  }

  private func fetchPage(
    since token: CKServerChangeToken?
  ) throws(CKError) -> CKServerChangeToken {
    guard !isCancelled else { throw .cancelled }
    let page: InboxPage
    do throws(SchedulerError) {
      let place = place
      page = try place.inbox.fetch(
        place.identifier, since: token?.text, limit: resultsLimit > 0 ? resultsLimit : nil,
        timeout: timeout)
    } catch {
      throw CKError(error)
    }
    for entry in page.entries {
      // What was told of a page that is not told to its end is told again.
      guard !isCancelled else { throw .cancelled }
      notificationChangedBlock?(CKNotification.make(PushContent(entry)))
    }
    moreComing = page.moreComing
    return CKServerChangeToken(page.token)
  }
}
