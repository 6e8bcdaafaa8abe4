import BelfryCore
import BelfryWire

/// `belfry unit`: a systemd unit for this installation (systemd.exec(5), systemd.service(5)).
enum UnitCommand {
  static func run(_ context: CommandContext) throws(CommandError) {
    let daemon = try Installation.here().need("belfryd")
    let text = unit(daemon: daemon, user: context.given.has(.user))
    if context.json { return try context.say(["unit": .string(text)]) }
    try CommandLineTool.write(text)
  }

  static func unit(daemon: String, user: Bool) -> String {
    let sections = [
      (user ? [] : users)
        + ["[Unit]", "Description=Belfry, notifications that fire on time"] + always,
      ["[Service]"] + service(daemon, user: user) + (user ? userLimits : systemLimits),
      ["[Install]", "WantedBy=" + (user ? "default.target" : "multi-user.target")],
    ]
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// What makes the users that the unit names; the store of a clock that ran as root moves along.
  private static let users = [
    "# Save as /etc/systemd/system/belfry.service. The users, once, as root:",
    "#   groupadd --force --system audio",
    "#   useradd --system --user-group --no-create-home --shell /usr/sbin/nologin belfry",
    "#   useradd --system --user-group --no-create-home --shell /usr/sbin/nologin belfry-worker",
    "#   useradd --system --user-group --no-create-home --shell /usr/sbin/nologin belfry-speaker",
    "#   usermod --append --groups audio belfry-speaker",
    "# or, in /usr/lib/sysusers.d/belfry.conf, for systemd-sysusers:",
    "#   u belfry -", "#   u belfry-worker -", "#   u belfry-speaker -",
    "#   m belfry-speaker audio",
    "# systemd gives /var/lib/belfry and all that is in it to belfry when the service starts. A",
    "# configuration that only root can read, and sounds of users, do not follow by themselves:",
    "#   chmod a+r /etc/belfry/belfry.conf",
    "# belfry doctor says what is missing.", "",
  ]

  /// Whatever ends it, however often: it comes back.
  private static let always = ["StartLimitIntervalSec=0"]

  private static func service(_ daemon: String, user: Bool) -> [String] {
    [
      "Type=notify", "NotifyAccess=main",
      "ExecStart=" + quoted(daemon) + (user ? " --user" : " --system"),
      "ExecReload=/bin/kill -HUP $MAINPID",
      "# The clock ends its children itself; what is left after that is killed.",
      "KillMode=mixed", "TimeoutStopSec=5", "Restart=always", "RestartSec=1",
      "# Off: with nothing due the daemon never wakes. WatchdogSec=30 turns it on.",
      "WatchdogSec=0",
      "# Keeps which deliveries are done, so that a restart repeats none.",
      "RuntimeDirectory=belfry", "RuntimeDirectoryPreserve=yes",
      "# A plugin that is ended for lack of memory takes nobody along. No MemoryMax: it would stand",
      "# over clock and plugins together; each plugin has `memory =`.",
      "OOMPolicy=continue", "TasksMax=512",
    ]
  }

  /// What a user's service manager can do without privileges.
  private static let userLimits = [
    "NoNewPrivileges=yes", "LockPersonality=yes", "SystemCallArchitectures=native", "UMask=0077",
  ]

  /// ALSA's devices stay, CAP_WAKE_ALARM stays (so no ProtectClock), and the programs that plugins
  /// start may map memory as they like (so no MemoryDenyWriteExecute). /proc shows other users'
  /// processes, by which the clock knows what plugins leave behind (so no ProtectProc).
  private static let systemLimits = [
    "User=belfry", "Group=belfry",
    "# The clock is the last to be ended for lack of memory; its children raise their score.",
    "OOMScoreAdjust=-900",
    "# Its children become belfry-worker, belfry-speaker and whom `uid =` says, and keep none of",
    "# these: SETUID, SETGID to become that, KILL to end it, CHOWN for its run folder.",
    "AmbientCapabilities=" + capabilities, "CapabilityBoundingSet=" + capabilities,
    "RuntimeDirectoryMode=0755", "StateDirectory=belfry", "StateDirectoryMode=0700",
    "ConfigurationDirectory=belfry", "ConfigurationDirectoryMode=0755",
    "# For [clock] realtime; children have none of it.",
    "LimitRTPRIO=99", "LimitMEMLOCK=infinity", "NoNewPrivileges=yes", "ProtectSystem=strict",
    "# Sounds and spool folders lie outside of homes; or ProtectHome=read-only.",
    "ProtectHome=yes", "PrivateTmp=yes", "DevicePolicy=closed", "DeviceAllow=char-alsa rw",
    "ProtectKernelTunables=yes", "ProtectKernelModules=yes", "ProtectKernelLogs=yes",
    "ProtectControlGroups=yes", "ProtectHostname=yes", "RestrictNamespaces=yes",
    "RestrictSUIDSGID=yes", "LockPersonality=yes", "SystemCallArchitectures=native",
    "RemoveIPC=yes", "PrivateMounts=yes",
    "# adjtimex(2) only asks here: whether the clock is synchronised.",
    "SystemCallFilter=@system-service adjtimex clock_adjtime",
    "# With these its children confine themselves further.",
    "SystemCallFilter=seccomp landlock_create_ruleset landlock_restrict_self",
    "SystemCallErrorNumber=EPERM",
    "# No network. A plugin that needs one (systemctl edit belfry):",
    "#   [Service]", "#   PrivateNetwork=no", "#   IPAddressDeny=",
    "#   RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK",
    "RestrictAddressFamilies=AF_UNIX", "PrivateNetwork=yes", "IPAddressDeny=any", "UMask=0077",
  ]

  private static let capabilities =
    "CAP_SETUID CAP_SETGID CAP_CHOWN CAP_KILL CAP_WAKE_ALARM"

  /// A path in quotes, its specifiers and escapes made plain.
  private static func quoted(_ path: String) -> String {
    var text = "\""
    for character in path {
      switch character {
      case "%": text += "%%"
      case "$": text += "$$"
      case "\"", "\\": text += "\\" + String(character)
      default: text.append(character)
      }
    }
    return text + "\""
  }
}
