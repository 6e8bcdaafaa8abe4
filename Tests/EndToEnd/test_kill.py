"""D7, D8: what was acknowledged survives kill -9 of the clock at any moment."""
import os
import random
import signal
import threading
import time

from belfry_harness import (
    DaemonTest, microseconds, recorded, recorder_section, wait_until)

UNLIMITED = "[limits]\nnotifications = 1000000\nrequestsPerSecond = 1000000\n"
FAR = 365 * 86400


class Scheduler(threading.Thread):
    """Schedules in a loop until its connection breaks; every fourth one is due in a moment."""

    def __init__(self, daemon, prefix, seed):
        super().__init__(daemon=True)
        self.connection = daemon.connect()
        self.prefix = prefix
        self.random = random.Random(seed)
        self.acknowledged = {}
        self.waiting = False

    def run(self):
        for i in range(100_000):
            near = i % 4 == 0
            identifier = f"{self.prefix}-{i}"
            notification = {
                "identifier": identifier, "alertBody": f"alert {identifier}",
                "fireDate": microseconds(self.random.uniform(0, 0.5) if near else FAR + i)}
            try:
                self.waiting = True
                self.connection.call("Schedule", {"notification": notification})
                self.waiting = False
            except (OSError, ConnectionError):
                return
            self.acknowledged[identifier] = near


class Kill(DaemonTest):
    def test_D7_every_acknowledged_schedule_survives_200_kills(self):
        seed = int.from_bytes(os.urandom(4), "little")
        generator = random.Random(seed)
        rounds, between, acknowledged = 200, 0, {}
        daemon = self.daemon(start=False)
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(UNLIMITED + section)
        for number in range(rounds):
            daemon.start()
            scheduler = Scheduler(daemon, f"r{number}", generator.random())
            scheduler.start()
            wait_until(lambda: scheduler.acknowledged, what="the first acknowledgement")
            time.sleep(generator.uniform(0, 0.03))
            # Read after the signal: a call that is still open then was cut by it.
            os.kill(daemon.process.pid, signal.SIGKILL)
            between += scheduler.waiting
            daemon.process.wait()
            scheduler.join(30)
            self.assertFalse(scheduler.is_alive())
            scheduler.connection.close()
            acknowledged.update(scheduler.acknowledged)
        daemon.start()
        due = {identifier for identifier, near in acknowledged.items() if near}

        def missing():
            return due - {row["identifier"] for row in recorded(out)}

        wait_until(lambda: not missing(), 60, f"delivery of all that was due (seed {seed})")
        listed = {row["notification"]["identifier"] for row in daemon.listed()}
        lost = {identifier for identifier in acknowledged if identifier not in due} - listed
        self.assertEqual(lost, set(), f"seed {seed}")
        self.assertEqual(due & listed, set(), f"a fired one-shot is listed again; seed {seed}")
        ids = {}
        for row in recorded(out):
            ids.setdefault(row["identifier"], set()).add(row["id"])
        twice = {identifier: names for identifier, names in ids.items() if len(names) > 1}
        self.assertEqual(twice, {}, f"one occurrence under two ids; seed {seed}")
        print(f"kill: {rounds} kills, {between} between a request and its reply, "
              f"{len(acknowledged)} acknowledged, {len(due)} of them due and delivered, "
              f"{len(recorded(out)) - len(ids)} repeated under their own id")
        self.assertGreaterEqual(between * 3, rounds)

    def test_D7_a_kill_at_each_step_loses_nothing_and_keeps_the_id(self):
        for step in (
                "schedule-before-commit", "schedule-after-commit", "schedule-after-reply",
                "prepare-before-intent", "prepare-after-intent", "handover-before",
                "handover-after", "acknowledge-before-record", "acknowledge-after-record"):
            with self.subTest(step=step):
                self.kill_at(step)

    def kill_at(self, step):
        daemon = self.daemon(start=False, test_build=True)
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(section)
        daemon.start(BELFRY_FAILPOINT=step)
        acknowledged = True
        with daemon.connect() as connection:
            try:
                connection.call("Schedule", {"notification": {
                    "identifier": "bell", "fireDate": microseconds(2), "alertBody": "ding"}})
            except (OSError, ConnectionError):
                acknowledged = False
        wait_until(lambda: daemon.process.poll() is not None, 20, f"the end at {step}")
        self.assertEqual(daemon.process.returncode, -signal.SIGKILL, daemon.log_text())
        self.assertEqual(acknowledged, not step.startswith("schedule-") or "reply" in step)
        daemon.start()
        kept = acknowledged or daemon.listed() or recorded(out) or step == "schedule-after-commit"
        if kept:
            wait_until(lambda: recorded(out), 20, f"delivery after a kill at {step}")
            wait_until(lambda: not daemon.listed(), 10, "the end of the one-shot")
            self.assertEqual(len({row["id"] for row in recorded(out)}), 1)
            wait_until(lambda: [r["state"] for r in daemon.history()] == ["delivered"], 10,
                       f"one delivered row in the history after {step}")
        else:
            self.assertEqual(step, "schedule-before-commit")

    def test_A4_a_second_daemon_and_newer_books_end_with_a_line_and_their_status(self):
        first = self.daemon()
        second = self.daemon(start=False, directory=first.directory)
        second.start(wait=False)
        self.assertIn(second.process.wait(10), (10, 13))
        self.assertTrue(first.answers())

    def test_N20_sigterm_ends_it_within_a_second(self):
        daemon = self.daemon()
        began = time.monotonic()
        self.assertEqual(daemon.stop(), 0)
        self.assertLess(time.monotonic() - began, 1)
