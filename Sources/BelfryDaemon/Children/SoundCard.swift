import BelfryCore
import BelfrySystem

/// Whether this machine has something to play on, as far as the kernel knows.
enum SoundCard {
  /// What is missing, in words; nil: there is a card. Blocks on no disk, but opens a file.
  static func absence() -> String? {
    let cards = (try? Files.read("/proc/asound/cards", limit: 1 << 14)) ?? []
    let hasCard = cards.split(separator: UInt8(ascii: "\n")).contains { line in
      line.first { $0 != UInt8(ascii: " ") }.map { (0x30...0x39).contains($0) } ?? false
    }
    return hasCard ? nil : prefix + none
  }

  fileprivate static let prefix = "no-device: "
  fileprivate static let none = "this machine has no sound card"
}

extension ChildSupervisor {
  /// What the speaker lacks to be heard, as far as it knows; nil: nothing.
  var missingDevice: String? {
    guard isSpeaker, let health, health.text.hasPrefix(SoundCard.prefix) else { return nil }
    // Devices that hung may follow.
    let bytes = health.text.utf8.dropFirst(SoundCard.prefix.utf8.count)
    let why = String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    // ALSA says it in other words once it has tried.
    if why == SoundCard.none || SoundCard.absence() != nil { return SoundCard.none }
    return "there is nothing to play on (\(why))"
  }

  /// How it is, for a person.
  var word: String {
    let isMissing = missingDevice != nil && (state == .idle || state == .running)
    return isMissing ? "no-device" : state.word
  }
}
