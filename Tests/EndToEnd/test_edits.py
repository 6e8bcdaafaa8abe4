"""E7: what an edit keeps, moves, refuses and tells of, as a person edits."""
import json
import os
import re
import unittest
from datetime import date, datetime, timezone

from belfry_harness import microseconds, wait_until
from test_command import CommandTest, terminal

CONSOLE = "[sound]\nenabled = no\n[plugin:console]\nfile = console\n"
# Mondays and what follows them, by UTC, which the board goes by.
MONDAY = "2055-01-04"


class Edits(CommandTest):
    def setUp(self):
        super().setUp()
        self.start(CONSOLE)

    def said(self, *words):
        """Both outputs of a command that does what was asked."""
        status, out, err = self.belfry(*words)
        self.assertEqual(status, 0, (words, out, err))
        return out, err

    def make(self, *words):
        self.belfry("cancel", "a")
        self.said("schedule", "--id", "a", "--body", "x", *words)

    def coming(self, count=4):
        """The next times by UTC, to the minute."""
        out, _ = self.said("next", "a", "-n", str(count), "--json")
        rows = [json.loads(row) for row in out.splitlines()]
        times = [datetime.fromisoformat(row["at"]) for row in rows if "at" in row]
        return [f"{time.astimezone(timezone.utc):%Y-%m-%dT%H:%M}" for time in times]

    def test_E7_a_rule_that_says_its_own_times_is_no_clock_to_move(self):
        for rule, name in (("FREQ=DAILY;BYHOUR=7,19;BYMINUTE=0", "BYHOUR"), ("FREQ=DAILY;BYHOUR=7", "BYHOUR"),
                           ("FREQ=DAILY;BYMINUTE=0", "BYMINUTE")):
            with self.subTest(rule=rule):
                self.make("--at", f"{MONDAY}T07:00", "--rrule", rule)
                before = self.coming()
                status, _, err = self.belfry("edit", "a", "--at", "08:15")
                self.assertEqual((status, err), (1, f"belfry: --at: its rule has {name}, which says when it rings: "
                                                    "give --rrule anew, or --at with a date to move its start\n"))
                self.assertEqual(self.coming(), before)
        # The one hour that it has may have other minutes, and a start has a date.
        self.make("--at", f"{MONDAY}T07:00", "--rrule", "FREQ=DAILY;BYHOUR=7")
        self.said("edit", "a", "--at", "07:15")
        self.assertEqual(self.coming(1), [f"{MONDAY}T07:15"])
        self.said("edit", "a", "--at", "2055-01-06T07:00")
        self.assertEqual(self.coming(1), ["2055-01-06T07:00"])

    def test_E7_T2_another_zone_alone_keeps_what_clocks_show(self):
        berlin = ("--at", f"{MONDAY}T07:00", "--time-zone", "Europe/Berlin")
        weekly = ("--repeat", "week")
        for words, edit, when in (
                (berlin, ("--time-zone", "Asia/Tokyo"), ["2055-01-03T22:00"]),
                (berlin + weekly, ("--time-zone", "Asia/Tokyo"), ["2055-01-03T22:00", "2055-01-10T22:00"]),
                (berlin + weekly, ("--zone-mode", "floating"), [f"{MONDAY}T07:00", "2055-01-11T07:00"]),
                (berlin + weekly, ("--zone-mode", "absolute"), [f"{MONDAY}T06:00", "2055-01-11T06:00"]),
                (("--at", f"{MONDAY}T07:00", *weekly), ("--time-zone", "America/New_York"),
                 [f"{MONDAY}T12:00", "2055-01-11T12:00"]),
                # What goes by UTC is an instant, and stays one.
                (("--at", f"{MONDAY}T06:00Z", *weekly), ("--time-zone", "Asia/Tokyo"),
                 [f"{MONDAY}T06:00", "2055-01-11T06:00"]),
                (("--at", f"{MONDAY}T06:00Z",), ("--zone-mode", "floating"), [f"{MONDAY}T06:00"]),
                # With the end, what is left out, and what is added.
                (berlin + weekly + ("--until", "2055-01-18T07:00", "--exdate", "2055-01-11"),
                 ("--time-zone", "Asia/Tokyo"), ["2055-01-03T22:00", "2055-01-17T22:00"]),
                (berlin + ("--rrule", "FREQ=WEEKLY;COUNT=2", "--rdate", "2055-01-06T09:00"),
                 ("--time-zone", "Asia/Tokyo"), ["2055-01-03T22:00", "2055-01-06T00:00", "2055-01-10T22:00"])):
            with self.subTest(words=words, edit=edit):
                self.make(*words)
                _, err = self.said("edit", "a", *edit)
                self.assertEqual(self.coming(len(when)), when)
                self.assertNotIn("passes over", err)

    def test_E7_an_end_that_stays_and_takes_the_last_ring_is_told(self):
        for end, means in ((("--repeat", "day", "--until", "2055-01-06T07:00"), "--until TIME"),
                           (("--rrule", "FREQ=DAILY;UNTIL=20550106T070000"), "another UNTIL of --rrule")):
            with self.subTest(end=end):
                self.make("--at", f"{MONDAY}T07:00", *end)
                _, err = self.said("edit", "a", "--at", "08:00")
                self.assertEqual(err, "belfry: warning: --at: it ends at 2055-01-06 07:00 as before, and no longer "
                                      f"rings on that day; {means} moves its end\n")
                self.assertEqual(self.coming(), [f"{MONDAY}T08:00", "2055-01-05T08:00"])
        # Through a day, and by a number, it does not.
        for end in (("--until", "2055-01-06"), ("--count", "3")):
            self.make("--at", f"{MONDAY}T07:00", "--repeat", "day", *end)
            self.assertEqual(self.said("edit", "a", "--at", "08:00")[1], "")
            self.assertEqual(len(self.coming()), 3)

    def test_E7_E2_skips_go_with_the_place_of_the_day_and_are_told_where_they_cannot(self):
        self.make("--at", f"{MONDAY}T07:00", "--rrule", "FREQ=DAILY;BYHOUR=7,19")
        self.said("skip", "a", "--at", "2055-01-05T19:00")
        self.said("edit", "a", "--rrule", "FREQ=DAILY;BYHOUR=8,21")
        self.assertEqual(self.coming(5), [f"{MONDAY}T08:00", f"{MONDAY}T21:00", "2055-01-05T08:00",
                                          "2055-01-06T08:00", "2055-01-06T21:00"])
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "week")
        self.said("skip", "a")
        _, err = self.said("edit", "a", "--at", "2055-01-05T07:00")
        self.assertIn("warning: the skip of Mon 2055-01-04 07:00 is gone: nothing stands in its place", err)
        # With an offset, too.
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "day", "--offset", "-15m")
        self.said("skip", "a")
        self.assertNotIn("gone", self.said("edit", "a", "--at", "08:00")[1])
        self.assertEqual(self.coming(1), ["2055-01-05T07:45"])

    def test_E2_a_day_alone_is_that_day_whatever_is_skipped_before(self):
        self.make("--at", f"{MONDAY}T07:00", "--rrule", "FREQ=DAILY;BYHOUR=7,19")
        self.said("skip", "a")
        self.assertIn("skipped Mon 2055-01-04 19:00\n", self.said("skip", "a", "--at", MONDAY)[0])
        self.assertEqual(self.coming(1), ["2055-01-05T07:00"])
        self.assertIn("skipped Tue 2055-01-05 07:00, Tue 2055-01-05 19:00\n",
                      self.said("skip", "a", "--at", "2055-01-05")[0])
        self.assertEqual(self.coming(1), ["2055-01-06T07:00"])
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "day")
        self.said("skip", "a", "-n", "2")
        self.assertIn("skipped Wed 2055-01-06 07:00\n", self.said("skip", "a", "--at", "2055-01-06")[0])
        self.assertEqual(self.coming(1), ["2055-01-07T07:00"])

    def test_E7_a_weekday_that_its_rule_has_not_or_that_passes_over_others_is_told(self):
        self.make("--at", "07:00", "--rrule", "FREQ=MONTHLY;BYDAY=1MO")
        _, err = self.said("edit", "a", "--at", "tue 08:00")
        self.assertRegex(err, r"^belfry: warning: --at: its repeat has none on that Tue; it begins Mon ")
        self.make("--at", "07:00", "--weekdays", "mon-sun")
        day = date.fromisoformat(self.coming(4)[3][:10])
        _, err = self.said("edit", "a", "--at", f"{day:%a} 08:00")
        self.assertRegex(err, r"^belfry: warning: --at: it begins on ... and passes over ...; "
                              r"--at 08:00 alone keeps its days\n$")

    def test_E7_N19_so_long_after_it_is_due_is_of_the_due_that_it_has(self):
        self.make("--at", f"{MONDAY}T07:00")
        self.said("edit", "a", "--expires", "10m")
        listed = self.bells.listed()[0]["notification"]
        due = self.bells.listed()[0]["next"]
        self.assertEqual(listed["expires"] - due, 600_000_000)
        status, _, err = self.belfry("edit", "a", "--at", f"{MONDAY}T09:00")
        self.assertEqual((status, err), (1, "belfry: --expires: it expires at Mon 2055-01-04 07:10, before it would be "
                                            "due: give --expires anew, or --clear expires\n"))
        self.said("edit", "a", "--at", f"{MONDAY}T09:00", "--expires", "10m")
        self.assertEqual(self.bells.listed()[0]["next"] - due, 7_200_000_000)
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "day")
        status, _, err = self.belfry("edit", "a", "--expires", "10m")
        self.assertEqual(status, 2)
        self.assertIn("--expires: of a repeat it is one moment", err)

    def test_E7_what_repeats_is_not_moved_to_the_present_time_of_day(self):
        for words in (("--repeat", "day"), ("--weekdays", "mon-fri")):
            self.make("--at", f"{MONDAY}T07:00", *words)
            for option in (("--now",), ("--in", "1h")):
                status, _, err = self.belfry("edit", "a", *option)
                self.assertEqual(status, 1)
                self.assertIn(f"belfry: {option[0]}: it repeats, and would from then on ring at that time of day", err)
            self.assertEqual(self.coming(1), [f"{MONDAY}T07:00"])
        self.make("--at", f"{MONDAY}T07:00")
        self.assertIn("edited a: now", self.said("edit", "a", "--now")[0])

    def test_E1_a_shorter_pause_is_not_said_to_hold(self):
        self.make("--at", f"{MONDAY}T07:00")
        for target in (("a",), ("--all",), ("--app", f"user.{os.getuid()}")):
            self.said("pause", *target, "--until", "2055-02-01T00:00")
            out, err = self.said("pause", *target, "--until", "2055-01-01T00:00")
            self.assertRegex(out, "^paused .* until Mon 2055-02-01 00:00\n")
            self.assertIn("--until: it was paused for longer before, and that holds", err)
            self.assertIn("will be skipped", out)
            self.said("resume", *target)
        reply = self.bells.call("Pause", {"identifiers": ["a"], "until": microseconds(9000)})
        again = self.bells.call("Pause", {"identifiers": ["a"], "until": microseconds(600)})
        self.assertEqual(again["until"], reply["until"])

    def test_E2_E4_a_skip_takes_the_moment_that_it_fires_or_its_own_time(self):
        self.make("--at", "2055-01-05T07:00", "--repeat", "week", "--offset", "-12h")
        for at in ("2055-01-04T19:00", "2055-01-05T07:00"):
            self.assertIn("skipped Mon 2055-01-04 19:00\n", self.said("skip", "a", "--at", at)[0])
            self.assertEqual(self.coming(1), ["2055-01-11T19:00"])
            self.assertIn("Mon 2055-01-04 19:00", self.said("unskip", "a", "--at", at)[0])

    def test_E6_D9_a_step_that_nobody_may_get_is_told(self):
        self.bells.configure(CONSOLE + "[plugin:mail]\nfile = exec\nshell = yes\nprogram = exit 3\n"
                                       "[plugin:gone]\nfile = /nowhere.so\n")
        self.said("reload")
        self.said("schedule", "--id", "b", "--body", "x", "--now", "--to", "mail")
        wait_until(lambda: "failed" in self.said("history", "--id", "b")[0], what="the failure")
        for words, warning in ((("--ladder", "now:mail 5m:console"), "in step 1 of its ladder nobody may get it: mail "
                                                                     "failed last time"),
                               (("--to", "mail", "--ladder", "5m:console"), "at first nobody may get it: mail failed"),
                               (("--to", "console", "--ladder", "5m:gone"), "in step 1 of its ladder nobody may get "
                                                                            "it: gone is down: "),
                               (("--ladder", "now:console 5m:gone,console"), None)):
            with self.subTest(words=words):
                _, err = self.said("schedule", "--id", "c", "--body", "x", "--in", "1h", *words)
                self.assertEqual(err, "") if warning is None else self.assertIn(warning, err)

    def test_E7_every_alone_goes_with_the_unit_that_is_there(self):
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "day")
        self.assertIn("; every 3 days", self.said("edit", "a", "--every", "3")[0])
        self.make("--at", f"{MONDAY}T07:00", "--weekdays", "mon,tue")
        self.said("edit", "a", "--clear", "weekdays")
        self.assertEqual(len(self.coming()), 1)

    def test_E1_D10_who_looks_during_a_pause_is_told_of_it(self):
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "day")
        self.said("pause", "--all")
        status = json.loads(self.said("status", "--json")[0])
        self.assertEqual(status["nextReason"], "everything is paused until it is resumed, unless it is critical")
        self.said("pause", "a")
        self.assertIn("1 notification is paused by itself still (belfry status)", self.said("resume", "--all")[1])
        self.said("resume", "a")
        self.assertIsNone(json.loads(self.said("status", "--json")[0])["nextReason"])
        self.said("skip", "a")
        self.said("skip", "a", "--at", "2055-01-06")
        self.assertIn("skips Mon 2055-01-04 07:00", " ".join(self.said("list")[0].split()))

    def test_D9_the_log_says_what_was_not_shown_and_so_does_its_health(self):
        self.bells.configure("[sound]\nenabled = no\n[plugin:mail]\nfile = exec\nshell = yes\nprogram = exit 3\n")
        self.said("reload")
        self.said("schedule", "--id", "b", "--body", "x", "--now")
        wait_until(lambda: "failed" in self.said("history", "--id", "b")[0], what="the failure")
        wait_until(lambda: re.search(r"mail did not show user\.\d+ b: ", self.bells.log_text()), what="its line")
        self.assertRegex(self.said("plugin", "list")[0], r"it did not show the last that it answered: \S|exit")

    def test_A4_a_sink_that_nobody_has_is_told_and_a_key_is_found_wherever_it_is(self):
        self.assertIn('warning: --to: there is none called "consol"; did you mean console?',
                      self.said("history", "--to", "consol")[1])
        volume = self.said("help", "configuration", "sound", "volume")[0]
        self.assertEqual(self.said("help", "configuration", "sound.volume")[0], volume)
        self.assertIn("grace", self.said("help", "configuration", "grace")[0])
        status, _, err = self.belfry("help", "configuration", "device")
        self.assertEqual(status, 2)
        self.assertIn("it is a key of ", err)
        self.assertIn("belfry plugin check FILE", self.belfry("help", "configuration", "plugin:console", "device")[2])

    def test_E6_N19_whom_a_ladder_reaches_is_said(self):
        self.bells.configure(CONSOLE + "[plugin:lamp]\nfile = exec\nprogram = /bin/true\n")
        self.said("reload")
        out, _ = self.said("schedule", "--id", "c", "--body", "x", "--in", "1h", "--to", "lamp", "--ladder",
                           "2m:console")
        self.assertIn("; first only to lamp; 1 step of a ladder until acknowledged", out)
        self.assertIn("lamp, then", self.said("list")[0])
        out, _ = self.said("schedule", "--id", "d", "--body", "x", "--in", "1h", "--realert", "5m")
        self.assertIn("; again every 5 min until acknowledged", out)
        out, _ = self.said("schedule", "--id", "e", "--body", "x", "--in", "1h", "--ladder", "now:lamp 2m:console")
        self.assertIn("; first only to lamp; ", out)

    def test_E6_R5_what_a_newer_one_ends_and_where_an_app_may_not_know_its_place_is_said(self):
        self.bells.configure(CONSOLE + "[plugin:lamp]\nfile = exec\nprogram = /bin/true\n"
                             "[app:noloc]\nlocation = no\n")
        self.said("reload")
        hourly = ("schedule", "--body", "x", "--at", "07:00", "--repeat", "hour")
        self.assertIn("warning: the next may be due before step 2 of its ladder: that ends the ladder of this one",
                      self.said(*hourly, "--ladder", "now:console 2h:lamp")[1])
        self.assertIn("warning: the next may be due before this one comes again: that ends its realert",
                      self.said(*hourly, "--realert", "2h")[1])
        self.assertIn("warning: it is held: the operator does not allow noloc to know where the board is",
                      self.said("schedule", "--body", "x", "--app", "noloc", "--region", "1,2,100")[1])

    def test_E1_pauses_that_join_are_one(self):
        self.make("--at", f"{MONDAY}T07:00", "--repeat", "day")
        for scope in (("a",), ("--all", "--yes")):
            with self.subTest(scope=scope):
                self.said("pause", *scope, "--until", "2h")
                self.assertRegex(self.said("pause", *scope)[0], r"^paused \S+ until it is resumed\n$")
                out, err = self.said("pause", *scope, "--until", "1h")
                self.assertRegex(out, r"^paused \S+ until it is resumed\n$")
                self.assertIn("it was paused for longer before", err)
                self.assertIn("until it is resumed", self.said("list")[0])
                self.said("resume", *scope[:1])

    def test_A4_what_is_mistyped_is_said(self):
        self.make("--at", f"{MONDAY}T07:00")
        me = f"user.{os.getuid()}"
        self.assertIn(f'warning: no app is called "{me}x"; did you mean {me}?',
                      self.said("stop-sound", "--app", me + "x")[1])
        self.assertIn(f'warning: there was no app called "{me}y"', self.said("test", "--app", me + "y")[1])
        self.assertEqual(self.belfry("cancel", "nosuch", "c", "d"),
                         (1, "", 'belfry: ID: nothing is called "nosuch"; nor is there "c", "d"\n'))
        _, out, err = self.belfry("list", TZ="Nowhere/X")
        self.assertEqual(err, 'belfry: warning: TZ: no zone is called "Nowhere/X"; times are in UTC\n')
        self.assertIn("Mon 2055-01-04 07:00", out)

    def test_A4_identifiers_of_128_bytes_fit(self):
        app = "a" * 128
        self.said("schedule", "--app", app, "--body", "x", "--in", "1h")
        self.said("pause", "--all", "--app", app, "--yes")
        for words in (("status",), ("app", "show", app)):
            for columns in (80, 40):
                for line in terminal(words, self.bells.socket, columns=columns, NO_COLOR="1").splitlines():
                    self.assertLessEqual(len(line), columns, line)

    def test_D11_what_is_only_snoozed_is_said_to_be(self):
        self.said("schedule", "--id", "f", "--body", "x", "--now")
        wait_until(lambda: "f " in self.said("list", "--delivered")[0], what="f")
        self.said("snooze", "f", "1h")
        for command in (("edit", "f", "--body", "y"), ("pause", "f"), ("skip", "f")):
            self.assertIn('ID: "f" is snoozed, and scheduled no more; belfry snooze or belfry cancel it',
                          self.belfry(*command)[2])


if __name__ == "__main__":
    unittest.main()
