"""Which clocks the command line reads and writes times by, and what it says of them."""
import datetime
import json
import os
import shutil
import struct
import tempfile
import time
import unittest
import zoneinfo

from belfry_harness import DaemonTest, microseconds
from test_command import instant, run

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


class Berlin(DaemonTest):
    """A daemon whose board is in Berlin, on a machine that is elsewhere."""

    def setUp(self):
        self.zones = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.zones)
        localtime = os.path.join(self.zones, "localtime")
        os.symlink("/usr/share/zoneinfo/Europe/Berlin", localtime)
        self.bells = self.daemon("[plugin:console]\nfile = console\n", arguments=["--localtime", localtime])

    def belfry(self, *words, **environment):
        return run(*words, socket=self.bells.socket, **environment)

    def good(self, *words, **environment):
        status, out, err = self.belfry(*words, **environment)
        self.assertEqual((status, err), (0, ""), words)
        return out


class InBerlin(Berlin):
    def test_T2_next_and_schedule_read_by_the_boards_clocks_whatever_TZ_says(self):
        for zone in (None, "UTC", "Asia/Kolkata"):
            out = self.good("next", "--at", "2055-01-04T07:00", "-n", "1", "--json", TZ=zone)
            row = json.loads(out)
            self.assertEqual((instant(row["at"]).astimezone(BERLIN).hour, row["zone"]),
                             (7, "Europe/Berlin"))
            answer = json.loads(self.good("schedule", "--body", "x", "--at", "2055-01-04T07:00",
                                          "--expires", "2055-01-04T09:00", "--json", TZ=zone))
            self.assertEqual(instant(answer["next"]), instant(row["at"]))
            self.assertEqual(answer["zone"], "Europe/Berlin")

    def test_T2_the_answer_says_whose_clocks_are_meant(self):
        words = ("--at", "2055-01-04T07:00")
        schedule = ("schedule", "--id", "a", "--body", "x", *words)
        self.assertIn(", Mon 2055-01-04 07:00 in Europe/Berlin, floating; ",
                      self.good(*schedule, TZ=None))
        self.assertIn(", Mon 2055-01-04 11:30 in Asia/Kolkata, floating: Mon 2055-01-04 07:00 in"
                      " Europe/Berlin; ", self.good(*schedule, TZ="Asia/Kolkata"))
        head, row = self.good("next", *words, TZ="Asia/Kolkata").splitlines()
        self.assertRegex(head, r"^WHEN IN Asia/Kolkata  AT IN Europe/Berlin +FROM NOW$")
        self.assertRegex(row, r"^Mon 2055-01-04 11:30  2055-01-04T07:00:00.000000\+01:00  in ")

    def test_T1_schedule_warns_of_a_repeat_that_drifts(self):
        words = ("schedule", "--id", "bell", "--body", "x", "--at", "2055-01-04T08:00+01:00",
                 "--repeat", "week")
        status, out, err = self.belfry(*words)
        self.assertEqual(status, 0)
        self.assertTrue(out.startswith("scheduled bell: "), out)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("belfry: warning: it repeats by UTC: from 2055-03-29 on at 09:00", err)
        row = json.loads(self.good(*words, "--json"))
        self.assertEqual(len(row["warnings"]), 1)
        self.assertIn("--time-zone Europe/Berlin keeps", row["warnings"][0])
        row = json.loads(self.good(*words, "--json", "--zone-mode", "absolute"))
        self.assertEqual(row["warnings"], [])
        self.good(*words, "--time-zone", "Europe/Berlin")

    def test_E7_T2_ends_and_dates_of_a_floating_repeat_are_read_by_the_boards_clocks(self):
        at = ("--at", "2055-01-04T06:00", "--rrule", "FREQ=DAILY")
        self.good("schedule", "--id", "bell", "--body", "x", *at)
        for end in ("2055-01-06T05:30:00Z", "2055-01-06T06:30"):
            self.good("edit", "bell", "--until", end)
            self.assertEqual(self.dues("bell"), ["04T06", "05T06", "06T06"], end)
        self.good("edit", "bell", "--until", "2055-01-06T04:30:00Z")
        self.assertEqual(self.dues("bell"), ["04T06", "05T06"])
        self.good("edit", "bell", "--until", "2055-01-06", "--exdate", "2055-01-05T05:00:00Z",
                  "--rdate", "2055-01-05T20:00:00Z")
        self.assertEqual(self.dues("bell"), ["04T06", "05T21", "06T06"])
        # A duration counts from now.
        self.good("edit", "bell", "--until", "36500d", "--clear", "exdate", "--clear", "rdate")
        self.assertEqual(self.dues("bell", 4), ["04T06", "05T06", "06T06", "07T06"])

    def test_E1_what_the_daemon_says_of_instants_is_told_by_the_readers_clocks(self):
        self.good("schedule", "--id", "bell", "--body", "x", "--at", "2099-01-04T06:00")
        self.good("pause", "bell", "--until", "2099-02-01T07:30")
        self.assertIn("  paused until Sun 2099-02-01 07:30  x", self.good("list", TZ=None))
        self.assertIn("  paused until Sun 2099-02-01 06:30  x", self.good("list"))
        _, _, err = self.belfry("schedule", "--id", "bell", "--body", "y", "--at",
                                "2099-01-05T06:00", TZ=None)
        self.assertIn("Mon 2099-01-05 06:00 does not ring: it is paused until Sun 2099-02-01 07:30",
                      err)
        self.assertIn("2099-02-01T06:30:00.000000Z", self.good("list", "--json"))

    def dues(self, identifier, count=9):
        rows = json.loads("[" + ",".join(
            self.good("next", identifier, "-n", str(count), "--json").splitlines()) + "]")
        return [instant(row["at"]).astimezone(BERLIN).strftime("%dT%H") for row in rows]

    def test_A4_what_is_the_rule_anyhow_may_be_written_out(self):
        for words in (
                "--at 2055-01-04T06:00Z --repeat day --gap shift --overlap first --volume 1",
                "--in 1h --overlap first --month-end clamp", "--now --repeat day --offset 15m",
                "--in 1h --weekdays mon-fri --offset -5m"):
            with self.subTest(words=words):
                # Some of them warn of a repeat by UTC.
                self.assertEqual(self.belfry("schedule", "--body", "x", *words.split())[0], 0)

    def test_N2_a_past_date_is_refused_here_and_rings_at_once_on_the_wire(self):
        for words in (("schedule", "--body", "x"), ("next",)):
            status, out, err = self.belfry(*words, "--at", "2025-01-04T07:00", TZ="Asia/Kolkata")
            self.assertEqual((status, out), (1, ""))
            self.assertRegex(err, r"^belfry: --at: Sat 2025-01-04 07:00 in Europe/Berlin is past"
                                  r" \(\d+ d( \d+ h)? ago\); for at once there is --now\n$")
        past = self.bells.call("Schedule", {"notification": {"alertBody": "x", "fireDate": microseconds(-60)}})
        self.assertTrue(past["scheduled"])
        # One to come: a second that runs may have ended, and more than a second is past.
        second = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
        self.good("schedule", "--body", "x", "--at", second.strftime("%Y-%m-%dT%H:%M:%SZ"))


