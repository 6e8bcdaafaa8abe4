"""T10, T12, D7: alerts come when they are due, once to each sink, and nothing wakes up in between."""
import ctypes
import os
import random
import time

from belfry_harness import (
    fixed_seed, microseconds, quiet, recorded, recorder_section, wait_until)
from stepped import SteppedTest

UNLIMITED = "[limits]\nnotifications = 1000000\nrequestsPerSecond = 1000000\n"
# Seconds in which nothing may wake up; `.ci/long idle` takes a minute.
IDLE = int(os.environ.get("BELFRY_IDLE", "10"))
ALERT = {"alertBody": "The kettle in the ward kitchen is ready"}


def switches(*pids):
    """Voluntary context switches of each thread of these processes, by thread id."""
    counts = {}
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/status", encoding="ascii") as status:
                counts[task] = next(
                    int(line.split()[1]) for line in status
                    if line.startswith("voluntary_ctxt_switches"))
    return counts


class ClockWatch:
    """Knows whether the board's clock was set since it was made (timerfd_settime(2))."""

    def __init__(self):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.timerfd_create(time.CLOCK_REALTIME, os.O_NONBLOCK | os.O_CLOEXEC)
        far = (ctypes.c_long * 4)(0, 0, 2**40, 0)
        absolute, cancel_on_set = 1, 2
        if libc.timerfd_settime(self.descriptor, absolute | cancel_on_set, far, None) != 0:
            raise OSError(ctypes.get_errno(), "timerfd_settime")

    def was_set(self):
        try:
            os.read(self.descriptor, 8)
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            os.close(self.descriptor)


def sleeps(seconds, *pids, meanwhile=lambda: None):
    """Waits until these processes rest, does something, and says which of their threads wake up in so
    many seconds. The time over which nothing may happen is what is waited for."""
    def settled():
        before = switches(*pids)
        time.sleep(2)
        return switches(*pids) == before

    for _ in range(5):
        wait_until(settled, what="two quiet seconds")
        before, clock = switches(*pids), ClockWatch()
        meanwhile()
        time.sleep(seconds)
        after = switches(*pids)
        if not clock.was_set():
            return {task for task in {*before, *after} if before.get(task) != after.get(task)}
        # Setting the clock must wake a daemon: such a time says nothing.
    raise AssertionError("somebody set the clock five times")


class OnTime(SteppedTest):
    def test_D7_T10_a_thousand_alerts_reach_two_plugins_once_each_and_none_early(self):
        seed = fixed_seed("on time")
        generator = random.Random(seed)
        daemon = self.daemon(start=False)
        sections, files = zip(
            *(recorder_section(daemon.directory, f"recorder{i}") for i in range(2)))
        daemon.configure(UNLIMITED + "".join(sections))
        daemon.start()
        start = microseconds(2)
        with daemon.connect() as connection:
            for i in range(1000):
                connection.call("Schedule", {"notification": {
                    **ALERT, "identifier": f"alert-{i}",
                    "fireDate": start + generator.randrange(6_000_000)}})
        # What was due before it was scheduled comes at once, and so is not early either.
        wait_until(
            lambda: all(len(recorded(file)) >= 1000 for file in files),
            what=f"1,000 deliveries at each plugin (seed {seed})")
        wait_until(lambda: not daemon.listed(), what="an empty list")
        for file in files:
            rows = recorded(file)
            self.assertEqual(
                sorted(row["identifier"] for row in rows),
                sorted(f"alert-{i}" for i in range(1000)), f"seed {seed}")
            late = sorted(int(row["entered"]) - int(row["due"]) for row in rows)
            self.assertGreaterEqual(late[0], 0, f"an early alert; seed {seed}")
            print(f"on time: {os.path.basename(file)} entered {late[500] / 1000:.0f} us (p50), "
                  f"{late[990] / 1000:.0f} us (p99), {late[-1] / 1000:.0f} us (max) after due")

    def test_D9_N21_thousands_due_at_one_instant_are_delivered_in_order(self):
        daemon = self.stepped(UNLIMITED)
        due, names = daemon.clock.microseconds(3600), [f"alert-{i}" for i in range(4000)]
        with daemon.connect() as connection:
            for part in range(0, len(names), 100):
                for name in names[part:part + 100]:
                    connection.send("Schedule", {"notification": {
                        **ALERT, "identifier": name, "fireDate": due}})
                for _ in range(100):
                    connection.result()
        daemon.run(3599)
        self.assertEqual(recorded(self.out), [])
        daemon.run(1)
        rows = recorded(self.out)
        self.assertEqual([row["identifier"] for row in rows], names)
        self.assertEqual({int(row["due"]) // 1000 for row in rows}, {due})

    @quiet
    def test_T12_with_ten_thousand_pending_nothing_wakes_up(self):
        daemon = self.daemon(UNLIMITED)
        with daemon.connect() as connection:
            for part in range(2):
                connection.call("ReplaceAll", {"final": True, "app": f"app{part}", "notifications": [
                    {**ALERT, "identifier": f"alert-{i}",
                     "fireDate": microseconds(86400 + part * 10_000 + i)} for i in range(5000)]})
        self.assertEqual(daemon.call("Status")["status"]["scheduled"], 10_000)
        self.assertEqual(sleeps(IDLE, daemon.process.pid), set())
        print(f"idle: no voluntary context switch of belfryd in {IDLE} s with 10,000 pending")
