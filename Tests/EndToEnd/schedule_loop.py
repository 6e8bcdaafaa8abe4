"""Schedules in a loop while belfryd is killed, and what must be there afterwards."""
import os
import random
import signal
import threading
import time

from belfry_harness import (
    PATIENCE, DaemonTest, fixed_seed, microseconds, recorded, recorder_section, rounds_of,
    until_a_third, wait_until)

UNLIMITED = "[limits]\nnotifications = 1000000\nrequestsPerSecond = 1000000\n"
FAR = 365 * 86400


class ScheduleLoop(threading.Thread):
    """Schedules in a loop until its connection breaks; every fourth one is due in a moment."""

    def __init__(self, daemon, prefix, seed):
        super().__init__(daemon=True)
        self.connection = daemon.connect()
        self.prefix = prefix
        self.random = random.Random(seed)
        self.acknowledged = {}
        self.waiting = False

    def run(self):
        with self.connection:
            self.loop()

    def loop(self):
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


class KillRounds(DaemonTest):
    def survive(self, daemon, rounds, what):
        """kill -9 at random moments of a schedule loop: everything acknowledged is listed or was
        delivered, each occurrence under one id."""
        seed = fixed_seed(what)
        rounds = rounds_of(rounds)
        generator = random.Random(seed)
        between, acknowledged = 0, {}
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(UNLIMITED + section)
        for number in until_a_third(rounds, lambda: between):
            daemon.start()
            loop = ScheduleLoop(daemon, f"r{number}", generator.random())
            loop.start()
            wait_until(lambda: loop.acknowledged, what="the first acknowledgement")
            time.sleep(generator.uniform(0, 0.03))
            # Read after the signal: a call that is still open then was cut by it.
            os.kill(daemon.process.pid, signal.SIGKILL)
            between += loop.waiting
            daemon.process.wait()
            loop.join(PATIENCE)
            self.assertFalse(loop.is_alive())
            acknowledged.update(loop.acknowledged)
        daemon.start()
        due = {identifier for identifier, near in acknowledged.items() if near}

        def missing():
            return due - {row["identifier"] for row in recorded(out)}

        wait_until(lambda: not missing(), what=f"delivery of all that was due (seed {seed})")
        listed = {row["notification"]["identifier"] for row in daemon.listed()}
        lost = {identifier for identifier in acknowledged if identifier not in due} - listed
        self.assertEqual(lost, set(), f"seed {seed}")
        self.assertEqual(due & listed, set(), f"a fired one-shot is listed again; seed {seed}")
        ids = {}
        for row in recorded(out):
            ids.setdefault(row["identifier"], set()).add(row["id"])
        twice = {identifier: names for identifier, names in ids.items() if len(names) > 1}
        self.assertEqual(twice, {}, f"one occurrence under two ids; seed {seed}")
        print(f"{what}: {number + 1} kills, {between} between a request and its reply, "
              f"{len(acknowledged)} acknowledged, {len(due)} of them due and delivered, "
              f"{len(recorded(out)) - len(ids)} repeated under their own id")
        self.assertGreaterEqual(between * 3, rounds)
