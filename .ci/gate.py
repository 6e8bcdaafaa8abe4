#!/usr/bin/env python3
"""The steps of .ci/run. Each is run whatever the others said, so that one run tells all that is red:

1. what costs no build: the tree, the figures, the format, the rules, the gate's own tests;
2. packages, and the plugin header;
3. all builds, with no test beside them;
4. the README's test command as written, with its builds ready;
5. a second try, alone, of each test that failed.

A green run of a clean tree is recorded in `belfry-gate` in git's common folder: TREE COMMIT SECONDS
FLAKY DATE.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import second_try
from steps import ROOT, Gate, end_left_behind, environment, git, run, say

PROGRAMS = ("belfryd", "belfry-worker", "belfry-speaker", "belfry")
PLUGINS = ("console", "exec", "pushfile", "calendars")
# A module compiled as a whole prints nothing meanwhile, nor does a link of all modules at once.
BUILD_SILENCE = 1200
# .ci/long has all seeds, 12,000 rules a test, 20 to 200 kills a test, and a power cut at every step.
# The modules that tests wait for, optimised, overflow and bounds still checked: two thirds of the time.
QUICK = {"BELFRY_QUICK": "1"}
SHORT_UNIT = {**QUICK, "BELFRY_SEEDS": "4", "BELFRY_RULES": "2000", "BELFRY_KILLS": "8",
              "BELFRY_CUTS": "4"}
SHORT_END_TO_END = {"BELFRY_KILLS": "20"}


# Gigabytes of a checkout that has been built.
BUILT = 2


class Stop(Exception):
    """Nothing behind this can say anything."""


def room():
    """On a full disk compilers and tests fail in many words; this is one line."""
    built = sum(1 for name in (".build", ".build-lean") if (ROOT / name / "workspace-state.json").exists())
    needed = BUILT * (2 - built) / 2 + 1
    free = shutil.disk_usage(ROOT).free / 1e9
    if free < needed:
        raise Stop(f"{free:.1f} GB are free for the builds in {ROOT}, and {needed:.0f} are needed")


def readme_command():
    """The README's test command: what installs, what tests units, what tests end to end."""
    lines = re.findall(r"^apt-get update.*", (ROOT / "README.md").read_text(), re.MULTILINE)
    parts = lines[1].split(" && ") if len(lines) > 1 else []
    if len(parts) != 4 or parts[2:] != ["swift test", "Tests/EndToEnd/run"]:
        raise Stop("the second apt-get line of README.md is not the test command")
    return lines[1], " && ".join(parts[:2]), parts[2], parts[3]


def cheap(gate):
    for name, command in (
        ("layout", [".ci/layout"]),
        ("figures", [".ci/figures"]),
        ("rules", [".ci/rules", "--names"]),
        ("format", ["swift-format", "lint", "--strict", "--recursive", "Package.swift", "Sources",
                    "Tests", "plugins"]),
        ("gate", ["/usr/bin/python3", "-m", "unittest", "discover", "-s", "Tests/GateTests"]),
    ):
        gate.command(name, command)


def are_installed(packages):
    shown = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}\n", *packages], check=False,
        capture_output=True, text=True)
    return shown.returncode == 0 and set(shown.stdout.split()) == {"installed"}


def install(gate, command):
    """The README's packages, if one of them is missing. Mirrors fail now and then: three tries."""
    packages = command.split(" install -y ")[1].split()
    if are_installed(packages):
        say(f"all {len(packages)} packages are installed")
        return
    options = gate.logs / "apt.conf"
    options.write_text('Acquire::Retries "3";\nDPkg::Lock::Timeout "300";\n')
    for number in range(3):
        done = run(["bash", "-ec", command], gate.logs / "packages", lambda line: False,
                   environment(APT_CONFIG=str(options)))
        if done.status == 0:
            return
        if "Temporary failure resolving" in done.text():
            break  # No network; apt has tried for some seconds.
        time.sleep(5 * number)
    why = [line for line in done.tail() if line.startswith("E: ")] or done.tail(1) or ["apt-get said nothing"]
    raise Stop("packages cannot be installed: " + why[0])


