import BelfryKit
import Testing

@testable import BelfryCloudKit

/// What a refusal of the daemon is in CloudKit's words.
@Suite struct ErrorTests {
  @Test func eachRefusalHasItsCode() {
    let codes: [(SchedulerError.Code, String?, CKError.Code, Int)] = [
      (.unreadableReply, nil, .internalError, 1), (.timedOut, nil, .networkFailure, 4),
      (.malformed, "container", .badContainer, 5), (.noDaemon, nil, .serviceUnavailable, 6),
      (.unreachable, nil, .serviceUnavailable, 6),
      (.booksUnavailable, nil, .serviceUnavailable, 6),
      (.limitReached, "requestsPerSecond", .requestRateLimited, 7),
      (.notOwner, "app", .permissionFailure, 10), (.notPermitted, nil, .permissionFailure, 10),
      (.outOfRange, "limit", .invalidArguments, 12),
      (.notInThisBuild, nil, .incompatibleVersion, 18),
      (.cancelled, nil, .operationCancelled, 20), (.tokenExpired, nil, .changeTokenExpired, 21),
      (.tokenForeign, nil, .changeTokenExpired, 21),
      (.limitReached, "containers", .limitExceeded, 27),
      (.outcomeUnknown, nil, .serverResponseLost, 34),
    ]
    for (code, field, expected, number) in codes {
      let error = CKError(SchedulerError(code, field: field, "why"))
      #expect(error.code == expected && expected.rawValue == number, "\(code)")
      #expect(error.errorCode == number && error.reason.code == code)
    }
  }

  @Test func anNSErrorHasItsDomainCodeAndWords() throws {
    let error: any Error = CKError(SchedulerError(.noDaemon, "no daemon answers"))
    let old = error as NSError
    #expect(old.domain == CKErrorDomain && old.code == 6)
    #expect(old.userInfo[CKErrorRetryAfterKey] as? Double == 5)
    #expect(error.localizedDescription == "no daemon answers")
    #expect((error as? CKError)?.retryAfterSeconds == 5)
    #expect(CKError(SchedulerError(.notOwner, "x")).retryAfterSeconds == nil)
  }

  @Test func aCodeIsAPattern() {
    do {
      throw CKError(SchedulerError(.tokenExpired, "old"))
    } catch CKError.changeTokenExpired {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func theDefaultContainerIsTheAppsOwn() {
    #expect(CKContainer.default().containerIdentifier == nil)
    #expect(CKContainer.default() === CKContainer.default())
    #expect(CKContainer(identifier: "iCloud.x").containerIdentifier == "iCloud.x")
  }
}
