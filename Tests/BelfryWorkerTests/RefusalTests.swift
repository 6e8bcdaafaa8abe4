import BelfrySystem
import Testing

@testable import BelfryWorker

@Suite struct RefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var fixture: String
    var words: String
    var testDescription: String { fixture }
  }

  @Test(arguments: [
    Case(fixture: "wrong_abi", words: "was made for ABI 99.0 and this worker speaks 1.5"),
    Case(fixture: "no_entry", words: "does not export belfry_plugin_entry"),
    Case(fixture: "null_descriptor", words: "gave no descriptor"),
    Case(fixture: "short_descriptor", words: "says that it has 8 bytes"),
  ])
  func aPluginThatIsNoneIsRefusedWithASentence(_ row: Case) throws {
    let clock = try ClockDouble(try Fixtures.plugin(row.fixture), run: try Fixtures.scratch())
    #expect(try #require(clock.refusal()).contains(row.words))
    #expect(try clock.end() == .exited(1))
  }

  @Test func A3_aFileThatOthersCanWriteIsNotLoaded() throws {
    let folder = try Fixtures.scratch()
    let file = folder + "/plugin.so"
    try Files.write(
      try Files.read(try Fixtures.plugin("recorder"), limit: 1 << 20), to: file)
    let rows: [(file: UInt32, folder: UInt32, words: String)] = [
      (0o664, 0o755, "plugin file \(file) can be written by others"),
      (0o602, 0o755, "plugin file \(file) can be written by others"),
      (0o600, 0o775, "folder of the plugin \(folder) can be written by others"),
      (0o600, 0o707, "folder of the plugin \(folder) can be written by others"),
    ]
    for row in rows {
      try Files.setMode(row.file, of: file)
      try Files.setMode(row.folder, of: folder)
      let clock = try ClockDouble(file, run: try Fixtures.scratch())
      #expect(try #require(clock.refusal()).contains(row.words))
    }
    try Files.setMode(0o644, of: file)
    try Files.setMode(0o755, of: folder)
    let output = folder + "/recording"
    _ = try ClockDouble(file, settings: ["out": output], run: try Fixtures.scratch()).ready()
  }

  @Test func A3_aLinkToAFileThatOthersCanWriteIsNotLoaded() throws {
    let file = try Fixtures.scratch() + "/plugin.so"
    try Files.write(
      try Files.read(try Fixtures.plugin("recorder"), limit: 1 << 20), to: file)
    try Files.setMode(0o666, of: file)
    let link = try Fixtures.scratch() + "/link.so"
    #expect(try Fixtures.run("/bin/ln", ["-s", file, link]) == .exited(0))
    let clock = try ClockDouble(link, run: try Fixtures.scratch())
    #expect(try #require(clock.refusal()).contains("can be written by others"))
  }

  @Test func A4_settingsAreCheckedAgainstTheDescriptor() throws {
    let rows: [(settings: [String: String], words: String)] = [
      ([:], "the key `out` is missing"),
      (["out": "/tmp/x", "everthing": "yes"], "did you mean `everything`?"),
      (["out": "/tmp/x", "everything": "perhaps"], "`everything = perhaps` must be yes or no"),
      (["out": "/tmp/x", "memory": "lots"], "`memory = lots` is no size"),
      (["out": "/tmp/x", "uid": "nobody"], "`uid = nobody` is no number"),
      (["out": "/tmp/x", "gid": "1"], "`gid` is given without `uid`"),
      (["out": "/nowhere/at/all"], "`out` cannot be opened"),
    ]
    for row in rows {
      let clock = try ClockDouble(
        try Fixtures.plugin("recorder"), settings: row.settings, run: try Fixtures.scratch())
      #expect(try #require(clock.refusal()).contains(row.words))
    }
  }

  @Test func aMissingFileIsNamed() throws {
    let clock = try ClockDouble("/nowhere/plugin.so", run: try Fixtures.scratch())
    #expect(try #require(clock.refusal()).contains("/nowhere/plugin.so: No such file"))
  }

  @Test func sizesAreRead() throws {
    #expect(try WorkerSettings.size("64M") == 64 << 20)
    #expect(try WorkerSettings.size("1G") == 1 << 30)
    #expect(try WorkerSettings.size("0") == 0)
    for text in ["", "M", "-1", "1T", "99999999999999999999G", "18446744073709551615K"] {
      #expect(throws: WorkerError.self) { try WorkerSettings.size(text) }
    }
  }
}