def fold_zone(path, change, before, after):
    """Writes a zone file whose clocks go at `change` from one offset in seconds to the other."""
    def block(format, times):
        kinds = [(before, 0, 0), (after, 0, 4)]
        names = b"BEF\0AFT\0"
        head = struct.pack(">4sc15x6l", b"TZif", b"2", 0, 0, 0, len(times), len(kinds), len(names))
        return head + b"".join(struct.pack(format, time) for time in times) + bytes(
            [1] * len(times)) + b"".join(struct.pack(">lBB", *kind) for kind in kinds) + names
    with open(path, "wb") as file:
        file.write(block(">l", []) + block(">q", [change]) + b"\n\n")


class InTheSecondPass(DaemonTest):
    """Boards whose clocks have gone back some minutes ago, at about half past two."""

    # As in Berlin, in New York and on Lord Howe Island.
    SHAPES = {"Hour": 3600, "Later": 3600, "Half": 1800}

    def board(self, name):
        place = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, place)
        folder = os.path.join(place, "zoneinfo")
        now = int(time.time())
        back = self.SHAPES[name]
        after = (9000 - now % 86400) // 900 * 900
        if after < -43200:
            after += 86400
        os.makedirs(os.path.join(folder, "Test"))
        path = os.path.join(folder, "Test", name)
        fold_zone(path, now - 600, after + back, after)
        link = os.path.join(place, "localtime")
        os.symlink(path, link)
        bells = self.daemon(arguments=["--localtime", link, "--zoneinfo", folder])
        clocks = datetime.timezone(datetime.timedelta(seconds=after))

        def good(*words):
            status, out, err = run(*words, socket=bells.socket, TZDIR=folder, TZ=None)
            self.assertEqual((status, err), (0, ""), words)
            return out
        return bells, good, clocks

    def test_T5_what_is_still_ahead_in_the_second_pass_is_taken(self):
        for name in self.SHAPES:
            bells, good, clocks = self.board(name)
            due = (datetime.datetime.now(clocks) + datetime.timedelta(minutes=6)).replace(
                second=0, microsecond=0)
            hour = due.strftime("%H:%M")
            full = due.strftime("%Y-%m-%dT%H:%M")
            named = ("--time-zone", "Test/" + name)
            forms = [(hour,), ("today " + hour,), (due.strftime("%a").lower() + " " + hour,),
                     (full,), (hour, "--overlap", "last"), (hour, *named),
                     (full, *named, "--overlap", "last"), (hour, "--repeat", "day")]
            for number, form in enumerate(forms):
                words = ("--at", *form, "--json")
                row = json.loads(good("next", *words, "-n", "1"))
                self.assertEqual(instant(row["at"]), due, (name, form))
                answer = json.loads(good("schedule", "--id", f"a{number}", "--body", "x", *words))
                self.assertEqual(instant(answer["next"]), due, (name, form))
                row = json.loads(good("next", f"a{number}", "-n", "1", "--json"))
                self.assertEqual(instant(row["at"]), due, (name, form))
            edited = json.loads(good("edit", "a0", "--at", hour, "--body", "y", "--json"))
            self.assertEqual(instant(edited["next"]), due)
            skipped = json.loads(good("skip", "a7", "--at", hour, "--json"))
            self.assertEqual([instant(at) for at in skipped["instants"]], [due])
            paused = json.loads(good("pause", "a1", "--until", hour, "--json"))
            self.assertEqual(instant(paused["until"]), due)
            bells.stop()

    def test_T5_first_passes_are_asked_for_by_name(self):
        bells, good, clocks = self.board("Hour")
        due = datetime.datetime.now(clocks) + datetime.timedelta(minutes=6)
        row = json.loads(good("next", "--at", due.strftime("%H:%M"), "--overlap", "first", "-n", "1",
                              "--json"))
        self.assertEqual((instant(row["at"]) - due).days, 0)
        self.assertGreater(instant(row["at"]) - due, datetime.timedelta(hours=23))


