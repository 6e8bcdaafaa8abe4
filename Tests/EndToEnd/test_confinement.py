"""D8, A3: a plugin reaches neither the clock, nor root's files, nor the log beyond its share, and
leaves nothing behind; nobody else puts another in its place."""
import glob
import os
import re
import signal
import subprocess
import unittest

from belfry_harness import (
    PATIENCE, DaemonTest, Refused, built_plugin, programs, recorder_section, wait_until)

ALICE, WORKER, SPEAKER, BOB = 4301, 4302, 4303, 4304
EPERM = 1


def process(pid):
    """Fields of /proc/PID/status."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return dict(re.split(r":\s*", line.strip(), maxsplit=1) for line in file if ":" in line)


def runs(pid):
    try:
        return not process(pid)["State"].startswith("Z")
    except (FileNotFoundError, ProcessLookupError):
        return False


class Confinement(DaemonTest):
    def board(self, *sections, plugins=(), **options):
        """A daemon, not started, in a folder that others may enter; `plugins` in sections of their
        names."""
        daemon = self.daemon(start=False, **options)
        os.chmod(daemon.directory, 0o755)
        text = "".join(sections)
        for name in plugins:
            text += f"[plugin:{name}]\nfile = {built_plugin(daemon.directory, name)}\n"
        daemon.configure(text)
        return daemon

    def give(self, daemon, uid):
        """The daemon runs as this user, whose folder it is."""
        for path, _, files in os.walk(daemon.directory):
            for name in [path, *(os.path.join(path, name) for name in files)]:
                os.chown(name, uid, uid)
        daemon.prefix = ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups")

    def row(self, daemon, name):
        status = daemon.call("Status")["status"]
        rows = status["plugins"] + ([status["speaker"]] if "speaker" in status else [])
        return next(row for row in rows if row["name"] == name)

    def pid(self, daemon, name):
        return wait_until(lambda: self.row(daemon, name).get("pid"), what=f"a process of {name}")

    def present(self, daemon, identifier, **fields):
        daemon.call("PresentNow", {"notification": {"identifier": identifier, **fields}})

    def delivered(self, daemon, identifier, sink, seconds=PATIENCE):
        wait_until(
            lambda: any(row["state"] == "delivered" for row in daemon.history()
                        if (row["identifier"], row["sink"]) == (identifier, sink)),
            seconds, f"{identifier} delivered to {sink}")

    def launch(self, daemon, program, script):
        """Starts the daemon with an app, and has the app's program launched by its user (D3)."""
        section, _ = recorder_section(daemon.directory, "good")
        daemon.configure("[sound]\nenabled = no\n" + section)
        os.mkdir(f"{daemon.directory}/apps", 0o755)
        with open(program, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(program, 0o755)
        with open(f"{daemon.directory}/apps/clock.app", "w", encoding="ascii") as file:
            file.write(f"[app]\nexecutable = {program}\nuser = 0\n")
        daemon.start()
        daemon.call("PresentNow", {
            "app": "clock", "notification": {"identifier": "now", "alertBody": "tea"}})
        wait_until(daemon.history)
        daemon.call("Act", {"app": "clock", "id": "now", "action": None, "text": None})


class Attacks(Confinement):
    @staticmethod
    def threads(pid):
        return sorted(os.listdir(f"/proc/{pid}/task"), key=int)

    def attack(self, daemon, out):
        daemon.start()
        clock = daemon.process.pid
        self.pid(daemon, "attacker")
        before = self.threads(clock)
        # A message that the clock has another thread read.
        with self.assertRaises(Refused):
            self.present(daemon, "large", alertBody="x" * 500_000)
        self.assertEqual(self.threads(clock), before, "a thread that no filter knows")
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "attacker")
        self.assertIsNone(daemon.process.poll(), "the clock was ended")
        self.assertTrue(runs(clock))
        with open(out, encoding="ascii") as file:
            rows = [line.strip().split("=") for line in file]
        return [(name, int(error)) for name, error in rows]

    def section(self, daemon):
        out = f"{daemon.directory}/attacks"
        open(out, "w", encoding="ascii").close()
        os.chmod(out, 0o666)
        plugin = built_plugin(daemon.directory, "attacker")
        return out, f"[sound]\nenabled = no\n[plugin:attacker]\nfile = {plugin}\nout = {out}\n"

    def judge(self, rows):
        allowed = {name for name, error in rows if error == 0}
        self.assertEqual(allowed, {"own-child", "end"})
        self.assertIn(("child-kill", EPERM), rows)
        # Every thread of the clock, and it has some.
        self.assertGreater(len([1 for name, _ in rows if name == "kill-thread"]), 2)

    def test_D8_a_plugin_of_the_daemons_own_user_does_not_end_the_clock(self):
        daemon = self.board()
        out, text = self.section(daemon)
        daemon.configure(text)
        self.give(daemon, ALICE)
        self.judge(self.attack(daemon, out))

    def test_D8_a_plugin_of_roots_daemon_does_not_end_the_clock_either(self):
        daemon = self.board()
        out, text = self.section(daemon)
        daemon.configure(text)
        rows = [row for row in self.attack(daemon, out) if row[0] != "memory"]
        self.judge(rows)


