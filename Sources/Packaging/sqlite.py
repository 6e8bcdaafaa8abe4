"""SQLite as one file of C, made from Debian's source package with Debian's patches, and compiled without
what the clock does not use: a tenth of belfryd."""
import glob
import os
import shutil

import crossbuild
import debian_sources
from failure import run

# Nothing of the shell's, of extensions, of interfaces that are old: sqlite.org/compile.html.
OPTIONS = (
    "-Os -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -DSQLITE_THREADSAFE=2 "
    "-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_DEPRECATED -DSQLITE_OMIT_SHARED_CACHE -DSQLITE_OMIT_JSON "
    "-DSQLITE_OMIT_AUTHORIZATION -DSQLITE_OMIT_TRACE -DSQLITE_OMIT_COMPLETE -DSQLITE_OMIT_GET_TABLE "
    "-DSQLITE_OMIT_PROGRESS_CALLBACK -DSQLITE_OMIT_DECLTYPE -DSQLITE_OMIT_TCL_VARIABLE -DSQLITE_MAX_EXPR_DEPTH=0 "
    "-DSQLITE_DQS=0").split()
# For pkg-config, by which SwiftPM asks for it.
DESCRIPTION = "Name: SQLite\nDescription: SQL database engine\nVersion: 3\nLibs: -lsqlite3\n"


def fetch(work, host):
    """The folder with sqlite3.c, which is whole or not there at all. `host`: this machine's architecture,
    by Debian's name; what makes the file out of many runs on it, from a folder of its own."""
    place = os.path.join(work, "sqlite")
    if os.path.exists(os.path.join(place, "sqlite3.c")):
        return place
    folder = os.path.join(work, "sqlite.new")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    tree = debian_sources.fetch("sqlite3", folder, host, binaries=("tcl8.6", "libtcl8.6"))
    for package in glob.glob(f"{folder}/*.deb"):
        run("dpkg-deb", "--extract", package, f"{folder}/tools")
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
    library = f"{root}/usr/lib/{architecture.target}/libsqlite3.a"
    if os.path.exists(library):
        os.unlink(library)
    run(os.path.join(crossbuild.toolchain(), "llvm-ar"), "rcs", library, objects, what="packing SQLite")
    for name in ("sqlite3.h", "sqlite3ext.h"):
        shutil.copy(os.path.join(place, name), f"{root}/usr/include")
    description = f"{root}/usr/lib/{architecture.target}/pkgconfig/sqlite3.pc"
    if not os.path.exists(description):
        os.makedirs(os.path.dirname(description), exist_ok=True)
        with open(description, "w", encoding="utf-8") as file:
            file.write(DESCRIPTION)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
