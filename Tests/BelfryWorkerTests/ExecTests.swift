import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import Testing

/// plugins/Exec under a worker.
@Suite struct ExecTests {
  private static let library = Fixtures.products + "/libbelfry-exec.so"

  /// A clock over Exec with `script` as its program; the script finds its folder in `$1`.
  private func start(
    _ script: String, _ settings: [String: String] = [:]
  ) throws -> (clock: ClockDouble, folder: String) {
    let folder = try Fixtures.scratch()
    let program = folder + "/program"
    try Files.write(Array("#!/bin/sh\n\(script)\n".utf8), to: program, mode: 0o700)
    let given = ["program": program, "arguments": folder].merging(settings) { $1 }
    let clock = try ClockDouble(Self.library, settings: given, run: folder)
    _ = try clock.ready()
    return (clock, folder)
  }

  private func deliver(
    _ clock: ClockDouble, _ change: (inout BelfryCore.Notification) -> Void = { _ in }
  ) throws -> DeliveryAnswer {
    clock.send(.deliver(Sample.delivery(Sample.id(), change)))
    #expect(clock.answer()?.answer == .pending)
    return try #require(clock.answer()).answer
  }

  @Test func theExitStatusIsTheAnswer() throws {
    let rows: [(script: String, answer: DeliveryAnswer)] = [
      ("exit 0", .done(note: nil)),
      ("exit 75", .retry(after: 30 * BelfryCore.Nanoseconds.second)),
      ("exit 1", .failed(reason: "the program exited with status 1")),
      ("kill -9 $$", .failed(reason: "the program was ended by signal 9")),
      ("exec </dev/null; exit 0", .done(note: nil)),
    ]
    for row in rows {
      #expect(try deliver(start(row.script).clock) == row.answer)
    }
  }

