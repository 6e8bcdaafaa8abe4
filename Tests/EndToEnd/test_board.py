"""What a board does in its life, by whichever programs BELFRY_BIN has: emulated.py leads it on other
architectures. BELFRY_OTHER_BIN: programs of another one, whose books these take over and hand back."""
import calendar
import datetime
import os
import subprocess
import tempfile
import unittest
import zoneinfo
from unittest import mock

from belfry_harness import Refused, microseconds, programs, recorded, recorder_section, wait_until
from sound_devices import SoundTest


class Board(SoundTest):
    def test_D8_D7_what_was_scheduled_rings_after_a_kill_in_c_in_swift_and_in_sound(self):
        daemon = self.sounding("capture")
        samples = self.place(daemon, "bell.wav", 0.5)
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(f"[sound]\ndevice = capture\n[plugin:console]\nfile = console\n{section}")
        daemon.start()
        due = microseconds(4)
        answer = daemon.schedule(identifier="bell", alertBody="Lesson", soundName="bell.wav", fireDate=due)
        self.assertEqual(answer["next"], due)
        daemon.kill()
        daemon.start()
        for sink in ("witness", "console", "speaker"):
            row = self.ended(daemon, "bell", sink)
            self.assertEqual((row["state"], row["due"]), ("delivered", due), row)
            self.assertGreaterEqual(row["handedOver"], due)
        self.assertEqual([row["identifier"] for row in recorded(out)], ["bell"])
        daemon.says("Lesson")
        self.assertEqual(self.played(daemon, "capture"), samples)
        self.assertEqual(daemon.listed(), [])

    def test_A4_the_command_line_schedules_lists_and_refuses(self):
        daemon = self.daemon("[plugin:console]\nfile = console\n")
        belfry = [os.path.join(programs(), "belfry")]
        environment = os.environ | {"BELFRY_SOCKET": daemon.socket, "TZ": "UTC"}

        def run(*words):
            done = subprocess.run(belfry + list(words), check=False, capture_output=True, text=True, env=environment)
            return done.returncode, done.stdout + done.stderr

        self.assertEqual(run("schedule", "--id", "tea", "--body", "Tea", "--at", "2031-03-01T07:00",
                             "--repeat", "week")[0], 0)
        status, said = run("next", "tea", "-n", "2")
        self.assertEqual(status, 0)
        self.assertIn("2031-03-08T07:00:00", said)
        status, said = run("schedule", "--id", "bad", "--at", "2031-02-30T07:00")
        self.assertNotEqual(status, 0)
        self.assertIn("--at", said)
        self.assertEqual([row["notification"]["identifier"] for row in daemon.listed()], ["tea"])

    def test_T3_T6_zones_and_rules_are_the_same_on_each(self):
        daemon = self.daemon()
        answer = daemon.call("Next", {"notification": {
            "fireDate": 1_900_000_000_000_000, "timeZone": "Europe/Berlin", "zoneMode": "zoned",
            "rrule": "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-1"}, "count": 6})
        self.assertEqual([due // 1_000_000 for due in answer["instants"]], self.last_mondays_or_tuesdays())
        with self.assertRaises(Refused):
            daemon.call("Next", {"notification": {"fireDate": 1, "rrule": "FREQ=MONTHLY;BYDAY=XX"}, "count": 1})

    @staticmethod
    def last_mondays_or_tuesdays():
        """Of March to August 2030, at 18:46:40 in Berlin, by Python's calendar and zones."""
        found = []
        for month in range(3, 9):
            length = calendar.monthrange(2030, month)[1]
            day = max(day for day in range(1, length + 1) if calendar.weekday(2030, month, day) < 2)
            found.append(datetime.datetime(2030, month, day, 18, 46, 40, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin")))
        return [int(moment.timestamp()) for moment in found]

    @unittest.skipUnless(os.environ.get("BELFRY_OTHER_BIN"), "BELFRY_OTHER_BIN names no programs")
    def test_D8_books_of_another_architecture_are_taken_over_and_handed_back(self):
        folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        rows = []
        for round_ in range(4):
            other = {"BELFRY_BIN": os.environ["BELFRY_OTHER_BIN"]} if round_ % 2 else {}
            with mock.patch.dict(os.environ, other):
                daemon = self.daemon("[plugin:console]\nfile = console\n", directory=folder)
                self.assertEqual(daemon.listed(), rows)
                daemon.schedule(identifier=f"n{round_}", alertBody="Ä ≠ ß", userInfo={"x": [1, 2.5, True]},
                                fireDate=microseconds(3600 + round_), rrule="FREQ=DAILY;COUNT=9")
                daemon.schedule(identifier=f"now{round_}", alertBody="now")
                wait_until(lambda: len([row for row in daemon.history() if row["state"] == "delivered"])
                           == round_ + 1, what="the delivery")
                rows = daemon.listed()
                self.assertEqual(daemon.stop(), 0)
            self.assertNotIn("damaged", daemon.log_text())
