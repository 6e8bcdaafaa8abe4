"""All end-to-end tests: four processes, a class at a time, those that take longest first; then the quiet
lane, alone: what sets the machine's clock, counts wake-ups, or looks at every process there is.

usage: Tests/EndToEnd/run     (without arguments; `seconds` beside this file has what each class took)

A class's output is printed whole when it is done, and each minute before it a line that it is under way. One
that prints no line for PATIENCE * 4 is ended, and as one whose process ends early told as an error, as a
whole: nobody knows what its other tests would have said. At the end the classes' failures are told together, as
unittest tells them.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

from belfry_harness import PATIENCE

HERE = Path(__file__).resolve().parent
PROCESSES = 4
SILENCE = 4 * PATIENCE
TELLS = 60
# A class that the table does not name takes about a second.
UNKNOWN = 1.0


# The process groups of classes, which end with this process.
under_way = set()


def end_all(number, _frame):
    for group in list(under_way):
        os.killpg(group, signal.SIGKILL)
    os._exit(128 + number)


class Share:
    """Tests of one class that run in one process, and what became of them."""

    def __init__(self, name, tests, is_quiet):
        self.name = name
        self.tests = tests
        self.is_quiet = is_quiet
        self.seconds = 0.0
        self.text = ""
        self.status = None

    def run(self):
        began = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [sys.executable, "-m", "unittest", "-v", *self.tests], cwd=HERE,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
            under_way.add(process.pid)
            size, heard, told = 0, began, began
            hung = False
            while process.poll() is None:
                time.sleep(0.05)
                now = os.fstat(output.fileno()).st_size
                if now != size:
                    size, heard = now, time.monotonic()
                if time.monotonic() - told > TELLS:
                    told = time.monotonic()
                    print(f"-- {self.name}: {told - began:.0f} s, under way", flush=True)
                if time.monotonic() - heard > SILENCE:
                    hung = True
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            under_way.discard(process.pid)
            output.seek(0)
            self.text = output.read().decode(errors="replace")
        self.seconds = time.monotonic() - began
        self.status = process.returncode
        if hung or self.count() is None:
            self.text += self.told_as_error(hung)

    def count(self):
        """How many tests it ran; None: it did not come to its end."""
        found = re.findall(r"^Ran (\d+) tests? in", self.text, re.MULTILINE)
        return int(found[-1]) if found else None

    def told_as_error(self, hung):
        """unittest's block for the class, which names the test that was under way."""
        begun = re.findall(r"^(test_\w+) \([\w.]+\)", self.text, re.MULTILINE)
        why = f"no line for {SILENCE} s" if hung else f"its process ended with {self.status}"
        return (f"\n{'=' * 70}\nERROR: class ({self.name})\n{'-' * 70}\n"
                f"TimeoutError: {why}, in {begun[-1] if begun else 'no test'}\n")

    def failures(self):
        """unittest's blocks of what failed."""
        blocks = re.split(r"^={70}$", self.text, flags=re.MULTILINE)[1:]
        return [re.split(r"^-{70}\nRan \d+ test", block, flags=re.MULTILINE)[0].strip("\n")
                for block in blocks if re.match(r"\n(FAIL|ERROR): ", block)]


def all_tests(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from all_tests(test)
        else:
            yield test


def is_quiet(test):
    """Marked by `quiet`, itself or its class."""
    method = getattr(test, test._testMethodName, None)
    return getattr(test, "is_quiet", False) or getattr(method, "is_quiet", False)


def shares():
    """Every test, by its class and lane."""
    found = {}
    for test in all_tests(unittest.TestLoader().discover(str(HERE), top_level_dir=str(HERE))):
        name = test.id().rpartition(".")[0]
        found.setdefault((name, is_quiet(test)), []).append(test.id())
    return [Share(name, tests, quiet) for (name, quiet), tests in found.items()]


def measured():
    """What each class took, from the table beside this file."""
    rows = (line.split() for line in (HERE / "seconds").read_text().splitlines()
            if line and not line.startswith("#"))
    return {name: float(seconds) for seconds, name in rows}


def run_all(waiting, processes):
    lock = threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                share = waiting.pop(0)
            share.run()
            with lock:
                print(f"\n-- {share.name}: {share.seconds:.1f} s\n{share.text}", flush=True)

    threads = [threading.Thread(target=work) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    began = time.monotonic()
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, end_all)
    known = measured()
    parts = shares()
    parts.sort(key=lambda share: -known.get(share.name, UNKNOWN))
    run_all([share for share in parts if not share.is_quiet], PROCESSES)
    print(f"\n-- the quiet lane (at {time.monotonic() - began:.0f} s)", flush=True)
    run_all([share for share in parts if share.is_quiet], 1)
    print("\n-- seconds by class")
    for share in sorted(parts, key=lambda share: -share.seconds):
        print(f"{share.seconds:6.1f} {share.name}{' (quiet)' if share.is_quiet else ''}")
    failures = [block for share in parts for block in share.failures()]
    for block in failures:
        print(f"{'=' * 70}\n{block}\n")
    print(f"{'-' * 70}\nRan {sum(share.count() or 0 for share in parts)} tests in "
          f"{time.monotonic() - began:.3f}s\n")
    red = [share for share in parts if share.status != 0]
    print(f"FAILED ({len(failures)} failures)" if red else "OK", flush=True)
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
