"""What a board does in its life, by whichever programs BELFRY_BIN has: emulated.py leads it on other
architectures. BELFRY_OTHER_BIN: programs of another one, whose books these take over and hand back."""
import calendar
import datetime
import json
import os
import random
import re
import subprocess
import tempfile
import unittest
import zoneinfo
from unittest import mock

from belfry_harness import Refused, fixed_seed, microseconds, programs, recorded, recorder_section, wait_until
from sound_devices import SoundTest

OTHER = os.environ.get("BELFRY_OTHER_BIN")
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Africa/Casablanca",
         "Australia/Lord_Howe", "Europe/Dublin")
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
# The ends of what a number of JSON, of the wire, or of a smaller machine can be.
NUMBERS = (0, -1, 2**31 - 1, 2**31, -2**31, 2**32, 2**53, 2**62, 2**63 - 1, -2**63, 2**63, 10**19, 0.1, -0.0, 1e-320,
           1.7976931348623157e308, 5e-324, 1e21, 123456789.123456789)


def rule(generator):
    """A rule of RFC 5545, which need not be one that makes sense."""
    parts = ["FREQ=" + generator.choice(("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"))]
    if generator.random() < 0.5:
        parts.append(f"INTERVAL={generator.choice((1, 2, 3, 7, 100, 2147483647, 4294967296))}")
    if generator.random() < 0.5:
        days = generator.sample(DAYS, generator.randint(1, 3))
        parts.append("BYDAY=" + ",".join(days))
        if generator.random() < 0.3:
            parts.append(f"BYSETPOS={generator.choice((1, -1, 2, -3))}")
    if generator.random() < 0.3:
        parts.append(f"BYMONTH={generator.randint(1, 12)}")
    if generator.random() < 0.3:
        parts.append(f"BYMONTHDAY={generator.choice((1, 29, 31, -1, -31))}")
    if generator.random() < 0.3:
        parts.append(f"BYHOUR={generator.randint(0, 23)};BYMINUTE={generator.randint(0, 59)}")
    if generator.random() < 0.2:
        parts.append(f"COUNT={generator.choice((1, 5, 4096))}")
    return ";".join(parts)


def asked(generator):
    """Calls whose answers a machine's own time and chance have no part in."""
    for _ in range(300):
        yield "Next", {"count": 12, "after": generator.randrange(2_000_000_000) * 1_000_000, "notification": {
            "fireDate": generator.randrange(1_000_000_000, 3_000_000_000) * 1_000_000,
            "timeZone": generator.choice(ZONES), "zoneMode": "zoned", "rrule": rule(generator),
            "gap": generator.choice(("shift", "skip")), "overlap": generator.choice(("first", "both"))}}
    for number in NUMBERS:
        yield "Schedule", {"notification": {
            "identifier": f"number {number}", "alertBody": "x", "userInfo": {"n": number, "l": [number]},
            "fireDate": 4_000_000_000_000_000}}
        for field in ("fireDate", "tolerance", "applicationIconBadgeNumber", "expires", "volume", "count"):
            yield "Schedule", {"notification": {
                "identifier": "odd", "alertBody": "x", "fireDate": 4_000_000_000_000_000, field: number}}
    for text in ("", "é", "e\u0301", "\U0001f6ce", "\u202e", "a\tb", "%d %@ %%", "\x7f", "x" * 4096):
        yield "Schedule", {"notification": {"identifier": text or "e", "alertBody": text, "alertTitle": text,
                                            "fireDate": 4_100_000_000_000_000}}
        yield "Push", {"id": f"p{len(text)}", "payload": {"aps": {"alert": {"body": text, "title": text}, "badge": 3},
                                                          "ck": {"nid": text}, "n": len(text)}}
    for number in range(1000):
        yield "Schedule", {"notification": {
            "identifier": f"h{number}", "alertBody": "x",
            "fireDate": generator.randrange(4_000_000_000, 8_000_000_000) * 1_000_000}}
    yield "Cancel", {"identifiers": [f"h{number}" for number in range(0, 1000, 3)]}
    yield "List", {}


def answer(daemon, calls):
    """What each call is answered, without what the machine has drawn or its clock has said."""
    found = []
    with daemon.connect() as connection:
        for method, parameters in calls:
            try:
                said = (list(connection.stream(method, parameters)) if method == "List"
                        else connection.call(method, parameters))
            except Refused as refused:
                said = [refused.name, refused.parameters]
            text = re.sub(UUID, "UUID", json.dumps(said, sort_keys=True))
            found.append(re.sub(r"\d{16}", lambda number: "NOW" if is_now(int(number[0])) else number[0], text))
    return found


def is_now(instant):
    return abs(instant - microseconds()) < 600_000_000


UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


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

    @unittest.skipUnless(OTHER, "BELFRY_OTHER_BIN names no programs")
    def test_T_E_P_both_architectures_give_the_same_answers(self):
        """Random rules in random zones, numbers at the ends, pushes, and the order of what is pending:
        the same calls to both, answer by answer."""
        seed = fixed_seed("boards")
        calls = list(asked(random.Random(seed)))
        said = []
        for folder in (None, OTHER):
            with mock.patch.dict(os.environ, {"BELFRY_BIN": folder} if folder else {}):
                said.append(answer(self.daemon("[limits]\nnotifications = 5000\n"), calls))
        for call, one, other in zip(calls, *said):
            self.assertEqual(one, other, f"seed {seed}: {call}")

    @unittest.skipUnless(OTHER, "BELFRY_OTHER_BIN names no programs")
    def test_D8_books_of_another_architecture_are_taken_over_and_handed_back(self):
        folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        rows = []
        for round_ in range(4):
            other = {"BELFRY_BIN": OTHER} if round_ % 2 else {}
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
