"""What the scripts of this folder have in common: their arguments, and how they end."""
import argparse
import os
import sys

from failure import Failure

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(f"{message} (--help)")


def parser():
    reader = Parser(add_help=False, allow_abbrev=False)
    reader.add_argument("-h", "--help", action="store_true")
    return reader


def parse(reader, words, help_text):
    given, unknown = reader.parse_known_args(words)
    if given.help:
        print(help_text.strip())
        sys.exit(0)
    if unknown:
        raise Failure(f"it does not take {unknown[0]} (--help)")
    return given


def lead(name, main):
    """Whatever goes wrong is one line."""
    try:
        main(sys.argv[1:])
    except Failure as failure:
        sys.exit(f"{name}: {failure}")
    except BrokenPipeError:
        # Nobody reads on.
        sys.exit(1)
    except OSError as error:
        sys.exit(f"{name}: {error.filename or 'a file'}: {error.strerror}")
    except KeyboardInterrupt:
        sys.exit(f"{name}: stopped; the same command goes on")