class Meant(Berlin):
    def test_T3_a_contradictory_offset_is_refused_with_both_readings(self):
        words = ("--at", "2055-07-01T07:00+05:00", "--time-zone", "Europe/Berlin")
        for command in (("next",), ("schedule", "--body", "x")):
            status, out, err = self.belfry(*command, *words)
            self.assertEqual((status, out), (1, ""))
            self.assertIn("--at: ", err)
            self.assertIn("2055-07-01T04:00", err)
            self.assertIn("2055-07-01T07:00", err)
        for at in ("2055-07-01T07:00+0200", "2055-07-01T05:00Z"):
            out = self.good("next", "--at", at, "--time-zone", "Europe/Berlin", "-n", "1")
            self.assertIn("2055-07-01T07:00", out)
        # The zone of what is scheduled contradicts nothing that is said of it.
        self.good("schedule", "--id", "z", "--body", "x", "--at", "2055-07-01T07:00", *words[2:])
        self.assertIn("Thu 2055-07-01 02:00 in UTC", self.good("edit", "z", *words[:2]))
        status, _, err = self.belfry("edit", "z", *words)
        self.assertEqual(status, 1, err)

    def test_T6_rules_are_taken_as_they_are_meant(self):
        for written, meant in (
                ("FREQ=WEEKLY;BYDAY=MO, TU", "FREQ=WEEKLY;BYDAY=MO,TU"),
                ("FREQ=DAILY;UNTIL=2055-07-03", "FREQ=DAILY;UNTIL=20550703"),
                ("FREQ=DAILY;UNTIL=2055-07-03T07:00:00Z", "FREQ=DAILY;UNTIL=20550703T070000Z")):
            words = ("next", "--at", "2055-07-01T07:00", "-n", "9", "--json", "--rrule")
            self.assertEqual(self.good(*words, written), self.good(*words, meant))


