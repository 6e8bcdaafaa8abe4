import BelfryCore
import BelfrySystem
import BelfryWire

/// What this board is, by what its kernel and its files say: its clocks, its sound, what it lacks.
struct BoardCheck {
  /// Before each path; empty on the board itself.
  var root = ""

  // MARK: Clocks

  func clocks() -> [Finding] { [source(), hardwareClock()].compactMap { $0 } }

  /// What the kernel counts time by (Documentation/timers/timekeeping.rst).
  private func source() -> Finding? {
    let folder = "/sys/devices/system/clocksource/clocksource0/"
    guard let source = line(folder + "current_clocksource") else { return nil }
    guard source.hasSuffix("jiffies") else { return .ok("clock", "counted by " + source) }
    return .warn(
      "clock", "counted by \(source), in steps of some milliseconds: alerts are late by as much",
      "use another clocksource, of " + (line(folder + "available_clocksource") ?? source))
  }

  private func hardwareClock() -> Finding? {
    guard has("/dev/rtc0") else { return noHardwareClock() }
    let folder = "/sys/class/rtc/rtc0/"
    let name = line(folder + "name").map { ", " + $0 } ?? ""
    // Before 2020 there was no Belfry: an empty battery begins anew in 1970, or in 2000.
    if let seconds = line(folder + "since_epoch").flatMap({ Int64($0) }), seconds < 1_577_836_800 {
      let shows = LocalWords.date(CivilDate(days: seconds / 86_400))
      return .warn(
        "rtc", "/dev/rtc0\(name) shows \(shows): its battery is empty, or it was never set",
        "replace the battery, then hwclock --systohc")
    }
    return .ok("rtc", "/dev/rtc0" + name)
  }

  private func noHardwareClock() -> Finding {
    let battery = "fit a battery-backed clock where alerts must not wait for a network"
    if let saved = line("/etc/fake-hwclock.data") {
      return .warn(
        "rtc",
        "no /dev/rtc0: a start goes on from what fake-hwclock saved last, \(saved) UTC, and the time "
          + "is unknown until the network tells it", battery)
    }
    return .warn(
      "rtc", "no /dev/rtc0: after a power cut the time is unknown until the network tells it",
      battery + (keeper.map { "; \($0) saves the time across restarts" } ?? ""))
  }

  /// What keeps the time where no clock does: Debian's package, or OpenRC's service.
  private var keeper: String? {
    if has("/usr/bin/apt") { return install("fake-hwclock") }
    return has("/etc/init.d/swclock") ? "rc-update add swclock boot" : nil
  }

  /// By the tool that this system has.
  func install(_ package: String) -> String {
    for (path, words) in [
      ("/usr/bin/apt", "apt install"), ("/sbin/apk", "apk add"), ("/bin/opkg", "opkg install"),
    ] where has(path) {
      return words + " " + package
    }
    return "install " + package
  }

  // MARK: Sound

  /// `devices`: whether `[sound] device` names some. `process`: one that has the speaker's rights, in
  /// `/proc`; nil: nobody knows.
  func sound(devices: Bool, process: String?) -> [Finding] {
    let cards = cards()
    var findings: [Finding] = []
    if cards.count > 1, !devices {
      let list = cards.map { "plughw:CARD=" + $0.id }.joined(separator: "; ")
      findings.append(
        .ok(
          "sound",
          counted(cards.count, "card") + ", whose numbers may change at a start; in belfry.conf "
            + "[sound] device = \(list) takes the first that works"))
    }
    if let shut = process.flatMap({ shut(to: $0) }) { findings.append(shut) }
    return findings
  }

