"""A tarball that depends on nothing but its contents."""
import os

from failure import run


def pack(place, name, date, path):
    """Makes `path` of the folder `name` in `place`: whole, or not at all."""
    run("tar", "--directory", place, "--sort=name", f"--mtime=@{int(date.timestamp())}", "--owner=0", "--group=0",
        "--numeric-owner", "--use-compress-program=gzip -9n", "--create", "--file", path + ".new", name)
    os.rename(path + ".new", path)
    return path
