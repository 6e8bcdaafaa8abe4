import Foundation

internal import BelfryCore
internal import BelfryWire

extension Operation where Value == DaemonStatus {
  static func status() -> Operation {
    Operation("Status", [:], .reading) { reply in
      DaemonStatus(reply["status"]?.object ?? [:])
    }
  }
}

extension Operation where Value == Int {
  /// Said again it is behind the first time, or the same place: no crossing fires twice.
  static func fix(
    latitude: Double, longitude: Double, accuracy: Double?, time: Date?
  ) throws(SchedulerError) -> Operation {
    let numbers = [("latitude", latitude), ("longitude", longitude), ("accuracy", accuracy ?? 0)]
    // JSON has no such number.
    for (name, number) in numbers where !number.isFinite {
      throw SchedulerError(.outOfRange, field: name, "this must be a finite number")
    }
    var parameters: JSONObject = ["latitude": .double(latitude), "longitude": .double(longitude)]
    if let accuracy { parameters.append("accuracy", .double(accuracy)) }
    if let time {
      do throws(FieldError) {
        parameters.append("time", .integer(try Instant(time, field: "time").microseconds))
      } catch {
        throw SchedulerError(error)
      }
    }
    return number("crossings", "Fix", parameters, .harmless)
  }
}

extension BlockingScheduler {
  /// How the daemon is.
  public func status() throws(SchedulerError) -> DaemonStatus {
    try perform(.status())
  }

  /// Says where the board is: degrees, metres of accuracy (nil: not known), and when that was
  /// (nil: now); returns how many crossings fired.
  ///
  /// Root, the operator's group and the user that the daemon runs for may (R5); one position holds for
  /// all apps of the board. A fix that goes back in time is refused.
  @discardableResult
  public func fix(
    latitude: Double, longitude: Double, accuracy: Double? = nil, time: Date? = nil
  ) throws(SchedulerError) -> Int {
    try perform(
      .fix(latitude: latitude, longitude: longitude, accuracy: accuracy, time: time))
  }
}

extension Scheduler {
  /// How the daemon is.
  public func status() async throws(SchedulerError) -> DaemonStatus {
    try await perform(.status())
  }

  /// Says where the board is: degrees, metres of accuracy (nil: not known), and when that was
  /// (nil: now); returns how many crossings fired.
  ///
  /// Root, the operator's group and the user that the daemon runs for may (R5); one position holds for
  /// all apps of the board. A fix that goes back in time is refused.
  ///
  /// ```swift
  /// var milk = LocalNotification(alertBody: "Buy milk")
  /// milk.region = CircularRegion(latitude: 48.1372, longitude: 11.5755, radius: 200)
  /// try await scheduler.schedule(milk)
  /// try await scheduler.fix(latitude: 48.1, longitude: 11.5)        // outside: nothing
  /// try await scheduler.fix(latitude: 48.1372, longitude: 11.5755)  // entered: 1
  /// ```
  @discardableResult
  public func fix(
    latitude: Double, longitude: Double, accuracy: Double? = nil, time: Date? = nil
  ) async throws(SchedulerError) -> Int {
    try await perform(
      .fix(latitude: latitude, longitude: longitude, accuracy: accuracy, time: time))
  }
}
