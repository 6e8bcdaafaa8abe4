import BelfrySystem
import TestSupport
import Testing

@Suite struct TrustTests {
  private let us = BelfrySystem.Process.uid

  private func problem(_ path: String) -> String? {
    Trust.problem(above: path, owners: [us])
  }

  @Test func A3_onlyFoldersThatNobodyElseCanWriteAreTrusted() throws {
    let scratch = try Scratch()
    let folder = scratch["outer"]
    try Files.makeFolders(folder + "/inner", mode: 0o755)
    let path = folder + "/inner/file"
    try Files.write([1], to: path)
    let rows: [(mode: UInt32, isTrusted: Bool)] = [
      (0o755, true), (0o700, true), (0o777, false), (0o757, false), (0o1777, true),
    ]
    for row in rows {
      try Files.setMode(row.mode, of: folder)
      #expect((problem(path) == nil) == row.isTrusted, "\(row.mode)")
    }
    try Files.setMode(0o777, of: folder)
    #expect(problem(path)?.hasPrefix(folder + ", above " + path) == true)
    // The last of the path is for others to judge, and what is not there for whoever opens it.
    #expect(problem(folder) == nil)
    #expect(problem(scratch["missing/file"]) == nil)
    #expect(problem(scratch.path + "/./outer/../outer/inner/file") != nil)
  }

  @Test func A3_aLinkIsTrustedAsWhatItLeadsTo() throws {
    let scratch = try Scratch()
    try Files.makeFolders(scratch["open/inner"], mode: 0o755)
    try Files.write([1], to: scratch["open/inner/file"])
    for (link, target) in [("whole", scratch["open/inner/file"]), ("part", "open/inner")] {
      let child = try Child.spawn(
        "/bin/ln", arguments: ["ln", "-s", target, scratch[link]], environment: [],
        descriptors: [(2, 2)])
      #expect(try child.reap(wait: true) == .exited(0))
    }
    #expect(problem(scratch["whole"]) == nil && problem(scratch["part/file"]) == nil)
    try Files.setMode(0o777, of: scratch["open"])
    #expect(problem(scratch["whole"])?.contains(scratch["open"]) == true)
    #expect(problem(scratch["part/file"])?.contains(scratch["open"]) == true)
  }

  @Test func A3_aFolderOfAChildHasNoFilesWithOtherNames() throws {
    let scratch = try Scratch()
    let folder = try RunFolder("child", in: scratch.path)
    try folder.write([1, 2], to: "store")
    #expect(try folder.read("store", limit: 10) == [1, 2])
    let child = try Child.spawn(
      "/bin/ln", arguments: ["ln", folder.path + "/store", scratch["other"]], environment: [],
      descriptors: [(2, 2)])
    #expect(try child.reap(wait: true) == .exited(0))
    #expect(throws: SystemError.self) { try folder.read("store", limit: 10) }
    // Replacing it leaves the other name's bytes alone.
    try folder.write([3], to: "store")
    #expect(try folder.read("store", limit: 10) == [3])
    #expect(try Files.read(scratch["other"], limit: 10) == [1, 2])
  }

  @Test func D8_aChildIsToldWhomToBecome() {
    let identity = Child.Identity(uid: 998, gid: 997, groups: [29, 1000])
    #expect(Child.Identity(identity.text) == identity)
    for text in ["", "1", "1:2", "a:1:", "1:2:3:4"] { #expect(Child.Identity(text) == nil) }
  }
}
