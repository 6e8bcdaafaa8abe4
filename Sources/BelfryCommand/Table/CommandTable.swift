/// The one table of commands, in the order that help lists them.
enum CommandTable {
  static let all: [CommandSpec] = first + scheduling + shown + running + equipment + shell

  static let first = [
    CommandSpec(
      "try", "shows and sounds one alert in a private, temporary place",
      details: [
        "Starts a daemon of its own in a temporary directory, schedules an alert with the default"
          + " sound three seconds ahead, counts down, and says when it was due, when it was"
          + " delivered, and which device played it. Leaves nothing behind."
      ],
      examples: [.init("belfry try", "see and hear that everything works")])
  ]

  static let scheduling = [
    CommandSpec(
      "schedule", "schedules a notification",
      details: [
        "TIME with an offset or Z is that instant. Without one it is the clock on the board's wall,"
          + " wherever the board is, or with --time-zone the clock of that zone; only these two keep"
          + " their time of day when clocks change. Needs one of --at, --in, --now and --region, and"
          + " something to deliver: --body, --title, --sound, --badge or --user-info. Answers with the"
          + " identifier, the next firing, and the zone whose clocks are meant."
      ],
      options: OptionTable.what + OptionTable.trigger + OptionTable.days + OptionTable.lateness,
      examples: [
        .init("belfry schedule --body 'Tea is ready' --sound default --in 4m", "a kitchen timer"),
        .init("belfry schedule --body Bread --sound default --at 07:00", "the next 07:00"),
        .init(
          "belfry schedule --id bell --sound default --at 2027-01-04T08:00 --repeat week"
            + " --time-zone Europe/Berlin",
          "a bell without an alert, weekly at 08:00 there, summer and winter"),
        .init(
          "belfry schedule --body 'Call Tokyo' --at 2027-01-04T09:00 --time-zone Asia/Tokyo",
          "09:00 there, wherever the board is"),
        .init(
          "belfry schedule --body 'Pay day' --at 2027-01-29T09:00"
            + " --rrule 'FREQ=MONTHLY;BYDAY=-1FR'", "the last Friday of each month"),
        .init(
          "belfry schedule --body 'Freezer is warm' --now"
            + " --ladder 'now:console 2m:speaker 5m:exec' --realert 5m",
          "one after the other, and the last again, until somebody answers"),
        .init(
          "belfry schedule --body 'Good morning' --sound default --fade-in 2m --ring-for 10m"
            + " --at 07:00", "an alarm that begins softly and does not give up"),
        .init(
          "belfry schedule --id bell --sound default --at 2027-01-04T08:00"
            + " --weekdays mon-fri --except-on holidays",
          "a school bell that keeps the holidays"),
        .init(
          "belfry schedule --body 'Back at the depot' --region 52.52,13.405,200 --on enter",
          "when the board comes there"),
        .init("belfry schedule --body 'Backup missed' --now --json", "at once, answered in JSON"),
      ]),
    CommandSpec(
      "next", "prints the next occurrences of a notification, or of a draft",
      details: [
        "With an identifier it asks the daemon. With trigger options nothing is scheduled and no"
          + " daemon is needed, but for the calendars that --except-on, --only-on and --as-on name."
      ],
      operands: .optional("ID"), completion: .asked(.identifiers),
      options: [.number, .after, .explain] + OptionTable.trigger + OptionTable.days,
      examples: [
        .init("belfry next bell", "when bell fires next"),
        .init(
          "belfry next --at 2027-01-31T09:00 --repeat month -n 4", "how a month's end repeats"),
        .init(
          "belfry next --at 2027-03-27T02:30 --time-zone Europe/Berlin --repeat day --explain",
          "what a change of the clocks does to it, and why"),
      ]),
    CommandSpec(
      "list", "lists what is scheduled, or what is still shown", options: [.delivered],
      examples: [
        .init("belfry list", "what is scheduled"),
        .init("belfry list --delivered --json", "what sinks still show, for a script"),
      ]),
    CommandSpec(
      "edit", "changes a scheduled notification, and leaves the rest of it as it is",
      details: [
        "Takes the options of schedule that say what changes, and --clear for what is to go. What"
          + " repeats keeps its place, its pauses, and its skips and --exdate where the new times have"
          + " the same day. Nothing changes unless all of it can.",
        "A time of day alone (--at 07:30) keeps the date, and so a repeat's day of the week; one with a"
          + " day moves both. What fires once is due at the next such time where that is past.",
        "Another --time-zone or --zone-mode alone keeps what the clocks show: 07:00 in Berlin becomes"
          + " 07:00 in Tokyo. What goes by UTC stays at its instant, and so does what is to.",
      ],
      operands: .one("ID"), completion: .asked(.identifiers), options: EditCommand.options,
      examples: [
        .init("belfry edit bell --at 07:30", "at another time of its day, from now on"),
        .init("belfry edit bell --sound chime.wav --clear alertTitle", "another sound, no title"),
      ]),
    CommandSpec(
      "pause", "skips what is due for a while: some notifications, an app, or everything",
      details: [
        "What is paused stays in the list, and keeps its place and its count; what would have fired"
          + " is skipped, and nothing is made up afterwards. What fires once within the pause is"
          + " named, since it will never ring. What already rings, and what was snoozed, goes on."
          + " A critical notification is paused by its identifier alone. Pauses of the same that overlap"
          + " are one, from the first beginning to the last end.",
        "--app APP without identifiers is the whole app; its pushes wait unread in its inbox. --all"
          + " is everybody's, for root, the operator's group, and the user that the daemon runs for.",
      ],
      operands: .words("[ID..]"), completion: .asked(.identifiers),
      options: [.all, .from, .until, .yes],
      examples: [
        .init("belfry pause bell --until 'tomorrow 12:00'", "one, until then"),
        .init(
          "belfry pause --all --from 2026-12-24 --until 2027-01-06",
          "everything over the holidays, both days included"),
        .init("belfry pause --app org.example.clock", "an app, until it is resumed"),
      ]),
    CommandSpec(
      "resume", "ends what pause began, and what it was to begin",
      operands: .words("[ID..]"), completion: .asked(.identifiers), options: [.all],
      examples: [
        .init("belfry resume bell", "it rings again from its next time on"),
        .init("belfry resume --all", "everything that pause --all had paused"),
      ]),
    CommandSpec(
      "skip", "leaves out the next times of a notification, or the one at a time",
      details: [
        "A skip names an occurrence, so that it stays the same one when zones or clocks change. The"
          + " same skip twice is once. A day alone is all that is due on it."
      ],
      operands: .one("ID"), completion: .asked(.identifiers), options: [.number, .at],
      examples: [
        .init("belfry skip bell", "not the next time"),
        .init("belfry skip bell -n 5", "not the next five times"),
        .init("belfry skip bell --at friday", "not on Friday"),
      ]),
    CommandSpec(
      "unskip", "takes skips back that lie ahead: all, or the one at a time",
      operands: .one("ID"), completion: .asked(.identifiers), options: [.at],
      examples: [.init("belfry unskip bell", "every time again")]),
    CommandSpec(
      "cancel", "cancels notifications and withdraws what they still show",
      details: [
        "What was snoozed goes with its notification. The occurrence's id, as list --json prints it of"
          + " what is snoozed, cancels the snooze alone. On a terminal --all asks."
      ],
      operands: .several("ID"), completion: .asked(.identifiers), options: [.all, .yes],
      examples: [
        .init("belfry cancel bell tea", "these two"),
        .init("belfry cancel --all", "everything of the app"),
      ]),
  ]

