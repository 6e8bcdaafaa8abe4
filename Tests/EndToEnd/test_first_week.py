"""What costs a newcomer alarms without a word: nothing that shows them, numbers of another unit, fields that
say nothing; as the command line, a raw socket and the PyPI client meet it."""
import json
import os
import pty
import re
import subprocess
import sys
import threading
import time
import unittest
import wave
from datetime import datetime, timedelta, timezone

import varlink

from belfry_harness import (
    INTERFACE, PATIENCE, ROOT, Refused, microseconds, programs, wait_until)
from test_command import CommandTest, terminal

CONSOLE = "[sound]\nenabled = no\n[plugin:console]\nfile = console\n"
AUDIBLE = "[sound]\ndevice = null\n[plugin:console]\nfile = console\n"
NOBODY = "nothing shows it: no [plugin:NAME] of belfry.conf shows alerts (belfry help plugins)"
UNCOUNTED = "nothing shows its badge: no plugin does; belfry badge prints it"


def has_card():
    try:
        with open("/proc/asound/cards", encoding="utf-8") as file:
            return any(line.lstrip()[:1].isdigit() for line in file)
    except OSError:
        return False


class Unheard(CommandTest):
    def test_D9_without_a_plugin_who_schedules_is_told_that_nothing_shows_it(self):
        self.start("[sound]\nenabled = no\n")
        for words in (("--in", "1h"), ("--now",), ("--at", "07:00", "--repeat", "day")):
            status, out, err = self.belfry("schedule", "--body", "Hello", *words)
            self.assertEqual((status, err), (0, f"belfry: warning: {NOBODY}\n"), out)
        at_once = "fireDate: there is none, so it is due at once"
        self.assertEqual(self.bells.schedule(alertTitle="Hello")["warnings"], [at_once, NOBODY])
        reply = self.bells.call("PresentNow", {"notification": {"alertBody": "Hello"}})
        self.assertEqual(reply["warnings"], [NOBODY])
        # What is only heard needs no plugin; what is only counted is told how to be read.
        self.assertEqual(self.bells.schedule(applicationIconBadgeNumber=3, fireIn=9_000_000)["warnings"],
                         [UNCOUNTED])
        reply = self.bells.call("Push", {"payload": {"aps": {"alert": "Hello", "badge": "3"}}})
        self.assertEqual(reply["warnings"], [NOBODY])
        self.assertEqual([member["path"] for member in reply["odd"]], ["aps.badge"])
        empty = self.bells.call("Push", {"payload": {"aps": {"alrt": "Hello"}}})
        self.assertEqual(empty["warnings"], ["nothing of it is shown: it has no alert, badge or sound; did you "
                                             "mean alert instead of \"alrt\"?"])
        silent = {"aps": {"content-available": 1}}
        self.assertNotIn("warnings", self.bells.call("Push", {"payload": silent}))
        late = self.bells.call("Push", {"payload": {"aps": {"alert": "x"}}, "expiration": microseconds(-5)})
        self.assertRegex(late["warnings"][0], "^it is not shown: it expired at 20")
        payload = os.path.join(self.bells.directory, "hello.json")
        with open(payload, "w", encoding="utf-8") as file:
            file.write('{"aps":{"alert":"Hello"}}')
        status, out, err = self.belfry("push", payload)
        self.assertEqual((status, err), (0, f"belfry: warning: {NOBODY}\n"), out)
        self.assertNotIn("warnings", self.bells.call("Push", {"payload": {"aps": {"badge": 3}}}))
        status, out, _ = self.belfry("doctor")
        self.assertRegex(out, r"warn  sink +nothing shows alerts: no plugin is configured → write "
                              r"\[plugin:console\] and file = console into \S+/belfry\.conf, then ")
        self.bells.says("nothing shows alerts: no [plugin:NAME] stands in " + self.bells.directory)

    def test_D9_plugins_that_show_nothing_are_none_for_the_doctor(self):
        self.start("[sound]\nenabled = no\n[plugin:days]\nfile = calendars\n")
        wait_until(lambda: self.bells.call("Status")["status"]["plugins"][0]["state"] == "running",
                   what="the plugin")
        self.assertRegex(self.belfry("doctor")[1],
                         r"warn  sink +nothing shows alerts: none of the plugins does → write ")
        # Nor are they sinks that somebody can name.
        self.refused('--to: there is no sink "dys" (known are speaker)', "schedule", "--body", "x",
                     "--now", "--to", "dys")

    def test_D9_with_one_nobody_is_warned(self):
        self.start(CONSOLE)
        self.good("schedule", "--body", "Hello", "--in", "1h")
        self.assertNotIn("nothing shows", self.belfry("doctor")[1])
        self.assertNotIn("nothing shows", self.bells.log_text())

    def test_D9_while_the_only_plugin_is_down_who_schedules_is_told_why(self):
        self.start("[sound]\nenabled = no\n[plugin:mail]\nfile = exec\nprogram = /no/such\n")
        wait_until(lambda: self.bells.call("Status")["status"]["plugins"][0]["state"] != "starting",
                   what="the end of the start")
        for words in (("--in", "1h"), ("--now",), ("--to", "mail", "--in", "1h")):
            status, out, err = self.belfry("schedule", "--body", "Hello", *words)
            self.assertEqual(status, 0, out)
            self.assertIn(
                "warning: nothing shows it before mail is up: it is down: `program` is not there",
                err)
        # What waits stands in the history, with the reason.
        self.assertEqual(self.bells.history(), [])
        rows = self.bells.history(waiting=True)
        self.assertEqual({row["state"] for row in rows}, {"waiting"})
        self.assertEqual([(row["sink"], row["attempts"]) for row in rows], [("mail", 0)])
        self.assertRegex(rows[0]["reason"], "^it is down: `program` is not there")
        self.assertRegex(self.good("history"), "  mail +waiting .* it is down: `program` is not there")
        self.assertEqual(self.good("history", "--state", "waiting").count("waiting"), 1)
        # Nor does a test wait for what cannot answer.
        status, out, _ = self.belfry("test")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"^mail +down: `program` is not there")

    def test_D9_who_takes_the_last_plugin_out_is_told_and_list_says_it(self):
        quiet = "[sound]\nenabled = no\n"
        self.start(quiet + "[plugin:phone]\nfile = console\n[plugin:ward]\nfile = console\n")
        self.bells.schedule(identifier="all", alertBody="x", fireDate=microseconds(3600))
        self.bells.schedule(identifier="one", alertBody="x", fireDate=microseconds(3600), sinks=["phone"])
        self.bells.configure(quiet + "[plugin:ward]\nfile = console\n")
        _, out, err = self.belfry("reload")
        self.assertIn("changed: [plugin:phone]", out)
        self.assertIn("warning: scheduled ones name sinks that nobody has: phone (user.0 one)", err)
        reasons = {row["notification"]["identifier"]: row.get("reason") for row in self.bells.listed()}
        self.assertEqual(reasons, {
            "all": None, "one": 'nothing shows it: there is no sink "phone"'})
        self.bells.configure(quiet)
        _, out, err = self.belfry("reload", "--json")
        self.assertIn("nothing shows alerts: no [plugin:NAME] does (belfry help plugins)",
                      json.loads(out)["warnings"])
        self.bells.says("nothing shows alerts: no [plugin:NAME] stands in " + self.bells.directory)
        self.assertIn(NOBODY, [row.get("reason") for row in self.bells.listed()])

    def test_D9_a_plugin_that_failed_last_time_is_named(self):
        self.start("[sound]\nenabled = no\n[plugin:mail]\nfile = exec\nprogram = /bin/false\n")
        self.good("schedule", "--body", "Hello", "--now")
        wait_until(lambda: self.rows("history", "--state", "failed"), what="the failure")
        status, out, err = self.belfry("schedule", "--body", "Hello", "--in", "1h", "--id", "next")
        self.assertEqual(status, 0, out)
        self.assertRegex(err, "^belfry: warning: nothing may show it: mail failed last time\n$")
        self.assertIn("mail failed last time", self.good("list"))

    def test_D9_list_says_what_nobody_gets(self):
        self.start(CONSOLE)
        words = "nothing takes it: there is only {}, which goes to"
        self.assertIn(words.format("--user-info"),
                      self.belfry("schedule", "--user-info", "{\"a\":1}", "--in", "1h")[2])
        self.assertIn(words.format("userInfo"), self.good("list"))
        self.assertIn(words.format("userInfo"), self.bells.listed()[0]["reason"])

    def test_E7_an_edit_of_what_does_not_say_when_keeps_the_time(self):
        self.start(CONSOLE)
        self.good("schedule", "--id", "tea", "--body", "Tea", "--in", "10m")
        due = self.bells.listed()[0]["next"]
        for words in (("--to", "console"), ("--tolerance", "2"), ("--clear", "to"), ("--clear", "tolerance")):
            self.good("edit", "tea", *words)
            self.assertEqual(self.bells.listed()[0]["next"], due, words)

    def test_D9_what_a_sink_put_off_to_the_end_makes_it_unwell(self):
        self.start("[sound]\nenabled = no\n[plugin:mail]\nfile = exec\nshell = yes\nprogram = exit 75\nretry = 1s\n")
        self.bells.schedule(identifier="x", alertBody="x", fireDate=microseconds(-1))
        wait_until(lambda: self.rows("history", "--state", "failed"), what="the failure")
        self.assertRegex(self.good("plugin", "list"), "degraded")
        self.assertIn("mail is not well: it did not show the last that it answered", self.belfry("doctor")[1])

    def test_N19_what_names_a_sink_that_has_gone_can_be_edited(self):
        self.start(CONSOLE)
        self.good("schedule", "--id", "one", "--body", "x", "--in", "1h", "--to", "console")
        self.belfry("schedule", "--id", "two", "--body", "x", "--in", "1h", "--ladder",
                    "now:console 2m:speaker")
        self.bells.configure("[sound]\nenabled = no\n")
        self.belfry("reload")
        status, out, _ = self.belfry("edit", "one", "--body", "y")
        self.assertEqual(status, 0, out)
        self.refused('--to: there is no sink "consol"', "edit", "one", "--to", "consol", status=1)
        self.assertIn("console (user.0 one and 1 other)", self.belfry("doctor")[1])
        # Both that nothing shows it and that nothing sounds.
        self.belfry("edit", "two", "--sound", "default")
        self.assertRegex(" ".join(self.good("list").split()), "scheduled: nothing shows it: .*; silent: ")

    def test_A4_a_weekday_as_the_start_of_a_rule_with_earlier_days_is_told(self):
        self.start(CONSOLE)
        # The day after tomorrow passes over tomorrow, which is in the rule, too.
        days = [(datetime.now(timezone.utc) + timedelta(days=ahead)).strftime("%A") for ahead in (1, 2)]
        short = [day[:3].lower() for day in days]
        rule = ",".join(short)
        told = (f"belfry: warning: --at: it begins on {days[1][:3]}; with --at 07:00 alone it begins on "
                f"{days[0][:3]}\n")
        for at, warning in ((f"{short[1]} 07:00", told), ("07:00", ""), (f"{short[0]} 07:00", "")):
            status, out, err = self.belfry("schedule", "--body", "x", "--at", at, "--weekdays", rule)
            self.assertEqual((status, err), (0, warning), out)

    def test_N14_what_is_presented_now_and_has_a_repeat_is_told(self):
        self.start(CONSOLE)
        reply = self.bells.call("PresentNow", {"notification": {"alertBody": "x", "repeatInterval": "day"}})
        self.assertEqual(reply["warnings"], ["repeatInterval: PresentNow delivers now, and once"])

    def test_A4_adding_nothing_to_a_badge_is_nothing_to_deliver(self):
        self.start(CONSOLE)
        with self.assertRaises(Refused) as caught:
            self.bells.schedule(badgeOperation="add", fireIn=1_000_000)
        self.assertEqual(caught.exception.parameters["field"], "alertBody")

    def test_E7_a_time_of_day_alone_keeps_the_date(self):
        self.start(CONSOLE)
        today = datetime.now(timezone.utc)
        def edited(*words, at="07:30"):
            self.belfry("cancel", "a")
            self.good("schedule", "--id", "a", "--body", "x", *words)
            self.good("edit", "a", "--at", at)
            row = json.loads(self.good("list", "--json"))
            return row["next"][:16], self.good("list", "--app", f"user.{os.getuid()}")
        for words, when, says in (
                (("--at", "2055-01-04T08:00", "--repeat", "week"), "2055-01-04T07:30", "every week on Monday"),
                (("--at", "2055-01-15T08:00", "--repeat", "month"), "2055-01-15T07:30", "day 15"),
                (("--at", "2055-01-06T08:00", "--repeat", "week", "--every", "2"), "2055-01-06T07:30", "Wednesday"),
                (("--at", "2055-05-05T08:00",), "2055-05-05T07:30", "-"),
                (("--at", "2055-01-04T08:00Z", "--repeat", "week"), "2055-01-04T07:30", "every week on Monday"),
                (("--at", "2055-03-01T08:00", "--repeat", "day", "--until", "2055-03-05"), "2055-03-01T07:30",
                 "until 2055-03-05"),
                (("--at", "2055-01-04T08:00", "--weekdays", "mon-fri"), "2055-01-04T07:30", "weekdays")):
            with self.subTest(words=words):
                found, listed = edited(*words)
                self.assertEqual(found, when)
                self.assertIn(says, listed)
        # By the clocks that it goes by, which may show another date than the board's.
        self.belfry("cancel", "a")
        self.good("schedule", "--id", "a", "--body", "x", "--at", "2055-01-04T20:00", "--time-zone",
                  "America/New_York", "--repeat", "week")
        self.good("edit", "a", "--at", "9pm")
        self.assertEqual(json.loads(self.good("list", "--json"))["next"][:16], "2055-01-05T02:00")
        # One with a day moves it, and so does a time that is past of what fires once.
        self.good("edit", "a", "--at", "2055-01-06 21:00")
        self.assertIn("every week on Wednesday", self.good("list"))
        soon = today + timedelta(minutes=30)
        found, _ = edited("--at", f"{soon:%Y-%m-%dT%H:%M}", at="00:00")
        self.assertEqual(found, f"{soon + timedelta(days=1):%Y-%m-%dT00:00}")
        # What has begun keeps its phase, and rings at nothing that is past.
        begun = today - timedelta(days=3)
        self.bells.schedule(identifier="b", alertBody="x", repeatInterval="day", every=2,
                            fireDate=int(begun.timestamp() * 1e6), timeZone="UTC")
        self.assertIn("; every 2 days", self.good("edit", "b", "--at", f"{begun:%H:%M}"))
        row = next(row for row in self.bells.listed() if row["notification"]["identifier"] == "b")
        self.assertAlmostEqual(row["next"] / 1e6, (begun + timedelta(days=4)).timestamp(), delta=60)
        self.assertEqual(self.rows("history", "--id", "b", "--state", "delivered"), [])

    def test_E7_T6_dates_that_an_edit_no_longer_leaves_out_are_told(self):
        self.start(CONSOLE)
        self.good("schedule", "--id", "a", "--body", "x", "--repeat", "day", "--at", "2055-12-01T07:00",
                  "--exdate", "2055-12-24,2055-12-25")
        _, out, err = self.belfry("edit", "a", "--exdate", "2055-12-26")
        self.assertIn("1 date left out", out)
        self.assertEqual(err, "belfry: warning: --exdate: it takes the place of what was left out before: "
                              "2055-12-24 and 1 more are not left out any more\n")

    def test_N19_what_would_expire_before_it_is_due_is_refused_however_that_is_said(self):
        self.start(CONSOLE)
        for draft, reason in (
                ({"fireIn": 600_000_000, "expires": microseconds(300)}, "it would expire before it is due"),
                ({"expires": microseconds(-300)}, "it is past already"),
                ({"fireDate": microseconds(600), "expires": int(time.time()) + 700}, "it counts microseconds"),
                ({"fireDate": microseconds(600), "expires": microseconds(300)}, "it would expire before")):
            with self.subTest(draft=draft), self.assertRaises(Refused) as caught:
                self.bells.schedule(alertBody="x", **draft)
            self.assertEqual(caught.exception.parameters["field"], "expires")
            self.assertIn(reason, caught.exception.parameters["reason"])
        status, _, err = self.belfry("schedule", "--body", "x", "--now", "--expires", "2055-01-01")
        self.assertEqual(status, 0, err)
        self.bells.schedule(identifier="a", alertBody="x", fireDate=microseconds(600))
        with self.assertRaises(Refused) as caught:
            self.bells.call("Next", {"identifier": "a", "after": int(time.time())})
        self.assertEqual(caught.exception.parameters["field"], "after")
        self.assertEqual(len(self.bells.call("Next", {"identifier": "a", "after": 0})["instants"]), 1)

    def test_E1_N2_what_a_pause_leaves_nothing_of_is_not_said_to_come_now(self):
        self.start(CONSOLE)
        self.good("pause", "--all")
        _, out, err = self.belfry("schedule", "--id", "a", "--body", "x", "--now")
        self.assertIn("scheduled a: never, as things are", out)
        self.assertIn(" does not ring: everything is paused", err)

    def test_N2_a_start_that_the_rule_does_not_have_is_told_of_in_too(self):
        self.start(CONSOLE)
        day = (datetime.now(timezone.utc) + timedelta(hours=1, days=2)).strftime("%a").lower()
        _, out, err = self.belfry("schedule", "--body", "x", "--in", "1h", "--weekdays", day)
        self.assertRegex(err, "^belfry: warning: --in: its repeat has none then; it begins " + day.title())
        self.assertEqual(self.belfry("schedule", "--body", "x", "--in", "1h", "--repeat", "day")[2].count("--in"), 0)

    def test_E3_none_of_its_days_is_no_reason_to_tell(self):
        self.start(CONSOLE)
        os.makedirs(self.bells.directory + "/days", exist_ok=True)
        with open(self.bells.directory + "/days/hol.days", "w", encoding="utf-8") as file:
            file.write("2055-12-24\n")
        now = datetime.now(timezone.utc)
        others = [(now + timedelta(days=n)).strftime("%a").lower() for n in (2, 3)]
        wait_until(lambda: "hol" in self.good("days", "list"), what="the calendar")
        self.belfry("schedule", "--id", "a", "--body", "x", "--at", f"{now + timedelta(days=1):%Y-%m-%dT07:00}",
                    "--weekdays", ",".join(others), "--as-on", "hol=sun")
        self.assertNotIn("not for this weekday", self.good("list"))

    def test_N19_E6_a_sink_that_has_left_is_named_by_list(self):
        config = CONSOLE + "[plugin:lamp]\nfile = exec\nprogram = /bin/true\n"
        self.start(config)
        self.good("schedule", "--id", "a", "--body", "x", "--in", "1h", "--to", "lamp")
        self.good("schedule", "--id", "b", "--body", "x", "--in", "2h", "--ladder", "now:console 2m:lamp")
        self.good("schedule", "--id", "c", "--body", "x", "--in", "2h", "--to", "console", "--ladder", "2m:lamp")
        self.assertNotIn("there is no sink", self.good("list"))
        self.bells.configure(CONSOLE)
        self.belfry("reload")
        self.bells.says("no longer configured: lamp; belfry doctor tells what is scheduled for it")
        self.assertEqual(self.good("list").count('there is no sink "lamp"'), 3)
        self.assertIn("--to and a step at now cannot stand together", self.belfry(
            "schedule", "--body", "x", "--now", "--to", "console", "--ladder", "now:console")[2])

    def test_S8_P1_a_push_whose_sound_no_folder_has_is_told(self):
        self.start(AUDIBLE)
        reply = self.bells.call("Push", {"payload": {"aps": {"alert": "x", "sound": "gong.wav"}}})
        self.assertIn('no sound folder has "gong.wav": the default sound plays unless it comes',
                      reply["warnings"])

    def test_D9_a_file_that_is_moved_away_is_made_anew(self):
        self.start(CONSOLE)
        path = os.path.join(self.bells.directory, "alerts.log")
        self.bells.configure(CONSOLE + f"device = {path}\n")
        self.belfry("reload")
        def shown(text):
            self.good("schedule", "--body", text, "--now")
            def read():
                with open(path, encoding="utf-8") as file:
                    return text in file.read()
            wait_until(lambda: os.path.exists(path) and read(), what=text)
        shown("one")
        os.rename(path, path + ".1")
        shown("two")
        with open(path + ".1", encoding="utf-8") as file:
            self.assertNotIn("two", file.read())
        os.remove(path)
        shown("three")

    def test_D5_a_badge_that_settings_leave_out_is_told(self):
        self.start(CONSOLE + "[app:mute]\nallowed = alert\n")
        status, _, err = self.belfry("schedule", "--app", "mute", "--body", "x", "--badge", "3", "--in", "1h")
        self.assertEqual((status, err), (
            0, "belfry: warning: nothing shows its badge: settings leave out: badge\n"))

    def test_T12_N19_a_tolerance_ends_with_what_it_expires_at(self):
        self.start(CONSOLE)
        expires = microseconds(20)
        self.bells.schedule(identifier="a", alertBody="x", fireIn=1_000_000, tolerance=30_000_000,
                            expires=expires)
        row = wait_until(self.bells.history, what="the delivery")[0]
        self.assertEqual((row["identifier"], row["state"]), ("a", "delivered"))
        self.assertLessEqual(row["handedOver"], expires)
        out = self.good("schedule", "--body", "x", "--in", "2s", "--tolerance", "20s", "--expires", "3s")
        self.assertNotIn("later", out)
        out = self.good("schedule", "--body", "x", "--in", "2s", "--tolerance", "20s", "--expires", "1m")
        self.assertIn("up to 20 s later", out)

    def test_D9_a_text_that_is_shown_beside_others_only_is_told(self):
        self.start(CONSOLE)
        for field in ("alertSubtitle", "alertAction"):
            more = {field: "Gas", "applicationIconBadgeNumber": 1, "fireDate": microseconds(3600)}
            self.assertEqual(self.bells.schedule(**more)["warnings"], [
                UNCOUNTED, f"{field}: nothing shows it without alertBody or alertTitle"])
            self.assertNotIn("warnings", self.bells.schedule(**more, alertTitle="x"))
        _, _, err = self.belfry("schedule", "--subtitle", "Gas", "--badge", "1", "--in", "1h")
        self.assertEqual(
            err.splitlines(True)[-1], "belfry: warning: --subtitle: nothing shows it without --body or --title\n")

    def test_D9_an_app_that_is_there_shows_it_itself(self):
        self.start("[sound]\nenabled = no\n")
        with self.bells.connect() as session:
            next(session.stream("OpenSession", {"app": "kitchen", "state": "background"}))
            reply = self.bells.call("Schedule", {"app": "kitchen", "notification": {
                "alertBody": "x", "fireDate": microseconds(3600)}})
            self.assertNotIn("warnings", reply)

    def test_S1_the_answer_says_whether_it_sounds_and_how_it_repeats(self):
        self.start(AUDIBLE)
        for words, says in (
                (("--at", "07:00"), "; without sound"),
                (("--at", "07:00", "--sound", "default"), "; sound default"),
                (("--at", "07:00", "--rrule", "FREQ=WEEKLY;BYDAY=MO,TU"),
                 "; every week on Mon, Tue; without sound"),
                (("--at", "07:00", "--rrule", "FREQ=WEEKLY;BYDAY=MO"),
                 "; every week on Monday; without sound"),
                (("--at", "2055-01-01T07:00", "--repeat", "week"),
                 "; every week on Friday; without sound"),
                (("--at", "07:00", "--badge", "-1"), "; without sound; clears the badge"),
                (("--at", "07:00", "--badge", "3"), "; without sound; badge 3")):
            out = self.good("schedule", "--body", "x", *words)
            self.assertTrue(out.endswith(says + "\n"), out)


    @unittest.skipIf(has_card(), "there is a sound card")
    def test_S5_without_a_card_whoever_schedules_a_sound_is_told(self):
        self.start("[plugin:console]\nfile = console\n")
        told = "belfry: warning: its sound will not be heard: this machine has no sound card\n"
        sound = ("schedule", "--body", "x", "--sound", "default")
        status, out, err = self.belfry(*sound, "--in", "1h", "--id", "a")
        self.assertEqual((status, err), (0, told), out)
        self.good("schedule", "--body", "x", "--in", "2h", "--id", "b")
        silences = {row["identifier"]: row["silence"] for row in self.rows("list")}
        self.assertEqual((silences["a"], silences["b"]), ("this machine has no sound card", None))
        self.assertIn("scheduled, silent: this machine has no sound card", self.good("list"))
        # Where somebody names a device it is for the speaker to say.
        self.bells.configure(AUDIBLE)
        self.good("reload")
        self.good(*sound, "--in", "1h")

    def test_T7_plugins_show_times_by_the_clocks_that_the_board_goes_by(self):
        script = os.path.join(self.daemon(start=False).directory, "shows")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ndate +%z >> {script}.out\n")
        os.chmod(script, 0o755)
        section = f"[plugin:script]\nfile = exec\nprogram = {script}\n"
        self.start(f"[clock]\nzone = Asia/Kolkata\n[sound]\nenabled = no\n{section}")

        def shown(times):
            self.good("schedule", "--body", "x", "--now")

            def lines():
                if not os.path.exists(script + ".out"):
                    return []
                with open(script + ".out", encoding="utf-8") as file:
                    return file.read().splitlines()
            return wait_until(lambda: lines() if len(lines()) == times else None, what="the script")

        self.assertEqual(shown(1), ["+0530"])
        self.bells.configure(f"[clock]\nzone = Asia/Tokyo\n[sound]\nenabled = no\n{section}")
        self.good("reload")
        wait_until(lambda: self.bells.call("Status")["status"]["plugins"][0]["state"] == "running",
                   what="the new start")
        self.assertEqual(shown(2), ["+0530", "+0900"])


