"""Runs the steps of a gate: each with a log of its own, a limit on its silence, and its seconds."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A step that prints no line for so long hangs.
SILENCE = 300
# What a caller's shell may have set for a build of another kind.
FOREIGN = (
    "BELFRY_LEAN BELFRY_FUZZ BELFRY_TEST_BUILD BELFRY_BENCHMARKS BELFRY_TESTS BELFRY_SEED BELFRY_LIVES "
    "BELFRY_FRESH BELFRY_QUICK"
).split()
SCRATCH = "belfry-gate-"
LOGS = "belfry-logs-"


def say(*words):
    try:
        print(*words, flush=True)
    except OSError:
        pass  # The disk that the output goes to is full: what is red says so, too.


def environment(**more):
    """This process's environment without what would build or test something else."""
    clean = {name: value for name, value in os.environ.items() if name not in FOREIGN}
    return {**clean, **more}


class Run:
    """What a command did: its exit status, its log, and whether it was ended for its silence."""

    def __init__(self, status, log, silence=SILENCE, hung=False, unwritten=None):
        self.status = status
        self.log = log
        # It was ended since it had printed no line for so many seconds.
        self.silence = silence
        self.hung = hung
        # Why its log ends before it did: a full disk.
        self.unwritten = unwritten

    def text(self):
        return self.log.read_text(errors="replace")

    def tail(self, count=40):
        return self.text().splitlines()[-count:]


# The process groups under way, which end with this process.
under_way = set()