  @Test func theJSONIsWhatWasDelivered() throws {
    let nasty = "\"quoted\" \\ back\u{8}\u{1B}[31m\nnext\tline \u{202E}🔔 日本語 \u{7F}\u{0}end"
    let (clock, folder) = try start("cat > \"$1/input\"")
    let answer = try deliver(clock) {
      $0.alertTitle = nasty
      $0.alertBody = nasty
      $0.userInfo = ["room": .string(nasty), "$odd": .integer(3), "when": .double(0.5)]
    }
    #expect(answer == .done(note: nil))
    let data = Data(try Files.read(folder + "/input", limit: 1 << 20))
    let object = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["event"] as? String == "deliver")
    #expect(object["title"] as? String == nasty)
    #expect(object["body"] as? String == nasty)
    #expect(object["app"] as? String == "org.example.tea")
    #expect(object["attempt"] as? Int == 1)
    #expect(object["late"] as? Bool == false)
    let userInfo = try #require(object["userInfo"] as? [String: Any])
    #expect(userInfo["room"] as? String == nasty)
    #expect(userInfo["$$odd"] as? Int == 3)
  }

  @Test func theEnvironmentSaysTheSame() throws {
    let (clock, folder) = try start("printf '%s|' \"$BELFRY_BODY\" \"$BELFRY_EVENT\" > $1/seen")
    #expect(try deliver(clock) { $0.alertBody = "$(reboot) `x` \"y\"" } == .done(note: nil))
    let seen = String(decoding: try Files.read(folder + "/seen", limit: 1000), as: UTF8.self)
    #expect(seen == "$(reboot) `x` \"y\"|deliver|")
  }

  @Test func bodiesBeyondAPipeArriveWhole() throws {
    let (clock, folder) = try start("sleep 0.1; wc -c > \"$1/count\"")
    let body = String(repeating: "ü", count: 8000)
    let answer = try deliver(clock) {
      $0.alertBody = body
      $0.userInfo = ["fill": .string(String(repeating: "x", count: 60_000))]
    }
    #expect(answer == .done(note: nil))
    let count = String(decoding: try Files.read(folder + "/count", limit: 100), as: UTF8.self)
    #expect(try #require(Int(count.split(separator: "\n")[0])) > 76_000)
  }

  @Test func aProgramBeyondItsLimitIsKilledWithItsGroup() throws {
    let script = "sleep 60 & echo $! > \"$1/child\"; wait"
    let (clock, folder) = try start(script, ["limit": "3s"])
    let reason = "the program ran longer than its time limit and was ended"
    #expect(try deliver(clock) == .failed(reason: reason))
    let text = String(decoding: try Files.read(folder + "/child", limit: 100), as: UTF8.self)
    let child = try #require(text.split(separator: "\n").first)
    try Fixtures.wait("the end of the program's child") {
      guard let stat = try? Files.read("/proc/\(child)/stat", limit: 4096) else { return true }
      return String(decoding: stat, as: UTF8.self).contains(") Z ")
    }
  }

  @Test func D8_whatAProgramPrintsIsLoggedUpToABound() throws {
    let script = "echo one; printf 'two\\033[31m\\n' >&2; yes three | head -c 3000000; printf end"
    let (clock, _) = try start(script, ["limit": "20s"])
    #expect(try deliver(clock) == .done(note: nil))
    let lines = clock.others.compactMap { message -> String? in
      if case .log(_, let text) = message { return text }
      return nil
    }
    #expect(lines.prefix(3) == ["one", "two [31m", "three"])
    #expect(lines.count == 21)
    #expect(lines.last == "the program prints more lines, which are dropped")
  }

  @Test func aGrandchildThatKeepsTheOutputOpenDelaysNoAnswer() throws {
    let (clock, folder) = try start("setsid sleep 60 & echo $! > \"$1/child\"; printf half")
    #expect(try deliver(clock) == .done(note: nil))
    let text = String(decoding: try Files.read(folder + "/child", limit: 100), as: UTF8.self)
    if let child = text.split(separator: "\n").first.flatMap({ Int32($0) }) { kill(child, SIGKILL) }
  }

  /// What would fail at the first delivery is said before it.
  @Test(arguments: [
    ("/nowhere/ring", "`program` is not there"), ("~/ring", "`program` begins with ~"),
    ("bin/ring", "`program` must be an absolute path"), ("/", "`program` is no file"),
    ("/bin/sh -c true", "`program` is a command line"),
    ("true; false", "`program` is a command line"),
    ("/etc/passwd", "`program` may not be run"),
  ])
  func A4_aProgramThatCannotBeRunIsRefusedAtTheStart(_ program: String, _ reason: String) throws {
    let refused = try ClockDouble(
      Self.library, settings: ["program": program], run: try Fixtures.scratch())
    #expect(try #require(refused.refusal()).contains(reason))
  }

  @Test func aProgramThatGoesLaterIsNamed() throws {
    let (clock, folder) = try start("exit 0")
    try FileManager.default.removeItem(atPath: folder + "/program")
    #expect(
      try deliver(clock) == .failed(reason: folder + "/program: No such file or directory"))
  }

  /// It is failed until a program has done its work again.
  @Test func itsHealthIsThatOfItsPrograms() throws {
    let (clock, folder) = try start("[ -e \"$1/good\" ] || exit 3")
    func health() -> String? {
      clock.send(.health(token: 99))
      return clock.next { message -> String? in
        if case .health(99, let status, let text) = message { return "\(status) \(text)" }
        return nil
      }
    }
    #expect(health() == "0 running: 0 of 16 programs; waiting: 0")
    _ = try deliver(clock)
    #expect(health() == "2 it has failed: the program exited with status 3")
    _ = try deliver(clock)
    #expect(health() == "2 it has failed 2 times in a row: the program exited with status 3")
    try Files.write([], to: folder + "/good")
    _ = try deliver(clock)
    #expect(health() == "0 running: 0 of 16 programs; waiting: 0")
  }

  /// More than may run at once: the others wait, and nothing is lost by being many.
  @Test func D8_manyAtOnceWaitForEachOtherAndNoneBlocksTheWorker() throws {
    let (clock, folder) = try start(
      "cat >> \"$1/events\"; while [ ! -e \"$1/go\" ]; do sleep 0.02; done", ["withdraw": "yes"])
    let ids = (1...40).map { _ in Sample.id() }
    for (token, id) in zip(1..., ids) {
      clock.send(.deliver(Sample.delivery(id, token: UInt64(token))))
      #expect(clock.answer()?.answer == .pending)
    }
    clock.send(.health(token: 99))
    let health = clock.next { message -> String? in
      if case .health(99, _, let text) = message { return text }
      return nil
    }
    #expect(health == "running: 16 of 16 programs; waiting: 24")
    // One that waits is not shown at all, of one that runs the program hears, in its turn.
    clock.send(.withdraw(token: 40, ids[39]))
    clock.send(.withdraw(token: 1, ids[0]))
    try Files.write([], to: folder + "/go")
    let answers = (2...39).compactMap { _ in clock.answer() }
    #expect(Set(answers.map { $0.token }) == Set(2...39))
    #expect(answers.allSatisfy { $0.answer == .done(note: nil) })
    let withdrawn = "{\"event\":\"withdraw\",\"id\":\"\(ids[0].deliveryID(sink: "sink"))\""
    try Fixtures.wait("the withdrawal") {
      let bytes = (try? Files.read(folder + "/events", limit: 1 << 20)) ?? []
      return String(decoding: bytes, as: UTF8.self).contains(withdrawn)
    }
    let events = String(
      decoding: try Files.read(folder + "/events", limit: 1 << 20), as: UTF8.self)
    #expect(!events.contains(ids[39].deliveryID(sink: "sink")))
  }

  @Test func N15_withdrawalsRunTheProgramWhereTheyAreAskedFor() throws {
    let (silent, none) = try start("cat >> \"$1/events\"")
    silent.send(.withdraw(token: 0, Sample.id()))
    silent.send(.stop)
    #expect(try silent.end() == .exited(0))
    #expect(throws: SystemError.self) { try Files.read(none + "/events", limit: 4096) }
    let (clock, folder) = try start("cat >> \"$1/events\"", ["withdraw": "yes"])
    let id = Sample.id()
    clock.send(.withdraw(token: 0, id))
    let expected = "{\"event\":\"withdraw\",\"id\":\"\(id.deliveryID(sink: "sink"))\"}\n"
    try Fixtures.wait("the withdrawal") {
      (try? Files.read(folder + "/events", limit: 4096)) == Array(expected.utf8)
    }
  }

  @Test func aShellRunsOnlyWhenItIsConfigured() throws {
    let folder = try Fixtures.scratch()
    let clock = try ClockDouble(
      Self.library,
      settings: ["program": "printf %s \"$BELFRY_BODY\" > \(folder)/out", "shell": "yes"],
      run: folder)
    _ = try clock.ready()
    #expect(try deliver(clock) { $0.alertBody = "'; exit 7; '" } == .done(note: nil))
    #expect(try Files.read(folder + "/out", limit: 100) == Array("'; exit 7; '".utf8))
  }

  @Test func itInheritsNoDescriptorsAndNoDelivery() throws {
    let (clock, folder) = try start("ls /proc/self/fd > \"$1/open\"")
    #expect(try deliver(clock) == .done(note: nil))
    let open = String(decoding: try Files.read(folder + "/open", limit: 1000), as: UTF8.self)
    // 3 is the folder that ls reads.
    #expect(open.split(separator: "\n") == ["0", "1", "2", "3"])
  }
}