def prepare_python():
    """The Python of the end-to-end tests, before anything is built."""
    done = subprocess.run(
        ["Tests/EndToEnd/run", "--prepare"], cwd=ROOT, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise Stop("Python's packages cannot be installed: " + (lines or ["pip said nothing"])[-1])


def build(gate):
    """All that is tested, two builds at a time; returns the kinds of build that failed."""
    results = {}

    def build_one(name, more, *words):
        began = time.monotonic()
        results[name] = run(["swift", "build", *words], gate.logs / f"build-{name}",
                            lambda line: "error:" in line, environment(**more), BUILD_SILENCE)
        say(f"built {name}: {time.monotonic() - began:.0f} s")

    threads = [threading.Thread(target=build_one, args=row) for row in (
        ("debug", QUICK, "--build-tests"),
        ("lean", {"BELFRY_LEAN": "1", "BELFRY_TEST_BUILD": "1"}, "-c", "release",
         "--scratch-path", ".build-lean"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {name for name, done in results.items() if not gate.check(f"build {name}", done)}


def check_lean(gate):
    """What the lean programs link, and their sizes."""
    gate.command("layout of programs", [".ci/layout", ".build-lean/release"])
    for name in (*PROGRAMS, *(f"libbelfry-{plugin}.so" for plugin in PLUGINS)):
        stripped = gate.logs / "stripped"
        subprocess.run(
            ["strip", "-o", stripped, ROOT / ".build-lean/release" / name], check=True)
        say(f"size: {name:<23} {stripped.stat().st_size:>9} bytes stripped")


def is_swift_result(line):
    """A test's own line, or what is no test's."""
    hidden = "◇", "↳", "✔ Suite", "[", "Test Suite '", "\t Executed 0 tests"
    return not line.lstrip("\ufeff ").startswith(hidden) and " Test case passing " not in line


def count(run_, pattern):
    found = re.findall(pattern, run_.text(), re.MULTILINE)
    return int(found[-1]) if found else 0


def unit_tests(gate, command):
    first = run(command.split(), gate.logs / "unit", is_swift_result, environment(**SHORT_UNIT))
    end_left_behind(gate, "the unit tests")
    counted = count(first, r"Test run with (\d+) tests?")
    if first.status == 0 and counted == 0:
        gate.fail("unit", "the run counted no test")
    return first, counted


def end_to_end_tests(gate, command):
    first = run(command.split(), gate.logs / "end-to-end", env=environment(**SHORT_END_TO_END))
    end_left_behind(gate, "the end-to-end tests")
    counted = count(first, r"^Ran (\d+) tests?")
    if first.status == 0 and counted == 0:
        gate.fail("end to end", "the run counted no test")
    return first, counted


def try_it(gate):
    shown = gate.command("belfry try", [".build/debug/belfry", "try"])
    if shown.status == 0 and not re.search(r"^Due at .* late, ", shown.text(), re.MULTILINE):
        gate.fail("belfry try", "it does not say how late the alert was", shown.tail())


def second_tries(gate, unit, end_to_end):
    def again(**more):
        def run_alone(failure):
            say(f"\n-- once more, alone: {failure.shell()}")
            name = re.sub(r"\W+", "-", failure.name)
            return run(failure.command, gate.logs / f"again-{name}"[:200], is_swift_result, environment(**more))
        return run_alone

    if unit and unit.status != 0:
        second_try.judge(gate, "unit", unit, second_try.swift_failures(unit.text()),
                         second_try.swift_ended, second_try.swift_passed, again(**SHORT_UNIT))
    if end_to_end and end_to_end.status != 0:
        second_try.judge(gate, "end to end", end_to_end,
                         second_try.python_failures(end_to_end.text()),
                         second_try.python_ended, second_try.python_passed, again(**SHORT_END_TO_END))
    second_try.limit_flaky(gate)


def work(gate):
    gate.make_scratch()
    try:
        room()
        whole, packages, unit_command, end_to_end_command = readme_command()
        gate.step("what costs no build", lambda: cheap(gate))
        gate.step("packages", lambda: (install(gate, packages), prepare_python()))
    except Stop as stop:
        gate.fail("before the builds", str(stop))
        return 0
    gate.step("plugin header", lambda: gate.command("plugin header", ["Tests/check-header"]))
    failed = gate.step("builds", lambda: build(gate))
    if failed is None:
        return 0
    if "lean" not in failed:
        gate.step("lean programs", lambda: check_lean(gate))
    say(f"\n-- the README's test command, by its parts: {whole}")
    unit = end_to_end = (None, 0)
    if "debug" not in failed:
        unit = gate.step(unit_command, lambda: unit_tests(gate, unit_command)) or unit
    if "lean" not in failed:
        end_to_end = gate.step(
            end_to_end_command, lambda: end_to_end_tests(gate, end_to_end_command)) or end_to_end
    if "debug" not in failed:
        gate.step("belfry try", lambda: try_it(gate))
    gate.step("second tries", lambda: second_tries(gate, unit[0], end_to_end[0]))
    return unit[1] + end_to_end[1]


def record(gate, tree):
    """A line for a clean tree that passed; nothing where work lies about."""
    if git("status", "--porcelain") or git("rev-parse", "HEAD^{tree}") != tree:
        say("not recorded: the tree is not clean")
        return
    common = (ROOT / git("rev-parse", "--git-common-dir")).resolve()
    line = "{} {} {:.0f} {} {}\n".format(
        tree, git("rev-parse", "--short=9", "HEAD"), time.monotonic() - gate.began,
        len(gate.flaky), time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
    with open(common / "belfry-gate", "a", encoding="utf-8") as file:
        file.write(line)


def main():
    gate = Gate()
    tree = git("rev-parse", "HEAD^{tree}")
    counted = []
    status = gate.lead(lambda: counted.append(work(gate)))
    if status == 0:
        record(gate, tree)
        say(f"\nall gates passed in {time.monotonic() - gate.began:.0f} s, {len(gate.flaky)} flaky")
        say(f"{sum(counted)} passed, 0 failed")
    return status


if __name__ == "__main__":
    sys.exit(main())
