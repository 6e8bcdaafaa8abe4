"""E1, E2, E7: pausing, skipping and editing what is scheduled, as a person does it."""
import datetime
import os
import subprocess

from belfry_harness import (
    DaemonTest, microseconds, programs, recorded, recorder_section, wait_until)


def soon(seconds):
    """A time for the command line."""
    then = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Everyday(DaemonTest):
    def board(self):
        daemon = self.daemon(start=False)
        section, self.out = recorder_section(daemon.directory, "witness")
        daemon.configure(section)
        return daemon.start()

    def belfry(self, daemon, *words):
        """Exit status and all that was said."""
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=60, check=False)
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
        daemon = self.board()
        daemon.schedule(identifier="bell", alertBody="x", repeatInterval="second",
                        fireDate=microseconds(-10))
        daemon.schedule(identifier="fire", alertBody="x", repeatInterval="second",
                        fireDate=microseconds(-10))
        wait_until(lambda: {"bell", "fire"} <= set(self.rung()), what="both")
        self.assertIn("paused bell until it is resumed", self.does(daemon, "pause", "bell"))
        count = self.rung().count("bell")
        daemon.kill()
        daemon.start()
        others = self.rung().count("fire")
        wait_until(lambda: self.rung().count("fire") >= others + 3, what="the other goes on")
        # One that was due as the pause came may have been on its way.
        self.assertLessEqual(self.rung().count("bell"), count + 1)
        self.assertEqual(
            {row["notification"]["identifier"]: row["state"] == "paused"
             for row in daemon.listed()}, {"bell": True, "fire": False})
        self.assertIn("resumed bell", self.does(daemon, "resume", "bell"))
        wait_until(lambda: self.rung().count("bell") > count + 1, what="it rings again")
        self.assertIn("skipped", {state for state, _ in self.states(daemon, "bell")})

    def test_E1_a_one_shot_in_a_pause_is_named_beforehand_and_ends_as_skipped(self):
        daemon = self.board()
        daemon.schedule(identifier="tea", alertBody="x", fireDate=microseconds(3))
        daemon.schedule(identifier="coffee", alertBody="x", fireDate=microseconds(6))
        said = self.does(daemon, "pause", "--all", "--until", soon(4.5))
        self.assertIn("tea", said)
        self.assertNotIn("coffee", said)
        wait_until(lambda: self.rung() == ["coffee"], what="the one after the pause")
        self.assertEqual([state for state, _ in self.states(daemon, "tea")], ["skipped"])

    def test_D7_E2_a_skip_holds_over_kill_9_and_is_taken_back(self):
        daemon = self.board()
        due = microseconds(5)
        daemon.schedule(identifier="bell", alertBody="x", fireDate=due, repeatInterval="hour")
        self.does(daemon, "skip", "bell")
        daemon.kill()
        daemon.start()
        wait_until(lambda: self.states(daemon, "bell"), what="its row")
        self.assertEqual(self.states(daemon, "bell"), [("skipped", 0)])
        self.assertEqual(self.rung(), [])
        self.does(daemon, "skip", "bell", "-n", "3")
        self.does(daemon, "unskip", "bell")
        self.assertEqual(daemon.listed()[0]["next"], due + 3600 * 1_000_000)

    def test_D7_E7_an_edit_changes_what_it_names_and_survives_kill_9(self):
        daemon = self.board()
        daemon.schedule(identifier="bell", alertBody="old", alertTitle="Title",
                        fireDate=microseconds(60))
        self.does(daemon, "edit", "bell", "--body", "new", "--clear", "alertTitle")
        daemon.kill()
        daemon.start()
        one = daemon.listed()[0]["notification"]
        self.assertEqual((one["alertBody"], one.get("alertTitle")), ("new", None))
        self.does(daemon, "edit", "bell", "--at", soon(2))
        wait_until(lambda: self.rung() == ["bell"], what="the new time")
        status, said = self.belfry(daemon, "edit", "bell", "--body", "late")
        self.assertNotEqual(status, 0)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_E2_E7_an_alarm_clock_is_edited_and_its_app_goes_on(self):
        daemon = self.board()
        self.does(daemon, "schedule", "--id", "alarm", "--body", "x", "--at", "07:00", "--repeat", "day")
        self.does(daemon, "skip", "alarm")
        self.does(daemon, "edit", "alarm", "--at", "07:30")
        alarm = daemon.listed()[0]
        self.assertEqual(alarm["notification"].get("zoneMode", "floating"), "floating")
        self.assertIn("timeZone", alarm["notification"])
        self.assertEqual(alarm["next"] // 60_000_000 % 60, 30)
        self.assertEqual(len(alarm["skipped"]), 1)
        self.does(daemon, "schedule", "--id", "other", "--body", "x", "--at", "07:00")

    def test_A4_E1_E2_E7_what_cannot_be_is_said_in_one_line(self):
        daemon = self.board()
        daemon.schedule(identifier="bell", alertBody="x", fireDate=microseconds(60))
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
