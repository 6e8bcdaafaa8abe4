/// What of the daemon's environment a child inherits.
public enum ChildEnvironment {
  private static let kept: [String] = [
    "PATH", "HOME", "LANG", "TZ", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
  ]
  /// A program that is started for an app may have windows of its own.
  private static let keptForApps: [String] = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "USER", "LOGNAME", "SHELL",
  ]
  #if BELFRY_BREAKABLE
    // Children have the time that a test steps, too.
    private static let prefixes = ["LC_", "ALSA_", "PULSE_", "LD_PRELOAD", "BELFRY_TEST_CLOCK"]
  #else
    private static let prefixes = ["LC_", "ALSA_", "PULSE_"]
  #endif

  /// Of `NAME=value` entries those that children keep; never LISTEN_*, NOTIFY_*, WATCHDOG_*.
  public static func filter(_ entries: [String], forApps: Bool = false) -> [String] {
    entries.filter { entry in
      guard let name = entry.split(separator: "=", maxSplits: 1).first else { return false }
      if forApps, keptForApps.contains(where: { $0 == name }) { return true }
      return kept.contains { $0 == name } || prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// The same where `[clock] zone` says whose clocks are shown; nil: the system does, or TZ.
  static func adding(_ zone: String?, to entries: [String]) -> [String] {
    guard let zone else { return entries }
    return entries.filter { !$0.hasPrefix("TZ=") } + ["TZ=" + zone]
  }
}
