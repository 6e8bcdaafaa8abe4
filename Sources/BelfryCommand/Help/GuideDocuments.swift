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
            + " refused. What the clocks show twice in autumn means the first time that is not past."
            + " TIME is read in the board's zone; TZ only sets the zone in which belfry"
            + " writes times."),
        .heading("DURATION"),
        .text("Numbers with their units, the largest first: 90s, 10m, 1h30m, 1.5h, 2d, 1w."),
        .heading("Repeats"),
        .text(
          "--repeat UNIT --every N counts from the start. --rrule takes a rule of RFC 5545, and SKIP"
            + " of RFC 7529. Given up to 8 times, all of the rules count, and a time that several give"
            + " comes once; COUNT and UNTIL end their own rule alone."),
        .term(
          "--offset",
          "Due so long before each time (-15m, -1d) or after it (2h), by at most 366 days; -PT15M of"
            + " RFC 5545 works too. Hours and less are exact, days and weeks keep the wall clock: a"
            + " time that the clocks jump over that day is later by the jump, one that comes twice"
            + " is the first. No repeat moves by it: --until, --count, --exdate and belfry skip name"
            + " its own times. What is listed, late or paused goes by the moment it is due; belfry"
            + " next --explain says to which time that belongs."),
        .term(
          "--gap",
          "In spring the clocks jump over some wall times. Such a repeat is later by the length of"
            + " the jump (shift), at the first instant behind it (next), or left out (skip). So is a"
            + " time of --rdate; one of --exdate takes out what is moved from there. A named zone's date"
            + " travels as the moment to which it is moved, a floating one as the time it names; where"
            + " more than that is left out, a warning says so."),
        .term(
          "--overlap",
          "In autumn some wall times come twice. Such a repeat comes the first time, the last time,"
            + " or both times; a time of --rdate cannot come the other time."),
        .term(
          "--month-end",
          "A day that a month does not have is its last day (clamp), left out (skip), or the day"
            + " after its last (roll)."),
        .term(
          "--until",
          "No repeat is later; a date alone is the end of that day, 5d five days from now."),
        .term("--count", "So many times in all."),
        .text(
          "Of what repeats more often than once a minute the history has one row a minute, to spare the"
            + " flash: each time rings, and belfry watch tells of each."),
        .heading("Days off"),
        .text(
          "A calendar of days is a file in the folder days beside belfry.conf: NAME.days, with lines"
            + " such as '2026-12-24..2027-01-06 Christmas', or NAME.ics, of which cancelled and"
            + " transparent events do not count. belfryd reads a changed file within a second."),
        .term("--except-on NAME", "It does not ring on a day of this calendar."),
        .term(
          "--only-on NAME",
          "It rings on days of this calendar alone; behind the last of them it is skipped as"
            + " calendar-ended."),
        .term(
          "--as-on NAME=DAY",
          "A day of this calendar counts as another weekday for FREQ=DAILY or WEEKLY with BYDAY: what"
            + " rings on Sundays rings then, and what rings on Mondays does not, unless DAY is mon."
        ),
        .text(
          "The day is that of the occurrence, by the clocks that it goes by, or by the board's. A skip"
            + " goes before all of these, then --except-on, --only-on and --as-on. A calendar that"
            + " is broken or gone counts as it was read last; one that was never read is ignored, and"
            + " it rings. belfry next and belfry list show what does not ring, and why."),
        .heading("A late alert"),
        .text(
          "What was due while the board was off fires once, as soon as it can, and says how late it"
            + " is. The key late of belfry.conf(5) and --late change that."),
        .heading("Until somebody answers"),
        .text(
          "With --realert 5m an alert is shown and sounded again every five minutes, at most ten times"
            + " or as --realert-at-most says. With --ladder it goes to other sinks step by step:"
            + " 'now:console 2m:speaker 5m:exec' shows it at the console, sounds it two minutes later,"
            + " and runs the exec plugin after five. A realert beside a ladder repeats the last step."
            + " A step that no sink takes within 10 s is followed by the next at once."),
        .text(
          "To act, to dismiss, to snooze or belfry ack is an answer, here or at a sink, and so is what"
            + " an app in the foreground takes. The first answer ends it all and takes away what every"
            + " step has shown; stop-sound only silences. After a snooze it begins anew. Cancelling,"
            + " replacing, --expires and a newer occurrence end it too; an edit does not."),
        .text(
          "When nobody has answered the last step for as long as --realert says, else for a minute,"
            + " the history and belfry watch say unanswered. All of this goes by a clock that no"
            + " setting of the time moves, and goes on after a restart; what came while the board was"
            + " off comes once, as its newest step."),
        .heading("Examples"),
        .example([
          "belfry schedule --body 'Freezer is warm' --now --ladder 'now:console 2m:speaker'",
          "belfry next --at 2027-03-27T02:30 --time-zone Europe/Berlin --repeat day --explain",
          "belfry next --at 2027-01-29T09:00 --rrule 'FREQ=MONTHLY;BYDAY=-1FR'",
          "belfry next --at 2027-01-05T07:00 --repeat week --offset -12h --explain",
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
        .term("settings/1", "Says what of its settings it cannot use, for belfryd --check."),
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
        .term("SIGHUP", "It reads its configuration again, as on belfry reload."),
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
