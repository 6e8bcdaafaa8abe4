"""N6: repeats in the calendars of plugins, from the command line to the sink and over restarts."""
import datetime
import json
import os
import shutil
import subprocess
import tempfile
import threading

from belfry_harness import (
    PATIENCE, ROOT, Refused, built_plugin, microseconds, programs, recorded, scratch, wait_until)
from stepped import SECOND, SteppedTest
from test_command import CommandTest, instant, run

CALENDARS = "[sound]\nenabled = no\n[plugin:console]\nfile = console\n[plugin:calendars]\nfile = calendars\n"
WHAT_TO_INSTALL = "install libbelfry-calendars.so"


def oracle(calendar, moment, unit, count):
    """The first days of a repeat as PyICU says, as dates."""
    anchor = (moment.date() - datetime.date(1970, 1, 1)).days
    done = subprocess.run(
        ["/usr/bin/python3", f"{ROOT}/Tests/Fixtures/calendar_oracle.py"], check=True,
        capture_output=True, text=True, input=f"{calendar} {anchor} {unit} 1 clamp {count}\n")
    return [datetime.date(1970, 1, 1) + datetime.timedelta(int(day)) for day in done.stdout.split()]


class Calendars(CommandTest, SteppedTest):
    def dates(self, rows):
        return [instant(row["at"]).date() for row in rows]

    def test_N6_a_hebrew_year_is_scheduled_listed_fired_and_kept_over_a_restart(self):
        self.bells = daemon = self.stepped("[plugin:calendars]\nfile = calendars\n")
        out = self.out
        first = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
        said = self.good(
            "schedule", "--id", "year", "--body", "Shana tova", "--repeat", "year", "--calendar",
            "hebrew", "--at", first.isoformat())
        self.assertIn("scheduled year: in ", said)
        days = oracle("hebrew", first, "year", 5)
        self.assertEqual(self.dates(self.rows("next", "year", "-n", "5")), days)
        daemon.run(3600 + 1)
        self.assertEqual(len(recorded(out)), 1)

        def kept():
            row, = self.rows("list")
            self.assertEqual(row["state"], "scheduled")
            self.assertEqual(instant(row["next"]).date(), days[1])
            self.assertGreater(days[1] - days[0], datetime.timedelta(352))
            self.assertEqual(self.dates(self.rows("next", "year", "-n", "4")), days[1:])
        kept()
        self.assertEqual(daemon.stop(), 0)
        daemon.start()
        wait_until(lambda: self.rows("list")[0]["state"] == "scheduled", what="the plugin")
        kept()
        daemon.kill()
        daemon.start()
        wait_until(lambda: self.rows("list")[0]["state"] == "scheduled", what="the plugin")
        kept()
        # D7: what has fired before does not fire again; the next years come when they are to.
        self.assertEqual(len(recorded(out)), 1)
        last = datetime.datetime.combine(days[-1], first.time(), datetime.timezone.utc)
        daemon.run_until(int(last.timestamp()) * SECOND + SECOND)
        rows = recorded(out)
        self.assertEqual([datetime.datetime.fromtimestamp(
            int(row["entered"]) // SECOND, datetime.timezone.utc).date() for row in rows], days)
        self.assertEqual([row["entered"] for row in rows], [row["due"] for row in rows])

    def test_N6_without_the_plugin_it_says_what_to_install(self):
        daemon = self.start(CALENDARS)
        words = ["--at", "2055-03-23T08:00Z", "--repeat", "year", "--calendar", "hebrew"]
        self.good("schedule", "--id", "purim", "--body", "Purim", *words)
        daemon.stop()
        daemon.configure("[sound]\nenabled = no\n[plugin:console]\nfile = console\n")
        daemon.start()
        line = self.refused("--calendar", "schedule", "--body", "x", *words)
        self.assertIn(WHAT_TO_INSTALL, line)
        with self.assertRaises(Refused) as refusal:
            daemon.schedule(
                alertBody="x", fireDate=microseconds(60), repeatInterval="month",
                repeatCalendar="persian")
        self.assertEqual(refusal.exception.parameters["field"], "repeatCalendar")
        self.assertIn(WHAT_TO_INSTALL, refusal.exception.parameters["reason"])
        daemon.says(WHAT_TO_INSTALL)
        # What was there waits, and says why.
        row, = self.rows("list")
        self.assertEqual((row["identifier"], row["next"], row["state"]), ("purim", None, "held"))
        self.assertIn("hebrew", row["reason"])
        # Weeks are the same in every calendar.
        self.good("schedule", "--body", "x", *words[:3], "week", *words[4:])
        daemon.stop()
        daemon.configure(CALENDARS)
        daemon.start()
        wait_until(
            lambda: [r["next"] for r in self.rows("list") if r["identifier"] == "purim"]
            == ["2055-03-23T08:00:00.000000Z"], what="its next")

    def test_N6_a_calendar_nobody_knows_is_refused(self):
        self.start(CALENDARS)
        line = self.refused(
            "--calendar", "schedule", "--body", "x", "--in", "1h", "--repeat", "month",
            "--calendar", "herbew")
        self.assertIn("did you mean hebrew?", line)
        self.assertEqual(self.rows("list"), [])

    def test_N18_next_needs_no_daemon(self):
        moment = datetime.datetime(2035, 2, 6, 8, tzinfo=datetime.timezone.utc)
        words = ["next", "--at", moment.isoformat(), "--repeat", "month", "-n", "300", "--json"]
        for calendar in ("chinese", "ethiopic", "islamic-umalqura"):
            status, out, err = run(*words, "--calendar", calendar)
            self.assertEqual((status, err), (0, ""))
            found = self.dates(json.loads(line) for line in out.splitlines())
            self.assertEqual(found, oracle(calendar, moment, "month", 300))

    def test_T3_T6_its_days_have_the_clocks_of_a_zone_and_an_end(self):
        self.start(CALENDARS)
        # Thirty days on, on 28 March, the clocks of Berlin do not show 02:30.
        words = ["--at", "2055-02-26T02:30", "--time-zone", "Europe/Berlin", "--repeat", "month",
                 "--calendar", "ethiopic", "--count", "3"]
        days = oracle("ethiopic", datetime.datetime(2055, 2, 26), "month", 3)
        self.assertEqual(days[1], datetime.date(2055, 3, 28))
        self.good("schedule", "--id", "x", "--body", "x", *words)
        for rows in (self.rows("next", "x", "-n", "9"), self.rows("next", "-n", "9", *words)):
            found = [instant(row["at"]).astimezone(datetime.timezone.utc) for row in rows]
            self.assertEqual([moment.date() for moment in found], days)
            self.assertEqual(
                [moment.strftime("%H:%M") for moment in found], ["01:30", "01:30", "00:30"])
        self.refused("--calendar", "schedule", "--body", "x", "--now", "--rrule", "FREQ=DAILY",
                     "--calendar", "hebrew")
        self.refused("count", "schedule", "--body", "x", "--now", "--repeat", "month",
                     "--month-end", "skip", "--count", "3", "--calendar", "hebrew")

    def test_N18_next_without_the_plugin_says_what_to_install(self):
        folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder)
        for name in ("belfry", "belfry-worker"):
            shutil.copy(os.path.join(programs(), name), folder)
        done = subprocess.run(
            [f"{folder}/belfry", "next", "--now", "--repeat", "year", "--calendar", "hebrew"],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(WHAT_TO_INSTALL, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_D8_a_hung_calendar_delays_no_other_notification(self):
        folder = tempfile.mkdtemp(dir=scratch())
        self.addCleanup(shutil.rmtree, folder)
        hung = built_plugin(folder, "calendar_hangs")
        self.bells = daemon = self.stepped(f"[plugin:calendars]\nfile = {hung}\n")
        refusal = {}

        def ask():
            try:
                daemon.schedule(
                    identifier="moon", alertBody="moon",
                    fireDate=daemon.clock.microseconds(60), repeatInterval="month",
                    repeatCalendar="hebrew")
            except Refused as error:
                refusal["reason"] = error.parameters["reason"]
        asker = threading.Thread(target=ask)
        asker.start()
        # The same app goes on, and what it schedules is on time all the while.
        due = daemon.clock.microseconds(0.5)
        for number in range(100):
            daemon.schedule(
                identifier=f"a{number}", alertBody="tea", fireDate=due + number * 1_000_000)
        daemon.run(3)
        self.assertTrue(asker.is_alive(), "it was answered after the calendar, not before")
        daemon.run(100)
        self.assertEqual([(int(row["due"]), int(row["entered"])) for row in recorded(self.out)],
                         [((due + number * 1_000_000) * 1000,) * 2 for number in range(100)])
        asker.join(PATIENCE)
        self.assertIn("calendars gave no answer", refusal["reason"])
        self.assertEqual(self.rows("list"), [])

    def test_D8_a_calendar_that_crashes_is_a_refusal(self):
        daemon = self.daemon(start=False)
        crashing = built_plugin(daemon.directory, "calendar_crashes")
        daemon.configure(f"[sound]\nenabled = no\n[plugin:calendars]\nfile = {crashing}\n")
        self.bells = daemon.start(SWIFT_BACKTRACE="enable=no")
        line = self.refused(
            "--calendar", "schedule", "--body", "x", "--in", "1h", "--repeat", "month",
            "--calendar", "hebrew")
        self.assertIn("gave no answer", line)
        self.assertEqual(self.rows("list"), [])

    def test_D7_a_killed_calendar_worker_is_asked_again(self):
        daemon = self.start(CALENDARS)
        words = ["--body", "x", "--in", "1h", "--repeat", "month", "--calendar"]
        self.good("schedule", *words, "hebrew")
        plugins = {row["name"]: row["pid"] for row in daemon.call("Status")["status"]["plugins"]}
        os.kill(plugins["calendars"], 9)
        # It waits for the next one.
        self.good("schedule", *words, "chinese")
        self.assertEqual(len(self.rows("list")), 2)
