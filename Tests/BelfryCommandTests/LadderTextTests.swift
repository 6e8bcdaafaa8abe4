import BelfryCore
import Foundation
import Testing

@testable import BelfryCommand

extension CommandLines {
  struct LadderTextTests {
    private func refusal(_ text: String) -> String? {
      do {
        _ = try LadderText.read(text)
        return nil
      } catch {
        return error.message
      }
    }

    @Test func E6_stepsAreReadAsTheyAreWritten() throws {
      #expect(
        try LadderText.read("now:console 2m:speaker 5m:exec,phone") == [
          LadderStep(after: 0, sinks: ["console"]),
          LadderStep(after: 120 * Nanoseconds.second, sinks: ["speaker"]),
          LadderStep(after: 300 * Nanoseconds.second, sinks: ["exec", "phone"]),
        ])
      #expect(
        try LadderText.read("10s:*:sound=siren.wav:volume=0.5:level=critical") == [
          LadderStep(
            after: 10 * Nanoseconds.second, sound: "siren.wav", volume: 0.5,
            interruptionLevel: .critical)
        ])
    }

    @Test func E6_aFileHasStepsOrJSON() throws {
      let path = FileManager.default.temporaryDirectory.path + "/ladder-\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: path) }
      try "now:console\n2m:speaker\n".write(toFile: path, atomically: true, encoding: .utf8)
      let steps = try LadderText.read("@" + path)
      #expect(steps.map { $0.sinks } == [["console"], ["speaker"]])
      try #" [{"after":0},{"after":60000000,"sinks":["exec"]}]"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      #expect(try LadderText.read("@" + path).map { $0.after } == [0, 60 * Nanoseconds.second])
      try #"[{"after":0,"sink":"exec"}]"#.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(refusal("@" + path)?.contains("did you mean sinks?") == true)
      #expect(refusal("@" + path + "-gone")?.hasPrefix("--ladder: ") == true)
    }

    @Test(arguments: [
      "", "now", "now:", "soon:console", "now:a:loud", "now:a:volume=x", "now:a:level=loud",
    ])
    func A4_E6_whatIsNoStepIsSaid(_ text: String) {
      #expect(refusal(text)?.hasPrefix("--ladder: ") == true)
    }

    @Test func E6_optionsReachTheirFields() throws {
      let reader = NotificationReaderTests()
      let made = try reader.notification([
        "--body", "b", "--now", "--realert", "5m", "--realert-at-most", "3", "--ladder",
        "2m:speaker",
      ])
      #expect(made.realert == Realert(every: 300 * Nanoseconds.second, atMost: 3))
      #expect(made.ladder == [LadderStep(after: 120 * Nanoseconds.second, sinks: ["speaker"])])
      #expect(throws: CommandError.self) {
        try reader.notification(["--body", "b", "--now", "--realert-at-most", "3"])
      }
      #expect(throws: CommandError.self) {
        try reader.notification(["--body", "b", "--now", "--realert", "0s"])
      }
    }
  }
}