  /// The cards that play, by the names that stay.
  private func cards() -> [(id: String, text: String)] {
    guard let bytes = try? Files.read(root + "/proc/asound/cards", limit: 1 << 16) else {
      return []
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    var cards: [(id: String, text: String)] = []
    // ` 0 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones`
    for line in lines {
      let parts = line.split(separator: "[", maxSplits: 1)
      guard parts.count == 2, let number = Int64(parts[0].filter { $0 != " " }) else { continue }
      let rest = parts[1].split(separator: "]", maxSplits: 1)
      guard rest.count == 2 else { continue }
      let plays = ((try? Files.list(root + "/proc/asound/card\(number)")) ?? [])
        .contains { $0.hasPrefix("pcm") && $0.hasSuffix("p") }
      guard plays else { continue }
      cards.append((String(rest[0].filter { $0 != " " }), String(rest[1])))
    }
    return cards
  }

  /// A device that plays and that the speaker may not open.
  private func shut(to process: String) -> Finding? {
    guard let speaker = numbers("Uid:", of: process).first else { return nil }
    let groups = numbers("Gid:", of: process) + numbers("Groups:", of: process)
    for name in (try? Files.list(root + "/dev/snd")) ?? []
    where name.hasPrefix("pcm") && name.hasSuffix("p") {
      guard let status = try? Files.status(root + "/dev/snd/" + name) else { continue }
      let isOpen =
        speaker == 0 || status.mode & 0o006 == 0o006
        || status.uid == speaker && status.mode & 0o600 == 0o600
        || groups.contains(status.gid) && status.mode & 0o060 == 0o060
      if isOpen { continue }
      let who = Account.find(String(speaker), file: root + "/etc/passwd")?.name ?? String(speaker)
      let group = Group.name(of: status.gid, file: root + "/etc/group") ?? String(status.gid)
      return .warn(
        "sound", "the speaker's user, \(who), may not open /dev/snd/\(name)",
        "usermod -aG \(group) \(who), then restart belfryd")
    }
    return nil
  }

  /// The numbers behind a word in a process's status (proc_pid_status(5)).
  private func numbers(_ key: String, of process: String) -> [UInt32] {
    guard let bytes = try? Files.read(root + "/proc/\(process)/status", limit: 1 << 16) else {
      return []
    }
    let lines = bytes.split(separator: 0x0A)
    guard let line = lines.first(where: { $0.starts(with: key.utf8) }) else { return [] }
    return line.dropFirst(key.utf8.count).split { $0 == 0x09 || $0 == 0x20 }
      .compactMap { UInt32(String(decoding: $0, as: UTF8.self)) }
  }

  // MARK: The disk

  /// What belfryd has written since it started; nil: it has just begun, or this user may not know.
  func written(by daemon: Int32, upSeconds: Int64) -> Finding? {
    guard upSeconds >= 60, let bytes = try? Files.read(root + "/proc/\(daemon)/io", limit: 4096)
    else { return nil }
    let key = "write_bytes: "
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard
      let count = lines.first(where: { $0.hasPrefix(key) }).flatMap({
        Int64($0.dropFirst(key.utf8.count))
      })
    else { return nil }
    let words =
      "belfryd has written \(StoreCheck.bytes(count)) "
      + Nanoseconds.words(upSeconds * Nanoseconds.second)
    guard upSeconds >= 3600 else { return .ok("disk", words) }
    return .ok("disk", words + ", \(StoreCheck.bytes(count / upSeconds * 86_400)) a day")
  }

  // MARK: What is not installed

  func missing(_ pluginFolders: [String]) -> [Finding] {
    var findings: [Finding] = []
    if !has("/usr/share/zoneinfo") {
      findings.append(
        .warn(
          "packages", "no time zones in /usr/share/zoneinfo: only UTC is known",
          install(has("/bin/opkg") ? "zoneinfo-core" : "tzdata")))
    }
    if !pluginFolders.contains(where: { has($0 + "/libbelfry-calendars.so") }) {
      findings.append(
        .ok(
          "packages",
          "no libbelfry-calendars.so, which repeats in other than Gregorian months take: it is "
            + (has("/usr/bin/apt")
              ? "the package belfry-plugin-calendars" : "in no tarball for musl")))
    }
    return findings
  }

  // MARK: Reading

  private func has(_ path: String) -> Bool { (try? Files.status(root + path)) != nil }

  /// A file's first line; nil: there is none.
  private func line(_ path: String) -> String? {
    guard let bytes = try? Files.read(root + path, limit: 4096) else { return nil }
    let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
    return line.isEmpty ? nil : line
  }
}
