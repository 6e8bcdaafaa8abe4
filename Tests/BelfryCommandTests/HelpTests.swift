import Foundation
import Testing

@testable import BelfryCommand

struct HelpTests {
  @Test(arguments: CommandTable.all.map { $0.name })
  func helpListsEveryOptionAndExample(_ name: String) throws {
    let spec = try #require(CommandTable.spec(name))
    let text = HelpText.command(spec, width: 80)
    for option in spec.options + OptionTable.common {
      #expect(text.contains("--" + option.rawValue))
    }
    for example in spec.examples { #expect(text.contains(example.line)) }
    #expect(!spec.examples.isEmpty)
  }

  @Test(arguments: [100, 80, 40])
  func helpFitsTheTerminal(_ width: Int) {
    let texts =
      CommandTable.all.map { HelpText.command($0, width: width) }
      + ["sound", "plugin", "inbox", "app"].map { HelpText.family($0, width: width) }
      + [HelpText.overview(width: width)]
    for line in texts.joined().split(separator: "\n") where !line.hasPrefix("  belfry") {
      #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
    }
  }

  @Test func helpSaysWhatAnOptionIsToItsCommand() throws {
    let next = HelpText.command(try #require(CommandTable.spec("next")), width: 100)
    #expect(next.contains("which rule moved") && !next.contains("push"))
    let push = HelpText.command(try #require(CommandTable.spec("push")), width: 100)
    #expect(push.contains("how each property was understood") && !push.contains("occurrence"))
    let act = HelpText.command(try #require(CommandTable.spec("act")), width: 100)
    #expect(act.contains("Usage: belfry act ID.. [ACTION] [OPTION..]\n"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsKnowEveryOptionAndCommand(_ shell: String) {
    let script =
      shell == "bash"
      ? BashCompletion.script
      : shell == "zsh" ? ZshCompletion.script : FishCompletion.script
    let dashes = shell == "fish" ? "-l " : "--"
    for option in OptionName.allCases { #expect(script.contains(dashes + option.rawValue)) }
    for spec in CommandTable.all {
      for word in spec.name.split(separator: " ") { #expect(script.contains(word)) }
    }
  }

  @Test func manPageKnowsEveryCommandAndOption() {
    let page = ManPage.text.replacingOccurrences(of: "\\-", with: "-")
    for spec in CommandTable.all { #expect(page.contains(spec.name)) }
    for option in OptionName.allCases
    where CommandTable.all.contains(where: { $0.options.contains(option) }) {
      #expect(page.contains("--" + option.rawValue))
    }
  }

  @Test func groffFindsNothingWrongWithTheManPage() throws {
    guard let groff = tool("groff") else { return }
    let said = try run(groff, ["-man", "-Tutf8", "-ww", "-z"], input: ManPage.text)
    #expect(said == "")
  }

  /// What is typed as it stands begins no sentence with a capital.
  @Test func theManPageKeepsValuesAsTheyAreTyped() {
    for words in [
      "\npassive, active (default)", "\nabsolute, an instant", "\nsecond, minute, hour",
      "\nThe alert",
    ] {
      #expect(ManPage.text.contains(words), "\(words)")
    }
  }

  @Test func shellsCanReadTheirCompletions() throws {
    for (shell, script) in [
      ("bash", BashCompletion.script), ("zsh", ZshCompletion.script),
      ("fish", FishCompletion.script),
    ] {
      guard let path = tool(shell) else { continue }
      #expect(try run(path, ["-n", "/dev/stdin"], input: script) == "", "\(shell)")
    }
  }

  /// Names are somebody's own, and none of them may become a command.
  @Test func bashOffersWhatThisMachineKnowsAndRunsNoneOfIt() throws {
    let bash = try #require(tool("bash"))
    let ask = """

      belfry() { [ "$1 $2" = "completion identifiers" ] && printf '%s\\n' tea 'tea $(touch x) `x`'; }
      COMP_WORDS=(belfry cancel te); COMP_CWORD=2; _belfry; printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(
      try run(bash, [], input: BashCompletion.script + ask)
        == "tea\ntea\\ \\$\\(touch\\ x\\)\\ \\`x\\`\n")
  }

  /// The daemon and the app of the line are those that are asked.
  @Test(arguments: ["--app kiosk", "--socket s --app kiosk", "--app = kiosk"])
  func bashAsksForTheAppOfTheLine(_ options: String) throws {
    let bash = try #require(tool("bash"))
    let ask = """

      belfry() { echo "$*" | tr ' ' _; }
      COMP_WORDS=(belfry \(options) cancel ''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _belfry
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let words = options.replacing(" = ", with: " ").replacing(" ", with: "_")
    #expect(
      try run(bash, [], input: BashCompletion.script + ask) == words + "_completion_identifiers\n")
  }

  @Test func bashOffersFilesWithBlanks() throws {
    let bash = try #require(tool("bash"))
    let ask = """

      cd "$(mktemp -d)"; touch 'a bell.wav'
      COMP_WORDS=(belfry sound check a); COMP_CWORD=3; _belfry
      printf '<%s>' "${COMPREPLY[@]}"; rm a*; rmdir "$PWD"
      """
    #expect(try run(bash, [], input: BashCompletion.script + ask) == "<a bell.wav>")
  }

  /// Asks bash itself what it would offer.
  @Test(arguments: [
    ("belfry sch", "schedule"), ("belfry sound pl", "play"), ("belfry schedule --bo", "--body"),
    ("belfry schedule --repeat quar", "quarter"), ("belfry --json li", "list"),
    ("belfry completion z", "zsh"), ("belfry list --del", "--delivered"),
    ("belfry help sno", "snooze"), ("belfry --app kiosk sche", "schedule"),
    ("belfry --app = kiosk sche", "schedule"), ("belfry --app list sound pl", "play"),
    ("belfry schedule --repeat = quar", "quarter"), ("belfry schedule --on =", "enter\nexit\nboth"),
    ("belfry next -n 3 --rep", "--repeat"), ("belfry schedule --body --app --le", "--level"),
    ("belfry schedule --body = x --le", "--level"),
  ])
  func bashOffersWhatFits(_ line: String, _ expected: String) throws {
    let bash = try #require(tool("bash"))
    let words = line.split(separator: " ").map { "'" + $0 + "'" }.joined(separator: " ")
    let ask = """

      COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _belfry
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try run(bash, [], input: BashCompletion.script + ask) == expected + "\n")
  }
}

/// Where a program is; nil: not on this machine.
func tool(_ name: String) -> String? {
  for folder in ["/usr/bin/", "/bin/", "/usr/local/bin/"]
  where FileManager.default.isExecutableFile(atPath: folder + name) {
    return folder + name
  }
  return nil
}

/// What a program says on both its outputs.
func run(
  _ program: String, _ arguments: [String], input: String, environment: [String: String] = [:]
) throws -> String {
  let process = Foundation.Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  try input.write(to: file, atomically: true, encoding: .utf8)
  defer { try? FileManager.default.removeItem(at: file) }
  process.standardInput = try FileHandle(forReadingFrom: file)
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let said = pipe.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  return String(decoding: said, as: UTF8.self)
}
