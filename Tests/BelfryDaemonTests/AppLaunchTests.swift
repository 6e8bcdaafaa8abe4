import BelfryCore
import BelfrySystem
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

@Suite struct AppLaunchTests {
  private let scratch: Scratch
  private let uid = BelfrySystem.Process.uid

  init() throws {
    scratch = try Scratch()
    try Files.setMode(0o755, of: scratch.path)
  }

  private func rights(_ change: (inout LaunchRights) -> Void = { _ in }) -> LaunchRights {
    var rights = LaunchRights.find(uid: uid, isUsers: false, variable: { _ in nil })
    change(&rights)
    return rights
  }

  private func launch(
    _ launch: AppManifest.Launch, user: UInt32? = nil, rights: LaunchRights? = nil
  ) -> AppStart {
    AppLaunch(
      app: "org.clock", attempt: 1, launch: launch, user: user ?? uid,
      rights: rights ?? self.rights(), socket: "/run/belfry/socket",
      environment: ["LANG=C.UTF-8", "HOME=/ours", "DISPLAY=:0"]
    ).run()
  }

  private func reason(_ start: AppStart) -> String {
    if case .failed(let reason) = start { reason } else { "it was started" }
  }

  private func script(_ text: String, mode: UInt32 = 0o755) throws -> String {
    try Files.write(Array("#!/bin/sh\n\(text)\n".utf8), to: scratch["program"], mode: mode)
    try Files.setMode(mode, of: scratch["program"])
    return scratch["program"]
  }

  /// What a program of this text writes to the file `out`.
  private func output(_ text: String, user: UInt32? = nil) throws -> [String] {
    let folder = scratch["room"]
    try Files.makeFolder(folder, mode: 0o777)
    try Files.setMode(0o777, of: folder)
    let path = try script("exec > \(folder)/out 2>&1\n\(text)")
    guard case .program(let program) = launch(.executable(path), user: user) else {
      Issue.record("it was not started")
      return []
    }
    #expect(try program.child.reap(wait: true) == .exited(0))
    let bytes = try Files.read(folder + "/out", limit: 1 << 20)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }

