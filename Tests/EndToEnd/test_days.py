"""E3: calendars of days, as an operator keeps them and as people use them."""
import datetime
import json
import os
import subprocess
import tempfile
import zoneinfo

import holidays
from belfry_harness import (
    PATIENCE, Connection, Refused, microseconds, programs, recorded, wait_until)
from stepped import SteppedTest

WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"


def days_around_now(ahead=1):
    """A line of days that are today whatever the zone, and whenever midnight comes."""
    today = datetime.date.today()
    return f"{today - datetime.timedelta(days=2)}..{today + datetime.timedelta(days=ahead)} Feast\n"


class DaysTest(SteppedTest):
    """A board with a folder of calendars."""

    def board(self, start=True):
        daemon = self.stepped(start=False)
        self.folder = os.path.join(daemon.directory, "days")
        os.mkdir(self.folder, 0o755)
        return daemon.start() if start else daemon

    def write(self, name, text, folder=None, mode=0o644):
        path = os.path.join(folder or self.folder, name)
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path + ".new", mode)
        os.rename(path + ".new", path)
        return path

    def belfry(self, daemon, *words):
        """Exit status and all that was said."""
        done = subprocess.run(
            [os.path.join(programs(), "belfry"),
             *(["--socket", daemon.socket] if daemon else []), *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def does(self, daemon, *words):
        status, said = self.belfry(daemon, *words)
        self.assertEqual(status, 0, said)
        return said

    def rows(self, daemon, *words):
        return [json.loads(line) for line in self.does(daemon, *words, "--json").splitlines()]

    def state(self, daemon, name="off"):
        rows = daemon.call("Days")["calendars"]
        return next((row for row in rows if row["name"] == name), {"state": "none"})

    def wait_for(self, daemon, state, name="off"):
        daemon.until(lambda: self.state(daemon, name)["state"] == state, f"{name} {state}")

    def rung(self):
        return [row["identifier"] for row in recorded(self.out)]

    def goes_on(self, daemon, *identifiers):
        """These, and nothing else, ring in the next three seconds, each second."""
        daemon.settle()
        before = len(self.rung())
        daemon.run(3)
        self.assertEqual(sorted(self.rung()[before:]), sorted(identifiers * 3))

    def bells(self, daemon, **fields):
        """One that rings each second, and another whatever the days are."""
        for name, more in (("bell", fields), ("other", {})):
            daemon.schedule(identifier=name, alertBody="x", repeatInterval="second",
                            fireDate=daemon.clock.microseconds(-9.5), **more)


class Days(DaysTest):
    def test_E3_a_file_that_changes_counts_and_what_was_last_good_is_kept(self):
        daemon = self.board()
        self.bells(daemon, exceptOn=["off"])
        self.goes_on(daemon, "bell", "other")
        self.write("off.days", days_around_now())
        self.wait_for(daemon, "good")
        self.goes_on(daemon, "other")
        # Broken: the log and everybody who asks hear of it, and it stays as it was.
        self.write("off.days", "2026-12-24 a\nnonsense\n")
        self.wait_for(daemon, "kept")
        self.assertIn("off.days:2: ", self.state(daemon)["problem"])
        daemon.says("off.days:2: ")
        self.assertIn("off counts as it was read last", self.does(daemon, "status"))
        self.assertIn("off counts as it was read last", self.belfry(daemon, "doctor")[1])
        self.goes_on(daemon, "other")
        # So it does after a kill, also without the file.
        os.remove(os.path.join(self.folder, "off.days"))
        daemon.until(lambda: "is gone" in self.state(daemon).get("problem", ""), "gone")
        daemon.kill()
        daemon.start()
        self.assertEqual(self.state(daemon)["state"], "kept")
        self.goes_on(daemon, "other")
        self.write("off.days", "2020-01-01 past\n")
        self.wait_for(daemon, "ended")
        self.goes_on(daemon, "bell", "other")
        row = [row for row in daemon.history() if row["state"] == "skipped"][-1]
        self.assertRegex(row["reason"], r"^\S+\.\.\S+ are days off: Feast \(off\)$")
        self.assertIn("has ended", self.belfry(daemon, "doctor")[1])

    def test_A3_E3_what_others_can_write_is_not_read(self):
        daemon = self.board(start=False)
        self.write("off.days", days_around_now(), mode=0o666)
        daemon.start()
        self.assertEqual(self.state(daemon)["state"], "unusable")
        daemon.says("can be written by others")
        reply = daemon.schedule(identifier="bell", alertBody="x", exceptOn=["off"],
                                fireDate=microseconds(3600))
        self.assertIn('there is no calendar "off" yet', reply["warnings"][0])
        os.chmod(os.path.join(self.folder, "off.days"), 0o644)
        # A mode makes no event that is waited for; a new file does.
        self.write("off.days", days_around_now())
        self.wait_for(daemon, "good")
        self.write("off.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n")
        self.wait_for(daemon, "kept")
        self.assertIn("has both off.days and off.ics", self.state(daemon)["problem"])

    def test_E3_without_its_calendar_everything_rings(self):
        daemon = self.board()
        self.write("broken.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n")
        self.wait_for(daemon, "unusable", "broken")
        self.bells(daemon, onlyOn=["broken"], exceptOn=["missing"])
        self.goes_on(daemon, "bell", "other")
        listed = {row["notification"]["identifier"]: row for row in daemon.listed()}
        self.assertIn("so it rings as if none were named", listed["bell"]["reason"])
        doctor = self.belfry(daemon, "doctor")[1]
        self.assertIn("broken was never good, and is ignored", doctor)
        self.assertIn("calendars that are not there: missing", doctor)

    def test_E3_past_the_end_of_onlyOn_it_is_skipped_as_calendar_ended(self):
        daemon = self.board()
        self.write("term.days", "2020-01-01..2020-12-31\n")
        self.wait_for(daemon, "ended", "term")
        self.bells(daemon, onlyOn=["term"])
        self.goes_on(daemon, "other")
        listed = {row["notification"]["identifier"]: row for row in daemon.listed()}
        self.assertNotIn("next", listed["bell"])
        self.assertEqual(
            listed["bell"]["skipped"][0]["reason"],
            "calendar-ended: term has no day after 2020-12-31")
        self.assertIn("term has ended", self.does(daemon, "status"))

    def test_E3_an_apps_folder_counts_for_it_alone(self):
        daemon = self.board(start=False)
        folder = os.path.join(daemon.directory, "own")
        apps = os.path.join(daemon.directory, "apps")
        for path in (folder, apps):
            os.mkdir(path, 0o755)
        self.write("school.app", f"[app]\ndaysFolder = {folder}\n", apps)
        self.write("off.days", "2020-01-01\n")
        self.write("off.days", days_around_now(), folder)
        daemon.start()
        rows = self.rows(daemon, "days", "list")
        self.assertEqual([(row["app"], row["state"]) for row in rows],
                         [(None, "ended"), ("school", "good")])
        for app in ("school", "shop"):
            daemon.call("Schedule", {"app": app, "notification": {
                "identifier": app, "alertBody": "x", "repeatInterval": "second",
                "fireDate": daemon.clock.microseconds(-9.5), "exceptOn": ["off"]}})
        self.goes_on(daemon, "shop")
        # The manifest may name another folder, or none.
        self.write("school.app", "[app]\nname = School\n", apps)
        daemon.until(lambda: "is gone" in str(daemon.call("Days")), "the folder is gone")
        self.assertEqual(len(self.rows(daemon, "days", "list", "--app", "school")), 1)

    def test_E3_a_users_folder_counts_with_user(self):
        home = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(subprocess.run, ["rm", "-rf", home], check=False)
        folder = os.path.join(home, "config/belfry/days")
        os.makedirs(folder, mode=0o755)
        os.mkdir(os.path.join(home, "run"), 0o700)
        self.write("off.days", "2020-01-01\n", folder)
        process = subprocess.Popen(
            [os.path.join(programs(), "belfryd"), "--user"], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": home, "XDG_RUNTIME_DIR": os.path.join(home, "run"),
                 "XDG_CONFIG_HOME": os.path.join(home, "config")})
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        socket = os.path.join(home, "run/belfry/socket")

        def calendars():
            try:
                with Connection(socket) as connection:
                    return connection.call("Days")["calendars"]
            except (OSError, ConnectionError):
                return []
        row = wait_until(calendars, what="the user's calendar")[0]
        self.assertEqual((row["name"], row["file"]), ("off", os.path.join(folder, "off.days")))

    def test_E3_check_shows_what_was_read_or_the_line_that_is_wrong(self):
        folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(subprocess.run, ["rm", "-rf", folder], check=False)
        path = self.write("h.days", "# a\n2026-12-24..2027-01-06  Christmas\n2026-05-01\n", folder)
        self.assertEqual(
            self.does(None, "days", "check", path).splitlines(),
            ["2026-05-01", "2026-12-24..2027-01-06  Christmas",
             '"h" is good: 15 days in 2 entries'])
        self.assertEqual(self.rows(None, "days", "check", path)[0],
                         {"first": "2026-05-01", "last": "2026-05-01", "name": ""})
        for name, text, says in (
                ("b.days", "2026-05-01\n2026-05-32\n", 'b.days:2: "2026-05-32" is no day'),
                ("b.ics", "\x7fELF\x02\x00\x00", "b.ics:1: this is no iCalendar file"),
                ("c.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026", "c.ics:3: "),
                ("d.ics", "#" * 5_000_000, "d.ics: it is longer than 4 MiB"),
                ("e.txt", "2026-05-01\n", "a calendar is called NAME.days or NAME.ics")):
            status, said = self.belfry(
                None, "days", "check", self.write(name, text, folder))
            self.assertEqual((status, len(said.splitlines())), (1, 1), said)
            self.assertIn(says, said)
        self.assertEqual(self.belfry(None, "days", "check", folder + "/none.days")[0], 1)
        self.assertEqual(self.belfry(None, "days")[0], 2)

    def test_A4_E3_wrong_ways_are_refused_in_one_line(self):
        daemon = self.board()
        for words, says in (
                (("--except-on", "a/b", "--at", "2099-01-01T08:00"), "--except-on"),
                (("--except-on", "a", "--now"), "--except-on"),
                (("--as-on", "a=sun", "--at", "2099-01-01T08:00"), "--as-on"),
                (("--only-on", "a", "--region", "1,1,100"), "--only-on")):
            status, said = self.belfry(daemon, "schedule", "--body", "x", *words)
            # What cannot stand together is wrong usage.
            wanted = 2 if "--region" in words else 1
            self.assertEqual((status, len(said.splitlines())), (wanted, 1), said)
            self.assertIn(says, said)
        for field, value in (("exceptOn", "off"), ("onlyOn", [1]), ("asOn", [{"calendar": "a"}]),
                             ("asOn", [{"calendar": "a", "weekday": "sunday"}])):
            with self.assertRaises(Refused) as refused:
                daemon.schedule(alertBody="x", fireDate=microseconds(60), **{field: value})
            self.assertTrue(refused.exception.parameters["field"].startswith(field))

    def test_E7_E3_edit_adds_and_clears_calendars(self):
        daemon = self.board()
        self.does(daemon, "schedule", "--id", "bell", "--body", "x", "--at", "2099-01-05T08:00",
                  "--rrule", WORKDAYS)
        self.does(daemon, "edit", "bell", "--except-on", "off", "--as-on", "feast=sun")
        fields = daemon.listed()[0]["notification"]
        self.assertEqual((fields["exceptOn"], fields["asOn"]),
                         (["off"], [{"calendar": "feast", "weekday": "sun"}]))
        self.does(daemon, "edit", "bell", "--clear", "except-on", "--clear", "asOn")
        self.assertNotIn("exceptOn", daemon.listed()[0]["notification"])

    def test_E7_T6_edit_takes_out_a_day_as_schedule_does(self):
        daemon = self.board()
        for name, repeat, says in (
                ("rule", ("--rrule", "FREQ=DAILY;BYHOUR=8,12"), "2 dates left out"),
                ("unit", ("--repeat", "day"), "every day"),
                ("second", ("--repeat", "day", "--every", "2"), "every 2 days"),
                ("utc", ("--rrule", "FREQ=DAILY", "--zone-mode", "absolute"), "every day"),
                ("tokyo", ("--repeat", "day", "--time-zone", "Asia/Tokyo"), "every day")):
            with self.subTest(name):
                self.does(daemon, "schedule", "--id", name, "--body", "x",
                          "--at", "2099-01-05T08:00", *repeat)
                said = self.does(daemon, "edit", name, "--exdate", "2099-01-07")
                self.assertIn(says, said)
                times = [json.loads(line)["at"][:10] for line in self.does(
                    daemon, "next", name, "--json", "-n", "8").splitlines()]
                self.assertIn("2099-01-05", times)
                self.assertNotIn("2099-01-07", times)
                self.assertIn("2099-01-09", times)
        # What is out stays out when its time is another, and when it repeats by another unit.
        for words, times in ((("--at", "2099-01-05T10:00"), ["05", "08", "09"]),
                             (("--time-zone", "Asia/Tokyo"), ["05", "08", "09"]),
                             (("--repeat", "day", "--every", "2"), ["05", "09", "11"])):
            self.does(daemon, "schedule", "--id", "moved", "--body", "x", "--at",
                      "2099-01-05T08:00", "--repeat", "day", "--exdate", "2099-01-06,2099-01-07")
            self.does(daemon, "edit", "moved", *words)
            self.assertEqual([json.loads(line)["at"][8:10] for line in self.does(
                daemon, "next", "moved", "--json", "-n", "3").splitlines()], times)
        self.does(daemon, "edit", "moved", "--clear", "repeat")
        fields = daemon.listed()[-1]["notification"]
        self.assertEqual({"rrule", "exdate", "repeatInterval", "every"} & set(fields), set())
        said = self.does(daemon, "edit", "rule", "--exdate", "2098-12-24")
        self.assertIn("--exdate: nothing is due on 2098-12-24", said)

    def test_E7_an_edit_is_answered_by_the_clocks_that_it_goes_by(self):
        daemon = self.board()
        self.does(daemon, "schedule", "--id", "z", "--body", "x", "--at", "2099-06-01T07:00",
                  "--time-zone", "Europe/Berlin")
        said = self.does(daemon, "edit", "z", "--time-zone", "Asia/Tokyo")
        self.assertIn("zoned: Mon 2099-06-01 07:00 in Asia/Tokyo", said)


class Bavaria(DaysTest):
    """A bell on workdays but for holidays, day by day over five years."""

    years = range(datetime.date.today().year + 1, datetime.date.today().year + 6)

    def public(self):
        return dict(holidays.country_holidays("DE", subdiv="BY", years=list(self.years)))

    def school(self):
        """Spans such as a school has."""
        for year in self.years:
            easter = next(day for day, name in holidays.country_holidays(
                "DE", years=year, language="en_US").items() if name == "Good Friday")
            yield easter - datetime.timedelta(4), easter + datetime.timedelta(8), "Easter"
            yield datetime.date(year, 8, 1), datetime.date(year, 9, 14), "Summer"
            yield datetime.date(year, 12, 24), datetime.date(year + 1, 1, 5), "Christmas"

    def ics(self, spans):
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN"]
        for number, (first, last, name) in enumerate(spans):
            end = last + datetime.timedelta(1)
            lines += ["BEGIN:VEVENT", f"UID:{number}@test", f"DTSTART;VALUE=DATE:{first:%Y%m%d}",
                      f"DTEND;VALUE=DATE:{end:%Y%m%d}", f"SUMMARY:{name}", "END:VEVENT"]
        lines.append("END:VCALENDAR")
        # Folded within characters, as RFC 5545 allows.
        folded = []
        for line in lines:
            data = line.encode()
            folded.append(b"\r\n ".join(data[at:at + 20] for at in range(0, len(data), 20)))
        return b"\r\n".join(folded).decode("utf-8", "surrogateescape") + "\r\n"

    def test_E3_five_years_are_those_of_a_plain_enumeration(self):
        daemon = self.board(start=False)
        public = self.public()
        self.assertGreater(len(public), 50)
        spans = list(self.school())
        for name, calendar in (("public", [(day, day, name) for day, name in public.items()]),
                               ("school", spans)):
            path = os.path.join(self.folder, name + ".ics")
            with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
                file.write(self.ics(calendar))
            os.chmod(path, 0o644)
        daemon.start()
        self.assertEqual(self.state(daemon, "public")["days"], len(public))
        free = set(public)
        for first, last, _ in spans:
            free |= {first + datetime.timedelta(n) for n in range((last - first).days + 1)}
        first, last = datetime.date(self.years[0], 1, 1), datetime.date(self.years[-1], 12, 31)
        every = [first + datetime.timedelta(n) for n in range((last - first).days + 1)]
        for zone in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe"):
            info = zoneinfo.ZoneInfo(zone)
            for clock in ("08:00", "00:10", "23:50"):
                hour, minute = map(int, clock.split(":"))
                expected = [
                    datetime.datetime(day.year, day.month, day.day, hour, minute, tzinfo=info)
                    for day in every if day.weekday() < 5 and day not in free]
                options = (
                    "next", "--at", f"{first}T{clock}", "--time-zone", zone, "--rrule", WORKDAYS,
                    "--except-on", "public", "--except-on", "school", "--until", str(last),
                    "-n", "5000")
                rows = self.rows(daemon, *options)
                rung = [datetime.datetime.fromisoformat(row["at"]) for row in rows if "at" in row]
                self.assertEqual([when.timestamp() for when in rung],
                                 [when.timestamp() for when in expected], (zone, clock))
                self.assertTrue(any("skipped" in row for row in rows))
