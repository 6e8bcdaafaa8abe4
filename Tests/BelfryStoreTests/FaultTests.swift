import BelfryCore
import CFaultVFS
import CSQLite
import Foundation
import Testing

@testable import BelfryStore

/// Tests on a disk that misbehaves: it has one state for the process, so one at a time.
@Suite(.serialized)
struct FaultTests {
}

enum Faults {
  /// Runs `body` with the fault VFS registered, and leaves it healthy.
  static func alone(_ body: () throws -> Void) throws {
    #expect(cfault_register(0) == SQLITE_OK)
    defer { cfault_reset(0) }
    cfault_reset(0)
    try body()
  }
}
