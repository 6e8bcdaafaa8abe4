import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct FilesTests {
  @Test func whatIsNoRegularFileIsNeverRead() throws {
    let scratch = try Scratch()
    #expect(mkfifo(scratch["fifo"], 0o600) == 0)
    for path in [scratch["fifo"], scratch.path, "/dev/zero"] {
      let error = #expect(throws: SystemError.self) { _ = try Files.read(path, limit: 100) }
      #expect([SystemError.invalid, SystemError.isFolder].contains(error?.code ?? 0), "\(path)")
    }
  }

  @Test(arguments: [(10, true), (9, false)])
  func readingIsBounded(limit: Int, fits: Bool) throws {
    let scratch = try Scratch()
    try Files.write(Array(repeating: 7, count: 10), to: scratch["file"])
    let bytes = try? Files.read(scratch["file"], limit: limit)
    #expect((bytes == Array(repeating: 7, count: 10)) == fits)
  }

  @Test func aFileThatSaysItIsEmptyIsReadToItsEnd() throws {
    let bytes = try Files.read("/proc/self/status", limit: 1 << 20)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\nPid:\t\(getpid())\n"))
  }

  @Test func writingReplacesAtomicallyWithItsMode() throws {
    let scratch = try Scratch()
    try Files.write([1], to: scratch["file"], mode: 0o600)
    try Files.write([2, 3], to: scratch["file"], mode: 0o600)
    #expect(try Files.read(scratch["file"], limit: 10) == [2, 3])
    #expect(try Files.list(scratch.path) == ["file"])
    #expect(try Files.status(scratch["file"]).mode == 0o600)
  }

  @Test func aLockIsHeldByOne() throws {
    let scratch = try Scratch()
    #expect(try holdTwice(scratch["lock"]) == [true, false])
    #expect(try holdTwice(scratch["lock"]) == [true, false])
  }

  private func holdTwice(_ path: String) throws -> [Bool] {
    let first = try Files.lock(path)
    let second = try Files.lock(path)
    return [first != nil, second != nil]
  }

  @Test func aTreeGoesWithoutFollowingLinks() throws {
    let scratch = try Scratch()
    try Files.makeFolders(scratch["keep"], mode: 0o700)
    try Files.write([1], to: scratch["keep/file"])
    try Files.makeFolders(scratch["go/deep/er"], mode: 0o700)
    #expect(symlink(scratch["keep"], scratch["go/link"]) == 0)
    try Files.removeTree(scratch["go"])
    #expect(try Files.list(scratch.path) == ["keep"])
    #expect(try Files.list(scratch["keep"]) == ["file"])
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("/a/b/", "/a/b")])
  func parents(path: String, parent: String) {
    #expect(Files.parent(of: path) == parent)
  }

  @Test func groupsAreReadFromTheFileAlone() throws {
    let scratch = try Scratch()
    let text = "root:x:0:\nbells:x:4242:anna,bert\nbroken\nshort:x\n"
    try Files.write(Array(text.utf8), to: scratch["group"])
    #expect(Group.number(of: "bells", file: scratch["group"]) == 4242)
    #expect(Group.number(of: "17", file: scratch["group"]) == 17)
    #expect(Group.number(of: "short", file: scratch["group"]) == nil)
    #expect(Group.number(of: "bell", file: scratch["group"]) == nil)
    #expect(Group.name(of: 4242, file: scratch["group"]) == "bells")
    #expect(Group.name(of: 4, file: scratch["group"]) == nil)
  }

  @Test func uuidsAreOfVersion4() {
    for _ in 0..<64 {
      let uuid = Random.uuid()
      #expect(uuid.high >> 12 & 0xF == 4)
      #expect(uuid.low >> 62 == 2)
    }
    #expect(Random.uuid() != Random.uuid())
  }
}
