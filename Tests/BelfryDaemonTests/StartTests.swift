import BelfryCore
import BelfrySystem
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

@Suite struct StartTests {
  @Test(
    arguments: [
      ([], nil),
      (["--user"], .user),
      (["--system"], .system),
      (["--directory", "/srv/b"], .directory("/srv/b")),
      (["--directory=/srv/b=c"], .directory("/srv/b=c")),
    ] as [([String], DaemonOptions.Home?)])
  func homes(words: [String], home: DaemonOptions.Home?) throws {
    #expect(try DaemonOptions.parse(words).home == home)
  }

  @Test(arguments: [
    ["--frob"], ["file"], ["--directory"], ["--directory="], ["--check"], ["--user", "--system"],
    ["--user=1"], ["--directory", "/a", "--user"], [""], ["-x"],
  ])
  func wrongWordsAreUsageErrors(words: [String]) {
    let error = #expect(throws: StartFailure.self) { try DaemonOptions.parse(words) }
    #expect(error?.status == .usage)
    #expect(error?.line.contains("\n") == false)
  }

  @Test func theOthersAreRead() throws {
    let options = try DaemonOptions.parse(["--localtime", "/l", "--zoneinfo=/z", "--help"])
    #expect(options.localtime == "/l" && options.zoneinfo == "/z" && options.wantsHelp)
    #expect(try DaemonOptions.parse(["--version"]).wantsVersion)
    #expect(try DaemonOptions.parse(["--check", "/c"]).checked == "/c")
  }

  @Test func T7_zoneFilesThatAreNamedAndNotThereAreTold() throws {
    let scratch = try Scratch()
    for words in [
      ["--zoneinfo", scratch["none"]], ["--zoneinfo", "/etc/passwd"],
      ["--localtime", scratch["none"]], ["--localtime", "/etc"], ["--localtime", "Europe/Berlin"],
    ] {
      #expect(try DaemonOptions.parse(words).zoneProblem?.contains(words[1]) == true)
    }
    let zone = "/usr/share/zoneinfo/Europe/Berlin"
    let good = ["--localtime", zone, "--zoneinfo=/usr/share"]
    #expect(try DaemonOptions.parse(good).zoneProblem == nil)
    #expect(try DaemonOptions.parse(["--user"]).zoneProblem == nil)
  }

  /// T2: by UTC an alarm of a board in the west would ring hours before its time.
  @Test func T2_aZoneFileThatIsBeingReplacedIsReadAgain() throws {
    let scratch = try Scratch()
    let path = scratch["localtime"]
    let tokyo = try Files.read("/usr/share/zoneinfo/Asia/Tokyo", limit: 4096)
    try Files.write(Array(tokyo.prefix(60)), to: path)
    let files = ZoneFiles(localtime: path)
    // A thread of its own: those of tasks may all be taken by other tests.
    let writer = Thread { try? Files.write(tokyo, to: path) }
    writer.start()
    // Longer than at a real start: the machine may be busy.
    let board = try ZoneStart.board(
      files, LogRing(output: Output.error, prefixes: false), tries: 200)
    while !writer.isFinished { Thread.sleep(forTimeInterval: 0.01) }
    #expect(board?.rules.offset(at: Instant(nanoseconds: 0)) == Int32(9 * 3600))
  }

