"""D5, D6, D11, N10, N11, N15: what an app shows of itself, and what its user does with it."""
import os
import signal
import subprocess

from belfry_harness import (
    PATIENCE, DaemonTest, Refused, built_plugin, programs, recorded, recorder_section, wait_until)
from stepped import SteppedTest


class User(SteppedTest):
    def recording(self, *names, extra=""):
        """A daemon with recorders of these names, silent; `self.out` has their files."""
        daemon = self.daemon(start=False)
        self.out = {}
        text = "[sound]\nenabled = no\n" + extra
        for name in names:
            section, self.out[name] = recorder_section(daemon.directory, name)
            text += section + "everything = yes\n"
        daemon.configure(text)
        return daemon.start()

    def belfry(self, daemon, *words):
        """The command's exit status and output, both streams."""
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def events(self, name, *kinds):
        return recorded(self.out[name], kinds)

    def test_D6_the_badge_is_read_set_and_cleared(self):
        daemon = self.recording("one")
        self.assertEqual(self.belfry(daemon, "badge"), (0, "0\n"))
        self.assertEqual(self.belfry(daemon, "badge", "7"), (0, "7\n"))
        self.assertEqual(daemon.call("Badge"), {"badge": 7})
        wait_until(lambda: [row["value"] for row in self.events("one", "badge")] == ["7"])
        daemon.kill()
        daemon.start()
        self.assertEqual(self.belfry(daemon, "badge"), (0, "7\n"))
        self.assertEqual(self.belfry(daemon, "badge", "0"), (0, "0\n"))
        wait_until(lambda: self.events("one", "badge")[-1]["value"] == "0")
        for wrong in (-1, 2**31, 2**63 - 1):
            with self.assertRaises(Refused) as refused:
                daemon.call("SetBadge", {"badge": wrong})
            self.assertEqual(refused.exception.parameters["field"], "badge")
        status, said = self.belfry(daemon, "badge", "--", "-1")
        self.assertEqual(status, 1)
        self.assertIn("N: a badge is 0, which clears it", said)
        self.assertEqual(self.belfry(daemon, "badge", "many")[0], 2)

    def test_N11_a_notification_changes_the_badge_at_its_due(self):
        daemon = self.recording("one")
        daemon.call("SetBadge", {"badge": 5})
        daemon.schedule(alertBody="x", applicationIconBadgeNumber=2, badgeOperation="add")
        wait_until(lambda: daemon.call("Badge")["badge"] == 7)
        daemon.schedule(alertBody="x")
        daemon.schedule(alertBody="x", applicationIconBadgeNumber=-1)
        wait_until(lambda: daemon.call("Badge")["badge"] == 0)

    # MARK: Settings and categories

    CHAT = {
        "identifier": "chat",
        "actions": [
            {"identifier": "reply", "title": "Reply", "activationMode": "background",
             "behavior": "textInput", "buttonTitle": "Send"},
            {"identifier": "read", "title": "Mark as read", "activationMode": "background"},
            {"identifier": "delete", "title": "Delete", "destructive": True,
             "authenticationRequired": True}]}
    ALL = {"alert": True, "badge": True, "sound": True}

    def test_D5_settings_are_kept_and_cut_what_is_due(self):
        daemon = self.recording("one")
        known = daemon.call("Settings")
        self.assertEqual((known["registered"], known["settings"]), (False, self.ALL))
        off = {**self.ALL, "alert": False}
        self.assertEqual(
            daemon.call("RegisterSettings", {"settings": off, "categories": [self.CHAT]}),
            {"settings": off})
        daemon.kill()
        daemon.start()
        known = daemon.call("Settings")
        self.assertEqual((known["registered"], known["settings"]), (True, off))
        self.assertEqual(
            [action["identifier"] for action in known["categories"][0]["actions"]],
            ["reply", "read", "delete"])
        # What a plugin asks for is known when it runs.
        wait_until(lambda: [row["state"] for row in daemon.call("Status")["status"]["plugins"]
                            if row["name"] == "one"] == ["running"])
        daemon.schedule(identifier="a", alertBody="x", applicationIconBadgeNumber=3)
        wait_until(lambda: self.events("one", "badge"))
        # For its badge alone, which is all that the plugin hears of it.
        self.assertEqual(wait_until(lambda: self.events("one", "show"))[0]["body"], "0")
        wait_until(lambda: daemon.history())
        daemon.call("RegisterSettings", {"settings": self.ALL, "categories": []})
        daemon.schedule(identifier="b", alertBody="x")
        wait_until(lambda: len(self.events("one", "show")) == 2)
        self.assertEqual(self.events("one", "show")[1]["body"], "1")

    def test_D5_a_category_with_five_actions_is_refused_by_its_path(self):
        daemon = self.recording()
        five = [{"identifier": f"a{n}", "title": "A"} for n in range(5)]
        good = {"identifier": "good", "actions": []}
        with self.assertRaises(Refused) as refused:
            daemon.call("RegisterSettings", {
                "settings": self.ALL,
                "categories": [good, {"identifier": "many", "actions": five}]})
        self.assertEqual(refused.exception.parameters["field"], "categories[1].actions")
        self.assertFalse(daemon.call("Settings")["registered"])

    # MARK: What the user does

    def shown(self, name="one"):
        return len(self.events(name, "show"))

    def states(self, daemon, identifier):
        return {row["sink"]: row["state"] for row in daemon.history()
                if row["identifier"] == identifier}

    def session(self, daemon, state="background"):
        """A session's connection, and its number."""
        connection = daemon.connect()
        self.addCleanup(connection.close)
        connection.send("OpenSession", {"state": state}, more=True)
        return connection, connection.result()["session"]

    def test_D3_several_are_acted_on_at_once(self):
        daemon = self.recording("one")
        for identifier in ("tea", "pot", "cup"):
            daemon.schedule(identifier=identifier, alertBody="x")
        wait_until(lambda: len(daemon.listed(delivered=True)) == 3)
        self.assertEqual(self.belfry(daemon, "act", "tea", "pot"), (0, "acted on tea\nacted on pot\n"))
        # The last word is an action where nothing is shown under it.
        status, said = self.belfry(daemon, "act", "cup", "tea")
        self.assertEqual(status, 1)
        self.assertIn("tea", said)
        self.assertEqual(len(daemon.listed(delivered=True)), 1)

    def test_D3_acting_reaches_the_app_and_every_sink(self):
        daemon = self.recording("one", "two")
        daemon.call("RegisterSettings", {"settings": self.ALL, "categories": [self.CHAT]})
        app, number = self.session(daemon)
        for identifier in ("tea", "chat", "spam"):
            daemon.schedule(identifier=identifier, alertBody="x", category="chat")
        wait_until(lambda: self.shown("one") == self.shown("two") == 3)
        wait_until(lambda: len(daemon.listed(delivered=True)) == 6)
        self.assertEqual(self.belfry(daemon, "act", "tea"), (0, "acted on tea\n"))
        event = app.result()["event"]
        self.assertEqual((event["kind"], event["notification"]["identifier"]),
                         ("activated", "tea"))
        wait_until(lambda: all(self.events(name, "withdraw") for name in ("one", "two")))
        self.assertEqual(self.states(daemon, "tea")["two"], "activated")
        status, said = self.belfry(daemon, "act", "chat", "replay")
        self.assertEqual(status, 1)
        self.assertIn("did you mean reply?", said)
        self.assertEqual(self.belfry(daemon, "act", "chat", "read", "--text", "x")[0], 1)
        self.assertEqual(self.belfry(daemon, "act", "chat", "reply", "--text", "On my way")[0], 0)
        event = app.result()["event"]
        self.assertEqual((event["kind"], event["action"], event["text"]),
                         ("handleAction", "reply", "On my way"))
        daemon.call("Complete", {"session": number, "event": event["id"]})
        self.assertEqual(self.belfry(daemon, "dismiss", "spam"), (0, "dismissed spam\n"))
        self.assertEqual(app.result()["event"]["kind"], "dismissed")
        self.assertEqual(daemon.listed(delivered=True), [])
        for words in (("act", "tea"), ("dismiss", "spam"), ("snooze", "nothing", "1m")):
            status, said = self.belfry(daemon, *words)
            self.assertEqual((status, len(said.splitlines())), (1, 1), said)

    def test_N15_putting_away_reaches_sinks_after_a_restart(self):
        daemon = self.recording("one", "two")
        for identifier in ("a", "b"):
            daemon.schedule(identifier=identifier, alertBody="x")
        wait_until(lambda: len(daemon.listed(delivered=True)) == 4)
        daemon.kill()
        daemon.start()
        daemon.call("Dismiss", {"id": "a"})
        self.assertEqual(daemon.call("Cancel", {"identifiers": ["b"]})["withdrawn"], 2)
        wait_until(lambda: all(len(self.events(n, "withdraw")) == 2 for n in ("one", "two")))

    def test_N19_only_the_named_sinks_get_it_and_who_is_gone_is_named(self):
        daemon = self.recording("one", "two")
        status, said = self.belfry(
            daemon, "schedule", "--body", "Door", "--id", "door", "--to", "two", "--now")
        self.assertEqual((status, said), (0, "scheduled door: now; without sound; only to two\n"))
        wait_until(lambda: self.events("two", "show"), what="the alert")
        self.assertEqual(self.events("one", "show"), [])
        self.assertEqual(
            daemon.listed(delivered=True)[0]["notification"]["sinks"], ["two"])
        status, said = self.belfry(daemon, "schedule", "--body", "x", "--to", "tow", "--in", "1h")
        self.assertEqual((status, said), (
            1, 'belfry: --to: there is no sink "tow"; did you mean two? (known are speaker, one, two)\n'))
        later = ("schedule", "--body", "Later", "--id", "later", "--in", "1h", "--sound", "default")
        self.assertEqual(self.belfry(daemon, *later, "--to", "one", "--to", "two")[0], 0)
        self.assertEqual(self.belfry(daemon, "edit", "later", "--to", "two")[0], 0)
        self.assertEqual(daemon.listed()[0]["notification"]["sinks"], ["two"])
        daemon.stop()
        section, _ = recorder_section(daemon.directory, "one")
        daemon.configure("[sound]\nenabled = no\n" + section)
        daemon.start()
        said = self.belfry(daemon, "doctor")[1]
        self.assertIn("scheduled ones name sinks that nobody has: two (", said)

    def test_N15_a_new_one_under_an_identifier_that_is_shown_takes_its_place(self):
        daemon = self.recording("one", "two")
        shown = lambda: sorted(
            row["notification"]["alertBody"] for row in daemon.listed(delivered=True))
        for turn, body in enumerate(("first", "second", "third")):
            if turn == 2:
                daemon.kill()
                daemon.start()
            daemon.schedule(identifier="door", alertBody=body)
            daemon.schedule(identifier="bell", alertBody="x")
            wait_until(lambda: shown() == [body] * 2 + ["x"] * 2, what=f"only {body} of the door")
        with daemon.connect() as connection:
            connection.call("PresentNow", {
                "notification": {"identifier": "door", "alertBody": "fourth"}})
        wait_until(lambda: shown() == ["fourth"] * 2 + ["x"] * 2, what="only what was presented")
        rows = [row for row in daemon.history() if row["identifier"] == "door"]
        self.assertEqual(sorted(row["state"] for row in rows), ["delivered"] * 2 + ["withdrawn"] * 6)

    def test_N15_a_kill_before_the_sink_has_taken_it_back_loses_nothing(self):
        daemon = self.recording("one")
        daemon.schedule(identifier="a", alertBody="x")
        wait_until(lambda: daemon.listed(delivered=True))
        [worker] = daemon.children()
        os.kill(worker, signal.SIGSTOP)
        daemon.call("Dismiss", {"id": "a"})
        daemon.kill()
        os.kill(worker, signal.SIGKILL)
        self.assertEqual(self.events("one", "withdraw"), [])
        daemon.start()
        wait_until(lambda: self.events("one", "withdraw"), what="the withdrawal")
        # Once it is done it is done.
        daemon.schedule(identifier="b", alertBody="x")
        wait_until(lambda: daemon.listed(delivered=True))
        daemon.kill()
        daemon.start()
        wait_until(lambda: daemon.call("Status")["status"]["plugins"][0]["state"] == "running")
        daemon.call("Dismiss", {"id": "b"})
        wait_until(lambda: len(self.events("one", "withdraw")) >= 2)
        self.assertEqual(len({row["id"] for row in self.events("one", "withdraw")}), 2)
        self.assertEqual(len(self.events("one", "withdraw")), 2)

    def test_D11_A2_what_is_snoozed_twice_at_once_waits_once_and_64_are_the_most(self):
        daemon = self.recording("one")
        names = [f"n{number}" for number in range(65)]
        with daemon.connect() as connection:
            for name in names:
                connection.call("PresentNow", {
                    "notification": {"identifier": name, "alertBody": "x"}})
            wait_until(lambda: len(daemon.listed(delivered=True)) == 65)
            for _ in range(2):
                connection.send("Snooze", {"id": "n0", "duration": 3_600_000_000})
            for _ in range(2):
                self.assertIn("next", connection.result())
            for name in names[1:64]:
                connection.call("Snooze", {"id": name, "duration": 3_600_000_000})
            with self.assertRaises(Refused) as refused:
                connection.call("Snooze", {"id": "n64", "duration": 3_600_000_000})
            self.assertEqual(refused.exception.parameters, {"limit": "snoozes", "value": 64})
        self.assertEqual(len(daemon.listed(snoozed=True)), 64)
        self.assertEqual(len(daemon.listed(delivered=True)), 1)

    def test_D11_a_snooze_comes_again_also_after_a_kill(self):
        daemon = self.stepped()
        daemon.schedule(identifier="alarm", alertBody="x")
        daemon.settle()
        first = recorded(self.out)[0]["id"].split("@")[0]
        status, said = self.belfry(daemon, "snooze", "alarm", "1h")
        self.assertEqual(status, 0, said)
        self.assertIn("snoozed alarm: in ", said)
        self.assertEqual(daemon.listed(), [])
        rows = daemon.listed(snoozed=True)
        self.assertEqual([(row["notification"]["identifier"], row["state"]) for row in rows],
                         [("alarm", "snoozed")])
        self.assertIn("snoozed", self.belfry(daemon, "list")[1])
        daemon.kill()
        daemon.start()
        daemon.run(3599.999)
        self.assertEqual(len(recorded(self.out)), 1)
        daemon.run(0.001)
        again = recorded(self.out)[1]
        self.assertEqual(again["id"].split("@")[0], first + ".s1")
        self.assertEqual(again["entered"], again["due"])
        # By the occurrence's id, and cancelled with its notification.
        daemon.call("Snooze", {"id": first + ".s1", "duration": 60_000_000})
        self.assertEqual(
            daemon.call("Cancel", {"identifiers": ["alarm"]}), {"cancelled": 1, "withdrawn": 0})
        self.assertEqual(daemon.listed(snoozed=True), [])
        for wrong in (0, 999_999, 7 * 86_400_000_000 + 1, 2**63 - 1):
            with self.assertRaises(Refused) as refused:
                daemon.call("Snooze", {"id": "alarm", "duration": wrong})
            self.assertEqual(refused.exception.parameters["field"], "duration")
        self.assertEqual(self.belfry(daemon, "snooze", "alarm", "soon")[0], 2)

    # MARK: Plugins

    def pressing(self, **settings):
        """A daemon with recorder `one` and a presser with these settings."""
        daemon = self.daemon(start=False)
        self.out = {}
        text = "[sound]\nenabled = no\n"
        section, self.out["one"] = recorder_section(daemon.directory, "one")
        self.out["presser"] = os.path.join(daemon.directory, "presser.recorded")
        text += section + f"[plugin:presser]\nfile = {built_plugin(daemon.directory, 'presser')}\n"
        for key, value in {"out": self.out["presser"], **settings}.items():
            text += f"{key} = {value}\n"
        daemon.configure(text)
        daemon.start()
        daemon.call("RegisterSettings", {"settings": self.ALL, "categories": [self.CHAT]})
        return daemon

    def press(self, daemon):
        daemon.schedule(identifier="tea", alertBody="x", category="chat")
        return wait_until(lambda: self.events("presser", "report"))

    def test_D5_a_button_of_a_plugin_reaches_the_app_and_the_other_sinks(self):
        daemon = self.pressing(press="reply", typed="yes")
        app, _ = self.session(daemon)
        self.assertEqual([row["answer"] for row in self.press(daemon)], ["0"])
        self.assertEqual(self.events("presser", "show")[0]["actions"],
                         "reply/24/Send,read/16,delete/7")
        event = app.result()["event"]
        self.assertEqual((event["kind"], event["action"], event["text"]),
                         ("handleAction", "reply", "yes"))
        wait_until(lambda: self.events("one", "withdraw") and self.events("presser", "withdraw"))
        self.assertEqual(self.states(daemon, "tea")["presser"], "activated")

    def test_D5_a_report_from_within_show_counts_too(self):
        daemon = self.pressing(press="", when="early")
        app, _ = self.session(daemon)
        self.press(daemon)
        self.assertEqual(app.result()["event"]["kind"], "activated")

    def test_D11_a_plugin_snoozes_and_it_comes_again(self):
        daemon = self.pressing(press="snooze")
        self.press(daemon)
        wait_until(lambda: self.shown("one") == 2)
        self.assertTrue(self.events("one", "show")[1]["id"].split("@")[0].endswith(".s1"))

    def test_D5_a_locked_sink_has_two_actions_and_may_not_do_all(self):
        daemon = self.pressing(press="delete", context="locked")
        self.press(daemon)
        self.assertEqual(self.events("presser", "show")[0]["actions"], "reply/24/Send,read/16")
        self.assertEqual(self.events("presser", "show")[0]["context"], "2")
        daemon.says("delete asks for who it is")
        self.assertEqual(self.states(daemon, "tea")["one"], "delivered")

    def test_D5_what_a_plugin_was_not_given_it_cannot_act_on(self):
        daemon = self.pressing(press="unknown")
        daemon.schedule(identifier="tea", alertBody="x", category="chat")
        wait_until(lambda: len(self.events("presser", "report")) == 3)
        # Not an id; one that was never shown, which the clock refuses; a report of no user's.
        self.assertEqual([row["answer"] for row in self.events("presser", "report")],
                         ["-1", "0", "-4"])
        daemon.says("it shows no such thing")
        other = self.pressing(press="other")
        self.assertEqual([row["answer"] for row in self.press(other)], ["-1"])
        self.assertEqual(len(other.listed(delivered=True)), 2)

    def test_A2_a_flood_of_reports_harms_nobody(self):
        daemon = self.pressing(press="flood")
        daemon.schedule(identifier="tea", alertBody="x", category="chat")
        wait_until(lambda: len(self.events("presser", "report")) == 3000)
        answers = {row["answer"] for row in self.events("presser", "report")}
        self.assertEqual(answers, {"0", "-3"})
        daemon.schedule(identifier="milk", alertBody="x")
        wait_until(lambda: self.shown("one") == 2)
        self.assertEqual(daemon.call("Dismiss", {"id": "milk"}), {})


