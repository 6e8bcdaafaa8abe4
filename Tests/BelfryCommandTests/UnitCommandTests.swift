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
    #expect(unit.contains("CAP_SYS_NICE CAP_WAKE_ALARM"))
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
