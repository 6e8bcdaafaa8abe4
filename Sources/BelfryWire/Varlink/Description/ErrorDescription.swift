extension Varlink {
  /// Errors.
  static let errorDescription = """
    # field: its path as the caller wrote it, such as userInfo.rooms[3]; code: missing, unknown,
    # wrongType, outOfRange, tooLong, malformed, conflict or notInThisBuild.
    error InvalidField (field: string, code: string, reason: string)

    # Not a call at all; offset counts bytes in the message.
    error MalformedMessage (offset: int, reason: string)

    error NotOwner (app: string)

    # For root, the operator's group, or the user that the daemon runs for.
    error NotPermitted ()

    error NotFound (identifier: string)

    error UnknownSink (name: string)

    # limit: its name in the configuration's [limits]; memory, replaceAll (notifications in one list) and
    # replaceAllBytes stand in none.
    error LimitReached (limit: string, value: int)

    # None is open under that number, or it is another user's.
    error UnknownSession (session: int)

    # Nothing was stored.
    error BooksUnavailable (reason: string)

    # Some of what came after the token is gone: fetch all, without one.
    error TokenExpired ()

    # The inbox never gave such a token.
    error TokenForeign ()

    """
}
