"""The sources for developers of Swift apps: a tree that is a Git repository, too, so that SwiftPM takes it
by its version."""
import os
import shutil
import tarfile
import tempfile

from failure import run
from tarball import pack


def git(*words, folder, **environment):
    return run("git", "-C", folder, *words, what=f"git {words[0]}", environment=os.environ | environment)


def build(source, version, date, folder):
    """The path of a tarball of what is committed."""
    name = f"belfry-{version}"
    place = tempfile.mkdtemp(prefix="belfry-source-")
    try:
        tree = os.path.join(place, name)
        os.mkdir(tree)
        archive = os.path.join(place, "archive.tar")
        git("archive", "--output", archive, "HEAD", folder=source)
        with tarfile.open(archive) as file:
            file.extractall(tree, filter="tar")
        who = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in (
            ("NAME", "The developers of Belfry"), ("EMAIL", "maintainers@belfry.example"),
            ("DATE", f"@{int(date.timestamp())} +0000"))}
        git("-c", "init.defaultBranch=main", "init", "--quiet", "--template=", folder=tree)
        git("add", "--all", "--force", folder=tree)
        git("commit", "--quiet", "--message", f"Belfry {version}", folder=tree, **who)
        git("tag", version, folder=tree)
        # An index that knows nothing of this machine's files, so that two tarballs are the same.
        os.unlink(os.path.join(tree, ".git/index"))
        git("read-tree", "HEAD", folder=tree)
        shutil.rmtree(os.path.join(tree, ".git/logs"), ignore_errors=True)
        return pack(place, name, date, os.path.join(folder, f"{name}.tar.gz"))
    finally:
        shutil.rmtree(place, ignore_errors=True)
