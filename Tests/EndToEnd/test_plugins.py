"""D7, D8: plugins that misbehave harm neither the clock nor each other."""
import glob
import os
import signal

from belfry_harness import (
    DaemonTest, built_plugin, microseconds, printed_lateness, recorded, wait_until)


def exists(pid):
    """Whether a process runs; a zombie does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return ") Z " not in file.read()
    except FileNotFoundError:
        return False


class Plugins(DaemonTest):
    def prepare(self, *fixtures, extra=""):
        """A daemon with the recorder as `good` beside fixtures, each under its own name."""
        daemon = self.daemon(start=False)
        self.out = os.path.join(daemon.directory, "recording")
        text = f"[sound]\nenabled = no\n[plugin:good]\nfile = " \
               f"{built_plugin(daemon.directory, 'recorder')}\nout = {self.out}\n"
        for name in fixtures:
            text += f"[plugin:{name}]\nfile = {built_plugin(daemon.directory, name)}\n{extra}"
        daemon.configure(text)
        return daemon.start(SWIFT_BACKTRACE="enable=no")

    def shown(self):
        return recorded(self.out, ("show",))

    def plugin(self, daemon, name):
        status = daemon.call("Status")["status"]
        return next(row for row in status["plugins"] if row["name"] == name)

    def neighbour_gets_all(self, daemon, count=5):
        """Schedules alerts, and expects each at the recorder, once, and none early."""
        start = microseconds(1.5)
        for number in range(count):
            daemon.schedule(
                identifier=f"a{number}", alertBody="tea", fireDate=start + number * 100_000)
        wait_until(lambda: len(self.shown()) >= count, what="every alert at the recorder")
        shown = self.shown()
        self.assertEqual(len({line["id"] for line in shown}), count)
        self.assertGreaterEqual(printed_lateness(self.id().rpartition(".")[2], shown)[0], 0)

    def test_D8_refused_plugins_are_named_and_harm_nobody(self):
        words = {"wrong_abi": "ABI 99.0", "no_entry": "does not export belfry_plugin_entry",
                 "null_descriptor": "gave no descriptor", "short_descriptor": "8 bytes"}
        daemon = self.prepare(*words)
        self.neighbour_gets_all(daemon)
        for name, expected in words.items():
            wait_until(
                lambda: expected in str(self.plugin(daemon, name)), what=f"{name}: {expected}")

    def test_D8_crashing_plugins_are_restarted_and_harm_nobody(self):
        names = ("crash_load", "crash_deliver", "crash_after", "closes_descriptors")
        daemon = self.prepare(*names)
        self.neighbour_gets_all(daemon)
        for name in names:
            wait_until(lambda: self.plugin(daemon, name)["restarts"] > 0, what=f"restart of {name}")
            # Said also while it runs again.
            self.assertRegex(self.plugin(daemon, name)["reason"], "signal|exit status|its end")

        def attempts():
            return [row["attempts"] for row in daemon.history() if row["sink"] == "crash_deliver"]
        # Handed over again under the same id after each crash, and given up in the end.
        wait_until(lambda: len(attempts()) > 0 and max(attempts()) > 1, what="a second attempt")

    def test_D8_plugins_that_talk_fork_or_hang_harm_nobody(self):
        daemon = self.prepare(
            "never_answers", "never_completes", "answers_twice", "answers_late",
            "prints_megabytes", "forks", "no_answer_number")
        self.neighbour_gets_all(daemon)
        states = {}
        def answered():
            for row in daemon.history():
                states[row["sink"], row["identifier"]] = row["state"]
            return all(states.get(("answers_late", f"a{n}")) == "delivered" for n in range(5)) \
                and all(states.get(("no_answer_number", f"a{n}")) == "failed" for n in range(5))
        wait_until(answered, what="answers in the history")

    def test_D8_a_plugin_that_eats_memory_is_ended(self):
        daemon = self.prepare("eats_memory", extra="memory = 64M\n")
        self.neighbour_gets_all(daemon)
        wait_until(lambda: self.plugin(daemon, "eats_memory")["restarts"] > 0, what="its restart")

    def test_A2_asking_for_the_status_often_ends_no_worker(self):
        daemon = self.prepare()
        worker = wait_until(lambda: self.plugin(daemon, "good").get("pid"), what="its worker")
        os.kill(worker, signal.SIGSTOP)
        try:
            with daemon.connect() as connection:
                for _ in range(200):
                    for _ in range(25):
                        connection.send("Status")
                    for _ in range(25):
                        connection.result()
        finally:
            os.kill(worker, signal.SIGCONT)
        self.assertEqual(self.plugin(daemon, "good")["pid"], worker)
        self.neighbour_gets_all(daemon)

    def test_D7_a_killed_worker_gets_its_delivery_again_under_the_same_id(self):
        daemon = self.prepare()
        self.neighbour_gets_all(daemon, 1)
        # Shown is not answered: killed between the two it would be asked for the first once more.
        wait_until(daemon.history, what="its answer")
        before = self.plugin(daemon, "good")
        os.kill(before["pid"], signal.SIGKILL)
        # Due while there is no worker, or a new one.
        daemon.schedule(identifier="again", alertBody="tea")
        wait_until(lambda: len(self.shown()) == 2, what="the second alert")
        self.assertGreaterEqual(self.plugin(daemon, "good")["restarts"], 1)

    def test_D7_a_killed_clock_leaves_no_orphan_and_repeats_nothing(self):
        daemon = self.prepare("never_answers", "forks")
        self.neighbour_gets_all(daemon, 3)
        # Shown is not answered: killed between the two it would be asked once more.
        wait_until(lambda: [row["sink"] for row in daemon.history()].count("good") == 3, what="its answers")
        children = daemon.children()
        self.assertTrue(children)
        daemon.kill()
        wait_until(lambda: not any(map(exists, children)), what="the end of every worker")
        ids = {line["id"] for line in self.shown()}
        daemon.start(SWIFT_BACKTRACE="enable=no")
        daemon.schedule(identifier="new", alertBody="tea")
        wait_until(
            lambda: len({line["id"] for line in self.shown()}) > len(ids), what="the new one")
        # What was to be repeated has been by now.
        daemon.schedule(identifier="newer", alertBody="tea")
        wait_until(
            lambda: len({line["id"] for line in self.shown()}) > len(ids) + 1, what="one more")
        shown = [line["id"] for line in self.shown()]
        self.assertEqual(len(shown), len(set(shown)), "an id was shown twice")

    def wait_over_kills(self, forget):
        """The attempt of what waited for its plugin over two kills, as the plugin and history have it;
        `forget`: after the first one nobody knows what was before, as after a reboot."""
        daemon = self.daemon(start=False)
        self.out = os.path.join(daemon.directory, "out")
        file = built_plugin(daemon.directory, "recorder")
        os.rename(file, file + ".away")
        daemon.configure(f"[sound]\nenabled = no\n[plugin:good]\nfile = {file}\nout = {self.out}\n")
        daemon.start()
        daemon.schedule(identifier="old", alertBody="tea")
        for life in range(3):
            wait_until(lambda: self.plugin(daemon, "good")["queued"] == 1, what="what waits")
            daemon.kill()
            if forget and life == 0:
                for log in glob.glob(daemon.directory + "/**/handed-over.*", recursive=True):
                    os.remove(log)
            daemon.start()
        os.rename(file + ".away", file)
        daemon.call("Reload")
        wait_until(self.shown, what="the alert")
        line, = self.shown()
        row, = daemon.until(daemon.history, what="its row")
        self.assertEqual(row["state"], "delivered")
        return line["attempt"], row["attempts"]

    def test_D7_what_waited_for_its_plugin_over_kills_is_a_first_attempt(self):
        self.assertEqual(self.wait_over_kills(forget=False), ("1", 1))

    def test_D7_what_nobody_knows_of_stays_in_doubt_over_more_kills(self):
        self.assertEqual(self.wait_over_kills(forget=True), ("2", 2))