class Titles(CommandTest):
    def test_N9_a_title_alone_is_an_alert(self):
        self.start(CONSOLE)
        self.good("schedule", "--id", "tea", "--title", "Tea is ready", "--now")
        row = wait_until(lambda: self.rows("history"), what="the delivery")[0]
        self.assertEqual((row["sink"], row["state"]), ("console", "delivered"))
        wait_until(lambda: "Tea is ready" in self.bells.log_text(), what="the title on the console")


class Units(CommandTest):
    def refuses(self, field, notification, *words):
        for method in ("Schedule", "PresentNow"):
            if method == "PresentNow" and field in ("fireDate", "fireIn"):
                continue
            with self.subTest(method=method, notification=notification):
                with self.assertRaises(Refused) as caught:
                    self.bells.call(method, {"notification": {"alertBody": "x", **notification}})
                self.assertEqual(caught.exception.parameters["field"], field)
                for word in words:
                    self.assertIn(word, caught.exception.parameters["reason"])

    def test_N2_dates_and_spans_in_another_unit_are_refused(self):
        self.start(CONSOLE)
        now = int(time.time())
        for number in (now + 3600, (now + 3600) * 1000):
            self.refuses("fireDate", {"fireDate": number}, "microseconds", "1,000")
            self.refuses("expires", {"expires": number}, "microseconds")
            self.refuses("until", {"fireDate": microseconds(60), "repeatInterval": "day",
                                   "until": number}, "microseconds")
            rule = {"fireDate": microseconds(60), "rrule": "FREQ=DAILY"}
            self.refuses("exdate[0]", {**rule, "exdate": [number]}, "microseconds")
            self.refuses("rdate[0]", {**rule, "rdate": [number]}, "microseconds")
        for number in (1, 600, 999_999):
            self.refuses("fireIn", {"fireIn": number}, "microseconds")
        self.refuses("fireDate", {"fireDate": -5}, "microseconds")
        self.refuses("tolerance", {"fireDate": microseconds(60), "tolerance": 60}, "microseconds")
        self.assertEqual(self.bells.listed(), [])
        self.assertEqual(self.bells.history(), [])

    def test_N2_old_dates_that_are_meant_are_taken(self):
        self.start(CONSOLE)
        year_1990 = 631_152_000_000_000
        reply = self.bells.schedule(
            alertBody="x", fireDate=year_1990, repeatInterval="day", datesAreOld=True)
        self.assertGreater(reply["next"], microseconds())
        out = self.good("schedule", "--id", "old", "--body", "x", "--at", "1990-01-01T07:00Z",
                        "--repeat", "week")
        self.assertIn("; every week", out)
        # N16: the list by itself changes nothing.
        listed = [row["notification"] for row in self.bells.listed()]
        self.assertEqual(self.bells.call(
            "ReplaceAll", {"final": True, "notifications": listed})["unchanged"], 2)

    def test_N2_a_date_that_is_past_is_told(self):
        self.start(CONSOLE)
        for seconds in (-9 * 3600, -365 * 86_400):
            reply = self.bells.schedule(alertBody="x", fireDate=microseconds(seconds))
            self.assertRegex(reply["warnings"][0], "^fireDate: 20.*Z is past, so it is due at once$")
        for more in ({"fireDate": microseconds(0)},
                     {"fireDate": microseconds(-7200), "repeatInterval": "day", "zoneMode": "absolute"}):
            self.assertNotIn("warnings", self.bells.schedule(alertBody="x", **more), more)
        for more in ({"late": "drop"}, {"late": "60"}, {"offset": "PT1H", "late": "drop"}):
            reply = self.bells.schedule(alertBody="x", fireDate=microseconds(-7200), **more)
            self.assertRegex(reply["warnings"][0], "^fireDate: 20.*Z is past, so it is due at once$")
        reply = self.bells.call("ReplaceAll", {"final": True, "notifications": [
            {"identifier": "a", "alertBody": "x", "fireDate": microseconds(-7200)}]})
        self.assertRegex(reply["warnings"][0], "^a: fireDate: .* is past, so it is due at once$")
        self.bells.schedule(identifier="b", alertBody="x", fireDate=microseconds(7200))
        reply = self.bells.call("Edit", {"identifier": "b", "set": {"fireDate": microseconds(-7200)}})
        self.assertRegex(reply["warnings"][0], "^fireDate: .* is past, so it is due at once$")

    def test_A4_now_on_a_day_that_the_repeat_leaves_out_is_told(self):
        self.start("[clock]\nzone = UTC\n" + CONSOLE)
        days = [(datetime.now(timezone.utc) + timedelta(days=ahead)).strftime("%a") for ahead in (-1, 0, 1, 2)]
        status, _, err = self.belfry("schedule", "--body", "x", "--now", "--weekdays", days[3].lower())
        self.assertEqual((status, err), (
            0, "belfry: warning: --now: its repeat has none now; for one at once schedule another with "
               "--now alone\n"))
        # Whichever day it is by now.
        self.assertEqual(self.belfry(
            "schedule", "--body", "x", "--now", "--weekdays", ",".join(days[:3]).lower())[2], "")

    def test_T1_a_zone_without_a_mode_that_moves_the_date_is_told(self):
        self.start("[clock]\nzone = UTC\n" + CONSOLE)
        winter = 1_796_018_400_000_000  # 2026-11-30 07:00 in Berlin, or later years' the same day.
        winter += 365 * 86_400 * 10**6 * max(0, time.localtime().tm_year - 2025)
        row = {"alertBody": "x", "fireDate": winter, "timeZone": "Europe/Berlin"}
        reply = self.bells.schedule(**row)
        self.assertEqual(reply["next"], winter + 3600 * 10**6)
        self.assertEqual(reply["warnings"], [
            "timeZone: it is due when the board's clocks show 7:00, as those of Europe/Berlin do at its "
            "fireDate; by these it is due with the zoneMode zoned"])
        for more in ({"zoneMode": "floating"}, {"zoneMode": "zoned"}, {"timeZone": "Etc/UTC"}):
            self.assertNotIn("warnings", self.bells.schedule(**{**row, **more}), more)

    def test_N4_what_weekday_means_is_said(self):
        self.start(CONSOLE)
        reply = self.bells.schedule(
            alertBody="x", fireDate=microseconds(3600), repeatInterval="weekday")
        self.assertRegex(reply["warnings"][0], "^repeatInterval weekday is every day, .*BYDAY=MO,TU")
        reply = self.bells.schedule(
            alertBody="x", fireDate=microseconds(3600), repeatInterval="weekdayOrdinal")
        self.assertRegex(reply["warnings"][0], "^repeatInterval weekdayOrdinal is every week, .*BYDAY=1MO")
        self.assertIn("every day", self.good("list"))

    def test_T6_a_date_that_takes_out_nothing_is_told_on_the_socket(self):
        self.start(CONSOLE)
        start = microseconds(86_400) // 10**6 * 10**6
        day = 86_400 * 10**6
        rule = {"alertBody": "x", "fireDate": start, "rrule": "FREQ=DAILY"}
        self.assertNotIn("warnings", self.bells.schedule(
            identifier="a", **rule, exdate=[start, start + 2 * day]))
        stray = [start + 3_600 * 10**6, start + day, start - 5 * day]
        reply = self.bells.schedule(identifier="a", **rule, exdate=stray)
        self.assertEqual(len(reply["warnings"]), 1, reply)
        self.assertRegex(
            reply["warnings"][0], "^exdate: nothing is due at .*Z, nor at 1 more of these dates$")
        reply = self.bells.call("Edit", {"identifier": "a", "set": {"exdate": [start + 1 * 10**6]}})
        self.assertRegex(reply["warnings"][0], "^exdate: nothing is due at .*Z$")

    def test_N16_the_answer_to_a_list_warns_as_that_to_each(self):
        self.start(CONSOLE)
        rows = [{"identifier": f"b{number}", "alertBody": "x", "soundName": sound,
                 "fireDate": microseconds(3600), "repeatInterval": "weekday"}
                for number, sound in enumerate(("nosuch.wav", "other.wav", "nosuch.wav"))]
        rows.append({"identifier": "c", "alertBody": "x", "fireDate": microseconds(3600), "volume": 0.5})
        reply = self.bells.call("ReplaceAll", {"final": True, "notifications": rows})
        self.assertEqual(reply["added"], 4)
        weekday, silent, volume, *sounds = reply["warnings"]
        self.assertRegex(weekday, "^b0 and 2 more: repeatInterval weekday is every day")
        self.assertRegex(silent, "^b0 and 2 more: its sound will not be heard")
        self.assertEqual(volume, "c: volume: there is no soundName")
        self.assertEqual(sounds, [
            f'no sound folder has "{name}": the default sound plays unless it comes'
            for name in ("nosuch.wav", "other.wav")])
        rows = [{"identifier": f"b{number}", "alertBody": "x", "fireDate": microseconds(90_000),
                 "rrule": "FREQ=DAILY", "exdate": [microseconds(7200 + 60 * number)]}
                for number in range(40)]
        reply = self.bells.call("ReplaceAll", {"final": True, "notifications": rows})
        self.assertEqual(len(reply["warnings"]), 16)
        self.assertEqual(reply["warnings"][15], "25 more warnings are not told here")
        self.assertNotIn("warnings", self.bells.call("ReplaceAll", {
            "final": True, "notifications": [{"alertBody": "x", "fireDate": microseconds(3600)}]}))


