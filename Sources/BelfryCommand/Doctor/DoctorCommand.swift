import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// `belfry doctor`: every check, one line each, and what to do.
enum DoctorCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let socket = SocketPlace.find(context.given)
    let installation = try Installation.here()
    let peer = SocketCheck.peer(socket)
    let status = peer == nil ? nil : SocketCheck.status(socket)
    // The peer may be systemd, which has made the socket.
    let daemon = status?["pid"]?.integer.map { Int32(truncatingIfNeeded: $0) } ?? peer
    var files = SocketPlace.files(of: socket)
    if let path = status?["configuration"]?.string { files.configuration = path }
    if let path = status?["books"]?.string { files.store = path }
    var findings = [
      ProgramCheck.run(installation), SocketCheck.run(socket, served: status == nil ? nil : daemon),
    ]
    findings += ScopeCheck.run(status)
    findings += FileChecks.configuration(files.configuration, installation, status)
    findings += ReloadCheck.run(status)
    findings += StoreCheck.run(files.store, status)
    let board = BoardCheck()
    if let daemon, let up = status?["upSeconds"]?.integer {
      if let written = board.written(by: daemon, upSeconds: up) { findings.append(written) }
    }
    findings += ClockCheck.run() + board.clocks()
    findings += SoundCheck.run(installation)
    let sound = ProgramCommands.sound(context)
    findings += board.sound(
      devices: sound.contains { $0.hasPrefix("device=") }, process: speaker(daemon, status))
    findings += NamedSoundCheck.run(socket, status) { path in
      // Where nobody can say it is no fault of the sound's.
      let told = installation.run(
        "belfry-speaker", ["--check", path] + sound, seconds: 5, errors: false)
      return told.map { $0.end != .exited(1) } ?? true
    }
    findings += FileChecks.plugins([files.plugins] + installation.pluginFolders)
    findings += PluginCheck.run(status)
    findings += NamedSinkCheck.run(socket, status)
    findings += ExpiryCheck.run(socket, isThere: status != nil)
    findings += CapabilityCheck.run(daemon: daemon)
    findings += WakeCheck.run(status)
    findings += LaunchCheck.run(status)
    findings += ManifestFolderCheck.run(configuration: files.configuration, socket: socket)
    findings += CriticalCheck.run(status)
    findings += PauseCheck.run(status)
    let rules = context.followingAnyDaemon().board.rules
    findings += DaysCheck.run(
      socket, status, today: CivilTime(rules.wall(at: SystemClock.real())).date.days)
    findings += UserCheck.run(status)
    findings += board.missing([files.plugins] + installation.pluginFolders)
    for finding in findings { try say(finding, context) }
    if findings.contains(where: { $0.result == .fail }) {
      throw CommandError(status: .refused, message: "")
    }
  }

  /// A process with the speaker's rights; nil: the speaker is another user, and does not run now.
  private static func speaker(_ daemon: Int32?, _ status: JSONObject?) -> String? {
    if let pid = status?["speaker"]?.object?["pid"]?.integer { return String(pid) }
    if status?["users"]?.object?["speaker"] != nil { return nil }
    return daemon.map { String($0) } ?? "self"
  }

  private static func say(_ finding: Finding, _ context: CommandContext) throws(CommandError) {
    if context.json { return try context.say(finding.json) }
    for line in finding.lines(width: context.width, paint: context.paint) { try context.line(line) }
  }
}

/// Whether the daemon tells whoever asks all that it knows (R5).
enum ScopeCheck {
  /// `status` is the daemon's; nil: there is none to ask.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard status?["scope"]?.string == "own" else { return [] }
    return [
      .warn(
        "scope",
        "the daemon tells this user of his own notifications alone: why a sink is not well, how "
          + "apps are started, manifests and the daemon's files are not checked",
        "ask again as root or as a member of the operator's group ([access] group)")
    ]
  }
}

/// Whether the programs are all here.
enum ProgramCheck {
  static func run(_ installation: Installation) -> Finding {
    let names = ["belfryd", "belfry-worker", "belfry-speaker"]
    let missing = names.filter { installation.find($0) == nil }
    if missing.isEmpty {
      let places = installation.folders.filter { folder in
        names.contains { Files.may(folder + "/" + $0, 1) }
      }
      return .ok("programs", "all in " + places.joined(separator: " and "))
    }
    return .fail(
      "programs", missing.joined(separator: ", ") + " not in " + installation.folders[0],
      "install them beside belfry, or in ../libexec/belfry")
  }
}

