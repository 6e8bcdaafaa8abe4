import BelfryKit
import Foundation

/// A school's bells: each lesson begins and ends with a sound of its own, from Monday to Friday, but not
/// in the holidays. Schedules them, says when the next ones ring, and ends: the daemon does the rest.
///
/// usage: SchoolBell [HOLIDAY ...]    days such as 2027-03-26
@main
struct SchoolBell {
  /// Name, time, sound file in the sound folders.
  private static let bells = [
    ("first-begins", 8, 0, "begin.wav"), ("first-ends", 8, 45, "end.wav"),
    ("second-begins", 8, 55, "begin.wav"), ("second-ends", 9, 40, "end.wav"),
    ("break-ends", 9, 55, "hurry.wav"), ("third-ends", 10, 45, "end.wav"),
  ]

  static func main() async {
    let day = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
    let words = CommandLine.arguments.dropFirst()
    let holidays = words.compactMap { try? day.parse($0) }
    guard holidays.count == words.count else {
      end("usage: SchoolBell [HOLIDAY ...], days such as 2027-03-26", status: 2)
    }
    do throws(SchedulerError) {
      try await ring(without: holidays)
    } catch {
      end("SchoolBell: \(error)", status: error.exitStatus)
    }
  }

  private static func end(_ line: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data((line + "\n").utf8))
    exit(status)
  }

  private static func ring(without holidays: [Date]) async throws(SchedulerError) {
    let school = Scheduler()
    var list: [LocalNotification] = []
    for (name, hour, minute, sound) in bells {
      list.append(bell(name, hour, minute, sound, without: holidays))
    }
    // The whole list at once: a bell that is no longer in it is silent, others are not disturbed.
    let outcome = try await school.replaceAll(list)
    print("\(outcome.added) new, \(outcome.replaced) changed, \(outcome.unchanged) as before")
    let local = Date.ISO8601FormatStyle(timeZoneSeparator: .colon, timeZone: .current)
    for bell in list {
      let next = try await school.next(of: bell.identifier!, count: 2)
      print(bell.identifier!, next.map { $0.date.formatted(local) }.joined(separator: " "))
    }
  }

  private static func bell(
    _ name: String, _ hour: Int, _ minute: Int, _ sound: String, without holidays: [Date]
  ) -> LocalNotification {
    func at(_ day: Date) -> Date {
      Calendar.current.date(bySettingHour: hour, minute: minute, second: 0, of: day)!
    }
    var bell = LocalNotification()
    bell.identifier = name
    // A rule counts from its fireDate: a fixed one, so that starting this program again changes nothing.
    bell.fireDate = at(Date(timeIntervalSince1970: 1_767_614_400))  // Monday 2026-01-05
    bell.timeZone = .current
    bell.zoneMode = .zoned
    bell.rrule = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    bell.exdate = holidays.map { at($0) }
    // A sound and nothing else: nothing is shown anywhere.
    bell.soundName = sound
    // What the board slept through stays silent: nobody wants eight o'clock's bell at nine.
    bell.late = .seconds(60)
    return bell
  }
}
