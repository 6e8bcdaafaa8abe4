import Foundation
import Testing

@testable import BelfryCommand

struct UnitCommandTests {
  @Test func thePathIsWhereTheProgramIs() {
    let unit = UnitCommand.unit(daemon: "/opt/100% \"bells\"/belfryd", user: false)
    #expect(unit.contains("ExecStart=\"/opt/100%% \\\"bells\\\"/belfryd\" --system\n"))
    #expect(unit.contains("Type=notify\n"))
    #expect(unit.contains("WatchdogSec=0\n"))
    #expect(unit.contains("DeviceAllow=char-alsa rw\n"))
    #expect(unit.contains("CAP_WAKE_ALARM\n"))
  }

  @Test(arguments: [false, true])
  func D8_whateverEndsTheClockItComesBack(_ user: Bool) {
    let unit = UnitCommand.unit(daemon: "/usr/bin/belfryd", user: user)
    for line in ["StartLimitIntervalSec=0", "Restart=always", "OOMPolicy=continue"] {
      #expect(unit.contains("\n\(line)\n"))
    }
    #expect(!unit.contains("\nMemoryMax") && !unit.contains("RestartPrevent"))
  }

  @Test func D8_theServiceIsAUserOfItsOwnAndSystemdCallsItSafe() throws {
    let text = UnitCommand.unit(daemon: "/bin/true", user: false)
    for line in ["User=belfry", "OOMScoreAdjust=-900"] { #expect(text.contains("\n\(line)\n")) }
    for user in ["belfry", "belfry-worker", "belfry-speaker"] {
      #expect(text.contains("useradd --system") && text.contains("#   u \(user) -\n"))
    }
    guard let analyze = tool("systemd-analyze") else { return }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("belfry.service")
    try text.write(to: file, atomically: true, encoding: .utf8)
    let said = try run(
      analyze, ["security", "--offline=true", "--no-pager", "--threshold=20", file.path],
      input: "", environment: [:])
    let line = try #require(said.split(separator: "\n").last { $0.contains("Overall exposure") })
    let level = try #require(line.split(separator: " ").compactMap { Double($0) }.last)
    #expect(level <= 2.0, "\(line)")
  }

  @Test func aUsersUnitAsksForNothingThatNeedsPrivileges() {
    let unit = UnitCommand.unit(daemon: "/usr/bin/belfryd", user: true)
    #expect(unit.contains("ExecStart=\"/usr/bin/belfryd\" --user\n"))
    #expect(unit.contains("WantedBy=default.target\n"))
    for word in ["Protect", "Private", "Capabilit", "Device"] { #expect(!unit.contains(word)) }
  }

  @Test(arguments: [false, true])
  func systemdFindsNothingWrong(_ user: Bool) throws {
    guard let analyze = tool("systemd-analyze") else { return }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("belfry.service")
    // Any program that is there will do for ExecStart.
    try UnitCommand.unit(daemon: "/bin/true", user: user).write(
      to: file, atomically: true, encoding: .utf8)
    let said = try run(
      analyze, (user ? ["--user"] : []) + ["verify", "--man=no", file.path], input: "",
      environment: ["XDG_RUNTIME_DIR": folder.path])
    #expect(!said.contains("belfry.service"), "\(said)")
    #expect(!said.contains("nknown"), "\(said)")
  }
}
