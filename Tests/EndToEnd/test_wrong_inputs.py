"""What people write wrongly, and the exact answer to each: one line that names the option or field
and says what to write; nothing is scheduled, changed or delivered."""
import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest
from datetime import datetime, timedelta, timezone

from belfry_harness import PATIENCE, Daemon, Refused, microseconds, programs, scratch, wait_until
from test_command import CommandTest, run

CONSOLE = "[sound]\nenabled = no\n[plugin:console]\nfile = console\n"
ME = f"user.{os.getuid()}"
YEAR = 365 * 86400
DRAFT = ("schedule", "--body", "x")
AT = (*DRAFT, "--at", "07:00")
LATER = (*DRAFT, "--in", "1h")
FORMS = ("use 2027-01-01T07:00Z, 2027-01-01T07:00+01:00, 2027-01-01T07:00, 07:00, 7am, noon, "
         "'tomorrow 07:00', 'mon 07:00'")
DATED_FORMS = FORMS.replace("use ", "use 2027-12-24, ", 1)
CLOCK = "hours are 0 to 23, minutes and seconds 0 to 59"
SPANS = "use 90s, 10m, 1h30m, 2d, 1w"
DAYS = "write days (mon,wed,fri), a span (mon-fri), weekdays, weekends or daily"
OBJECT = "(a JSON object, such as '{\"room\": 3}')"
LEVELS = "(one of passive, active, timeSensitive, critical)"
NOTHING = ("nothing of it would be seen, and there is no sound, badge or --user-info beside it")
CALENDAR = ("a calendar's name is that of its file without .days or .ics: 1 to 128 bytes, without "
            "/ and control characters, and no dot in front")
FAMILIES = {"days": "list, check", "sound": "check, play", "plugin": "list, check",
            "app": "list, show", "inbox": "fetch, mark-read"}


