"""Time that a test moves: belfryd-breakable and its children under CSteppedClock of the fixtures.

Nothing runs out until the test says so, and the test hears when everything has come to rest: each
thread of belfryd and its children sleeps, and none has run between two looks. So "in a week" takes
milliseconds, and what a slow machine does in them is on time.
"""
import ctypes
import mmap
import os
import platform
import struct
import subprocess
import time

from belfry_harness import PATIENCE, ROOT, Daemon, DaemonTest, recorder_section

SOURCE = f"{ROOT}/Tests/Fixtures/CSteppedClock"
SECOND = 1_000_000_000
NEVER = (1 << 63) - 1
FUTEX = 202 if platform.machine() == "x86_64" else 98
FUTEX_WAKE = 1
# struct clocks: two clocks, two counts, how many processes; then three numbers each.
HEAD = struct.Struct("=qqIIII")
PROCESS = struct.Struct("=qqq")
SIZE = HEAD.size + 126 * PROCESS.size
MOVES = 16


class SteppedClock:
    """The machine's clocks as belfryd reads them, in a file of `folder`."""

    def __init__(self, folder, now=None):
        library = os.path.join(folder, "stepped_clock.so")
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-DFOR_CHILDREN", "-I", f"{SOURCE}/include", "-o",
             library, f"{SOURCE}/stepped_clock.c"], check=True)
        path = os.path.join(folder, "clock")
        with open(path, "wb") as file:
            file.write(HEAD.pack(now or time.time_ns(), time.clock_gettime_ns(time.CLOCK_BOOTTIME),
                                 0, 0, 0, 0).ljust(SIZE, b"\0"))
        with open(path, "r+b") as file:
            self.map = mmap.mmap(file.fileno(), SIZE)
        self.moves = ctypes.c_uint32.from_buffer(self.map, MOVES)
        self.environment = {"LD_PRELOAD": library, "BELFRY_TEST_CLOCK": path}

    @property
    def now(self):
        """Nanoseconds since 1970 UTC."""
        return HEAD.unpack_from(self.map)[0]

    def microseconds(self, seconds_from_now=0.0):
        """An instant of the wire."""
        return self.now // 1000 + round(seconds_from_now * 1e6)

    def move(self, nanoseconds, step=0):
        """Lets so much time pass, and sets the real clock forward by `step`; both in nanoseconds."""
        real, elapsed, moves, steps, count, unused = HEAD.unpack_from(self.map)
        HEAD.pack_into(self.map, 0, real + nanoseconds + step, elapsed + nanoseconds, moves + 1,
                       steps + (step != 0), count, unused)
        ctypes.CDLL(None).syscall(
            FUTEX, ctypes.byref(self.moves), FUTEX_WAKE, (1 << 31) - 1, None, None, 0)

    def next(self, pids):
        """Nanoseconds until the next timer of these processes runs out; NEVER: none is armed."""
        real, elapsed, _, _, count, _ = HEAD.unpack_from(self.map)
        left = NEVER
        for place in range(count):
            pid, due, deadline = PROCESS.unpack_from(self.map, HEAD.size + place * PROCESS.size)
            if pid in pids:
                left = min([left] + [at - now for at, now in ((due, real), (deadline, elapsed))
                                     if at != NEVER])
        return max(left, 0)


def family(pid):
    """The process and its descendants."""
    found = [pid]
    for parent in found:
        for thread in listed(f"/proc/{parent}/task"):
            found += map(int, text(f"/proc/{parent}/task/{thread}/children").split())
    return found


def listed(folder):
    try:
        return os.listdir(folder)
    except (FileNotFoundError, ProcessLookupError):
        return []


def text(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def look(pid):
    """Of each thread of the family its name, its state, and how often it has slept."""
    found = {}
    for process in family(pid):
        for thread in listed(f"/proc/{process}/task"):
            fields = dict(line.split(":", 1) for line in
                          text(f"/proc/{process}/task/{thread}/status").splitlines())
            found[thread] = tuple(fields.get(name, "").strip() for name in (
                "Name", "State", "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches"))
    return found


def is_at_rest(threads):
    return all(state[:1] in ("S", "Z", "") for _, state, *_ in threads.values())


class SteppedDaemon(Daemon):
    """belfryd whose time stands still; `run` lets it pass, from one timer to the next."""

    def __init__(self, configuration="", now=None, folder=None, **options):
        """`folder`: where the clock's file is, if not in the daemon's directory."""
        super().__init__(test_build=True, **options)
        self.clock = SteppedClock(folder or self.directory, now)
        self.environment = {**self.environment, **self.clock.environment}
        self.configure(configuration)

    def configure(self, text):
        """Without the early wake, which would spin until an instant that does not come."""
        head = "[clock]\n"
        before, found, after = text.partition(head)
        super().configure(before + head + "early = no\ntrust = always\n" + after if found else
                          head + "early = no\ntrust = always\n" + text)

    def microseconds(self, seconds_from_now=0.0):
        return self.clock.microseconds(seconds_from_now)

    def settle(self):
        """Waits until everything has come to rest."""
        end = time.monotonic() + PATIENCE
        before = {}
        while True:
            found = look(self.process.pid)
            if found == before and is_at_rest(found):
                return
            if time.monotonic() > end:
                busy = {thread: (before.get(thread), now) for thread, now in found.items()
                        if before.get(thread) != now or not is_at_rest({thread: now})}
                raise AssertionError(f"no rest in {PATIENCE} s: {busy}")
            before = found
            time.sleep(0.0005)

    def run(self, seconds):
        """Lets so much time pass."""
        self.run_until(self.clock.now + round(seconds * SECOND))

    def run_until(self, instant):
        """Lets time pass until this instant, in nanoseconds since 1970 UTC."""
        end = time.monotonic() + PATIENCE
        while True:
            self.settle()
            left = instant - self.clock.now
            if left <= 0:
                return
            self.clock.move(min(left, self.clock.next(family(self.process.pid))))
            if time.monotonic() > end:
                raise AssertionError(f"{left / SECOND} s are left after {PATIENCE} s")

    def until(self, condition, what="the condition"):
        """Lets time pass, two minutes at most, until the first true value of condition()."""
        end = self.clock.now + 120 * SECOND
        while True:
            self.settle()
            value = condition()
            if value:
                return value
            if self.clock.now >= end:
                raise AssertionError(f"{what} did not come true in two minutes")
            self.run(0.1)

    def step(self, seconds):
        """Sets the real clock, while no time passes."""
        self.clock.move(0, round(seconds * SECOND))
        self.settle()


class SteppedTest(DaemonTest):
    def stepped_daemon(self, configuration="", start=True, **options):
        """As `daemon`, by a clock that the test moves."""
        daemon = SteppedDaemon(configuration, **options)
        self.addCleanup(self.finish, daemon)
        return daemon.start() if start else daemon

    def stepped(self, configuration="", start=True, **options):
        """Silent, with a recorder that writes to `self.out`."""
        daemon = self.stepped_daemon(start=False, **options)
        section, self.out = recorder_section(daemon.directory, "witness")
        daemon.configure("[sound]\nenabled = no\n" + configuration + section)
        return daemon.start() if start else daemon
