/// Topics of `belfry help` that are no man pages: what people look for by a word.
extension HelpDocument {
  static var sound: HelpDocument {
    HelpDocument(
      page: ("belfry", 1), summary: "what plays, where it is found, and when it is silent",
      blocks: [
        .text(
          "--sound takes a file name, or default. Without --sound an alert is silent. The answer of"
            + " belfry schedule names the sound, and warns if no folder has it."),
        .heading("Formats"),
        .term("WAV, AIFF, AIFC, CAF", "PCM of 8 to 32 bits, float, IMA4, µ-law and A-law."),
        .term("FLAC, Ogg, MP3", "Where libsndfile is installed."),
        .text(
          "A sound lasts at most 30 s, or as long as [sound] longest says. For a longer, broken or"
            + " missing one the default sound plays, and the history says why."),
        .heading("Folders, in order"),
        .term("of the app", "folder = in [app:ID], and in its manifest."),
        .term(
          "of the board",
          "folder = in [sound]; DIR/sounds, or with --user and --system the XDG"
            + " and system folders belfry/sounds; /usr/share/sounds."),
        .heading("Try it"),
        .example([
          "belfry sound check bell.wav    # its length, and whether it plays",
          "belfry sound play bell.wav     # on the device and as loud as [sound] says",
          "belfry test --to speaker       # by the daemon itself",
          "belfry doctor                  # the device, and names that no folder has",
        ]),
        .heading("Silent on purpose"),
        .term("[sound] quiet", "Hours in which only critical sounds are heard."),
        .term("[sound] enabled, volume", "no, and 0."),
        .term("belfry stop-sound", "Silences what plays; the alert stays."),
      ])
  }

  static var exec: HelpDocument {
    HelpDocument(
      page: ("belfry", 1), summary: "a program of yours for each notification",
      blocks: [
        .text(
          "The plugin exec runs a program for every notification. It finds what it is told in its"
            + " environment, and as JSON on its standard input."),
        .example([
          "[plugin:lamp]", "file = exec", "program = /usr/local/bin/lamp", "withdraw = yes",
        ]),
        .heading("Keys"),
        .term("program", "Its absolute path; with shell = yes a command line for /bin/sh."),
        .term("arguments", "Divided by blanks; \"quotes\" keep blanks together."),
        .term("shell", "no: /bin/sh runs it where this is yes."),
        .term("limit", "30s: how long it may run; less than 60s."),
        .term("retry", "30s: how long to wait after exit status 75."),
        .term("everything", "no: whether it gets notifications without a body, too."),
        .term("withdraw", "no: whether it also runs when what it was run for is taken back."),
        .heading("Variables"),
        .term("BELFRY_EVENT", "deliver, or withdraw, which has BELFRY_ID alone."),
        .term(
          "BELFRY_ID", "The same at each attempt; BELFRY_ATTEMPT above 1: it may have been shown."),
        .term("BELFRY_APP, BELFRY_IDENTIFIER", "Whose it is, and which."),
        .term("BELFRY_TITLE, BELFRY_SUBTITLE, BELFRY_BODY", "The texts."),
        .term("BELFRY_DUE, BELFRY_HANDED_OVER", "Microseconds since 1970 UTC."),
        .term("BELFRY_LATE, BELFRY_MISSED", "true or false; how many before it were missed."),
        .heading("Exit status"),
        .term("0", "It is done."),
        .term("75", "Not now: it is run again."),
        .term("any other", "It has failed: history, plugin list and doctor say so."),
        .heading("Examples"),
        .example([
          "belfry schedule --body 'Door bell' --to lamp --now",
          "belfry plugin check exec --set program=/usr/local/bin/lamp",
        ]),
      ])
  }

  static var exit: HelpDocument {
    HelpDocument(
      page: ("belfry", 1), summary: "what the programs end with",
      blocks: [
        .heading("belfry"),
        .term("0", "Done."),
        .term("1", "Refused: a rule, a limit, or the present state says no."),
        .term("2", "Wrong usage: the command cannot read what was typed."),
        .term("3", "No daemon answers."),
        .text(
          "With --json an error is an object on stderr: code, field (or null) and message. The code is"
            + " usage, noDaemon or refused, or what the socket says: of a field missing, unknown,"
            + " wrongType, outOfRange, tooLong, malformed, conflict or notInThisBuild; else"
            + " notPermitted, notOwner, notFound, unknownSink, limitReached, unknownSession,"
            + " booksUnavailable, tokenExpired or tokenForeign."),
        .heading("belfryd"),
        .term("0", "It was told to stop, or --check found nothing wrong."),
        .term("1", "It cannot go on; the last line says why."),
        .term("2", "Wrong usage."),
        .term("10", "Somebody listens on its socket."),
        .term("11", "It has no right to its folders."),
        .term("12", "The books are of a newer version."),
        .term("13", "A second daemon runs here."),
        .term("14", "The configuration is wrong: belfryd --check FILE names each line."),
      ])
  }
}