class Users(Confinement):
    def board_of_others(self, *sections):
        daemon = self.board()
        section, self.out = recorder_section(daemon.directory, "good")
        open(self.out, "w", encoding="ascii").close()
        os.chmod(self.out, 0o666)
        daemon.configure(
            f"[access]\nworkerUser = {WORKER}\nspeakerUser = {SPEAKER}\n[sound]\ndevice = null\n"
            + section + "".join(sections))
        return daemon

    def test_D8_workers_and_speaker_are_users_of_their_own_without_rights(self):
        daemon = self.board_of_others().start()
        self.present(daemon, "now", alertBody="tea", soundName="default")
        self.delivered(daemon, "now", "good")
        self.delivered(daemon, "now", "speaker")
        for name, uid, score in (("good", WORKER, 500), ("speaker", SPEAKER, 300)):
            pid = self.pid(daemon, name)
            status = process(pid)
            self.assertEqual(status["Uid"].split(), [str(uid)] * 4, name)
            for field in ("CapEff", "CapPrm", "CapInh", "CapBnd", "CapAmb"):
                self.assertEqual(int(status[field], 16), 0, (name, field))
            self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"), name)
            with open(f"/proc/{pid}/oom_score_adj", encoding="ascii") as file:
                self.assertEqual(int(file.read()), score, name)
            folder = os.stat(f"{daemon.directory}/run/{name}.{uid}")
            self.assertEqual((folder.st_uid, folder.st_mode & 0o777), (uid, 0o700))
            kept = os.stat(f"{daemon.directory}/run/{name}.{uid}/completed")
            self.assertEqual(kept.st_uid, uid)
        users = daemon.call("Status")["status"]["users"]
        self.assertEqual((users["worker"], users["speaker"]), (WORKER, SPEAKER))

    def test_D8_a_sections_uid_goes_before_the_workers_user(self):
        daemon = self.board_of_others(f"uid = {ALICE}\n").start()
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "good")
        self.assertEqual(process(self.pid(daemon, "good"))["Uid"].split()[0], str(ALICE))

    def test_D8_users_that_are_not_there_are_named_and_nothing_is_silent(self):
        daemon = self.board()
        section, self.out = recorder_section(daemon.directory, "good")
        daemon.configure("[sound]\nenabled = no\n[access]\nworkerUser = belfry-nobody\n" + section)
        daemon.start()
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "good")
        daemon.says("there is no user belfry-nobody")
        self.assertIn("useradd", daemon.call("Status")["status"]["users"]["problems"][0])
        doctor = subprocess.run(
            [os.path.join(programs(), "belfry"), "doctor", "--socket", daemon.socket],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertIn("there is no user belfry-nobody", doctor.stdout)

    def test_D7_what_was_shown_is_remembered_by_another_user(self):
        daemon = self.board_of_others().start()
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "good")
        size = os.stat(f"{daemon.directory}/run/good.{WORKER}/completed").st_size
        self.assertGreater(size, 0)

    def test_A3_root_gives_away_no_file_behind_a_hard_link(self):
        daemon = self.board_of_others(f"uid = {WORKER}\n").start()
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "good")
        daemon.stop()
        secret = f"{daemon.directory}/secret"
        with open(secret, "w", encoding="ascii") as file:
            file.write("root's")
        os.chmod(secret, 0o600)
        # As the plugin could have done: names of root's file in its own folder.
        folders = glob.glob(f"{daemon.directory}/run/good*")
        self.assertTrue(folders)
        for folder in folders:
            for name in ("completed", "store", "other"):
                if os.path.exists(f"{folder}/{name}"):
                    os.remove(f"{folder}/{name}")
                os.link(secret, f"{folder}/{name}")
        daemon.start()
        wait_until(lambda: self.row(daemon, "good")["state"] == "running"
                   or self.row(daemon, "good")["restarts"] > 0)
        status = os.stat(secret)
        self.assertEqual((status.st_uid, status.st_mode & 0o777, status.st_size), (0, 0o600, 6))
        # And the plugin goes on: it has given the names up.
        self.present(daemon, "again", alertBody="tea")
        self.delivered(daemon, "again", "good")
        self.assertEqual(os.stat(secret).st_size, 6)


