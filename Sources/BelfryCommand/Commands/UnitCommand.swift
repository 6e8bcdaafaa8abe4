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
      ["[Unit]", "Description=Belfry, notifications that fire on time"],
      ["[Service]"] + service(daemon, user: user) + (user ? userLimits : systemLimits),
      ["[Install]", "WantedBy=" + (user ? "default.target" : "multi-user.target")],
    ]
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private static func service(_ daemon: String, user: Bool) -> [String] {
    [
      "Type=notify", "NotifyAccess=main",
      "ExecStart=" + quoted(daemon) + (user ? " --user" : " --system"),
      "ExecReload=/bin/kill -HUP $MAINPID",
      "# The clock ends its children itself; what is left after that is killed.",
      "KillMode=mixed", "TimeoutStopSec=5", "Restart=on-failure", "RestartSec=1",
      "# These do not get better by trying again: see belfryd --help.",
      "RestartPreventExitStatus=10 11 12 13 14",
      "# Off: with nothing due the daemon never wakes. WatchdogSec=30 turns it on.",
      "WatchdogSec=0",
      "# Keeps which deliveries are done, so that a restart repeats none.",
      "RuntimeDirectory=belfry", "RuntimeDirectoryPreserve=yes",
    ]
  }

  /// What a user's service manager can do without privileges.
  private static let userLimits = [
    "NoNewPrivileges=yes", "LockPersonality=yes", "SystemCallArchitectures=native", "UMask=0077",
  ]

  /// ALSA's devices stay, CAP_WAKE_ALARM stays (so no ProtectClock), and the programs that plugins
  /// start may map memory as they like (so no MemoryDenyWriteExecute).
  private static let systemLimits = [
    "RuntimeDirectoryMode=0755", "StateDirectory=belfry", "StateDirectoryMode=0700",
    "ConfigurationDirectory=belfry",
    "CapabilityBoundingSet=CAP_SYS_NICE CAP_WAKE_ALARM CAP_IPC_LOCK CAP_SETUID CAP_SETGID CAP_KILL",
    "LimitRTPRIO=99", "LimitMEMLOCK=64M", "NoNewPrivileges=yes", "ProtectSystem=strict",
    "ProtectHome=read-only", "PrivateTmp=yes", "DevicePolicy=closed", "DeviceAllow=char-alsa rw",
    "ProtectKernelTunables=yes", "ProtectKernelModules=yes", "ProtectKernelLogs=yes",
    "ProtectControlGroups=yes", "ProtectHostname=yes", "RestrictNamespaces=yes",
    "RestrictSUIDSGID=yes", "LockPersonality=yes", "SystemCallArchitectures=native",
    "# adjtimex(2) only asks here: whether the clock is synchronised.",
    "SystemCallFilter=@system-service adjtimex clock_adjtime", "SystemCallErrorNumber=EPERM",
    "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "UMask=0022",
  ]

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
