extension Varlink {
  /// What is listed and told.
  static let eventDescription = """
    # A scheduled notification, or with delivered one that a sink still shows.
    type Listed (
      app: string,
      notification: Notification,
      next: ?int,
      state: (scheduled, held, prepared, fired, snoozed),
      # Why it is held.
      reason: ?string,
      # Why its sound will not be heard when it is next due, as things are.
      silence: ?string,
      # With delivered: when it was due, and the sink that shows it.
      due: ?int,
      sink: ?string
    )

    # Earlier than the last time known; later, but not synchronised; called synchronised by the kernel.
    type ClockState (untrusted, plausible, synchronised)

    type DeliveryState (
      # What the user did with it.
      activated,
      dismissed,
      snoozed,
      delivered,
      missed,
      superseded,
      withdrawn,
      discarded,
      expired,
      failed,
      # A sound that was left out on purpose: by quiet hours, a setting or a volume of 0, or stopped before
      # it was heard.
      silenced,
      unknown,
      # By the app itself.
      received,
      # It left the scheduled list unfired.
      cancelled,
      replaced
    )

    # One delivery: an occurrence for one sink.
    type Delivery (
      app: string,
      identifier: string,
      # <uuid>.<generation>.<k>, and .s<n> when it was snoozed for the nth time.
      occurrence: string,
      # Empty for what never reached a sink; app: the app itself, in a session.
      sink: string,
      # Of what left the scheduled list (cancelled, replaced, discarded): when it left.
      due: int,
      handedOver: ?int,
      acknowledged: ?int,
      state: DeliveryState,
      reason: ?string,
      attempts: int,
      # How far the clock could be believed.
      clock: ?ClockState,
      # Older occurrences that it stands for, and the due of the oldest.
      missed: int,
      missedSince: ?int,
      # What it would have said, at most 1 KiB; only of what left the scheduled list.
      text: ?string
    )

    type Event (
      kind: (
        received,
        delivered,
        activated,
        dismissed,
        snoozed,
        held,
        missed,
        superseded,
        withdrawn,
        discarded,
        expired,
        failed,
        cancelled,
        replaced,
        silenced
      ),
      app: string,
      identifier: string,
      occurrence: ?string,
      sink: ?string,
      # When it happened.
      at: int,
      due: ?int,
      handedOver: ?int,
      reason: ?string,
      # Older occurrences folded into this one.
      missed: int
    )

    # What an app may show.
    type AppSettings (alert: bool, badge: bool, sound: bool)

    # An app that is used, or that has a manifest.
    type App (
      app: string,
      name: ?string,
      # Its uid; left out: whoever uses it first.
      owner: ?int,
      # Its manifest's path, and the executable or unit that starts it.
      manifest: ?string,
      launch: ?string,
      language: ?string,
      # What the operator allows.
      allowed: AppSettings,
      # Whether regions are judged for it.
      location: bool,
      badge: int,
      scheduled: int,
      sessions: int,
      # The limits that hold for it.
      notifications: int,
      regions: int,
      inbox: int,
      # Whether a push with content-available starts it.
      launchForPush: bool,
      # What is wrong with its manifest, with file and line.
      problems: []string
    )

    # Whether the app's user sees it, as the app says.
    type AppState (foreground, background)

    # What an app is told in its session.
    type SessionEvent (
      # For Complete; counts up within the session.
      id: int,
      # launch: the user's default action on it started the app. received: it is due, and the app is in
      # the foreground; unless a session completes this it is shown after all; or a push with
      # content-available has come, whatever the app's state. activated: the default
      # action while the app ran. handleAction: another action. dismissed: by the user.
      kind: (launch, received, activated, handleAction, dismissed),
      # As it was scheduled.
      notification: Notification,
      # <uuid>.<generation>.<k>
      occurrence: string,
      due: int,
      # Older occurrences that it stands for, and the due of the oldest.
      missed: int,
      missedSince: ?int,
      # When it had come to be shown.
      delivered: ?int,
      # Of handleAction: the action's identifier, and what was typed.
      action: ?string,
      text: ?string,
      # Above 1: it was sent before and not completed.
      attempt: int
    )


    """
}