class WrongInputs(CommandTest):
    """Tables of (words, exit status, what is said); one daemon for all of a class."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shared = Daemon(CONSOLE)
        cls.addClassCleanup(cls.shared.remove)
        cls.shared.start()
        cls.prepare(cls.shared)

    @classmethod
    def prepare(cls, bells):
        """What is there before."""

    def setUp(self):
        self.bells = self.shared
        before = self.everything()
        self.addCleanup(lambda: self.assertEqual(self.everything(), before))

    def everything(self):
        """All that is scheduled, shown, snoozed and past, of every app."""
        return [self.bells.listed(), self.bells.listed(delivered=True),
                self.bells.listed(snoozed=True), self.bells.history()]

    def answers(self, table, *before, option=""):
        """Each command of the table, behind the words of `before`, says that and no more. With
        `option` the words are its argument, and its name stands before what is said."""
        for words, wanted, says in table:
            words = shlex.split(words) if isinstance(words, str) else words
            if option:
                words, says = [option, *words], f"{option}: {says}"
            words = [*before, *words]
            with self.subTest(words=words):
                status, out, err = self.belfry(*words)
                self.assertEqual((status, out, err), (wanted, "", f"belfry: {says}\n"))


class Times(WrongInputs):
    NO_TIMES = (
        "24pm", "13:60pm", "am", "noon pm", "7 o clock", "t", "20:00h",
        "-1h", "midday", "teatime", "xy 07:00", "mon-tea",
        "2027-12-31T07:00Z+01:00", "Feb 30 2055 07:00", "Dec 07:00", "25", "0760", "7.60",
        "31/13/2027 07:00", "00/04/2027 07:00", "07:00 Berlin/Nowhere x",
        "\uff12\uff12\uff1a\uff10\uff10")
    NEARLY = {
        "700": "7:00", "Mon *-*-* 07:00": "'mon 07:00'", "7.30": "7:30", "7.30pm": "7:30pm", "730am": "7:30am", "7h30": "7:30, or --in 7h30m", "07h00": "07:00, or --in 07h00m",
        "7 o'clock": "07:00", "tonight 9pm": "'today 9pm'",
        "7,30": "7:30", "0730": "07:30", "7": "07:00", "19": "19:00",
        "2027-12-31T07": "2027-12-31T07:00", "2027-12-31 at 07:00": "'2027-12-31 07:00'",
        "31.12.2027 07:00": "'2027-12-31 07:00'", "1.2.2027 07:00": "'2027-02-01 07:00'",
        "2027/12/31 07:00": "'2027-12-31 07:00'", "31/12/2027 07:00": "'2027-12-31 07:00'",
        "31 Dec 2055 07:00": "'2055-12-31 07:00'", "December 31st, 2055 7am": "'2055-12-31 7am'",
        "7:30 on 4 Sept. 2055": "'2055-09-04 7:30'",
        "20271231T070000Z": "2027-12-31T07:00:00Z", "20271231T0700": "2027-12-31T07:00",
        "07:00 tomorrow": "'tomorrow 07:00'", "07:00 mon": "'mon 07:00'",
        "monday at 07:00": "'monday 07:00'", "next monday 07:00": "'monday 07:00'",
        "7:5": "7:05", "mo 07:00": "'mon 07:00'", "wed-07:00": "'wed 07:00'",
        "tues 07:00": "'tuesday 07:00'", "wendesday 07:00": "'wednesday 07:00'",
        "tomorow 7am": "'tomorrow 7am'", "7:30 a.m.": "'7:30 am'", "13pm": "13:00 or 1pm",
        "19:30 pm": "19:30 or 7:30pm", "13am": "13:00 or 1am", "0am": "00:00", "0:30am": "00:30",
        "0pm": "12pm", "0:30pm": "12:30pm",
        "2027-1-4T07:00": "2027-01-04T07:00", "2027-1-5 7am": "'2027-01-05 7am'",
        "12/31/2027 07:00": "'2027-12-31 07:00'", "01/01/2027 07:00": "'2027-01-01 07:00'",
        "01/02/2027 07:00": "'2027-02-01 07:00' or '2027-01-02 07:00'",
        "3/4/2027": "'2027-04-03 07:00' or '2027-03-04 07:00'"}
    INSTEAD = {
        "2027-1-5": "needs a time of day: 2027-01-05T07:00",
        "31.12.2027": "needs a time of day: 2027-12-31T07:00",
        "7uhr": "is not a time; did you mean 07:00?",
        "7:30 Uhr": "is not a time; did you mean 7:30?",
        "Dec 31 2055": "needs a time of day: 2055-12-31T07:00",
        "20271231": "needs a time of day: 2027-12-31T07:00",
        "2027-02-30": "is not a time: there is no such day",
        "@1830000000": "counts from 1970; write 2027-12-28T13:20:00.000000Z",
        "*-*-* 07:00:00": "is not one time; write --at 07:00:00 --repeat day",
        "Mon..Fri 07:00": "is not one time; write --at 07:00 --weekdays mon-fri",
        "every day at 7": "is not one time; write --at 07:00 --repeat day",
        "0 7 * * 1-5": "is a line of cron, not a time; write --at 07:00 --weekdays mon-fri",
        "*/5 * * * *": "is a line of cron, not a time; write --now --repeat minute --every 5",
        "daily": "is no time; write --at 07:00 --repeat day",
        "@weekly": "is no time; write --at 07:00 --repeat week",
        "next monday": "needs a time of day: 'monday 07:00'",
        "now+10min": "is not a time; for so long from now write --in 10m",
        "yesterday": "is past; for at once there is --now",
        "yesterday 07:00": "is past; for at once there is --now",
        "": "is no time; for example 07:00 or 'tomorrow 07:00'",
        " ": "is no time; for example 07:00 or 'tomorrow 07:00'",
        "25:00": f"is not a time: {CLOCK}", "12:60": f"is not a time: {CLOCK}",
        "07:00:60": f"is not a time: {CLOCK}", "tomorrow 7:60": f"is not a time: {CLOCK}",
        "1830000000": "counts from 1970; write 2027-12-28T13:20:00.000000Z",
        "1830000000000": "counts from 1970; write 2027-12-28T13:20:00.000000Z",
        "P1D": "is not a time; for so long from now write --in 1d",
        "5m": "is not a time; for so long from now write --in 5m",
        "+5min": "is not a time; for so long from now write --in 5m",
        "in 5 minutes": "is not a time; for so long from now write --in 5m",
        "now + 2 hours": "is not a time; for so long from now write --in 2h",
        "08:00,10:00": "is not one time; schedule one for each",
        "mon-fri 07:00": "is not one time; write --at 07:00 --weekdays mon-fri",
        "weekdays 07:00": "is not one time; write --at 07:00 --weekdays weekdays",
        "every day 07:00": "is not one time; write --at 07:00 --repeat day",
        "every 2 weeks 07:00": "is not one time; write --at 07:00 --repeat week --every 2",
        "2027-12-31 07:00 Europe/Berlin":
            "is not a time; its zone is given as --time-zone Europe/Berlin",
        "07:00 UTC": "is not a time; its zone is given as --time-zone UTC",
        "07:00 CEST": "is not a time; its zone is given as --time-zone ZONE"}
    NO_SPANS = (
        "5ms", "0:00", "1:60", "1h1h", "30m1h1m",
        "P1M", "P1Y", "1.5h30m", "1e3s", "", "an hour", "half an hour", "5minutes30seconds")
    NEARLY_SPANS = {"-5m": "5m", "+5m": "5m", "5": "5s or 5m", "5y": "1825d", "2 months": "60d", "5M": "5m", "1,5h": "1.5h", "5 m": "5m",
                    "1h 30m": "1h30m", "PT5M": "5m", "2 hours": "2h", "90min": "90m",
                    "10mn": "10m", "30m1h": "1h30m", "1h2d": "2d1h", "5s 10m": "10m5s", "1:30": "1h30m, or --at 1:30", "0:45": "45m, or --at 0:45",
                    "07:00": "7h, or --at 07:00", "30:00": "30h",
                    "1h30": "1h30m", "1d12": "1d12h", "P1D": "1d", "P1DT2H": "1d2h", "p2w": "2w"}

    def test_A4_what_is_no_time(self):
        self.answers([(("--at", text), 2, f'--at: "{text}" is not a time; {FORMS}')
                      for text in self.NO_TIMES], *DRAFT)
        self.answers([(("--at", text), 2, f'--at: "{text}" is not a time; did you mean {meant}?')
                      for text, meant in self.NEARLY.items()], *DRAFT)
        self.answers([(("--at", text), 2, f'--at: "{text}" {says}')
                      for text, says in self.INSTEAD.items()], *DRAFT)
        for text in ("07:00Z", "07:00+01:00"):
            _, _, err = self.belfry(*DRAFT, "--at", text)
            found = re.search("has an offset without a date; write (.*)\n", err)
            ahead = datetime.fromisoformat(found[1]) - datetime.now(timezone.utc)
            self.assertTrue(timedelta(minutes=-1) < ahead < timedelta(days=1, minutes=1), err)
        _, _, err = self.belfry(*DRAFT, "--at", "tonight")
        self.assertRegex(err, "\"tonight\" needs a time of day: 'today 2[1-3]:(00|59)'")
        for option in ("--until", "--exdate", "--rdate", "--expires"):
            forms = FORMS if option in ("--rdate", "--expires") else DATED_FORMS
            self.answers([((option, "noonish"), 2, f'{option}: "noonish" is not a time; {forms}')],
                         *AT, "--repeat", "day")
        # Where a date may stand alone, and so long from now.
        self.answers([
            ("--until 2027-1-5", 2,
             '--until: "2027-1-5" is not a time; did you mean 2027-01-05?'),
            ("--until 31.12.2027", 2,
             '--until: "31.12.2027" is not a time; did you mean 2027-12-31?'),
            ("--until 01/02/2027", 2,
             '--until: "01/02/2027" is not a time; did you mean 2027-02-01 or 2027-01-02?'),
            ("--exdate 2027-1-5", 2,
             '--exdate: "2027-1-5" is not a time; did you mean 2027-01-05?'),
            ("--until 5", 2, '--until: "5" is not a time; did you mean 05:00, or 5m?'),
            ("--until 90", 2, '--until: "90" is not a duration; did you mean 90s or 90m?'),
            ("--until 7.30", 2, '--until: "7.30" is not a time; did you mean 7:30?'),
            ("--until 0730", 2, '--until: "0730" is not a time; did you mean 07:30?'),
            ("--until 01-02-2027", 2,
             '--until: "01-02-2027" is not a time; did you mean 2027-02-01 or 2027-01-02?'),
            ("--until -1h", 2, '--until: "-1h" is not a duration; did you mean 1h?'),
            ("--until 1h", 1, "--until: it lies before --at, so nothing would ever be due")],
            *DRAFT, "--at", "2099-01-01T07:00", "--repeat", "day")
        # No control character reaches the terminal, and no text without end.
        self.answers([
            (("--at", "\x1b[31m7"), 2, f'--at: "\ufffd[31m7" is not a time; {FORMS}'),
            (("--at", "7\n8"), 2, f'--at: "7\ufffd8" is not a time; {FORMS}'),
            (("--at", "7" * 3000), 2, f'--at: "{"7" * 64}\u2026" is not a time; {FORMS}')],
            *DRAFT)

    def test_A4_what_is_no_duration(self):
        self.answers([(("--in", text), 2, f'--in: "{text}" is not a duration; {SPANS}')
                      for text in self.NO_SPANS], *DRAFT)
        self.answers([(("--in", text), 2,
                       f'--in: "{text}" is not a duration; did you mean {meant}?')
                      for text, meant in self.NEARLY_SPANS.items()], *DRAFT)
        self.answers((("--in 0", 2, '--in: "0" is not a duration; for at once there is --now'),
                      ("--in tomorrow", 2, '--in: "tomorrow" is not a duration; a time is given as '
                       "--at 'tomorrow 07:00'"),
                      ("--in 'mon 9am'", 2, '--in: "mon 9am" is not a duration; a time is given as '
                       "--at 'mon 9am'")), *DRAFT)
        self.answers((("--expires 5", 2,
                       '--expires: "5" is not a time; did you mean 05:00, or 5m?'),
                      ("--expires 3600", 2,
                       '--expires: "3600" is not a duration; did you mean 3600s or 3600m?'),
                      ("--expires 1h30", 2,
                       '--expires: "1h30" is not a duration; did you mean 1h30m?'),
                      ("--expires -1h", 2,
                       '--expires: "-1h" is not a duration; did you mean 1h?')), *LATER)
        # Of a day without a year the next is meant.
        today = datetime.now(timezone.utc).date()
        new_year = today.replace(year=today.year + ((today.month, today.day) > (1, 1)), month=1, day=1)
        self.answers(((("--at", "jan 1 07:00"), 2,
                       f'--at: "jan 1 07:00" is not a time; did you mean \'{new_year} 07:00\'?'),), *DRAFT)
        # Nor is it known whose day or month stands in front.
        dates = []
        for month, day in ((1, 12), (12, 1)):
            year = today.year + ((month, day) < (today.month, today.day))
            dates.append(f"{year}-{month:02}-{day:02}")
        self.answers((
            (("--exdate", "12/1"), 2, f'--exdate: "12/1" has no year; did you mean {" or ".join(dates)}?'),
            (("--exdate", "12-1"), 2, f'--exdate: "12-1" has no year; did you mean {" or ".join(dates)}?'),
            (("--exdate", "2027-12-24..2027-12-31"), 2, '--exdate: "2027-12-24..2027-12-31" is no day; name '
             "each, or a calendar of days by --except-on NAME"),
            (("--until", "yesterday"), 2, '--until: "yesterday" is past')), *AT, "--repeat", "day")
        self.answers(((("--at", "12/1 07:00"), 2, '--at: "12/1 07:00" has no year; did you mean '
                       f'{" or ".join(f"{chr(39)}{date} 07:00{chr(39)}" for date in dates)}?'),), *DRAFT)
        for option in ("--tolerance", "--realert", "--ring-for", "--fade-in"):
            self.answers([((option, "0:30"), 2,
                           f'{option}: "0:30" is not a duration; did you mean 30m?')],
                         *LATER, "--sound", "default")
            self.answers([((option, "forever"), 2,
                           f'{option}: "forever" is not a duration; {SPANS}')],
                         *LATER, "--sound", "default")

    def test_A4_N2_days_and_times_that_do_not_exist(self):
        none = "is not a time: there is no such day or time of day"
        self.answers((
            ("--at 2027-02-29T07:00", 2, f'--at: "2027-02-29T07:00" {none}'),
            ("--at 2027-13-01T07:00", 2, f'--at: "2027-13-01T07:00" {none}'),
            ("--at 2027-12-32T07:00", 2, f'--at: "2027-12-32T07:00" {none}'),
            ("--at 2027-12-31T25:00", 2, f'--at: "2027-12-31T25:00" {none}'),
            ("--at 2027-12-31T07:00+2", 2,
             '--at: "2027-12-31T07:00+2" is not a time; did you mean 2027-12-31T07:00+02:00?'),
            (["--at", "daily 07:00"], 2,
             '--at: "daily 07:00" is not one time; write --at 07:00 --repeat day'),
            ("--at 2027-12-31T07:00+25:00", 2,
             '--at: "2027-12-31T07:00+25:00" is not a time: an offset is at most 23:59'),
            ("--at 1600-01-01T00:00", 1, "--at: outside the years 1678 to 2262"),
            ("--at 9999-01-01T00:00", 1, "--at: outside the years 1678 to 2262"),
            ("--in 999999999d", 1, "--in: a duration is at most 106751 days"),
            ("--in 99999999999999999999s", 1, "--in: a duration is at most 106751 days"),
            ("--at", 2, "--at needs TIME (belfry schedule --help)"),
            ("--in", 2, "--in needs DURATION (belfry schedule --help)"),
            ("--in '5 minutes'", 2, '--in: "5 minutes" is not a duration; did you mean 5m?'),
            ("--in 5min", 2, '--in: "5min" is not a duration; did you mean 5m?')),
            *DRAFT)

    def test_T3_what_is_no_time_zone(self):
        self.answers((
            ("Berlin", 1, "there is no time zone Berlin; did you mean Europe/Berlin?"),
            ("europe/berlin", 1,
             "there is no time zone europe/berlin; did you mean Europe/Berlin?"),
            ("Europe/Berln", 1, "there is no time zone Europe/Berln; did you mean Europe/Berlin?"),
            ("+01:00", 1, '"+01:00" is no name of a time zone; did you mean a place, or GMT+0100?'),
            ("UTC+02:00", 1, '"UTC+02:00" is no name of a time zone; did you mean a place, or GMT+0200?'),
            ("UTC+1", 1, "there is no time zone UTC+1; did you mean a place, or GMT+1?"),
            ("Europe/Muenchen", 1, "there is no time zone Europe/Muenchen; not every city has its own "
             "zone: see /usr/share/zoneinfo/Europe"),
            ("../../../etc/passwd", 1, '"../../../etc/passwd" is no name of a time zone'),
            ("/etc/localtime", 1, '"/etc/localtime" is no name of a time zone'),
            ("''", 1, '"" is no name of a time zone'),
            ("tzdata.zi", 1, "there is no time zone tzdata.zi"),
            ("zone.tab", 1, "there is no time zone zone.tab")), *AT, option="--time-zone")
        modes = "(one of absolute, floating, zoned)"
        self.answers((
            ("local", 2, f'there is no mode "local" {modes}'),
            ("Zoned", 2, f'there is no mode "Zoned"; did you mean zoned? {modes}'),
            ("''", 2, f'there is no mode "" {modes}')), *AT, option="--zone-mode")

    def test_E4_what_is_no_offset(self):
        forms = "use -15m, -1h30m, 1d, -1w or -PT15M"
        self.answers([
            ((text,), 2, f'"{text}" is not a duration; {forms}')
            for text in ("15m before", "before", "-1mo", "PT15", "-P1M", "P1Y", "")],
            *AT, option="--offset")
        self.answers([
            ((text,), 2, f'"{text}" is not a duration; did you mean {meant}?')
            for text, meant in (("-15", "-15s or -15m"), ("15", "15s or 15m"), ("-15 min", "-15m"),
                                ("-15min", "-15m"), ("-15m30", "-15m30s"))], *AT, option="--offset")
        self.answers([((text,), 2, f'"{text}" is not a duration; {forms}')
                      for text in ("-1.5d", "-0.5s")], *AT, option="--offset")
        self.answers((
            ("-367d", 1, "it must be between -366 and +366 days"),), *AT, option="--offset")
        self.answers((
            ("--in 1h --offset -15m", 2, "--in and --offset cannot stand together"),
            ("--now --offset 5m", 2, "--now and --offset cannot stand together"),
            ("--region 52,13,200 --offset 5m", 2, "--region and --offset cannot stand together")),
            *DRAFT)


class Repeats(WrongInputs):
    def test_N4_what_is_no_unit(self):
        self.answers((
            ("Day", 2, 'there is no unit "Day"; did you mean day?'),
            ("DAY", 2, 'there is no unit "DAY"; did you mean day?'),
            ("days", 2, 'there is no unit "days"; did you mean day?'),
            ("minutes", 2, 'there is no unit "minutes"; did you mean minute?'),
            ("weekly", 2, '"weekly" is no unit; did you mean week?'),
            ("monthly", 2, '"monthly" is no unit; did you mean month?'),
            ("yearly", 2, '"yearly" is no unit; did you mean year?'),
            ("weekdays", 2,
             '"weekdays" is no unit; for workdays write --weekdays mon-fri, for every day '
             "--repeat day"),
            ("weekend", 2, '"weekend" is no unit; write --weekdays sat,sun'),
            ("'every day'", 2, '"every day" is no unit; write --repeat day'),
            ("'2 weeks'", 2, '"2 weeks" is no unit; write --repeat week --every 2'),
            ("2h", 2, '"2h" is no unit; write --repeat hour --every 2'),
            ("FREQ=DAILY", 2, '"FREQ=DAILY" is no unit; a rule is given as --rrule'),
            ("'0 7 * * *'", 2,
             '"0 7 * * *" is a line of cron, not a unit; write --at 07:00 --repeat day'),
            ("mon-fri", 2, '"mon-fri" is no unit; write --weekdays mon-fri'),
            ("monday", 2, '"monday" is no unit; write --weekdays monday'),
            ("fortnight", 2, '"fortnight" is no unit; write --repeat week --every 2'),
            ("always", 2, 'there is no unit "always"; write second, minute, hour, day, week, '
             "month, quarter or year"),
            ("weekdayOrdinal", 2,
             '"weekdayOrdinal" is no unit; for every week write --repeat week, for such as the '
             "last Friday of each month --rrule 'FREQ=MONTHLY;BYDAY=-1FR'"),
            ("era", 2, '"era" is no unit; nothing can repeat every era'),
            ("nanosecond", 2, '"nanosecond" is no unit; nothing can repeat every nanosecond')),
            *AT, option="--repeat")

    def test_T6_counts(self):
        many = "the number must be between 1 and 1000000"
        self.answers((
            ("0", 1, many), ("-1", 1, many), ("1000001", 1, many),
            ("3x", 2, '"3x" is not a whole number'), ("''", 2, '"" is not a whole number')),
            *AT, "--repeat", "day", option="--count")
        self.answers((
            ("0", 1, many), ("-1", 1, many), ("1000001", 1, many),
            ("1.5", 2, '"1.5" is not a whole number'), ("two", 2, '"two" is not a whole number'),
            ("+2", 2, '"+2" is not a whole number'),
            ("99999999999999999999", 1, '"99999999999999999999" is far too large'),
            ("day", 2, '"day" is no number; write --repeat day'),
            ("2h", 2, '"2h" is no number; write --repeat hour --every 2')),
            *AT, "--repeat", "day", option="--every")

    def test_T6_ends(self):
        self.answers((
            ("--until 2099-12-31", 2,
             "--until needs --repeat UNIT, --weekdays DAYS or --rrule RULE"),
            ("--count 3", 2, "--count needs --repeat UNIT, --weekdays DAYS or --rrule RULE"),
            ("--rdate 2099-12-31T07:00", 2,
             "--rdate needs --repeat UNIT, --weekdays DAYS or --rrule RULE"),
            ("--repeat day --rrule FREQ=DAILY", 2, "--repeat and --rrule cannot stand together"),
            ("--every 2", 2, "--every needs --repeat UNIT"),
            ("--rrule FREQ=DAILY --every 2", 2, "--every needs --repeat UNIT"),
            ("--weekdays mon-fri --every 2", 2, "--every needs --repeat UNIT"),
            ("--repeat day --until 2020-01-01", 1,
             "--until: it lies before --at, so nothing would ever be due"),
            ("--repeat day --until someday", 2,
             "--until: \"someday\" is not a time; use 2027-12-24, 2027-01-01T07:00Z, 2027-01-01T07:00+01:00, "
             "2027-01-01T07:00, 07:00, 7am, noon, 'tomorrow 07:00', 'mon 07:00'"),
            ("--repeat day --rdate 2027-12-24", 2,
             '--rdate: "2027-12-24" needs a time of day: 2027-12-24T07:00'),
            ("--repeat day --time-zone Europe/Berlin --rdate 2027-10-31T02:50+01:00", 1,
             "--rdate[0]: clocks show this time twice, and the repeat takes the other of the two: "
             "schedule the date by itself, or have the repeat take the last or both (overlap)"),
            ("--repeat day --rdate 2027-12-24T25:00", 2,
             '--rdate: "2027-12-24T25:00" is not a time: there is no such day or time of day'),
            ("--rrule FREQ=DAILY;COUNT=3 --count 5", 1,
             "--count: the rule itself has an UNTIL or a COUNT"),
            ("--rrule FREQ=DAILY;UNTIL=20991231 --until 2099-12-31", 1,
             "--until: the rule itself has an UNTIL or a COUNT"),
            ("--repeat day --gap later", 2,
             '--gap: there is no policy "later" (one of shift, next, skip)'),
            ("--repeat day --overlap second", 2,
             '--overlap: there is no policy "second" (one of first, last, both)'),
            ("--repeat month --month-end last", 2,
             '--month-end: there is no policy "last" (one of clamp, skip, roll)'),
            ("--month-end roll", 2, "--month-end needs --repeat UNIT"),
            ("--rrule FREQ=MONTHLY --month-end clamp", 2,
             "--month-end and --rrule cannot stand together: a rule has "
             "RSCALE=GREGORIAN;SKIP=BACKWARD, OMIT or FORWARD for it"),
            ("--calendar hebrew", 2, "--calendar needs --repeat UNIT"),
            ("--exdate 2099-12-24", 2,
             "--exdate needs --repeat UNIT, --weekdays DAYS or --rrule RULE"),
            ("--repeat day --exdate ''", 2,
             "--exdate: a date is missing; for example 2027-12-24,2027-12-31"),
            ("--repeat day --exdate 7am", 2,
             "--exdate: \"7am\" says of no day which is left out; write 2027-12-24, or 'fri 7am'"),
            ("--repeat day --exdate 2099-12-24,", 2,
             "--exdate: a date is missing; for example 2027-12-24,2027-12-31"),
            ("--repeat day --exdate 2099-13-24", 2,
             '--exdate: "2099-13-24" is not a time: there is no such day'),
            ("--repeat month --calendar julian", 1,
             '--calendar: there is no calendar "julian"'),
            ("--repeat month --calendar Gregorian", 1,
             '--calendar: there is no calendar "Gregorian"; did you mean gregorian?'),
            ("--repeat month --calendar hebrew", 1,
             '--calendar: the calendar "hebrew" comes by a plugin: install libbelfry-calendars.so, '
             "which needs libicu, in a plugin folder, and give the configuration a section "
             "[plugin:calendars] with file = calendars"),
            ("--rrule FREQ=MONTHLY --calendar hebrew", 1,
             "--calendar: a rule is reckoned in the Gregorian calendar")), *AT)
        write = "give --at without an offset, or --time-zone"
        self.answers((
            ("--gap skip", 1, f"--gap: no clocks jump over what goes by UTC: {write}"),
            ("--overlap last", 1, f"--overlap: nothing that goes by UTC comes twice: {write}")),
            *DRAFT, "--at", "2099-01-01T07:00Z", "--repeat", "day")

    def test_A4_weekdays(self):
        self.answers((
            ("''", 2, f'"" lacks a day; {DAYS}'), ("mo,di", 2, f'"di" is no day; {DAYS}'),
            ("8", 2, f'"8" is no day; {DAYS}')), *AT, option="--weekdays")
        self.answers([((text,), 2, f'"{text}" is no list of days; did you mean {meant}?')
                      for text, meant in (
                          ("1-5", "mon-fri"), ("0,6", "sun,sat"), ("mon..fri", "mon-fri"), ("mon-", "mon"),
                          ("mon/tue", "mon,tue"), ("mo tu", "mo,tu"), ("mon;tue", "mon,tue"),
                          ("mon and fri", "mon,fri"), ("all", "daily"), ("everyday", "daily"))],
                     *AT, option="--weekdays")

    def test_T6_rules(self):
        weekday = "a weekday is MO, TU, WE, TH, FR, SA or SU"
        until = "UNTIL is written 20271231, 20271231T070000 or 20271231T070000Z (character 18)"
        self.answers((
            ("''", 2, "a part such as FREQ=DAILY is missing (character 1)"),
            ("RRULE:", 2, "a part such as FREQ=DAILY is missing (character 7)"),
            ("FREQ=DAILY;;", 2, "a part such as FREQ=DAILY is missing (character 12)"),
            ("FREQ", 2, "a rule is written as FREQ=WEEKLY;BYDAY=MO (character 1)"),
            ("FREQ:WEEKLY;BYDAY:MO", 2,
             "a rule is written as FREQ=WEEKLY;BYDAY=MO (character 1)"),
            ("FREQ:WEEKLY;BYDAY=MO", 2, "a part is written like FREQ=\u2026 (character 5)"),
            ("'every monday'", 2, '"every monday" is no rule; write --weekdays monday'),
            ("weekly", 2, '"weekly" is no rule; did you mean FREQ=WEEKLY?'),
            ("'2 weeks'", 2, '"2 weeks" is no rule; write --repeat week --every 2'),
            ("'0 7 * * 1-5'", 2, '"0 7 * * 1-5" is a line of cron, not a rule; write --at 07:00 '
             "--weekdays mon-fri"),
            ("'30 6 * * 0,6'", 2, '"30 6 * * 0,6" is a line of cron, not a rule; write --at 06:30 '
             "--weekdays sun,sat"),
            ("'5 7 * * *'", 2,
             '"5 7 * * *" is a line of cron, not a rule; write --at 07:05 --repeat day'),
            ("'0 7 * * mon-fri'", 2, '"0 7 * * mon-fri" is a line of cron, not a rule; write --at 07:00 '
             "--weekdays mon-fri"),
            ("'*/5 * * * *'", 2, '"*/5 * * * *" is a line of cron, not a rule; write --now --repeat '
             "minute --every 5"),
            ("'0 7 * * 1-3-5'", 2, '"0 7 * * 1-3-5" is a line of cron, not a rule'),
            ("'0 7 1 * *'", 2,
             '"0 7 1 * *" is a line of cron, not a rule'),
            ("'DTSTART:20270101T070000 RRULE:FREQ=DAILY'", 2,
             "a rule is what stands behind RRULE:, and DTSTART is its --at (character 1)"),
            ("FREQ=OFTEN", 2, 'there is no frequency "OFTEN"; write YEARLY, MONTHLY, WEEKLY, '
             "DAILY, HOURLY, MINUTELY or SECONDLY (character 6)"),
            ("FREQ=DAILY;INTERVAL=1.5", 2,
             "behind a whole number stands a comma or a semicolon (character 22)"),
            ("FREQ=DAILY;BYHOUR=07:00", 2,
             "behind a whole number stands a comma or a semicolon (character 21)"),
            ("FREQ=DAILY;BYHOUR=7-9", 2, "numbers are listed one by one, as 7,8,9 (character 20)"),
            ("FREQ=DAILY;COUNT=-1", 2, "this number must be from 1 to 1000000 (character 18)"),
            ("FREQ=MONTHLY;BYMONTHDAY=0", 2,
             "this number must be from 1 to 31, or from -31 to -1 (character 25)"),
            ("FREQ=YEARLY;BYMONTH=JAN", 2,
             "a whole number from 1 to 12 stands here (character 21)"),
            ("FREQ=DALY", 2, 'there is no frequency "DALY"; did you mean DAILY? (character 6)'),
            ("BYDAY=MO", 2, "FREQ is missing; a rule says how often, as FREQ=DAILY (character 9)"),
            ("FREQ=WEEKLY,BYDAY=MO", 2, "parts are separated by semicolons (character 12)"),
            ("'FREQ=WEEKLY BYDAY=MO'", 2, "parts are separated by semicolons (character 12)"),
            ("FREQ=DAILY;BYDAYS=MO", 2,
             'there is no part "BYDAYS"; did you mean BYDAY? (character 12)'),
            ("FREQ=DAILY;FREQ=WEEKLY", 2,
             "FREQ stands twice; a part must not occur more than once (character 12)"),
            ("FREQ=DAILY;BYDAY=MO;BYDAY=TU", 2,
             "BYDAY stands twice; a part must not occur more than once (character 21)"),
            ("FREQ=WEEKLY;BYDAY=", 2, f"{weekday} (character 19)"),
            ("FREQ=WEEKLY;BYDAY=Monday", 2, f"{weekday} (character 19)"),
            ("FREQ=MONTHLY;BYDAY=L", 2, f"{weekday} (character 20)"),
            ("FREQ=DAILY;WKST=XX", 2, f"{weekday} (character 17)"),
            ("FREQ=WEEKLY;BYDAY=MO-FR", 2,
             "weekdays are listed one by one, as MO,TU,WE,TH,FR (character 21)"),
            ("FREQ=WEEKLY;BYDAY=1MO", 2,
             "weekdays have numbers with FREQ=MONTHLY and FREQ=YEARLY only (character 13)"),
            ("FREQ=DAILY;COUNT=0", 2, "this number must be from 1 to 1000000 (character 18)"),
            ("FREQ=DAILY;COUNT=x", 2,
             "a whole number from 1 to 1000000 stands here (character 18)"),
            ("FREQ=DAILY;INTERVAL=0", 2, "this number must be from 1 to 1000000000 (character 21)"),
            ("FREQ=DAILY;COUNT=3;UNTIL=20271231", 2,
             "COUNT and UNTIL must not stand together (character 20)"),
            ("FREQ=DAILY;UNTIL=31.12.2027", 2, until), ("FREQ=DAILY;UNTIL=tomorrow", 2, until),
            ("FREQ=DAILY;UNTIL=20270231", 2, "there is no such day or time of day (character 18)"),
            ("FREQ=DAILY;UNTIL=20200101", 1,
             "its UNTIL lies before the start, so nothing would ever be due (character 12)"),
            ("FREQ=DAILY;BYHOUR=24", 2, "this number must be from 0 to 23 (character 19)"),
            ("FREQ=DAILY;BYMINUTE=60", 2, "this number must be from 0 to 59 (character 21)"),
            ("FREQ=YEARLY;BYMONTH=13", 2, "this number must be from 1 to 12 (character 21)"),
            ("FREQ=YEARLY;BYMONTH=0", 2, "this number must be from 1 to 12 (character 21)"),
            ("FREQ=YEARLY;BYWEEKNO=54", 2,
             "this number must be from 1 to 53, or from -53 to -1 (character 22)"),
            ("FREQ=YEARLY;BYYEARDAY=367", 2,
             "this number must be from 1 to 366, or from -366 to -1 (character 23)"),
            ("FREQ=WEEKLY;BYMONTHDAY=1", 2,
             "BYMONTHDAY must not stand with FREQ=WEEKLY (character 13)"),
            ("FREQ=MONTHLY;BYWEEKNO=1", 2, "BYWEEKNO stands with FREQ=YEARLY only (character 14)"),
            ("FREQ=MONTHLY;BYYEARDAY=1", 2,
             "BYYEARDAY must not stand with FREQ=MONTHLY (character 14)"),
            ("FREQ=MONTHLY;BYSETPOS=1", 2,
             "BYSETPOS needs another BY part to choose from (character 14)"),
            ("FREQ=DAILY;SKIP=ROLL", 2, "SKIP is OMIT, BACKWARD or FORWARD (character 17)"),
            ("FREQ=MONTHLY;RSCALE=HEBREW", 2,
             "RSCALE is GREGORIAN; rules in other calendars are not known (character 21)"),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", 1, "nothing of it would ever be due"),
            (("FREQ=DAILY;BYHOUR=" + "1," * 5000,), 2, "a rule has at most 8192 bytes")),
            *AT, option="--rrule")
        self.answers([(["--rrule", "FREQ=DAILY"] * 9, 1,
                       "--rrule: at most 8 rules are allowed, not 9")], *AT)

    def test_E3_days_off(self):
        write = "is none; write NAME=DAY, such as holidays=sun"
        self.answers((
            ("--repeat day --except-on ''", 1, f"--except-on[0]: {CALENDAR}"),
            ("--repeat day --only-on a/b", 1, f"--only-on[0]: {CALENDAR}"),
            (["--repeat", "day", *["--except-on", "a"] * 9], 1,
             "--except-on: name at most 8 calendars, not 9"),
            ("--repeat day --as-on holidays", 2, f'--as-on: "holidays" {write}'),
            ("--repeat day --as-on holidays:sun", 2, f'--as-on: "holidays:sun" {write}'),
            ("--rrule FREQ=DAILY --as-on holidays=someday", 2,
             '--as-on: "someday" is no day; write mon, tue, wed, thu, fri, sat or sun'),
            ("--repeat day --except-on a --only-on a", 1,
             '--only-on[0]: "a" stands in --except-on, too, so nothing would ever be due'),
            ("--repeat day --as-on holidays=sun", 1,
             "--as-on: it needs an --rrule by days or weeks that names weekdays without numbers, "
             "such as FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("--rrule FREQ=MONTHLY;BYDAY=1MO --as-on holidays=sun", 1,
             "--as-on: it needs an --rrule by days or weeks that names weekdays without numbers, "
             "such as FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")), *AT)


class Fields(WrongInputs):
    def test_A4_levels_volumes_and_numbers(self):
        self.answers((
            ("--level high", 2, f'--level: there is no level "high"; did you mean timeSensitive? {LEVELS}'),
            ("--level urgent", 2,
             f'--level: there is no level "urgent"; did you mean timeSensitive? {LEVELS}'),
            ("--level 5", 2, f'--level: there is no level "5" {LEVELS}'),
            ("--level Critical", 2,
             f'--level: there is no level "Critical"; did you mean critical? {LEVELS}'),
            ("--level time-sensitive", 2,
             f'--level: there is no level "time-sensitive"; did you mean timeSensitive? {LEVELS}'),
            ("--volume loud", 2, '--volume: "loud" is not a volume; use 0.5 or 50%'),
            ("--volume 0,5", 2, '--volume: "0,5" is not a volume; use 0.5 or 50%'),
            ("--volume -6dB", 2, '--volume: "-6dB" is not a volume; use 0.5 or 50%'),
            ("--volume nan", 2, '--volume: "nan" is not a volume; use 0.5 or 50%'),
            ("--volume %", 2, '--volume: "%" is not a volume; use 0.5 or 50%'),
            ("--volume ''", 2, '--volume: "" is not a volume; use 0.5 or 50%'),
            ("--volume -1", 1, '--volume: "-1" is not within 0 to 1'),
            ("--volume 1.5", 1, '--volume: "1.5" is not within 0 to 1'),
            ("--volume 150%", 1, '--volume: "150%" is not within 0% to 100%'),
            ("--volume -10%", 1, '--volume: "-10%" is not within 0% to 100%'),
            ("--badge one", 2, '--badge: "one" is not a whole number'),
            ("--badge 1.5", 2, '--badge: "1.5" is not a whole number'),
            ("--except-on hol,bad", 2,
             '--except-on: "hol,bad" is no name; give it once for each: --except-on hol --except-on bad'),
            ("--badge +1", 2,
             '--badge: "+1" is not a whole number; it is set, not added to: did you mean 1?'),
            ("--late never", 2,
             '--late: "never" is not fire, drop or a duration such as 10m; did you mean drop?'),
            ("--late nowish", 2, '--late: "nowish" is not fire, drop or a duration such as 10m'),
            ("--late Drop", 2,
             '--late: "Drop" is not fire, drop or a duration such as 10m; did you mean drop?'),
            ("--badge 99999999999", 1,
             "--badge: the number must be between -2147483647 and 2147483647"),
            ("--late -5", 1, "--late: the seconds must be between 0 and 1000000000"),
            ("--tolerance -1", 1, "--tolerance: the time must be between 0 and one day"),
            ("--tolerance 0.005s", 1,
             "--tolerance: it is at least 0.01s; leave it out to be on time"),
            ("--tolerance 2d", 1, "--tolerance: the time must be between 0 and one day"),
            ("--expires 2020-12-31", 1,
             "--expires: it would expire before it is due, never shown")), *LATER)
        self.answers((
            ("--expires 2020-01-01T00:00", 1,
             "--expires: it would expire before it is due, never shown"),
            ("--repeat day --expires 10m", 2,
             "--expires: of a repeat it is one moment, and nothing comes after it; to leave out what "
             "comes so late write --late 10m")), *AT)

    def test_S8_sounds(self):
        self.answers([
            (f"--sound {path}", 1, f'--sound: "{path}" is a path; put the file into a sound folder '
             "(belfry help sound) and write --sound bell.wav")
            for path in ("/usr/share/sounds/bell.wav", "./bell.wav", "https://example.org/bell.wav")],
            *LATER)
        self.answers((
            ("--sound Default", 1, '--sound: "Default" is no file; did you mean default?'),
            ("--sound ..", 1, "--sound: this is a file name, not a path: / and .. are refused"),
            ("--sound ''", 1, "--sound: an empty name names nothing; leave it out"),
            ("--sound", 2, "--sound needs NAME (belfry schedule --help)"),
            ("--repeat-sound 3", 2, "--repeat-sound needs --sound NAME"),
            ("--ring-for 1m", 2, "--ring-for needs --sound NAME"),
            ("--fade-in 10s", 2, "--fade-in needs --sound NAME"),
            ("--volume 0.5", 2, "--volume needs --sound NAME"),
            ("--sound none", 1, '--sound: "none" is no sound; for silence leave it out'),
            ("--sound default --ring-for 0s", 1,
             "--ring-for: a sound rings for 1 s to 1 h; leave it out to play it once"),
            ("--sound default --repeat-sound 0", 1,
             "--repeat-sound: a sound comes again 1 to 10 times; leave it out to play it once"),
            ("--sound default --repeat-sound 1m", 2, '--repeat-sound: "1m" is not a whole number'),
            ("--sound default --repeat-sound 11", 1,
             "--repeat-sound: a sound comes again 1 to 10 times"),
            ("--sound default --ring-for 2h", 1, "--ring-for: a sound rings for 1 s to 1 h"),
            ("--sound default --ring-for 0.5s", 1, "--ring-for: a sound rings for 1 s to 1 h"),
            ("--sound default --ring-for 60", 2,
             '--ring-for: "60" is not a duration; did you mean 60s or 60m?'),
            ("--sound default --fade-in 31m", 1, "--fade-in: a sound fades in for 0 s to 30 min"),
            ("--sound default --repeat-sound 3 --ring-for 1m", 2,
             "--repeat-sound and --ring-for cannot stand together")), *LATER)

    def test_E6_ladders_realerts_and_sinks(self):
        known = "(known are speaker, console)"
        step = "is no step; write AFTER:SINKS, such as 2m:speaker"
        self.answers((
            ("--ladder now", 2, f'--ladder: "now" {step}'),
            ("--ladder console", 2, f'--ladder: "console" {step}'),
            ("--ladder 'now console'", 2, f'--ladder: "now" {step}'),
            ("--ladder 'now:console 2m:'", 2, f'--ladder: "2m:" {step}'),
            ("--ladder 'now:console 2:speaker'", 2,
             '--ladder: "2" is not a duration; did you mean 2s or 2m?'),
            ("--ladder 'now:console 2m:console:level=high'", 2,
             f'--ladder: there is no level "high" {LEVELS}'),
            ("--ladder 'now:console 2m:console:volume=loud'", 2,
             '--ladder: "loud" is not a volume; use 0.5 or 50%'),
            ("--ladder 'now:console' --to console", 2,
             "--to and a step at now cannot stand together: both say who gets it first"),
            ("--to console,speaker", 2, '--to: "console,speaker" is no name; give it once for '
             "each: --to console --to speaker"),
            ("--ladder 'now:console 2m:phone'", 1,
             f'--ladder[1].sinks: there is no sink "phone" {known}'),
            ("--ladder 'now:console 2m:console:vol=1'", 2,
             '--ladder: "vol=1" is none of sound=NAME, volume=V and level=LEVEL'),
            ("--ladder 'now:console 2m:console:sound='", 2,
             '--ladder: "sound=" is none of sound=NAME, volume=V and level=LEVEL'),
            ("--ladder 'now:console 2m:console:volume=2'", 1,
             '--ladder: "2" is not within 0 to 1; did you mean 2%?'),
            ("--ladder 'now:console 2m:console:sound=../x'", 1,
             "--ladder[1].sound: this is a file name, not a path: / and .. are refused"),
            ("--ladder @/nonexistent/steps", 1,
             "--ladder: open /nonexistent/steps: No such file or directory"),
            ("--realert 5", 2, '--realert: "5" is not a duration; did you mean 5s or 5m?'),
            ("--realert 5s", 1, "--realert: it comes again every 10 s to 24 h, such as 5m"),
            ("--realert-at-most 3", 2, "--realert-at-most: it needs --realert DURATION beside it"),
            ("--realert 5m --realert-at-most 1h", 2,
             '--realert-at-most: "1h" is not a whole number'),
            ("--to phone", 1, f'--to: there is no sink "phone" {known}'),
            ("--to Console", 1,
             f'--to: there is no sink "Console"; did you mean console? {known}'),
            ("--to ''", 1, "--to: an empty name names nothing; leave it out"),
            ("--to console --to console", 1, '--to: "console" stands in the list twice'),
            (["--to", "console"] * 17, 1, "--to: name at most 16 sinks, not 17")), *LATER)

    def test_N12_user_info(self):
        value = f"--user-info: a value is missing here {OBJECT}"
        self.answers((
            ("--user-info ''", 2, f"--user-info: the text ends where a value should be {OBJECT}"),
            ("--user-info room=3", 2,
             '--user-info: "room=3" is not JSON; did you mean \'{"room": 3}\'?'),
            ("--user-info room=null", 2,
             '--user-info: "room=null" is not JSON; did you mean \'{"room": "null"}\'?'),
            ("--user-info {room=3}", 2,
             f"--user-info: a member's name in double quotes is missing here {OBJECT}"),
            ("--user-info room=A", 2,
             '--user-info: "room=A" is not JSON; did you mean \'{"room": "A"}\'?'),
            ("--user-info '{\"a\":True}'", 2, value), ("--user-info '{\"a\":NaN}'", 2, value),
            ("--user-info '{\"room\":3'", 2,
             f"--user-info: the text ends where a comma or }} should be {OBJECT}"),
            ("--user-info \"{'room':3}\"", 2,
             "--user-info: JSON has double quotes; did you mean '{\"room\":3}'?"),
            ("--user-info @room.json", 2, '--user-info: "@room.json" is not JSON; what a file has is '
             'given as --user-info "$(cat room.json)"'),
            ("--user-info '{\"room\":3,}'", 2,
             f"--user-info: a member's name in double quotes is missing here {OBJECT}"),
            ("--user-info '{\"room\":03}'", 2,
             f"--user-info: a number does not begin with 0 {OBJECT}"),
            ("--user-info '{\"a\":1,\"a\":2}'", 2, f"--user-info: the same name twice {OBJECT}"),
            ("--user-info '{\"a\":1} x'", 2, f"--user-info: something follows the value {OBJECT}"),
            ("--user-info '{\"a\":1e999}'", 2,
             f"--user-info: a number beyond the range of a double {OBJECT}"),
            ("--user-info [1]", 2, '--user-info: "[1]" is not a JSON object, such as '
             "'{\"room\": 3}'"),
            ("--user-info '\"x\"'", 2, "--user-info: a string is not a JSON object, such as "
             "'{\"room\": 3}'"),
            ("--user-info '{\"a\":{\"$date\":\"2027-01-01\"}}'", 1,
             "--user-info a: $date takes an integer, microseconds since 1970 UTC"),
            ("--user-info '{\"a\":{\"$data\":\"!!\"}}'", 1,
             "--user-info a: this is not base 64 with padding (RFC 4648)"),
            (["--user-info", json.dumps({"a": "x" * 65536})], 1,
             "--user-info: at most 65536 bytes are allowed, not 65544 (as JSON)")), *LATER)

    def test_A4_texts_and_names(self):
        long = "bytes of UTF-8 are allowed, not"
        self.answers((
            (["--title", "t" * 1025], 1, f"--title: at most 1024 {long} 1025"),
            (["--subtitle", "t" * 1025], 1, f"--subtitle: at most 1024 {long} 1025"),
            (["--action", "t" * 1025], 1, f"--action: at most 1024 {long} 1025"),
            (["--sound", "t" * 256], 1, f"--sound: at most 255 {long} 256"),
            (["--category", "t" * 256], 1, f"--category: at most 255 {long} 256"),
            (["--thread", "t" * 256], 1, f"--thread: at most 255 {long} 256"),
            (["--app", "t" * 129], 1, "--app: an app id has at most 128 bytes"),
            ("--app gr\u00fcn", 1, "--app: an app id has letters, digits and . _ - only"),
            ("--app ''", 1, "--app: an app id has at least one character"),
            ("--id ''", 1, "--id: an identifier has at least one character"),
            (["--id", "a\nb"], 1, "--id: the control character U+000A is not allowed here"),
            (["--id", "\x1b[31m"], 1, "--id: the control character U+001B is not allowed here"),
            ("--category ''", 1, "--category: an empty name names nothing; leave it out"),
            ("--thread ''", 1, "--thread: an empty name names nothing; leave it out"),
            (["--id", b"\xff"], 2, "argument 7 is not UTF-8")), *LATER)
        self.answers((
            ("--body ''", 1, f"--body: {NOTHING}"), ("--body ' '", 1, f"--body: {NOTHING}"),
            ("--title ''", 1, f"--title: {NOTHING}"),
            ("--badge 0", 1,
             "--body: there is nothing to deliver: give a body, a title, a sound, a badge "
             "other than 0 or --user-info"),
            ("--subtitle s", 2,
             "something to deliver is needed: --body, --title, --sound, --badge or "
             "--user-info")), "schedule", "--in", "1h")

    def test_R1_regions(self):
        form = "is not LAT,LON,METRES such as 52.52,13.405,100"
        self.answers([
            ((text,), 2, f'--region: "{text}" {form}') for text in (
                "", "Berlin", "52.52,13.405", "52,52,13,405,200", "52.52;13.405;200", "nan,13,200",
                "52.52N,13.405E,200", "km")],
            *DRAFT, "--region")
        self.answers([((text,), 2, f'--region: "{text}" is not LAT,LON,METRES; did you mean 52.52,13.405,200?')
                      for text in ("52.52,13.405,200m", "52.52,13.405,200 m", "52.52,13.405,0.2km",
                                   "52.52,13.405,0.2 km")], *DRAFT, "--region")
        metres = "--region radius: the metres must be between 1 and 10000000"
        self.answers((
            ("52.52,13.405,-5", 1, metres), ("52.52,13.405,0.5", 1, metres),
            ("52.52,13.405,20000000", 1, metres),
            ("52.52,181,200", 1, "--region longitude: the degrees must be between -180 and 180")),
            *DRAFT, "--region")
        crossing = "(one of enter, exit, both)"
        self.answers((
            ("--on arrive", 2, f'--on: there is no crossing "arrive" {crossing}'),
            ("--on leave", 2, f'--on: there is no crossing "leave" {crossing}'),
            ("--except-on holidays", 2, "--region and --except-on cannot stand together"),
            ("--tolerance 5m", 2, "--region and --tolerance cannot stand together")),
            *DRAFT, "--region", "52.52,13.405,200")
        place = "--accuracy: the metres must be between 0 and half way around the globe"
        self.answers((
            ("52.52", 2, 'LAT,LON: "52.52" is not LAT,LON such as 52.52,13.405'),
            ("52.52,13.405,10", 2,
             'LAT,LON: "52.52,13.405,10" is not LAT,LON such as 52.52,13.405'),
            ("Berlin", 2, 'LAT,LON: "Berlin" is not LAT,LON such as 52.52,13.405'),
            ("''", 2, 'LAT,LON: "" is not LAT,LON such as 52.52,13.405'),
            ("91,13", 1, "LAT,LON: the degrees must be between -90 and 90"),
            ("52,181", 1, "LAT,LON: the degrees must be between -180 and 180"),
            ("52.52,13.405 --accuracy -1", 1, place), ("52.52,13.405 --accuracy 1e9", 1, place),
            ("52.52,13.405 20", 2,
             'fix does not take "20"; did you mean --accuracy 20? (belfry fix --help)'),
            ("52.52,13.405 20m", 2,
             'fix does not take "20m"; did you mean --accuracy 20? (belfry fix --help)'),
            ("52.52,13.405 --accuracy '10 km'", 2, '--accuracy: "10 km" is not a number'),
            ("52.52,13.405 --accuracy 10m", 2,
             '--accuracy: "10m" is not a number; did you mean 10?'),
            ("52.52,13.405 --time x", 2, f'--time: "x" is not a time; {FORMS}')), "fix")


class Together(WrongInputs):
    PAIRS = (
        "--at 07:00 --in 5m", "--at 07:00 --now", "--in 5m --now", "--at 07:00 --region 52,13,200",
        "--in 1h --region 52,13,200", "--now --region 52,13,200", "--region 52,13,200 --repeat day",
        "--region 52,13,200 --weekdays mon-fri", "--region 52,13,200 --rrule FREQ=DAILY",
        "--region 52,13,200 --time-zone Europe/Berlin", "--region 52,13,200 --exdate 2099-12-24",
        "--region 52,13,200 --until 2099-12-24", "--region 52,13,200 --count 3",
        "--region 52,13,200 --gap skip", "--action Go --no-action --in 1h",
        "--weekdays mon-fri --repeat day --at 07:00",
        "--weekdays mon-fri --rrule FREQ=DAILY --at 07:00")

    def test_A4_what_cannot_stand_together(self):
        table = []
        for words in self.PAIRS:
            first, second = [word for word in words.split() if word.startswith("--")][:2]
            table.append((words, 2, f"{first} and {second} cannot stand together"))
        self.answers(table, *DRAFT)

    def test_A4_options_twice_without_argument_and_alone(self):
        needed = "one of --at TIME, --in DURATION, --now and --region is needed"
        self.answers((
            ("", 2, needed), ("--weekdays mon-fri", 2, needed), ("--rrule FREQ=DAILY", 2, needed),
            ("--every 10m", 2, '--every: "10m" is no number; write --repeat minute --every 10'),
            ("--in 5m --in 6m", 2, "--in is given twice (belfry schedule --help)"),
            ("--in 5m --body y", 2, "--body is given twice (belfry schedule --help)"),
            ("--at 07:00 --repeat day --repeat week", 2,
             "--repeat is given twice (belfry schedule --help)"),
            ("--in 1h --user-info {} --user-info {}", 2,
             "--user-info is given twice (belfry schedule --help)"),
            ("--in 1h --no-action=yes", 2, "--no-action takes no argument"),
            ("--now=yes", 2, "--now takes no argument"),
            ("--in 1h --json=yes", 2, "--json takes no argument"),
            ("--in 1h --on enter", 2, "--on needs --region LAT,LON,METRES"),
            ("--in 1h --every-crossing", 2, "--every-crossing needs --region LAT,LON,METRES"),
            ("--in 1h --volume", 2, "--volume needs V (belfry schedule --help)"),
            ("--at 07:00 --rep day", 2, "--rep may be --repeat-sound, --repeat"),
            ("--at 07:00 --no", 2, "--no may be --no-action, --now"),
            ("--at 07:00 --ev 2", 2, "--ev may be --every-crossing, --every")),
            *DRAFT)

    def test_A4_options_of_other_tools_and_commands(self):
        meant = {"--when": "at", "--date": "at", "--delay": "in", "--msg": "body", "--name": "id",
                 "--days": "weekdays", "--timezone": "time-zone", "--inn": "in", "--Body": "body",
                 "--on-active": "in", "--text": "body", "--after": "in", "--urgency": "level",
                 "--critical": "level critical", "--daily": "repeat day", "--times": "count",
                 "--cron": "rrule", "--timeout": "expires", "--day": "weekdays",
                 "--urgent": "level timeSensitive", "--loop": "ring-for", "--summary": "title",
                 "--subject": "title", "--alert": "body", "--freq": "rrule", "--exclude": "exdate",
                 "-m": "body", "-t": "title", "-u": "level"}
        self.answers([
            ([option, "x"], 2,
             f'no option "{option}"; did you mean --{name}? (belfry schedule --help)')
            for option, name in meant.items()], "schedule")
        self.answers((
            ("schedule --body x --in 1h --mute", 2, 'no option "--mute": without --sound it is silent'),
            ("history --after 1h", 2, 'no option "--after"; did you mean --since? (belfry history --help)'),
            ("-V", 2, 'no option "-V"; did you mean --version? (belfry --help)'),
            ("schedule --body x --in 1h --dry-run", 2,
             "schedule has no --dry-run; it belongs to push"),
            ("schedule --body x --in 1h --limit 3", 2,
             "schedule has no --limit; it belongs to history, push, inbox fetch"),
            ("next --in 1h --body x", 2, "next has no --body; it belongs to schedule, edit"),
            ("next --in 1h --expires 5m", 2,
             "next has no --expires; it belongs to schedule, edit, push"),
            ("next --in 1h --explian", 2,
             'no option "--explian"; did you mean --explain? (belfry next --help)'),
            ("list -a", 2, "list shows all: leave -a out"),
            ("dismiss -a", 2, 'no option "-a"; did you mean --app or --all? (belfry dismiss --help)'),
            ("history -x", 2, 'no option "-x" (belfry history --help)'),
            ("cancel --al", 2, 'no option "--al"; did you mean --all? (belfry cancel --help)'),
            ("schedule --body x --time 07:00", 2,
             'no option "--time"; did you mean --at? (belfry schedule --help)'),
            ("schedule --body x --at 07:00 --zone Europe/Berlin", 2,
             'no option "--zone"; did you mean --time-zone? (belfry schedule --help)'),
            ("schedule --body x --at 07:00 --repeat day --except 2099-12-24", 2,
             'no option "--except"; did you mean --exdate? (belfry schedule --help)'),
            ("fix 52.52 13.405", 2,
             'fix does not take "13.405"; did you mean 52.52,13.405? (belfry fix --help)'),
            ("fix -33.86 151.21", 2,
             'fix does not take "151.21"; did you mean -33.86,151.21? (belfry fix --help)'),
            ("--all list", 2, "--all stands after its command: belfry COMMAND --all"),
            ("history bell", 2,
             'history does not take "bell"; did you mean --id bell? (belfry history --help)'),
            ("watch bell", 2, 'watch does not take "bell"; for one there is belfry history --id bell'
             ' (belfry watch --help)'),
            ("history 5", 2,
             'history does not take "5"; did you mean -n 5? (belfry history --help)'),
            ("history -n x", 2, '--limit: "x" is not a whole number'),
            ("next bell 5", 2, 'next does not take "5"; did you mean -n 5? (belfry next --help)'),
            ("skip bell 2", 2, 'skip does not take "2"; did you mean -n 2? (belfry skip --help)'),
            ("pause bell --for 1h", 2,
             'no option "--for"; did you mean --until? (belfry pause --help)'),
            ("unit --usr", 2, 'no option "--usr"; did you mean --user? (belfry unit --help)')))

    def test_A4_arguments_with_blanks(self):
        meant = {
            "--body Tea is ready --in 5m": ("is", "--body 'Tea is ready'"),
            "--at tomorrow 07:00": ("07:00", "--at 'tomorrow 07:00'"),
            "--at 2027-06-01 07:00": ("07:00", "--at '2027-06-01 07:00'"),
            "--body x --in 5 minutes": ("minutes", "--in 5m"),
            "--body x --in 1 h 30 m": ("h", "--in 1h30m"),
            "--body x --at 07:00 --weekdays mon tue": ("tue", "--weekdays mon,tue"),
            "--body x --in 1h --ladder now:console 2m:speaker":
                ("2m:speaker", "--ladder 'now:console 2m:speaker'"),
            "--body x --region 52.52 13.405 200": ("13.405", "--region 52.52,13.405,200"),
            "--body x in 5m": ("in", "--in 5m"), "--body x at 07:00": ("at", "--at 07:00"),
            "--body x 07:00": ("07:00", "--at 07:00"), "5m --body x": ("5m", "--in 5m"),
            "tomorrow 07:00 --body x": ("tomorrow", "--at 'tomorrow 07:00'"),
            "--at 07:00 --body x mon-fri": ("mon-fri", "--weekdays mon-fri"),
            "--at 07:00 --body x every day": ("every", "--repeat day"),
            "--at 07:00 --body x Europe/Berlin": ("Europe/Berlin", "--time-zone Europe/Berlin"),
            "kitchen --body Tea --in 5m": ("kitchen", "--id kitchen, or --body 'Tea kitchen'"),
            "Tea --in 4m": ("Tea", "--body Tea"), "Green tea --in 4m": ("Green", "--body 'Green tea'"),
            "--at 07:00 --repeat day --exdate 2099-12-24, 2099-12-25":
                ("2099-12-25", "--exdate '2099-12-24, 2099-12-25'")}
        self.answers([
            (words, 2, f'schedule does not take "{first}"; did you mean {option}? '
             "(belfry schedule --help)") for words, (first, option) in meant.items()], "schedule")
        self.answers((
            ("\u2014body x", 2, 'schedule does not take "\u2014body"; it begins with a long dash; '
             "did you mean --body? (belfry schedule --help)"),), "schedule")


class Commands(WrongInputs):
    def test_A4_commands_that_are_none(self):
        meant = {
            "Schedule": "schedule", "schedule:": "schedule", "add": "schedule", "new": "schedule",
            "create": "schedule", "alarm": "schedule", "remind": "schedule",
            "notify": "schedule --now", "remove": "cancel", "delete": "cancel", "del": "cancel",
            "show": "list", "ps": "list", "atq": "list", "atrm": "cancel", "log": "history",
            "mute": "stop-sound", "silence": "stop-sound",
            "plugins": "plugin list", "play": "sound play", "in": "schedule --in",
            "start": "belfryd", "restart": "reload, or help daemon", "stop": "stop-sound, dismiss or cancel", "kill": "cancel",
            "disable": "pause", "enable": "resume",
            "update": "edit", "timer": "schedule", "logs": "history", "info": "status",
            "events": "watch", "version": "--version"}
        self.answers([
            ([word, "x"], 2,
             f'no command "{word}"; did you mean {name}? (belfry --help lists them)')
            for word, name in meant.items()])
        self.answers((
            ("frobnicate", 2, 'no command "frobnicate" (belfry --help lists them)'),
            (["\x1b[31mx"], 2, 'no command "\ufffd[31mx" (belfry --help lists them)'),
            ([b"sch\xe9dule"], 2, "argument 1 is not UTF-8"),
            ("--schedule", 2, 'no option "--schedule" (belfry --help)'),
            ("--socket", 2, "--socket needs PATH (belfry --help)"),
            ("--body x", 2, "--body stands after its command: belfry schedule --body")))

    def test_A4_families(self):
        self.answers([(family, 2, f"{family} needs one of: {members}")
                      for family, members in FAMILIES.items()])
        self.answers([(f"{family} frobnicate", 2,
                       f'no command "{family} frobnicate" ({family} needs one of: {members})')
                      for family, members in FAMILIES.items()])
        self.answers((
            ("app ls", 2, 'no command "app ls"; did you mean app list? (app needs one of: list, show)'),
            ("days chek x", 2,
             'no command "days chek"; did you mean days check? (days needs one of: list, check)'),
            ("help sound plai", 2,
             'no command "sound plai"; did you mean sound play? '
             "(sound needs one of: check, play)")))

    def test_A4_pages_and_shells(self):
        pages = "(one of belfry, belfry.conf, belfry.app, belfry-time, belfry-plugin, belfryd)"
        shells = "one of bash, zsh, fish"
        self.answers((
            ("help exit soud", 2, 'help exit has no part "soud" (one of belfry, belfryd)'),
            ("help ls", 2, 'no command or topic "ls"; did you mean list? (belfry help lists them)'),
            ("help sched", 2, 'no command or topic "sched"; did you mean schedule? (belfry help lists them)'),
            ("help configuraton", 2,
             'no command or topic "configuraton"; did you mean configuration? '
             "(belfry help lists them)"),
            ("man belfry.config", 2,
             f'no man page "belfry.config"; did you mean belfry.conf? {pages}'),
            ("man ''", 2, f'no man page "" {pages}'),
            ("completion", 2, "completion needs SHELL"),
            ("completion Bash", 2, f'SHELL: there are no completions for "Bash"; {shells}'),
            ("completion powershell", 2,
             f'SHELL: there are no completions for "powershell"; {shells}')))

    def test_A4_words_that_are_not_taken(self):
        self.answers([
            (f"{command} frobnicate", 2,
             f'{command} does not take "frobnicate" (belfry {command} --help)')
            for command in ("status", "doctor", "reload", "trust-clock", "stop-sound",
                            "unit", "try", "days list", "plugin list", "inbox fetch")])
        self.answers((("list bell", 2, 'list does not take "bell"; for one there is belfry next bell '
                       "(belfry list --help)"),))
        self.answers([
            (command, 2, f"{command} needs {word}") for command, word in (
                ("push", "FILE"), ("fix", "LAT,LON"), ("edit", "ID"), ("skip", "ID"),
                ("unskip", "ID"), ("app show", "APP"), ("days check", "FILE"),
                ("sound check", "SOUND"), ("sound play", "SOUND"), ("plugin check", "FILE"),
                ("act", "ID.. [ACTION]"),
                ("snooze", "ID.. DURATION"))])

    def test_A4_without_a_daemon(self):
        folder = self.bells.directory
        for path, says in (("/nonexistent/socket", "start belfryd --directory /nonexistent"),
                           (self.bells.log, "it is a file, not a socket"),
                           (folder, f"it is a folder; did you mean {folder}/socket?")):
            with self.subTest(path=path):
                self.assertEqual(run("list", "--socket", path), (
                    3, "", f"belfry: no daemon answers at {path}; {says}\n"))

    def test_A4_what_is_no_socket(self):
        # The folder of a longer one is opened first.
        deep = os.path.join(self.bells.directory, "d" * 120)
        os.mkdir(deep)
        os.symlink(self.bells.socket, os.path.join(deep, "socket"))
        self.assertEqual(run("badge", socket=os.path.join(deep, "socket")), (0, "0\n", ""))
        long = "/" + "a" * 107
        self.assertEqual(run("list", "--socket", ""), (
            2, "", "belfry: --socket: a path is missing\n"))
        says = "a socket's name has at most 88 bytes, and this one 107"
        self.assertEqual(run("doctor", "--socket", long), (2, "", f"belfry: --socket: {says}\n"))
        self.assertEqual(run("list", socket=long), (
            2, "", f"belfry: BELFRY_SOCKET: {says}\n"))

    def test_A4_with_json_the_same_is_said_in_json(self):
        for words, status, code, field, message in (
                ("schdule", 2, "usage", None,
                 'no command "schdule"; did you mean schedule? (belfry --help lists them)'),
                ("fix 1", 2, "usage", "LAT,LON", '"1" is not LAT,LON such as 52.52,13.405'),
                ("snooze x 5", 2, "usage", "DURATION",
                 '"5" is not a duration; did you mean 5s or 5m?'),
                ("schedule --body x --in 1h --to phone", 1, "unknown", "--to",
                 'there is no sink "phone" (known are speaker, console)')):
            with self.subTest(words=words):
                got, out, err = self.belfry("--json", *words.split())
                self.assertEqual((got, out, json.loads(err)), (
                    status, "", {"code": code, "field": field, "message": message}))


class Things(WrongInputs):
    """What names notifications, apps and sinks that are not there, or not so."""
    GONE = "is shown or snoozed (see: belfry list --delivered, belfry list)"

    @classmethod
    def prepare(cls, bells):
        for name, more in (("bell", {"repeatInterval": "day"}), ("once", {})):
            bells.schedule(identifier=name, alertBody="x", fireDate=microseconds(YEAR), **more)
        bells.call("Schedule", {"app": "radio", "notification": {
            "identifier": "news", "alertBody": "x", "fireDate": microseconds(YEAR)}})
        bells.schedule(identifier="tea ", alertBody="x", fireDate=microseconds(YEAR))
        bells.call("PresentNow", {"notification": {"identifier": "shown", "alertBody": "x"}})
        wait_until(lambda: bells.listed(delivered=True) and bells.history(), what="the alert")

    def test_A4_identifiers_that_nobody_has(self):
        self.answers([(f"{words} edn", 1, 'ID: nothing is called "edn"')
                      for words in ("pause", "resume", "skip", "unskip", "edit --body y")])
        self.answers([(f"{words} belll", 1, 'ID: nothing is called "belll"; did you mean bell?')
                      for words in ("next", "pause", "resume", "skip", "unskip", "edit --body y")])
        self.answers([(words, 1, f'ID: no alert called "shwn" {self.GONE}; did you mean shown?')
                      for words in ("dismiss shwn", "act shwn", "snooze shwn 5m")])
        self.answers([("edit shown --body y", 1,
                       'ID: "shown" is shown, and scheduled no more')])
        self.answers((
            ("next ''", 1, "ID: an identifier has at least one character"),
            (["next", "z" * 200], 1, "ID: at most 128 bytes of UTF-8 are allowed, not 200"),
            ("ack shownn", 1, f'ID: no alert called "shownn" {self.GONE}; did you mean shown?'),
            ("ack ''", 1, "ID: leave it out to acknowledge what came last"),
            ("dismiss ''", 1, "ID: an identifier has at least one character"),
            ("snooze '' 5m", 1, "ID: an identifier has at least one character")))
        # What is scheduled is not shown.
        self.answers([(words, 1, f'ID: no alert called "bell" {self.GONE}')
                      for words in ("dismiss bell", "act bell", "ack bell", "snooze bell 5m")])

    def test_N15_what_is_not_there_is_not_cancelled(self):
        for word, says in (
                ("belll", 'nothing is called "belll"; did you mean bell?'),
                ("tea", 'nothing is called "tea"; did you mean "tea "?'),
                ("bell,once", 'nothing is called "bell,once"'), ("*", 'nothing is called "*"'),
                ("all", 'nothing is called "all"'),
                ("radio/news", 'nothing is called "radio/news"'),
                ("news", f'"news" is not in the app {ME} but in radio; write --app radio')):
            with self.subTest(word=word):
                self.assertEqual(self.belfry("cancel", word), (
                    1, "", f"belfry: ID: {says}\n"))
        self.answers((
            ("cancel --yes", 2, "cancel needs an ID, or --all (belfry cancel --help)"),
            ("cancel --all bell --yes", 2, "cancel takes IDs or --all, not both (belfry cancel --help)"),
            ("cancel -tea", 2, 'no option "-tea"; if it is an ID: belfry cancel -- \'-tea\''),
            ("cancel -app x bell", 2,
             'no option "-app"; did you mean --app? (belfry cancel --help)'),
            ("cancel --everything", 2, 'no option "--everything" (belfry cancel --help)')))

    def test_A1_what_another_app_has(self):
        self.answers([
            (words, 1, f'ID: "news" is not in the app {ME} but in radio; write --app radio')
            for words in ("edit news --body y", "pause news", "resume news", "skip news")])
        self.answers((
            ("next news --app raido", 1,
             'ID: "news" is not in the app raido but in radio; write --app radio'),
            ("pause --app radio bell", 1,
             f'ID: "bell" is not in the app radio but in {ME}; write --app {ME}'),
            ("pause --app raido", 1,
             "--app: nobody has scheduled anything as raido: name another app"),
            ("app show nobody.here", 1,
             'APP: nobody has used "nobody.here", and no manifest names it'),
            ("list --app 'x y'", 1, "--app: an app id has letters, digits and . _ - only")))
        self.assertEqual(self.belfry("next", "nothing", "--app", "raido"), (
            1, "", 'belfry: warning: no app is called "raido"; did you mean radio?\n'
            'belfry: ID: nothing is called "nothing"\n'))
        # Nothing is cleared of what is not there.
        self.assertEqual(self.belfry("badge", "0", "--app", "raido"), (
            0, "0\n", 'belfry: warning: no app is called "raido"; did you mean radio?\n'))
        self.assertNotIn("raido", self.belfry("app", "list")[1])

    def test_E7_edits(self):
        self.answers((
            ("bell", 2, "edit needs options of schedule that say what changes, or --clear FIELD"),
            ("bell once --body y", 2, 'edit does not take "once" (belfry edit --help)'),
            ("bell daily", 2,
             'edit does not take "daily"; did you mean --repeat day? (belfry edit --help)'),
            ("bell --id ring", 2, "edit has no --id; write belfry edit ID"),
            ("bell --clear nothing", 1, '--clear: there is no field "nothing"'),
            ("bell --clear alertBdoy", 1,
             '--clear: there is no field "alertBdoy"; did you mean alertBody?'),
            ("bell --clear bodyy", 1, '--clear: there is no field "bodyy"; did you mean body?'),
            ("bell --clear at", 1,
             "--clear: at says when it is due: give --at, --in or --now instead; belfry cancel "
             "takes it off the list"),
            ("bell --clear fireDate", 1,
             "--clear: fireDate says when it is due: give --at, --in or --now instead; "
             "belfry cancel takes it off the list"),
            ("bell --clear body", 1,
             "--body: there is nothing to deliver: give a body, a title, a sound, "
             "a badge other than 0 or --user-info"),
            ("bell --body ''", 1, f"--body: {NOTHING}"),
            ("bell --at 7", 2, '--at: "7" is not a time; did you mean 07:00?'),
            ("bell --in 5", 2, '--in: "5" is not a duration; did you mean 5s or 5m?'),
            ("bell 07:30", 2,
             'edit does not take "07:30"; did you mean --at 07:30? (belfry edit --help)'),
            ("bell --clear identifier", 1,
             "--clear: identifier stays: schedule another, and cancel bell"),
            ("bell --body y --clear body", 1,
             "--clear: --body is set too: either set or clear it"),
            ("bell --region 1,2,3", 1, "--region: it repeats by the time: add --clear repeat"),
            ("once --exdate 2099-12-24", 1,
             "--exdate: it fires once; give --repeat, --weekdays or --rrule too, or cancel it"),
            ("bell --weekdays foo", 2, f'--weekdays: "foo" is no day; {DAYS}'),
            ("once --every 2", 2, "--every needs --repeat UNIT"),
            ("bell --offset -400d", 1, "--offset: it must be between -366 and +366 days"),
            ("bell --expires 2020-01-01T00:00", 1,
             "--expires: it would expire before it is due, never shown"),
            ("bell --until 2020-01-01", 1,
             "--until: it lies before --at, so nothing would ever be due"),
            ("bell --to phone", 1, '--to: there is no sink "phone" (known are speaker, console)'),
            ("once --until 2099-12-31", 1, "--until: there is no repeat that it could end"),
            ("once --rdate 2099-12-31T07:00", 1,
             "--rdate: it fires once; give --repeat, --weekdays or --rrule too, or schedule another"),
            ("--all --body y", 2,
             "edit has no --all; it belongs to pause, resume, cancel, dismiss")),
            "edit")

    def test_N18_next(self):
        many = "is not a number from 1 to 10000"
        self.answers((
            ("", 2,
             "next needs an ID, or one of --at, --in, --now and --region (belfry next --help)"),
            ("bell once", 2, 'next does not take "once" (belfry next --help)'),
            ("bell --at 07:00", 2, "next takes an ID or trigger options, not both: --at"),
            ("--repeat day", 2, "one of --at TIME, --in DURATION, --now and --region is needed"),
            ("bell -n -1", 1, f"-n: -1 {many}"),
            ("bell -n 99999999", 1, f"-n: 99999999 {many}"),
            ("bell -n 5x", 2, '-n: "5x" is not a whole number'),
            ("bell -n", 2, "-n needs N (belfry next --help)"),
            ("bell --after yesterdy", 2,
             f'--after: "yesterdy" is not a time; {DATED_FORMS}')), "next")

    def test_E1_E2_pauses_and_skips(self):
        self.answers((
            ("pause", 2,
             "pause needs identifiers, or --app APP for a whole app, or --all for everything"),
            ("resume", 2,
             "resume needs identifiers, or --app APP for a whole app, or --all for everything"),
            ("pause bell --all", 2,
             "pause takes IDs or --all, not both (belfry pause --help)"),
            ("resume --all bell", 2,
             "resume takes IDs or --all, not both (belfry resume --help)"),
            ("pause bell --until 2020-01-01", 1,
             "--until: a pause ends after it begins: name a later time"),
            ("pause bell --from 2099-02-01 --until 2099-01-06", 1,
             "--until: a pause ends after it begins: name a later time"),
            ("pause bell --until 5", 2, '--until: "5" is not a time; did you mean 05:00, or 5m?'),
            ("pause bell --until -5m", 2, '--until: "-5m" is not a duration; did you mean 5m?'),
            ("pause bell --from 2h --until 1h", 1,
             "--until: a pause ends after it begins: name a later time"),
            ("pause bell 1h", 1, 'ID: nothing is called "1h"; for so long write --until 1h'),
            ("pause bell 90min", 1, 'ID: nothing is called "90min"; for so long write --until 90m'),
            ("pause bell --until", 2, "--until needs T (belfry pause --help)"),
            ("pause bell --from x", 2, f'--from: "x" is not a time; {DATED_FORMS}'),
            ("skip bell -n 0", 1, "-n: 0 is not a number from 1 to 1000"),
            ("skip bell -n 1001", 1, "-n: 1001 is not a number from 1 to 1000"),
            ("skip bell -n x", 2, '-n: "x" is not a whole number'),
            ("skip bell -n 2 --at 07:00", 2, "-n and --at cannot stand together"),
            ("skip bell --at 2099-13-24", 2, '--at: "2099-13-24" is not a time: there is no such day'),
            ("unskip bell -n 1", 2, 'no option "-n" (belfry unskip --help)')))

    def test_D11_answers_and_snoozes(self):
        self.answers((
            ("dismiss", 2, "dismiss needs an ID, or --all (belfry dismiss --help)"),
            ("dismiss --all shown", 2,
             "dismiss takes IDs or --all, not both (belfry dismiss --help)"),
            ("act shown --text hi", 1, "--text: the default action takes no text"),
            ("act shown --text", 2, "--text needs T (belfry act --help)"),
            ("snooze shown", 2, "snooze needs ID.. DURATION"),
            ("snooze 10m", 2, "snooze needs ID.. DURATION: which one? belfry list --delivered has the ID of "
             "each"),
            ("edit bell --sound ''", 1, '--sound: "" is no sound; for silence write --clear sound'),
            ("edit bell --sound none", 1, '--sound: "none" is no sound; for silence write --clear sound'),
            ("snooze shown 5", 2, 'DURATION: "5" is not a duration; did you mean 5s or 5m?'),
            ("snooze shown --for 5m", 2, "snooze has no --for; write belfry snooze ID.. DURATION"),
            ("snooze --id shown 5m", 2, "snooze has no --id; write belfry snooze ID.. DURATION"),
            ("act shown --action open", 2, "act has no --action; write belfry act ID.. [ACTION]"),
            ("cancel --id shown", 2, "cancel has no --id; write belfry cancel ID.."),
            ("next --id shown", 2, "next has no --id; write belfry next [ID]"),
            ("badge --set 3", 2, "badge has no --set; write belfry badge [N]"),
            ("push --file x", 2, "push has no --file; write belfry push FILE"),
            ("snooze 5m shown", 2, "DURATION: it stands last: snooze shown 5m"),
            ("act shown ''", 1, "ACTION: an identifier has at least one character"),
            ("snooze shown 07:00", 2, 'DURATION: "07:00" is not a duration; did you mean 7h?'),
            ("snooze shown ''", 2, f'DURATION: "" is not a duration; {SPANS}'),
            ("snooze shown 0s", 1, "DURATION: a snooze lasts from 1 s to 7 days"),
            ("snooze shown 7d1s", 1, "DURATION: a snooze lasts from 1 s to 7 days")))

    def test_A4_what_the_other_programs_are_told(self):
        library = os.path.join(programs(), "libbelfry-console.so")
        self.assertEqual(self.belfry("plugin", "check", library, "--set", "foo"), (
            2, "", 'belfry-worker: --set needs KEY=VALUE, not "foo" (belfry-worker --help)\n'))

    def test_D6_D9_badges_history_inboxes_and_sinks(self):
        self.answers((
            ("badge one", 2, 'N: "one" is not a whole number'),
            ("badge 1.5", 2, 'N: "1.5" is not a whole number'),
            ("badge 5 6", 2, 'badge does not take "6" (belfry badge --help)'),
            ("history --limit x", 2, '--limit: "x" is not a whole number'),
            ("history --id", 2, "--id needs ID (belfry history --help)"),
            ("history --since tomorrow", 2,
             '--since: "tomorrow" is not a time that has passed'),
            ("history --until 2027-01-01", 2,
             "history has no --until; it belongs to schedule, next, edit, pause"),
            ("history --state done", 2,
             '--state: there is no state "done" (one of activated, dismissed, snoozed, delivered, '
             "missed, superseded, withdrawn, discarded, expired, failed, unknown, cancelled, "
             "replaced, unanswered, skipped, silenced, received, waiting)"),
            ("inbox mark-read", 2, "inbox mark-read needs ID (belfry inbox fetch)"),
            ("inbox mark-read nope", 2, 'ID: "nope" is not a UUID of 36 characters'),
            ("inbox fetch --since xyz", 1, "--since: this inbox never gave such a token"),
            ("history --limit 0", 1, "-n, --limit: must be at least 1"),
            ("history -n -3", 1, "-n, --limit: must be at least 1"),
            ("inbox fetch --limit 0", 1, "-n, --limit: must be at least 1"),
            ("inbox fetch --limit ten", 2, '--limit: "ten" is not a whole number'),
            ("test --to Console", 1,
             '--to: there is none called "Console"; did you mean console?')))


class Files(WrongInputs):
    """Payloads, calendars of days and sounds."""

    def test_P1_payloads(self):
        for text, says in (
                (b'{"aps":{"alert":"x"}',
                 "payload: no JSON at byte 20: the text ends where a comma or } should be"),
                (b'{"alert":"x"}', "aps: a payload has aps, ck or both"),
                (b'{"to":"x","notification":{"title":"t"}}', "aps: a payload has aps, ck or both"),
                (b'{"aps":"x"}', "aps: this is an object"),
                (b'{"aps":{"alert":5}}', "aps.alert: this is a string or an object"),
                (b'{"aps":{"alert":"x","sound":5}}', "aps.sound: this is a string or an object"),
                (b'{"aps":{"alert":"x","badge":"many"}}', "aps.badge: this is a number"),
                (b'{"aps":{"alert":"x","badge":1.5}}', "aps.badge: this is an integer"),
                (b'{"aps":{"alert":"x","badge":-1}}',
                 "aps.badge: this is between 0 and 2147483647"),
                (b'{"aps":{"alert":"x"},"ck":{"qry":{},"fet":{}}}',
                 "ck.fet: there is qry already; a payload has one of them"),
                (b'{"aps":{"alert":"x"},"ck":{"nid":"x"}}',
                 "ck.nid: this is a UUID of 36 characters"),
                (b'{"aps":{"alert":"\xff"}}', "aps.alert: no JSON at byte 17: not UTF-8"),
                (b'{"aps":{"alert":"x"},"aps":{}}',
                 "aps: no JSON at byte 22: the same name twice")):
            with self.subTest(text=text), tempfile.TemporaryFile() as file:
                file.write(text)
                file.seek(0)
                self.assertEqual(self.belfry("push", "-", stdin=file), (1, "", f"belfry: {says}\n"))

    def test_E3_days(self):
        write = "is no day: write 2026-12-24, or 2026-12-24..2027-01-06 for several"
        for name, text, says in (
                ("a.days", "24.12.2026 Christmas\n", f'a.days:1: "24.12.2026" {write}'),
                ("a.days", "24/12/2026\n", f'a.days:1: "24/12/2026" {write}'),
                ("a.days", "Christmas 2026-12-24\n", f'a.days:1: "Christmas" {write}'),
                ("a.days", "2026-12-24\n2026-02-30 x\n", f'a.days:2: "2026-02-30" {write}'),
                ("a.days", "12-24 every year\n", f'a.days:1: "12-24" {write}'),
                ("a.days", "2026-12-24T07:00\n", f'a.days:1: "2026-12-24T07:00" {write}'),
                ("a.days", "2026-12-24,2026-12-25\n", f'a.days:1: "2026-12-24,2026-12-25" {write}'),
                ("a.days", "2027-01-06..2026-12-24 x\n",
                 "a.days:1: the last day lies before the first: write the earlier one first"),
                ("a.days", "", "a.days: it names no day: a calendar has one at least"),
                ("a.days", "# x\n", "a.days: it names no day: a calendar has one at least"),
                ("a.ics", "hello\n",
                 "a.ics:1: this is no iCalendar file: it begins with BEGIN:VCALENDAR"),
                ("a.ics", "BEGIN:VCALENDAR\n",
                 "a.ics:2: the file ends within the VCALENDAR that begins "
                 "in line 1: it is cut off"),
                ("a.txt", "2026-12-24\n", "FILE: a calendar is called NAME.days or NAME.ics")):
            with self.subTest(name=name, text=text), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                status, out, err = self.belfry("days", "check", path)
                self.assertEqual((status, out), (1, ""))
                self.assertEqual(err.replace(folder + "/", ""), f"belfry: {says}\n")

    def test_S8_what_names_no_sound(self):
        for command in ("check", "play"):
            self.answers((
                (f"sound {command} ''", 2,
                 "SOUND: a name is missing; write such as bell.wav, or default"),
                (f"sound {command} .", 1, 'SOUND: "." is a folder; name a file in it'),
                (f"sound {command} /etc", 1, 'SOUND: "/etc" is a folder; name a file in it')))

    def test_S3_sounds(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text, says in (
                    ("cut.wav", b"RIFF", "it ends inside its header"),
                    ("text.wav", b"hello", "it is no sound file of a kind that plays"),
                    ("empty.wav", b"", "it is empty")):
                path = os.path.join(folder, name)
                with open(path, "wb") as file:
                    file.write(text)
                with self.subTest(name=name):
                    status, out, err = self.belfry("sound", "check", path)
                    self.assertEqual((status, err), (1, ""))
                    self.assertTrue(out.startswith(
                        f"{path}: {says}; the default sound plays instead ("), out)


class Wire(WrongInputs):
    @classmethod
    def prepare(cls, bells):
        bells.schedule(identifier="bell", alertBody="x", fireDate=microseconds(YEAR),
                       repeatInterval="day")

    def refuses(self, method, table):
        for parameters, field, code, reason in table:
            with self.subTest(method=method, parameters=parameters):
                with self.assertRaises(Refused) as caught:
                    self.bells.call(method, parameters)
                self.assertEqual((caught.exception.name, caught.exception.parameters), (
                    "InvalidField", {"field": field, "code": code, "reason": reason}))

    def drafts(self, table):
        due = {"alertBody": "x", "fireDate": microseconds(YEAR)}
        self.refuses("Schedule", [
            ({"notification": {**due, **draft}}, *rest) for draft, *rest in table])

    def test_A4_fields_of_the_wrong_type(self):
        integer, text = "this must be an integer, not ", "this must be a string, not "
        date = "this must be an integer of microseconds since 1970 UTC, not "
        span = "this must be an integer of microseconds, not "
        strings, flag = "this must be an array of strings, not ", "this must be true or false, not "
        self.drafts([(draft, next(iter(draft)), "wrongType", reason) for draft, reason in (
            ({"fireDate": "2027-12-31T07:00Z"}, date + "a string"),
            ({"fireDate": 1.5}, date + "a number with a fraction"),
            ({"fireDate": True}, date + "a boolean"),
            ({"fireDate": [1]}, date + "an array"),
            ({"fireDate": {"$date": 1}}, date + "an object"),
            ({"fireIn": "10m"}, span + "a string"),
            ({"until": "2027-12-31"}, date + "a string"),
            ({"expires": "2h"}, date + "a string"), ({"tolerance": "5m"}, span + "a string"),
            ({"applicationIconBadgeNumber": "3"}, integer + "a string"),
            ({"repeatSound": True}, integer + "a boolean"),
            ({"fadeIn": "5s"}, span + "a string"),
            ({"alertBody": 5}, text + "an integer"), ({"alertTitle": ["x"]}, text + "an array"),
            ({"identifier": 5}, text + "an integer"), ({"soundName": True}, text + "a boolean"),
            ({"timeZone": 3600}, text + "an integer"),
            ({"repeatInterval": 16}, text + "an integer"),
            ({"rrule": ["FREQ=DAILY"]}, text + "an array"), ({"offset": -900}, text + "an integer"),
            ({"late": 5}, text + "an integer"), ({"interruptionLevel": 3}, text + "an integer"),
            ({"category": 5}, text + "an integer"),
            ({"rrules": "FREQ=DAILY"}, strings + "a string"),
            ({"sinks": "console"}, strings + "a string"), ({"exceptOn": "h"}, strings + "a string"),
            ({"exdate": 1}, "this must be an array of integers, not an integer"),
            ({"volume": "0.5"}, "this must be a number, not a string"),
            ({"hasAction": "no"}, flag + "a string"), ({"datesAreOld": 1}, flag + "an integer"),
            ({"userInfo": [1]}, "this must be an object of the user's own keys"),
            ({"ladder": {"after": 0}}, "this must be an array, not an object"),
            ({"realert": 300}, "a realert is an object, not an integer"),
            ({"asOn": {"h": "sun"}}, "this must be an array, not an object"),
            ({"region": [52, 13, 100]}, "a region is an object, not an array"))])

    def test_A4_fields_that_are_none(self):
        self.drafts([({field: 1}, field, "unknown",
                      f'there is no field "{field}"; did you mean {meant}?')
                     for field, meant in (("firedate", "fireDate"), ("fire_date", "fireDate"),
                                          ("alertbody", "alertBody"), ("alertBdy", "alertBody"))])
        self.drafts((
            ({"region": {"latitude": 1, "longitude": 2, "radius": 3, "lat": 1}}, "region.lat",
             "unknown",
             "a circular region has no such field"),
            ({"realert": {"every": 300_000_000, "atmost": 3}}, "realert.atmost", "unknown",
             "a realert has no such field; did you mean atMost?"),
            ({"ladder": [{"after": 0, "sink": ["console"]}]}, "ladder[0].sink", "unknown",
             "a step of a ladder has no such field; did you mean sinks?")))
        for method, field, meant in (
                ("Schedule", "alertBody", ""), ("Schedule", "Notification", "notification"),
                ("Cancel", "identifier", "identifiers"), ("CancelAll", "identifiers", ""),
                ("Pause", "duration", ""), ("History", "state", ""), ("Fix", "lat", ""),
                ("Dismiss", "identifier", "id"), ("Skip", "id", "identifier"),
                ("Pause", "id", "identifiers")):
            self.refuses(method, [({field: "x"}, field, "unknown", f"{method} has no such field" + (
                f"; did you mean {meant}?" if meant else ""))])

    def test_N2_numbers_in_another_unit(self):
        unit = ("it counts microseconds since 1970, and these are in 1970: for seconds multiply by "
                "1,000,000, for milliseconds by 1,000 (or say datesAreOld: true)")
        self.drafts((
            ({"fireDate": 1_830_000_000}, "fireDate", "outOfRange", unit),
            ({"fireDate": 1_830_000_000_000}, "fireDate", "outOfRange", unit),
            ({"rrule": "FREQ=DAILY", "exdate": [1_830_000_000]}, "exdate[0]", "outOfRange", unit),
            ({"fireDate": 1_830_000_000_000_000_000}, "fireDate", "outOfRange",
             "times reach from 1677-09-21 to 2262-04-11, in microseconds since 1970 UTC"),
            ({"fireIn": 60}, "fireIn", "outOfRange",
             "it counts microseconds, and these are 60: for seconds multiply by 1,000,000"),
            *((draft, field, "outOfRange",
               "it counts microseconds, and these are 120: for seconds multiply by 1,000,000")
              for draft, field in (
                  ({"ladder": [{"after": 0, "sinks": ["console"]},
                               {"after": 120, "sinks": ["console"]}]}, "ladder[1].after"),
                  ({"soundName": "default", "fadeIn": 120}, "fadeIn"))),
            ({"fireIn": -5_000_000}, "fireIn", "outOfRange",
             "the time must be between 0 and 100 years"),
            ({"fireIn": 10**18}, "fireIn", "outOfRange", "this is too long, in microseconds")))
        self.refuses("Edit",
                     [({"identifier": "bell", "set": {"fireDate": 1_830_000_000}}, "fireDate",
                               "outOfRange", unit)])
        self.refuses("Push", [({"payload": {"aps": {"alert": "x"}}, "expiration": 5}, "expiration",
                               "outOfRange", unit.partition(" (or")[0])])

    def test_A4_values_that_are_none(self):
        days = ("a duration of RFC 5545 is wanted: -PT15M, 15 minutes before; P1D, a day after; "
                "-P1W")
        zone = "needs the zone whose clocks fireDate is read from"
        late = "this is fire, drop or a whole number of seconds"
        self.drafts((
            ({"timeZone": "Berlin"}, "timeZone", "unknown",
             "there is no time zone Berlin; did you mean Europe/Berlin?"),
            ({"zoneMode": "zoned"}, "timeZone", "missing", f"the mode zoned {zone}"),
            ({"zoneMode": "floating"}, "timeZone", "missing", f"the mode floating {zone}"),
            ({"repeatInterval": "days"}, "repeatInterval", "unknown",
             'there is no unit "days"; did you mean day?'),
            ({"every": 2}, "every", "conflict", "there is no repeatInterval that it could count"),
            ({"rrule": "FREQ=DALY"}, "rrule", "unknown",
             'there is no frequency "DALY"; did you mean DAILY? (character 6)'),
            ({"rrule": "FREQ=DAILY", "rrules": ["FREQ=DAILY"]}, "rrules", "conflict",
             "there is an rrule too: put all of them into rrules"),
            ({"rrule": "FREQ=DAILY", "repeatInterval": "day"}, "rrule", "conflict",
             "repeatInterval says already how it repeats"),
            ({"repeatInterval": "day", "exdate": [microseconds(2 * YEAR)]}, "exdate", "conflict",
             "it changes the dates of an rrule alone: write repeatInterval as one, such as FREQ=DAILY"),
            ({"offset": "-15m"}, "offset", "malformed", days),
            ({"offset": "P1M"}, "offset", "malformed", days),
            ({"late": "5m"}, "late", "malformed", f"{late}; for 5m write 300"),
            ({"late": "0.5s"}, "late", "malformed", late),
            ({"late": "never"}, "late", "malformed", late),
            ({"volume": 80}, "volume", "outOfRange", "the volume must be between 0 and 1"),
            ({"interruptionLevel": "time-sensitive"}, "interruptionLevel", "unknown",
             f'there is no level "time-sensitive"; did you mean timeSensitive? {LEVELS}'),
            ({"identifier": ""}, "identifier", "malformed",
             "an identifier has at least one character"),
            ({"identifier": "a" * 129}, "identifier", "tooLong",
             "at most 128 bytes of UTF-8 are allowed, not 129"),
            ({"userInfo": {"a": [1, {"b": None}]}}, "userInfo.a[1].b", "wrongType",
             "null is no property-list type; leave the key out"),
            ({"sinks": ["phone"]}, "sinks", "unknown",
             'there is no sink "phone" (known are speaker, console)'),
            ({"alertLocalizationArgs": [[1]]}, "alertLocalizationArgs[0]", "wrongType",
             "an argument is a string, a number or a date"),
            ({"realert": {}}, "realert.every", "missing", "this is needed"),
            ({"ladder": [{"after": -1}]}, "ladder[0].after", "outOfRange",
             "a step comes 0 s to 24 h after the first hand-over")))
        circle = {"latitude": 52.5, "longitude": 13.4, "radius": 100}
        self.refuses("Schedule", [
            ({"notification": {"alertBody": "x", "region": {**circle, **change}}}, field, code,
             reason)
            for change, field, code, reason in (
                ({"latitude": 91}, "region.latitude", "outOfRange",
                 "the degrees must be between -90 and 90"),
                ({"latitude": "52"}, "region.latitude", "wrongType", "this is a number"),
                ({"radius": 0}, "region.radius", "outOfRange",
                 "the metres must be between 1 and 10000000"),
                ({"notifyOnEntry": False, "notifyOnExit": False}, "region.notifyOnEntry",
                 "conflict",
                 "neither entry nor exit would fire, so nothing ever would"))])

    def test_A4_parameters_of_calls(self):
        needed, later = "this is needed", "a pause ends after it begins: name a later time"
        for method, parameters, field, code, reason in (
                ("Schedule", {}, "notification", "missing", needed),
                ("Schedule", {"notification": []}, "notification", "wrongType",
                 "this is an object"),
                ("Schedule", {"app": "a b", "notification": {"alertBody": "x"}}, "app", "malformed",
                 "an app id has letters, digits and . _ - only"),
                ("Schedule", {"app": 5, "notification": {"alertBody": "x"}}, "app", "wrongType",
                 "this is a string"),
                ("List", {"delivered": "yes"}, "delivered", "wrongType", "this is true or false"),
                ("List", {"limit": 0}, "limit", "outOfRange", "this is between 1 and 100"),
                ("Next", {"identifier": "bell", "notification": {"alertBody": "x"}}, "notification",
                 "conflict", "either identifier or notification, not both"),
                ("Next", {"identifier": "bell", "count": 0}, "count", "outOfRange",
                 "this is between 1 and 1000"),
                ("Cancel", {"identifiers": "bell"}, "identifiers", "wrongType", "this is an array"),
                ("Cancel", {"identifiers": [5]}, "identifiers[0]", "wrongType", "this is a string"),
                ("Cancel", {"identifiers": ["bell"], "equal": {"alertBody": "x"}}, "equal",
                 "conflict",
                 "either identifiers or equal, not both"),
                ("Edit", {"identifier": "bell", "set": {"identifier": "y"}}, "set.identifier",
                 "conflict",
                 "an identifier stays: schedule another and cancel this"),
                ("Edit", {"identifier": "bell", "set": {"alertBdy": "y"}}, "set.alertBdy",
                 "unknown",
                 'there is no field "alertBdy"; did you mean alertBody?'),
                ("Edit", {"identifier": "bell", "clear": "alertBody"}, "clear", "wrongType",
                 "this is an array"),
                ("Pause", {"identifiers": []}, "identifiers", "outOfRange",
                 "name one, or leave them out for the whole app"),
                ("Pause", {"identifiers": ["bell"], "all": True}, "all", "conflict",
                 "everything has neither an app nor identifiers"),
                ("Pause", {"identifiers": ["bell"], "until": 1_000_000_000_000_000}, "until",
                 "outOfRange", later),
                ("Skip", {"identifier": "bell", "count": 1, "at": 1_900_000_000_000_000}, "at",
                 "conflict", "either count or at, not both"),
                ("Skip", {"identifier": "bell", "count": 0}, "count", "outOfRange",
                 "this is between 1 and 1000"),
                ("Snooze", {"id": "bell"}, "duration", "missing", needed),
                ("Snooze", {"id": "bell", "duration": "5m"}, "duration", "wrongType",
                 "this is an integer"),
                ("Snooze", {"id": "bell", "duration": 300}, "duration", "outOfRange",
                 "it counts microseconds, and these are 300: for seconds multiply by 1,000,000"),
                ("SetBadge", {"badge": -1}, "badge", "outOfRange",
                 "a badge is 0, which clears it, to 2147483647"),
                ("Fix", {"latitude": 52.5}, "longitude", "missing", needed),
                ("Push", {"payload": "{}"}, "payload", "wrongType", "this is an object"),
                ("FetchInbox", {"limit": 1001}, "limit", "outOfRange",
                 "this is between 1 and 1000"),
                ("MarkRead", {"ids": ["x"]}, "ids[0]", "malformed",
                 "this is a UUID of 36 characters"),
                ("ReplaceAll", {"notifications": []}, "final", "missing", needed),
                ("RegisterSettings", {"settings": {"alert": True}, "categories": []},
                 "settings.badge",
                 "missing", needed)):
            self.refuses(method, [(parameters, field, code, reason)])

    def test_A4_names_of_methods_and_identifiers_that_are_none(self):
        for method, parameters, name, says in (
                ("schedule", {}, "org.varlink.service.MethodNotFound",
                 {"method": "io.belfry.Scheduler.schedule"}),
                ("io.belfry.Schduler.List", {}, "org.varlink.service.InterfaceNotFound",
                 {"interface": "io.belfry.Schduler"}),
                ("Watch", {}, "org.varlink.service.ExpectedMore", {}),
                ("Next", {"identifier": "nope"}, "NotFound", {"identifier": "nope"}),
                ("Edit", {"identifier": "nope", "set": {"alertBody": "y"}}, "NotFound",
                 {"identifier": "nope"}),
                ("Snooze", {"id": "nope", "duration": 300_000_000}, "NotFound",
                 {"identifier": "nope"}),
                ("Test", {"sink": "phone"}, "UnknownSink", {"name": "phone"}),
                ("SetState", {"session": 99, "state": "background"}, "UnknownSession",
                 {"session": 99}),
                ("FetchInbox", {"since": "x"}, "TokenForeign", {})):
            with self.subTest(method=method, parameters=parameters):
                with self.assertRaises(Refused) as caught:
                    self.bells.call(method, parameters)
                self.assertEqual((caught.exception.name, caught.exception.parameters), (name, says))

    def test_A4_what_is_no_call(self):
        schedule = (b'{"method":"io.belfry.Scheduler.Schedule",'
                    b'"parameters":{"notification":{"alertBody":"')
        for data, error, says in (
                (b"hello", "MalformedMessage", {"offset": 0, "reason": "a value is missing here"}),
                (b"GET / HTTP/1.0\r\n\r\n", "MalformedMessage",
                 {"offset": 0, "reason": "a value is missing here"}),
                (b"", "MalformedMessage",
                 {"offset": 0, "reason": "the text ends where a value should be"}),
                (b"[]", "MalformedMessage", {"offset": 0, "reason": "a call is a JSON object"}),
                (b"{'method':'x'}", "MalformedMessage",
                 {"offset": 1, "reason": "a member's name in double quotes is missing here"}),
                (b"{}", "InvalidField",
                 {"field": "method", "code": "missing", "reason": "this is needed"}),
                (b'{"method":5}', "InvalidField",
                 {"field": "method", "code": "wrongType", "reason": "this is a string"}),
                (b'{"method":"io.belfry.Scheduler.List","parameters":[]}', "InvalidField",
                 {"field": "parameters", "code": "wrongType", "reason": "this is an object"}),
                (b'{"method":"io.belfry.Scheduler.List","foo":1}', "InvalidField",
                 {"field": "foo", "code": "unknown", "reason": "a call has no such field"}),
                (schedule + b'\xff"}}}', "InvalidField",
                 {"field": "alertBody", "code": "malformed", "reason": "not UTF-8 (byte 84)"}),
                (schedule + b'\\ud800"}}}', "InvalidField",
                 {"field": "alertBody", "code": "malformed",
                  "reason": "half of a surrogate pair (byte 84)"}),
                (schedule + b'a\\u0000b"}}}', "InvalidField",
                 {"field": "alertBody", "code": "malformed",
                  "reason": "NUL has no place in text (byte 85)"}),
                (schedule + b'x","alertBody":"y"}}}', "InvalidField",
                 {"field": "alertBody", "code": "conflict",
                  "reason": "the same name twice (byte 88)"})):
            with self.subTest(data=data), self.bells.connect() as connection:
                connection.send_bytes(data + b"\0")
                self.assertEqual(connection.receive(), {
                    "error": "io.belfry.Scheduler." + error, "parameters": says})


class Configuration(unittest.TestCase):
    SECONDS = "is a number of seconds, or such as 90s or 10m, up to "
    QUIET = "is two different times of day, such as 22:00-06:00, or 00:00-24:00 for all day"
    VOLUME = "2: [sound] volume is a number from 0 to 1, or such as 80%"
    MANY = "2: [limits] notifications is a whole number from 1 to 10000000"
    LEVEL = "2: [log] level is error, warning, notice, info or debug"
    TABLE = (
        ("grace = 10", "1: grace stands before any [section]"),
        ("[clock", "1: the closing ] of the section is missing"),
        ("[clock] grace = 10", "1: the closing ] of the section is missing"),
        ("[]", "1: a section needs a name"), ("hello", "1: neither [section] nor key = value"),
        ("[clock]\ngrace: 10", "2: neither [section] nor key = value"),
        ("export grace=10", "1: a key has letters, digits and . _ : - only"),
        ("[clock]\ngrace = 10\ngrace = 20", "3: grace stands in line 2 already"),
        ("[clock]\ngrace = 10\n[clock]", "3: [clock] stands in line 1 already"),
        ("[Clock]", "1: [Clock] is no section of belfry.conf; did you mean [clock]?"),
        ("[plugins]", "1: [plugins] is no section of belfry.conf; did you mean [plugin:NAME]?"),
        ("[output hall]", "1: [output hall] is no section of belfry.conf; did you mean "
         "[output:NAME]?"),
        ("[frobnicate]", "1: [frobnicate] is no section of belfry.conf"),
        ("[clock]\nGrace = 10", "2: [clock] Grace is no key of this section; did you mean grace?"),
        ("[clock]\ngrace =", f"2: [clock] grace needs a value: {SECONDS[3:]}1d"),
        ("[clock]\ngrace = ten", f"2: [clock] grace {SECONDS}1d"),
        ("[clock]\ngrace = -1", f"2: [clock] grace {SECONDS}1d"),
        ("[clock]\ngrace = 2d", f"2: [clock] grace {SECONDS}1d"),
        ("[clock]\ngrace = 10 s", f"2: [clock] grace {SECONDS}1d"),
        ("[clock]\ngrace = \udcff", "2: not UTF-8"),
        ("[clock]\ngrace = 1\0", "2: a control character"),
        ("[clock]\ntrust = yes", "2: [clock] trust is auto or always"),
        ("[clock]\ntrustAfter = never", f"2: [clock] trustAfter {SECONDS}36500d"),
        ("[clock]\nwake = always", "2: [clock] wake is urgent, all or never"),
        ("[clock]\nrealtime = yes", "2: [clock] realtime is a whole number from 0 to 99"),
        ("[clock]\nrealtime = 100", "2: [clock] realtime is a whole number from 0 to 99"),
        ("[clock]\nlate = ignore",
         "2: [clock] late is fire, drop or a number of seconds, or such as 5m, up to a year"),
        ("[clock]\nlate = 366d",
         "2: [clock] late is fire, drop or a number of seconds, or such as 5m, up to a year"),
        ("[clock]\nzone = Berlin",
         "2: [clock] zone: there is no time zone Berlin; did you mean Europe/Berlin?"),
        ('[clock]\nzone = "Europe/Berlin"',
         "2: [clock] zone is the name of a time zone, such as Europe/Berlin"),
        ("[sound]\nvolume = 80", VOLUME), ("[sound]\nvolume = 120%", VOLUME),
        ("[sound]\nvolume = 0,8", VOLUME),
        ("[sound]\nquiet = 22-6", f"2: [sound] quiet {QUIET}"),
        ("[sound]\nquiet = 22:00", f"2: [sound] quiet {QUIET}"),
        ("[sound]\nquiet = 10pm-6am", f"2: [sound] quiet {QUIET}"),
        ("[sound]\nquiet = 22:00-25:00", f"2: [sound] quiet {QUIET}"),
        ("[sound]\nquiet = 22:00\u201306:00", f"2: [sound] quiet {QUIET}"),
        ("[sound]\nquiet = 22:00-06:00, 12:00-13:00", f"2: [sound] quiet {QUIET}"),
        ("[sound]\nlongest = 0", "2: [sound] longest = 0: should be 1 s to 10 min"),
        ("[sound]\nfolder = sounds", "2: [sound] folder = sounds: is a whole path, from /"),
        ("[sound]\nfolder = /nonexistent", "2: [sound] folder: there is no folder /nonexistent"),
        ("[sound]\ndefault = /nonexistent/x.wav",
         '2: [sound] default: there is no sound "/nonexistent/x.wav"'),
        ("[sound]\noutput = hall", "2: [sound] output = hall: there is no section [output:hall]"),
        ("[sound]\ndevices = hw:0",
         "2: [sound] devices is no key of this section; did you mean device?"),
        ("[output:hall]\nwake = 20s", f"2: [output:hall] wake {SECONDS}10s"),
        ("[output:a b]", "1: [output:a b]: an output's name is 1 to 64 of A-Z a-z 0-9 _ -"),
        ("[limits]\nnotifications = 0", MANY), ("[limits]\nnotifications = 1e3", MANY),
        ("[limits]\nonFull = drop", "2: [limits] onFull is discard or refuse"),
        ("[access]\ngroup = nosuchgroup",
         "2: [access] group: there is no group nosuchgroup (groupadd "
         "--system nosuchgroup)"),
        ("[access]\nworkerUser = nosuchuser",
         "2: [access] workerUser: there is no user nosuchuser"),
        ("[log]\nlevel = verbose", LEVEL), ("[log]\nlevel = 3", LEVEL),
        ("[plugin:console]", "1: [plugin:console] needs file =, such as file = console"),
        ("[plugin:console]\npath = console",
         "1: [plugin:console] needs file =, which here is written path ="),
        ("[plugin:]", "1: a section needs a name"),
        ("[plugin:speaker]\nfile = console", "1: [plugin:speaker]: the speaker has that name"),
        ("[plugin:a b]", "1: [plugin:a b]: a plugin's name is 1 to 64 of A-Z a-z 0-9 _ -"),
        ("[app:x y]", "1: [app:x y]: an app id is 1 to 128 of A-Z a-z 0-9 . _ -"),
        ("[app:x]\ncritical = maybe", "2: [app:x] critical is yes or no"),
        ("[app:x]\nallowed = alerts",
         "2: [app:x] allowed = alerts: is some of alert, badge and sound, or none"),
        ("[app:x]\noutput = hall", "2: [app:x] output = hall: there is no section [output:hall]"))

    def test_A4_each_mistake_of_the_configuration_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory(dir=scratch()) as folder:
            path = os.path.join(folder, "belfry.conf")
            for text, says in self.TABLE:
                with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                    file.write(text + "\n")
                with self.subTest(text=text):
                    self.assertEqual(self.belfryd("--check", path), (
                        14, "", f"belfryd: {path}:{says}\n"))

    def test_A3_a_file_that_others_can_write(self):
        with tempfile.TemporaryDirectory(dir=scratch()) as folder:
            path = os.path.join(folder, "belfry.conf")
            with open(path, "w", encoding="utf-8") as file:
                file.write("[clock]\n")
            os.chmod(path, 0o666)
            self.assertEqual(self.belfryd("--check", path), (
                14, "",
                f"belfryd: {path} can be written by others than its owner: chmod go-w it; it is "
                "not loaded\n"))

    def test_A4_options_of_the_daemon(self):
        for words, status, says in (
                ("--check", 2, "--check needs FILE; see belfryd --help"),
                ("--check /nonexistent", 14, "/nonexistent: there is no such file"),
                ("--chek x", 2, "--chek is not known; did you mean --check? see belfryd --help"),
                ("--directory", 2, "--directory needs DIR; see belfryd --help"),
                ("--user --system", 2, "--directory, --user and --system exclude each other"),
                ("--check x --zoneinfo /nonexistent", 2,
                 "--zoneinfo: there is no folder /nonexistent"),
                ("--check x --zoneinfo /etc/passwd", 2,
                 "--zoneinfo: there is no folder /etc/passwd"),
                ("--check x --localtime /nonexistent", 2,
                 "--localtime: there is no zone file /nonexistent"),
                ("--check x --localtime Europe/Berlin", 2,
                 "--localtime: there is no zone file Europe/Berlin; did you mean "
                 "/usr/share/zoneinfo/Europe/Berlin?"),
                ("--config x", 2, "--config is not known; see belfryd --help"),
                ("--dir /tmp", 2,
                 "--dir is not known; did you mean --directory? see belfryd --help"),
                ("/tmp", 2, "/tmp is not known; did you mean --directory /tmp? see belfryd --help"),
                ("start", 2, "start is not known; see belfryd --help")):
            with self.subTest(words=words):
                self.assertEqual(self.belfryd(*words.split()), (status, "", f"belfryd: {says}\n"))

    def belfryd(self, *words):
        done = subprocess.run([os.path.join(programs(), "belfryd"), *words], capture_output=True,
                              text=True,
                              timeout=PATIENCE, check=False)
        return done.returncode, done.stdout, done.stderr


class Manifests(WrongInputs):
    TABLE = (
        ("[clock]", "1: [clock] is no section of a manifest: it has [app] alone"),
        ("[app:org.x]", "1: [app:org.x] is no section of a manifest: it has [app] alone"),
        ("[Desktop Entry]", "1: [Desktop Entry] is no section of a manifest: it has [app] alone"),
        ("[app]\nexecutible = /bin/true",
         "2: [app] executible is no key of this section; did you mean executable?"),
        ("[app]\nexecutable = true", "2: [app] executable = true: is a whole path, from /"),
        ("[app]\nexecutable = /bin/true\nunit = x.service",
         "3: [app] unit cannot stand beside another: one of executable and unit starts the app"),
        ("[app]\nunit = clock",
         "2: [app] unit = clock: is a unit's whole name, such as clock.service"),
        ("[app]\nuser = nosuch", "2: [app] user = nosuch: there is no such user in /etc/passwd"),
        ("[app]\nsoundFolder = sounds", "2: [app] soundFolder = sounds: is a whole path, from /"),
        ("[app]\nlanguage = de_DE.UTF-8",
         "2: [app] language = de_DE.UTF-8: is a language's tag, such as de or de-AT"),
        ("[app]\ncritical = true!", "2: [app] critical is yes or no"),
        ("[app]\nallowed = sounds",
         "2: [app] allowed = sounds: is some of alert, badge and sound, or none"),
        ("[app]\nnotifications = lots",
         "2: [app] notifications is a whole number from 1 to 10000000"),
        ("[app]\nname = a\nname = b", "3: name stands in line 2 already"),
        ("[app]\nlanguage = German",
         "2: [app] language: \"German\" is no language's tag, such as de or de-AT"),
        # What is only missing may come, and the rest counts all the same.
        ("[app]\nexecutable = /nonexistent",
         "2: [app] executable: there is no program /nonexistent"),
        ("[app]\nexecutable = /bin/true --x",
         '2: [app] executable: there is no program "/bin/true --x"'),
        ("[app]\nexecutable = /etc", "2: [app] executable: /etc is no program"),
        ("[app]\nname = a\nsoundFolder = /nonexistent",
         "3: [app] soundFolder: there is no folder /nonexistent"),
        ("[app]\ndaysFolder = /etc/passwd", "2: [app] daysFolder: /etc/passwd is no folder"))

    @classmethod
    def prepare(cls, bells):
        folder = os.path.join(bells.directory, "apps")
        os.makedirs(folder, exist_ok=True)
        for number, (text, _) in enumerate(cls.TABLE):
            # Whole at once: it is read as soon as it is there.
            path = os.path.join(folder, f"a{number}.app")
            with open(path + "~", "w", encoding="utf-8") as file:
                file.write(text + "\n")
            os.rename(path + "~", path)
        wait_until(lambda: len(cls.problems(bells)) == len(cls.TABLE),
                   what="the manifests' problems")

    @staticmethod
    def problems(bells):
        return {row["app"]: row["problems"]
                for row in bells.call("Apps")["apps"] if row["problems"]}

    def test_A4_each_mistake_of_a_manifest_is_named_with_its_line(self):
        found = self.problems(self.bells)
        for number, (text, says) in enumerate(self.TABLE):
            with self.subTest(text=text):
                path = os.path.join(self.bells.directory, "apps", f"a{number}.app")
                self.assertEqual(found[f"a{number}"], [f"{path}:{says}"])

    def test_A4_a_file_that_is_no_manifest_is_named(self):
        path = os.path.join(self.bells.directory, "apps", "clock.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[app]\n")
        self.addCleanup(os.remove, path)
        out = self.belfry("doctor")[1]
        self.assertIn(f"{path} is no manifest, which is called ID.app, and is not read", out)


if __name__ == "__main__":
    unittest.main()
