"""The command line against the real daemon: every command, right and wrong, as a person, a script and
a pipe see it."""
import datetime
import errno
import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
import unicodedata
import unittest

from belfry_harness import PATIENCE, ROOT, DaemonTest, programs, wait_until

EXEC = """[plugin:run]
file = exec
program = /bin/true
[sound]
device = null
"""
KEYS = {
    "history": ["identifier", "app", "occurrence", "due", "handedOver", "lateSeconds", "sink",
                "state", "reason", "attempts"],
    "list": ["identifier", "app", "next", "state"],
    "watch": ["kind", "identifier", "app", "occurrence", "sink", "at", "due", "handedOver",
              "lateSeconds", "reason", "missed"],
}


def belfry_path():
    return os.path.join(programs(), "belfry")


def run(*words, socket="/nonexistent/socket", seconds=PATIENCE, stdin=subprocess.DEVNULL,
        **environment):
    """Exit status, standard output, standard error; a variable that is None is not set."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("BELFRY_")}
    clean |= {"BELFRY_SOCKET": socket, "TZ": "UTC", **environment}
    done = subprocess.run(
        [belfry_path(), *words], stdin=stdin, capture_output=True, text=True,
        timeout=seconds, check=False,
        env={k: v for k, v in clean.items() if v is not None})
    return done.returncode, done.stdout, done.stderr


def instant(text):
    """An RFC 3339 time; it must have an offset and a fraction."""
    assert "." in text and (text.endswith("Z") or text[-6] in "+-"), text
    whole, rest = text.split(".")
    digits = "".join(c for c in rest if c.isdigit())[:6]
    offset = "+00:00" if text.endswith("Z") else text[-6:]
    return datetime.datetime.fromisoformat(f"{whole}.{digits}{offset}")


class CommandTest(DaemonTest):
    def setUp(self):
        self.bells = None

    def start(self, configuration=EXEC):
        self.bells = self.daemon(configuration)
        return self.bells

    def belfry(self, *words, **environment):
        return run(*words, socket=self.bells.socket, **environment)

    def good(self, *words, **environment):
        """Standard output of a command that does what was asked."""
        status, out, err = self.belfry(*words, **environment)
        self.assertEqual((status, err), (0, ""), words)
        return out

    def rows(self, *words):
        """What it prints as JSON; of the history what has come to an end."""
        rows = [json.loads(line) for line in self.good(*words, "--json").splitlines()]
        return [row for row in rows if words[0] != "history" or row["state"] != "waiting"]

    def refused(self, field, *words, status=1):
        """One line on stderr that names the field, and the exit status."""
        got, _, err = self.belfry(*words)
        self.assertEqual(got, status, err)
        self.assertEqual(len(err.splitlines()), 1, err)
        self.assertTrue(err.startswith("belfry: "), err)
        self.assertIn(field, err)
        return err


class Scheduling(CommandTest):
    def test_N1_schedule_answers_with_id_and_next_firing(self):
        self.start()
        first = self.good("schedule", "--id", "tea", "--body", "Tea", "--at", "2055-01-04T08:00Z")
        self.assertRegex(
            first, r"^scheduled tea: in \d+ d( \d+ h)?, Mon 2055-01-04 08:00 in (Etc/)?UTC, absolute; "
            r"without sound\n$")
        again = self.good("schedule", "--id", "tea", "--body", "Tea", "--at", "2055-01-04T08:00Z")
        self.assertTrue(again.startswith("unchanged tea: "), again)
        other = self.good("schedule", "--id", "tea", "--body", "Cake", "--at", "2055-01-04T08:00Z")
        self.assertTrue(other.startswith("replaced tea: "), other)
        self.assertEqual(len(self.rows("list")), 1)

    def test_schedule_json_and_times_with_offsets(self):
        self.start()
        row = json.loads(self.good(
            "schedule", "--body", "x", "--at", "2055-01-01T07:00+01:00", "--json",
            TZ="Asia/Kolkata"))
        self.assertEqual(row["next"], "2055-01-01T11:30:00.000000+05:30")
        self.assertEqual(len(row["identifier"]), 8)
        self.assertTrue(row["scheduled"])
        self.assertFalse(row["unchanged"])
        self.assertEqual(row["mode"], "absolute")

    def test_list_shows_fields_as_given(self):
        self.start()
        status, _, err = self.belfry(
            "schedule", "--id", "all", "--body", "b", "--title", "t", "--subtitle", "s",
            "--action", "a", "--sound", "default", "--badge", "2", "--category", "c",
            "--user-info", '{"room":7,"at":{"$date":0}}', "--thread", "th", "--late", "60",
            "--at", "2055-01-01T07:00Z", "--repeat", "month", "--calendar", "gregorian",
            "--expires", "2057-01-01T00:00Z", "--level", "critical", "--volume", "0.5")
        self.assertEqual((status, err), (
            0, 'belfry: warning: category: the app has not registered "c", so there are no actions '
            "yet\nbelfry: warning: nothing of its repeat is shown after it expires: "
            "Mon 2057-01-01 00:00\n"))
        row = self.rows("list")[0]
        for key in KEYS["list"]:
            self.assertIn(key, row)
        wanted = {
            "identifier": "all", "state": "scheduled", "alertBody": "b", "alertTitle": "t",
            "alertSubtitle": "s", "alertAction": "a", "soundName": "default",
            "applicationIconBadgeNumber": 2, "category": "c", "threadIdentifier": "th",
            "userInfo": {"room": 7, "at": {"$date": 0}}, "late": "60", "repeatInterval": "month",
            "interruptionLevel": "critical", "volume": 0.5,
            "fireDate": "2055-01-01T07:00:00.000000Z", "expires": "2057-01-01T00:00:00.000000Z",
            "next": "2055-01-01T07:00:00.000000Z",
        }
        for key, value in wanted.items():
            self.assertEqual(row[key], value, key)

    def test_tables_line_up_with_wide_text_and_fit_a_terminal(self):
        self.start()
        for number, body in enumerate(["鐘が鳴る" * 20, "Glöckchen", "\x1b[31mred"]):
            status, _, _ = self.belfry(
                "schedule", "--id", f"n{number}", "--body", body, "--in", "1h")
            self.assertEqual(status, 0)
        self.assertNotIn("\x1b", self.good("list"))
        for columns in (60, 40):
            text = terminal(["list"], self.bells.socket, columns=columns)
            self.assertNotIn("\x1b[31m", text)
            # What the terminal does not show takes no room.
            text = re.sub(r"\x1b\[\d+m", "", text)
            self.assertIn("…", text)
            for line in text.splitlines():
                width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
                self.assertLessEqual(width, columns, line)

    def test_next_of_what_is_scheduled_and_of_drafts(self):
        self.start()
        self.good("schedule", "--id", "end", "--body", "x", "--at", "2055-01-31T09:00Z",
                  "--repeat", "month")
        expected = [f"2055-{day}T09:00:00.000000Z" for day in ("01-31", "02-28", "03-31", "04-30")]
        self.assertEqual([row["at"] for row in self.rows("next", "end", "-n", "4")], expected)
        status, out, _ = run("next", "--at", "2055-01-31T09:00Z", "--repeat", "month", "-n", "4",
                             "--json")
        self.assertEqual(status, 0)
        self.assertEqual([json.loads(line)["at"] for line in out.splitlines()], expected)
        after = self.rows("next", "end", "-n", "1", "--after", "2055-02-28T09:00Z")
        self.assertEqual(after[0]["at"], expected[2])
        self.assertIn("did you mean end?", self.refused("ID: ", "next", "edn"))

    def test_N15_cancel(self):
        self.start()
        for name in ("one", "two", "three"):
            self.good("schedule", "--id", name, "--body", "x", "--in", "1h")
        self.assertEqual(self.rows("cancel", "one"), [{"cancelled": 1, "withdrawn": 0}])
        self.assertIn("did you mean two?", self.refused("ID: ", "cancel", "twoo"))
        self.assertEqual(self.good("cancel", "--all"), "cancelled 2, withdrawn 0\n")
        self.assertEqual(self.good("list"), "nothing scheduled\n")
        self.refused("--all", "cancel", status=2)
        self.refused("--all", "cancel", "--all", "one", status=2)

    def test_A1_what_another_app_has_is_named_with_it(self):
        self.start()
        self.good("schedule", "--id", "nb", "--body", "x", "--in", "1h", "--app", "radio")
        self.good("schedule", "--id", "ding", "--body", "x", "--now", "--app", "radio")
        wait_until(lambda: self.rows("list", "--delivered"), what="the alert")
        for words, name in ((("cancel", "nb"), "nb"), (("next", "nb"), "nb"),
                            (("dismiss", "ding"), "ding"), (("snooze", "ding", "5m"), "ding")):
            err = self.refused(f'ID: "{name}" is not in the app user.', *words)
            self.assertTrue(err.endswith(" but in radio; write --app radio\n"), err)
        self.good("cancel", "nb", "--app", "radio")

    def test_A4_refusals_name_the_field(self):
        self.start()
        draft = ["schedule", "--now", "--body"]
        self.refused("--body: ", *draft, "x" * 16385)
        self.refused("--sound: ", *draft, "x", "--sound", "../bell.wav")
        self.refused("--id: ", *draft, "x", "--id", "i" * 129)
        self.refused("--user-info a: ", *draft, "x", "--user-info", '{"a":null}')
        self.refused("--app: ", *draft, "x", "--app", "no spaces")
        self.refused("--region latitude: ", "schedule", "--body", "x", "--region", "91,2,3")
        self.refused("--region radius: ", "schedule", "--body", "x", "--region", "1,2,0")
        self.assertEqual(self.good("list"), "nothing scheduled\n")

    def test_apps_are_kept_apart(self):
        self.start()
        self.good("schedule", "--id", "a", "--body", "x", "--in", "1h", "--app", "radio")
        self.good("schedule", "--id", "a", "--body", "x", "--in", "1h", BELFRY_APP="clock")
        self.assertEqual([row["app"] for row in self.rows("list", "--app", "radio")], ["radio"])
        self.good("cancel", "--all", "--app", "radio")
        self.assertEqual([row["app"] for row in self.rows("list")], ["clock"])


class Delivering(CommandTest):
    def test_history_and_what_is_shown(self):
        self.start()
        self.good("schedule", "--id", "ding", "--body", "Ding", "--in", "0.5s")
        rows = wait_until(lambda: self.rows("history"), what="a row of history")
        for key in KEYS["history"]:
            self.assertIn(key, rows[0])
        self.assertEqual((rows[0]["identifier"], rows[0]["sink"]), ("ding", "run"))
        self.assertEqual((rows[0]["state"], rows[0]["attempts"]), ("delivered", 1))
        late = (instant(rows[0]["handedOver"]) - instant(rows[0]["due"])).total_seconds()
        self.assertAlmostEqual(rows[0]["lateSeconds"], late, places=4)
        self.assertGreaterEqual(late, 0)
        self.assertIn("delivered", self.good("history"))
        shown, = self.rows("list", "--delivered")
        self.assertEqual(shown["identifier"], "ding")
        self.assertEqual(shown["sink"], self.rows("history")[0]["sink"])
        self.assertEqual(shown["due"], self.rows("history")[0]["due"])
        self.assertEqual(self.rows("cancel", "ding"), [{"cancelled": 0, "withdrawn": 1}])

    def test_history_is_narrowed_by_id_state_time_and_number(self):
        self.start()
        for name in ("one", "two", "three"):
            self.good("schedule", "--id", name, "--body", name, "--now")
            wait_until(lambda: any(row["identifier"] == name for row in self.rows("history")))
        self.good("schedule", "--id", "gone", "--body", "x", "--in", "1h")
        self.good("cancel", "gone")
        wait_until(lambda: len(self.rows("history")) == 4)

        def names(*words):
            return [row["identifier"] for row in self.rows("history", *words)]
        self.assertEqual(names(), ["one", "two", "three", "gone"])
        self.assertEqual(names("--limit", "2"), ["three", "gone"])
        self.assertEqual(names("--limit", str(2 ** 63 - 1)), names())
        self.assertEqual(names("--id", "two"), ["two"])
        self.assertEqual(names("--state", "cancelled"), ["gone"])
        self.assertEqual(names("--state", "delivered", "--limit", "1"), ["three"])
        self.assertEqual(len(names("--since", "1h")), 4)
        self.assertEqual(len(names("--since", "yesterday")), 4)
        self.assertEqual(names("--since", "0s"), [])
        self.assertEqual(len(names("--since", "2026-01-01")), 4)
        self.assertEqual(self.good("history", "--id", "four"), "nothing of that is in the history\n")
        self.refused('--since: "tomorrow 07:00" lies ahead', "history", "--since", "tomorrow 07:00",
                     status=2)
        self.refused("-n, --limit: must be at least 1", "history", "--limit", "0", status=1)
        self.refused("did you mean delivered?", "history", "--state", "delivred", status=2)

    def test_weekdays_are_said_as_people_say_them(self):
        self.start()
        self.good("schedule", "--id", "bell", "--body", "Up", "--at", "07:00", "--weekdays", "mon-fri")
        self.assertEqual(self.rows("list")[0]["rrule"], "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
        self.assertIn(" weekdays ", self.good("list"))
        self.good("schedule", "--id", "day", "--body", "Up", "--at", "07:00", "--repeat", "day")
        self.good("edit", "day", "--weekdays", "sat,sun")
        row, = [row for row in self.rows("list") if row["identifier"] == "day"]
        self.assertEqual(row["rrule"], "FREQ=WEEKLY;BYDAY=SA,SU")
        self.assertIsNone(row["repeatInterval"])
        days = {instant(row["at"]).weekday() for row in self.rows(
            "next", "--at", "07:00", "--weekdays", "fri-sun", "-n", "9")}
        self.assertEqual(days, {4, 5, 6})
        self.refused("did you mean sun?", "next", "--at", "07:00", "--weekdays", "mon-fun", status=2)

    def test_the_list_says_rules_and_remaining_time_in_words(self):
        self.start()
        # It warns that there is no such calendar yet.
        self.belfry("schedule", "--id", "bell", "--body", "Up", "--at", "tomorrow 07:00", "--rrule",
                    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "--sound", "default",
                    "--except-on", "holidays", "--offset", "-15m")
        listed = self.good("list")
        self.assertIn("every day, not on holidays, 15 min before", listed)
        self.assertRegex(listed, r"IN +REPEAT +SOUND")
        self.assertRegex(listed, r" \d+ (d|h|min)( \d+ (h|min|s))? ")

    def watch(self, *words):
        """A watch that has seen an event, and that event's line."""
        self.good("schedule", "--id", "tick", "--body", "Tick", "--now", "--repeat", "second")
        watch = subprocess.Popen(
            [belfry_path(), "watch", "--socket", self.bells.socket, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(watch.stdout.close)
        self.addCleanup(watch.stderr.close)
        return watch, watch.stdout.readline()

    def test_D10_watch_prints_events_as_they_happen(self):
        self.start()
        watch, line = self.watch("--json")
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(PATIENCE), -signal.SIGINT)
        event = json.loads(line)
        for key in KEYS["watch"]:
            self.assertIn(key, event)
        self.assertEqual((event["kind"], event["identifier"]), ("delivered", "tick"))

    def test_D10_watch_goes_on_with_the_next_daemon(self):
        self.start()
        watch, line = self.watch()
        self.assertRegex(line, r"^\d\d:\d\d:\d\d\.\d{3}  delivered   tick  by run, .* late")
        self.bells.stop()
        self.assertRegex(watch.stderr.readline(), "^belfry: the daemon has ended; ")
        self.bells.start()
        self.assertRegex(watch.stderr.readline(), "^belfry: watching again; ")
        while "tock" not in line:
            self.good("schedule", "--id", "tock", "--body", "x", "--now")
            line = watch.stdout.readline()
        watch.kill()
        watch.wait(PATIENCE)

    def test_test_asks_every_sink(self):
        self.start()
        rows = [json.loads(line) for line in self.belfry("test", "--json")[1].splitlines()]
        self.assertEqual({row["sink"] for row in rows}, {"run", "speaker"})
        one = self.rows("test", "--to", "run")
        self.assertEqual([(row["sink"], row["state"]) for row in one], [("run", "delivered")])
        self.assertIn("did you mean run?", self.refused("--to: ", "test", "--to", "rum"))

    def test_a_plugin_is_checked_by_its_sections_name(self):
        self.start("[plugin:screen]\nfile = console\n")
        self.assertIn("io.belfry.console", self.good("plugin", "check", "screen"))

    def test_D11_the_pages_alarm_goes_as_written(self):
        self.start()
        for page, word in (("Sources/BelfryServer/README.md", "belfry snooze"),
                           ("README.md", "belfry list\n")):
            with open(os.path.join(ROOT, page), encoding="utf-8") as file:
                blocks = re.findall(r"```sh\n(.*?)```", file.read(), re.DOTALL)
            block, = (block for block in blocks if word in block)
            done = subprocess.run(
                ["bash", "-e"], input=block, capture_output=True, text=True, timeout=PATIENCE,
                check=False, env={"PATH": programs() + ":/usr/bin:/bin",
                                  "BELFRY_SOCKET": self.bells.socket})
            self.assertEqual((done.returncode, done.stderr), (0, ""), block)

    def test_completions_know_what_is_there(self):
        self.start()
        self.good("schedule", "--id", "tea", "--body", "x", "--in", "1h", "--app", "radio")
        for what, word in (("identifiers", "tea"), ("apps", "radio"), ("sinks", "run"),
                           ("zones", "Europe/Berlin"), ("sounds", "default")):
            self.assertIn(word, self.good("completion", what).splitlines())
        self.assertEqual(run("completion", "identifiers"), (0, "", ""))

    def test_status_plugins_and_stop_sound(self):
        self.start()
        status = self.rows("status")
        self.assertEqual(len(status), 1)
        self.assertEqual(status[0]["pid"], self.bells.process.pid)
        plugin = self.rows("plugin", "list")[0]
        self.assertEqual(plugin["name"], "run")
        self.assertIn("run", self.good("plugin", "list"))
        self.assertIn("socket", self.good("status"))
        self.assertEqual(self.rows("stop-sound"), [{"stopped": 0}])

    def test_D8_doctor_tells_of_a_daemon_that_hangs(self):
        daemon = self.daemon()
        os.kill(daemon.process.pid, signal.SIGSTOP)
        try:
            status, out, _ = run("doctor", socket=daemon.socket)
        finally:
            os.kill(daemon.process.pid, signal.SIGCONT)
        self.assertEqual(status, 1)
        self.assertIn(f"process {daemon.process.pid} holds {daemon.socket} and does not answer", out)

    def test_A4_doctor_names_a_configuration_mistake_and_a_plugin_that_is_down(self):
        daemon = self.daemon("[plugin:gone]\nfile = nowhere\n")
        wait_until(lambda: [row["state"] for row in daemon.call("Status")["status"]["plugins"]]
                   == ["quarantined"], what="the plugin's quarantine")
        daemon.configure("[clock]\n\ngrace = soon\n")
        status, out, _ = run("doctor", socket=daemon.socket)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"fail  config .*belfry\.conf:3: \[clock\] grace is a number")
        self.assertRegex(out, r"fail  sink .*gone is quarantined: there is no plugin nowhere")


