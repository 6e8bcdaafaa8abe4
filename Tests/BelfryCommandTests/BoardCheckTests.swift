import BelfrySystem
import TestSupport
import Testing

@testable import BelfryCommand

/// What `doctor` says of a board, by files as boards have them.
struct BoardCheckTests {
  private let scratch: Scratch
  private let board: BoardCheck

  init() throws {
    scratch = try Scratch()
    board = BoardCheck(root: scratch.path)
  }

  private func write(_ path: String, _ text: String = "", mode: UInt32 = 0o644) throws {
    try Files.makeFolders(Files.parent(of: scratch.path + path), mode: 0o755)
    try Files.write(Array(text.utf8), to: scratch.path + path)
    try Files.setMode(mode, of: scratch.path + path)
  }

  private func raspberry() throws {
    let source = "/sys/devices/system/clocksource/clocksource0/"
    try write(source + "current_clocksource", "arch_sys_counter\n")
    try write(source + "available_clocksource", "arch_sys_counter jiffies \n")
    try write(
      "/proc/asound/cards",
      """
       0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                            vc4-hdmi-0
       1 [Headphones     ]: bcm2835_headpho - bcm2835 Headphones
                            bcm2835 Headphones
       2 [Camera         ]: USB-Audio - Camera
                            a microphone
      """)
    try write("/proc/asound/card0/pcm0p/info")
    try write("/proc/asound/card1/pcm0p/info")
    try write("/proc/asound/card2/pcm0c/info")
  }

  @Test func whatIsToBeInstalledIsSaidInTheWordsOfTheSystem() throws {
    #expect(board.install("chrony") == "install chrony")
    #expect(board.clocks().last?.advice.contains("across restarts") == false)
    #expect(board.missing([]).first?.advice == "install tzdata")
    try write("/bin/opkg")
    #expect(board.missing([]).first?.advice == "opkg install zoneinfo-core")
    try write("/sbin/apk")
    try write("/etc/init.d/swclock")
    #expect(board.install("chrony") == "apk add chrony")
    #expect(
      board.clocks().last?.advice.hasSuffix(
        "; rc-update add swclock boot saves the time across restarts")
        == true)
    try write("/usr/bin/apt")
    #expect(board.install("chrony") == "apt install chrony")
  }

  @Test func aBoardWithoutAClockOfItsOwnIsTold() throws {
    try raspberry()
    try write("/usr/bin/apt")
    var findings = board.clocks()
    #expect(findings.map { $0.result } == [.ok, .warn])
    #expect(findings[0].finding == "counted by arch_sys_counter")
    #expect(findings[1].finding.hasPrefix("no /dev/rtc0: after a power cut the time is unknown"))
    #expect(findings[1].advice.hasSuffix("apt install fake-hwclock saves the time across restarts"))
    try write("/etc/fake-hwclock.data", "2026-11-29 08:17:01\n")
    findings = board.clocks()
    #expect(findings[1].finding.contains("fake-hwclock saved last, 2026-11-29 08:17:01 UTC"))
    #expect(!findings[1].advice.contains("apt install"))
  }

  @Test func aClockWithAnEmptyBatteryIsNoClock() throws {
    try write("/dev/rtc0")
    try write("/sys/class/rtc/rtc0/name", "rtc-ds1307 1-0068\n")
    try write("/sys/class/rtc/rtc0/since_epoch", "946684862\n")
    #expect(
      board.clocks() == [
        .warn(
          "rtc",
          "/dev/rtc0, rtc-ds1307 1-0068 shows 2000-01-01: its battery is empty, or it was never set",
          "replace the battery, then hwclock --systohc")
      ])
    try write("/sys/class/rtc/rtc0/since_epoch", "1795939200\n")
    #expect(board.clocks() == [.ok("rtc", "/dev/rtc0, rtc-ds1307 1-0068")])
  }

  @Test func aClockThatCountsInJiffiesIsToldWithWhatElseThereIs() throws {
    try raspberry()
    try write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "jiffies\n")
    let finding = board.clocks()[0]
    #expect(finding.result == .warn && finding.advice.hasSuffix("of arch_sys_counter jiffies "))
  }

  @Test func cardsThatPlayAreNamedByWhatStays() throws {
    try raspberry()
    let list = "[sound] device = plughw:CARD=vc4hdmi0; plughw:CARD=Headphones takes the first"
    #expect(board.sound(devices: false, process: nil).first?.finding.contains(list) == true)
    #expect(board.sound(devices: true, process: nil) == [])
  }

  @Test(arguments: [
    (uid: 998, groups: "998", isShut: true), (uid: 998, groups: "29 998", isShut: false),
    (uid: 0, groups: "", isShut: false),
  ])
  func aDeviceThatTheSpeakerMayNotOpenIsTold(uid: Int, groups: String, isShut: Bool) throws {
    try write("/dev/snd/pcmC0D0p", mode: 0o660)
    try write("/dev/snd/pcmC0D0c", mode: 0o600)
    let device = try Files.status(scratch.path + "/dev/snd/pcmC0D0p")
    try write("/etc/passwd", "belfry-speaker:x:998:998::/:/usr/sbin/nologin\n")
    try write("/etc/group", "audio:x:\(device.gid):\n")
    let own = groups.replacing("29", with: String(device.gid))
    try write(
      "/proc/77/status", "Name:\tx\nUid:\t\(uid)\t0\t0\t0\nGid:\t998\t998\nGroups:\t\(own) \n")
    let findings = board.sound(devices: false, process: "77")
    #expect(
      findings
        == (isShut
          ? [
            .warn(
              "sound", "the speaker's user, belfry-speaker, may not open /dev/snd/pcmC0D0p",
              "usermod -aG audio belfry-speaker, then restart belfryd")
          ] : []))
  }

  @Test func whatWasWrittenIsToldByTheDay() throws {
    #expect(board.written(by: 77, upSeconds: 60) == nil)
    try write("/proc/77/io", "rchar: 1\nwrite_bytes: 4096000\ncancelled_write_bytes: 0\n")
    let first = board.written(by: 77, upSeconds: 60)
    #expect(first == .ok("disk", "belfryd has written 4000 KiB in 1 min"))
    let later = board.written(by: 77, upSeconds: 2 * 86_400)
    #expect(later == .ok("disk", "belfryd has written 4000 KiB in 2 d, 1940 KiB a day"))
  }

  @Test func whatIsNotInstalledIsNamed() throws {
    #expect(board.missing(["/plugins"]).map { $0.result } == [.warn, .ok])
    try write("/usr/share/zoneinfo/UTC")
    try write("/plugins/libbelfry-calendars.so")
    #expect(board.missing(["/none", "/plugins"]) == [])
  }
}
