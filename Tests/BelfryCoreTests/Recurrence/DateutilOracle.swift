import Foundation

@testable import BelfryCore

/// python-dateutil, asked for many rules at once (python3-dateutil).
enum DateutilOracle {
  struct Question {
    /// Seconds since 1970, as if the wall clock showed UTC.
    var start: Int64
    var rule: String
    /// nil: the wall clocks themselves.
    var zone: String?
    var exdates: [Int64] = []
    var rdates: [Int64] = []

    var line: String {
      func list(_ numbers: [Int64]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }
      return "\(start)|\(rule)|\(zone ?? "")|\(list(exdates))|\(list(rdates))"
    }
  }

  /// The first occurrences of each, before 2262; nil: it took longer than `seconds`, or failed.
  static func answers(
    to questions: [Question], count: Int, within seconds: Double = 0.004
  ) throws -> [[Int64]?] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, "\(count)", "\(seconds)"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let lines = questions.map { $0.line + "\n" }.joined()
    let writer = Thread {
      input.fileHandleForWriting.write(Data(lines.utf8))
      try? input.fileHandleForWriting.close()
    }
    writer.start()
    let read = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let rows = String(decoding: read, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    return rows.dropLast().map { row in
      row == "none" ? nil : row.split(separator: ",").map { Int64($0)! }
    }
  }

  /// A wall clock that does not exist is read with the offset before the gap, one that exists twice
  /// on its first pass: fold=0 (PEP 495) is what RFC 5545, 3.3.5 asks for.
  private static let script = """
    import datetime, itertools, signal, sys, zoneinfo
    from dateutil.rrule import rrulestr, rruleset
    EPOCH = datetime.datetime(1970, 1, 1)
    END = datetime.datetime(2262, 1, 1)
    DAY = datetime.timedelta(days=1, hours=2)
    class Slow(Exception): pass
    def late(*_): raise Slow
    signal.signal(signal.SIGVTALRM, late)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGVTALRM])
    def wall(second): return EPOCH + datetime.timedelta(seconds=int(second))
    def answer(line, count):
        start, text, zone, exdates, rdates = line.rstrip("\\n").split("|")
        try:
            rule = rrulestr(text, dtstart=wall(start))
        except ValueError as error:
            if "empty set" not in str(error): raise
            rule = rruleset()
        if exdates or rdates:
            rules = rruleset()
            rules.rrule(rule)
            for day in filter(None, exdates.split(",")): rules.exdate(wall(day))
            for day in filter(None, rdates.split(",")): rules.rdate(wall(day))
            rule = rules
        walls, more = [], False
        for day in itertools.islice(rule, count + (150 if zone else 0)):
            # What is shifted over a gap comes before others, of a day at most.
            if day >= END: break
            more = len(walls) >= count and day > walls[count - 1] + DAY
            if more: break
            walls.append(day)
        if zone:
            zone = zoneinfo.ZoneInfo(zone)
            offsets = [(walls[place] + way).replace(tzinfo=zone).utcoffset()
                       for place, way in ((0, -DAY), (-1, DAY)) if walls]
            ahead = walls[-1] - walls[count - 1] if len(walls) == count + 150 else None
            if ahead is not None and ahead <= abs(offsets[1] - offsets[0]):
                raise Slow  # More would have to be known about what a gap this long puts in between.
            def instant(time): return int(time.replace(tzinfo=zone).timestamp())
            excluded = {instant(wall(day)) for day in filter(None, exdates.split(","))}
            if excluded & {instant(day) for day in walls}:
                raise Slow  # An EXDATE names the instant that a gap moved an occurrence to (T6).
            found = sorted({int(day.replace(tzinfo=zone).timestamp()) for day in walls})
            if len(found) < count and (more or ahead is not None):
                raise Slow  # A gap made one instant of several walls; the next are not known.
        else:
            found = [int((day - EPOCH).total_seconds()) for day in walls]
        return ",".join(map(str, found[:count]))
    for line in sys.stdin:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, float(sys.argv[2]))
            text = answer(line, int(sys.argv[1]))
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except (Slow, IndexError, ValueError) as error:
            # It leaves its own tables with BYDAY=53MO, and may notice late that a rule is empty.
            if isinstance(error, ValueError) and "empty rule" not in str(error): raise
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            text = "none"
        print(text)
    """
}
