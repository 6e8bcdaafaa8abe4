"""What goes wrong, in one line."""


class Failure(Exception):
    """Its text is a sentence without a full stop, for people."""
