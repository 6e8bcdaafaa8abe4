import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct FolderWatchTests {
  /// Waits for events; fails after a minute without any.
  private func events(_ watch: FolderWatch) throws -> [FolderWatch.Event] {
    #expect(Poll.wait(watch.descriptor, .readable, milliseconds: 60_000) == .readable)
    return try watch.read()
  }

  @Test func T7_tellsWhatHappensToNames() throws {
    let scratch = try Scratch()
    let watch = try FolderWatch()
    let folder = try watch.add(scratch.path)
    #expect(try watch.add(scratch.path) == folder)
    #expect(try watch.read() == [])
    let (one, other) = (scratch.path + "/one", scratch.path + "/other")
    #expect(symlink("nowhere", one) == 0)
    #expect(try events(watch) == [.name(folder: folder, "one")])
    try Files.rename(one, to: other)
    #expect(
      try Set(events(watch)) == [.name(folder: folder, "one"), .name(folder: folder, "other")])
    try Files.remove(other)
    #expect(try events(watch) == [.name(folder: folder, "other")])
    try Files.write([1], to: one)
    #expect(try events(watch).contains(.name(folder: folder, "one")))
    watch.remove(folder)
    try Files.remove(one)
    #expect(try watch.read() == [])
  }

  @Test func T7_tellsThatAFolderWent() throws {
    let scratch = try Scratch()
    try Files.makeFolder(scratch.path + "/a", mode: 0o755)
    let watch = try FolderWatch()
    let folder = try watch.add(scratch.path + "/a")
    try Files.rename(scratch.path + "/a", to: scratch.path + "/b")
    #expect(try events(watch) == [.folder(folder)])
    #expect(throws: SystemError.self) { try watch.add(scratch.path + "/missing") }
  }

  @Test func T12_aFileThatIsWatchedAloneHidesWhatHappensBesideIt() throws {
    let scratch = try Scratch()
    let (file, other) = (scratch.path + "/file", scratch.path + "/other")
    let watch = try FolderWatch()
    let missing = watch.follow(file: file)
    #expect(missing.names.values.map { $0 } == [["file"]])
    try Files.write([1], to: file)
    #expect(try events(watch).contains(.name(folder: missing.names.keys.first!, "file")))
    let way = watch.follow(file: file)
    let own = try #require(way.names.first { $0.value == [""] }?.key)
    _ = try watch.read()
    try Files.write([1], to: other)
    #expect(try watch.read() == [])
    #expect(chmod(file, 0o600) == 0)
    #expect(try events(watch) == [.name(folder: own, "")])
    // Replaced as editors do: the old file loses its name, and is gone.
    try Files.rename(other, to: file)
    #expect(try events(watch) == [.name(folder: own, ""), .folder(own)])
    let again = watch.follow(file: file)
    let new = try #require(again.names.first { $0.value == [""] }?.key)
    #expect(new != own)
    _ = try watch.read()
    try Files.rename(scratch.path, to: scratch.path + ".moved")
    let folder = try #require(again.names.first { $0.value == [] }?.key)
    #expect(try events(watch) == [.folder(folder)])
    try Files.rename(scratch.path + ".moved", to: scratch.path)
    #expect(symlink("nowhere", scratch.path + "/link") == 0)
    #expect(watch.follow(file: scratch.path + "/link").names.values.contains(["link", "nowhere"]))
  }

  @Test func T7_theTrailNamesEveryLink() throws {
    let scratch = try Scratch()
    let path = scratch.path
    for folder in ["/etc", "/zones", "/zones/Asia"] {
      try Files.makeFolder(path + folder, mode: 0o755)
    }
    try Files.write([1], to: path + "/zones/Asia/Tokyo")
    #expect(symlink("Asia/Tokyo", path + "/zones/Japan") == 0)
    #expect(symlink("zones", path + "/current") == 0)
    #expect(symlink("../current/Japan", path + "/etc/localtime") == 0)
    func step(_ folder: String, _ name: String) -> SymlinkChain.Step {
      SymlinkChain.Step(folder: path + folder, name: name)
    }
    let chain = SymlinkChain(path + "/etc/localtime")
    #expect(
      chain.steps == [
        step("/etc", "localtime"), step("", "current"), step("/zones", "Japan"),
        step("/zones/Asia", "Tokyo"),
      ])
    #expect(chain.file == path + "/zones/Asia/Tokyo")
    #expect(SymlinkChain(path + "/etc/gone/x").steps == [step("/etc", "gone")])
    #expect(symlink("b", path + "/a") == 0 && symlink("a", path + "/b") == 0)
    #expect(SymlinkChain(path + "/a").steps.count < 50)
  }
}
