import BelfryCore
import BelfrySystem
import BelfryWire

/// What `Status` answers; `plugins` is what `plugin list` shows.
struct StatusReport {
  private let daemon: Daemon

  init(_ daemon: Daemon) {
    self.daemon = daemon
  }

  /// Looks at nothing that could wait.
  func object() -> JSONObject {
    let status = daemon.scheduler.status
    let now = SystemClock.now()
    var report: JSONObject = [
      "version": .string(DaemonOptions.version), "pid": .integer(Int64(Process.pid)),
      "socket": .string(daemon.places.socket), "books": .string(daemon.places.books),
      "configuration": .string(daemon.places.configuration),
      "upSeconds": .integer((now.elapsed - daemon.startedAt.elapsed) / Duration.second),
      "clock": .object(clock(status)), "zone": .string(daemon.zones.board?.name ?? "UTC"),
      "scheduled": .integer(status.pending), "prepared": .integer(status.prepared),
      "inFlight": .integer(status.inFlight), "late": .integer(status.late),
      "held": .integer(status.held),
      "apps": .integer(status.apps), "sessions": .integer(status.sessions),
      "actions": .integer(status.happenings),
    ]
    report.append("manifests", .integer(Int64(daemon.manifests.manifests.count)))
    let problems = daemon.manifests.allProblems + daemon.tables.problems
    if !problems.isEmpty {
      report.append("manifestProblems", .array(problems.map { .string($0) }))
    }
    report.append("launching", .object(daemon.launchRights.object))
    if let reason = status.heldReason { report.append("heldReason", .string(reason)) }
    if let next = status.next {
      report.append("nextDue", .string(RFC3339.text(next.due)))
      report.append("nextIn", .string(Duration.words(next.due.nanoseconds(since: now.real))))
      report.append("nextMode", .string(next.mode.rawValue))
    }
    if status.location.fix != nil || status.location.regions > 0 {
      report.append("location", .object(location(status.location)))
    }
    var plugins: [JSONValue] = []
    var speaker: JSONObject?
    for child in daemon.children {
      let row = row(child, status.sinks[Int(child.index)])
      if child.isSpeaker { speaker = row } else { plugins.append(.object(row)) }
      child.askHealth()
    }
    report.append("plugins", .array(plugins))
    if let speaker { report.append("speaker", .object(speaker)) }
    return report
  }

  private func clock(_ status: SchedulerStatus) -> JSONObject {
    let isSynchronised = SystemClock.discipline()?.synchronised ?? false
    let state = isSynchronised ? .synchronised : status.clock
    let wake = daemon.configuration.scheduler.wake.rawValue
    return [
      "state": .string(state.rawValue), "trusted": .boolean(status.isClockTrusted),
      "realtime": .boolean(daemon.configuration.realtime != nil),
      "wakes": .string(daemon.loop.alarmRefusal.map { "never: \($0.text)" } ?? wake),
    ]
  }

  /// R5: the last fix, and who may not know of it.
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

  private func row(_ child: SupervisedChild, _ sink: SchedulerStatus.SinkStatus) -> JSONObject {
    var row: JSONObject = ["name": .string(child.name), "state": .string(child.state.word)]
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
    if let health = child.health {
      row.append("health", .string(Self.word(health.status)))
      if !health.text.isEmpty { row.append("healthText", .string(health.text)) }
    }
    if let reason = child.lastReason { row.append("reason", .string(reason)) }
    return row
  }

  private static func word(_ health: UInt32) -> String {
    switch health {
    case 0: "good"
    case 1: "degraded"
    default: "failed"
    }
  }
}
