"""Which clocks the command line reads and writes times by, and what it says of them."""
import datetime
import json
import os
import shutil
import tempfile
import unittest
import zoneinfo

from belfry_harness import DaemonTest
from test_command import instant, run

BERLIN = zoneinfo.ZoneInfo("Europe/Berlin")


class InBerlin(DaemonTest):
    """A daemon whose board is in Berlin, on a machine that is elsewhere."""

    def setUp(self):
        self.zones = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.zones)
        localtime = os.path.join(self.zones, "localtime")
        os.symlink("/usr/share/zoneinfo/Europe/Berlin", localtime)
        self.bells = self.daemon(arguments=["--localtime", localtime])

    def belfry(self, *words, **environment):
        return run(*words, socket=self.bells.socket, **environment)

    def good(self, *words, **environment):
        status, out, err = self.belfry(*words, **environment)
        self.assertEqual((status, err), (0, ""), words)
        return out

    def test_T2_next_and_schedule_read_by_the_boards_clocks_whatever_TZ_says(self):
        for zone in (None, "UTC", "Asia/Kolkata"):
            out = self.good("next", "--at", "2027-01-04T07:00", "-n", "1", "--json", TZ=zone)
            row = json.loads(out)
            self.assertEqual((instant(row["at"]).astimezone(BERLIN).hour, row["zone"]),
                             (7, "Europe/Berlin"))
            answer = json.loads(self.good("schedule", "--body", "x", "--at", "2027-01-04T07:00",
                                          "--expires", "2027-01-04T09:00", "--json", TZ=zone))
            self.assertEqual(instant(answer["next"]), instant(row["at"]))
            self.assertEqual(answer["zone"], "Europe/Berlin")

    def test_T2_the_answer_says_whose_clocks_are_meant(self):
        words = ("--at", "2027-01-04T07:00")
        schedule = ("schedule", "--id", "a", "--body", "x", *words)
        self.assertIn(", Mon 2027-01-04 07:00 in Europe/Berlin, floating\n",
                      self.good(*schedule, TZ=None))
        self.assertIn(", Mon 2027-01-04 11:30 in Asia/Kolkata, floating: Mon 2027-01-04 07:00 in"
                      " Europe/Berlin\n", self.good(*schedule, TZ="Asia/Kolkata"))
        head, row = self.good("next", *words, TZ="Asia/Kolkata").splitlines()
        self.assertRegex(head, r"^WHEN IN Asia/Kolkata  AT IN Europe/Berlin +FROM NOW$")
        self.assertRegex(row, r"^Mon 2027-01-04 11:30  2027-01-04T07:00:00.000000\+01:00  in ")

    def test_T1_schedule_warns_of_a_repeat_that_drifts(self):
        words = ("schedule", "--id", "bell", "--body", "x", "--at", "2027-01-04T08:00+01:00",
                 "--repeat", "week")
        status, out, err = self.belfry(*words)
        self.assertEqual(status, 0)
        self.assertTrue(out.startswith("scheduled bell: "), out)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertIn("belfry: warning: it repeats by UTC: from 2027-03-29 on at 09:00", err)
        row = json.loads(self.good(*words, "--json"))
        self.assertIn("--time-zone Europe/Berlin keeps", row["warning"])
        row = json.loads(self.good(*words, "--json", "--zone-mode", "absolute"))
        self.assertNotIn("warning", row)
        self.good(*words, "--time-zone", "Europe/Berlin")


    def test_N2_a_past_date_is_refused_here_and_rings_at_once_on_the_wire(self):
        for words in (("schedule", "--body", "x"), ("next",)):
            status, out, err = self.belfry(*words, "--at", "2025-01-04T07:00", TZ="Asia/Kolkata")
            self.assertEqual((status, out), (1, ""))
            self.assertRegex(err, r"^belfry: --at: Sat 2025-01-04 07:00 in Europe/Berlin is past"
                                  r" \(\d+ d( \d+ h)? ago\); for at once there is --now\n$")
        past = self.bells.call("Schedule", {"notification": {"alertBody": "x", "fireDate": 1}})
        self.assertTrue(past["scheduled"])
        # One to come: a second that runs may have ended, and more than a second is past.
        second = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=2)
        self.good("schedule", "--body", "x", "--at", second.strftime("%Y-%m-%dT%H:%M:%SZ"))


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

    def test_without_a_daemon_the_machines_zone_reads(self):
        there = datetime.datetime(2027, 1, 4, 7).astimezone()
        _, out, _ = run("next", "--at", "2027-01-04T07:00", "-n", "1", "--json", TZ="Asia/Kolkata")
        self.assertEqual(instant(json.loads(out)["at"]), there)


if __name__ == "__main__":
    unittest.main()