class UnitsUser(Confinement):
    """A daemon as the unit starts it: a user of its own with a few ambient capabilities."""

    def test_D8_a_daemon_that_is_not_root_gives_its_plugins_other_users(self):
        caps = "+setuid,+setgid,+chown,+kill"
        daemon = self.board()
        section, out = recorder_section(daemon.directory, "good")
        attacks = f"{daemon.directory}/attacks"
        for path in (out, attacks):
            open(path, "w", encoding="ascii").close()
            os.chmod(path, 0o666)
        attacker = built_plugin(daemon.directory, "attacker")
        daemon.configure(
            f"[access]\nworkerUser = {WORKER}\nspeakerUser = {SPEAKER}\n[sound]\ndevice = null\n"
            f"{section}[plugin:attacker]\nfile = {attacker}\nout = {attacks}\nuid = {BOB}\n")
        self.give(daemon, ALICE)
        for path in (out, attacks):
            os.chmod(path, 0o666)
        daemon.prefix += (f"--inh-caps={caps}", f"--ambient-caps={caps}")
        # The second life finds folders that it may not read.
        for life in range(2):
            daemon.start()
            self.present(daemon, f"n{life}", alertBody="tea", soundName="default")
            for sink in ("good", "attacker", "speaker"):
                self.delivered(daemon, f"n{life}", sink)
            users = {"good": WORKER, "attacker": BOB, "speaker": SPEAKER}
            for name, uid in users.items():
                status = process(self.pid(daemon, name))
                self.assertEqual(status["Uid"].split(), [str(uid)] * 4)
                for field in ("CapEff", "CapPrm", "CapInh", "CapAmb"):
                    self.assertEqual(int(status[field], 16), 0, (name, field))
                self.assertGreater(
                    os.stat(f"{daemon.directory}/run/{name}.{uid}/completed").st_size, 0)
            children = [self.pid(daemon, name) for name in users]
            # Also by kill -9; the second time the log is to be whole.
            (daemon.stop if life else daemon.kill)()
            wait_until(lambda: not any(map(runs, children)), what="the end of every child")
        with open(attacks, encoding="ascii") as file:
            allowed = {line.split("=")[0] for line in file if line.endswith("=0\n")}
        self.assertEqual(allowed, {"own-child", "end"})
        self.assertNotIn("may be shown again", daemon.log_text())


class Leavings(Confinement):
    def pids(self, daemon):
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "leaves")
        found = wait_until(
            lambda: len(re.findall(r"(?:orphan|leader)=(\d+)", daemon.log_text())) == 2
            and re.findall(r"(?:orphan|leader)=(\d+)", daemon.log_text()), what="both in the log")
        pids = [int(pid) for pid in found]
        self.addCleanup(self.end, pids)
        self.assertTrue(all(map(runs, pids)), "they live as long as their plugin")
        return pids

    def end(self, pids):
        for pid in pids:
            if runs(pid):
                os.kill(pid, signal.SIGKILL)

    def test_D8_what_a_plugin_leaves_in_other_sessions_ends_with_it(self):
        daemon = self.board("[sound]\nenabled = no\n", plugins=["leaves", "never_answers"]).start()
        pids = self.pids(daemon)
        # The end of another changes nothing.
        other = self.pid(daemon, "never_answers")
        os.kill(other, signal.SIGKILL)
        wait_until(lambda: self.row(daemon, "never_answers").get("pid") not in (None, other))
        self.assertTrue(all(map(runs, pids)))
        os.kill(self.pid(daemon, "leaves"), signal.SIGKILL)
        wait_until(lambda: not any(map(runs, pids)), what="the end of all that it left")
        daemon.says("had left behind")

    def test_D8_and_with_the_daemon(self):
        daemon = self.board("[sound]\nenabled = no\n", plugins=["leaves"]).start()
        pids = self.pids(daemon)
        daemon.stop()
        wait_until(lambda: not any(map(runs, pids)), what="the end of all that it left")

    def test_D3_what_an_app_leaves_outlives_plugins(self):
        daemon = self.board()
        self.launch(
            daemon, f"{daemon.directory}/app",
            f"setsid sleep 600 &\necho $! > {daemon.directory}/left")

        def left():
            try:
                with open(f"{daemon.directory}/left", encoding="ascii") as file:
                    return int(file.read() or 0)
            except FileNotFoundError:
                return 0
        pid = wait_until(left, what="what the app left")
        self.addCleanup(self.end, [pid])
        other = self.pid(daemon, "good")
        os.kill(other, signal.SIGKILL)
        wait_until(lambda: self.row(daemon, "good").get("pid") not in (None, other))
        daemon.stop()
        self.assertTrue(runs(pid))


