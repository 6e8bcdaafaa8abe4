"""A4, D9, T2, N17: what changes in belfry.conf counts without a restart, and what cannot is named."""
import os
import signal
import unittest

from belfry_harness import (
    Connection, DaemonTest, Refused, built_plugin, microseconds, recorded, recorder_section,
    wait_until)
from test_apps import BOB, acting_as
from test_command import run

QUIET = "[sound]\nenabled = no\n"


class Reload(DaemonTest):
    def board(self, text=QUIET):
        daemon = self.daemon(start=False)
        daemon.configure(text)
        return daemon.start()

    def reload(self, daemon, text=None):
        """What `belfry reload` says of a new text, or of what stands there."""
        if text is not None:
            daemon.configure(text)
        status, said, error = run("reload", socket=daemon.socket)
        return status, said + error

    def status(self, daemon):
        return daemon.call("Status")["status"]

    def sinks(self, daemon):
        return {row["name"]: row["state"] for row in self.status(daemon)["plugins"]}

    def running(self, daemon, *names):
        wait_until(
            lambda: self.sinks(daemon) == {name: "running" for name in names},
            what=f"running {names}")

    def recorder(self, daemon, name):
        section, out = recorder_section(daemon.directory, name)
        return section, lambda: [row["identifier"] for row in recorded(out)]

    # Plugins

    def test_D9_a_plugin_is_added_and_removed_by_saving_the_file(self):
        daemon = self.board()
        one, shown_by_one = self.recorder(daemon, "one")
        two, shown_by_two = self.recorder(daemon, "two")
        daemon.configure(QUIET + one)
        self.running(daemon, "one")
        daemon.schedule(identifier="a", alertBody="a")
        wait_until(lambda: shown_by_one() == ["a"], what="a")
        daemon.configure(QUIET + two + one)
        self.running(daemon, "two", "one")
        daemon.schedule(identifier="b", alertBody="b")
        wait_until(lambda: shown_by_one() == ["a", "b"] and shown_by_two() == ["b"], what="b")
        daemon.configure(QUIET + two)
        self.running(daemon, "two")
        daemon.schedule(identifier="c", alertBody="c")
        wait_until(lambda: shown_by_two() == ["b", "c"], what="c")
        self.assertEqual(shown_by_one(), ["a", "b"])
        # Its process has gone, and comes again with its section.
        wait_until(lambda: len(daemon.children()) == 1, what="the end of its worker")
        daemon.configure(QUIET + two + one)
        self.running(daemon, "two", "one")
        daemon.schedule(identifier="d", alertBody="d")
        wait_until(lambda: shown_by_one() == ["a", "b", "d"], what="d")
        self.assertEqual([row for row in daemon.history() if row["state"] != "delivered"], [])

    def test_D9_what_waits_for_a_plugin_that_is_removed_fails(self):
        daemon = self.daemon(start=False)
        library = built_plugin(daemon.directory, "recorder")
        section = f"[plugin:gone]\nfile = {library}\nout = {daemon.directory}/out\n"
        os.rename(library, library + ".away")
        daemon.configure(QUIET + section)
        daemon.start()
        daemon.schedule(identifier="a", alertBody="a")
        wait_until(lambda: self.status(daemon)["plugins"][0]["queued"] == 1, what="a waits")
        status, said = self.reload(daemon, QUIET)
        self.assertEqual((status, said), (
            0, "the configuration was read again; changed: [plugin:gone]\nbelfry: warning: nothing shows alerts: "
               "no [plugin:NAME] does (belfry help plugins)\n"))
        rows = wait_until(daemon.history, what="its row")
        self.assertEqual([(row["sink"], row["state"], row["reason"]) for row in rows],
                         [("gone", "failed", "sink-removed")])
        daemon.kill()
        daemon.start()
        self.assertEqual(len(daemon.history()), 1)

    def test_D9_a_change_of_its_keys_starts_a_plugin_anew_and_no_other(self):
        daemon = self.daemon(start=False)
        one, _ = self.recorder(daemon, "one")
        two, shown = self.recorder(daemon, "two")
        daemon.configure(QUIET + one + two)
        daemon.start()
        self.running(daemon, "one", "two")
        pids = {row["name"]: row["pid"] for row in self.status(daemon)["plugins"]}
        self.assertIn("changed: [plugin:two]\n", self.reload(
            daemon, QUIET + one + two + "# a comment\nmemory = 300M\n")[1])
        wait_until(lambda: {row["name"]: row.get("pid") for row in self.status(daemon)["plugins"]
                            if row["state"] == "running"}.get("two", pids["two"]) != pids["two"],
                   what="another process")
        self.assertEqual(self.status(daemon)["plugins"][0]["pid"], pids["one"])
        daemon.schedule(identifier="a", alertBody="a")
        wait_until(lambda: shown() == ["a"], what="a")

    def test_D7_D9_what_a_plugin_has_in_hand_it_finishes_before_it_starts_anew(self):
        daemon = self.daemon(start=False)
        script = os.path.join(daemon.directory, "mail")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho begun >> {script}.out\nsleep 1\necho done >> {script}.out\n")
        os.chmod(script, 0o755)
        section = f"[plugin:mail]\nfile = exec\nprogram = {script}\n"
        daemon.configure(QUIET + section)
        daemon.start()
        self.running(daemon, "mail")
        daemon.schedule(identifier="a", alertBody="a")

        def lines():
            with open(script + ".out", encoding="utf-8") as file:
                return file.read().split()
        wait_until(lambda: os.path.exists(script + ".out") and lines(), what="its beginning")
        self.reload(daemon, QUIET + section + "withdraw = yes\n")
        daemon.schedule(identifier="b", alertBody="b")
        wait_until(lambda: len(daemon.history()) == 2, what="both")
        self.assertEqual(lines(), ["begun", "done"] * 2)
        self.assertEqual([row["attempts"] for row in daemon.history()], [1, 1])
        self.assertEqual(self.status(daemon)["plugins"][0]["restarts"], 0)

    def test_who_asks_is_told_also_where_the_watch_was_faster(self):
        daemon = self.board()
        daemon.configure("[sound]\nenabled = no\nvolume = 0.5\n")
        daemon.says("changed: [sound] volume")
        self.assertIn("changed: [sound] volume", self.reload(daemon)[1])
        self.assertIn("nothing has changed", self.reload(daemon)[1])

    def test_the_speaker_comes_and_goes(self):
        daemon = self.board()
        self.assertEqual(self.status(daemon)["speaker"]["state"], "switched off")
        self.assertIn("changed: [sound] enabled", self.reload(daemon, "")[1] + self.reload(
            daemon, "[sound]\nvolume = 1\n")[1])
        self.assertNotEqual(self.status(daemon)["speaker"]["state"], "switched off")
        self.assertIn("changed: [sound] quiet", self.reload(
            daemon, "[sound]\nvolume = 1\nquiet = 00:00-24:00\n")[1])
        self.assertIn("quiet hours", self.status(daemon)["speaker"]["silenced"])
        self.reload(daemon, QUIET)
        self.assertEqual(self.status(daemon)["speaker"]["state"], "switched off")

    # Limits, zone, log

    def test_N17_limits_count_from_then_on(self):
        daemon = self.board(QUIET + "[limits]\nnotifications = 1\n")
        later = {"alertBody": "x", "fireDate": microseconds(3600)}
        daemon.schedule(identifier="a", **later)
        with self.assertRaises(Refused):
            daemon.schedule(identifier="b", **later)
        self.assertIn("changed: [limits] notifications", self.reload(
            daemon, QUIET + "[limits]\nnotifications = 2\n")[1])
        daemon.schedule(identifier="b", **later)
        # What is there already stays.
        self.reload(daemon, QUIET + "[limits]\nnotifications = 1\n")
        self.assertEqual(len(daemon.listed()), 2)
        self.reload(daemon, QUIET + "[limits]\nhistory = 8\n")
        for number in range(30):
            daemon.call("PresentNow", {"notification": {
                "identifier": f"{number}", "alertBody": "x"}})
        wait_until(lambda: daemon.history()[-1:][0]["identifier"] == "29", what="the last")
        self.assertLessEqual(len(daemon.history()), 8)

    def test_T2_the_boards_zone_changes_and_a_floating_alarm_with_it(self):
        daemon = self.board(QUIET + "[clock]\nzone = Europe/Berlin\n")
        daemon.schedule(identifier="a", alertBody="a", timeZone="Europe/Berlin",
                        fireDate=microseconds(86_400))
        before = daemon.listed()[0]["next"]
        self.assertIn("changed: [clock] zone", self.reload(
            daemon, QUIET + "[clock]\nzone = Asia/Tokyo\n")[1])
        wait_until(lambda: self.status(daemon)["zone"] == "Asia/Tokyo", what="the zone")
        moved = wait_until(lambda: before - daemon.listed()[0]["next"], what="another time")
        self.assertIn(moved // 1_000_000, (7 * 3600, 8 * 3600))
        status, said = self.reload(daemon, QUIET + "[clock]\nzone = Asia/Tokio\n")
        self.assertEqual(status, 1, said)
        self.assertIn("did you mean Asia/Tokyo?", said)
        self.assertEqual(self.status(daemon)["zone"], "Asia/Tokyo")

    def test_the_log_has_another_level(self):
        daemon = self.board(QUIET + "[log]\nlevel = error\n")
        self.reload(daemon, QUIET + "[log]\nlevel = info\n")
        self.reload(daemon)
        daemon.says("nothing has changed")

    # What does not count, or not yet

    def test_A4_what_needs_a_restart_is_named_until_the_restart(self):
        daemon = self.board(QUIET + "[clock]\ngrace = 5\n")
        text = QUIET + "[clock]\ngrace = 6\nwake = never\n[access]\ngroup = 0\n"
        status, said = self.reload(daemon, text)
        self.assertEqual((status, said.splitlines()), (0, [
            "the configuration was read again; changed: [clock] grace",
            "only a restart of belfryd takes up: [clock] wake, [access] group"]))
        self.assertEqual(
            self.status(daemon)["needsRestart"], ["[clock] wake", "[access] group"])
        self.assertIn("needs a restart", run("status", socket=daemon.socket)[1])
        self.assertIn("the file and belfryd differ in [clock] wake, [access] group", run(
            "doctor", socket=daemon.socket)[1])
        # It stays so when something else changes.
        self.reload(daemon, text.replace("6", "7"))
        self.assertEqual(
            self.status(daemon)["needsRestart"], ["[clock] wake", "[access] group"])
        daemon.stop()
        daemon.start()
        self.assertNotIn("needsRestart", self.status(daemon))

    def test_A4_a_file_with_a_mistake_changes_nothing_and_is_named(self):
        daemon = self.daemon(start=False)
        section, shown = self.recorder(daemon, "one")
        daemon.configure(QUIET + section)
        daemon.start()
        self.running(daemon, "one")
        path = os.path.join(daemon.directory, "belfry.conf")
        for text, words in (
                ("[clock]\ngrace = soon\n", f"{path}:2: [clock] grace"),
                ("[clok]\n", f"{path}:1: [clok] is no section of belfry.conf"),
                (None, f"{path} is gone")):
            with self.subTest(words=words):
                if text is None:
                    os.remove(path)
                else:
                    daemon.configure(text)
                # By itself, as soon as it is saved.
                wait_until(lambda: words in self.status(daemon).get("configurationProblem", ""),
                           what=words)
                status, said = self.reload(daemon)
                self.assertEqual(status, 1, said)
                self.assertIn(words, said)
                self.assertIn("what was read before still holds", said)
                self.assertEqual(self.sinks(daemon), {"one": "running"})
        self.assertIn(f"{path} is gone", run("doctor", socket=daemon.socket)[1])
        daemon.schedule(identifier="a", alertBody="a")
        wait_until(lambda: shown() == ["a"], what="a")
        daemon.configure(QUIET + section)
        wait_until(lambda: "configurationProblem" not in self.status(daemon), what="it is well")
        daemon.configure(QUIET + section)
        os.chmod(path, 0o666)
        status, said = self.reload(daemon)
        self.assertEqual(status, 1, said)
        self.assertIn("can be written by others than its owner", said)

    def test_A4_a_file_that_is_half_written_is_not_read(self):
        daemon = self.daemon(start=False)
        section, _ = self.recorder(daemon, "one")
        daemon.configure(QUIET + section)
        daemon.start()
        self.running(daemon, "one")
        with open(os.path.join(daemon.directory, "belfry.conf"), "w", encoding="utf-8") as file:
            file.write(QUIET)
            file.flush()
            self.assertIn("one", self.sinks(daemon))
            file.write(section)
        daemon.process.send_signal(signal.SIGHUP)
        daemon.says("nothing has changed")
        self.assertEqual(self.sinks(daemon), {"one": "running"})

    @unittest.skipUnless(os.getuid() == 0, "becoming another user needs root")
    def test_A1_only_the_operator_may(self):
        daemon = self.board()
        os.chmod(daemon.directory, 0o755)
        with acting_as(BOB):
            connection = Connection(daemon.socket)
        self.addCleanup(connection.close)
        with self.assertRaises(Refused) as caught:
            connection.call("Reload")
        self.assertEqual(caught.exception.name, "NotPermitted")

    def test_json(self):
        daemon = self.board()
        daemon.configure("[sound]\nenabled = no\n[clock]\ngrace = 9\ntrust = always\n")
        status, said, _ = run("reload", "--json", socket=daemon.socket)
        self.assertEqual((status, said.strip()), (
            0, '{"changed":["[clock] grace"],"needsRestart":["[clock] trust"],"warnings":[]}'))

    def test_A4_reload_tells_which_plugins_did_not_start(self):
        daemon = self.board()
        daemon.configure(QUIET + "[plugin:lamp]\nfile = lamp\n"
                         "[plugin:mail]\nfile = exec\nprogram = /nonexistent\n"
                         "[plugin:console]\nfile = console\n")
        status, said, err = run("reload", socket=daemon.socket)
        self.assertEqual(status, 0, err)
        self.assertIn("changed: [plugin:lamp], [plugin:mail], [plugin:console]", said)
        self.assertEqual(len(err.splitlines()), 2, err)
        self.assertRegex(err, r"warning: lamp is quarantined: there is no plugin lamp in ")
        # One that starts again with its new keys is well.
        daemon.configure(QUIET + "[plugin:console]\nfile = console\ncolour = never\n")
        self.assertEqual(run("reload", socket=daemon.socket)[2], "")
        self.assertRegex(err, r"warning: mail is waiting to restart: `program` is not there: /nonexistent")

    def test_A4_the_first_of_several_mistakes_tells_of_the_rest(self):
        daemon = self.board()
        daemon.configure("[limits]\nnotification = 3\nhistroy = 2\n[clock]\ngrace = x\n")
        status, _, err = run("reload", socket=daemon.socket)
        self.assertEqual(status, 1)
        self.assertIn(":2: [limits] notification is no key of this section; did you mean notifications? "
                      "(belfryd --check ", err)
        self.assertIn(" shows more mistakes)", err)


if __name__ == "__main__":
    unittest.main()
