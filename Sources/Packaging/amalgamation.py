"""SQLite as one file of C, made from Debian's source package with Debian's patches, and compiled without
what the clock does not use: a tenth of belfryd."""
import glob
import os
import shutil
import tarfile

import crossbuild
from failure import run
from sysroot import apt, private_apt

SUITE = "bookworm"
# Nothing of the shell's, of extensions, of interfaces that are old: sqlite.org/compile.html.
OPTIONS = (
    "-Os -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -DSQLITE_THREADSAFE=2 "
    "-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_SHARED_CACHE -DSQLITE_OMIT_JSON "
    "-DSQLITE_OMIT_AUTHORIZATION -DSQLITE_OMIT_TRACE -DSQLITE_OMIT_COMPLETE -DSQLITE_OMIT_GET_TABLE "
    "-DSQLITE_OMIT_PROGRESS_CALLBACK -DSQLITE_OMIT_DECLTYPE -DSQLITE_OMIT_TCL_VARIABLE -DSQLITE_MAX_EXPR_DEPTH=0 "
    "-DSQLITE_DQS=0").split()


def fetch(work, host):
    """The folder with sqlite3.c, which is whole or not there at all. `host`: this machine's architecture,
    by Debian's name; what makes the file out of many runs on it, from a folder of its own."""
    place = os.path.join(work, "sqlite")
    if os.path.exists(os.path.join(place, "sqlite3.c")):
        return place
    folder = os.path.join(work, "sqlite.new")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    options = private_apt(host, SUITE, folder, sources=True)
    apt(options, "update")
    apt(options, "source", "--download-only", "sqlite3", folder=folder)
    apt(options, "download", "tcl8.6", "libtcl8.6", folder=folder)
    for package in glob.glob(f"{folder}/*.deb"):
        run("dpkg-deb", "--extract", package, f"{folder}/tools")
    tree = unpack(folder)
    tclsh = f"{folder}/tclsh"
    library, = glob.glob(f"{folder}/tools/usr/lib/*/libtcl8.6.so*")[:1]
    with open(tclsh, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nLD_LIBRARY_PATH={os.path.dirname(library)} "
                   f"TCL_LIBRARY={folder}/tools/usr/share/tcltk/tcl8.6 exec {folder}/tools/usr/bin/tclsh8.6 \"$@\"\n")
    os.chmod(tclsh, 0o755)
    compiler = os.path.join(crossbuild.toolchain(), "clang")
    environment = os.environ | {"CC": compiler, "TCLSH_CMD": tclsh}
    making = {"what": "making SQLite", "folder": tree, "environment": environment}
    run("./configure", "--disable-tcl", "--disable-readline", **making)
    run("make", "sqlite3.c", f"TCLSH_CMD={tclsh}", **making)
    fresh = os.path.join(work, "sqlite.made")
    shutil.rmtree(fresh, ignore_errors=True)
    os.makedirs(fresh)
    for name in ("sqlite3.c", "sqlite3.h", "sqlite3ext.h"):
        shutil.copy(os.path.join(tree, name), fresh)
    os.rename(fresh, place)
    shutil.rmtree(folder)
    return place


def unpack(folder):
    """Debian's sources, with Debian's patches."""
    tree = os.path.join(folder, "tree")
    upstream, = glob.glob(f"{folder}/sqlite3_*.orig.tar.*")
    changes, = glob.glob(f"{folder}/sqlite3_*.debian.tar.*")
    for path, prefix in ((upstream, 1), (changes, 0)):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                member.name = "/".join(member.name.split("/")[prefix:])
                if member.name:
                    archive.extract(member, tree, filter="data")
    with open(f"{tree}/debian/patches/series", encoding="utf-8") as file:
        for line in file:
            name = line.split("#")[0].strip()
            if name:
                run("git", "apply", "-p1", f"debian/patches/{name}", what="patching SQLite", folder=tree)
    return tree


def install(place, architecture, root):
    """Compiles it in place of the library that `root` has."""
    objects, stamp = os.path.join(root, "sqlite3.o"), os.path.join(root, ".sqlite")
    words = [os.path.join(crossbuild.toolchain(), "clang"), *crossbuild.c_flags(architecture, root), *OPTIONS]
    wanted = " ".join(words)
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == wanted:
                return
    run(*words, "-c", os.path.join(place, "sqlite3.c"), "-o", objects, what="compiling SQLite")
    library = f"{root}/usr/lib/{architecture.gnu}/libsqlite3.a"
    if os.path.exists(library):
        os.unlink(library)
    run(os.path.join(crossbuild.toolchain(), "llvm-ar"), "rcs", library, objects, what="packing SQLite")
    for name in ("sqlite3.h", "sqlite3ext.h"):
        shutil.copy(os.path.join(place, name), f"{root}/usr/include")
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
