import BelfryCore
import CLinux

/// Processes that children of the clock started and left behind: they come to the clock, which
/// guards itself (`Sandbox.guardClock`).
///
/// A child and all that descends from it carry the number of its life in a limit that nobody raises
/// again and Belfry does not use: that of message queues. What an app's program leaves has no such
/// number.
public enum Orphans {
  private static let base: UInt64 = 400_000
  private static let span: Int32 = 300_000

  /// Marks a child that was just started.
  public static func mark(_ pid: Int32, life: Int32) {
    _ = clinux_spawn_mark(pid, base + UInt64(life % span))
  }

  /// Reaps those that have ended, and kills those of lives up to `newest` that are over. How many
  /// were killed. Blocks on nothing but /proc.
  @export(interface)
  public static func sweep(living: [Int32], newest: Int32) -> Int {
    // Children are started by other threads than the first, so those of the first are orphans.
    let path = "/proc/self/task/\(Process.pid)/children"
    guard let bytes = try? Files.read(path, limit: 1 << 16) else { return 0 }
    var killed = 0
    for word in bytes.split(separator: UInt8(ascii: " ")) {
      guard let pid = Int32(String(decoding: word, as: UTF8.self)) else { continue }
      if clinux_spawn_reap_orphan(pid) != 0 { continue }
      guard let life = life(of: pid), newest >= span || life <= newest,
        !living.contains(where: { $0 % span == life })
      else { continue }
      if clinux_spawn_kill(pid, Signal.kill.rawValue) == 0 { killed += 1 }
    }
    return killed
  }

  /// nil: it is none of a child's.
  private static func life(of pid: Int32) -> Int32? {
    guard let bytes = try? Files.read("/proc/\(pid)/limits", limit: 1 << 14) else { return nil }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard line.starts(with: "Max msgqueue size".utf8) else { continue }
      let words = line.split(separator: UInt8(ascii: " "))
      // Name (three words), soft limit, hard limit, unit.
      guard words.count >= 5, let limit = UInt64(String(decoding: words[4], as: UTF8.self)),
        limit >= base, limit < base + UInt64(span)
      else { return nil }
      return Int32(limit - base)
    }
    return nil
  }
}
