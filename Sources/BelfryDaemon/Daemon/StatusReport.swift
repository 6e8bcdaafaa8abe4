import BelfryCore
import BelfrySystem
import BelfryWire

/// What `Status` answers; `plugins` is what `plugin list` shows.
///
/// Whoever asks learns how the clock is, what is due for himself, and how the sinks are in a word. The
/// rest, which tells of other users or of the board's insides, is for those who see all
/// (`SchedulerEngine.seesAll`); the place is for those who may know it (R5).
struct StatusReport {
  private let daemon: Daemon
  private let peer: Peer
  private let status: SchedulerStatus
  private let now = SystemClock.now()

  init(_ daemon: Daemon, for peer: Peer) {
    self.daemon = daemon
    self.peer = peer
    status = daemon.scheduler.status(for: peer)
  }

  /// Looks at nothing that could wait.
  func object() -> JSONObject {
    var report: JSONObject = [
      "version": .string(DaemonOptions.version), "pid": .integer(Int64(Process.pid)),
      "socket": .string(daemon.paths.socket),
      "scope": .string(status.isWhole ? "board" : "own"),
    ]
    if status.isWhole {
      report.append("books", .string(daemon.paths.store))
      report.append("configuration", .string(daemon.paths.configuration))
      addDifferences(&report)
      daemon.storeCondition.append(to: &report)
      daemon.lookForDamagedFiles()
    }
    report.append(
      "upSeconds", .integer((now.elapsed - daemon.startedAt.elapsed) / Nanoseconds.second))
    report.append("clock", .object(clock))
    report.append("zone", .string(daemon.zones.board?.name ?? "UTC"))
    addCounts(&report)
    if let demoted = daemon.scheduler.demotedReport(for: peer) {
      report.append("demoted", .object(demoted))
    }
    let paused = status.pauses.parameters
    if paused != [:] { report.append("paused", .object(paused)) }
    addDays(&report)
    if status.isWhole { addApps(&report) }
    if let reason = status.heldReason { report.append("heldReason", .string(reason)) }
    if let next = status.next {
      report.append("nextDue", .string(RFC3339.text(next.due)))
      report.append("nextIn", .string(Nanoseconds.words(next.due.nanoseconds(since: now.real))))
      report.append("nextMode", .string(next.mode.rawValue))
      if let reason = next.reason { report.append("nextReason", .string(reason)) }
    }
    if status.location.fix != nil || status.location.regions > 0 {
      report.append("location", .object(location(status.location)))
    }
    addSinks(&report)
    return report
  }

  /// How belfry.conf differs from what belfryd goes by.
  private func addDifferences(_ report: inout JSONObject) {
    let watcher = daemon.configurationWatcher
    if let problem = watcher.problem { report.append("configurationProblem", .string(problem)) }
    if !watcher.needsRestart.isEmpty {
      report.append("needsRestart", .array(watcher.needsRestart.map { .string($0) }))
    }
  }

  private func addCounts(_ report: inout JSONObject) {
    report.append("scheduled", .integer(status.pending))
    if status.isWhole {
      report.append("prepared", .integer(status.prepared))
      report.append("inFlight", .integer(status.inFlight))
    }
    report.append("late", .integer(status.late))
    report.append("held", .integer(status.held))
    report.append("apps", .integer(status.apps))
    report.append("sessions", .integer(status.sessions))
    report.append("actions", .integer(status.queuedEvents))
  }

  private func addApps(_ report: inout JSONObject) {
    report.append("manifests", .integer(Int64(daemon.manifests.manifests.count)))
    for (name, problems) in [
      ("manifestProblems", daemon.manifests.allProblems),
      ("manifestOddities", daemon.manifests.allOddities),
      ("textProblems", daemon.tables.problems),
    ] where !problems.isEmpty {
      report.append(name, .array(problems.map { .string($0) }))
    }
    let sounds = daemon.soundFolders
    report.append("soundFolders", .array(sounds.common.map { .string($0) }))
    var own = JSONObject()
    for app in sounds.ofApps.keys.sorted() {
      own.append(app.text, .array((sounds.ofApps[app] ?? []).map { .string($0) }))
    }
    if !own.members.isEmpty { report.append("appSoundFolders", .object(own)) }
    let users = daemon.childUsers.object
    if !users.isEmpty { report.append("users", .object(users)) }
    report.append("launching", .object(daemon.launchRights.object))
  }

