"""Lays the programs, and all that belongs to them, out as they lie on a board: for a package, or for
`install`."""
import gzip
import json
import os
import re
import shutil
import textwrap

from arguments import SOURCE
from failure import Failure, run

# What a page of the manual is called, and in which section it stands.
PAGES = {"belfry": 1, "belfryd": 8, "belfry.conf": 5, "belfry.app": 5, "belfry-plugin": 7,
         "belfry-time": 7}
PLUGINS = ("console", "exec", "pushfile")
# Of these each has a package of its own, for what it needs.
OWN_PACKAGES = ("calendars",)
# Its owner's, once it is there.
CONFIGURATION = "/etc/belfry/belfry.conf"
# Behind the name of a file that is being written.
NEW = ".new"


class Staging:
    """Files below `root`, with `prefix` where most of them lie."""

    def __init__(self, root, prefix="/usr", strip=None):
        self.root, self.prefix, self.strip = root, prefix, strip
        self.made = []

    def path(self, name):
        """Where a file lies; its folders are made. A name with a slash in front is not below the prefix."""
        name = name if name.startswith("/") else f"{self.prefix}/{name}"
        path = self.root + name
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.made.append(name)
        return path

    def write(self, name, text, mode=0o644, packed=False):
        data = text.encode() if isinstance(text, str) else text
        path = self.path(name)
        with open(path + NEW, "wb") as file:
            file.write(gzip.compress(data, 9, mtime=0) if packed else data)
        self.put(path, mode)

    def copy(self, source, name, mode=0o644):
        path = self.path(name)
        shutil.copyfile(source, path + NEW)
        self.put(path, mode)

    @staticmethod
    def put(path, mode):
        """Old or new, never half; a program that runs keeps its own."""
        os.chmod(path + NEW, mode)
        os.replace(path + NEW, path)

    def program(self, source, name, mode=0o755):
        """One without symbols."""
        if not os.path.exists(source):
            raise Failure(f"{source} is missing: the build is not whole")
        path = self.path(name)
        if self.strip is None:
            shutil.copyfile(source, path + NEW)
        else:
            run(self.strip, "--strip-all", "--remove-section=.comment", source, path + NEW, what=f"stripping {name}")
        self.put(path, mode)


def plugin_file(built, name):
    """SwiftPM names libraries by the triple: .so, or .elf where it knows no system."""
    for end in ("so", "elf"):
        path = os.path.join(built, f"libbelfry-{name}.{end}")
        if os.path.exists(path):
            return path
    raise Failure(f"libbelfry-{name} is missing in {built}: the build is not whole")


class Teller:
    """A `belfry` that runs here, which knows its own pages, keys, completions and unit."""

    def __init__(self, program):
        self.program = program

    def tell(self, *words):
        return run(self.program, *words, what=f"belfry {' '.join(words)}")

    def unit(self, prefix, *words):
        """As printed for the program's own place, moved to `prefix`; without the words on how to install
        it, which a package does."""
        text = self.tell("unit", *words)
        lines = text.splitlines()
        while lines and not lines[0].startswith("["):
            lines.pop(0)
        text = "\n".join(lines) + "\n"
        return re.sub(r'^ExecStart="[^"]*"', f"ExecStart={prefix}/bin/belfryd", text, flags=re.M)

    def configuration(self):
        """Every key as a comment, and the one plugin that needs no choice."""
        rows = [json.loads(row) for row in self.tell("help", "configuration", "--json").splitlines()]
        lines = ["# The configuration of belfryd: man 5 belfry.conf, or belfry help configuration.",
                 "# A key counts once its # is taken away; belfry reload, or the next start, reads it.",
                 "# belfryd --check /etc/belfry/belfry.conf says what is wrong with it.", ""]
        sections = []
        for row in rows:
            if row["section"] and row["section"] not in sections:
                sections.append(row["section"])
        # What stands below one that has no name yet would belong to the one before.
        for section in sorted(sections, key=self.is_named):
            named = self.is_named(section)
            lines.append(f"#{section}" if named else section)
            for row in rows:
                if row["section"] == section:
                    lines += self.key(row)
            lines.append("")
        lines += ["# Shows each alert in the journal. belfry help plugins names the others.",
                  "[plugin:console]", "file = console", ""]
        return "\n".join(lines)


    @staticmethod
    def is_named(section):
        return section.endswith((":NAME]", ":ID]"))

    @staticmethod
    def key(row):
        """What a key does, and its default behind it; one in words is no value."""
        about, usual = f"{row['meaning']} Value: {row['values']}.", row["default"] or ""
        if " " in usual:
            about, usual = f"{about} Default: {usual}.", ""
        return textwrap.wrap(about, 98, initial_indent="# ", subsequent_indent="# ") \
            + [f"#{row['name']} = {usual}".rstrip()]


def stage(staging, built, teller):
    """All of a board but what has a package of its own."""
    stage_programs(staging, built)
    stage_documents(staging, teller)
    staging.write("lib/systemd/system/belfry.service", teller.unit(staging.prefix))
    staging.write("lib/systemd/user/belfry.service", teller.unit(staging.prefix, "--user"))
    here = os.path.dirname(os.path.abspath(__file__))
    staging.copy(f"{here}/service/belfry.socket", "lib/systemd/system/belfry.socket")
    staging.copy(f"{here}/service/sysusers.conf", "lib/sysusers.d/belfry.conf")
    staging.copy(f"{here}/service/tmpfiles.conf", "lib/tmpfiles.d/belfry.conf")
    if not os.path.exists(staging.root + CONFIGURATION):
        staging.write(CONFIGURATION, teller.configuration())


def stage_programs(staging, built):
    """What runs, and the default sound."""
    for name in ("belfry", "belfryd"):
        staging.program(os.path.join(built, name), f"bin/{name}")
    for name in ("belfry-worker", "belfry-speaker"):
        staging.program(os.path.join(built, name), f"libexec/belfry/{name}")
    for name in PLUGINS:
        stage_plugin(staging, built, name)
    staging.copy(os.path.join(SOURCE, "Sources/BelfrySound/Resources/default.wav"),
                 "share/belfry/sounds/default.wav")


def stage_documents(staging, teller):
    """The pages of the manual, and what shells complete."""
    for page, section in PAGES.items():
        staging.write(f"share/man/man{section}/{page}.{section}.gz", teller.tell("man", page), packed=True)
    staging.write("share/bash-completion/completions/belfry", teller.tell("completion", "bash"))
    staging.write("share/zsh/vendor-completions/_belfry", teller.tell("completion", "zsh"))
    staging.write("share/fish/vendor_completions.d/belfry.fish", teller.tell("completion", "fish"))


def stage_plugin(staging, built, name):
    staging.program(plugin_file(built, name), f"lib/belfry/plugins/libbelfry-{name}.so", 0o644)