class Nothing(CommandTest):
    def test_A4_what_has_nothing_to_deliver_is_refused_everywhere(self):
        self.start(CONSOLE)
        for method, more in (("Schedule", {"fireIn": 60_000_000}), ("PresentNow", {}), ("Schedule", {
                "fireDate": microseconds(60), "repeatInterval": "day", "category": "c"})):
            with self.assertRaises(Refused) as caught:
                self.bells.call(method, {"notification": more})
            self.assertEqual(caught.exception.parameters["field"], "alertBody")
            self.assertIn("nothing to deliver", caught.exception.parameters["reason"])
        with self.assertRaises(Refused) as caught:
            self.bells.call("ReplaceAll", {
                "final": True, "notifications": [{"identifier": "a", "fireIn": 60_000_000}]})
        self.assertEqual(caught.exception.parameters["field"], "notifications[0].alertBody")
        with self.assertRaises(Refused) as caught:
            self.bells.schedule(alertTitle=" ", fireIn=60_000_000)
        self.assertEqual(caught.exception.parameters["field"], "alertTitle")
        self.bells.schedule(identifier="tea", alertBody="x", fireDate=microseconds(3600))
        self.refused("nothing to deliver", "edit", "tea", "--clear", "alertBody")
        err = self.refused("something to deliver is needed", "schedule", "--in", "1h", status=2)
        self.assertIn("--title", err)
        for good in ({"soundName": "default"}, {"applicationIconBadgeNumber": 1},
                     {"userInfo": {"a": 1}}, {"alertTitle": "x"}):
            self.bells.schedule(fireIn=60_000_000, **good)

    def test_A4_a_misspelt_field_of_the_pypi_client_is_no_silent_alarm(self):
        self.start(CONSOLE)
        with varlink.Client.new_with_address("unix:" + self.bells.socket) as client, \
                client.open(INTERFACE) as belfry:
            with self.assertRaises(varlink.VarlinkError) as caught:
                # The package drops what the interface does not name.
                belfry.Schedule(notification={"alertBdy": "Tea", "fireDate": microseconds(3600)})
        self.assertEqual(caught.exception.error(), INTERFACE + ".InvalidField")
        self.assertEqual(self.bells.listed(), [])


