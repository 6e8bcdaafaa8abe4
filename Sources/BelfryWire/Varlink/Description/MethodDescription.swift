extension Varlink {
  /// Scheduling, lists, sessions and the clock.
  static let methodDescription = """
    # Schedules a notification, or replaces the pending one of the same identifier; with all fields
    # equal it answers unchanged. scheduled is false where the limit sent the new one itself away.
    # interruptionLevel and note: one that is critical counts as timeSensitive, because its app may not
    # be critical.
    # warnings: what one would want to mend before it is due, such as a sound that is in no folder yet.
    method Schedule(app: ?string, notification: Notification, onFull: ?FullPolicy) -> (
      identifier: string,
      scheduled: bool,
      unchanged: bool,
      replaced: bool,
      occurrence: ?string,
      next: ?int,
      discarded: []string,
      interruptionLevel: ?InterruptionLevel,
      note: ?string,
      warnings: ?[]string
    )

    # Delivers a notification now, whatever its fireDate; it is never listed as scheduled.
    method PresentNow(app: ?string, notification: Notification) -> (
      identifier: string,
      occurrence: ?string,
      interruptionLevel: ?InterruptionLevel,
      note: ?string,
      warnings: ?[]string
    )

    # Cancels by identifiers, or every one equal to a notification in all fields but the identifier;
    # what is shown is taken back. Exactly one of the two.
    method Cancel(app: ?string, identifiers: ?[]string, equal: ?Notification) -> (
      cancelled: int,
      withdrawn: int
    )

    method CancelAll(app: ?string) -> (cancelled: int, withdrawn: int)

    # Replaces an app's scheduled list. Parts are gathered until one with final true comes, then
    # swapped at once; closing the connection before that drops them. Parts before it answer
    # received alone. demoted and note: so many are critical and count as timeSensitive, and why.
    method ReplaceAll(app: ?string, notifications: []Notification, final: bool, onFull: ?FullPolicy) -> (
      received: int,
      added: ?int,
      replaced: ?int,
      unchanged: ?int,
      cancelled: ?int,
      discarded: ?[]string,
      demoted: ?int,
      note: ?string
    )

    # With more: every row, one a reply. Without: a page, and where it is not the last, the cursor
    # for the next. Without app: every app that the caller may see.
    method List(
      app: ?string,
      delivered: ?bool,
      # What was snoozed and comes again, instead.
      snoozed: ?bool,
      cursor: ?int,
      limit: ?int
    ) -> (
      notifications: []Listed,
      cursor: ?int
    )

    # The next occurrences of a scheduled notification, or of one that is only drafted. Exactly one
    # of the two. Without count: one; without after: from now.
    # because: for each of them which rule has moved or merged it, in words, else nothing; left out
    # where none was.
    method Next(
      app: ?string,
      identifier: ?string,
      notification: ?Notification,
      count: ?int,
      after: ?int
    ) -> (instants: []int, because: ?[]string)

    # Oldest first; pages and more as in List.
    method History(app: ?string, cursor: ?int, limit: ?int) -> (
      deliveries: []Delivery,
      cursor: ?int
    )

    # Needs more. The first reply has no event: it says that the watch stands.
    method Watch(app: ?string) -> (event: ?Event)

    # How the clock is, what is due, and how the sinks are in a word. scope board: of everybody, with
    # files, plugins' reasons and manifests, for root, the operator's group and the user that the daemon
    # runs for; own: of the caller's own apps. The place is told to them and to whose app may know it.
    method Status() -> (status: object)

    # A session: while it is open the app runs. Needs more, and a connection of its own, which the
    # session ends with. The first reply has session and waiting: so many events follow at once, first
    # of them the one of kind launch, if there is one. Every further reply has an event.
    method OpenSession(app: ?string, state: AppState) -> (
      session: ?int,
      waiting: ?int,
      event: ?SessionEvent
    )

    # Over another connection of the same user, as Complete. It holds for what is due from then on.
    method SetState(session: int, state: AppState) -> ()

    # A received event is taken, within 2 s of its coming; a handleAction is dealt with, within 30 s,
    # else it is sent again, three times in all. For other events it does no harm.
    method Complete(session: int, event: int) -> ()

    # Silences what plays and what is queued.
    method StopSound(app: ?string) -> (stopped: int)

    # Lets held notifications go by the clock as it is, until the next boot; for root and the
    # operator's group. released: how many had been held.
    method TrustClock() -> (released: int)

    # Where the board is, in degrees, and how far from there it may be, in metres; time: when that was
    # found, else now. For root, the operator's group, and the user that the daemon runs for. A fix that
    # is older than the last one is refused. crossings: how many notifications it fired.
    method Fix(latitude: float, longitude: float, accuracy: ?float, time: ?int) -> (crossings: int)

    # A full alert with sound through one sink or every one.
    method Test(app: ?string, sink: ?string) -> (occurrence: string, sinks: []string)


    """
}
