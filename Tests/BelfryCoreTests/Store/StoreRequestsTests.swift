import Testing

@testable import BelfryCore

@Suite struct StoreRequestsTests {
  private var turn = Turn(configuration: EngineConfiguration())
  private var requests = StoreRequests()

  @Test mutating func eachQuestionHasATicketAndIsAnsweredOnce() {
    let first = requests.ask(.load([1]), for: .load([1]), &turn)
    let second = requests.ask(.commit(app: nil), for: .barrier(4, .trusted(released: 0)), &turn)
    #expect(second == first + 1 && requests.lastTicket == second && turn.commandCount == 2)
    guard case .load([1]) = requests.beginAnswer(first) else { Issue.record("not asked"); return }
    requests.endAnswer(first, isSliced: false)
    #expect(requests.firstOpen == second && !requests.isEmpty)
    let again = requests.beginAnswer(first)
    #expect(again == nil)
    _ = requests.beginAnswer(second)
    requests.endAnswer(second, isSliced: false)
    #expect(requests.isEmpty)
  }

  @Test mutating func A2_anAnswerWhoseWorkGoesOnIsKeptUntilItsEnd() {
    let ticket = requests.ask(.barrier(app: nil), for: .load([]), &turn)
    _ = requests.beginAnswer(ticket)
    requests.endAnswer(ticket, isSliced: true)
    #expect(requests.firstOpen == ticket && !requests.isEmpty)
    requests.endWork(ticket)
    #expect(requests.firstOpen > ticket && requests.isEmpty)
  }

  /// What a later question's answer sets free may still be meant by an earlier one.
  @Test mutating func A2_laterAnswersDoNotEndEarlierQuestions() {
    let tickets = (0..<4).map { _ in requests.ask(.barrier(app: nil), for: .load([]), &turn) }
    for place in [2, 1] {
      _ = requests.beginAnswer(tickets[place])
      requests.endAnswer(tickets[place], isSliced: false)
      #expect(requests.firstOpen == tickets[0])
    }
    _ = requests.beginAnswer(tickets[0])
    requests.endAnswer(tickets[0], isSliced: false)
    #expect(requests.firstOpen == tickets[3])
  }

  @Test mutating func T8_whatWasAskedBeforeAStepBackWasPlannedAhead() {
    let before = requests.ask(.barrier(app: nil), for: .load([]), &turn)
    requests.noteStepBack()
    let after = requests.ask(.barrier(app: nil), for: .load([]), &turn)
    _ = requests.beginAnswer(before)
    #expect(requests.isPlannedAhead && requests.isAskedAhead(before))
    requests.endAnswer(before, isSliced: false)
    #expect(!requests.isPlannedAhead)
    _ = requests.beginAnswer(after)
    #expect(!requests.isPlannedAhead && !requests.isAskedAhead(after))
    let wasAhead = requests.setPlannedAhead(true)
    #expect(!wasAhead && requests.isPlannedAhead)
  }
}
