"""Zones, repeats and rules against the real daemon: by the command line, over the wire, and with the
PyPI varlink client."""
import datetime
import json
import os
import shutil
import tempfile
import unittest
import zoneinfo

import varlink

from belfry_harness import (
    INTERFACE, DaemonTest, Refused, microseconds, wait_until)
from test_command import instant, run

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


def wire(year, month, day, hour=0, minute=0, zone=datetime.timezone.utc):
    """A wall clock of a zone as the wire's instant."""
    moment = datetime.datetime(year, month, day, hour, minute, tzinfo=zone)
    return int(moment.timestamp()) * 1_000_000


def explained(*words, **environment):
    """Rows of `next --explain` as (wall clock with offset, because)."""
    status, out, err = run("next", *words, "--explain", "--json", **environment)
    assert status == 0, err
    return [
        (row["at"].replace(":00.000000", ""), row["because"])
        for row in map(json.loads, out.splitlines())]


class Next(unittest.TestCase):
    """`belfry next` alone: no daemon, zones read by the command itself."""

    def test_T5_explain_says_which_rule_moved_it(self):
        rows = explained("--at", "2055-03-27T02:30", "--repeat", "day", "-n", "3",
                         "--time-zone", "Europe/Berlin")
        self.assertEqual(rows, [
            ("2055-03-27T02:30+01:00", None),
            ("2055-03-28T03:30+02:00",
             "02:30 does not exist on 2055-03-28 in Europe/Berlin: 03:30"),
            ("2055-03-29T02:30+02:00", None)])

    def test_T5_policies(self):
        draft = ["--at", "2055-10-30T02:30", "--repeat", "day", "--time-zone", "Europe/Berlin"]
        for policy, days in (("first", ["30T02:30+02:00", "31T02:30+02:00"]),
                             ("last", ["30T02:30+02:00", "31T02:30+01:00"]),
                             ("both", ["30T02:30+02:00", "31T02:30+02:00", "31T02:30+01:00"])):
            rows = explained(*draft, "--overlap", policy, "-n", str(len(days)))
            self.assertEqual([at for at, _ in rows], [f"2055-10-{day}" for day in days])
        draft[1] = "2055-03-27T02:30"
        rows = explained(*draft, "--gap", "next", "-n", "2")
        self.assertEqual(rows[1][0], "2055-03-28T03:00+02:00")
        rows = explained(*draft, "--gap", "skip", "-n", "2")
        self.assertEqual(rows[1][0], "2055-03-29T02:30+02:00")

    def test_T4_month_ends(self):
        draft = ["--at", "2055-01-31T09:00Z", "--repeat", "month", "-n", "3"]
        self.assertEqual(explained(*draft), [
            ("2055-01-31T09:00Z", None),
            ("2055-02-28T09:00Z", "2055-02 has no day 31: its last, 2055-02-28"),
            ("2055-03-31T09:00Z", None)])
        rolled = explained(*draft, "--month-end", "roll")
        self.assertEqual(
            rolled[1],
            ("2055-03-01T09:00Z", "2055-02 has no day 31: the day after its last, 2055-03-01"))

    def test_T6_rules_with_dates_taken_out_and_added(self):
        rows = explained(
            "--at", "2055-01-29T09:00", "--rrule", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3",
            "--exdate", "2055-02-26T09:00", "--rdate", "2055-02-01T09:00,2055-02-02T09:00",
            "-n", "9")
        self.assertEqual(rows, [
            ("2055-01-29T09:00Z", None), ("2055-02-01T09:00Z", "added by rdate"),
            ("2055-02-02T09:00Z", "added by rdate"), ("2055-03-26T09:00Z", None)])

    def test_T6_every_until_and_count(self):
        for words, days in ((["--every", "10", "--count", "3"], [1, 11, 21]),
                            (["--every", "10", "--until", "2055-01-11T07:00"], [1, 11])):
            rows = explained("--at", "2055-01-01T07:00", "--repeat", "day", *words)
            self.assertEqual([at for at, _ in rows], [f"2055-01-{day:02}T07:00Z" for day in days])

    def test_N6_calendars_of_the_core_and_one_nobody_knows(self):
        rows = explained("--at", "2055-01-31T07:00", "--repeat", "month", "--calendar",
                         "buddhist", "-n", "2")
        self.assertEqual(rows[1][0], "2055-02-28T07:00Z")

    def test_bad_input_is_named_with_its_position(self):
        day = ["--at", "2055-01-31T09:00", "--rrule"]
        for words, status, says in (
                ([*day, "FREQ=DAILY;COUNT=3;UNTIL=20560101"], 2, "(character 20)"),
                ([*day, "FREQ=DAILY;BYSETPOS=1"], 2, "(character 12)"),
                ([*day, "INTERVAL=2"], 2,
                 "FREQ is missing; a rule says how often, as FREQ=DAILY (character 11)"),
                ([*day, "FREQ=DAILY;INTERVAL=0"], 2, "(character 21)"),
                ([*day, "FREQ=DAILY;INTERVAL=1000000000000"], 2, "(character 21)"),
                ([*day, "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], 1, "nothing of it"),
                ([*day, "FREQ=DAILY;UNTIL=20260101"], 1,
                 "UNTIL lies before the start, so nothing would ever be due (character 12)"),
                ([*day, "FREQ=DAILY;UNTIL=20260101T000000Z"], 1, "UNTIL lies before the start"),
                ([*day, "FREQ=DAILY", "--exdate",
                  ",".join(["09:00"] * 10_000)], 1, "at most 1000 dates"),
                (["--at", "07:00", "--repeat", "era"], 2, "nothing can repeat every era"),
                (["--at", "07:00", "--repeat", "nanosecond"], 2, "every nanosecond"),
                (["--at", "07:00", "--repeat", "day", "--every", "0"], 1, "--every: "),
                (["--at", "07:00", "--repeat", "day", "--every", "1" + "0" * 12], 1, "--every: "),
                (["--at", "2055-01-02T07:00", "--repeat", "day", "--until", "2055-01-01T07:00"],
                 1, "--until: it lies before --at"),
                (["--at", "07:00", "--time-zone", "Europe/Berln"], 1, "mean Europe/Berlin?"),
                (["--at", "07:00", "--time-zone", "../../etc/passwd"], 1, "no name of a time"),
                (["--at", "07:00", "--repeat", "month", "--calendar", "discordian"], 1,
                 "--calendar: there is no calendar")):
            got, out, err = run("next", *words)
            self.assertEqual((got, out), (status, ""), words)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(says, err)

    def test_a_hostile_zone_file_is_a_refusal(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        for name, data in (("Cut", b"TZif2" + bytes(20)), ("Junk", b"\xff" * 3000),
                           ("Empty", b"")):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            os.makedirs(os.path.join(folder, "Folder"), exist_ok=True)
            status, _, err = run("next", "--at", "07:00", "--time-zone", name, TZDIR=folder)
            self.assertEqual(status, 1)
            self.assertIn(f"{name} is of no use", err)
        status, _, err = run("next", "--at", "07:00", "--time-zone", "Folder", TZDIR=folder)
        self.assertEqual(status, 1, err)


class Scheduling(DaemonTest):
    def setUp(self):
        self.zones = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.zones)
        self.localtime = os.path.join(self.zones, "localtime")
        self.move_board("Europe/Berlin")
        self.bells = self.daemon("[plugin:console]\nfile = console\n", arguments=["--localtime", self.localtime])

    def move_board(self, name):
        """Swaps the link, as timedatectl does."""
        os.symlink(f"/usr/share/zoneinfo/{name}", self.localtime + ".new")
        os.rename(self.localtime + ".new", self.localtime)

    def belfry(self, *words):
        """By the daemon's zone, since no TZ says otherwise."""
        status, out, err = run(*words, socket=self.bells.socket, TZ=None)
        self.assertEqual((status, err), (0, ""), words)
        return out

    def rows(self, *words):
        return [json.loads(line) for line in self.belfry(*words, "--json").splitlines()]

    def next(self, identifier):
        return self.bells.call("Next", {"identifier": identifier})["instants"][0]

    def test_T3_answers_tell_the_mode_in_local_words(self):
        for words, says in (
                (["--at", "2055-01-04T07:00"], r"Mon 2055-01-04 07:00 in Europe/Berlin, floating"),
                (["--at", "2055-01-04T07:00Z"], r"Mon 2055-01-04 08:00 in Europe/Berlin, absolute"),
                (["--at", "2055-01-04T07:00", "--time-zone", "Asia/Tokyo"],
                 r"Sun 2055-01-03 23:00 in Europe/Berlin, zoned: Mon 2055-01-04 07:00 in Asia/Tokyo"),
                (["--at", "2055-01-04T07:00", "--zone-mode", "zoned"],
                 r"Mon 2055-01-04 07:00 in Europe/Berlin, zoned")):
            out = self.belfry("schedule", "--id", "a", "--body", "x", *words)
            self.assertRegex(
                out, r"^(scheduled|replaced) a: in \d+ d( \d+ h)?, " + says + r"; without sound\n$")
            row = json.loads(self.belfry("schedule", "--body", "x", "--json", *words))
            self.assertIn(row["mode"], says)

    def test_T2_floating_follows_the_board_and_zoned_does_not(self):
        at = wire(2055, 7, 1, 5)
        for mode in ("absolute", "floating", "zoned"):
            note = {"identifier": mode, "fireDate": at, "alertBody": mode, "zoneMode": mode}
            if mode != "absolute":
                note["timeZone"] = "Europe/Berlin"
            self.assertEqual(self.bells.schedule(**note)["next"], at)
        self.move_board("America/Chicago")
        chicago = wire(2055, 7, 1, 7, zone=zoneinfo.ZoneInfo("America/Chicago"))
        wait_until(lambda: self.next("floating") == chicago, what="floating in Chicago")
        self.assertEqual([self.next("absolute"), self.next("zoned")], [at, at])
        self.assertEqual(
            {row["identifier"]: row["mode"] for row in self.rows("list")},
            {"absolute": "absolute", "floating": "floating", "zoned": "zoned"})
        self.bells.call("Cancel", {"identifiers": ["absolute", "zoned"]})
        status, = self.rows("status")
        self.assertEqual(status["nextMode"], "floating")

    def test_N19_T2_doctor_names_what_expires_before_its_clocks_come_to_it(self):
        self.belfry("schedule", "--id", "pill", "--body", "x", "--at", "2055-07-01T07:00", "--expires", "2055-07-01T08:00")
        rows = lambda: [row for row in map(json.loads, run("doctor", "--json", socket=self.bells.socket)[1].splitlines())
                        if row["check"] == "expires"]
        self.assertEqual(rows(), [])
        self.move_board("America/Chicago")
        wait_until(lambda: [row["finding"] for row in rows()] == [
            f"user.{os.getuid()} pill will not be shown: due only after --expires"], what="doctor says so")

    def test_T2_the_table(self):
        """2013-08-31T19:00Z, thirty years on, for a board in Chicago."""
        at = wire(2043, 8, 31, 19)
        self.move_board("America/Chicago")
        chicago = zoneinfo.ZoneInfo("America/Chicago")
        for zone, due in (("America/Los_Angeles", wire(2043, 8, 31, 12, zone=chicago)),
                          ("GMT", wire(2043, 8, 31, 19, zone=chicago)), (None, at)):
            note = {"identifier": "t", "fireDate": at, "alertBody": "x"}
            if zone:
                note["timeZone"] = zone
            self.bells.schedule(**note)
            wait_until(lambda: self.next("t") == due, what=f"{zone} in Chicago")

    def test_plans_survive_a_restart(self):
        words = ["schedule", "--body", "x", "--id"]
        self.belfry(*words, "unit", "--at", "2055-01-31T07:00", "--repeat", "month", "--every",
                    "2", "--month-end", "roll", "--until", "2056-01-31T07:00", "--gap", "next")
        self.belfry(*words, "rule", "--at", "2055-01-29T07:00", "--rrule",
                    "FREQ=MONTHLY;BYDAY=-1FR", "--exdate", "2055-02-26T07:00", "--rdate",
                    "2055-02-01T07:00", "--time-zone", "Asia/Tokyo", "--tolerance", "90")
        before = self.rows("list")
        told = {name: self.rows("next", name, "-n", "5") for name in ("unit", "rule")}
        self.assertEqual(
            {key: before[0][key] for key in ("every", "monthEnd", "gap", "mode")},
            {"every": 2, "monthEnd": "roll", "gap": "next", "mode": "floating"})
        self.assertEqual(before[1]["rrule"], "FREQ=MONTHLY;BYDAY=-1FR")
        self.assertEqual((before[1]["timeZone"], before[1]["tolerance"]), ("Asia/Tokyo", 90_000_000))
        self.bells.kill()
        self.bells.start()
        self.assertEqual(self.rows("list"), before)
        for name, rows in told.items():
            self.assertEqual(self.rows("next", name, "-n", "5"), rows)

    def test_N18_next_of_what_is_scheduled_explains(self):
        self.belfry("schedule", "--id", "a", "--body", "x", "--at", "2055-03-27T02:30",
                    "--repeat", "day")
        rows = self.rows("next", "a", "-n", "3", "--explain")
        self.assertEqual(
            rows[1]["because"], "02:30 does not exist on 2055-03-28 in Europe/Berlin: 03:30")
        self.assertIsNone(rows[0]["because"])
        self.assertEqual(
            [instant(row["at"]).astimezone(BERLIN).hour for row in rows], [2, 3, 2])

    def test_N1_N15_N16_equality_holds_over_the_new_fields(self):
        note = {"identifier": "a", "fireDate": wire(2055, 1, 29, 6), "alertBody": "x",
                "timeZone": "Europe/Berlin", "zoneMode": "zoned", "rrule": "freq=daily;interval=1",
                "exdate": [wire(2055, 2, 2, 6), wire(2055, 2, 1, 6)], "gap": "next",
                "tolerance": 5_000_000}
        self.bells.schedule(**note)
        same = {**note, "rrule": "FREQ=DAILY", "exdate": note["exdate"][::-1]}
        self.assertTrue(self.bells.schedule(**same)["unchanged"])
        for change in ({"gap": "skip"}, {"tolerance": 0}, {"exdate": []}, {"zoneMode": "floating"},
                       {"rrule": "FREQ=WEEKLY"}, {"timeZone": "Europe/Paris"}):
            other = {key: value for key, value in {**note, **change}.items() if key != "identifier"}
            self.assertEqual(self.bells.call("Cancel", {"equal": other})["cancelled"], 0, change)
        listed = [row["notification"] for row in self.bells.listed()]
        reply = self.bells.call("ReplaceAll", {"notifications": listed, "final": True})
        self.assertEqual((reply["unchanged"], reply["replaced"]), (1, 0))

    def test_bad_input_changes_nothing(self):
        self.bells.schedule(identifier="a", fireDate=microseconds(3600), alertBody="x")
        before = self.bells.listed()
        day = {"fireDate": wire(2055, 1, 31, 9)}
        for note, field, code in (
                ({"timeZone": "Not/There"}, "timeZone", "unknown"),
                ({"timeZone": "../../etc/passwd"}, "timeZone", "unknown"),
                ({"timeZone": ""}, "timeZone", "malformed"),
                ({"zoneMode": "zoned"}, "timeZone", "missing"),
                ({"zoneMode": "local"}, "zoneMode", "unknown"),
                ({"rrule": "FREQ=DAILY;COUNT=3;UNTIL=20560101"}, "rrule", "conflict"),
                ({"rrule": "FREQ=DAILY;BYSETPOS=1"}, "rrule", "conflict"),
                ({"rrule": "INTERVAL=2"}, "rrule", "missing"),
                ({"rrule": "FREQ=DAILY;INTERVAL=0"}, "rrule", "outOfRange"),
                ({"rrule": "FREQ=DAILY;INTERVAL=1000000000000"}, "rrule", "outOfRange"),
                ({"rrule": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}, "rrule", "outOfRange"),
                ({"rrule": "FREQ=DAILY;UNTIL=20260101T000000Z"}, "rrule", "conflict"),
                ({"rrule": "FREQ=DAILY", "exdate": [1] * 10_000}, "exdate", "tooLong"),
                ({"rrule": "FREQ=DAILY", "exdate": [1, "2"]}, "exdate[1]", "wrongType"),
                ({"exdate": [1]}, "exdate", "conflict"),
                ({"repeatInterval": "era"}, "repeatInterval", "unknown"),
                ({"repeatInterval": "nanosecond"}, "repeatInterval", "unknown"),
                ({"repeatInterval": "day", "every": 0}, "every", "outOfRange"),
                ({"repeatInterval": "day", "every": 10 ** 12}, "every", "outOfRange"),
                ({"every": 2}, "every", "conflict"),
                ({"repeatInterval": "day", "until": 1}, "until", "outOfRange"),
                ({"repeatInterval": "day", "count": 0}, "count", "outOfRange"),
                ({"repeatInterval": "month", "repeatCalendar": "discordian"}, "repeatCalendar",
                 "unknown"),
                ({"tolerance": -1}, "tolerance", "outOfRange")):
            for method, parameters in (("Schedule", {}), ("Next", {"count": 1000})):
                with self.assertRaises(Refused, msg=note) as caught:
                    self.bells.call(
                        method, {"notification": {**day, "alertBody": "x", **note}, **parameters})
                found = caught.exception.parameters
                self.assertEqual((found["field"], found["code"]), (field, code), found)
        self.assertEqual(self.bells.listed(), before)


class HostileZones(DaemonTest):
    def test_a_zone_file_that_is_cut_is_named_and_the_daemon_goes_on(self):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy("/usr/share/zoneinfo/Europe/Berlin", os.path.join(folder, "Good"))
        with open(os.path.join(folder, "Good"), "rb") as file:
            data = file.read()
        for name, bad in (("Cut", data[: len(data) // 2]), ("Junk", b"\xff" * 5000)):
            with open(os.path.join(folder, name), "wb") as file:
                file.write(bad)
        bells = self.daemon(arguments=["--zoneinfo", folder])
        at = wire(2055, 1, 31, 9)
        for name in ("Cut", "Junk"):
            with self.assertRaises(Refused) as caught:
                bells.schedule(fireDate=at, alertBody="x", timeZone=name)
            self.assertEqual(caught.exception.parameters["field"], "timeZone")
            self.assertIn("of no use", caught.exception.parameters["reason"])
        self.assertEqual(
            bells.schedule(fireDate=at, alertBody="x", timeZone="Good", zoneMode="zoned")["next"],
            at)


class SwappedZones(DaemonTest):
    """The board's zone file is replaced in ways that a package manager or a person does it."""

    def setUp(self):
        self.zones = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.zones)
        self.localtime = os.path.join(self.zones, "localtime")

    def copy(self, hours):
        """As `cp -p` does it: in place, with the size and the modification time of before."""
        shutil.copy2(f"/usr/share/zoneinfo/Etc/GMT-{hours}", self.localtime)

    def test_T7_T2_a_copy_that_keeps_time_and_size_is_noticed(self):
        self.copy(9)
        bells = self.daemon(arguments=["--localtime", self.localtime])
        at = microseconds(100 * 3600)
        bells.schedule(identifier="a", fireDate=at, alertBody="x", timeZone="UTC")
        for hours in (3, 9, 4):
            self.copy(hours)
            wait_until(
                lambda due=at - hours * 3_600_000_000:
                bells.call("Next", {"identifier": "a"})["instants"] == [due],
                what=f"the zone of {hours} h")
        self.assertEqual(bells.history(), [])

    def test_T2_N2_what_is_scheduled_just_after_a_change_goes_by_the_new_zone(self):
        """Judged by the zone of before, an alarm in an hour is past, and rings at once."""
        self.copy(9)
        bells = self.daemon(arguments=["--localtime", self.localtime])
        for number in range(12):
            if number == 4:
                # From here on something floats, and the file is watched.
                bells.schedule(identifier="far", fireDate=microseconds(90 * 86_400),
                               alertBody="x", timeZone="UTC")
            hours = [3, 9][number % 2]
            self.copy(hours)
            at = microseconds(3600)
            reply = bells.schedule(identifier=f"{number}", fireDate=at, alertBody="x",
                                   timeZone=f"Etc/GMT-{hours}")
            self.assertEqual((reply["scheduled"], reply.get("next")), (True, at), number)
            # By the next zone it would be past, and rightly ring.
            bells.call("Cancel", {"identifiers": [f"{number}"]})
        rung = [row for row in bells.history() if row["state"] != "cancelled"]
        self.assertEqual(rung, [])

    def test_T2_what_floats_does_not_fire_while_the_zone_file_is_swapped(self):
        """A board 10 h west of UTC, alarms 2 h ahead: they fire by UTC, or by rules of any other zone
        east of it. Each start, and each change, meets the file broken or missing for a moment."""
        west = "/usr/share/zoneinfo/Etc/GMT+10"
        shutil.copy(west, self.localtime)
        bells = self.daemon(arguments=["--localtime", self.localtime])
        with open(west, "rb") as file:
            rules = file.read()
        at = microseconds(2 * 3600)
        for number in range(5):
            bells.schedule(
                identifier=f"a{number}", fireDate=at, alertBody="x", timeZone="Etc/GMT+10")

        def swap(meanwhile):
            for broken in (rules[:60], b"", b"junk"):
                with open(self.localtime, "wb") as file:
                    file.write(broken)
                meanwhile()
                shutil.copy(west, self.localtime + ".new")
                os.rename(self.localtime + ".new", self.localtime)
                meanwhile()

        swap(bells.listed)
        for _ in range(3):
            bells.kill()
            os.unlink(self.localtime)
            os.mkfifo(self.localtime)
            bells.start(wait=False)
            # A FIFO is no zone file. Opening it waits until the daemon has tried to read it.
            os.close(os.open(self.localtime, os.O_WRONLY))
            shutil.copy(west, self.localtime + ".new")
            os.rename(self.localtime + ".new", self.localtime)
            wait_until(bells.answers, what="an answer")
            rows = {row["notification"]["identifier"]: row["next"] for row in bells.listed()}
            self.assertEqual(rows, {f"a{number}": at for number in range(5)}, bells.log_text())
        self.assertEqual(bells.history(), [])


class PackageClient(DaemonTest):
    """The varlink package from PyPI, unmodified."""

    def test_repeats_in_zones(self):
        bells = self.daemon()
        with varlink.Client.new_with_address("unix:" + bells.socket) as client:
            with client.open(INTERFACE) as belfry:
                note = {"identifier": "n", "alertBody": "x", "timeZone": "Europe/Berlin",
                        "zoneMode": "zoned", "fireDate": wire(2055, 3, 27, 2, 30, BERLIN),
                        "repeatInterval": "day", "every": 1, "gap": "shift", "overlap": "both",
                        "until": wire(2055, 3, 29, 2, 30, BERLIN), "tolerance": 1_000_000}
                reply = belfry.Next(notification=note, count=5)
                self.assertEqual(
                    reply["instants"],
                    [wire(2055, 3, 27, 1, 30), wire(2055, 3, 28, 1, 30), wire(2055, 3, 29, 0, 30)])
                self.assertEqual(
                    reply["because"],
                    ["", "02:30 does not exist on 2055-03-28 in Europe/Berlin: 03:30", ""])
                self.assertTrue(belfry.Schedule("app", note)["scheduled"])
                kept = belfry.List("app")["notifications"][0]["notification"]
                left_out = ("every", "gap")
                self.assertEqual(
                    kept, {key: note[key] for key in note if key not in left_out})
                rule = {"identifier": "r", "alertBody": "x", "fireDate": wire(2055, 1, 29, 9),
                        "rrule": "FREQ=MONTHLY;BYDAY=-1FR", "rdate": [wire(2055, 2, 1, 9)],
                        "exdate": [wire(2055, 2, 26, 9)]}
                belfry.Schedule("app", rule)
                self.assertEqual(
                    belfry.Next(app="app", identifier="r", count=3),
                    {"instants": [wire(2055, 1, 29, 9), wire(2055, 2, 1, 9), wire(2055, 3, 26, 9)],
                     "because": ["", "added by rdate", ""]})


if __name__ == "__main__":
    unittest.main()
