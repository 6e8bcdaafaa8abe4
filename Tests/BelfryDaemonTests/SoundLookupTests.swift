import BelfryCore
import BelfrySystem
import BelfryWire
import Foundation
import TestSupport
import Testing

@testable import BelfryDaemon

/// Whoever schedules a sound that is not there hears of it then, and not at night.
@Suite struct SoundLookupTests {
  private func reply(_ identifier: String, sound: String?) -> ScheduleReply {
    var reply = ScheduleReply(
      identifier: identifier, scheduled: true, unchanged: false, replaced: false, occurrence: nil,
      next: nil, discarded: [])
    reply.sound = sound.map { .init(app: "app", name: $0) }
    return reply
  }

  @Test func S3_theAnswerWaitsForTheDiskAndSaysThatASoundIsMissing() {
    var asked: [String] = []
    let lookup = SoundLookup { asked.append($0.name) }
    #expect(lookup.complete(1, reply("plain", sound: nil), now: 0)?.warnings == [])
    #expect(lookup.complete(2, reply("a", sound: "bell.wav"), now: 0) == nil)
    #expect(lookup.complete(3, reply("b", sound: "bell.wav"), now: 0) == nil)
    #expect(asked == ["bell.wav"])
    let name = ScheduleReply.NamedSound(app: "app", name: "bell.wav")
    let answered = lookup.take(.init(name: name, isThere: false), now: 5)
    #expect(answered.map { $0.id } == [2, 3])
    #expect(answered.allSatisfy { $0.reply.warnings.count == 1 })
    #expect(answered[0].reply.warnings[0].contains("\"bell.wav\""))
    #expect(lookup.deadline == nil)
    // What was found a moment ago still holds, and no longer.
    #expect(lookup.complete(4, reply("c", sound: "bell.wav"), now: 6)?.warnings.count == 1)
    #expect(lookup.complete(5, reply("d", sound: "bell.wav"), now: 2 * Nanoseconds.second) == nil)
  }

  @Test func D8_aDiskThatDoesNotAnswerHoldsNobodyUp() {
    let lookup = SoundLookup { _ in }
    #expect(lookup.complete(1, reply("a", sound: "bell.wav"), now: 0) == nil)
    #expect(lookup.deadline == SoundLookup.timeout)
    #expect(lookup.tick(now: SoundLookup.timeout - 1).isEmpty)
    let late = lookup.tick(now: SoundLookup.timeout)
    #expect(late.map { $0.id } == [1] && late[0].reply.warnings.isEmpty)
  }

  @Test func S8_anAppsFoldersComeFirst() throws {
    let scratch = try Scratch()
    try "x".write(toFile: scratch.path + "/own.wav", atomically: true, encoding: .utf8)
    var folders = SoundFolders()
    folders.common = ["/nowhere"]
    folders.ofApps["shop"] = [scratch.path]
    #expect(folders.has("own.wav", of: "shop"))
    #expect(!folders.has("own.wav", of: "other"))
  }
}
