import BelfryCore

/// What a life schedules, in terms of the instant at which it does: an action means the same
/// wherever shrinking leaves it.
struct Plan: Hashable {
  enum Time: Hashable {
    /// So many nanoseconds from the clock's now, either way.
    case at(Int64)
    /// No fire date (N2).
    case now
    /// By the elapsed clock (T9).
    case relative(Int64)
  }

  var time: Time
  var unit: RepeatUnit?
  /// Of `LifeShape.zones`; nil: absolute.
  var zone: Int?
  var isFloating = false
  var every: Int64 = 1
  var count: Int64?
  /// So many nanoseconds after the fire date.
  var until: Int64?
  /// In the place of the unit.
  var rule: PlanRule?
  var gap = GapPolicy.shift
  var overlap = OverlapPolicy.first
  var monthEnd = MonthEndPolicy.clamp
  /// E4.
  var offset = DueOffset.none
  /// Calendars, by number (E3).
  var exceptOn: [Int] = []
  var onlyOn: [Int] = []
  var asOn: [AsOn.Weekday?] = []
  var tolerance: Int64 = 0
  var late: LatePolicy?
  /// So many nanoseconds after the fire date (N19).
  var expires: Int64?
  /// In the place of a time.
  var region: PlanRegion?
  /// In a category with an action.
  var hasActions = false
  var badge: Int64 = 0
  var hasSound = false
  var level = InterruptionLevel.active
  /// Until somebody answers (E6).
  var realert: Realert?
  var ladder: [LadderStep] = []
  /// Makes two plans for one identifier differ.
  var variant = 0

  func notification(_ identifier: String, now: Instant) -> Notification {
    var notification = Notification()
    notification.identifier = identifier
    notification.alertBody = "\(identifier) \(variant)"
    switch time {
    case .at(let offset):
      notification.fireDate = Plan.asOnTheWire(now.advanced(by: offset))
    case .now: break
    case .relative(let duration): notification.fireIn = duration / 1000 * 1000
    }
    notification.repeatInterval = unit
    if let zone {
      notification.timeZone = LifeShape.zones[zone].name
      notification.zoneMode = isFloating ? .floating : .zoned
    }
    notification.every = every
    notification.count = count
    if let until, let date = notification.fireDate {
      notification.until = Plan.asOnTheWire(date.advanced(by: until))
    }
    notification.gap = gap
    notification.overlap = overlap
    notification.monthEnd = monthEnd
    notification.offset = offset
    notification.exceptOn = exceptOn.map { PromisedCalendars.name($0) }
    notification.onlyOn = onlyOn.map { PromisedCalendars.name($0) }
    notification.asOn = asOn.enumerated().compactMap { place, weekday in
      weekday.map { AsOn(calendar: PromisedCalendars.name(place), weekday: $0) }
    }
    notification.tolerance = tolerance
    if let rule, let date = notification.fireDate { rule.write(to: &notification, from: date) }
    notification.late = late
    notification.applicationIconBadgeNumber = badge
    notification.category = hasActions ? "c" : nil
    notification.region = region?.circle
    notification.regionTriggersOnce = region?.isOnce ?? true
    notification.soundName = hasSound ? Notification.defaultSoundName : nil
    notification.interruptionLevel = level
    notification.realert = realert
    notification.ladder = ladder
    if let expires, let date = notification.fireDate {
      notification.expires = Plan.asOnTheWire(date.advanced(by: expires))
    }
    return notification
  }

  /// Whole microseconds.
  static func asOnTheWire(_ instant: Instant) -> Instant {
    Instant(nanoseconds: instant.nanoseconds / 1000 * 1000)
  }
}

/// A circle about the one place that lives know (R1).
struct PlanRegion: Hashable {
  var radius: Double
  var onEntry: Bool
  var onExit: Bool
  var isOnce: Bool

  static let centre = (latitude: 52.0, longitude: 13.0)

  var circle: CircularRegion {
    CircularRegion(
      latitude: Self.centre.latitude, longitude: Self.centre.longitude, radius: radius,
      notifyOnEntry: onEntry, notifyOnExit: onExit)
  }

  /// So many metres to the north of the centre.
  static func latitude(metres: Double) -> Double { centre.latitude + metres / 111_194.93 }
}

/// What an app does with what it is told.
enum SessionManner: Hashable {
  /// Completes it after so many nanoseconds.
  case takes(after: Int64)
  case never
}

/// How a sink answers what it is given.
enum SinkManner: Hashable {
  case prompt
  /// After so many nanoseconds.
  case slow(Int64)
  /// One after another, each so many nanoseconds.
  case busy(Int64)
  /// Never.
  case hung
  /// Every so manieth answer is lost.
  case loses(Int)
  /// Says everything twice.
  case repeats
  /// `pending` first, the answer after so many nanoseconds.
  case pending(Int64)
  /// Answers for others too, of which some are not even handed over.
  case confused
  /// Takes nothing at the first attempt.
  case retries
  case fails
  /// Its process ends after every so manieth delivery.
  case crashes(Int)
}

/// The clock that a board boots with.
enum BootClock: Hashable {
  /// It kept running.
  case kept
  /// 1970: a board without a clock of its own.
  case none
  /// Wrong by so many nanoseconds.
  case wrong(Int64)
}

