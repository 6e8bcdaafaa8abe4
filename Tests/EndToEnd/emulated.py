#!/usr/bin/env python3
"""End-to-end tests of the programs of another architecture, which qemu-user runs on this machine.

usage: Tests/EndToEnd/emulated.py ARCH WORK [unittest arguments]

  ARCH    as Debian calls it
  WORK    the folder that `Sources/Packaging/package --work` has fetched and built in
"""
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "../../Sources/Packaging"))
import crossbuild  # noqa: E402
from architectures import ALL  # noqa: E402
from staging import OWN_PACKAGES, PLUGINS, plugin_file  # noqa: E402

EMULATORS = {"amd64": "qemu-x86_64", "arm64": "qemu-aarch64", "armhf": "qemu-arm", "riscv64": "qemu-riscv64"}
# What needs no clock that a test moves, no filter of system calls, and no look into other processes.
TESTS = ("test_board", "test_varlink", "test_notification", "test_regions", "test_inbox", "test_names", "test_plugins",
         "test_push_plugins")


def wrapper(path, words):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    os.chmod(path, 0o755)


def programs(folder, built, emulator):
    """A folder like that of a build, whose programs the emulator runs. A program looks for the others
    beside itself, as the emulator tells it; so each stands in a folder of its own, beside words that
    start the others."""
    places = {name: os.path.join(folder, name) for name in (*crossbuild.PROGRAMS, "all")}
    for name, place in places.items():
        os.mkdir(place)
        for other in crossbuild.PROGRAMS:
            if other != name:
                wrapper(os.path.join(place, other), [*emulator, os.path.join(places[other], other)])
        for plugin in PLUGINS + OWN_PACKAGES:
            shutil.copy(plugin_file(built, plugin), os.path.join(place, f"libbelfry-{plugin}.so"))
    for name in crossbuild.PROGRAMS:
        shutil.copy(os.path.join(built, name), places[name])
    return places["all"]


def main(words):
    if len(words) < 2 or words[0] not in ALL:
        sys.exit(__doc__.strip())
    architecture, work = ALL[words[0]], os.path.join(os.path.abspath(words[1]), words[0])
    root = os.path.join(work, "root")
    compiler = [os.path.join(crossbuild.toolchain(), "clang"), f"--target={architecture.gnu}", f"--sysroot={root}",
                "-fuse-ld=lld", *architecture.c]
    with tempfile.TemporaryDirectory(prefix="belfry-emulated-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        emulator = [shutil.which(EMULATORS[architecture.name]) or sys.exit("emulated: install qemu-user"), "-L", root]
        runs = programs(folder, os.path.join(work, "build/release"), emulator)
        environment = dict(os.environ, BELFRY_BIN=runs, BELFRY_TEST_BIN="none", CC=shlex.join(compiler),
                           PYTHONPATH=HERE)
        tests = words[2:] or ["-v", *TESTS]
        sys.exit(subprocess.run([sys.executable, "-m", "unittest", *tests], env=environment, check=False).returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
