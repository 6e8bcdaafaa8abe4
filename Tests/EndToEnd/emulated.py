#!/usr/bin/env python3
"""End-to-end tests of the programs of another architecture, which qemu-user runs on this machine.

usage: Tests/EndToEnd/emulated.py ARCH WORK [--packages DIR] [unittest arguments]

  ARCH    as Debian calls it; musl-linux- and one of these, for systems whose C library is musl
  WORK    the folder that `Sources/Packaging/package --work` has fetched and built in
  DIR     its packages: these are what is run, unpacked in a Debian of that architecture that has what they
          name as needed, and nothing else (mmdebstrap)
"""
import glob
import os
import re
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


def built_files(architecture, built):
    """Where each program and each plugin of a build is."""
    plugins = PLUGINS if architecture.is_musl else PLUGINS + OWN_PACKAGES
    return {name: os.path.join(built, name) for name in crossbuild.PROGRAMS} | {
        f"libbelfry-{name}.so": plugin_file(built, name) for name in plugins}


def unpacked_files(architecture, packages, root):
    """The same of packages, for which `root` is made."""
    found = [path for name in ("belfry", "belfry-plugin-calendars")
             for path in glob.glob(os.path.join(packages, f"{name}_*_{architecture.name}.deb"))]
    if len(found) != 2:
        sys.exit(f"emulated: {packages} has {len(found)} of the two packages for {architecture.name}")
    needs = set()
    for path in found:
        text = subprocess.run(["dpkg-deb", "-f", path, "Depends"], check=True, capture_output=True, text=True).stdout
        # Libraries: what is installed by runs on no emulator. The first of those that stand in for each other.
        needs |= {need.split("|")[0].split("(")[0].strip() for need in text.split(",") if need.strip()[:3] == "lib"}
    subprocess.run(["mmdebstrap", "--quiet", "--variant=extract", f"--architectures={architecture.name}",
                    f"--include={','.join(sorted(needs))}", architecture.suite, root], check=True)
    for path in found:
        subprocess.run(["dpkg-deb", "--extract", path, root], check=True)
    places = [f"{root}/usr/{place}/*" for place in ("bin", "libexec/belfry", "lib/belfry/plugins")]
    return {os.path.basename(path): path for place in places for path in glob.glob(place)
            if re.match(r"(lib)?belfry", os.path.basename(path))}


def programs(folder, files, emulator):
    """A folder like that of a build, whose programs the emulator runs. A program looks for the others
    beside itself, as the emulator tells it; so each stands in a folder of its own, beside words that
    start the others."""
    places = {name: os.path.join(folder, name) for name in (*crossbuild.PROGRAMS, "all")}
    for name, place in places.items():
        os.mkdir(place)
        for other in crossbuild.PROGRAMS:
            if other != name:
                wrapper(os.path.join(place, other), [*emulator, os.path.join(places[other], other)])
        for file, path in files.items():
            if file.endswith(".so"):
                shutil.copy(path, os.path.join(place, file))
    for name in crossbuild.PROGRAMS:
        shutil.copy(files[name], places[name])
    return places["all"]


def main(words):
    if len(words) < 2 or words[0] not in ALL:
        sys.exit(__doc__.strip())
    architecture, work = ALL[words[0]], os.path.join(os.path.abspath(words[1]), words[0])
    root = os.path.join(work, "root")
    compiler = [os.path.join(crossbuild.toolchain(), "clang"), *crossbuild.link_flags(architecture, root),
                *crossbuild.headers(architecture, root), "-fuse-ld=lld", *architecture.c]
    packages, tests = (words[3], words[4:]) if words[2:3] == ["--packages"] else (None, words[2:])
    with tempfile.TemporaryDirectory(prefix="belfry-emulated-", dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        name = EMULATORS[architecture.machine_name]
        runs_in = os.path.join(folder, "root") if packages else root
        files = (unpacked_files(architecture, packages, runs_in) if packages
                 else built_files(architecture, os.path.join(work, "build/release")))
        emulator = [shutil.which(name) or sys.exit("emulated: install qemu-user"), "-L", runs_in]
        runs = programs(folder, files, emulator)
        environment = dict(os.environ, BELFRY_BIN=runs, BELFRY_TEST_BIN="none", CC=shlex.join(compiler),
                           PYTHONPATH=HERE)
        tests = tests or ["-v", *TESTS]
        sys.exit(subprocess.run([sys.executable, "-m", "unittest", *tests], env=environment, check=False).returncode)


if __name__ == "__main__":
    main(sys.argv[1:])