class RepeatingSound(DaemonTest):
    """D11, with a device that plays in no time."""

    def sounding(self):
        daemon = self.daemon(start=False)
        config = os.path.join(daemon.directory, "asound.conf")
        with open(config, "w", encoding="utf-8") as file:
            file.write("pcm.!default { type null }\n")
        daemon.configure("")
        return daemon.start(ALSA_CONFIG_PATH=config)

    def row(self, daemon):
        return next((row for row in daemon.history() if row["sink"] == "speaker"), None)

    def belfry(self, daemon, *words):
        return subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)

    def test_D11_a_sound_comes_again_so_often_and_no_more(self):
        daemon = self.sounding()
        done = self.belfry(daemon, "schedule", "--sound", "default", "--repeat-sound", "2",
                           "--id", "bell", "--now")
        self.assertEqual(done.returncode, 0, done.stderr)
        row = wait_until(lambda: self.row(daemon), what="the end of the sound")
        self.assertEqual((row["state"], row["attempts"]), ("delivered", 1))
        self.assertIn("sounded again 2 times", row["reason"])
        for wrong, says in ((11, "1 to 10"), (-1, "1 to 10")):
            with self.assertRaises(Refused) as refused:
                daemon.schedule(soundName="default", repeatSound=wrong)
            self.assertIn(says, refused.exception.parameters["reason"])

    def test_D11_acknowledging_ends_it(self):
        daemon = self.sounding()
        daemon.schedule(identifier="bell", soundName="default", repeatSound=10)
        wait_until(
            lambda: self.belfry(daemon, "dismiss", "bell").returncode == 0, what="its sound")
        row = wait_until(lambda: self.row(daemon))
        self.assertEqual(row["state"], "dismissed")