  @Test func D3_aProgramIsStartedWithItsSocketAndItsApp() throws {
    let lines = Set(try output("env; echo standing in $PWD"))
    #expect(
      lines.isSuperset(of: [
        "BELFRY_SOCKET=/run/belfry/socket", "BELFRY_APP=org.clock", "HOME=/ours", "DISPLAY=:0",
      ]))
  }

  @Test(.enabled(if: BelfrySystem.Process.uid == 0))
  func A1_aProgramRunsAsItsUserWithNothingOfOurs() throws {
    setenv("NOTIFY_SOCKET", "/ours", 1)
    let stray = open("/dev/null", O_RDONLY)
    // Left open by some starter of ours.
    let strays = [fcntl(stray, F_DUPFD, 50), fcntl(stray, F_DUPFD, 500)]
    defer { for number in strays + [stray] { close(number) } }
    let lines = try output(
      "id -ru; id -u; id -rg; id -G; pwd; umask; env | sort; ls /proc/self/fd | tr '\\n' ' '; echo; "
        + "readlink /proc/$$/fd/0; cut -d' ' -f5,6 /proc/$$/stat | sed \"s/$$/self/g\"; "
        + "grep -E 'Sig(Blk|Ign)|CapEff|CapPrm' /proc/self/status",
      user: 1)
    let account = try #require(Account.find("daemon"))
    #expect(Array(lines.prefix(3)) == ["1", "1", "\(account.gid)"])
    #expect(lines[3] == "\(account.gid)")
    #expect(lines[4] == account.home)
    #expect(lines[5] == "0022")
    let variables = lines.filter { $0.contains("=") }
    #expect(
      Set(variables.map { String($0.split(separator: "=")[0]) })
        == [
          "BELFRY_APP", "BELFRY_SOCKET", "HOME", "LANG", "LOGNAME", "PATH", "PWD", "SHELL", "USER",
        ])
    #expect(variables.contains("HOME=" + account.home) && variables.contains("USER=daemon"))
    // ls opens the folder that it lists.
    #expect(lines.contains("0 1 2 3 "))
    #expect(lines.contains("/dev/null"))
    // It leads its process group and its session.
    #expect(lines.contains("self self"), "\(lines)")
    #expect(lines.contains("SigBlk:\t0000000000000000"))
    // But for the two that libc keeps to itself (nptl(7)), as whoever started us left them.
    let ignored = lines.first { $0.hasPrefix("SigIgn:") }?.split(separator: "\t").last
    #expect(ignored.flatMap { UInt64($0, radix: 16) }.map { $0 & ~0x1_8000_0000 } == 0)
    #expect(lines.contains("CapEff:\t0000000000000000"))
    #expect(lines.contains("CapPrm:\t0000000000000000"))
  }

  @Test func D3_whatCannotBeStartedSaysWhy() throws {
    let path = try script("true", mode: 0o644)
    #expect(reason(launch(.executable(path))).contains("is not executable"))
    #expect(reason(launch(.executable("/no/such/program"))).contains("No such file"))
    #expect(reason(launch(.executable("/tmp"))).contains("is not a file"))
    try Files.write(Array("nonsense".utf8), to: scratch["broken"], mode: 0o755)
    try Files.setMode(0o755, of: scratch["broken"])
    #expect(reason(launch(.executable(scratch["broken"]))).contains("start"))
    if uid == 0 {
      #expect(reason(launch(.executable("/bin/true"), user: 4711)).contains("/etc/passwd"))
    }
  }

  @Test func A3_aProgramThatOthersCanWriteIsNotStarted() throws {
    for mode: UInt32 in [0o777, 0o775, 0o757] {
      let path = try script("true", mode: mode)
      #expect(reason(launch(.executable(path))).contains("can be written by others"))
    }
    guard uid == 0 else { return }
    let path = try script("true")
    #expect(chown(path, 1001, 1001) == 0)
    #expect(reason(launch(.executable(path), user: 1)).contains("belongs to user 1001"))
  }

  @Test func A3_aProgramBelowAFolderThatOthersCanWriteIsNotStarted() throws {
    let folder = scratch["open"]
    try Files.makeFolders(folder + "/bin", mode: 0o755)
    try Files.write(Array("#!/bin/sh\n".utf8), to: folder + "/bin/program", mode: 0o755)
    try Files.setMode(0o755, of: folder + "/bin/program")
    try Files.setMode(0o777, of: folder)
    #expect(reason(launch(.executable(folder + "/bin/program"))).hasPrefix(folder + ", above"))
  }

  @Test func D3_aDaemonThatMayNotSaysSo() {
    let other = rights { $0.changesUser = false }
    #expect(
      reason(launch(.executable("/bin/true"), user: uid + 1, rights: other)).contains("name a unit")
    )
    let confined = rights { $0.isConfined = true }
    #expect(reason(launch(.executable("/bin/true"), rights: confined)).contains("name a unit"))
    let bare = rights { $0.systemctl = nil }
    #expect(reason(launch(.unit("a.service"), rights: bare)).contains("no systemctl"))
    let without = rights {
      $0.systemctl = "/bin/true"
      $0.hasManager = false
    }
    #expect(reason(launch(.unit("a.service"), rights: without)).contains("no systemd runs"))
  }

  @Test(arguments: [(false, "start -- clock.service"), (true, "--user start -- clock.service")])
  func D3_aUnitIsStartedBySystemctl(isUsers: Bool, words: String) throws {
    let path = try script("echo \"$@\"; exit 5")
    let start = launch(
      .unit("clock.service"),
      rights: rights {
        $0.systemctl = path
        $0.hasManager = true
        $0.isUsers = isUsers
      })
    guard case .unit(let program) = start else {
      Issue.record("\(reason(start))")
      return
    }
    #expect(try program.child.reap(wait: true) == .exited(5))
    #expect(program.firstLine() == "--no-ask-password --no-pager " + words)
  }
}