class Excluded(CommandTest):
    RULE = ("--body", "x", "--rrule", "FREQ=DAILY;COUNT=9", "--at", "2055-12-20T07:00",
            "--time-zone", "Europe/Berlin")

    def days(self, *words):
        """The days of December 2055 on which the draft rings, and what is warned of."""
        status, out, err = self.belfry("next", *self.RULE[2:], *words, "-n", "20", "--json")
        self.assertEqual(status, 0, err)
        rows = [json.loads(line) for line in out.splitlines()]
        return [int(row["at"][8:10]) for row in rows], err

    def test_T6_a_date_alone_takes_out_that_day_and_what_hits_nothing_is_said(self):
        self.start(CONSOLE)
        every = list(range(20, 29))
        less = [day for day in every if day not in (24, 25)]
        self.assertEqual(self.days(), (every, ""))
        for words in (("--exdate", "2055-12-24,2055-12-25"), ("--exdate", "2055-12-24, 2055-12-25"),
                      ("--exdate", "2055-12-24", "--exdate", "2055-12-25T07:00"),
                      ("--exdate", "2055-12-24T07:00 , 2055-12-25T06:00Z")):
            self.assertEqual(self.days(*words), (less, ""), words)
        for text, says in (
                ("2055-12-24T08:00", "nothing is due at 2055-12-24T08:00; on that day it is at 07:00"),
                ("2026-12-24T07:00", "nothing is due at 2026-12-24T07:00, nor on that day"),
                ("2055-12-30", "nothing is due on 2055-12-30")):
            days, err = self.days("--exdate", text)
            self.assertEqual((days, json.loads(err)), (
                every, {"code": "warning", "field": None, "message": "--exdate: " + says}))
        status, _, err = self.belfry("schedule", *self.RULE, "--exdate", "2055-12-30")
        self.assertEqual((status, err), (0, "belfry: warning: --exdate: nothing is due on 2055-12-30\n"))

    def test_E2_a_day_alone_skips_all_that_is_due_on_it(self):
        self.start(CONSOLE)
        self.good("schedule", "--id", "bell", "--body", "x", "--rrule", "FREQ=DAILY;BYHOUR=7,12",
                  "--at", "2055-12-23T07:00")
        said = self.good("skip", "bell", "--at", "2055-12-24")
        self.assertIn("skipped Fri 2055-12-24 07:00, Fri 2055-12-24 12:00\n", said)
        status, _, err = self.belfry("skip", "bell", "--at", "2055-12-20")
        self.assertEqual(status, 1)
        self.assertIn("--at: nothing is due then; the next one after that is Thu 2055-12-23 07:00", err)
        rows = self.good("next", "bell", "-n", "4", "--json").splitlines()
        hours = [json.loads(line)["at"][8:13] for line in rows if '"at"' in line]
        self.assertEqual(hours, ["23T07", "23T12", "25T07", "25T12"])
        self.assertIn("skipped Fri 2055-12-24 07:00", self.good("skip", "bell", "--at", "2055-12-24"))
        self.assertIn("Fri 2055-12-24 12:00", self.good("unskip", "bell", "--at", "2055-12-24"))
        self.assertEqual(self.bells.listed()[0].get("skipped", []), [])
        # What follows each other is one run, however much it is.
        self.good("schedule", "--id", "often", "--body", "x", "--rrule", "FREQ=MINUTELY;INTERVAL=5",
                  "--at", "2055-12-24T00:00")
        self.assertIn("skipped 288 times, ", self.good("skip", "often", "--at", "2055-12-24"))
        self.assertIn("next: in ", self.good("unskip", "often", "--at", "2055-12-24"))
        self.refused("more than 32 are due on that day; take it out with --exdate of belfry edit", "skip",
                     "often", "--at", "2055-12-25")

    def test_T6_a_day_may_be_a_word(self):
        self.start(CONSOLE)
        today = datetime.now(timezone.utc).date()
        words = ("next", "--rrule", "FREQ=DAILY", "--at", f"{today + timedelta(days=1)}T07:00", "-n", "8")
        for text in (f"{today + timedelta(days=3):%A}", f"{today + timedelta(days=3):%a}".lower()):
            rows = self.good(*words, "--exdate", text, "--json").splitlines()
            days = [json.loads(line)["at"][:10] for line in rows]
            self.assertNotIn(str(today + timedelta(days=3)), days)
            self.assertIn(str(today + timedelta(days=2)), days)
        # What takes nothing out is not counted.
        _, out, err = self.belfry("schedule", "--body", "x", "--repeat", "day", "--at", "07:00",
                                  "--exdate", "2055-12-24T08:00")
        self.assertIn("; every day; ", out)
        self.assertIn("nothing is due at 2055-12-24T08:00", err)

    def test_T6_a_day_alone_takes_out_all_that_falls_on_it(self):
        self.start(CONSOLE)
        out = self.good("next", "--rrule", "FREQ=DAILY;BYHOUR=7,12,18", "--at", "2055-12-23T07:00",
                        "--exdate", "2055-12-24", "-n", "4", "--json")
        hours = [json.loads(line)["at"][8:13] for line in out.splitlines()]
        self.assertEqual(hours, ["23T07", "23T12", "23T18", "25T07"])
        # By the clock on the wall where the clocks jump.
        out = self.good("next", "--rrule", "FREQ=DAILY", "--at", "2055-03-27T02:30", "--time-zone",
                        "Europe/Berlin", "--exdate", "2055-03-28", "-n", "2", "--json")
        self.assertEqual([json.loads(line)["at"][8:10] for line in out.splitlines()], ["27", "29"])


