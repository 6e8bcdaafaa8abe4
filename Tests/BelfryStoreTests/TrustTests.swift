import BelfryCore
import Foundation
import Testing

@testable import BelfryStore

/// Whose the files are that a store finds, and whether they are files at all.
struct TrustTests {
  private static let stranger: uid_t = 65533
  private static let isRoot = getuid() == 0
  private static let companions = ["", "-wal", "-journal", "-shm", "-whole", "-saved", "-suspect"]

  private func refusal(_ prepare: (String) throws -> Void) -> StoreError? {
    do {
      _ = try StoreBench(prepare)
      return nil
    } catch {
      return error as? StoreError
    }
  }

  private func folder(_ path: String) -> String { (path as NSString).deletingLastPathComponent }

  @Test(.enabled(if: isRoot), arguments: companions)
  func A4_aPlantedFileIsNotUsed(suffix: String) throws {
    let error = refusal { path in
      chmod(folder(path), 0o1777)
      try Data().write(to: URL(fileURLWithPath: path + suffix))
      chown(path + suffix, Self.stranger, Self.stranger)
    }
    #expect(error?.code == .foreign)
    #expect(error?.reason.contains("books.sqlite\(suffix) belongs to user 65533") == true)
  }

  @Test(.enabled(if: isRoot)) func A4_aPlantedLinkIsNotFollowed() throws {
    let error = refusal { path in
      chmod(folder(path), 0o1777)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "mine")
      lchown(path, Self.stranger, Self.stranger)
    }
    #expect(error?.code == .foreign)
    // Nor is what another's folder behind a link of ours holds.
    let behind = refusal { path in
      try Data().write(to: URL(fileURLWithPath: folder(path) + "/mine"))
      chown(folder(path) + "/mine", Self.stranger, Self.stranger)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "mine")
    }
    #expect(behind?.code == .foreign)
  }

  @Test(.enabled(if: isRoot), arguments: [0o777, 0o755])
  func A4_aFolderOfOthersGetsNoNewStore(mode: mode_t) throws {
    let error = refusal { path in
      chmod(folder(path), mode)
      if mode == 0o755 { chown(folder(path), Self.stranger, Self.stranger) }
    }
    #expect(error?.code == .foreign)
  }

  /// No alarm is silent because a folder is open: that is said, and what is in it is ours.
  @Test(.enabled(if: isRoot)) func A4_D8_whatIsThereRingsInAnOpenFolder() throws {
    for owner in [0, Self.stranger] {
      let bench = try StoreBench()
      bench.register()
      bench.run(.schedule(row(1, "bell"), ifAdded: .none))
      bench.keeper.close()
      chmod(bench.folder, 0o777)
      chown(bench.folder, owner, 0)
      try bench.openAgain()
      #expect(bench.pending.count == 1)
      #expect(bench.opened.warnings.count == 1)
      #expect(bench.opened.warnings.first?.contains(bench.folder) == true)
    }
  }

  /// As former versions, umasks and operators leave them.
  @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o666])
  func A4_D8_filesOfOursAreUsedWhateverTheirMode(mode: mode_t) throws {
    let bench = try StoreBench()
    bench.register()
    bench.run(.schedule(row(1, "bell"), ifAdded: .none))
    chmod(bench.path, mode)
    chmod(bench.path + "-wal", mode)
    bench.kill()
    try bench.openAgain()
    #expect(bench.pending.count == 1)
    let isOpen = mode & 0o022 != 0
    #expect(bench.opened.warnings.count == (isOpen ? 2 : 0))
    for suffix in ["", "-wal"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: bench.path + suffix)
      #expect(attributes[.posixPermissions] as? Int == Int(mode & ~0o022))
    }
  }

  @Test(arguments: companions.dropFirst() + ["-partial"])
  func D8_whatIsNoFileIsSetAsideAndSaid(suffix: String) throws {
    let bench = try StoreBench({ path in
      try FileManager.default.createDirectory(
        atPath: path + suffix + "/inner", withIntermediateDirectories: true)
    })
    #expect(bench.opened.warnings.count == 1)
    #expect(bench.opened.warnings.first?.contains("books.sqlite\(suffix) was a folder") == true)
    let aside = try bench.files().filter { $0.hasPrefix("books.sqlite.replaced-") }
    #expect(aside.count == 1)
    #expect(FileManager.default.fileExists(atPath: bench.folder + "/\(aside.first ?? "")/inner"))
    bench.register()
    bench.run(.schedule(row(1, "bell"), ifAdded: .none))
    try bench.reopen()
    #expect(bench.pending.count == 1)
    #expect(bench.opened.warnings.isEmpty)
  }

  @Test func D8_anEmptyFileIsSaidToBeBegunAnew() throws {
    let bench = try StoreBench({ try Data().write(to: URL(fileURLWithPath: $0)) })
    #expect(bench.opened.warnings.count == 1)
    #expect(bench.opened.warnings.first?.contains("was an empty file") == true)
    try bench.reopen()
    #expect(bench.opened.warnings.isEmpty)
  }
}
