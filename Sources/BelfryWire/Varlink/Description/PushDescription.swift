extension Varlink {
  /// Pushes and inboxes.
  static let pushDescription = """
    # A member of a payload that changes nothing that is shown; it is kept.
    type IgnoredMember (path: string, reason: string)

    # An APNs payload, into the app's inbox and to whoever shows it.
    #
    # id: a UUID of the caller's choosing, for a payload without a nid: sent again, it is a duplicate, which
    # is neither stored nor shown twice. collapseId: what is shown of an earlier push with the same one is
    # replaced. expiration: not shown later than this. limit: prunes to so many bytes.
    #
    # occurrence: of what is shown, or told to the app. pruned: the properties that are missing in all.
    # cut: arguments that were cut to 100 characters. A field of an InvalidField is a path in the payload,
    # such as aps.badge.
    method Push(
      app: ?string,
      payload: object,
      id: ?string,
      collapseId: ?string,
      expiration: ?int,
      limit: ?int
    ) -> (
      id: string,
      duplicate: bool,
      occurrence: ?string,
      pruned: []string,
      cut: []string,
      ignored: []IgnoredMember,
      interruptionLevel: ?InterruptionLevel,
      note: ?string
    )

    type InboxEntry (
      # The payload's nid, the caller's id, or one that was made.
      id: string,
      # readNotification: the push of that id was marked as read; it has no payload.
      kind: (base, query, recordZone, readNotification, database),
      # When it came, or was marked.
      received: int,
      payload: ?object,
      # Always true, as CloudKit says; what is really missing stands in pruned.
      isPruned: bool,
      pruned: []string
    )

    # What has come to an inbox since a token of an earlier reply, and without one all that it has, oldest
    # first. container: left out or empty: the app's own. limit: entries of a page, 1 to 1000, else 100; a
    # page ends before 512 KiB. token: for the next call; valid for good until what came after it was
    # pushed out by newer entries (TokenExpired). With more: page after page, one a reply.
    method FetchInbox(app: ?string, container: ?string, since: ?string, limit: ?int) -> (
      entries: []InboxEntry,
      token: string,
      moreComing: bool
    )

    # Marks at most 1000 pushes of an inbox as read: they leave it, and each reader is told once, by an
    # entry of kind readNotification. unknown: the inbox has none of these; what was marked before is
    # neither.
    method MarkRead(app: ?string, container: ?string, ids: []string) -> (
      marked: []string,
      unknown: []string
    )


    """
}
