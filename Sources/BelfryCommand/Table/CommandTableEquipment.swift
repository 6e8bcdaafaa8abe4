/// Commands about sounds, days, plugins, inboxes and this program itself.
extension CommandTable {
  static let equipment = [
    CommandSpec(
      "sound check", "reads a sound and says whether it will play",
      details: [
        "SOUND is a file, or a name as --sound takes it. Its longest is [sound] longest, or 30 s."
      ],
      operands: .one("SOUND"), completion: .file,
      examples: [.init("belfry sound check bell.caf", "format, rate, length, and a verdict")]),
    CommandSpec(
      "sound play", "plays a sound as an alert would",
      details: ["SOUND is a file, or a name as --sound takes it. [sound] says where and how loud."],
      operands: .one("SOUND"), completion: .file, options: [.device],
      examples: [
        .init("belfry sound play bell.caf", "hear it"),
        .init("belfry sound play default --device hw:1", "hear it from another card"),
      ]),
    CommandSpec(
      "days list", "lists the calendars of days, and how each is",
      details: [
        "Those of the operator, and of the apps that the caller may see; --app APP those of one. good:"
          + " the file counts. ended: its last day is past. kept: the file is broken or missing, and"
          + " what was last good counts. unusable: it was never good, and is ignored."
      ],
      examples: [.init("belfry days list", "their files, first and last days, and problems")]),
    CommandSpec(
      "days check", "reads a calendar of days and shows its entries, or the line that is wrong",
      details: [
        "FILE is called NAME.days, with lines such as '2026-12-24..2027-01-06 Christmas' and"
          + " comments behind #, or NAME.ics, in iCalendar. No daemon is needed."
      ],
      operands: .one("FILE"), completion: .file,
      examples: [.init("belfry days check holidays.ics", "before it goes into the folder")]),
    CommandSpec(
      "plugin list", "lists the configured plugins and how each is doing",
      examples: [.init("belfry plugin list", "their state, restarts and last refusal")]),
    CommandSpec(
      "plugin check", "loads a plugin, prints what it says of itself, makes one fake delivery",
      details: [
        "FILE is a path, or a name as the configuration takes it: of a plugin in the plugin folders,"
          + " or of a section."
      ],
      operands: .one("FILE"), completion: .file, options: [.set],
      examples: [
        .init("belfry plugin check ./mine.so", "before it goes in the configuration"),
        .init("belfry plugin check console", "one that is installed"),
      ]),
    CommandSpec(
      "push", "delivers a push payload: into the app's inbox, and shown as an alert is",
      details: [
        "FILE holds an APNs dictionary in JSON, with CloudKit's part or without; - reads it from"
          + " standard input. What is wrong in it is named by its path, such as aps.badge.",
        "--explain says also how it was understood, what in it has no effect, what is shown, and"
          + " what became of it. --dry-run says only that; it delivers nothing and needs no daemon.",
      ],
      operands: .one("FILE"), completion: .file,
      options: [.explain, .dryRun, .limit, .collapseID, .expires],
      examples: [
        .init("belfry push alert.json", "deliver it; the same nid again does nothing"),
        .init("belfry push --dry-run alert.json", "each property, and what has no effect"),
        .init("belfry push --explain --collapse-id score -", "from standard input, and told all"),
        .init(
          "belfry push --dry-run --limit 256 --json alert.json",
          "as it is once pruned to 256 bytes"),
      ]),
    CommandSpec(
      "inbox fetch", "lists the pushes that an inbox has, or that have come since a token",
      details: [
        "Ends with a token; with --since it lists what has come after that, and what has been"
          + " marked as read meanwhile. Each reader keeps its own. A token that is too old, because"
          + " newer pushes took the place of those after it, is refused: fetch all then."
      ],
      options: [.container, .since, .limit],
      examples: [
        .init("belfry inbox fetch", "all that the app's own inbox has"),
        .init(
          "belfry inbox fetch --container iCloud.org.example.ward --limit 20 --json",
          "a container's first 20, for a script"),
      ]),
    CommandSpec(
      "inbox mark-read", "marks pushes of an inbox as read, for every reader of it",
      operands: .several("ID"), options: [.container],
      examples: [
        .init(
          "belfry inbox mark-read 2f9a4a4b-8b0c-4d3b-9f6e-0123456789ab",
          "it leaves the inbox; each reader is told once")
      ]),
    CommandSpec(
      "app list", "lists apps, whose they are, and what starts them",
      examples: [.init("belfry app list --json", "one app a line, for a script")]),
    CommandSpec(
      "app show", "shows an app: its manifest, what it may do, its limits",
      operands: .one("APP"), completion: .asked(.apps),
      examples: [.init("belfry app show org.example.clock", "also what is wrong with its manifest")]
    ),
  ]

  static let shell = [
    CommandSpec(
      "completion", "prints completions for a shell", operands: .one("SHELL"),
      completion: .words(["bash", "zsh", "fish"]),
      examples: [
        .init(
          "belfry completion bash > /etc/bash_completion.d/belfry", "for every user of bash"),
        .init(
          "belfry completion zsh > /usr/local/share/zsh/site-functions/_belfry",
          "for every user of zsh"),
        .init("belfry completion fish > ~/.config/fish/completions/belfry.fish", "for fish"),
      ]),
    CommandSpec(
      "man", "prints a man page (roff): its own, or another of Belfry's",
      operands: .optional("PAGE"), completion: .words(ManPages.names),
      examples: [
        .init("belfry man | man -l -", "read belfry(1)"),
        .init("belfry man belfry.conf | man -l -", "read about the configuration"),
      ]),
    CommandSpec(
      "help", "prints help for a command, or about a topic", operands: .words("[COMMAND|TOPIC]"),
      completion: .commands,
      examples: [
        .init("belfry help sound play", "the same as belfry sound play --help"),
        .init("belfry help configuration", "every key of belfry.conf"),
        .init("belfry help limits --json", "one limit a line, for a script"),
      ]),
  ]
}
