import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

/// Whoever schedules a sound that is not there hears of it then, and not at night.
@Suite struct SoundLookupTests {
  private func reply(_ identifier: String, sound: String?) -> Reply {
    var reply = ScheduleReply(
      identifier: identifier, scheduled: true, unchanged: false, replaced: false, occurrence: nil,
      next: nil, discarded: [])
    reply.sounds = [sound].compactMap { $0 }.map { .init(app: "app", name: $0) }
    return .scheduled(reply)
  }

  private func warnings(_ reply: Reply?) -> [String]? {
    switch reply {
    case .scheduled(let reply): reply.warnings
    case .replacedAll(let reply): reply.warnings
    default: nil
    }
  }

  @Test func S3_theAnswerWaitsForTheDiskAndSaysThatASoundIsMissing() {
    var asked: [String] = []
    let lookup = SoundLookup { asked.append($0.name) }
    #expect(warnings(lookup.complete(1, reply("plain", sound: nil), now: 0)) == [])
    #expect(lookup.complete(2, reply("a", sound: "bell.wav"), now: 0) == nil)
    #expect(lookup.complete(3, reply("b", sound: "bell.wav"), now: 0) == nil)
    #expect(asked == ["bell.wav"])
    let name = ScheduleReply.NamedSound(app: "app", name: "bell.wav")
    let answered = lookup.take(.init(name: name, isThere: false, nearest: "bells.wav"), now: 5)
    #expect(answered.map { $0.id } == [2, 3])
    #expect(answered.allSatisfy { warnings($0.reply)?.count == 1 })
    #expect(
      warnings(answered[0].reply)?[0].contains("\"bell.wav\"; did you mean \"bells.wav\"?") == true)
    #expect(lookup.deadline == nil)
    // What was found a moment ago still holds, and no longer.
    #expect(warnings(lookup.complete(4, reply("c", sound: "bell.wav"), now: 6))?.count == 1)
    #expect(lookup.complete(5, reply("d", sound: "bell.wav"), now: 2 * Nanoseconds.second) == nil)
  }

  @Test func N16_theAnswerToAListWaitsForAllOfItsSounds() {
    var asked: [String] = []
    let lookup = SoundLookup { asked.append($0.name) }
    var list = ReplaceAllReply(added: 2, replaced: 0, unchanged: 0, cancelled: 0, discarded: [])
    list.sounds = ["a.wav", "b.wav"].map { .init(app: "app", name: $0) }
    #expect(lookup.complete(1, reply("a", sound: "b.wav"), now: 0) == nil)
    #expect(lookup.complete(2, .replacedAll(list), now: 0) == nil)
    #expect(asked == ["b.wav", "a.wav"])
    #expect(lookup.take(.init(name: list.sounds[1], isThere: false), now: 1).map { $0.id } == [1])
    let answered = lookup.take(.init(name: list.sounds[0], isThere: true), now: 2)
    #expect(answered.map { $0.id } == [2])
    #expect(warnings(answered[0].reply)?.count == 1)
    // What is known of some of them is said, although the rest takes too long.
    list.sounds.append(.init(app: "app", name: "c.wav"))
    #expect(lookup.complete(3, .replacedAll(list), now: 3) == nil)
    let late = lookup.tick(now: SoundLookup.timeout + 3)
    #expect(late.map { warnings($0.reply)?.count } == [1])
  }

  @Test func D8_aDiskThatDoesNotAnswerHoldsNobodyUp() {
    let lookup = SoundLookup { _ in }
    #expect(lookup.complete(1, reply("a", sound: "bell.wav"), now: 0) == nil)
    #expect(lookup.deadline == SoundLookup.timeout)
    #expect(lookup.tick(now: SoundLookup.timeout - 1).isEmpty)
    let late = lookup.tick(now: SoundLookup.timeout)
    #expect(late.map { $0.id } == [1] && warnings(late[0].reply) == [])
  }

  @Test func S8_anAppsFoldersComeFirst() throws {
    let scratch = try Scratch()
    try "x".write(toFile: scratch.path + "/own.wav", atomically: true, encoding: .utf8)
    var folders = SoundFolders()
    folders.common = ["/nowhere"]
    folders.ofApps["shop"] = [scratch.path]
    #expect(folders.has("own.wav", of: "shop"))
    #expect(!folders.has("own.wav", of: "other"))
    // What may be meant is one that the app may play, too.
    #expect(folders.nearest("own", of: "shop") == "own.wav")
    #expect(folders.nearest("onw.wav", of: "shop") == "own.wav")
    #expect(folders.nearest("thunder.wav", of: "shop") == nil)
    #expect(folders.nearest("own", of: "other") == nil)
  }
}
