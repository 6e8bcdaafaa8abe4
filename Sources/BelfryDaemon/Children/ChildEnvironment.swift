/// What of the daemon's environment a child inherits.
public enum ChildEnvironment {
  private static let kept: [String] = [
    "PATH", "HOME", "LANG", "TZ", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
  ]
  private static let prefixes = ["LC_", "ALSA_", "PULSE_"]

  /// Of `NAME=value` entries those that children keep; never LISTEN_*, NOTIFY_*, WATCHDOG_*.
  public static func filter(_ entries: [String]) -> [String] {
    entries.filter { entry in
      guard let name = entry.split(separator: "=", maxSplits: 1).first else { return false }
      return kept.contains { $0 == name } || prefixes.contains { name.hasPrefix($0) }
    }
  }
}
