"""E1, E2, E7: pausing, skipping and editing what is scheduled, as a person does it."""
import datetime
import os
import subprocess

from belfry_harness import PATIENCE, microseconds, programs, recorded
from stepped import SECOND, SteppedTest


def soon(daemon, seconds):
    """A time for the command line."""
    then = datetime.datetime.fromtimestamp(daemon.clock.now // SECOND + seconds, datetime.timezone.utc)
    return then.isoformat().replace("+00:00", "Z")


class Everyday(SteppedTest):

    def belfry(self, daemon, *words):
        """Exit status and all that was said."""
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def does(self, daemon, *words):
        status, said = self.belfry(daemon, *words)
        self.assertEqual(status, 0, said)
        return said

    def rung(self):
        return [row["identifier"] for row in recorded(self.out)]

    def states(self, daemon, identifier):
        return [(row["state"], row["missed"]) for row in daemon.history()
                if row["identifier"] == identifier]

    def test_D7_E1_what_is_paused_is_skipped_also_after_kill_9_and_rings_once_resumed(self):
        daemon = self.stepped()
        for name in ("bell", "fire"):
            daemon.schedule(identifier=name, alertBody="x", repeatInterval="second",
                            fireDate=daemon.clock.microseconds(-9.5))
        daemon.run(2)
        self.assertEqual(self.rung(), ["bell", "fire"] * 2)
        self.assertIn("paused bell until it is resumed", self.does(daemon, "pause", "bell"))
        daemon.kill()
        daemon.start()
        daemon.run(3)
        self.assertEqual(self.rung(), ["bell", "fire"] * 2 + ["fire"] * 3)
        self.assertEqual(
            {row["notification"]["identifier"]: row["state"] == "paused"
             for row in daemon.listed()}, {"bell": True, "fire": False})
        self.assertIn("resumed bell", self.does(daemon, "resume", "bell"))
        daemon.run(1)
        self.assertEqual(self.rung().count("bell"), 3)
        self.assertIn("skipped", {state for state, _ in self.states(daemon, "bell")})

    def test_E1_a_one_shot_in_a_pause_is_named_beforehand_and_ends_as_skipped(self):
        daemon = self.stepped()
        daemon.schedule(identifier="tea", alertBody="x", fireDate=daemon.clock.microseconds(3600))
        daemon.schedule(identifier="coffee", alertBody="x", fireDate=daemon.clock.microseconds(7200))
        said = self.does(daemon, "pause", "--all", "--until", soon(daemon, 5400))
        self.assertIn("tea", said)
        self.assertNotIn("coffee", said)
        daemon.run(7200)
        self.assertEqual(self.rung(), ["coffee"])
        self.assertEqual([state for state, _ in self.states(daemon, "tea")], ["skipped"])

    def test_D7_E2_a_skip_holds_over_kill_9_and_is_taken_back(self):
        daemon = self.stepped()
        due = daemon.clock.microseconds(300)
        daemon.schedule(identifier="bell", alertBody="x", fireDate=due, repeatInterval="hour")
        self.does(daemon, "skip", "bell")
        daemon.kill()
        daemon.start()
        daemon.run(300)
        self.assertEqual(self.states(daemon, "bell"), [("skipped", 0)])
        self.assertEqual(self.rung(), [])
        self.does(daemon, "skip", "bell", "-n", "3")
        self.does(daemon, "unskip", "bell")
        self.assertEqual(daemon.listed()[0]["next"], due + 3600 * 1_000_000)

    def test_D7_E7_an_edit_changes_what_it_names_and_survives_kill_9(self):
        daemon = self.stepped()
        daemon.schedule(identifier="bell", alertBody="old", alertTitle="Title",
                        fireDate=daemon.clock.microseconds(7200))
        self.does(daemon, "edit", "bell", "--body", "new", "--clear", "alertTitle")
        daemon.kill()
        daemon.start()
        one = daemon.listed()[0]["notification"]
        self.assertEqual((one["alertBody"], one.get("alertTitle")), ("new", None))
        self.does(daemon, "edit", "bell", "--at", soon(daemon, 3600))
        daemon.run(3599)
        self.assertEqual(self.rung(), [])
        daemon.run(1)
        self.assertEqual(self.rung(), ["bell"])
        status, said = self.belfry(daemon, "edit", "bell", "--body", "late")
        self.assertNotEqual(status, 0)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_E2_E7_an_alarm_clock_is_edited_and_its_app_goes_on(self):
        daemon = self.stepped()
        # Neither time has gone by on a day on which the other has not.
        hour = f"{datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=2):%H}"
        self.does(daemon, "schedule", "--id", "alarm", "--body", "x", "--at", hour + ":00",
                  "--repeat", "day")
        self.does(daemon, "skip", "alarm")
        self.does(daemon, "edit", "alarm", "--at", hour + ":30")
        alarm = daemon.listed()[0]
        self.assertEqual(alarm["notification"].get("zoneMode", "floating"), "floating")
        self.assertIn("timeZone", alarm["notification"])
        self.assertEqual(alarm["next"] // 60_000_000 % 60, 30)
        self.assertEqual(len(alarm["skipped"]), 1)
        self.does(daemon, "schedule", "--id", "other", "--body", "x", "--at", "07:00")

    def test_A4_E1_E2_E7_what_cannot_be_is_said_in_one_line(self):
        daemon = self.stepped()
        daemon.schedule(identifier="bell", alertBody="x", fireDate=microseconds(3600))
        before = daemon.listed()
        for words, named in (
                (["pause"], "identifiers"),
                (["pause", "bell", "--until", "2001-01-01"], "--until"),
                (["pause", "nobody"], "nobody"),
                (["skip", "bell", "-n", "0"], "-n"),
                (["skip", "bell", "-n", "1001"], "-n"),
                (["skip", "bell", "--at", "2001-01-01 07:00"], "at"),
                (["skip", "nobody"], "nobody"),
                (["edit", "nobody", "--body", "x"], "nobody"),
                (["edit", "bell", "--volume", "7"], "volume"),
                (["edit", "bell", "--clear", "colour"], "colour")):
            with self.subTest(words=words):
                status, said = self.belfry(daemon, *words)
                self.assertNotEqual(status, 0)
                self.assertEqual(len(said.splitlines()), 1, said)
                self.assertIn(named, said)
        self.assertEqual(daemon.listed(), before)
