import BelfryCore
import BelfryWire

extension HelpDocument {
  /// belfry-time(7).
  static var time: HelpDocument {
    HelpDocument(
      page: ("belfry-time", 7), summary: "how times, durations and repeats are written",
      blocks: [
        .heading("TIME"),
        .text("One of: " + TimeText.forms + "."),
        .term(
          "absolute",
          "With an offset or Z it is that instant. A repeat of it keeps its time in UTC."),
        .term(
          "floating",
          "Without an offset it is what the clock on the board's wall shows, wherever the board"
            + " is."),
        .term("zoned", "With --time-zone it is what the clocks of that zone show."),
        .text(
          "A clock time alone means the next such; 'today 07:00' may be past, and a past date is"
            + " refused. TIME is read in the board's zone; TZ only sets the zone in which belfry"
            + " writes times."),
        .heading("DURATION"),
        .text("Numbers with their units, the largest first: 90s, 10m, 1h30m, 1.5h, 2d, 1w."),
        .heading("Repeats"),
        .text(
          "--repeat UNIT --every N counts from the start. --rrule takes a rule of RFC 5545, and SKIP"
            + " of RFC 7529."),
        .term(
          "--gap",
          "In spring the clocks jump over some wall times. Such a repeat is later by the length of"
            + " the jump (shift), at the first instant behind it (next), or left out (skip)."),
        .term(
          "--overlap",
          "In autumn some wall times come twice. Such a repeat comes the first time, the last time,"
            + " or both times."),
        .term(
          "--month-end",
          "A day that a month does not have is its last day (clamp), left out (skip), or the day"
            + " after its last (roll)."),
        .term("--until", "No repeat is later; a date alone is the end of that day."),
        .term("--count", "So many times in all."),
        .heading("A late alert"),
        .text(
          "What was due while the board was off fires once, as soon as it can, and says how late it"
            + " is. The key late of belfry.conf(5) and --late change that."),
        .heading("Examples"),
        .example([
          "belfry next --at 2027-03-27T02:30 --time-zone Europe/Berlin --repeat day --explain",
          "belfry next --at 2027-01-29T09:00 --rrule 'FREQ=MONTHLY;BYDAY=-1FR'",
        ]),
      ],
      seeAlso: [("belfry", 1), ("belfry.conf", 5)])
  }

  /// belfry-plugin(7).
  static var plugins: HelpDocument {
    HelpDocument(
      page: ("belfry-plugin", 7), summary: "plugins that show notifications, or bring pushes",
      blocks: [
        .text(
          "A plugin is a shared library with one exported function, belfry_plugin_entry. It runs in"
            + " a process of its own, belfry-worker, so one that crashes or hangs delays nobody"
            + " else. The header belfry/plugin.h is its specification."),
        .heading("Configuration"),
        .text(
          "A section [plugin:NAME] of belfry.conf(5) loads a plugin under that name. These keys are"
            + " belfryd's own; all others are the plugin's."),
        .keys(section: "[plugin:NAME]", SettingHelp.rows(of: PluginHostKey.self)),
        .text(
          "belfry plugin check FILE loads a plugin, lists its keys and makes one fake delivery; it"
            + " needs no daemon. belfry plugin list says how each configured plugin is doing."),
        .heading("Plugin folders"),
        .text(
          "A name such as console finds console, console.so or libbelfry-console.so in these"
            + " folders, in order: DIR/plugins (with --user ~/.local/share/belfry/plugins), the"
            + " folder of the program, ../lib/belfry/plugins beside it,"
            + " /usr/local/lib/belfry/plugins, /usr/lib/belfry/plugins."),
        .heading("Extensions"),
        .term("delivery/1", "Shows an alert, replaces it, takes it back."),
        .term("badge/1", "Shows an app's number."),
        .term("health/1", "Says how it is, for belfry doctor."),
        .term("input/1", "Reports what the user pressed, dismissed or snoozed."),
        .term("push/1", "Brings pushes, and hears what became of each."),
        .term(
          "calendar/1", "Computes the days of a repeat in a calendar that belfryd does not know."),
        .heading("Answers"),
        .term("DONE", "It is shown."),
        .term("PENDING", "The plugin answers later."),
        .term("RETRY", "Not now; belfryd hands it over again."),
        .term("FAILED", "Never, and why."),
        .heading("Failures"),
        .text(
          "A plugin that ends is started again, each time after a longer pause. Deliveries that it"
            + " had not answered are handed over again under the same ids; an attempt above 1 means"
            + " that it may have been shown already."),
      ],
      seeAlso: [("belfry", 1), ("belfryd", 8), ("belfry.conf", 5)])
  }

  /// belfryd(8).
  static var daemon: HelpDocument {
    HelpDocument(
      page: ("belfryd", 8), summary: "the clock of Belfry, a scheduler of notifications",
      blocks: [
        .text(
          "belfryd keeps what was scheduled and hands it over when it is due: to plugins, and to the"
            + " speaker. Apps and people reach it over a socket that speaks Varlink."),
        .heading("Options"),
        .term("--directory DIR", "Socket, books, configuration and run files lie under DIR."),
        .term("--user", "The places of this user (XDG); the default unless root starts it."),
        .term("--system", "The places of the board; the default of root."),
        .term("--localtime PATH", "Replaces /etc/localtime."),
        .term("--zoneinfo DIR", "Replaces /usr/share/zoneinfo."),
        .term(
          "--check FILE",
          "Says whether FILE is a configuration and whether what it names is there, and ends."),
        .term("--help, --version", "Print help or the version."),
        .heading("Files"),
        .term(
          "/etc/belfry/belfry.conf, /run/belfry/socket, /var/lib/belfry/books.sqlite",
          "With --system: configuration, socket and books."),
        .term(
          "~/.config/belfry/belfry.conf, $XDG_RUNTIME_DIR/belfry/socket,"
            + " ~/.local/state/belfry/books.sqlite", "With --user."),
        .term("DIR/belfry.conf, DIR/socket, DIR/books.sqlite", "With --directory DIR."),
        .heading("Signals"),
        .term("SIGTERM", "Stops it."),
        .term("SIGHUP", "It reads its configuration again."),
        .heading("Exit status"),
        .term("10", "Another program uses the socket."),
        .term("11", "The daemon lacks rights."),
        .term("12", "The books have a newer version than this daemon."),
        .term("13", "A second daemon runs on this folder."),
        .term("14", "The configuration has a mistake."),
      ],
      seeAlso: [("belfry", 1), ("belfry.conf", 5), ("belfry.app", 5), ("belfry-plugin", 7)])
  }
}
