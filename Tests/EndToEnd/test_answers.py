"""E6: what comes again, step by step, until somebody answers."""
import os
import shutil
import subprocess

from belfry_harness import (
    PATIENCE, built_plugin, programs, recorded, recorder_section, wait_until)
from sound_devices import give_devices
from stepped import SteppedTest
from test_disk import words as tell_disk

SECOND = 1_000_000


class Answers(SteppedTest):
    LADDER = [
        {"after": 0, "sinks": ["console"]}, {"after": 2 * SECOND, "sinks": ["speaker"]},
        {"after": 4 * SECOND, "sinks": ["witness"]}]

    def ringing(self, start=True, **options):
        """A daemon with a console, a speaker that plays into a file, and a recorder."""
        daemon = self.stepped_daemon(start=False, **options)
        folder = daemon.directory
        give_devices(
            daemon, f'pcm.capture {{ type file slave.pcm {{ type null }} '
            f'file "{folder}/capture" format raw }}')
        section, self.out = recorder_section(folder, "witness")
        daemon.configure(
            f"[sound]\ndevice = capture\n{section}[plugin:console]\nfile = console\n")
        return daemon.start() if start else daemon

    def belfry(self, daemon, *words):
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def rows(self, daemon):
        """Sinks with the steps that they have had, and the states."""
        return sorted(
            (row["occurrence"].partition(".0.0")[2], row["sink"], row["state"])
            for row in daemon.history())

    def test_D7_E6_a_ladder_goes_on_over_kill_9_between_every_two_steps(self):
        daemon = self.ringing()
        daemon.schedule(
            identifier="freezer", alertBody="warm", fireDate=daemon.clock.microseconds(2),
            ladder=self.LADDER)
        rows = [("", "console", "delivered"), (".e1", "speaker", "delivered"),
                (".e2", "witness", "delivered")]
        for count in range(3):
            daemon.run(1.9)
            self.assertEqual(self.rows(daemon), rows[:count])
            daemon.run(0.1)
            self.assertEqual(self.rows(daemon), rows[:count + 1])
            if count < 2:
                daemon.kill()
                daemon.start()
        self.assertEqual([row["identifier"] for row in recorded(self.out)], ["freezer"])
        self.assertTrue(recorded(self.out)[0]["id"].endswith(".e2@witness"))
        daemon.kill()
        daemon.start()
        self.assertEqual(self.belfry(daemon, "ack"), (0, "acknowledged freezer\n"))
        wait_until(lambda: recorded(self.out, ("withdraw",)), what="the withdrawal")
        daemon.kill()
        daemon.start()
        self.assertEqual(len(recorded(self.out)), 1)
        states = {sink: state for _, sink, state in self.rows(daemon)}
        self.assertEqual((states["console"], states["witness"]), ("dismissed", "dismissed"))
        status, said = self.belfry(daemon, "ack")
        self.assertEqual(status, 1)
        self.assertIn("nothing is shown", said)

    def test_D7_E6_a_power_cut_between_two_steps_repeats_at_most_the_newest(self):
        daemon = self.ringing(start=False)
        daemon.environment["BELFRY_TEST_VFS"] = os.path.join(daemon.directory, "disk")
        tell_disk(daemon, "forget")
        daemon.start()
        daemon.schedule(
            identifier="freezer", alertBody="warm",
            ladder=[{"after": n * SECOND, "sinks": ["witness"]} for n in range(4)])
        for step in range(4):
            suffix = f".e{step}" if step else ""
            if step:
                # Its intent is on the disk before it is due.
                daemon.run(0.9)
                daemon.clock.move(SECOND * 100)
            wait_until(
                lambda: self.shows(suffix), what=f"step {step}")
            # Before its record can be on the disk, or after: both happen.
            daemon.kill()
            # What workers have noted of completed deliveries is in memory on a board.
            shutil.rmtree(os.path.join(daemon.directory, "run"), ignore_errors=True)
            daemon.start()
            daemon.settle()
        shown = [row["id"].partition(".0.0")[2].partition("@")[0] for row in recorded(self.out)]
        self.assertEqual(sorted(set(shown)), ["", ".e1", ".e2", ".e3"])
        self.assertEqual(shown, sorted(shown), "a step came after a later one")
        for row in recorded(self.out):
            again = [other for other in recorded(self.out) if other["id"] == row["id"]]
            self.assertLessEqual(len(again), 2, row["id"])
            self.assertEqual([int(one["attempt"]) for one in again], list(range(1, len(again) + 1)))
        self.assertEqual(self.belfry(daemon, "ack", "freezer")[0], 0)
        wait_until(lambda: recorded(self.out, ("withdraw",)), what="the withdrawal")
        count = len(recorded(self.out))
        daemon.kill()
        daemon.start()
        daemon.schedule(identifier="later", alertBody="x", fireDate=daemon.clock.microseconds(2))
        daemon.run(2)
        self.assertEqual([row["identifier"] for row in recorded(self.out)[count:]], ["later"])

    def shows(self, suffix):
        """Whether the recorder has shown the step whose occurrence ends so."""
        return any(row["id"].endswith(f".0.0{suffix}@witness") for row in recorded(self.out))

    def test_E6_none_comes_after_the_first_answer(self):
        daemon = self.ringing()
        daemon.schedule(identifier="freezer", alertBody="warm", ladder=self.LADDER)
        daemon.run(1)
        self.assertEqual(len(self.rows(daemon)), 1)
        self.assertEqual(self.belfry(daemon, "ack", "freezer")[0], 0)
        daemon.schedule(identifier="later", soundName="default", alertBody="x",
                        fireDate=daemon.clock.microseconds(5))
        daemon.run(5)
        self.assertEqual({row["sink"] for row in daemon.history() if row["identifier"] == "freezer"},
                         {"console"})
        self.assertEqual(
            [row["identifier"] for row in recorded(self.out)], ["later"])

    def test_E6_an_answer_at_a_plugin_ends_it_everywhere(self):
        daemon = self.ringing(start=False)
        text = (f"[plugin:presser]\nfile = {built_plugin(daemon.directory, 'presser')}\n"
                f"out = {daemon.directory}/presser.recorded\npress = dismiss\n")
        with open(f"{daemon.directory}/belfry.conf", "a", encoding="utf-8") as file:
            file.write(text)
        daemon.start()
        ladder = [{"after": 0, "sinks": ["witness"]}, {"after": SECOND, "sinks": ["presser"]},
                  {"after": 3 * SECOND, "sinks": ["speaker", "witness"]}]
        daemon.schedule(identifier="freezer", alertBody="warm", ladder=ladder)
        daemon.schedule(identifier="later", alertBody="x", fireDate=daemon.clock.microseconds(6))
        daemon.run(6)
        self.assertEqual(daemon.listed(), [])
        shown = [row["identifier"] for row in recorded(self.out) if row["event"] == "show"]
        self.assertEqual(shown, ["freezer", "later"])

    def test_A4_E6_what_cannot_be_is_said_in_one_line(self):
        daemon = self.ringing()
        for words, field in (
                (["--ladder", "now:consol"], "ladder[0].sinks"),
                (["--realert", "0s"], "--realert"),
                (["--ladder", " ".join(f"{n}s:console" for n in range(9))], "--ladder"),
                (["--ladder", "25h:console"], "ladder[0].after"),
                (["--ladder", "5m:console 2m:speaker"], "ladder[1].after")):
            with self.subTest(words=words):
                status, said = self.belfry(
                    daemon, "schedule", "--body", "x", "--in", "1h", *words)
                self.assertEqual(status, 1, said)
                self.assertIn(field, said)
                self.assertEqual(said.count("\n"), 1)
        self.assertEqual(daemon.listed(), [])