  @Test func aDirectoryHoldsEverything() throws {
    let paths = try Paths.find(
      .directory("/srv/bells/"), uid: 1000, program: "/opt/bin", variable: { _ in nil })
    #expect(paths.socket == "/srv/bells/socket")
    #expect(paths.configuration == "/srv/bells/belfry.conf")
    #expect(paths.store == "/srv/bells/books.sqlite")
    #expect(paths.run == "/srv/bells/run")
    #expect(paths.socketMode == 0o600)
    #expect(
      paths.plugins == [
        "/srv/bells/plugins", "/opt/bin", "/opt/lib/belfry/plugins",
        "/usr/local/lib/belfry/plugins", "/usr/lib/belfry/plugins",
      ])
    #expect(paths.programs == ["/opt/bin", "/opt/libexec/belfry"])
    #expect(paths.sounds.first == "/srv/bells/sounds")
    #expect(paths.sounds.last == "/usr/share/sounds")
  }

  @Test func A1_manifestsOfAUsersDaemonAreHisFirst() throws {
    let system = ["/etc/belfry/apps", "/usr/local/share/belfry/apps", "/usr/share/belfry/apps"]
      .map { ManifestFolder(path: $0, user: nil) }
    func folders(
      _ home: DaemonOptions.Home, uid: UInt32, _ variables: [String: String] = [:]
    ) throws -> [ManifestFolder] {
      try Paths.find(home, uid: uid, program: "/bin", variable: { variables[$0] }).manifests
    }
    var variables = ["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(
      try folders(.user, uid: 7, variables)
        == [ManifestFolder(path: "/home/a/.config/belfry/apps", user: 7)] + system)
    variables["XDG_CONFIG_HOME"] = "/srv/c"
    #expect(
      try folders(.user, uid: 7, variables).first
        == ManifestFolder(path: "/srv/c/belfry/apps", user: 7))
    #expect(try folders(.system, uid: 0) == system)
    #expect(
      try folders(.directory("/srv/b"), uid: 0) == [ManifestFolder(path: "/srv/b/apps", user: nil)])
    #expect(
      try folders(.directory("/srv/b"), uid: 7) == [ManifestFolder(path: "/srv/b/apps", user: 7)])
  }

  @Test func aUserHasTheXDGPlaces() throws {
    let variables = ["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7", "XDG_DATA_HOME": "data"]
    let paths = try Paths.find(.user, uid: 7, program: "/bin", variable: { variables[$0] })
    #expect(paths.socket == "/run/user/7/belfry/socket")
    #expect(paths.configuration == "/home/a/.config/belfry/belfry.conf")
    #expect(paths.store == "/home/a/.local/state/belfry/books.sqlite")
    #expect(paths.sounds.first == "/home/a/.local/share/belfry/sounds")
    let error = #expect(throws: StartFailure.self) {
      try Paths.find(.user, uid: 7, program: "/bin", variable: { _ in nil })
    }
    #expect(error?.status == .noRights)
  }

  @Test(
    arguments: [
      (0o600, true), (0o644, true), (0o664, false), (0o646, false), (0o666, false),
    ] as [(mode_t, Bool)])
  func A3_aConfigurationThatOthersCanWriteIsNotLoaded(mode: mode_t, isLoaded: Bool) throws {
    let scratch = try Scratch()
    try Files.write(Array("[limits]\nnotifications = 7\n".utf8), to: scratch["belfry.conf"])
    #expect(chmod(scratch["belfry.conf"], mode) == 0)
    let loaded = try LoadedConfiguration.load(scratch["belfry.conf"], uid: geteuid())
    #expect((loaded.configuration.scheduler.notifications == 7) == isLoaded)
    #expect((loaded.distrust == nil) == isLoaded)
  }

  @Test func A4_aMistakeNamesFileAndLine() throws {
    let scratch = try Scratch()
    try Files.write(Array("[clock]\nfoo = 7\n".utf8), to: scratch["belfry.conf"])
    let error = #expect(throws: StartFailure.self) {
      try LoadedConfiguration.load(scratch["belfry.conf"], uid: geteuid())
    }
    #expect(error?.status == .configuration)
    #expect(error?.line.contains("belfry.conf:2: ") == true)
    let folder = #expect(throws: StartFailure.self) {
      try LoadedConfiguration.load(scratch.path, uid: geteuid())
    }
    #expect(folder?.status == .configuration)
  }

  @Test(
    arguments: [
      (nil, nil, false), ("0", "PID", false), ("1", "1", false), ("2", "PID", true),
      ("x", "PID", true),
    ] as [(String?, String?, Bool)])
  func activationIsForUsAndOneSocketOrARefusal(
    count: String?, pid: String?, isRefused: Bool
  ) throws {
    let variables = ["LISTEN_FDS": count, "LISTEN_PID": pid == "PID" ? "\(getpid())" : pid]
    var refused = false
    do {
      let socket = try Activation.socket(pid: getpid(), variable: { variables[$0] ?? nil })
      let isThere = socket != nil
      #expect(!isThere)
    } catch {
      refused = true
    }
    #expect(refused == isRefused)
  }

  @Test func childrenKeepWhatTheyNeedAndNothingElse() {
    let given = [
      "PATH=/bin", "HOME=/h", "LANG=C", "LC_ALL=C", "TZ=UTC", "XDG_RUNTIME_DIR=/r",
      "DBUS_SESSION_BUS_ADDRESS=unix:x", "ALSA_CARD=1", "PULSE_SERVER=x",
      "LISTEN_FDS=1", "LISTEN_PID=1", "NOTIFY_SOCKET=@n", "WATCHDOG_USEC=1", "LD_PRELOAD=x",
      "PATHS=1", "BELFRY_FAILPOINT=x", "=odd", "",
    ]
    #expect(ChildEnvironment.filter(given) == Array(given[..<9]))
    // T7: `[clock] zone` wins.
    let zoned = ChildEnvironment.adding("Asia/Tokyo", to: ["TZ=UTC", "LANG=C"])
    #expect(zoned == ["LANG=C", "TZ=Asia/Tokyo"])
    #expect(ChildEnvironment.adding(nil, to: ["TZ=UTC"]) == ["TZ=UTC"])
  }

  @Test func childrenAndPluginsAreFoundInOrderNeverThroughPATH() throws {
    let scratch = try Scratch()
    for folder in ["a", "b"] { try Files.makeFolders(scratch[folder], mode: 0o700) }
    try Files.write([], to: scratch["a/belfry-worker"], mode: 0o600)
    try Files.write([], to: scratch["b/belfry-worker"], mode: 0o700)
    try Files.write([], to: scratch["b/libbelfry-console.so"])
    try Files.write([], to: scratch["b/exec.so"])
    try Files.makeFolders(scratch["a/exec"], mode: 0o700)
    let folders = [scratch["a"], scratch["b"]]
    let find = { (name: String) in ChildProgram.findPlugin(name, in: folders) }
    #expect(find("console") == scratch["b/libbelfry-console.so"])
    #expect(find("exec") == scratch["b/exec.so"])
    #expect(find("none") == nil)
    #expect(find(scratch["b/exec.so"]) == scratch["b/exec.so"])
    #expect(find("./none.so") == nil)
    #expect(ChildProgram.find("sh", in: folders) == nil)
    // Root may run anything that has a bit set for somebody, so the first is skipped for all.
    #expect(ChildProgram.find("belfry-worker", in: folders) == scratch["b/belfry-worker"])
  }
}
