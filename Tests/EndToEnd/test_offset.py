"""E4, E5: notifications that are due before or after their times, and several rules of one."""
import datetime
import json
import os
import subprocess

from belfry_harness import PATIENCE, Refused, microseconds, programs, recorded
from stepped import SECOND, SteppedTest

UTC = datetime.timezone.utc


def moment(daemon, seconds):
    """A whole second from now on, for the command line."""
    return datetime.datetime.fromtimestamp(daemon.clock.now // SECOND + seconds, UTC)


def stamp(instant):
    return instant.isoformat().replace("+00:00", "Z")


def parse(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class Offsets(SteppedTest):
    def belfry(self, daemon, *words):
        """Exit status and all that was said."""
        socket = ["--socket", daemon.socket] if daemon else []
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), *socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def does(self, daemon, *words):
        status, said = self.belfry(daemon, *words)
        self.assertEqual(status, 0, said)
        return said

    def refuses(self, daemon, field, *words):
        status, said = self.belfry(daemon, *words)
        self.assertIn(status, (1, 2), said)
        self.assertEqual(len(said.strip().splitlines()), 1, said)
        self.assertIn(field, said)
        return said

    def next_of(self, daemon, *words):
        rows = self.does(daemon, "next", *words, "--json").splitlines()
        return [json.loads(row) for row in rows]

    def rung(self):
        return [row["identifier"] for row in recorded(self.out)]

    def test_E4_D7_a_repeat_is_due_before_its_time_and_kill_9_keeps_its_id(self):
        daemon = self.stepped()
        start = moment(daemon, 3600)
        self.does(daemon, "schedule", "--id", "bell", "--body", "b", "--at", stamp(start),
                  "--repeat", "day", "--offset", "-15m")
        due = start - datetime.timedelta(minutes=15)
        rows = self.next_of(daemon, "bell", "-n", "2", "--explain")
        self.assertEqual(
            [parse(row["at"]) for row in rows], [due, due + datetime.timedelta(days=1)])
        self.assertIn("15 min before the occurrence at", rows[0]["because"])
        row = daemon.listed()[0]
        self.assertEqual(row["notification"]["offset"], "-PT15M")
        self.assertEqual(row["next"], int(due.timestamp()) * 1_000_000)
        self.does(daemon, "edit", "bell", "--offset", "-3590s")
        before = daemon.listed()[0]["next"]
        daemon.kill()
        daemon.start()
        self.assertEqual(daemon.listed()[0]["next"], before)
        daemon.run(11)
        self.assertEqual(self.rung(), ["bell"])
        # The edit has left a row of what it replaced.
        history = self.handed_over(daemon)
        self.assertEqual({row["due"] for row in history}, {before})
        # k is the occurrence's own: the first of all.
        self.assertEqual({row["occurrence"].split(".")[2] for row in history}, {"0"})
        again = {row["occurrence"] for row in history}
        daemon.kill()
        daemon.start()
        self.assertEqual({row["occurrence"] for row in self.handed_over(daemon)}, again)
        self.assertEqual(daemon.listed()[0]["next"], before + 86_400 * 1_000_000)

    def handed_over(self, daemon):
        return [row for row in daemon.history()
                if row["identifier"] == "bell" and row["state"] != "replaced"]

    def test_E4_a_one_shot_fires_after_its_date(self):
        daemon = self.stepped()
        daemon.schedule(identifier="tea", alertBody="x", offset="PT3S",
                        fireDate=daemon.clock.microseconds(-1))
        daemon.run(1.999)
        self.assertEqual(self.rung(), [])
        daemon.run(0.001)
        self.assertEqual(self.rung(), ["tea"])
        self.assertEqual(daemon.listed(), [])

    def test_E5_D7_several_rules_ring_as_one_and_kill_9_keeps_them(self):
        daemon = self.stepped()
        start = moment(daemon, 86_400)
        self.does(daemon, "schedule", "--id", "bell", "--body", "b", "--at", stamp(start),
                  "--rrule", "FREQ=DAILY;COUNT=2", "--rrule", "FREQ=HOURLY;INTERVAL=12;COUNT=4")
        hours = [0, 12, 24, 36]
        dues = [start + datetime.timedelta(hours=hour) for hour in hours]
        found = [parse(row["at"]) for row in self.next_of(daemon, "bell", "-n", "9")]
        self.assertEqual(found, dues)
        rules = daemon.listed()[0]["notification"]["rrules"]
        self.assertEqual(rules, ["FREQ=DAILY;COUNT=2", "FREQ=HOURLY;INTERVAL=12;COUNT=4"])
        daemon.kill()
        daemon.start()
        found = [parse(row["at"]) for row in self.next_of(daemon, "bell", "-n", "9")]
        self.assertEqual(found, dues)
        # One rule alone takes the place of all of them.
        self.does(daemon, "edit", "bell", "--rrule", "FREQ=DAILY;COUNT=3")
        fields = daemon.listed()[0]["notification"]
        self.assertEqual((fields.get("rrule"), fields.get("rrules")),
                         ("FREQ=DAILY;COUNT=3", None))
        self.does(daemon, "edit", "bell", "--rrule", "FREQ=DAILY", "--rrule", "FREQ=HOURLY")
        self.does(daemon, "edit", "bell", "--repeat", "day")
        fields = daemon.listed()[0]["notification"]
        self.assertEqual((fields.get("repeatInterval"), fields.get("rrules")), ("day", None))

    def test_E5_rules_by_the_second_fire_once_each(self):
        daemon = self.stepped()
        due = daemon.clock.microseconds(2)
        daemon.schedule(identifier="bell", alertBody="x", fireDate=due,
                        rrules=["FREQ=SECONDLY;INTERVAL=2;COUNT=2", "FREQ=SECONDLY;COUNT=3"])
        daemon.run(60)
        self.assertEqual(daemon.listed(), [])
        self.assertEqual([int(row["due"]) // 1000 for row in recorded(self.out)],
                         [due + number * 1_000_000 for number in range(3)])

    def test_E4_E5_next_without_a_daemon(self):
        rows = self.next_of(
            None, "--at", "2055-03-28T09:00", "--time-zone", "Europe/Berlin", "--repeat", "day",
            "--offset", "-1d", "-n", "2")
        self.assertEqual([parse(row["at"]) for row in rows],
                         [parse("2055-03-27T08:00:00+00:00"), parse("2055-03-28T07:00:00+00:00")])
        rows = self.next_of(
            None, "--at", "2055-01-04T09:00Z", "--rrule", "FREQ=WEEKLY;BYDAY=MO,TU", "--rrule",
            "FREQ=WEEKLY;BYDAY=TU,WE", "-n", "3", "--offset=P1D")
        self.assertEqual([parse(row["at"]).day for row in rows], [5, 6, 7])

    def test_A4_E4_E5_what_is_wrong_is_one_line_that_names_the_field(self):
        daemon = self.stepped()
        base = ["schedule", "--body", "b", "--at", stamp(moment(daemon, 3600)), "--repeat", "day"]
        self.assertIn("366", self.refuses(daemon, "--offset", *base, "--offset", "400d"))
        self.refuses(daemon, "--offset", *base, "--offset", "-P400D")
        self.refuses(daemon, "--offset", *base, "--offset", "soon")
        nine = [word for _ in range(9) for word in ("--rrule", "FREQ=DAILY")]
        rules = ["schedule", "--body", "b", "--at", stamp(moment(daemon, 3600)), *nine]
        self.assertIn("at most 8", self.refuses(daemon, "--rrule", *rules))
        self.refuses(daemon, "--offset", "schedule", "--body", "b", "--region", "52,13,100",
                     "--offset", "-15m")
        self.refuses(daemon, "--offset", "schedule", "--body", "b", "--in", "10m", "--offset",
                     "-1m")
        self.refuses(daemon, "--offset", "schedule", "--body", "b", "--now", "--offset", "1m")
        for fields, field in (
                ({"offset": "-P400D", "fireDate": microseconds(9)}, "offset"),
                ({"rrules": ["FREQ=DAILY"] * 9, "fireDate": microseconds(9)}, "rrules"),
                ({"rrules": ["FREQ=DAILY"], "rrule": "FREQ=DAILY"}, "rrules"),
                ({"rrules": ["FREQ=DAILY", "FREQ=OFTEN"]}, "rrules[1]"),
                ({"offset": "PT1M", "region": {"latitude": 1.0, "longitude": 2.0,
                                               "radius": 100.0}}, "offset"),
                ({"offset": "PT1M", "fireIn": 60_000_000}, "offset")):
            with self.assertRaises(Refused) as refused:
                daemon.schedule(alertBody="b", **fields)
            self.assertEqual(refused.exception.name, "InvalidField")
            self.assertTrue(refused.exception.parameters["field"].endswith(field), fields)
        self.assertEqual(daemon.listed(), [])