class All(CommandTest):
    def answered(self, *words, answer=b""):
        """Exit status and output of a command on a terminal, where that is typed."""
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        done = subprocess.Popen(
            [os.path.join(programs(), "belfry"), *words], stdin=follower, stdout=follower,
            stderr=follower, env={**os.environ, "BELFRY_SOCKET": self.bells.socket})
        os.close(follower)
        os.write(leader, answer)
        text = b""
        try:
            while block := os.read(leader, 4096):
                text += block
        except OSError:
            pass  # So a terminal tells that nobody has it any more.
        return done.wait(PATIENCE), text.decode()

    def test_N15_on_a_terminal_cancel_all_asks(self):
        self.start(CONSOLE)
        for name in ("a", "b"):
            self.bells.schedule(identifier=name, alertBody="x", fireDate=microseconds(3600))
        for answer in (b"n\n", b"\n", b"all\n"):
            status, text = self.answered("cancel", "--all", answer=answer)
            self.assertEqual(status, 1)
            self.assertIn(f"cancel all 2 notifications of the app user.{os.getuid()}? [y/N] ", text)
            self.assertIn("nothing is cancelled (--yes answers beforehand)", text)
        self.assertEqual(len(self.bells.listed()), 2)
        self.assertIn("cancelled 2, ", self.answered("cancel", "--all", answer=b"y\n")[1])
        # Nobody is asked for what others have, nor with --yes, nor in a script.
        self.bells.call("Schedule", {"app": "radio", "notification": {
            "identifier": "news", "alertBody": "x", "fireDate": microseconds(3600)}})
        self.assertEqual(self.answered("cancel", "--all"), (0, "cancelled 0, withdrawn 0\r\n"))
        for way in (lambda: self.answered("cancel", "--all", "--yes")[1],
                    lambda: self.good("cancel", "--all")):
            self.bells.schedule(identifier="a", alertBody="x", fireDate=microseconds(3600))
            self.assertIn("cancelled 1, ", way())

    def test_E1_on_a_terminal_pause_all_asks(self):
        self.start(CONSOLE)
        self.bells.schedule(identifier="a", alertBody="x", fireDate=microseconds(3600))
        status, text = self.answered("pause", "--all", answer=b"n\n")
        self.assertEqual(status, 1)
        self.assertIn("pause everything, of all users, until it is resumed? [y/N] ", text)
        self.assertIn("nothing is paused (--yes answers beforehand)", text)
        self.assertIsNone(self.bells.call("Status")["status"].get("paused"))
        status, text = self.answered("pause", "--all", "--until", "1h", answer=b"y\n")
        self.assertEqual(status, 0)
        self.assertIn("pause everything, of all users? [y/N] ", text)
        self.assertIn("paused everything until ", text)
        # Not for what is one's own, with --yes, or in a script.
        for way in (lambda: self.answered("pause", "--all", "--yes")[1],
                    lambda: self.answered("pause", "a")[1], lambda: self.good("pause", "--all")):
            self.assertRegex(way(), "^paused ")

    def test_E2_N19_what_a_skip_leaves_nothing_of_is_not_promised(self):
        self.start(CONSOLE)
        self.bells.schedule(identifier="a", alertBody="x", fireDate=microseconds(3600),
                            repeatInterval="day", expires=microseconds(7200))
        self.assertIn("next: never, as things are", self.good("skip", "a"))
        self.assertIsNone(json.loads(self.good("list", "--json"))["next"])
        self.assertRegex(self.good("list"), r" - +- +every day .*it expires before it rings again")
        self.assertIn(": skipped by request", self.good("status"))
        self.assertIn("next: in ", self.good("unskip", "a"))
        self.assertNotIn("skipped by request", self.good("status"))

    def test_D9_history_of_one_sink(self):
        self.start(AUDIBLE)
        self.belfry("test")
        wait_until(lambda: len(self.good("history").splitlines()) > 2, what="both sinks")
        for sink in ("console", "speaker"):
            rows = self.good("history", "--to", sink, "--json").splitlines()
            self.assertEqual([json.loads(row)["sink"] for row in rows], [sink])
        self.assertEqual(len(self.good("history", "--to", "console", "--to", "speaker").splitlines()), 3)
        self.assertEqual(self.belfry("history", "--to", "mail"), (
            0, "nothing of that is in the history\n",
            'belfry: warning: --to: there is none called "mail" (there are console, speaker)\n'))
        self.assertIn("did you mean --to?", self.belfry("history", "--sink", "console")[2])

    def test_A4_help_of_one_key(self):
        self.start(CONSOLE)
        out = self.good("help", "configuration", "clock", "grace")
        self.assertIn("[clock]\n  grace ", out)
        self.assertNotIn("realtime", out)
        self.assertIn('help configuration clock has no key "graze"',
                      self.belfry("help", "configuration", "clock", "graze")[2])
        rows = self.good("help", "configuration", "clock", "grace", "--json").splitlines()
        self.assertEqual([json.loads(row)["name"] for row in rows], ["grace"])

    def test_A4_sentences_are_folded_into_the_terminal(self):
        self.start(CONSOLE)
        self.belfry("schedule", "--id", "tea", "--body", "x", "--in", "1h", "--except-on", "holidays")
        self.good("pause", "tea", "--until", "2055-01-01T07:00")
        for words in (("next", "tea"), ("reload",), ("pause", "tea"), ("test",), ("skip", "tea")):
            for line in terminal(words, self.bells.socket, columns=40).splitlines():
                self.assertLessEqual(len(line), 40, line)

    def test_A4_on_a_terminal_the_beginning_of_an_identifier_is_enough(self):
        self.start(CONSOLE)
        said = self.good("schedule", "--body", "x", "--in", "1h", "--json")
        name = json.loads(said)["identifier"]
        self.assertRegex(name, "^[2-9b-z]{8}$")
        for other in ("alarm10", "alarm11"):
            self.bells.schedule(identifier=other, alertBody="x", fireDate=microseconds(3600))
        status, text = self.answered("next", name[:4])
        self.assertEqual(status, 0, text)
        self.assertIn("WHEN IN ", text)
        # What people have named may have left the list, in a script anything may: there a beginning is
        # no name.
        self.assertEqual(self.answered("cancel", "alarm1")[0], 1)
        self.bells.schedule(identifier="school", alertBody="x", fireDate=microseconds(3600))
        status, text = self.answered("cancel", "scho", answer=b"n\n")
        self.assertEqual(status, 1)
        self.assertIn("nothing is called scho; do you mean school? [y/N] ", text)
        self.assertIn('nothing is called "scho"; did you mean school?', text)
        self.assertIn("WHEN IN ", self.answered("next", "scho", answer=b"y\n")[1])
        self.assertNotIn("[y/N]", self.answered("cancel", "--yes", "scho")[1])
        # What is shown is whole, whatever it begins.
        self.bells.call("PresentNow", {"notification": {"identifier": "sch", "alertBody": "x"}})
        wait_until(lambda: self.bells.listed(delivered=True), what="the alert")
        self.assertIn("withdrawn 1", self.answered("cancel", "sch")[1])
        self.assertIn("cancelled 1, ", self.answered("cancel", "scho", answer=b"y\n")[1])
        self.assertEqual(self.belfry("cancel", name[:4])[0], 1)
        self.assertEqual(len(self.bells.listed()), 3)
        self.assertEqual(
            self.answered("cancel", name[:4]), (0, "cancelled 1, withdrawn 0\r\n"))

    def test_A4_the_first_three_alarms_have_a_line_each_at_80_columns_and_are_whole_at_40(self):
        self.start("[sound]\ndevice = null\n[plugin:console]\nfile = console\n")
        for words in (("tea", "--body", "Tea is ready", "--in", "4m"),
                      ("bread", "--body", "Take the bread out", "--at", "07:00"),
                      ("bell", "--at", "2055-01-04T08:00", "--time-zone", "Europe/Berlin", "--repeat",
                       "week")):
            self.good("schedule", "--id", words[0], "--sound", "default", *words[1:])
        lines = terminal(("list",), self.bells.socket, TZ="UTC").splitlines()
        self.assertEqual(len(lines), 4, lines)
        self.assertEqual([len(line) > 80 for line in lines], [False] * 4)
        self.assertIn("every week on M", lines[3])
        for words in (("list",), ("next", "bell")):
            said = terminal(words, self.bells.socket, columns=40, TZ="UTC")
            self.assertNotIn("\u2026", said)
            self.assertEqual([line for line in said.splitlines() if len(line) > 40], [])
        self.assertIn("every week on Monday", " ".join(terminal(
            ("list",), self.bells.socket, columns=40, TZ="UTC").split()))

    def test_T3_next_has_the_clocks_of_its_own_zone_beside_the_readers(self):
        self.start(CONSOLE)
        self.good("schedule", "--body", "x", "--id", "tokyo", "--at", "2058-01-01T07:00:00",
                  "--time-zone", "Asia/Tokyo", "--zone-mode", "zoned")
        self.assertRegex(
            self.good("next", "tokyo"), "AT IN Asia/Tokyo(.|\n)*2058-01-01T07:00:00.000000\\+09:00")

    def test_S8_sound_play_and_check_take_the_names_and_the_device_of_the_daemon(self):
        self.start("[sound]\ndevice = null\nvolume = 0.5\n[plugin:console]\nfile = console\n")
        bell = os.path.join(self.bells.directory, "sounds", "bell.wav")
        os.makedirs(os.path.dirname(bell), exist_ok=True)
        with wave.open(bell, "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(8000)
            file.writeframes(bytes(1600))
        self.assertIn("bell.wav: WAV", self.good("sound", "check", "bell.wav"))
        self.assertEqual(
            self.good("sound", "play", "bell.wav"), f"played {bell}, 0.100 s, on device null\n")
        self.assertIn(", on device null", self.good("sound", "play", "default"))
        status, out, _ = self.belfry("sound", "check", "gong.wav")
        self.assertEqual(status, 1)
        self.assertIn("there is no such file in the sound folders; the default sound plays instead", out)
        # What is there and cannot be played is no file that is missing.
        with open(os.path.join(os.path.dirname(bell), "noise.wav"), "wb") as file:
            file.write(b"RIFF and no more")
        for name in ("bell.wav", "noise.wav", "gong.wav"):
            self.belfry("schedule", "--body", "x", "--sound", name, "--in", "1h", "--id", name)
        said = self.belfry("doctor")[1]
        self.assertIn("name sounds that are in no sound folder: gong.wav (user.0 gong.wav)", said)
        self.assertIn("name sounds that cannot be played: noise.wav (user.0 noise.wav)", said)

    def test_A4_the_json_of_checks_has_the_same_keys_always(self):
        self.start(AUDIBLE)
        keys = {"ok", "reason", "delivery", "calendar", "pushes", "microseconds", "log"}
        for words in (("console",), ("exec",), ("exec", "--set", "program=/bin/true"), ("calendars",)):
            last = json.loads(self.belfry("plugin", "check", *words, "--json")[1].splitlines()[-1])
            self.assertEqual(set(last), keys, words)
        self.assertIsNone(json.loads(self.good("sound", "check", "default", "--json"))["reason"])
        status, out, err = self.belfry("sound", "play", "default", "--device", "nosuch", "--json")
        self.assertEqual((status, err), (1, ""))
        self.assertIn("no-device: ", json.loads(out)["error"])

    def test_A4_list_shows_all(self):
        self.start(CONSOLE)
        self.assertEqual(self.belfry("list", "--all")[1:], (
            "", "belfry: list shows all: leave --all out\n"))


class Words(CommandTest):
    """What people write first, and what is said to them: always with what to write instead."""

    ANSWERS = (
        ("schedule --body x --at 07:00 --rrule FREQ=WEEKLY;BYDAY=MON",
         "--rrule: a weekday is MO, TU, WE, TH, FR, SA or SU (character 19)"),
        ("schedule --body --in 10m",
         "--body needs TEXT, and --in is an option (if it is meant: --body=--in)"),
        ("schedule Tea --in 4m",
         "schedule does not take \"Tea\"; did you mean --body Tea? (belfry schedule --help)"),
        ("schedule --body x --at tomorrow", "--at: \"tomorrow\" needs a time of day: 'tomorrow 07:00'"),
        ("schedule --body x --at mon", "--at: \"mon\" needs a time of day: 'mon 07:00'"),
        ("schedule --body x --at 24:00", "--at: \"24:00\" is not a time: it is 00:00 of the next day"),
        ("schedule --body x --at now", "--at: \"now\" is not a time: leave --at out, and say --now"),
        ("schedule --body x --at 2027-01-01", "--at: \"2027-01-01\" needs a time of day: 2027-01-01T07:00"),
        ("schedule --body x --at 07:00 --repeat daily",
         "--repeat: \"daily\" is no unit; did you mean day?"),
        ("schedule --body x --at 07:00 --repeat dya", "--repeat: there is no unit \"dya\"; did you mean day?"),
        ("schedule --body x --in 90min", "--in: \"90min\" is not a duration; did you mean 90m?"),
        ("schedule --body x --in 2hours", "--in: \"2hours\" is not a duration; did you mean 2h?"),
        ("schedule --body x --in soon", "--in: \"soon\" is not a duration; use 90s, 10m, 1h30m, 2d, 1w"),
        ("schedule --body x --in 1h --user-info {a:1}",
         "--user-info: a member's name in double quotes is missing here (a JSON object, such as '{\"room\": 3}')"),
        ("schedule --message x --in 1h",
         "no option \"--message\"; did you mean --body? (belfry schedule --help)"),
        ("schedule --body x --at 07:00 --tz Europe/Berlin",
         "no option \"--tz\"; did you mean --time-zone? (belfry schedule --help)"),
        ("ls", "no command \"ls\"; did you mean list? (belfry --help lists them)"),
        ("rm x", "no command \"rm\"; did you mean cancel? (belfry --help lists them)"),
        ("schedule --body x --in 1h --volume 80",
         "--volume: \"80\" is not within 0 to 1; did you mean 80%?"),
        ("schedule --body x --in 1h --late soon",
         "--late: \"soon\" is not fire, drop or a duration such as 10m"),
        ("schedule --body x --at 07:00 --rrule FREQ=DAILY --exdate 2027-12-24, 2027-12-25",
         "schedule does not take \"2027-12-25\"; did you mean --exdate "
         "'2027-12-24, 2027-12-25'? (belfry schedule --help)"),
    )

    def test_A4_what_people_write_first_is_answered_with_what_to_write(self):
        self.start(CONSOLE)
        for words, says in self.ANSWERS:
            status, out, err = self.belfry(*words.split(" "))
            self.assertEqual((out, err), ("", f"belfry: {says}\n"), words)
            self.assertIn(status, (1, 2))
        self.assertEqual(self.bells.listed(), [])

    def test_A4_a_misspelt_key_and_a_comment_behind_a_value_are_named(self):
        self.bells = self.daemon(start=False)
        for text, says in (
                ("[sound]\nquite = 22:00-06:00\n",
                 ":2: [sound] quite is no key of this section; did you mean quiet?"),
                ("[limits]\nnotification = 3\n", "; did you mean notifications?"),
                ("[app:x]\nsoundFolder = /x\n", "; did you mean folder?"),
                ("[clock]\ngrace = 10 # ten\n", "; a # comment stands on a line of its own")):
            self.bells.configure(text)
            done = subprocess.run(
                [os.path.join(programs(), "belfryd"), "--check", self.bells.directory + "/belfry.conf"],
                capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 14)
            self.assertTrue(done.stderr.endswith(says + "\n"), done.stderr)

    def test_T10_late_and_expires_take_durations(self):
        self.start(CONSOLE)
        self.good("schedule", "--id", "a", "--body", "x", "--in", "1h", "--late", "5m")
        self.good("schedule", "--id", "b", "--body", "x", "--at", "2055-06-01T07:00Z", "--expires", "2h")
        rows = {row["notification"]["identifier"]: row["notification"] for row in self.bells.listed()}
        self.assertEqual(rows["a"]["late"], "300")
        self.assertEqual(rows["b"]["expires"] - rows["b"]["fireDate"], 2 * 3600 * 1_000_000)


class Several(CommandTest):
    def test_D11_dismiss_and_snooze_take_several(self):
        self.start(CONSOLE)
        for name in ("a", "b", "c", "d"):
            self.bells.call("PresentNow", {"notification": {"identifier": name, "alertBody": name}})
        wait_until(lambda: len(self.bells.listed(delivered=True)) == 4, what="four alerts")
        out = self.good("snooze", "a", "b", "9m")
        self.assertEqual([line.split(":")[0] for line in out.splitlines()], ["snoozed a", "snoozed b"])
        status, out, err = self.belfry("dismiss", "gone", "c")
        self.assertEqual((status, out), (1, "dismissed c\n"))
        self.assertIn('no alert called "gone" is shown', err)
        self.assertRegex(self.good("dismiss", "--all"), r"\Adismissed [a-z]\n\Z")
        self.assertEqual(self.good("dismiss", "--all"), "nothing is shown\n")
        # What is snoozed stays.
        self.assertEqual({row["notification"]["identifier"] for row in self.bells.listed(snoozed=True)},
                         {"a", "b"})
        self.refused("dismiss needs an ID, or --all", "dismiss", status=2)
        # Each error is JSON where that is asked for.
        status, _, err = self.belfry("dismiss", "gone", "lost", "--json")
        self.assertEqual([json.loads(line)["code"] for line in err.splitlines()], ["notFound"] * 2)
        for name in ("e", "f"):
            self.bells.call("PresentNow", {"notification": {"identifier": name, "alertBody": name}})
        wait_until(lambda: len(self.bells.listed(delivered=True)) == 2, what="two alerts")
        self.assertEqual(self.good("ack", "e", "f"), "acknowledged e\nacknowledged f\n")

    def test_every_program_knows_h(self):
        for name in ("belfry", "belfryd", "belfry-worker", "belfry-speaker"):
            done = subprocess.run([os.path.join(programs(), name), "-h"], capture_output=True, text=True,
                                  check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertIn("--check" if name != "belfry" else "schedule", done.stdout)
            done = subprocess.run([os.path.join(programs(), name), "--version"], capture_output=True,
                                  text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertTrue(done.stdout.startswith(name + " "), done.stdout)


class Pages(CommandTest):
    """The Python of the pages, as it stands there."""

    def blocks(self, page):
        with open(os.path.join(ROOT, page), encoding="utf-8") as file:
            found = re.findall(r"^```python\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
        return [text.replace("/tmp/bells/socket", self.bells.socket) for text in found]

    def runs(self, text, *says, meanwhile=lambda: None):
        """Runs a program until it has said all that, in this order; `meanwhile` is done again and again."""
        over = threading.Event()

        def busy():
            while not over.wait(0.1):
                meanwhile()
        with subprocess.Popen([sys.executable, "-u", "-c", text], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as running:
            self.addCleanup(running.kill)
            other = threading.Thread(target=busy)
            other.start()
            try:
                for words in says:
                    self.assertIn(words, running.stdout.readline())
            finally:
                over.set()
                other.join()
                running.kill()

    def test_the_first_python_of_the_pages_runs(self):
        self.start(CONSOLE)
        tour, = self.blocks("README.md")
        self.runs(tour, "'scheduled': True")
        first, session = self.blocks("Sources/BelfryServer/README.md")
        self.runs(first, "'scheduled': True", "'identifier': 'school', 'scheduled': True", "delivered now",
                  meanwhile=lambda: self.bells.call("PresentNow", {"notification": {
                      "identifier": "now", "alertBody": "x"}}))
        rows = {row["notification"]["identifier"]: row["notification"] for row in self.bells.listed()}
        self.assertEqual(rows["school"]["timeZone"], "Europe/Berlin")
        with subprocess.Popen([sys.executable, "-u", "-c", "import varlink\n" + session],
                              stdout=subprocess.PIPE, text=True) as running:
            self.addCleanup(running.kill)
            wait_until(lambda: self.bells.call("Status")["status"]["sessions"] == 1, what="a session")
            try:
                self.bells.call("PresentNow", {"notification": {"alertBody": "Tea"}})
                self.assertEqual(running.stdout.readline(), "received Tea None\n")
            finally:
                running.kill()


class Devices(CommandTest):
    def test_A4_a_terminal_that_is_not_there_is_no_new_file(self):
        name = f"/dev/belfry-{os.getpid()}"
        self.start(f"[sound]\nenabled = no\n[plugin:console]\nfile = console\ndevice = {name}\n")
        self.bells.says("`device` is not there")
        self.assertFalse(os.path.exists(name))