  static let shown = [
    CommandSpec(
      "watch", "prints events as they happen, until Ctrl-C",
      examples: [.init("belfry watch --json", "one JSON object an event")]),
    CommandSpec(
      "history", "lists deliveries, the newest last: due, how late, where, with what outcome",
      options: [.id, .to, .since, .state, .limit],
      examples: [
        .init("belfry history --limit 20", "the newest twenty"),
        .init("belfry history --id tea --since 2d", "what became of it since two days"),
        .init("belfry history --state failed --json", "what was not shown, for a script"),
      ]),
    CommandSpec(
      "badge", "reads or sets the app's badge; 0 clears it",
      details: [
        "The badge is one number for each app, such as of what is unread. It is kept over restarts, and"
          + " every plugin that shows badges shows it. schedule --badge N sets it when that is due."
      ],
      operands: .optional("N"),
      examples: [
        .init("belfry badge --app org.example.mail", "the number, and nothing else"),
        .init("belfry badge --app org.example.mail 0", "all are read: no number is shown"),
      ]),
    CommandSpec(
      "act", "chooses an action of what is shown, the default one or another of its category",
      details: [
        "ID is an identifier, which means the newest that is shown of it, or an occurrence's id, as"
          + " history prints it. The last word is the action, unless it is an alert's ID. The app"
          + " hears of it, every sink takes the alert away, and its sound stops; so with dismiss.",
        UserCommands.onSnoozes,
      ],
      operands: .words("ID.. [ACTION]"), completion: .asked(.shown), options: [.text],
      examples: [
        .init("belfry act tea door", "the default action of both: the app comes to the front"),
        .init("belfry act chat-7 reply --text 'On my way'", "an action that takes text"),
      ]),
    CommandSpec(
      "dismiss", "puts away what is shown, and its sound, or what is snoozed",
      details: [UserCommands.onSnoozes], operands: .several("ID"), completion: .asked(.shown),
      options: [.all],
      examples: [.init("belfry dismiss tea oven", "both"), .init("belfry dismiss --all", "all")]),
    CommandSpec(
      "ack", "says that somebody has seen it, so that nothing of it comes again",
      details: [
        "Ends the realerts and the ladder of an alert, and puts away what all its sinks show, as act and"
          + " dismiss do. Without ID it is what came last. stop-sound only silences.",
        UserCommands.onSnoozes,
      ],
      operands: .words("[ID..]"), completion: .asked(.shown),
      examples: [
        .init("belfry ack", "whatever rings: seen"),
        .init("belfry ack freezer", "this one alone"),
      ]),
    CommandSpec(
      "snooze", "puts away what is shown, to show it again later, or moves what is snoozed",
      details: [
        "DURATION is from 1s to 7d. What was snoozed comes again also after a restart, whatever the"
          + " clock is set to; list shows it as snoozed, and cancel takes it along.",
        UserCommands.onSnoozes,
      ],
      operands: .words("ID.. DURATION"), completion: .asked(.shown),
      examples: [.init("belfry snooze alarm 9m", "nine minutes more")]),
    CommandSpec(
      "stop-sound", "silences what is playing and empties the queue of sounds",
      examples: [.init("belfry stop-sound", "quiet, now")]),
  ]