/// One thing that happens to a board.
enum LifeAction: Hashable {
  case schedule(app: Int, name: Int, Plan)
  case presentNow(app: Int)
  case cancel(app: Int, name: Int)
  case cancelAll(app: Int)
  /// Names from 0 on.
  case replaceAll(app: Int, [Plan])
  /// The scheduled list by itself (N16).
  case replaceBySame(app: Int)
  /// So many nanoseconds pass, and the scheduler is woken as it asks.
  case pass(Int64)
  /// They pass, and nobody is woken: suspended.
  case sleep(Int64)
  /// Somebody sets the clock.
  case step(Int64)
  /// The clock runs wrong by so many parts in a million from now on.
  case drift(Int64)
  /// The time server answers: the clock is right, and the kernel says so.
  case synchronise
  case loseSync
  /// The board is in another of `LifeShape.zones`.
  case travel(Int)
  /// Its file is replaced: by other rules, or by those from before.
  case zoneFile(Int, isOther: Bool)
  case trust
  /// kill -9 after so many further commands; of what waits for the disk so much is written.
  case crash(commands: Int, written: Int)
  case stop
  /// Off for so many nanoseconds.
  case reboot(off: Int64, BootClock)
  case disk(DiskState)
  /// So many operations get through to a blocked disk.
  case trickle(Int)
  case manner(sink: Int, SinkManner)
  case sinkDown(Int)
  case sinkUp(Int)
  /// An app opens a session.
  case open(app: Int, AppState, SessionManner)
  /// One of the open sessions ends.
  case close(Int, isUnread: Bool)
  case turn(Int, AppState)
  /// A user's response, through a client.
  case response(app: Int, name: Int, UserResponse)
  /// The same to one of what waits as a snooze, by its occurrence (D11).
  case answerSnooze(app: Int, Int, UserResponse)
  /// One of what waits as a snooze is cancelled, by its occurrence.
  case cancelSnooze(app: Int, Int)
  /// The same at a plugin, with the newest that it shows.
  case input(sink: Int, UserResponse)
  case fix(metres: Double, accuracy: Double?)
  /// An app registers a category with an action.
  case register(app: Int)
  /// A program asks for much at once.
  case flood(app: Int, Flood)
  /// A user asks for something of an app, his own or another's.
  case meddle(user: Int, app: Int, Meddling)
  /// What people do with what is scheduled (E1, E2, E7).
  case everyday(app: Int, Everyday)
  /// A calendar's file is written, damaged or removed (E3): an app's own, or the operator's.
  case days(app: Int?, name: Int, DaysChange)
  /// A sink's process ends, and no other can be started for so many nanoseconds.
  case outage(sink: Int, length: Int64)
}

/// Many alerts of one app, asked for at one instant.
struct Flood: Hashable {
  enum Time: Hashable {
    case presentNow
    /// All at one instant, so many nanoseconds from the clock's now.
    case at(Int64)
    /// Each so many nanoseconds after the one before, the first in so many.
    case every(Int64, from: Int64)
  }

  var count: Int
  var time: Time
  var level = InterruptionLevel.active
  var hasSound = false
  /// Makes two floods differ.
  var variant = 0

  func notification(_ number: Int, now: Instant) -> Notification {
    var plan = Plan(time: .now)
    switch time {
    case .presentNow: break
    case .at(let offset): plan.time = .at(offset)
    case .every(let pause, let first): plan.time = .at(first + Int64(number) * pause)
    }
    (plan.level, plan.hasSound, plan.variant) = (level, hasSound, variant)
    return plan.notification("f\(number)", now: now)
  }
}

/// What people do with what is scheduled; times are nanoseconds from the clock's now.
enum Everyday: Hashable {
  enum Scope: Hashable {
    case name(Int)
    case app
    case everything
  }

  case pause(Scope, from: Int64?, until: Int64?)
  case resume(Scope)
  case skip(name: Int, count: Int64)
  /// The so manieth occurrence that is promised, 0 being the next.
  case skipOne(name: Int, Int)
  case unskip(name: Int)
  case unskipOne(name: Int, Int)
  case edit(name: Int, Edit)
}

/// What becomes of a calendar's file.
enum DaysChange: Hashable {
  /// Days, counted from today.
  case good([ClosedRange<Int64>])
  case broken, gone
}

/// What an edit changes (E7).
enum Edit: Hashable {
  /// Nothing of when.
  case body(Int)
  /// So many nanoseconds from now.
  case fireDate(Int64)
  case offset(DueOffset)
  case repeats(RepeatUnit?)
  /// Calendars, by number.
  case days(except: [Int], only: [Int])
}

/// What somebody who may not asks of another's app (A1).
enum Meddling: Hashable, CaseIterable {
  case schedule, presentNow, cancel, cancelAll, replaceAll, list, next, history, dismiss, snooze
  case register, setBadge, test, fetchInbox, openSession
  /// Of no app: what is the operator's, and what everybody sees only his own of.
  case trust, fix, listAll
}

enum DiskState: Hashable {
  case healthy, blocked, refusing
}