class WithoutDaemon(unittest.TestCase):
    def test_no_daemon_is_status_3(self):
        for words in (["list"], ["status"], ["watch"], ["history"], ["stop-sound"], ["test"],
                      ["cancel", "x"], ["plugin", "list"], ["next", "x"],
                      ["schedule", "--body", "x", "--now"]):
            status, out, err = run(*words)
            self.assertEqual((status, out), (3, ""), words)
            self.assertEqual(
                err, "belfry: no daemon answers at /nonexistent/socket; start "
                     "belfryd --directory /nonexistent\n")

    def test_A4_with_json_errors_are_json(self):
        for words, status, code, field in (
                (["schedule", "--body", "x", "--in", "5"], 2, "usage", "--in"),
                (["schedule", "--body", "x" * 16385, "--now"], 1, "tooLong", "--body"),
                (["schedule", "--bdoy", "x"], 2, "usage", None),
                (["list"], 3, "noDaemon", None)):
            got, out, err = run(*words, "--json")
            self.assertEqual((got, out, len(err.splitlines())), (status, "", 1), words)
            error = json.loads(err)
            self.assertEqual((error["code"], error["field"]), (code, field))
            self.assertTrue(error["message"])

    def test_one_kind_of_mistake_has_one_status(self):
        draft = ["schedule", "--body", "x"]
        for status, mistakes in (
                # What cannot be read.
                (2, (["--in", "5"], ["--at", "25:00"], ["--at", "2055-02-29T07:00"],
                     ["--now", "--badge", "x"], ["--now", "--volume", "x"],
                     ["--now", "--rrule", "FREQ=OFTEN"], ["--now", "--repeat", "often"],
                     ["--now", "--user-info", "{"], ["--now", "--user-info", "[]"])),
                # What is beyond a limit.
                (1, (["--now", "--volume", "2"], ["--now", "--volume", "200%"],
                     ["--now", "--badge", "99999999999"], ["--in", "999999999d"],
                     ["--at", "9999-01-01T00:00Z"], ["--now", "--sound", "default", "--repeat-sound", "11"]))):
            for words in mistakes:
                got, _, err = run(*draft, *words)
                self.assertEqual(got, status, (words, err))
        self.assertEqual([run("next", "--now", "-n", n)[0] for n in ("x", "0")], [2, 1])

    def test_the_socket_is_looked_for_in_order(self):
        _, _, err = run("list", "--socket", "/a/b")
        self.assertIn(" /a/b;", err)
        _, _, err = run("list", socket="", XDG_RUNTIME_DIR="/nonexistent")
        self.assertRegex(err, " /run/belfry/socket; start belfryd --user, or "
                         "(systemctl start belfry|belfryd as root)\n")
        for place, start in (("/a/b", "belfryd, or name another --socket"),
                             ("/a b/belfry/socket", "belfryd --directory '/a b/belfry'"),
                             ("/run/user/7/belfry/socket", "belfryd --user")):
            _, _, err = run("list", "--socket", place, XDG_RUNTIME_DIR="/run/user/7")
            self.assertTrue(err.endswith(f"; start {start}\n"), err)

    def test_wrong_usage_is_status_2(self):
        for words, says in (
                ([], "a command is needed"),
                (["shedule"], "did you mean schedule?"),
                (["schedule", "--bdoy", "x"], "did you mean --body?"),
                (["schedule", "--body", "x"], "--at TIME, --in DURATION, --now and --region"),
                (["schedule", "--now"], "something to deliver"),
                (["schedule", "--body", "x", "--at", "noonish"], '--at: "noonish" is not a time; use'),
                (["schedule", "--body", "x", "--in", "soon"], '--in: "soon" is not a duration; use'),
                (["schedule", "--body", "x", "--now", "--in", "1m"], "cannot stand together"),
                (["next"], "needs an ID"), (["sound"], "check, play"),
                (["schedule", "--body", b"\xff", "--now"], "argument 3 is not UTF-8"),
                (["completion", "tcsh"], "bash, zsh, fish")):
            status, out, err = run(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertEqual(len(err.splitlines()), 1, err)
            self.assertIn(says, err)

    def test_P4_P5_a_push_payload_is_explained_without_a_daemon(self):
        payload = {"aps": {"alert": {"body": "Bed 12", "loc-key": "BED", "loc-args": ["a" * 130]},
                           "badge": 0, "sound": "default"},
                   "ck": {"cid": "iCloud.org.example.ward", "ce": 2,
                          "qry": {"fo": 1, "rid": "r", "zid": "z", "dbs": 2, "sid": "s"}}}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "alert.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(payload, file)
            status, out, err = run("push", "--dry-run", path)
            self.assertEqual((status, err), (0, ""))
            lines = out.splitlines()
            self.assertRegex(lines[0], r"^CKQueryNotification, \d+ bytes$")
            for row in (("alertLocalizationKey", "BED"), ("badge", "0", "clears it"),
                        ("reason", "recordCreated"), ("databaseScope", "public"),
                        ("aps.alert.body", "-", "shown only where its localization key is in no table"),
                        ("ck.ce", "-", "it has no meaning here; kept")):
                pattern = "^" + "  +".join(re.escape(cell) for cell in row)
                self.assertTrue(any(re.match(pattern, line) for line in lines), (row, out))
            with open(path, encoding="utf-8") as file:
                status, out, _ = run("push", "--dry-run", "--limit", "256", "--json", "-", stdin=file)
            self.assertEqual(status, 0)
            row = json.loads(out)
            self.assertLessEqual(row["bytes"], 256)
            self.assertEqual(row["pruned"][:2], ["containerIdentifier", "recordID"])
            self.assertEqual(row["cut"], ["alertLocalizationArgs[0]"])
            self.assertEqual(row["payload"]["ck"]["p"], 1)
            for text, says in (('{"aps": {"badge": -1}}', "aps.badge: "), ("[]", "payload: "),
                               ("x", "payload: no JSON at byte 0"), ("", "payload: ")):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                status, out, err = run("push", "--dry-run", path)
                self.assertEqual((status, out), (1, ""))
                self.assertIn(says, err)
                self.assertEqual(len(err.splitlines()), 1)
            status, _, err = run("push", "--dry-run", os.path.join(folder, "none.json"))
            self.assertEqual(status, 1)
            self.assertIn("none.json", err)
            self.assertEqual(run("push", "--dry-run", "--limit", "0", path)[0], 1)

    def test_sounds_and_plugins_are_checked_without_a_daemon(self):
        status, out, err = run("plugin", "check", os.path.join(programs(), "libbelfry-console.so"))
        self.assertEqual(status, 0, err)
        self.assertIn("io.belfry.console", out)
        for words in (("console",), ("console", "--json")):
            status, out, err = run("plugin", "check", *words)
            self.assertEqual(status, 0, err)
            self.assertIn("io.belfry.console", out)
        status, _, err = run("plugin", "check", "trumpet")
        self.assertEqual(status, 1)
        self.assertIn('FILE: there is no file "trumpet" here, and no plugin of that name in', err)
        status, _, err = run("sound", "play", "/nonexistent/bell.wav")
        self.assertEqual(status, 1)
        self.assertIn("/nonexistent/bell.wav: there is no such file", err)
        status, out, _ = run("sound", "check", os.path.join(programs(), "belfry"))
        self.assertNotEqual(status, 0, out)

    def test_unit_names_this_installation(self):
        for words in (["unit"], ["unit", "--user"]):
            status, out, _ = run(*words)
            self.assertEqual(status, 0)
            self.assertIn(f'ExecStart="{os.path.realpath(programs())}/belfryd" --', out)

    def test_doctor_works_without_a_daemon(self):
        status, out, _ = run("doctor", "--json")
        rows = [json.loads(line) for line in out.splitlines()]
        failed = any(row["result"] == "fail" for row in rows)
        self.assertEqual(status, 1 if failed else 0)
        self.assertLessEqual({"programs", "socket", "clock", "rtc", "sound", "plugins", "rights"},
                             {row["check"] for row in rows})
        for row in rows:
            self.assertEqual(row["result"] == "ok", row["advice"] is None, row)

    def test_A3_doctor_finds_a_plugin_folder_that_others_can_write(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.mkdir(folder + "/plugins")
            os.chmod(folder + "/plugins", 0o777)
            status, out, _ = run("doctor", socket=folder + "/socket")
            self.assertEqual(status, 1)
            self.assertIn("chmod go-w " + folder + "/plugins", out)


def terminal(words, socket, columns=80, seconds=PATIENCE, **environment):
    """What a command writes to a terminal of so many columns."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ.update({"BELFRY_SOCKET": socket, "COLUMNS": str(columns), **environment})
        subprocess.run(["stty", "cols", str(columns), "rows", "24"], check=False)
        os.execv(belfry_path(), [belfry_path(), *words])
    data = b""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if not select.select([master], [], [], 0.1)[0]:
            continue
        try:
            more = os.read(master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            break
        if not more:
            break
        data += more
    os.close(master)
    os.waitpid(pid, 0)
    return data.decode(errors="replace").replace("\r\n", "\n")


if __name__ == "__main__":
    unittest.main()