  static let running = [
    CommandSpec(
      "test", "sends a full alert with sound through every sink, one result line each",
      details: [
        "Exits 1 if one fails; a sound that finds no card does not, beside a sink that shows."
      ],
      options: [.to],
      examples: [
        .init("belfry test", "every sink"),
        .init("belfry test --to speaker", "the speaker alone"),
      ]),
    CommandSpec(
      "status", "says how the daemon is: its clock, books, sinks and limits",
      examples: [.init("belfry status --json", "for a monitor")]),
    CommandSpec(
      "doctor", "checks this machine and says what to do about each finding",
      details: [
        "Looks at the socket, the books, the clock, ALSA's devices, the plugin folders and the"
          + " program's capabilities. Works without a daemon. Exits 1 if a check fails."
      ],
      examples: [.init("belfry doctor", "when something is silent")]),
    CommandSpec(
      "trust-clock", "lets held notifications fire by the clock as it is, until the next boot",
      examples: [.init("belfry trust-clock", "after a look at the wall: the time is right")]),
    CommandSpec(
      "reload", "has belfryd read its configuration again",
      details: [
        "For root, the operator's group, and the user that the daemon runs for. belfryd reads a file"
          + " that changes by itself; reload says what of it has changed, what counts only after a"
          + " restart, and what is wrong. A plugin that is in quarantine is tried again."
      ],
      examples: [.init("belfry reload", "the new [sound] quiet counts from now on")]),
    CommandSpec(
      "fix", "reports where the board is, for notifications with a region",
      details: [
        "For root, the operator's group, and the user that the daemon runs for. Degrees north and"
          + " east are positive. A crossing needs an earlier fix on the other side; who is inside"
          + " has left when a tenth of the radius beyond it, 5 m at least and 100 m at most."
      ],
      operands: .one("LAT,LON"), options: [.accuracy, .time],
      examples: [
        .init("belfry fix 52.52,13.405 --accuracy 10", "the board is in Berlin"),
        .init("belfry fix -33.86,151.21", "and now in Sydney"),
      ]),
    CommandSpec(
      "unit", "prints a hardened systemd unit for this installation", options: [.user],
      examples: [
        .init("belfry unit > /etc/systemd/system/belfry.service", "for the whole board"),
        .init("belfry unit --user > ~/.config/systemd/user/belfry.service", "for one user"),
      ]),
  ]

  static func spec(_ name: String) -> CommandSpec? {
    for spec in all where spec.name == name { return spec }
    return nil
  }

  /// First words, each once, in the table's order.
  static var families: [String] {
    var found: [String] = []
    for spec in all where found.last != spec.family { found.append(spec.family) }
    return found
  }

  /// Second words of a family; empty for a command that stands alone.
  static func members(of family: String) -> [String] {
    var found: [String] = []
    for spec in all where spec.family == family {
      if let member = spec.member { found.append(member) }
    }
    return found
  }
}
