extension Varlink {
  /// An app's face to its user.
  static let appDescription = """
    # A button that an app offers with its alerts.
    type Action (
      # 1 to 128 bytes, unlike any other of its category.
      identifier: string,
      # At most 1 KiB.
      title: string,
      # What becomes of the app when it is chosen; left out: foreground.
      activationMode: ?(foreground, background),
      destructive: ?bool,
      # A sink that says that it is locked may not choose it.
      authenticationRequired: ?bool,
      behavior: ?(default, textInput),
      # What the button beside the text says; left out: the sink's own word. At most 1 KiB.
      buttonTitle: ?string
    )

    # A group of actions that a notification names by its category: at most 4 in the default context.
    type Category (
      identifier: string,
      actions: []Action,
      # Those of the minimal context by their identifiers, at most 2; left out: the first two.
      minimal: ?[]string
    )

    # Says what an app wants shown and what actions there are, in place of what it said before; at most
    # 64 categories. Answers with what the operator allows of it.
    method RegisterSettings(app: ?string, settings: AppSettings, categories: []Category) -> (
      settings: AppSettings
    )

    # An app that never registered has all that the operator allows, and no categories.
    method Settings(app: ?string) -> (
      settings: AppSettings,
      categories: []Category,
      registered: bool
    )

    # The app's one number.
    method Badge(app: ?string) -> (badge: int)

    # 0 clears it; at most 2147483647.
    method SetBadge(app: ?string, badge: int) -> ()

    # The apps that the caller may see, or one of them; pages and more as in List.
    method Apps(app: ?string, cursor: ?int, limit: ?int) -> (apps: []App, cursor: ?int)

    # What the user does with what is shown or heard, by its identifier (then it is the newest occurrence,
    # and older ones of it are put away too) or by an occurrence. Every sink that shows it takes it away,
    # and its sound stops.
    #
    # Without action the default one; text is what was typed, for one whose behavior is textInput.
    method Act(app: ?string, id: string, action: ?string, text: ?string) -> ()

    method Dismiss(app: ?string, id: string) -> ()

    # It comes again after so many microseconds, from a second to 7 days, wherever the clock is set to.
    # next: when. Such are listed by List with snoozed alone, count towards no limit of notifications but
    # 64 an app, and are cancelled with their notification. BooksUnavailable: it comes again all the same,
    # but not after a restart of the daemon.
    method Snooze(app: ?string, id: string, duration: int) -> (next: int)


    """
}
