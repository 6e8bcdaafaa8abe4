import Testing

@testable import BelfrySystem

@Suite struct MailboxTests {
  @Test func everythingArrivesOnceAndInOrderOfEachSender() throws {
    let mailbox = try Mailbox<(sender: Int, number: Int)>()
    let threads = try (0..<4).map { sender in
      try Thread.start(name: "sender", stackSize: 64 * 1024) {
        for number in 0..<1000 { mailbox.send((sender, number)) }
      }
    }
    var next = [0, 0, 0, 0]
    while next != [1000, 1000, 1000, 1000] {
      for message in mailbox.wait() {
        #expect(message.number == next[message.sender])
        next[message.sender] += 1
      }
    }
    for thread in threads { thread.join() }
    #expect(mailbox.drain().isEmpty)
  }

  @Test func theBellRingsOnceABurst() throws {
    let mailbox = try Mailbox<Int>()
    #expect(Poll.wait(mailbox.descriptor, .readable, milliseconds: 0).isEmpty)
    mailbox.send(1)
    mailbox.send(2)
    #expect(Poll.wait(mailbox.descriptor, .readable, milliseconds: 0) == .readable)
    #expect(mailbox.drain() == [1, 2])
    #expect(Poll.wait(mailbox.descriptor, .readable, milliseconds: 0).isEmpty)
    mailbox.send(3)
    #expect(Poll.wait(mailbox.descriptor, .readable, milliseconds: 0) == .readable)
    #expect(mailbox.drain() == [3])
  }

  @Test func threadsOfSmallStacksRunAndJoin() throws {
    let mailbox = try Mailbox<Int>()
    for number in 0..<16 {
      let thread = try Thread.start(name: "a-name-longer-than-15", stackSize: 1) {
        mailbox.send(number)
      }
      thread.join()
      thread.join()
    }
    #expect(mailbox.drain() == Array(0..<16))
  }

  @Test func signalsAreReadAsEvents() throws {
    let signals = try SignalDescriptor([.hangup])
    #expect(try signals.read() == nil)
    let thread = try Thread.start(name: "blocked", stackSize: 64 * 1024) {}
    thread.join()
    #expect(Signal(rawValue: 15) == .terminate)
  }
}
