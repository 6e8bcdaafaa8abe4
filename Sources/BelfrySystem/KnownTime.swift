import BelfryCore

/// What this machine knows of the time before anybody is asked (T9).
public enum KnownTime {
  /// Files whose modification is a time that has passed: systemd's clock, and its epoch.
  public static let stamps = [
    "/var/lib/systemd/timesync/clock", "/var/lib/private/systemd/timesync/clock",
    "/usr/lib/clock-epoch",
  ]
  /// The text of fake-hwclock(8): `2026-11-21 12:00:00`, in UTC.
  public static let fakeClock = "/etc/fake-hwclock.data"

  /// The newest of them, and of when this program was built; `distantPast`: none can be read.
  @export(interface)
  public static func newest(
    stamps: [String] = stamps, fakeClock: String = fakeClock, program: String = "/proc/self/exe"
  ) -> Instant {
    var newest = Instant.distantPast
    for path in stamps + [program] {
      if let status = try? Files.status(path), status.kind == .regular {
        newest = max(newest, status.modified)
      }
    }
    if let bytes = try? Files.read(fakeClock, limit: 256), let time = read(fakeClock: bytes) {
      newest = max(newest, time)
    }
    return newest
  }

  /// nil: it is no such text.
  static func read(fakeClock bytes: [UInt8]) -> Instant? {
    var text = bytes.prefix { $0 != UInt8(ascii: "\n") }
    guard text.count == 19 else { return nil }
    text[10] = UInt8(ascii: "T")
    return try? RFC3339.parse(String(decoding: text, as: UTF8.self) + "Z", field: "clock")
  }

  /// A number of this boot (proc(5)); 0 where the kernel does not say.
  @export(interface)
  public static func boot() -> Int64 {
    guard let bytes = try? Files.read("/proc/sys/kernel/random/boot_id", limit: 256) else {
      return 0
    }
    var number: UInt64 = 0
    var digits = 0
    for byte in bytes {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digits < 16 else { continue }
      number = number << 4 | UInt64(digit)
      digits += 1
    }
    return Int64(bitPattern: number)
  }
}
