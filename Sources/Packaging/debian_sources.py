"""Sources of a library, from Debian's source package and with Debian's patches."""
import glob
import os
import tarfile

from failure import run
from sysroot import apt, private_apt

SUITE = "bookworm"


def fetch(name, folder, host, binaries=()):
    """The tree of the sources below `folder`, which is empty. `binaries`: packages for this machine, which
    is a `host` in Debian's words, by whose help they are built; they lie in `folder`, too."""
    options = private_apt(host, SUITE, folder, sources=True)
    apt(options, "update")
    apt(options, "source", "--download-only", name, folder=folder)
    if binaries:
        apt(options, "download", *binaries, folder=folder)
    tree = os.path.join(folder, "tree")
    upstream, = glob.glob(f"{folder}/{name}_*.orig.tar.*[!c]")
    changes, = glob.glob(f"{folder}/{name}_*.debian.tar.*")
    for path, prefix in ((upstream, 1), (changes, 0)):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                member.name = "/".join(member.name.split("/")[prefix:])
                if member.name:
                    archive.extract(member, tree, filter="data")
    with open(f"{tree}/debian/patches/series", encoding="utf-8") as file:
        for line in file:
            patch = line.split("#")[0].strip()
            if patch:
                run("git", "apply", "-p1", f"debian/patches/{patch}", what=f"patching {name}", folder=tree)
    return tree
