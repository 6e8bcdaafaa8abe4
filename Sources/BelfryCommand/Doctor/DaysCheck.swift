import BelfryClient
import BelfryCore
import BelfrySystem
import BelfryWire

/// Whether calendars of days can be read, and go on (E3).
enum DaysCheck {
  /// A warning comes so many days before a calendar's last one.
  private static let ahead: Int64 = 60

  /// `status` is the daemon's; nil: there is none.
  static func run(_ socket: String, _ status: JSONObject?, today: Int64) -> [Finding] {
    guard let status, let rows = try? ListedDays.read(status["days"]) else { return [] }
    var found = rows.compactMap { judge($0, today: today) }
    for problem in status["daysProblems"]?.array ?? [] {
      found.append(
        .warn("days", problem.string ?? "", "mend that; belfryd reads the folder by itself"))
    }
    return found + missing(socket, rows)
  }

  static func judge(_ row: ListedDays, today: Int64) -> Finding? {
    let name = (row.app.map { $0 + ": " } ?? "") + row.name
    let advice = "mend " + row.path + " (belfry days check); belfryd reads it by itself"
    switch row.state {
    case .unusable:
      return .fail(
        "days", name + " was never good, and is ignored: " + (row.problem ?? ""), advice)
    case .kept:
      return .warn(
        "days", name + " counts as it was read last: " + (row.problem ?? ""), advice)
    case .ended, .good: break
    }
    guard let last = row.last, last - today < ahead else { return nil }
    let day = CivilDate(days: last).text
    let words = last < today ? " has ended: its last day was " : " ends: its last day is "
    return .warn(
      "days", name + words + day,
      "put the days that follow into " + row.path)
  }

  /// What is scheduled names calendars that are not there.
  private static func missing(_ socket: String, _ rows: [ListedDays]) -> [Finding] {
    guard let daemon = try? Daemon.connect(path: socket) else { return [] }
    var missing = MissingNames()
    do throws(ClientError) {
      try daemon.client.list(app: nil) { row in
        let notification = row.notification
        let named =
          notification.exceptOn + notification.onlyOn + notification.asOn.map { $0.calendar }
        for name in named {
          missing.look(name, in: row) {
            rows.contains { $0.name == name && $0.app ?? row.app == row.app }
          }
        }
      }
    } catch {
      return []
    }
    return missing.warning(
      "days", "calendars that are not there",
      advice: "they ring as if none were named; belfry days list shows what is there")
  }
}