/// Whether a daemon answers.
enum SocketCheck {
  /// The process that listens there; nil: nobody.
  static func peer(_ socket: String) -> Int32? {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(socket)
      return try UnixSocket.credentials(of: connection).pid
    } catch {
      return nil
    }
  }

  /// What the daemon says of itself; nil: it says nothing.
  static func status(_ socket: String) -> JSONObject? {
    do throws(CommandError) {
      return try Daemon.connect(path: socket).ask { client throws(ClientError) in
        try client.status(milliseconds: 5000)
      }
    } catch {
      return nil
    }
  }

  /// `served`: by whom; nil: whoever holds it does not answer.
  static func run(_ socket: String, served: Int32?) -> Finding {
    do throws(SystemError) {
      let connection = try UnixSocket.connect(socket)
      guard let pid = served else {
        let pid = try UnixSocket.credentials(of: connection).pid
        return .fail(
          "socket", "process \(pid) holds " + socket + " and does not answer",
          "its log says more; " + SocketPlace.again(Int64(pid)))
      }
      return .ok("socket", socket + " is served by process \(pid)")
    } catch {
      switch error.code {
      case SystemError.noEntry:
        return .fail(
          "socket", "no daemon: " + socket + " does not exist",
          SocketPlace.start(of: socket))
      case SystemError.refused:
        return .fail(
          "socket", "no daemon: nobody serves " + socket,
          SocketPlace.start(of: socket)
            + ((try? Files.status(socket))?.kind == .socket ? "; its log says more" : ""))
      case SystemError.noAccess:
        return .fail(
          "socket", "no right to open " + socket, "run as its owner, or have a look at its mode")
      default:
        return .fail("socket", socket + ": " + error.reason, "name another --socket")
      }
    }
  }
}

/// How the configured plugins and the speaker are doing.
enum PluginCheck {
  /// `status` is the daemon's; nil: there is none, so nothing runs.
  static func run(_ status: JSONObject?) -> [Finding] {
    guard let status else { return [] }
    let rows = (status["plugins"]?.array ?? []).compactMap { $0.object }
    // What has not been up yet may show them.
    let showing = rows.filter { row in
      row["capabilities"]?.array?.contains { $0.string?.hasPrefix("delivery/") ?? false } ?? true
    }
    let shows = !showing.isEmpty
    let isUp = showing.contains { $0["state"]?.string == "running" }
    let missing =
      !shows
      ? [
        Finding.warn(
          "sink",
          "nothing shows alerts: "
            + (rows.isEmpty ? "no plugin is configured" : "none of the plugins does"),
          "write [plugin:console] and file = console into "
            + (status["configuration"]?.string ?? "belfry.conf")
            + ", then belfry reload; belfry help plugins names the others")
      ] : []
    return missing
      + (rows + [status["speaker"]?.object].compactMap { $0 }).compactMap {
        judge($0, isUp: isUp)
      }
  }

  /// `isUp`: of what shows alerts something is.
  private static func judge(_ row: JSONObject, isUp: Bool) -> Finding? {
    guard let name = row["name"]?.string, let state = row["state"]?.string else { return nil }
    let reason = (row["reason"]?.string ?? row["healthText"]?.string).map { ": " + $0 } ?? ""
    let silence = row["silenced"]?.string.map { ": " + $0 } ?? ""
    let finding = name + " is " + state + reason
    switch state {
    case "no-device":
      return .warn(
        "sink", name + " found nothing to play on" + reason,
        (isUp ? "alerts show; " : "") + "plug in a card, load its driver, or name a [sound] device"
      )
    case "switched off":
      return .warn("sink", "nothing sounds" + silence, "set [sound] enabled = yes")
    case "quarantined":
      return .fail(
        "sink", finding, "mend that, then run belfry reload")
    case "waiting to restart":
      return .warn("sink", finding, "the log of belfryd says more; it is started again by itself")
    default:
      if !silence.isEmpty { return .warn("sink", name + " is silent now" + silence, "") }
      guard let health = row["health"]?.string, health != "good" else { return nil }
      let said = row["healthText"]?.string.map { name + " is not well: " + $0 }
      return .warn(
        "sink", said ?? name + " calls its health " + health + reason,
        "belfry history --state failed says more")
    }
  }
}

/// Whether the kernel's clock can be believed.
enum ClockCheck {
  static func run() -> [Finding] {
    var findings: [Finding] = []
    if let discipline = SystemClock.discipline() {
      findings.append(
        discipline.synchronised
          ? .ok(
            "clock",
            "synchronised, off by at most " + LocalWords.span(discipline.error))
          : .warn(
            "clock", "the kernel does not call it synchronised",
            "run a time client: " + BoardCheck().install("chrony")))
    } else {
      findings.append(.warn("clock", "the kernel does not say", "nothing; alerts go by it anyway"))
    }
    return findings
  }
}

/// Whether there is something to sound with.
enum SoundCheck {
  static func run(_ installation: Installation) -> [Finding] {
    guard let text = installation.output("belfry-speaker", ["--list-devices"], seconds: 5) else {
      return [
        .warn(
          "sound", "belfry-speaker --list-devices gave no answer",
          "run it by hand; alerts still show")
      ]
    }
    let devices = text.split(separator: "\n").map { String($0) }.filter { !$0.isEmpty }
    if devices.isEmpty {
      return [
        .warn(
          "sound", "ALSA knows no device to play on: nothing sounds",
          "plug in a card, load its driver, see aplay -l")
      ]
    }
    return devices.map { .ok("sound", $0) }
  }
}
