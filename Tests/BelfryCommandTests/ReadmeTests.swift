import Foundation
import Testing

@testable import BelfryCommand

extension CommandLines {
  /// What the pages show must be what there is.
  struct ReadmeTests {
    static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()

    func text(_ path: String) throws -> String {
      try String(contentsOf: Self.top.appendingPathComponent(path), encoding: .utf8)
    }

    /// Every page in the tree, by its path from the top.
    func pages() throws -> [String] {
      var pages = ["README.md"]
      for folder in ["Sources", "plugins", "Tests"] {
        let files = try FileManager.default.subpathsOfDirectory(
          atPath: Self.top.appendingPathComponent(folder).path)
        pages += files.filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
      }
      return pages
    }

    @Test func showsThePluginAsItIsBuilt() throws {
      let plugin = try text("Tests/Examples/MinimalPlugin/minimal.c")
      #expect(try text("plugins/README.md").contains("```c\n" + plugin + "```\n"))
    }

    /// Every command line of belfry's in them is one that is understood.
    @Test func showsOnlyWhatIsUnderstood() throws {
      var checked: [String: Int] = [:]
      for page in try pages() {
        for line in try text(page).split(separator: "\n") where line.hasPrefix("belfry ") {
          // Where its output goes is the shell's.
          let command = line.split(separator: "#")[0].components(separatedBy: " > ")[0]
          let words = try run(
            "/bin/bash", [],
            input: "for word in \(command.dropFirst(7)); do printf '%s\\n' \"$word\"; done")
          let list = words.split(separator: "\n").map { String($0) }
          #expect(throws: Never.self, "\(page): \(line)") {
            _ = try CommandLineParser.parse(list)
          }
          checked[page, default: 0] += 1
        }
      }
      #expect(checked["README.md", default: 0] > 5)
      #expect(checked["Sources/BelfryServer/README.md", default: 0] > 10)
      #expect(checked["plugins/README.md", default: 0] > 1)
      #expect(checked.values.reduce(0, +) > 30)
    }
  }
}