  /// Calendars of days (E3).
  private func addDays(_ report: inout JSONObject) {
    let rows = daemon.scheduler.listedDays(for: peer)
    if !rows.isEmpty { report.append("days", .array(rows.map { .object($0.parameters) })) }
    if status.isWhole, !daemon.days.problems.isEmpty {
      report.append("daysProblems", .array(daemon.days.problems.map { .string($0) }))
    }
  }

  private func addSinks(_ report: inout JSONObject) {
    var plugins: [JSONValue] = []
    var speaker: JSONObject?
    for child in daemon.children where daemon.isInUse(child) {
      guard let sink = status.sinks.first(where: { $0.name == child.name }) else { continue }
      let row = row(child, sink)
      if child.isSpeaker { speaker = row } else { plugins.append(.object(row)) }
      if status.isWhole { child.askHealth() }
    }
    report.append("plugins", .array(plugins))
    if let voice = voice(speaker) { report.append("speaker", .object(voice)) }
  }

  /// The speaker's row, and what silences it; that there is none is for those who see all.
  private func voice(_ speaker: JSONObject?) -> JSONObject? {
    let absent: JSONObject = [
      "name": .string(DaemonConfiguration.speaker), "state": "switched off",
    ]
    guard var voice = speaker ?? (status.isWhole ? absent : nil) else { return nil }
    if let silence = daemon.scheduler.silence(.active) {
      voice.append("silenced", .string(silence))
    }
    let outputs = daemon.configuration.outputs
    if status.isWhole, !outputs.isEmpty {
      voice.append("outputs", .array(outputs.map { .object(Self.row($0.name, $0.device)) }))
    }
    return voice
  }

  private static func row(_ output: String, _ device: String?) -> JSONObject {
    var row: JSONObject = ["name": .string(output)]
    if let device { row.append("device", .string(device)) }
    return row
  }

  private var clock: JSONObject {
    let isSynchronised = SystemClock.discipline()?.synchronised ?? false
    let state = isSynchronised ? .synchronised : status.clock
    let wake = daemon.configuration.scheduler.wake.rawValue
    return [
      "state": .string(state.rawValue), "trusted": .boolean(status.isClockTrusted),
      "realtime": .boolean(daemon.configuration.realtime != nil),
      "early": .boolean(daemon.configuration.wakesEarly),
      "wakes": .string(daemon.loop.alarmRefusal.map { "never: \($0.text)" } ?? wake),
    ]
  }

  /// R5: the last fix, and which apps may not know of it.
  private func location(_ location: SchedulerStatus.LocationStatus) -> JSONObject {
    var object = JSONObject()
    if let fix = location.fix {
      object.append("latitude", .double(fix.latitude))
      object.append("longitude", .double(fix.longitude))
      if let accuracy = fix.accuracy { object.append("accuracy", .double(accuracy)) }
      object.append("time", .string(RFC3339.text(fix.time)))
    }
    object.append("regions", .integer(location.regions))
    if !location.denied.isEmpty {
      object.append("denied", .array(location.denied.map { .string($0) }))
    }
    return object
  }

  private func row(_ child: ChildSupervisor, _ sink: SchedulerStatus.SinkStatus) -> JSONObject {
    var row: JSONObject = ["name": .string(child.name), "state": .string(child.word)]
    if status.isWhole { add(child, sink, &row) }
    return row
  }

  private func add(
    _ child: ChildSupervisor, _ sink: SchedulerStatus.SinkStatus, _ row: inout JSONObject
  ) {
    if !child.isSpeaker {
      row.append("file", .string(child.file))
      if let summary = child.summary {
        row.append("id", .string(summary.id))
        row.append("version", .string(summary.version))
        row.append("capabilities", .array(summary.capabilities.map { .string($0) }))
      }
    }
    if let pid = child.pid { row.append("pid", .integer(Int64(pid))) }
    row.append("queued", .integer(Int64(sink.queued)))
    row.append("handedOver", .integer(Int64(sink.handedOver)))
    row.append("restarts", .integer(child.restarts))
    // A plugin need not know that what it put off until later has come to nothing.
    let isWell = child.health.map { $0.status == 0 } ?? true
    if let failure = sink.failure, isWell {
      row.append("health", .string(Self.word(1)))
      row.append("healthText", .string("it did not show the last that it answered: " + failure))
    } else if let health = child.health {
      row.append("health", .string(Self.word(health.status)))
      if !health.text.isEmpty { row.append("healthText", .string(health.text)) }
    }
    if let reason = child.lastReason { row.append("reason", .string(reason)) }
  }

  private static func word(_ health: UInt32) -> String {
    switch health {
    case 0: "good"
    case 1: "degraded"
    default: "failed"
    }
  }
}