class OverTheGap(Berlin):
    def test_T6_dates_in_the_gap_are_taken_out_and_added(self):
        # The next spring that is a year away or less.
        day = next(day for day in (datetime.datetime.now(BERLIN).date()
                                   + datetime.timedelta(days=n) for n in range(2, 370))
                   if day.month == 3 and day.weekday() == 6 and day.day > 24)
        before = day - datetime.timedelta(days=1)
        words = ("--at", f"{before}T02:30", "--repeat", "day", "--exdate", f"{day}T02:30")
        for zone in ((), ("--time-zone", "Europe/Berlin")):
            for gap in ("shift", "next", "skip"):
                out = self.good("next", *words, *zone, "--gap", gap, "-n", "3", "--json")
                days = [json.loads(line)["at"][5:10] for line in out.splitlines()]
                self.assertNotIn(str(day)[5:], days)
                self.assertEqual(len(days), 3)
        self.good("schedule", "--id", "r", "--body", "x", *words, "--time-zone", "Europe/Berlin")
        out = self.good("next", "r", "-n", "2", "--json")
        self.assertNotIn(str(day), out)
        # The same over the socket, as other libraries name a time that there is not.
        gone = datetime.datetime(day.year, day.month, day.day, 2, 30, tzinfo=BERLIN)
        start = datetime.datetime(before.year, before.month, before.day, 2, 30, tzinfo=BERLIN)
        for gap in ("shift", "next"):
            due = self.bells.call("Next", {"count": 2, "notification": {
                "alertBody": "x", "fireDate": int(start.timestamp() * 10**6), "gap": gap,
                "timeZone": "Europe/Berlin", "zoneMode": "zoned", "rrule": "FREQ=DAILY",
                "exdate": [int(gone.timestamp() * 10**6)]}})["instants"]
            self.assertEqual(due[1] - due[0], (2 * 86400 - 3600) * 10**6, gap)
        rdate = ("--rrule", "FREQ=WEEKLY;BYDAY=SA", "--rdate", f"{day}T02:30")
        out = self.good("next", "--at", f"{before}T02:30", *rdate, "--time-zone", "Europe/Berlin",
                        "-n", "2", "--json")
        self.assertIn(f"{day}T03:30", out)


class Looking(unittest.TestCase):
    def test_N18_next_looks_back(self):
        words = ("next", "--at", "2020-01-31T09:00", "--repeat", "month", "-n", "2", "--json")
        for after, days in (("2020-01-01T00:00", ["2020-01-31", "2020-02-29"]),
                            ("2020-02-29T09:00", ["2020-03-31", "2020-04-30"])):
            status, out, err = run(*words, "--after", after)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([json.loads(line)["at"][:10] for line in out.splitlines()], days)
        status, out, _ = run("next", "--at", "2020-01-01T07:00Z", "--after", "2019-01-01T00:00Z",
                             "--json")
        self.assertEqual([json.loads(line)["at"][:10] for line in out.splitlines()], ["2020-01-01"])

    def test_N18_what_is_scheduled_looks_back_as_its_draft_does(self):
        test = InBerlin("test_T1_schedule_warns_of_a_repeat_that_drifts")
        test.setUp()
        self.addCleanup(test.doCleanups)
        draft = ("--at", "2026-01-31T09:00", "--repeat", "month")
        looking = ("-n", "3", "--json", "--after", "2026-02-01T00:00")
        test.good("schedule", "--id", "m", "--body", "x", *draft)
        drafted = test.good("next", *draft, *looking)
        self.assertEqual([json.loads(line)["at"][:10] for line in drafted.splitlines()],
                         ["2026-02-28", "2026-03-31", "2026-04-30"])
        self.assertEqual(test.good("next", "m", *looking), drafted)
        after = int(datetime.datetime(2026, 2, 1, tzinfo=BERLIN).timestamp()) * 10**6
        wall = int(datetime.datetime(2026, 1, 31, 9, tzinfo=datetime.timezone.utc).timestamp())
        instants = [int(instant(json.loads(line)["at"]).timestamp()) * 10**6
                    for line in drafted.splitlines()]
        for what in ({"identifier": "m"}, {"notification": {
                "alertBody": "x", "fireDate": wall * 10**6, "timeZone": "UTC",
                "repeatInterval": "month"}}):
            answer = test.bells.call("Next", {"count": 3, "after": after, **what})
            self.assertEqual(answer["instants"], instants)

    def test_without_a_daemon_the_machines_zone_reads(self):
        there = datetime.datetime(2055, 1, 4, 7).astimezone()
        _, out, _ = run("next", "--at", "2055-01-04T07:00", "-n", "1", "--json", TZ="Asia/Kolkata")
        self.assertEqual(instant(json.loads(out)["at"]), there)


if __name__ == "__main__":
    unittest.main()
