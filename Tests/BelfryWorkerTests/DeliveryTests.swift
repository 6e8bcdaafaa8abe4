import BelfryCore
import BelfrySystem
import BelfryWire
import Testing

@testable import BelfryWorker

@Suite struct DeliveryTests {
  private func recorder(_ run: String, _ output: String) throws -> ClockDouble {
    let clock = try ClockDouble(
      try Fixtures.plugin("recorder"), settings: ["out": output], run: run)
    let summary = try clock.ready()
    #expect(summary.id == "fixture.recorder")
    #expect(summary.capabilities == ["delivery/1", "badge/1", "health/1"])
    return clock
  }

  @Test func theHostGivesAsManyWatchesAndTimersAsItsHeaderSaysAndItsVersion() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("asks_everything"), run: try Fixtures.scratch())
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id())))
    let note = "64 watches, 64 timers, version \(BelfryVersion.text)"
    #expect(clock.answer()?.answer == .done(note: note))
  }

  @Test func D7_aCompletedIdIsNotShownAgainAfterKillsOfTheWorker() throws {
    let run = try Fixtures.scratch()
    let output = run + "/recording"
    let id = Sample.id()
    var clock = try recorder(run, output)
    clock.send(.deliver(Sample.delivery(id)))
    let first = try #require(clock.answer())
    #expect(first.answer == .done(note: nil))
    try clock.kill()
    for attempt: Int32 in 2...4 {
      clock = try recorder(run, output)
      clock.send(.deliver(Sample.delivery(id, token: 9, attempt: attempt)))
      let again = try #require(clock.answer())
      #expect(again == ClockDouble.Answer(token: 9, answer: first.answer, entered: first.entered))
      try clock.kill()
    }
    #expect(Recording(output).lines.count == 1)
  }

  @Test func D7_whatWasNotCompletedIsShownAgainUnderTheSameId() throws {
    let run = try Fixtures.scratch()
    let id = Sample.id(7)
    for _ in 0..<2 {
      let clock = try ClockDouble(try Fixtures.plugin("crash_deliver"), run: run)
      _ = try clock.ready()
      clock.send(.deliver(Sample.delivery(id)))
      #expect(clock.answer() == nil)
      guard case .killed = try clock.end() else { Issue.record("it did not crash"); return }
    }
    let output = run + "/recording"
    let clock = try recorder(run, output)
    clock.send(.deliver(Sample.delivery(id, attempt: 3)))
    #expect(clock.answer()?.answer == .done(note: nil))
    let line = try #require(Recording(output).lines.first)
    #expect(line["id"] == id.deliveryID(sink: "sink"))
    #expect(line["attempt"] == "3")
  }

  @Test func enteredIsWhenThePluginsFunctionBegan() throws {
    let run = try Fixtures.scratch()
    let clock = try recorder(run, run + "/recording")
    let before = SystemClock.real()
    clock.send(.deliver(Sample.delivery(Sample.id())))
    let answer = try #require(clock.answer())
    let line = try #require(Recording(run + "/recording").lines.first)
    let entered = try #require(Int64(line["entered"] ?? ""))
    #expect(before <= answer.entered)
    #expect(answer.entered.nanoseconds <= entered)
  }

  @Test func pendingIsCompletedLaterFromAnotherThread() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("answers_late"), run: try Fixtures.scratch())
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id(), token: 5)))
    let first = try #require(clock.answer())
    let second = try #require(clock.answer())
    #expect(first.answer == .pending)
    #expect(second.answer == .done(note: "late, but done"))
    #expect(first.token == 5 && second.token == 5 && first.entered == second.entered)
  }

  @Test func answersBeyondTheFirstAreIgnoredAndLogged() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("answers_twice"), run: try Fixtures.scratch())
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id(), token: 1)))
    #expect(clock.answer()?.answer == .done(note: nil))
    #expect(clock.log(containing: "token 1, which awaits no answer"))
    clock.send(.deliver(Sample.delivery(Sample.id(), token: 2)))
    let next = try #require(clock.answer())
    #expect(next.token == 2 && next.answer == .done(note: nil))
  }

  @Test func N15_aWithdrawnDeliveryAwaitsNoAnswer() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("answers_late"), run: try Fixtures.scratch())
    _ = try clock.ready()
    let id = Sample.id()
    clock.send(.deliver(Sample.delivery(id, token: 3)))
    clock.send(.withdraw(token: 3, id))
    #expect(clock.answer()?.answer == .pending)
    #expect(clock.log(containing: "token 3, which awaits no answer"))
  }

  @Test func N15_withdrawalsReachThePluginById() throws {
    let run = try Fixtures.scratch()
    let clock = try recorder(run, run + "/recording")
    let id = Sample.id()
    clock.send(.withdraw(token: 0, id))
    #expect(clock.next { $0 == .withdrawn ? true : nil } == true)
    clock.send(.stop)
    #expect(try clock.end() == .exited(0))
    let line = try #require(Recording(run + "/recording").lines.first)
    #expect(line["event"] == "withdraw")
    #expect(line["id"] == id.deliveryID(sink: "sink"))
  }

  @Test func N1_aReplacementUpdatesOrElseShowsAndThenWithdraws() throws {
    let run = try Fixtures.scratch()
    let clock = try recorder(run, run + "/recording")
    let old = Sample.id().deliveryID(sink: "sink")
    clock.send(.deliver(Sample.delivery(Sample.id(), replaces: old)))
    #expect(clock.answer()?.answer == .done(note: nil))
    #expect(Recording(run + "/recording").events == ["update"])
  }

  @Test func badgesAndHealth() throws {
    let run = try Fixtures.scratch()
    let clock = try recorder(run, run + "/recording")
    clock.send(.badge(token: 4, app: "org.example.tea", value: 3))
    let answer = try #require(clock.answer())
    #expect(answer.token == 4 && answer.answer == .done(note: nil))
    let line = try #require(Recording(run + "/recording").lines.first)
    #expect(line == ["event": "badge", "token": "4", "app": "org.example.tea", "value": "3"])
    clock.send(.health(token: 6))
    let health = clock.next { message -> String? in
      if case .health(6, 0, let text) = message { return text }
      return nil
    }
    #expect(health == "recording")
  }

  @Test func aPluginWithoutBadgesSaysSo() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("answers_late"), run: try Fixtures.scratch())
    #expect(try clock.ready().capabilities == ["delivery/1"])
    clock.send(.badge(token: 4, app: "a", value: 3))
    #expect(clock.answer()?.answer == .failed(reason: "the plugin has no badge/1"))
  }

  @Test func aNumberThatIsNoAnswerIsAFailure() throws {
    let clock = try ClockDouble(
      try Fixtures.plugin("no_answer_number"), run: try Fixtures.scratch())
    _ = try clock.ready()
    clock.send(.deliver(Sample.delivery(Sample.id())))
    let reason = "the plugin answered 17, which is no answer"
    #expect(clock.answer()?.answer == .failed(reason: reason))
  }

  @Test func D9_whetherItWantsEverythingIsConfigured() throws {
    for (value, wants) in [("yes", true), ("no", false)] {
      let run = try Fixtures.scratch()
      let clock = try ClockDouble(
        try Fixtures.plugin("recorder"),
        settings: ["out": run + "/recording", "everything": value], run: run)
      #expect(try clock.ready().wantsEverything == wants)
    }
  }
}
