"""D7, D8, D9, T10: sinks that are down come back for what is due, and users take turns in every queue.

Alice and Bob are uids of their own, as in test_apps.
"""
import os
import signal
import unittest

from belfry_harness import (
    Connection, DaemonTest, built_plugin, microseconds, recorded, recorder_section, wait_until)
from stepped import SteppedTest
from test_apps import ALICE, BOB, acting_as

# Bob has many, and may ask for them quickly.
LIMITS = "[sound]\nenabled = no\n[limits]\nnotifications = 10000\nrequestsPerSecond = 100000\n"


class SinkTest(SteppedTest):
    def section(self, daemon, **settings):
        """A configuration section of the plugin that heals; its file is in `self.out`."""
        self.out = os.path.join(daemon.directory, "shown")
        lines = [f"{key} = {value}\n" for key, value in settings.items()]
        plugin = built_plugin(daemon.directory, "heals")
        return f"[plugin:sink]\nfile = {plugin}\nout = {self.out}\n" + "".join(lines)

    def connection(self, daemon, uid):
        with acting_as(uid):
            connection = Connection(daemon.socket)
        self.addCleanup(connection.close)
        return connection

    def plugin(self, daemon):
        return daemon.call("Status")["status"]["plugins"][0]


class DownTest(SinkTest):
    def test_D9_a_start_that_fails_is_tried_for_what_is_due_until_the_plugin_is_well(self):
        daemon = self.stepped_daemon(start=False)
        broken = os.path.join(daemon.directory, "broken")
        with open(broken, "w", encoding="ascii"):
            pass
        daemon.configure("[sound]\nenabled = no\n" + self.section(daemon, broken=broken))
        daemon.start()
        # Five failures at boot: the next would come eight seconds later.
        daemon.until(lambda: self.plugin(daemon)["restarts"] >= 5, "its failures")
        daemon.schedule(
            identifier="alarm", alertBody="tea", fireDate=daemon.clock.microseconds(0.5))
        daemon.run(0.5)
        self.assertEqual(self.plugin(daemon)["queued"], 1)
        failures = self.plugin(daemon)["restarts"]
        # Tried when it was due, and after a second, and after two more.
        daemon.run(3)
        self.assertEqual(self.plugin(daemon)["restarts"], failures + 2)
        os.remove(broken)
        daemon.run(60)
        self.assertEqual(self.shown(), ["alarm"])
        # Each reason stands once in the log, and so does what will happen.
        daemon.says("while something waits for it")
        told = [line for line in daemon.log_text().splitlines() if "no display yet" in line]
        self.assertLessEqual(len(told), 3, told)
        self.assertIn("it starts again in", told[0])
        self.assertIn("at least every 1m while something waits for it", told[-1])

    def test_D9_quarantine_ends_when_something_is_due(self):
        daemon = self.daemon(start=False)
        section = self.section(daemon)
        library = os.path.join(daemon.directory, "heals.so")
        os.rename(library, library + ".away")
        daemon.configure("[sound]\nenabled = no\n" + section)
        daemon.start()
        wait_until(lambda: self.plugin(daemon)["state"] == "quarantined", what="its quarantine")
        daemon.says("it stays down until something is due for it or SIGHUP")
        os.rename(library + ".away", library)
        daemon.schedule(identifier="alarm", alertBody="tea", fireDate=microseconds(1.5))
        wait_until(self.shown, what="the alarm")
        self.assertEqual(self.plugin(daemon)["state"], "running")

    def test_D9_a_worker_killed_twelve_times_comes_back_at_once_for_what_is_due(self):
        daemon = self.daemon(start=False)
        daemon.configure("[sound]\nenabled = no\n" + self.section(daemon))
        daemon.start()
        for number in range(12):
            daemon.schedule(identifier=f"a{number}", alertBody="tea")
            wait_until(lambda: f"a{number}" in self.shown(), what=f"alarm {number}")
            pid = wait_until(lambda: self.plugin(daemon).get("pid"), what="its worker")
            os.kill(pid, signal.SIGKILL)
            wait_until(lambda: self.plugin(daemon).get("pid") != pid, what=f"the end of {pid}")
        daemon.schedule(identifier="last", alertBody="tea", fireDate=microseconds(0.2))
        wait_until(lambda: "last" in self.shown(), what="the last alarm")


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class TurnTest(SinkTest):
    """Time stands still meanwhile: what takes long is told when to go on."""

    CRITICAL = f"[app:user.{ALICE}]\ncritical = yes\n"

    def board(self, configuration, section=None):
        """Root's daemon, whose socket every user may open, and a sink that shows one for each byte
        in `self.gate`."""
        daemon = self.stepped_daemon(start=False)
        os.chmod(daemon.directory, 0o755)
        gate = os.path.join(daemon.directory, "gate")
        os.mkfifo(gate)
        self.gate = os.open(gate, os.O_RDWR)
        self.addCleanup(os.close, self.gate)
        daemon.configure(
            LIMITS + self.CRITICAL + configuration + (section or self.section)(daemon, gate=gate))
        daemon.start()
        daemon.settle()
        self.assertEqual(self.plugin(daemon)["state"], "running")
        return daemon

    def open_gate(self, count=1000):
        os.write(self.gate, b"x" * count)

    def flood(self, daemon, count, **fields):
        """Bob presents so many, in one go."""
        bob = self.connection(daemon, BOB)
        for number in range(count):
            bob.send("PresentNow", {
                "notification": {"identifier": f"b{number}", "alertBody": "x", **fields}})
        for _ in range(count):
            bob.result()

    def present(self, daemon, **fields):
        self.connection(daemon, ALICE).call("PresentNow", {
            "notification": {"identifier": "hers", "alertBody": "x", **fields}})

    def test_D9_one_users_flood_delays_anothers_alarm_by_what_is_in_hand(self):
        for level in ("critical", "active"):
            with self.subTest(level=level):
                daemon = self.board("")
                # What anybody may call itself takes nobody's turn.
                self.flood(daemon, 150, interruptionLevel="timeSensitive")
                self.present(daemon, interruptionLevel=level)
                daemon.settle()
                self.assertGreater(self.plugin(daemon)["queued"], 50)
                self.assertLessEqual(self.plugin(daemon)["handedOver"], 2)
                self.open_gate()
                daemon.settle()
                self.assertEqual(len(self.shown()), 151)
                self.assertLessEqual(self.shown().index("hers"), 5)

    def test_D9_what_is_due_at_one_instant_is_handed_over_by_turns(self):
        daemon = self.board("")
        due = daemon.clock.microseconds(3600)
        bob = self.connection(daemon, BOB)
        for number in range(400):
            bob.send("Schedule", {"notification": {
                "identifier": f"b{number}", "alertBody": "x", "fireDate": due}})
        for _ in range(400):
            bob.result()
        self.connection(daemon, ALICE).call("Schedule", {"notification": {
            "identifier": "hers", "alertBody": "x", "fireDate": due,
            "interruptionLevel": "critical"}})
        daemon.run(3600)
        self.open_gate()
        daemon.settle()
        self.assertEqual(len(self.shown()), 401)
        self.assertLessEqual(self.shown().index("hers"), 3)

    def programs(self, daemon, gate):
        """A section of the plugin `exec`, whose programs say that they have begun, and end for a byte
        of the gate."""
        self.began = os.path.join(daemon.directory, "began")
        program = os.path.join(daemon.directory, "show")
        with open(program, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\necho $BELFRY_IDENTIFIER >> {self.began}\n"
                       f"dd bs=1 count=1 status=none < {gate} > /dev/null\n")
        os.chmod(program, 0o755)
        return f"[plugin:exec]\nfile = exec\nprogram = {program}\n"

    def begun(self):
        with open(self.began, encoding="ascii") as file:
            return file.read().split()

    def test_D9_exec_is_handed_no_more_than_it_runs_at_a_time(self):
        daemon = self.board("", self.programs)
        self.flood(daemon, 120)
        daemon.settle()
        most = self.plugin(daemon)["handedOver"]
        self.assertEqual(len(self.begun()), most)
        self.assertIn(most, range(2, 17))
        self.present(daemon, interruptionLevel="critical")
        daemon.settle()
        self.assertNotIn("hers", self.begun())
        # Hers is among those that begin as soon as one of them has ended.
        self.open_gate(1)
        wait_until(lambda: len(self.begun()) > most, what="the next one")
        self.assertEqual(self.begun()[most:], ["hers"])
        self.open_gate()
        wait_until(lambda: len(self.begun()) == 121, what="all of them")

    def test_T10_many_late_ones_of_one_user_delay_none_of_anothers(self):
        daemon = self.board("[clock]\ngrace = 1\n")
        self.open_gate()
        bob = self.connection(daemon, BOB)
        due = daemon.clock.microseconds(3600)
        for number in range(60):
            bob.call("Schedule", {"notification": {
                "identifier": f"b{number}", "alertBody": "x", "fireDate": due + number}})
        self.connection(daemon, ALICE).call("Schedule", {"notification": {
            "identifier": "hers", "alertBody": "x", "fireDate": due + 1000}})
        daemon.kill()
        daemon.clock.move(3_601_500_000_000)
        daemon.start()
        daemon.until(lambda: "hers" in self.shown(), "hers")
        self.assertLessEqual(self.shown().index("hers"), 10)


class AttemptTest(DaemonTest):
    def test_D7_a_kill_as_it_is_delivered_at_once_makes_the_next_a_second_attempt(self):
        for fire_date in (None, -60, 0.005):
            with self.subTest(fire_date=fire_date):
                daemon = self.daemon(start=False, test_build=True)
                section, out = recorder_section(daemon.directory, "witness")
                daemon.configure("[sound]\nenabled = no\n" + section)
                daemon.start(BELFRY_FAILPOINT="handover-after")
                notification = {"identifier": "bell", "alertBody": "ding"}
                if fire_date is not None:
                    notification["fireDate"] = microseconds(fire_date)
                with daemon.connect() as connection:
                    try:
                        connection.call("Schedule", {"notification": notification})
                    except (OSError, ConnectionError):
                        pass
                wait_until(lambda: daemon.process.poll() is not None, what="its end")
                daemon.start()
                wait_until(lambda: [row["state"] for row in daemon.history()] == ["delivered"],
                           what="the delivery")
                self.assertEqual([row["attempts"] for row in daemon.history()], [2])
                attempts = [row["attempt"] for row in recorded(out)]
                self.assertEqual(len(attempts), len(set(attempts)), attempts)
