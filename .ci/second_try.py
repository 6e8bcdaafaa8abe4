"""The second try: what failed is run once more, alone, and told as FLAKY or RED.

Failed tests are read from the logs of Swift Testing and of Python's unittest.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from steps import ROOT

# More tests that pass only the second time are red themselves.
FLAKY_LIMIT = 3
# Second tries beyond these would only tell more of what is red anyway.
TRIES = 12


@dataclass
class Failure:
    """A test that failed: its name, where, its first message, and the words that run it alone."""

    name: str
    place: str = ""
    message: str = ""
    command: list = field(default_factory=list)

    def text(self):
        return f"{self.name} ({self.place})" if self.place else self.name

    def shell(self):
        return " ".join(f"'{word}'" if re.search(r"[^\w./:=-]", word) else word for word in self.command)


# MARK: Swift Testing

ISSUE = re.compile(
    r"^\W*Test (?P<name>[\w`]+)\(.*?recorded an issue.*? at (?P<place>[\w+.-]+\.swift:\d+):\d+: (?P<message>.*)")
FAILED = re.compile(r"^\W*Test (?P<name>[\w`]+)\(.*?\) (?:with \d+ test cases? )?failed after")


def swift_sources():
    return sorted((ROOT / "Tests").rglob("*.swift"))


def swift_failures(log):
    """The tests that failed in a log of `swift test`, each with its first issue."""
    found = {}
    for line in log.splitlines():
        if "✘" not in line:
            continue
        if match := ISSUE.match(line):
            name = match["name"].strip("`")
            failure = found.setdefault(name, Failure(name))
            if not failure.place:
                failure.place, failure.message = match["place"], match["message"]
        elif match := FAILED.match(line):
            name = match["name"].strip("`")
            found.setdefault(name, Failure(name))
    for failure in found.values():
        modules, paths = set(), {}
        for path in swift_sources():
            paths.setdefault(path.name, path.relative_to(ROOT))
            if re.search(rf"\bfunc `?{failure.name}`?\(", path.read_text(errors="replace")):
                modules.add(path.relative_to(ROOT / "Tests").parts[0])
                paths[path.name] = path.relative_to(ROOT)
        file, _, line = failure.place.partition(":")
        if file in paths:
            failure.place = f"{paths[file]}:{line}"
        module = f"({'|'.join(sorted(modules))})" if modules else ""
        # An identifier is Module.Suite/test(label:) or Module.test(label:).
        failure.command = [
            "swift", "test", "--skip-build", "--filter", rf"^{module}\..*\b{failure.name}\("]
    return list(found.values())


def swift_ended(run):
    """Whether it came to its end: what crashes leaves tests that nobody has run."""
    return re.search(r"Test run with \d+ tests?.* (passed|failed) after", run.text()) is not None


def swift_passed(run):
    count = re.search(r"Test run with (\d+) tests?.* passed", run.text())
    return run.status == 0 and count is not None and int(count[1]) > 0


# MARK: unittest

HEADER = re.compile(r"^(?:FAIL|ERROR): (?P<method>\S+) \((?P<id>[\w.]+)\)")


def python_failures(log):
    """The tests that failed in a log of unittest, each with the last line of its traceback."""
    found, failure = {}, None
    for line in log.splitlines():
        if match := HEADER.match(line):
            method, name = match["method"], match["id"]
            # 3.11 and later have the method in it; a class that cannot be set up has not.
            if not name.endswith("." + method) and method.startswith("test"):
                name += "." + method
            failure = found.setdefault(name, Failure(name))
        elif failure is not None:
            # The innermost frame in a file of ours.
            if match := re.match(r'\s+File "(.*/Tests/\w+/([\w.]+))", line (\d+)', line):
                if not failure.message:
                    path = Path(match[1])
                    inside = path.is_relative_to(ROOT)
                    failure.place = f"{path.relative_to(ROOT) if inside else match[2]}:{match[3]}"
            elif re.match(r"[\w.]+(Error|Exception|Refused|Expired|Interrupt)\b", line):
                failure.message = failure.message or line
            elif re.match(r"^(=====|Ran \d+ test)", line):
                failure = None
    for failure in found.values():
        name = re.sub(r"^unittest\.loader\._FailedTest\.", "", failure.name)
        failure.command = ["Tests/EndToEnd/run", "-v", name]
    return list(found.values())


def python_ended(run):
    """A class that did not come to its end is named as a whole by shards.py."""
    return re.search(r"^Ran \d+ tests?", run.text(), re.MULTILINE) is not None


def python_passed(run):
    text = run.text()
    count = re.search(r"^Ran (\d+) tests?", text, re.MULTILINE)
    return run.status == 0 and count is not None and int(count[1]) > 0


# MARK: The verdict on a step

def judge(gate, kind, first, failures, ended, passed, run_alone):
    """Judges a step that failed: `first` is its Run, of which `ended` says whether it came to its end;
    `failures` are read from its log, and `run_alone(failure)` runs one once more and returns the Run that
    `passed` judges."""
    if first.hung:
        gate.fail(kind, "it hung, and was ended", first.tail())
        return
    if failures and not ended(first):
        gate.fail(kind, f"exit {first.status}, before all tests had run", first.tail())
    if not failures:
        # A crash, or a build that failed: nothing names a test.
        gate.fail(kind, f"exit {first.status}, and no test is named", first.tail())
        return
    for failure in failures[TRIES:]:
        gate.fail(kind, f"{failure.text()}: failed, not tried again: {failure.message}",
                  ["alone: " + failure.shell()])
    for failure in failures[:TRIES]:
        again = run_alone(failure)
        if passed(again):
            gate.flaky.append(f"FLAKY {failure.place or '?'} {failure.name} {failure.message}")
        else:
            gate.fail(kind, f"{failure.text()}: failed twice: {failure.message}",
                      ["alone: " + failure.shell(), *again.tail()])


def limit_flaky(gate):
    if len(gate.flaky) > FLAKY_LIMIT:
        gate.fail("flaky", f"{len(gate.flaky)} tests passed only the second time; at most {FLAKY_LIMIT}")
