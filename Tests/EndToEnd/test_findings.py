"""What an operator finds out before the night: configurations that name what is not there, books that were
set aside, one file that is whole; and how the daemon and its command line say it."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

from belfry_harness import PATIENCE, built_plugin, microseconds, programs, wait_until
from test_command import CommandTest, belfry_path


class Checks(CommandTest):
    def check(self, text):
        """Exit status and all that `belfryd --check` says of this configuration."""
        path = os.path.join(self.bells.directory, "belfry.conf")
        self.bells.configure(text)
        done = subprocess.run(
            [os.path.join(programs(), "belfryd"), "--check", path], capture_output=True, text=True,
            timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_A4_check_finds_what_the_configuration_names_and_nobody_has(self):
        self.bells = self.daemon(start=False)
        recorder = built_plugin(self.bells.directory, "recorder")
        good = f"[clock]\nzone = Europe/Berlin\n[plugin:run]\nfile = {recorder}\nout = /dev/null\n"
        self.assertEqual(self.check(good)[0], 0)
        for text, says in (
                ("[clock]\nzone = Europe/Berln\n", r"\[clock\] zone: .*Europe/Berln"),
                ("[sound]\ndefault = ketle.wav\n", r'\[sound\] default: .*"ketle\.wav"'),
                ("\n[plugin:gone]\nfile = nowhere\n",
                 r':3: \[plugin:gone\] file: there is no plugin "nowhere" in .*/plugins'),
                (f"[plugin:run]\nfile = {recorder}\nuot = /dev/null\n",
                 r":3: \[plugin:run\] the plugin has no key `uot`; did you mean `out`\?"),
                ("[plugin:run]\nfile = console\ncolour = lilac\n", r":3: .*`colour = lilac`")):
            with self.subTest(text=text):
                status, said = self.check(text)
                self.assertEqual((status, said.count("\n")), (14, 1), said)
                self.assertRegex(said, says)

    def test_A4_check_names_all_mistakes_at_once_with_their_lines(self):
        self.bells = self.daemon(start=False)
        status, said = self.check(
            "[clock]\n"
            "zone = Europe/Berln\n"
            "graze = 10\n"
            "[sound]\n"
            "volume = loud\n"
            "folder = ~/sounds\n"
            "folder = /nowhere/sounds\n"
            "what is this\n"
            "[access]\n"
            "group = nobodies-group\n"
            "workerUser = nobodys-worker\n"
            "[plugin:gone]\n"
            "file = nowhere\n"
            "[plugin:less]\n"
            "program = /bin/true\n"
            "[app:bell]\n"
            "folder = sounds\n"
            "[limits]\n"
            "history = -1\n")
        self.assertEqual(status, 14)
        lines = [line.removeprefix("belfryd: " + self.bells.directory + "/belfry.conf:")
                 for line in said.splitlines()]
        says = (
            "2: [clock] zone: ", "3: [clock] graze", "5: [sound] volume is a number",
            "6: [sound] folder = ~/sounds",
            "7: [sound] folder: there is no folder /nowhere/sounds", "8: ",
            "10: [access] group: there is no group nobodies-group",
            "11: [access] workerUser: there is no user nobodys-worker",
            "13: [plugin:gone] file: there is no plugin", "14: [plugin:less] needs file =",
            "17: [app:bell] folder = sounds", "19: [limits] history")
        self.assertEqual(len(lines), len(says), said)
        for line, begins in zip(lines, says):
            self.assertTrue(line.startswith(begins), f"{line!r} does not begin with {begins!r}")

    def test_A4_check_names_all_mistakes_of_one_plugin(self):
        self.bells = self.daemon(start=False)
        status, said = self.check(
            "[plugin:mail]\nfile = exec\nprogram = /nowhere/mail\nretry = soon\ncolour = red\nlimt = 5s\n"
            "[plugin:days]\nfile = exec\nshell = maybe\n")
        self.assertEqual(status, 14)
        lines = [line.removeprefix("belfryd: " + self.bells.directory + "/belfry.conf:")
                 for line in said.splitlines()]
        says = ("3: [plugin:mail] `program` is not there", "4: [plugin:mail] `retry = soon` must be",
                "5: [plugin:mail] the plugin has no key `colour`",
                "6: [plugin:mail] the plugin has no key `limt`; did you mean `limit`?",
                "7: [plugin:days] the key `program` is missing",
                "9: [plugin:days] `shell = maybe` must be")
        self.assertEqual(len(lines), len(says), said)
        for line, begins in zip(lines, says):
            self.assertTrue(line.startswith(begins), f"{line!r} does not begin with {begins!r}")

    def test_A4_check_asks_plugins_what_they_cannot_use(self):
        self.bells = self.daemon(start=False)
        for section, says in (
                ("file = exec\nprogram = ~/ring", ":3: [plugin:x] `program` begins with ~, which"),
                ("file = exec\nprogram = ring", ":3: [plugin:x] `program` must be an absolute path"),
                ("file = exec\nprogram = /bin/echo tea", ":3: [plugin:x] `program` is a command line"),
                ("file = exec\nprogram = /nowhere/ring", ":3: [plugin:x] `program` is not there"),
                ("file = exec\nprogram = /bin", ":3: [plugin:x] `program` is no file"),
                ("file = exec\nprogram = /bin/true\narguments = \"a", ":4: [plugin:x] `arguments` has"),
                ("file = exec\nshell = yes\nprogram = ring | cat", None),
                ("file = exec\nshell = yes\nprogram = /nowhere/ring -x",
                 ":4: [plugin:x] `program` begins with what is not there: /nowhere/ring"),
                ("file = exec\nshell = yes\nprogram = /etc/passwd", ":4: [plugin:x] `program` may not be run"),
                ("file = exec\nshell = yes\nprogram = /bin/echo tea > /dev/null", None),
                ("file = exec\nshell = yes\nprogram = /nowhere/ring || true", None),
                ("file = exec\nshell = yes\nprogram = /nowhere/$USER", None),
                ("file = exec\nprogram = /bin/true\nlimit = 60s", ":4: [plugin:x] `limit` must be less"),
                ("file = console\ndevice = out.txt", ":3: [plugin:x] `device` must be an absolute path"),
                ("file = console\ndevice = /dev/nosuch", ":3: [plugin:x] `device` is not there"),
                ("file = console\ndevice = /nowhere/log", ":3: [plugin:x] `device` is not there"),
                ("file = console\ndevice = /bin", ":3: [plugin:x] `device` is a folder"),
                (f"file = console\ndevice = {self.bells.directory}/log", None),
                ("file = console\ndevice = /dev/null", None),
                ("file = pushfile\nfolder = spool", ":3: [plugin:x] `folder` must be an absolute path"),
                ("file = pushfile\nfolder = /nowhere/spool", ":3: [plugin:x] `folder` cannot be made"),
                ("file = pushfile\nfolder = /bin/true", ":3: [plugin:x] `folder` is no folder"),
                (f"file = pushfile\nfolder = {self.bells.directory}/spool", None)):
            with self.subTest(section=section):
                status, said = self.check(f"[plugin:x]\n{section}\n")
                self.assertEqual((status, said.count("\n")), (14 if says else 0, 1), said)
                self.assertIn(says or "", said)
        # Nothing was made.
        for name in ("spool", "log"):
            self.assertFalse(os.path.exists(f"{self.bells.directory}/{name}"))
        script = self.bells.directory + "/ring"
        for text, says in (
                ("#!/bin/sh\necho\n", None), ("#! /usr/bin/env sh\n", None), ("\x7fELF", None),
                ("#!python3\n", None), ("", "is empty: "), ("echo\n", "does not begin with #!/bin/sh or "),
                ("\n#!/bin/sh\n", "does not begin with #!/bin/sh or "),
                ("#!/bin/sh\r\necho\r\n", "has the line ends of Windows: sed -i 's/\\r//' "),
                ("#!/nowhere/sh -e\n", "is not there: /nowhere/sh, for ")):
            with self.subTest(text=text), open(script, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            os.chmod(script, 0o755)
            status, said = self.check(f"[plugin:x]\nfile = exec\nprogram = {script}\n")
            self.assertEqual(status, 14 if says else 0, said)
            self.assertIn(f"{says}{script}" if says and says.endswith(": ") else says or "", said)
        self.start()
        self.bells.configure("[plugin:x]\nfile = exec\nprogram = /nowhere/ring\n")
        self.assertRegex(self.belfry("doctor")[1], r"fail  config .*`program` is not there")

    def test_A4_doctor_names_a_misspelt_plugin_key(self):
        self.start()
        self.bells.configure("[plugin:run]\nfile = console\ncolur = never\n")
        status, out, _ = self.belfry("doctor")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"fail  config .*no key `colur`; did you mean `colour`\?")


class Books(CommandTest):
    def test_D8_after_a_clean_stop_the_file_alone_is_whole(self):
        self.start("")
        for number in range(20):
            self.bells.schedule(
                identifier=f"n{number}", alertBody="x", fireDate=microseconds(3600))
        self.bells.call("Cancel", {"identifiers": ["n3"]})
        self.assertEqual(self.bells.stop(), 0)
        path = os.path.join(self.bells.directory, "books.sqlite")
        self.assertFalse(os.path.exists(path + "-wal"))
        other = self.daemon(start=False)
        shutil.copy(path, os.path.join(other.directory, "books.sqlite"))
        other.start()
        self.assertEqual(
            {row["notification"]["identifier"] for row in other.listed()},
            {f"n{number}" for number in range(20)} - {"n3"})

    def test_D8_books_that_were_set_aside_are_told_of_until_they_are_taken_away(self):
        self.start("")
        self.bells.schedule(identifier="a", alertBody="x", fireDate=microseconds(3600))
        self.bells.stop()
        path = os.path.join(self.bells.directory, "books.sqlite")
        with open(path, "r+b") as file:
            file.write(b"no books any more")
        self.bells.start()
        # Not only in the life that found it.
        self.bells.stop()
        self.bells.start()
        aside = [name for name in os.listdir(self.bells.directory) if ".damaged-" in name]
        self.assertEqual(len(aside), 1)
        self.assertIn(aside[0], self.good("status"))
        self.assertRegex(self.belfry("doctor")[1], rf"warn  books .*{re.escape(aside[0])}.* → .*move")
        os.rename(os.path.join(self.bells.directory, aside[0]),
                  os.path.join(self.bells.directory, "seen"))
        wait_until(lambda: aside[0] not in self.good("status"), what="a status without it")
        self.assertNotIn(aside[0], self.belfry("doctor")[1])


class Words(CommandTest):
    def on_terminal(self, *command, columns=80, until=None, **environment):
        """What a program writes to a terminal of so many columns."""
        master, slave = pty.openpty()
        clean = {k: v for k, v in os.environ.items() if not k.startswith("BELFRY_")}
        clean |= {"TERM": "xterm", "TZ": "UTC", **environment}
        clean = {k: v for k, v in clean.items() if v is not None}
        subprocess.run(["stty", "cols", str(columns)], stdin=slave, check=True)
        process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=clean)
        os.close(slave)
        text = b""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not (until and until in text):
            if not select.select([master], [], [], 0.2)[0]:
                continue
            try:
                data = os.read(master, 1 << 16)
            except OSError:
                break
            if not data:
                break
            text += data
        if process.poll() is None and until:
            process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)
        os.close(master)
        return text.decode()

    def test_the_daemon_says_that_it_is_ready_and_where(self):
        self.start("[plugin:run]\nfile = exec\nprogram = /bin/true\n")
        line = wait_until(
            lambda: next((l for l in self.bells.log_text().splitlines() if "is ready" in l), None),
            what="the line")
        self.assertRegex(
            line, rf"\A\S+Z belfryd: belfryd [0-9.]+ is ready: socket {self.bells.socket}, "
            rf"books {self.bells.directory}/books\.sqlite, with run, speaker\Z")
        self.bells.stop()
        text = self.on_terminal(
            os.path.join(programs(), "belfryd"), "--directory", self.bells.directory,
            until=b"with run, speaker")
        self.assertRegex(text, r"(?m)^\S+Z belfryd: belfryd [0-9.]+ is ready: ")
        self.assertNotRegex(text, r"<\d>")

    def test_the_log_has_a_level(self):
        self.start("[log]\nlevel = error\n")
        self.assertEqual(self.bells.whole_log(), "")

    def test_SIGHUP_names_what_needs_a_restart(self):
        self.start("[clock]\ngrace = 5\n")
        self.bells.configure("[clock]\ngrace = 6\nwake = all\n[access]\ngroup = 0\n")
        self.bells.process.send_signal(signal.SIGHUP)
        self.bells.says("what changed: [clock] wake, [access] group")

    def test_status_is_for_people_and_has_json(self):
        self.start()
        self.assertIn("scheduled bread", self.good(
            "schedule", "--id", "bread", "--body", "x", "--in", "3h12m"))
        text = self.good("status")
        self.assertRegex(text, r"(?m)^next due +in 3 h \d+ min, ")
        self.assertRegex(text, r"(?m)^scheduled +1$")
        self.assertNotIn("\x1b", text)
        self.assertIn("nextDue", self.rows("status")[0])

    def test_colour_where_the_terminal_has_it_and_nobody_forbids_it(self):
        self.start()
        self.bells.call("TrustClock")
        self.bells.schedule(identifier="bread", alertBody="x" * 60, fireDate=microseconds(3600))
        belfry = [belfry_path(), "--socket", self.bells.socket]
        words = [belfry[0], "list", *belfry[1:]]
        painted = self.on_terminal(*words)
        self.assertIn("\x1b[1m", painted)
        for columns in (40, 60, 100):
            for command in ("list", "history", "status"):
                shown = self.on_terminal(belfry[0], command, *belfry[1:], columns=columns)
                plain = self.on_terminal(
                    belfry[0], command, *belfry[1:], columns=columns, NO_COLOR="1")
                self.assertNotIn("\x1b", plain)
                bare = re.sub(r"\x1b\[\d*m", "", shown)
                if command != "status":
                    self.assertEqual(bare, plain)
                    for line in bare.splitlines():
                        self.assertLessEqual(len(line), columns, line)
        for forbidden in ({"TERM": "dumb"}, {"NO_COLOR": "1"}, {"TERM": None}):
            self.assertNotIn("\x1b", self.on_terminal(*words, **forbidden))
        self.assertNotIn("\x1b", self.on_terminal(*words, "--json"))
        self.assertNotIn("\x1b", self.good("list"))
        self.assertIn("\x1b[31mbelfry:\x1b[0m ", self.on_terminal(belfry[0], "lisst"))
        self.assertRegex(self.on_terminal(belfry[0], "doctor", *belfry[1:]), "\x1b\\[33mwarn\x1b\\[0m  ")

    def test_A4_errors_speak_as_the_command_line_does(self):
        self.start()
        for words, says in (
                (["schedule", "--body", "x", "--now", "--volume", "1.5"], '"1.5" is not within 0 to 1'),
                (["schedule", "--body", "x", "--now", "--volume", "150%"], "within 0% to 100%"),
                (["act", "tee"], 'no alert called "tee" is shown'),
                (["cancel", "tee"], 'nothing is called "tee"'),
                (["next", "--now", "--rrule", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"], "--rrule: ")):
            err = self.refused(says, *words)
            self.assertNotRegex(err, r"\([A-Z]\d+\)")
