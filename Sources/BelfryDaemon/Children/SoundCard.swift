import BelfrySystem

/// Whether this machine has something to play on, as far as the kernel knows.
enum SoundCard {
  /// What is missing, in words; nil: there is a card. Blocks on no disk, but opens a file.
  static func absence() -> String? {
    let cards = (try? Files.read("/proc/asound/cards", limit: 1 << 14)) ?? []
    let hasCard = cards.split(separator: UInt8(ascii: "\n")).contains { line in
      line.first { $0 != UInt8(ascii: " ") }.map { (0x30...0x39).contains($0) } ?? false
    }
    return hasCard ? nil : "no-device: this machine has no sound card"
  }
}
