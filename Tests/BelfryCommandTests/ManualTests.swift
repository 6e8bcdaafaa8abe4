import BelfryWire
import Foundation
import Testing

@testable import BelfryCommand

/// Topics of help and man pages, which are made of the same tables as the parsers.
struct ManualTests {
  /// Every key of every table, with the topic that has it.
  private static let keys: [(topic: HelpTopic, section: String, rows: [SettingHelp])] = [
    (.configuration, "[clock]", SettingHelp.rows(of: ClockKey.self)),
    (.configuration, "[clock]", SettingHelp.rows(of: AppLimitKey.self) { $0.section == .clock }),
    (.configuration, "[sound]", SettingHelp.rows(of: SoundKey.self)),
    (.configuration, "[limits]", SettingHelp.rows(of: LimitKey.self)),
    (.configuration, "[limits]", SettingHelp.rows(of: AppLimitKey.self) { $0.section == .limits }),
    (.configuration, "[access]", SettingHelp.rows(of: AccessKey.self)),
    (.configuration, "[log]", SettingHelp.rows(of: LogKey.self)),
    (.configuration, "[plugin:NAME]", SettingHelp.rows(of: PluginHostKey.self)),
    (.configuration, "[app:ID]", SettingHelp.rows(of: AppKey.self)),
    (.configuration, "[app:ID]", SettingHelp.rows(of: AppLimitKey.self)),
    (.manifest, "[app]", SettingHelp.rows(of: ManifestKey.self)),
    (.manifest, "[app]", SettingHelp.rows(of: AppLimitKey.self)),
    (.limits, "[limits]", SettingHelp.rows(of: LimitKey.self)),
    (.plugins, "[plugin:NAME]", SettingHelp.rows(of: PluginHostKey.self)),
  ]

  @Test func everyKeyIsInHelpAndInItsManPage() throws {
    for (topic, section, rows) in Self.keys {
      #expect(!rows.isEmpty)
      let help = HelpText.topic(topic, width: 80)
      let page = ManPages.text(of: topic.document)
      let json = topic.document.rows(of: topic).map { JSONValue.object($0) }
      let part = try #require(
        help.components(separatedBy: "\n" + section + "\n").dropFirst().first, "\(section)")
      for row in rows {
        #expect(part.contains("\n  " + row.name) || part.hasPrefix("  " + row.name), "\(row.name)")
        #expect(page.contains("\n.B " + row.name + "\n"), "\(row.name)")
        #expect(
          json.contains {
            $0["section"]?.string == section && $0["name"]?.string == row.name
              && $0["default"]?.string == row.usual
          }, "\(row.name)")
      }
    }
  }

  /// A section that the parser knows and help does not would have no keys anywhere.
  @Test func everySectionOfTheConfigurationIsInHelp() {
    for name in ["sound", "[sound]", "plugin", "[plugin:NAME]", "plugin:mail", "app", "files"] {
      let part = HelpDocument.configuration.part(name)
      let help = part.map { HelpText.topic(.configuration, $0, width: 80) } ?? ""
      let head = name == "files" ? "\nFiles:\n" : "\n[" + name.filter { $0 != "[" }.prefix(3)
      #expect(help.contains(head) && !help.contains("\n[clock]\n"), "\(name)")
    }
    #expect(HelpDocument.configuration.part("nothing") == nil)
    let help = HelpText.topic(.configuration, width: 80)
    for section in ConfigurationSection.allCases where section != .daemon {
      #expect(
        help.contains("\n[" + section.rawValue + "]\n")
          || help.contains("\n[" + section.rawValue + ":"), "\(section)")
    }
  }

  @Test(arguments: HelpTopic.allCases, [100, 80, 40])
  func topicsFitTheTerminal(_ topic: HelpTopic, _ width: Int) {
    for line in HelpText.topic(topic, width: width).split(separator: "\n")
    where !line.hasPrefix("  belfry") {
      #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
    }
  }

  @Test(arguments: ManPages.names)
  func groffFindsNothingWrongWithAManPage(_ name: String) throws {
    let text = try #require(ManPages.text(of: name))
    #expect(text.hasPrefix(".TH \"" + name.replacingOccurrences(of: "-", with: "\\-").uppercased()))
    // mandoc counts a paragraph behind a heading, and an empty one, as mistakes.
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (line, next) in zip(lines, lines.dropFirst()) {
      #expect(!(line.hasPrefix(".S") && next == ".PP") && !line.hasSuffix(" "), "\(line)")
    }
    guard let groff = tool("groff") else { return }
    #expect(try run(groff, ["-man", "-Tutf8", "-ww", "-z"], input: text) == "")
  }

  @Test func pagesNameEachOther() {
    let known = Set(ManPages.names)
    for document in HelpTopic.pages {
      #expect(!document.seeAlso.isEmpty)
      for page in document.seeAlso { #expect(known.contains(page.name)) }
    }
  }

  @Test func helpListsTopicsAndKnowsNoOthers() {
    let overview = HelpText.overview(width: 80)
    for topic in HelpTopic.allCases {
      #expect(overview.contains("\n  " + topic.rawValue + " "))
      #expect(CommandTable.helpWords.filter { $0 == topic.rawValue }.count == 1)
      #expect(BashCompletion.script.contains(topic.rawValue))
      #expect(ZshCompletion.script.contains(topic.rawValue))
      #expect(FishCompletion.script.contains(topic.rawValue))
    }
    #expect(
      ShellCommands.noTopic("confguration").message
        == "no command or topic \"confguration\"; did you mean configuration?"
        + " (belfry help lists them)")
  }

  @Test func everyWordOfATopicIsARowForScripts() {
    for topic in HelpTopic.allCases {
      let rows = topic.document.rows(of: topic)
      #expect(!rows.isEmpty)
      for row in rows {
        #expect(
          row.members.map { $0.name } == [
            "topic", "section", "name", "values", "default", "meaning",
          ])
      }
    }
  }
}
