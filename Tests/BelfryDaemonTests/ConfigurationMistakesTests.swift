import BelfryCore
import Testing

@testable import BelfryDaemon

/// A4: all mistakes of a configuration in one run.
@Suite struct ConfigurationMistakesTests {
  private func lines(_ text: String) -> [Int64] {
    ConfigurationMistakes(Array(text.utf8)).found.map { $0.line }
  }

  @Test func A4_eachIsFoundWithItsLine() {
    #expect(lines("") == [] && lines("[clock]\ngrace = 5s\n") == [])
    #expect(lines("[clock]\ngrace = ten\nzone = Nowhere at all\n[sound]\nvolume = 3") == [2, 3, 5])
    // A section that is none goes with what is in it, and nothing is blamed on the one before.
    #expect(lines("[clock]\n[clocks]\ngrace = ten\nzone = x\n[sound]\nvolume = 3") == [2, 6])
    // What is no line at all, and what no text is.
    #expect(lines("grace = 5\nnonsense\n[clock]\ngrace = 5s\n[clock]\n") == [1, 2, 5])
    let bytes = Array("[sound]\nvolume = 3\n".utf8) + [0xFF, 10] + Array("quiet = x\n".utf8)
    #expect(ConfigurationMistakes(bytes).found.map { $0.line } == [2, 3, 4])
    // Outputs are judged when all sections have been read.
    #expect(lines("[sound]\noutput = a\n[clock]\ngrace = ten\n") == [2, 4])
  }

  @Test func A4_theRestIsRead() {
    let mistakes = ConfigurationMistakes(
      Array("[sound]\nvolume = 3\nquiet = 22:00-06:00\n[plugin:a]\nfile = x\n".utf8))
    #expect(mistakes.rest.scheduler.sounds.quiet != nil && mistakes.rest.plugins.count == 1)
    #expect(mistakes.file.sections.map { $0.header } == ["sound", "plugin:a"])
  }

  @Test func A2_nobodyReadsMoreThan32() {
    let text = "[sound]\n" + (0..<50).map { "key\($0) = 1\n" }.joined()
    #expect(lines(text).count == 32)
  }
}
