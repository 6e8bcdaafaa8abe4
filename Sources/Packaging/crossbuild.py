"""Builds the programs and plugins of a board for an architecture, as Embedded Swift."""
import glob
import json
import os
import shutil
import subprocess

from failure import Failure

PROGRAMS = ("belfryd", "belfry", "belfry-worker", "belfry-speaker")


def toolchain():
    """The folder of Swift's programs."""
    swift = shutil.which("swift")
    if swift is None:
        raise Failure("swift is missing: its toolchain's usr/bin belongs into PATH")
    return os.path.dirname(os.path.realpath(swift))


def tables(architecture, folder):
    """Embedded Swift's Unicode tables."""
    path = os.path.join(
        toolchain(), "../lib/swift/embedded", architecture.triple, "libswiftUnicodeDataTables.a")
    if not os.path.exists(path):
        raise Failure(f"this Swift has no tables for {architecture.triple}: it is to be 6.3")
    if not architecture.elf_flags:
        return os.path.normpath(path)
    with open(path, "rb") as file:
        archive = bytearray(file.read())
    place = len(b"!<arch>\n")
    while place < len(archive):
        size, member = int(archive[place + 48:place + 58]), place + 60
        if archive[member:member + 5] == b"\x7fELF\x02":
            archive[member + 48] |= architecture.elf_flags
        place = member + size + size % 2
    path = os.path.join(folder, "libswiftUnicodeDataTables.a")
    with open(path, "wb") as file:
        file.write(archive)
    return path


def c_flags(architecture, root):
    """What clang is told for C."""
    return [f"--target={architecture.target}", f"--sysroot={root}", "-fPIC", *architecture.c, *architecture.code,
            *headers(architecture, root)]


def headers(architecture, root):
    """Where those of the C library lie, and Linux's own: Debian keeps musl's beside glibc's."""
    include = f"{root}/usr/include"
    found = ["-isystem", f"{include}/{architecture.target}"]
    if not architecture.is_musl:
        return found
    return [*found, "-isystem", include, "-idirafter", f"{include}/{architecture.headers}"]


def link_flags(architecture, root):
    """What clang is told when it links."""
    flags = [f"--target={architecture.target}", f"--sysroot={root}"]
    if not architecture.is_musl:
        return flags
    library = f"{root}/usr/lib/{architecture.target}"
    # What is GCC's own lies below glibc's name, where clang does not look for it either.
    gcc = f"{root}/usr/lib/gcc/{architecture.headers}/{architecture.gcc.split('-')[1]}"
    return [*flags, f"-B{library}", f"-L{library}", f"--gcc-install-dir={gcc}", "-static-libgcc"]


def toolset(architecture, root, folder):
    """What SwiftPM tells each of its tools; the path of the file."""
    c = c_flags(architecture, root)
    imported = [f"--sysroot={root}", "-D__linux__", "-D__unix__", "-fPIC", *architecture.c, *architecture.swift_code,
                *headers(architecture, root), "-isystem", f"{root}/usr/include"]
    swift = [word for flag in imported for word in ("-Xcc", flag)] + ["-use-ld=lld"]
    swift += [word for flag in link_flags(architecture, root)
              for word in ("-Xclang-linker", flag)]
    swift += [word for flag in architecture.machine
              for word in ("-Xlinker", "-mllvm", "-Xlinker", flag)]
    path = os.path.join(folder, "toolset.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": swift},
                   "cCompiler": {"extraCLIOptions": c}}, file, indent=2)
    return path


def build(architecture, source, root, folder, log):
    """The folder with what was built."""
    environment = dict(
        os.environ, BELFRY_LEAN="1", BELFRY_TRIPLE=architecture.triple,
        BELFRY_TABLES=tables(architecture, folder), BELFRY_MUSL="1" if architecture.is_musl else "0")
    scratch = os.path.join(folder, "build")
    words = [
        "swift", "build", "-c", "release", "--package-path", source, "--scratch-path", scratch,
        "--triple", architecture.triple, "--toolset", toolset(architecture, root, folder),
        "--pkg-config-path", f"{root}/usr/lib/{architecture.target}/pkgconfig"]
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run(words, env=environment, stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        with open(log, encoding="utf-8", errors="replace") as file:
            errors = [line.strip() for line in file if "error:" in line]
        raise Failure(f"the build failed: {errors[0] if errors else 'no reason given'} (see {log})")
    return os.path.join(scratch, "release")
