import Foundation
import TestSupport
import Testing

@testable import BelfrySystem

@Suite struct RunFolderTests {
  @Test func whatIsWrittenIsReadAgain() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("lamp", in: scratch.path)
    #expect(folder.path == scratch["lamp"])
    #expect(try Files.status(scratch["lamp"]).mode == 0o700)
    try folder.write([1, 2, 3], to: "state")
    try folder.write([4, 5], to: "state")
    #expect(try folder.read("state", limit: 100) == [4, 5])
    // A later life finds it.
    #expect(try RunFolder("lamp", in: scratch.path).read("state", limit: 100) == [4, 5])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch["lamp"]) == ["state"])
    let missing = #expect(throws: SystemError.self) { try folder.read("other", limit: 100) }
    #expect(missing?.code == SystemError.noEntry)
  }

  @Test func A3_aLinkIsNeverFollowed() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("lamp", in: scratch.path)
    try Files.write([7], to: scratch["secret"])
    symlink(scratch["secret"], scratch["lamp/link"])
    link(scratch["secret"], scratch["lamp/hard"])
    let followed = #expect(throws: SystemError.self) { try folder.read("link", limit: 10) }
    #expect(followed?.code == SystemError.tooManyLinks)
    let shared = #expect(throws: SystemError.self) { try folder.read("hard", limit: 10) }
    #expect(shared?.code == SystemError.notPermitted)
    // Neither is written through: each name becomes a file of its own.
    try folder.write([1], to: "link")
    try folder.write([2], to: "hard")
    #expect(try folder.read("link", limit: 10) == [1] && folder.read("hard", limit: 10) == [2])
    #expect(try Files.read(scratch["secret"], limit: 10) == [7])
  }

  @Test func A3_whatIsOpenedAsOwnIsMadeAnewWhereItIsNot() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("lamp", in: scratch.path)
    try Files.write([7], to: scratch["secret"])
    link(scratch["secret"], scratch["lamp/hard"])
    symlink(scratch["secret"], scratch["lamp/link"])
    for name in ["hard", "link", "fresh"] {
      let file = try folder.openOwn(name)
      #expect(try Files.status(of: file).links == 1, "\(name)")
    }
    #expect(try Files.read(scratch["secret"], limit: 10) == [7])
  }
}