class Printing(Confinement):
    def test_D8_a_plugin_that_prints_fills_no_log(self):
        section = "[sound]\nenabled = no\n"
        daemon = self.board(section, plugins=["shouts"]).start()
        for number in range(5):
            self.present(daemon, f"n{number}", alertBody="tea")
            self.delivered(daemon, f"n{number}", "shouts")
        text = wait_until(
            lambda: "lines of its output were dropped" in daemon.log_text() and daemon.log_text(),
            what="what was dropped")
        self.assertIn("shouts: noise 0\n", text)
        # 100,000 lines and 25 kB in one more were printed.
        self.assertLess(len(text), 200_000)
        self.assertLess(max(map(len, text.splitlines())), 1200)

    def test_D8_the_last_words_of_a_plugin_are_in_the_log(self):
        daemon = self.board("[sound]\nenabled = no\n", plugins=["shouts"]).start()
        wait_until(lambda: self.row(daemon, "shouts")["state"] == "running")
        self.present(daemon, "now", alertBody="tea")
        self.delivered(daemon, "now", "shouts")
        daemon.stop()
        daemon.says("lines of its output were dropped")


class Folders(Confinement):
    def test_A3_a_plugin_below_a_folder_that_others_can_write_is_not_loaded(self):
        daemon = self.board()
        inner = f"{daemon.directory}/open/closed"
        os.makedirs(inner, 0o755)
        library = built_plugin(inner, "recorder")
        os.chmod(f"{daemon.directory}/open", 0o777)
        link = f"{daemon.directory}/link.so"
        os.symlink(library, link)
        daemon.configure(
            f"[sound]\nenabled = no\n[plugin:direct]\nfile = {library}\nout = /dev/null\n"
            f"[plugin:linked]\nfile = {link}\nout = /dev/null\n")
        daemon.start()
        for name, path in (("direct", library), ("linked", link)):
            wait_until(lambda: "reason" in self.row(daemon, name))
            self.assertIn(f"{daemon.directory}/open, above {path}, can be written by others",
                          self.row(daemon, name)["reason"])
        daemon.says(f"{daemon.directory}/open, above")

    def test_A3_a_sticky_folder_of_roots_is_safe_and_a_strangers_is_not(self):
        daemon = self.board()
        out = f"{daemon.directory}/out"
        sections = "[sound]\nenabled = no\n"
        for name, mode, owner in (("sticky", 0o1777, 0), ("strange", 0o755, ALICE)):
            folder = f"{daemon.directory}/{name}"
            os.makedirs(f"{folder}/inner", 0o755)
            sections += f"[plugin:{name}]\nfile = {built_plugin(folder + '/inner', 'recorder')}\n" \
                        f"out = {out}\n"
            os.chmod(folder, mode)
            os.chown(folder, owner, owner)
        daemon.configure(sections)
        daemon.start()
        wait_until(lambda: self.row(daemon, "sticky")["state"] == "running")
        wait_until(lambda: f"belongs to user {ALICE}" in self.row(daemon, "strange").get("reason", ""))

    def test_A3_a_configuration_below_such_a_folder_is_not_loaded(self):
        outer = self.daemon(start=False)
        os.chmod(outer.directory, 0o777)
        folder = f"{outer.directory}/inner"
        os.mkdir(folder, 0o755)
        daemon = self.daemon(
            f"[plugin:good]\nfile = {built_plugin(folder, 'recorder')}\nout = /dev/null\n",
            directory=folder)
        self.assertEqual(daemon.call("Status")["status"]["plugins"], [])
        daemon.says(f"{outer.directory}, above")

    def test_A3_an_apps_program_in_such_a_folder_is_not_started(self):
        daemon = self.board()
        os.makedirs(f"{daemon.directory}/open/bin", 0o755)
        os.chmod(f"{daemon.directory}/open", 0o777)
        self.launch(daemon, f"{daemon.directory}/open/bin/app", f"touch {daemon.directory}/started")
        daemon.says(f"{daemon.directory}/open, above")
        self.assertFalse(os.path.exists(f"{daemon.directory}/started"))


if __name__ == "__main__":
    unittest.main()
