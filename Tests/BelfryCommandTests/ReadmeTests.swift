import Foundation
import Testing

@testable import BelfryCommand

extension CommandLines {
  /// What the README shows must be what there is.
  struct ReadmeTests {
    static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()

    func text(_ path: String) throws -> String {
      try String(contentsOf: Self.top.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func showsThePluginAsItIsBuilt() throws {
      let plugin = try text("Tests/Examples/MinimalPlugin/minimal.c")
      #expect(try text("README.md").contains("```c\n" + plugin + "```\n"))
    }

    /// Every command line of belfry's in it is one that is understood.
    @Test func showsOnlyWhatIsUnderstood() throws {
      var checked = 0
      for line in try text("README.md").split(separator: "\n") where line.hasPrefix("belfry ") {
        let command = line.split(separator: "#")[0]
        let words = try run(
          "/bin/bash", [],
          input: "for word in \(command.dropFirst(7)); do printf '%s\\n' \"$word\"; done")
        let list = words.split(separator: "\n").map { String($0) }
        #expect(throws: Never.self, "\(line)") { _ = try CommandLineParser.parse(list) }
        checked += 1
      }
      #expect(checked > 10)
    }
  }
}
