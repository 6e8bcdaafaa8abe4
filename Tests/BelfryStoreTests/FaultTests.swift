import BelfryCore
import CFaultVFS
import CSQLite
import Foundation
import Testing

@testable import BelfryStore

/// Tests on a disk that misbehaves, and that several threads share: one at a time.
@Suite(.serialized)
struct FaultTests {
}

enum Faults {
  /// Runs `body` with the fault VFS registered and a machine of its own, which nobody else sees: all of
  /// it is to happen on this thread.
  static func apart(_ body: () throws -> Void) throws {
    #expect(cfault_register(0) == SQLITE_OK)
    cfault_own_machine(1)
    defer { cfault_own_machine(0) }
    try body()
  }

  /// Runs `body` with the fault VFS registered, and leaves it healthy.
  static func alone(_ body: () throws -> Void) throws {
    #expect(cfault_register(0) == SQLITE_OK)
    defer { cfault_reset(0) }
    cfault_reset(0)
    try body()
  }
}