def end_group(process):
    """Ends a command with everything that it started: asked first, then killed."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + 5
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)


def end_all():
    for process in list(under_way):
        end_group(process)


def run(command, log, shows=lambda line: True, env=None, silence=SILENCE):
    """Runs a command with its output in a log, and on the terminal the lines that `shows` wants."""
    with open(log, "wb", buffering=0) as file:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=env or environment(), start_new_session=True)
        under_way.add(process)
        heard = [time.monotonic()]
        unwritten = []

        def read():
            for line in process.stdout:
                heard[0] = time.monotonic()
                if file.closed:
                    return  # What a test left behind still has the pipe.
                try:
                    file.write(line)
                except OSError as error:
                    unwritten[:] = [error.strerror]
                text = line.decode(errors="replace").rstrip("\n")
                if shows(text):
                    say(text)

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        hung = False
        while process.poll() is None:
            time.sleep(0.05)
            if time.monotonic() - heard[0] > silence:
                hung = True
                end_group(process)
        reader.join(5)
        if not reader.is_alive():
            process.stdout.close()
        under_way.discard(process)
        if hung:
            say(f"-- no line for {silence} s: ended")
        return Run(process.returncode, Path(log), silence, hung, unwritten[0] if unwritten else None)


class Gate:
    """The steps that ran, their seconds, and what was red."""

    def __init__(self):
        self.began = time.monotonic()
        self.seconds = []
        # What was red: a line, and lines that go with it.
        self.red = []
        self.flaky = []
        self.notes = []
        remove_left(Path(tempfile.gettempdir()), LOGS)
        self.logs = Path(tempfile.mkdtemp(prefix=f"{LOGS}{os.getpid()}-"))
        self.scratch = None

    def make_scratch(self):
        """Scratch files in memory where there is room and programs may run there: a disk that builds
        keep busy answers late. What is tested of disks is tested by one that breaks on purpose."""
        memory = Path("/dev/shm")
        if not memory.is_dir():
            return
        remove_left(memory, SCRATCH)
        try:
            self.scratch = self.scratch_in(memory)
        except OSError as error:
            say(f"-- {memory}: {error.strerror}: scratch files are on disk")
        if self.scratch:
            os.environ["TMPDIR"] = str(self.scratch)
            tempfile.tempdir = None

    @staticmethod
    def scratch_in(memory):
        """A folder in memory; None, and a line that says why, where there may be none."""
        if shutil.disk_usage(memory).free < 4_000_000_000:
            say("-- under 4 GB free in /dev/shm: scratch files are on disk")
            return None
        folder = Path(tempfile.mkdtemp(prefix=f"{SCRATCH}{os.getpid()}-", dir=memory))
        try:
            folder.chmod(0o1777)
            shutil.copy("/bin/true", folder)
            subprocess.run([folder / "true"], check=True)
            (folder / "true").unlink()
        except (OSError, subprocess.SubprocessError):
            say("-- programs may not run in /dev/shm: scratch files are on disk")
            shutil.rmtree(folder)
            return None
        return folder

    def step(self, name, work):
        """Runs a step and tells its seconds; an exception is red, too."""
        say(f"\n== {name} (at {time.monotonic() - self.began:.0f} s)")
        began = time.monotonic()
        try:
            return work()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            self.fail(name, str(error))
            return None
        finally:
            self.seconds.append((name, time.monotonic() - began))
            say(f"-- took {time.monotonic() - began:.0f} s")

    def fail(self, name, reason, lines=()):
        self.red.append((f"RED: {name}: {reason}", list(lines)))
        say(f"RED: {name}: {reason}")

    def check(self, name, run, lines=40):
        """A command that has to end with 0; returns whether it did."""
        if run.status == 0 and not run.unwritten:
            return True
        reason = f"no line for {run.silence} s" if run.hung else f"exit {run.status}"
        if run.unwritten:
            reason += f", its log cannot be written: {run.unwritten}"
        self.fail(name, reason, run.tail(lines))
        return False

    def command(self, name, words, lines=40, **options):
        """Runs a command that has to end with 0; returns its Run."""
        log = self.logs / re.sub(r"\W+", "-", name)
        done = run(words, log, **options)
        self.check(name, done, lines)
        return done

    def verdict(self):
        """Prints the last lines; returns the exit status."""
        say("\n== seconds by step")
        for name, seconds in self.seconds:
            say(f"{seconds:6.0f}  {name}")
        say(f"{time.monotonic() - self.began:6.0f}  all")
        for note in self.notes:
            say(note)
        for line in self.flaky:
            say(line)
        for line, more in self.red:
            say("\n" + line)
            for row in more:
                say("  | " + row)
        if self.red:
            kept = ROOT / ".build" / "gate-logs"
            shutil.rmtree(kept, ignore_errors=True)
            try:
                shutil.copytree(self.logs, kept)
                say(f"\nwhole logs: {kept}")
            except OSError as error:
                say(f"\nthe logs cannot be kept: {error}")
        return 1 if self.red else 0

    def finish(self):
        end_all()
        shutil.rmtree(self.logs, ignore_errors=True)
        if self.scratch:
            shutil.rmtree(self.scratch, ignore_errors=True)

    def lead(self, work):
        """Leads the steps in `work`; whatever happens, the verdict is printed and nothing is left."""

        def ended(number, _):
            raise KeyboardInterrupt(signal.Signals(number).name)

        signal.signal(signal.SIGTERM, ended)
        signal.signal(signal.SIGHUP, ended)
        try:
            try:
                work()
            except KeyboardInterrupt as error:
                self.fail("all", f"ended by {error or 'SIGINT'}")
            end_all()
            # swift test leads its tests in a group of their own.
            end_left_behind(self, "the end")
            return self.verdict()
        finally:
            self.finish()


def remove_left(folder, prefix):
    """What runs that were killed have left: such folders have their process's number in the name."""
    for left in folder.glob(prefix + "*"):
        owner = left.name[len(prefix):].split("-")[0]
        if owner.isdigit() and not Path(f"/proc/{owner}").exists():
            say(f"-- {left} of a run that was killed: removed")
            shutil.rmtree(left, ignore_errors=True)


def left_behind():
    """Processes whose program lies in this tree's build folders, as (pid, program)."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                program = os.readlink(entry / "exe")
            except OSError:
                continue
            if program.startswith(f"{ROOT}/.build") and is_here(entry / "exe", program):
                found.append((int(entry.name), program.removeprefix(f"{ROOT}/")))
    return found


def is_here(running, path):
    """Whether a process's program is the file of that path: in a mount namespace it may be another."""
    try:
        return os.path.samefile(running, path)
    except OSError:
        return True


def end_left_behind(gate, name):
    """Ends and names what a step's tests left running."""
    for pid, program in left_behind():
        gate.notes.append(f"LEFT: {program} (pid {pid}) after {name}: ended")
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def git(*words):
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=False, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit("steps.py has what .ci/run and .ci/long share; run those")
