import Foundation

@testable import BelfryCore

/// python-dateutil's rruleset and Python's zoneinfo, asked for many unions with an offset (E4, E5).
enum RulesetOracle {
  struct Question {
    /// Seconds since 1970, as if the wall clock showed UTC.
    var start: Int64
    var rules: [String]
    /// nil: UTC.
    var zone: String?
    var exdates: [Int64]
    var rdates: [Int64]
    var offset: DueOffset

    var line: String {
      func list(_ numbers: [Int64]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }
      return "\(start)|" + rules.joined(separator: "&")
        + "|\(zone ?? "")|\(list(exdates))|\(list(rdates))|\(offset.days)|\(offset.seconds)"
    }
  }

  struct Answer {
    /// In order; all that is due before `end`.
    var dues: [Int64]
    var end: Int64
  }

  /// nil: it took too long, or means what the two do not agree about.
  static func answers(to questions: [Question], walls: Int) throws -> [Answer?] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, "\(walls)"]
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
    return String(decoding: read, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { row in
        guard row != "none" else { return nil }
        let parts = row.split(separator: "|", omittingEmptySubsequences: false)
        return Answer(
          dues: parts[1].split(separator: ",").map { Int64($0)! }, end: Int64(parts[0])!)
      }
  }

  /// Wall clocks by dateutil; from them to instants, and from those by whole days to others, by
  /// zoneinfo with fold=0, which is what T5 says. What comes behind the last wall clock is not known,
  /// and so nothing that is due as late as that.
  private static let script = """
    import datetime, itertools, signal, sys, zoneinfo
    from dateutil.rrule import rrulestr, rruleset
    EPOCH = datetime.datetime(1970, 1, 1)
    END = datetime.datetime(2262, 1, 1)
    class Slow(Exception): pass
    def late(*_): raise Slow
    signal.signal(signal.SIGVTALRM, late)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGVTALRM])
    def wall(second): return EPOCH + datetime.timedelta(seconds=int(second))
    def list_of(text): return [wall(day) for day in filter(None, text.split(","))]
    def answer(line, count):
        start, texts, zone, exdates, rdates, days, seconds = line.rstrip("\\n").split("|")
        zone = zoneinfo.ZoneInfo(zone or "UTC")
        def instant(time): return int(time.replace(tzinfo=zone, fold=0).timestamp())
        union = rruleset()
        for text in texts.split("&"):
            try:
                union.rrule(rrulestr(text, dtstart=wall(start)))
            except ValueError as error:
                if "empty set" not in str(error): raise
        for day in list_of(exdates): union.exdate(day)
        for day in list_of(rdates): union.rdate(day)
        walls = list(itertools.islice(itertools.takewhile(lambda day: day < END, union), count))
        excluded = {instant(day) for day in list_of(exdates)}
        occurrences = {instant(day) for day in walls}
        if excluded & occurrences:
            raise Slow  # An EXDATE names the instant that a gap moved an occurrence to (T6).
        def due(second):
            if days != "0":
                day = datetime.datetime.fromtimestamp(second, zone).replace(tzinfo=None)
                second = instant(day + datetime.timedelta(days=int(days)))
            return second + int(seconds)
        dues = sorted({due(second) for second in occurrences})
        end = 1 << 40
        if len(walls) == count: end = due(instant(walls[-1])) - 54 * 3600
        return f"{end}|" + ",".join(str(second) for second in dues if second < end)
    for line in sys.stdin:
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.05)
            text = answer(line, int(sys.argv[1]))
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except (Slow, IndexError, ValueError) as error:
            if isinstance(error, ValueError) and "empty rule" not in str(error): raise
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            text = "none"
        print(text)
    """
}
