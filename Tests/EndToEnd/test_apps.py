"""A1 to A4, D3, S8: apps, their manifests, and several users on one daemon of root's.

Alice and Bob are uids of their own. A raw connection of theirs is made with their effective uid, which
is what the kernel tells the daemon (SO_PEERCRED); `belfry` runs as them with all of their ids.
"""
import contextlib
import json
import math
import os
import pwd
import shutil
import struct
import subprocess
import tempfile
import textwrap
import unittest

from belfry_harness import (
    PATIENCE, Connection, Refused, microseconds, programs, quiet, recorded, recorder_section,
    wait_until)
from stepped import SECOND, SteppedTest
from test_on_time import sleeps

ALICE, BOB, CAROL = 12001, 12002, 12003


@contextlib.contextmanager
def acting_as(uid, groups=()):
    """This process with another effective uid, as far as the kernel is concerned."""
    before = os.getgroups()
    os.setgroups(list(groups))
    os.setegid(uid)
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(before)


def raised(connection, method, parameters=None):
    """The error's name and parameters; None where there was none."""
    try:
        connection.call(method, parameters)
    except Refused as refused:
        return refused.name, refused.parameters
    return None


def in_an_hour(identifier, **more):
    return {"identifier": identifier, "alertBody": identifier, "fireDate": microseconds(3600), **more}


class Apps(SteppedTest):
    def board(self, configuration="", stepped=False, **options):
        """Root's daemon, whose socket every user may open; manifests go by `manifest`."""
        daemon = (self.stepped_daemon if stepped else self.daemon)(
            "[sound]\nenabled = no\n" + configuration, start=False, **options)
        os.chmod(daemon.directory, 0o755)
        os.makedirs(os.path.join(daemon.directory, "apps"), mode=0o755, exist_ok=True)
        return daemon

    def manifest(self, daemon, app, text, mode=0o644):
        path = os.path.join(daemon.directory, "apps", app + ".app")
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.write("[app]\n" + textwrap.dedent(text))
        os.chmod(path + ".new", mode)
        os.rename(path + ".new", path)
        return path

    def remove_manifest(self, daemon, app):
        os.remove(os.path.join(daemon.directory, "apps", app + ".app"))

    def connection(self, daemon, uid, groups=()):
        with acting_as(uid, groups):
            connection = Connection(daemon.socket)
        self.addCleanup(connection.close)
        return connection

    def belfry(self, daemon, *words, uid=None, **options):
        """belfry's exit status and what it said on both streams, run as a user."""
        if uid is not None:
            options.update(user=uid, group=uid, extra_groups=[])
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False, cwd="/",
            env={"PATH": "/usr/bin:/bin"}, **options)
        return done.returncode, done.stdout + done.stderr

    def app(self, daemon, app):
        rows = daemon.call("Apps", {"app": app})["apps"]
        return rows[0] if rows else None

    def until(self, daemon, app, **expected):
        """Waits until an app's row says this."""
        def row():
            found = self.app(daemon, app) or {}
            return all(found.get(name) == value for name, value in expected.items())
        wait_until(row, what=f"{app} {expected}")


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class Users(Apps):
    """A1: what one schedules, another cannot see, change, cancel, act on or exhaust."""

    METHODS = [
        ("Schedule", {"notification": in_an_hour("secret")}),
        ("PresentNow", {"notification": {"alertBody": "x"}}),
        ("Cancel", {"identifiers": ["secret"]}),
        ("Cancel", {"equal": {"alertBody": "secret"}}),
        ("CancelAll", {}),
        ("ReplaceAll", {"notifications": [], "final": True}),
        ("List", {}), ("List", {"delivered": True}), ("History", {}),
        ("Next", {"identifier": "secret"}),
        ("Badge", {}), ("SetBadge", {"badge": 0}),
        ("StopSound", {}), ("Test", {}), ("Apps", {}),
        ("RegisterSettings", {"settings": {"alert": False, "badge": False, "sound": False},
                              "categories": []}),
        ("Settings", {}),
        ("Act", {"id": "secret", "action": None, "text": None}), ("Dismiss", {"id": "secret"}),
        ("Snooze", {"id": "secret", "duration": 60_000_000}),
    ]

    def known(self, daemon):
        """The interface's methods, so that those of later builds are not asked for."""
        with daemon.connect() as connection:
            text = connection.call(
                "org.varlink.service.GetInterfaceDescription",
                {"interface": "io.belfry.Scheduler"})["description"]
        return [word for word, _ in self.METHODS if f"method {word}(" in text]

    def test_A1_nobody_else_sees_changes_cancels_or_acts(self):
        daemon = self.board().start()
        known = self.known(daemon)
        self.assertGreater(len(set(known)), 12)
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, BOB)
        apps = ["org.example.clock", f"user.{ALICE}"]
        for app in apps:
            alice.call("Schedule", {"app": app, "notification": in_an_hour("secret")})
            alice.call("PresentNow", {"app": app, "notification": {"alertBody": "shown"}})
            alice.call("SetBadge", {"app": app, "badge": 5})

        def everything():
            return [[alice.call(method, {"app": app}) for method in ("List", "Badge", "Settings")
                     if method in known or method == "List"] for app in apps]
        before = everything()
        for app in apps:
            for method, parameters in self.METHODS:
                if method not in known:
                    continue
                self.assertEqual(
                    raised(bob, method, {**parameters, "app": app}), ("NotOwner", {"app": app}),
                    f"{method} on {app}")
        for method, key in (("List", "notifications"), ("History", "deliveries"), ("Apps", "apps")):
            self.assertEqual(bob.call(method)[key], [], method)
        self.assertEqual(raised(bob, "TrustClock")[0], "NotPermitted")
        self.assertEqual(everything(), before)
        # Root sees and may do everything.
        with daemon.connect() as root:
            self.assertEqual(len(root.call("List")["notifications"]), 2)
            self.assertEqual(root.call("Cancel", {"app": apps[0], "identifiers": ["secret"]})
                             ["cancelled"], 1)
        # So it is after a kill.
        daemon.kill()
        daemon.start()
        bob = self.connection(daemon, BOB)
        self.assertEqual(raised(bob, "List", {"app": apps[0]})[0], "NotOwner")
        self.assertEqual(raised(bob, "Schedule", {"app": apps[0], "notification": in_an_hour("a")})
                         [0], "NotOwner")

    def test_A1_a_session_is_its_users_alone(self):
        daemon = self.board().start()
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, BOB)
        parameters = {"app": "org.example.clock", "state": "foreground"}
        alice.send("OpenSession", parameters, more=True)
        session = alice.result()["session"]
        bob.send("OpenSession", parameters, more=True)
        with self.assertRaises(Refused) as refused:
            bob.result()
        self.assertEqual(refused.exception.name, "NotOwner")
        for method, more in (("SetState", {"state": "background"}), ("Complete", {"event": 1})):
            self.assertEqual(
                raised(bob, method, {"session": session, **more})[0], "UnknownSession", method)
        # Still in the foreground: it is asked, and nobody else hears of it.
        other = self.connection(daemon, ALICE)
        other.send("Schedule", {"app": "org.example.clock", "notification": {
            "identifier": "a", "alertBody": "a", "fireDate": microseconds(0.2)}})
        event = alice.result()["event"]
        self.assertEqual((event["kind"], event["notification"]["identifier"]), ("received", "a"))

    def test_A1_watching_tells_of_ones_own(self):
        daemon = self.board().start()
        watchers = {}
        for who, uid in (("alice", ALICE), ("bob", BOB), ("root", 0)):
            watchers[who] = self.connection(daemon, uid)
            watchers[who].send("Watch", {}, more=True)
            watchers[who].result()
        # Bob may name the app all the same: there is nothing for him in it.
        watchers["spy"] = self.connection(daemon, BOB)
        watchers["spy"].send("Watch", {"app": "org.example.clock"}, more=True)
        watchers["spy"].result()
        for uid, app in ((ALICE, "org.example.clock"), (BOB, "org.example.bell")):
            self.connection(daemon, uid).call(
                "PresentNow", {"app": app, "notification": {"alertBody": "x", "identifier": app}})
        for who, wanted in (("alice", ["org.example.clock"]), ("bob", ["org.example.bell"]),
                            ("root", ["org.example.clock", "org.example.bell"])):
            for app in wanted:
                self.assertEqual(watchers[who].result()["event"]["app"], app, who)
        for who in ("alice", "bob", "spy"):
            watchers[who].socket.settimeout(0.2)
            with self.assertRaises(TimeoutError, msg=who):
                watchers[who].receive()

    def test_A1_A2_nobody_exhausts_what_is_anothers(self):
        daemon = self.board(
            "[limits]\nsessions = 8\nrequestsPerSecond = 300\nnotifications = 10\nonFull = discard\n",
            stepped=True).start()
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, BOB)
        alice.call("Schedule", {"notification": in_an_hour("hers")})
        # As many apps as he may have, as full as they can be.
        for number in range(32):
            for index in range(3):
                bob.call("Schedule", {"app": f"bob.{number}",
                                      "notification": in_an_hour(f"{index}")})
        self.assertEqual(
            raised(bob, "Schedule", {"app": "bob.32", "notification": in_an_hour("a")}),
            ("LimitReached", {"limit": "apps", "value": 32}))
        for number in range(20):
            bob.call("Schedule", {"app": "bob.0", "notification": in_an_hour(f"full {number}")})
        self.assertEqual(len(bob.call("List", {"app": "bob.0"})["notifications"]), 10)
        # As many connections as he may have.
        others, refused = [bob], None
        while refused is None and len(others) < 200:
            others.append(self.connection(daemon, BOB))
            with contextlib.suppress(BrokenPipeError):
                # It may have been refused already.
                others[-1].send("Badge")
            refused = others[-1].receive().get("parameters", {}).get("limit")
            daemon.clock.move(SECOND)
        self.assertEqual(refused, "connections")
        # As many calls as he may make.
        for _ in range(500):
            bob.send("Badge")
        replies = [bob.receive() for _ in range(500)]
        self.assertIn("io.belfry.Scheduler.LimitReached", [row.get("error") for row in replies])
        # Nothing of that is hers.
        another = self.connection(daemon, ALICE)
        self.assertEqual(
            [row["notification"]["identifier"] for row in another.call("List")["notifications"]],
            ["hers"])
        self.assertTrue(another.call(
            "Schedule", {"app": "bob.32", "notification": in_an_hour("b")})["scheduled"])

    def fill(self, daemon, uid, most=1000):
        """As many connections of a user's as are served."""
        served = []
        with acting_as(uid):
            while len(served) < most:
                connection = Connection(daemon.socket)
                with contextlib.suppress(BrokenPipeError):
                    connection.send("Badge")
                if "error" in connection.receive():
                    connection.close()
                    break
                served.append(connection)
                self.addCleanup(connection.close)
        return served

    def test_A1_no_few_users_can_have_all_connections(self):
        daemon = self.board().start()
        hogs = {uid: self.fill(daemon, uid) for uid in range(13000, 13012)}
        self.assertEqual([len(served) for served in hogs.values()][:3], [192, 48, 12])
        # Who comes now works as if nobody else were there; so does root, with as many as it likes.
        for uid in (ALICE, BOB, CAROL):
            own = self.fill(daemon, uid, 8)
            self.assertEqual(len(own), 8)
            self.assertEqual(self.fill(daemon, uid), [])
            own[0].call("Schedule", {"notification": in_an_hour("a")})
            own[1].send("OpenSession", {"state": "background"}, more=True)
            self.assertIn("session", own[1].result())
            self.assertEqual(len(own[7].call("List")["notifications"]), 1)
        self.assertEqual(len(self.fill(daemon, 0, 100)), 100)
        # They lost what they had too much, the newest first, and were told by which limit.
        first = hogs[13000]
        self.assertIn("badge", first[0].call("Badge"))
        self.assertIn("LimitReached", first[-1].receive()["error"])
        self.assertIn("badge", hogs[13002][-1].call("Badge"))
        daemon.says("uid 13000 has 192 of 256 connections")

    def test_A1_D9_a_users_flood_leaves_what_is_anothers(self):
        """His history and hers are kept apart, and so is what waits at a sink that is down."""
        daemon = self.board("[limits]\nhistory = 64\n")
        section, out = recorder_section(daemon.directory, "one")
        daemon.configure("[sound]\nenabled = no\n[limits]\nhistory = 64\n" + section)
        daemon.start()
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, BOB)
        alice.call("PresentNow", {"notification": {"identifier": "hers", "alertBody": "x"}})
        wait_until(lambda: [row for row in alice.call("History")["deliveries"]
                            if row["state"] == "delivered"])
        for turn in range(10):
            for number in range(50):
                bob.send("PresentNow", {"notification": {
                    "identifier": f"{turn}-{number}", "alertBody": "x"}})
            for _ in range(50):
                bob.result()
        wait_until(lambda: len(recorded(out)) == 501)
        self.assertLessEqual(len(daemon.history()), 64)
        self.assertGreater(len(bob.call("History")["deliveries"]), 10)
        self.assertEqual([row["identifier"] for row in alice.call("History")["deliveries"]], ["hers"])
        # It is shown, and hers to put away.
        alice.call("Dismiss", {"id": "hers"})
        wait_until(lambda: [row for row in recorded(out, ("withdraw",))], what="the withdrawal")

    def test_A1_belfry_as_other_users(self):
        daemon = self.board().start()
        said = self.belfry(daemon, "schedule", "--id", "secret", "--app", "org.example.clock",
                           "--body", "hers", "--in", "1h", uid=ALICE)
        self.assertEqual(said[0], 0, said)
        self.assertEqual(
            self.belfry(daemon, "schedule", "--id", "own", "--body", "hers", "--in", "1h",
                        uid=ALICE)[0], 0)
        for words in (["list"], ["history"], ["app", "list"]):
            status, text = self.belfry(daemon, *words, uid=BOB)
            self.assertEqual(status, 0, text)
            self.assertNotIn("example", text)
        for words in (["list"], ["next", "secret"], ["cancel", "secret"], ["cancel", "--all"],
                      ["badge"], ["badge", "4"], ["app", "show", "org.example.clock"],
                      ["schedule", "--body", "x", "--now"]):
            given = words if words[0] == "app" else [*words, "--app", "org.example.clock"]
            status, text = self.belfry(daemon, *given, uid=BOB)
            self.assertEqual(status, 1, f"{words}: {text}")
            self.assertIn("another user", text, words)
        status, text = self.belfry(daemon, "list", "--json", uid=ALICE)
        rows = [json.loads(line) for line in text.splitlines()]
        self.assertEqual(sorted(row["identifier"] for row in rows), ["own", "secret"])
        status, text = self.belfry(daemon, "app", "show", "org.example.clock", uid=ALICE)
        self.assertIn(f"{ALICE}", text)

    def own_view(self, daemon, uid, **options):
        return self.connection(daemon, uid, **options).call("Status")["status"]

    def test_R5_a_stranger_learns_no_place_and_nobodys_next_alarm(self):
        daemon = self.board(
            "[access]\ngroup = 12999\n[app:org.example.map]\nlocation = yes\n"
            "[plugin:gone]\nfile = /nowhere/secret.so\n").start()
        alice = self.connection(daemon, ALICE)
        alice.call("Schedule", {"app": "org.example.clock", "notification": in_an_hour("a")})
        daemon.call("Fix", {"latitude": 48.137, "longitude": 11.575})
        daemon.call("Schedule", {"app": "root", "notification": {
            "alertBody": "x", "region": {"latitude": 1.0, "longitude": 1.0, "radius": 100.0}}})
        wait_until(lambda: daemon.call("Status")["status"]["plugins"][0]["state"] == "quarantined",
                   what="the plugin's quarantine")
        bob = self.own_view(daemon, BOB)
        self.assertEqual(
            sorted(bob),
            sorted(["actions", "apps", "clock", "held", "late", "pid", "plugins", "scheduled",
                    "scope", "sessions", "socket", "upSeconds", "version", "zone"]))
        self.assertEqual(
            [bob[name] for name in ("scope", "scheduled", "apps", "sessions", "actions", "held")],
            ["own", 0, 0, 0, 0, 0])
        self.assertEqual(bob["plugins"], [{"name": "gone", "state": "quarantined"}])
        hers = self.own_view(daemon, ALICE)
        self.assertEqual((hers["scheduled"], hers["nextMode"]), (1, "absolute"))
        self.assertNotIn("location", hers)
        # An app of his that is allowed to know makes him one who may.
        bobs = self.connection(daemon, BOB)
        bobs.call("Schedule", {"app": "org.example.map", "notification": in_an_hour("b")})
        bob = self.own_view(daemon, BOB)
        self.assertEqual(
            (bob["location"]["latitude"], bob["location"]["regions"]), (48.137, 0))
        for view in (daemon.call("Status")["status"],
                     self.own_view(daemon, CAROL, groups=[12999])):
            self.assertEqual((view["scope"], view["scheduled"]), ("board", 3))
            self.assertEqual(view["location"]["regions"], 1)
            self.assertIn("secret.so", view["plugins"][0]["file"])
            self.assertIn("reason", view["plugins"][0])

    def test_R5_the_command_line_of_a_stranger_says_what_it_does_not_see(self):
        daemon = self.board("[plugin:gone]\nfile = /nowhere/secret.so\n").start()
        alice = self.connection(daemon, ALICE)
        alice.call("Schedule", {"app": "org.example.clock", "notification": in_an_hour("a")})
        wait_until(lambda: daemon.call("Status")["status"]["plugins"][0]["state"] == "quarantined",
                   what="the plugin's quarantine")
        for words in (["status"], ["status", "--json"], ["plugin", "list"], ["doctor"],
                      ["doctor", "--json"], ["app", "list"], ["history"], ["list"]):
            _, text = self.belfry(daemon, *words, uid=BOB)
            for secret in ("secret", "org.example", '"nextDue":"', "next due", '"manifestProblems":['):
                self.assertNotIn(secret, text, words)
            self.assertNotIn("Fatal", text)
        status, text = self.belfry(daemon, "doctor", uid=BOB)
        self.assertEqual(status, 1, text)
        self.assertRegex(text, r"warn  scope .* own notifications alone.* → ask again as root")
        self.assertRegex(text, r"warn  config +no right to look at .*belfry\.conf")
        self.assertRegex(text, r"fail  sink +gone is quarantined")
        self.assertNotRegex(text, r"books +no ")
        _, text = self.belfry(daemon, "doctor")
        self.assertNotIn("scope", text)
        status, text = self.belfry(daemon, "status", uid=ALICE)
        self.assertEqual(status, 0, text)
        self.assertRegex(text, r"(?m)^scheduled +1$")
        self.assertRegex(text, r"(?m)^next due +in (\d+ min|1 h)")

    def test_A1_the_operators_group_may_do_what_root_may(self):
        daemon = self.board("[access]\ngroup = 12999\n").start()
        alice = self.connection(daemon, ALICE)
        alice.call("Schedule", {"app": "org.example.clock", "notification": in_an_hour("a")})
        carol = self.connection(daemon, CAROL, groups=[12999])
        self.assertEqual(len(carol.call("List")["notifications"]), 1)
        self.assertEqual(carol.call("Apps")["apps"][0]["owner"], ALICE)
        self.assertEqual(
            carol.call("Cancel", {"app": "org.example.clock", "identifiers": ["a"]})["cancelled"], 1)
        # What she schedules there is Alice's still.
        carol.call("Schedule", {"app": "org.example.clock", "notification": in_an_hour("b")})
        self.assertEqual(len(alice.call("List")["notifications"]), 1)


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class Manifests(Apps):
    def test_A1_an_id_belongs_to_whom_its_manifest_names(self):
        daemon = self.board()
        self.manifest(daemon, "org.example.clock", f"name = Clock\nuser = {ALICE}\n")
        daemon.start()
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, BOB)
        schedule = ("Schedule", {"app": "org.example.clock", "notification": in_an_hour("a")})
        self.assertEqual(raised(bob, *schedule)[0], "NotOwner")
        self.assertIsNone(raised(alice, *schedule))
        self.assertEqual(bob.call("Apps")["apps"], [])
        row = alice.call("Apps")["apps"][0]
        self.assertEqual((row["name"], row["owner"], row["scheduled"]), ("Clock", ALICE, 1))

    def test_A1_manifests_are_read_again_while_it_runs(self):
        daemon = self.board().start()
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, BOB)
        for number in range(5):
            alice.call("Schedule", {"app": "clock", "notification": in_an_hour(f"{number}")})
        self.manifest(daemon, "clock", "name = Clock\nnotifications = 2\nonFull = discard\n")
        self.until(daemon, "clock", name="Clock", notifications=2, owner=ALICE, scheduled=5)
        # The limit is judged at scheduling (N17).
        alice.call("Schedule", {"app": "clock", "notification": in_an_hour("6")})
        self.manifest(daemon, "clock", f"name = Clock\nuser = {BOB}\n")
        self.until(daemon, "clock", owner=BOB, scheduled=0, notifications=512)
        daemon.says(f"what user {ALICE} had in it is gone")
        self.assertEqual(raised(alice, "List", {"app": "clock"})[0], "NotOwner")
        for method, key in (("List", "notifications"), ("History", "deliveries")):
            self.assertEqual(bob.call(method, {"app": "clock"})[key], [])
        bob.call("Schedule", {"app": "clock", "notification": in_an_hour("his")})
        self.remove_manifest(daemon, "clock")
        self.until(daemon, "clock", name=None, owner=BOB, scheduled=1)
        daemon.kill()
        daemon.start()
        alice = self.connection(daemon, ALICE)
        self.assertEqual(raised(alice, "List", {"app": "clock"})[0], "NotOwner")
        self.assertEqual(self.app(daemon, "clock")["scheduled"], 1)

    def test_A2_the_operators_section_stands_above_the_manifest(self):
        daemon = self.board("[limits]\nnotifications = 9\n[app:clock]\nnotifications = 3\n"
                            "onFull = refuse\n")
        self.manifest(daemon, "clock", "notifications = 5\nonFull = discard\nregions = 4\n"
                                       "allowed = alert\nlocation = yes\n")
        self.manifest(daemon, "bell", "notifications = 5\nonFull = discard\n")
        daemon.start()
        self.until(daemon, "clock", notifications=3, regions=4, location=True,
                   allowed={"alert": True, "badge": False, "sound": False})
        for app, most in (("clock", 3), ("bell", 5), ("plain", 9)):
            with daemon.connect() as connection:
                refused = [raised(connection, "Schedule", {
                    "app": app, "notification": in_an_hour(f"{number}")}) for number in range(12)]
                rows = connection.call("List", {"app": app})["notifications"]
            self.assertEqual(len(rows), most, app)
            self.assertEqual(any(refused), app != "bell", app)

    def test_A3_A4_a_bad_manifest_is_named_and_disturbs_nothing(self):
        daemon = self.board()
        os.makedirs(os.path.join(daemon.directory, "apps", "folder.app"))
        os.symlink("/etc/passwd", os.path.join(daemon.directory, "apps", "link.app"))
        bad = {
            "keys": ("colour = red\n", 0o644, "keys.app:2: [app] colour is no key"),
            "relative": ("name = x\nexecutable = bin/clock\n", 0o644,
                         "relative.app:3: [app] executable = bin/clock: is a whole path"),
            "group": ("name = x\n", 0o664, "group.app can be written by others"),
            "others": ("name = x\n", 0o646, "others.app can be written by others"),
            "both": ("executable = /bin/true\nunit = a.service\n", 0o644, "one of executable and"),
            "noone": ("user = nobody-here\n", 0o644, "noone.app:2: [app] user = nobody-here"),
            "often": ("launchForPush = often\n", 0o644, "often.app:2: [app] launchForPush is yes or no"),
            f"user.{ALICE}": (f"user = {BOB}\n", 0o644, f"is user {ALICE}'s for ever"),
            "control": ("name = \x07\n", 0o644, "control.app:2: a control character"),
        }
        for app, (text, mode, _) in bad.items():
            self.manifest(daemon, app, text, mode)
        self.manifest(daemon, "good", "name = Good\n")
        stranger = self.manifest(daemon, "stranger", "name = x\n")
        os.chown(stranger, ALICE, ALICE)
        with open(self.manifest(daemon, "long", ""), "a", encoding="ascii") as file:
            file.write("#" * 70_000)
        daemon.start()
        wanted = {app: says for app, (_, _, says) in bad.items()}
        wanted.update(stranger=f"belongs to user {ALICE}", long="is longer than 64 KiB",
                      folder="is not a file", link="is a symbolic link")
        status = daemon.call("Status")["status"]
        for app, says in wanted.items():
            row = self.app(daemon, app)
            self.assertEqual(len(row["problems"]), 1, row)
            self.assertIn(says, row["problems"][0])
            self.assertIsNone(row.get("name"), row)
            daemon.says(row["problems"][0])
            self.assertIn(row["problems"][0], status["manifestProblems"])
        # Until it is mended its id is for nobody who has not got it, or for whom it names (A1).
        alice = self.connection(daemon, ALICE)
        for app, error in (("keys", "NotOwner"), ("noone", "NotOwner"), ("elsewhere", None)):
            refused = raised(alice, "Schedule", {"app": app, "notification": in_an_hour("a")})
            self.assertEqual(refused and refused[0], error, app)
        self.assertEqual((self.app(daemon, "good")["name"], self.app(daemon, "good")["problems"]),
                         ("Good", []))
        # Mended one by one, while it runs.
        os.chmod(os.path.join(daemon.directory, "apps", "group.app"), 0o644)
        self.until(daemon, "group", name="x", problems=[])
        self.manifest(daemon, "keys", "name = Keys\n")
        self.until(daemon, "keys", name="Keys", problems=[])
        # And broken: what was read before still holds.
        self.manifest(daemon, "keys", f"name = Other\nuser = {BOB}\nnonsense\n")
        wait_until(lambda: self.app(daemon, "keys")["problems"])
        row = self.app(daemon, "keys")
        self.assertEqual((row["name"], row.get("owner")), ("Keys", None))
        self.assertTrue(daemon.schedule(**in_an_hour("a"))["scheduled"])
        status, text = self.belfry(daemon, "doctor")
        self.assertEqual(status, 1)
        self.assertIn("relative.app:3", text)

    def test_A3_a_folder_that_others_can_write_is_not_read(self):
        daemon = self.board()
        folder = os.path.join(daemon.directory, "apps")
        self.manifest(daemon, "clock", "name = Clock\n")
        os.chmod(folder, 0o777)
        daemon.start()
        self.assertIsNone(self.app(daemon, "clock"))
        daemon.says("no manifest in it is loaded")
        os.chmod(folder, 0o755)
        self.until(daemon, "clock", name="Clock")

    def test_A1_a_manifest_in_a_users_folder_counts_for_that_user_only(self):
        folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        daemon = self.board(directory=folder)
        self.manifest(daemon, "mine", "name = Mine\n")
        self.manifest(daemon, "his", f"name = His\nuser = {BOB}\n")
        for path, _, files in os.walk(folder):
            for name in [path, *(os.path.join(path, name) for name in files)]:
                os.chown(name, ALICE, ALICE)
        daemon.prefix = ("setpriv", f"--reuid={ALICE}", f"--regid={ALICE}", "--clear-groups")
        daemon.start()
        self.assertEqual(self.app(daemon, "mine")["owner"], ALICE)
        row = self.app(daemon, "his")
        self.assertIn("counts for him alone", row["problems"][0])
        self.assertIsNone(row.get("name"))

    @quiet
    def test_T12_manifests_that_rest_wake_nobody(self):
        daemon = self.board()
        self.manifest(daemon, "clock", "name = Clock\n")
        daemon.start()
        self.until(daemon, "clock", name="Clock")

        def writes():
            # What is no manifest is none of its business, but for the look that tells.
            with open(os.path.join(daemon.directory, "elsewhere"), "w", encoding="ascii") as file:
                file.write("x")
        self.assertEqual(sleeps(2, daemon.process.pid, meanwhile=writes), set())

    def test_S8_the_sound_folder_of_an_app_comes_first(self):
        daemon = self.board()
        folder = daemon.directory
        daemon.configure("[sound]\ndevice = capture\n")
        with open(os.path.join(folder, "asound.conf"), "w", encoding="ascii") as file:
            file.write(f'pcm.capture {{ type file slave.pcm {{ type null }} '
                       f'file "{folder}/capture" format raw }}\n')
        daemon.environment["ALSA_CONFIG_PATH"] = os.path.join(folder, "asound.conf")
        for name, level in (("sounds", 1000), ("first", 2000), ("second", 3000)):
            os.makedirs(os.path.join(folder, name), exist_ok=True)
            samples = b"".join(struct.pack("<h", int(level * math.sin(i * 0.3)))
                               for i in range(800))
            head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 16000, 2, 16)
            body = b"WAVE" + head + struct.pack("<4sI", b"data", len(samples)) + samples
            with open(os.path.join(folder, name, "bell.wav"), "wb") as file:
                file.write(struct.pack("<4sI", b"RIFF", len(body)) + body)
        daemon.start()

        def loudest(identifier):
            capture = os.path.join(folder, "capture")
            if os.path.exists(capture):
                os.truncate(capture, 0)
            daemon.call("PresentNow", {"app": "clock", "notification": {
                "identifier": identifier, "soundName": "bell.wav"}})
            wait_until(lambda: [row for row in daemon.history(app="clock")
                                if row["identifier"] == identifier
                                and row["state"] == "delivered"], what=identifier)
            with open(capture, "rb") as file:
                data = file.read()
            return max(abs(value) for (value,) in struct.iter_unpack("<h", data[:len(data) & ~1]))

        self.assertAlmostEqual(loudest("without"), 1000, delta=60)
        self.manifest(daemon, "clock", f"soundFolder = {folder}/first\n")
        self.until(daemon, "clock", manifest=f"{folder}/apps/clock.app")
        self.assertAlmostEqual(loudest("first"), 2000, delta=60)
        self.manifest(daemon, "clock", f"soundFolder = {folder}/second\nname = Second\n")
        self.until(daemon, "clock", name="Second")
        self.assertAlmostEqual(loudest("second"), 3000, delta=60)

    def test_A1_app_list_and_show(self):
        daemon = self.board()
        self.manifest(daemon, "org.example.clock",
                      f"name = Clock\nuser = {ALICE}\nexecutable = /usr/bin/true\nlanguage = de\n"
                      "allowed = alert badge\n")
        daemon.start()
        self.assertEqual(self.belfry(daemon, "app", "list", uid=BOB), (0, "no apps yet\n"))
        status, text = self.belfry(daemon, "app", "list", "--json", uid=ALICE)
        row = json.loads(text)
        self.assertEqual(
            {key: row[key] for key in ("app", "name", "owner", "launch", "language", "scheduled",
                                       "badge", "sessions", "problems")},
            {"app": "org.example.clock", "name": "Clock", "owner": ALICE,
             "launch": "/usr/bin/true", "language": "de", "scheduled": 0, "badge": 0,
             "sessions": 0, "problems": []})
        self.assertEqual(row["allowed"], {"alert": True, "badge": True, "sound": False})
        status, text = self.belfry(daemon, "app", "show", "org.example.clock")
        self.assertEqual(status, 0)
        for words in ("Clock", "/usr/bin/true", "alert, badge", "apps/org.example.clock.app"):
            self.assertIn(words, text)
        status, text = self.belfry(daemon, "app", "show", "org.example.nobody")
        self.assertEqual((status, len(text.splitlines())), (1, 1))
        self.assertIn("nobody has used", text)
        # Pages, as every list has them.
        for number in range(40):
            daemon.call("Schedule", {"app": f"a{number:02}", "notification": in_an_hour("x")})
        with daemon.connect() as connection:
            rows = [row for page in connection.stream("Apps") for row in page["apps"]]
            page = connection.call("Apps", {"limit": 10})
            rest = connection.call("Apps", {"limit": 50, "cursor": page["cursor"]})
        self.assertEqual(len(rows), 41)
        self.assertEqual(page["apps"] + rest["apps"], rows)
        self.assertNotIn("cursor", rest)


# An app that runs as nothing but a manifest says: notes what it finds itself to be, opens its session,
# notes the first event, and ends.
PROGRAM = """#!/usr/bin/python3
import json, os, socket
found = {"pid": os.getpid(), "uids": os.getresuid(), "gids": os.getresgid(),
         "groups": os.getgroups(), "session": os.getsid(0), "environment": dict(os.environ),
         "descriptors": [name for name in os.listdir("/proc/self/fd")
                         if os.path.exists("/proc/self/fd/" + name)],
         "output": os.readlink("/proc/self/fd/1"), "folder": os.getcwd()}
belfry = socket.socket(socket.AF_UNIX)
belfry.connect(os.environ["BELFRY_SOCKET"])
belfry.sendall(json.dumps({"method": "io.belfry.Scheduler.OpenSession", "more": True, "parameters":
    {"app": os.environ["BELFRY_APP"], "state": "foreground"}}).encode() + bytes(1))
replies = b""
while replies.count(0) < 2:
    replies += belfry.recv(65536)
found["event"] = json.loads(replies.split(bytes(1))[1])["parameters"]["event"]
with open(ROOM + "/found.new", "w") as file:
    json.dump(found, file)
os.rename(ROOM + "/found.new", ROOM + "/found")
"""


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class Launching(Apps):
    APP = "org.example.clock"
    USER = pwd.getpwnam("daemon")

    def showing(self, text, app=APP, uid=None):
        """A daemon with a manifest, and a connection of the app's user whose alert is shown."""
        daemon = self.board()
        section, _ = recorder_section(daemon.directory, "one")
        daemon.configure("[sound]\nenabled = no\n" + section)
        if text is not None:
            self.manifest(daemon, app, text)
        daemon.start(NOTIFY_SOCKET="", SECRET_OF_ROOT="1")
        connection = self.connection(daemon, self.USER.pw_uid if uid is None else uid)
        connection.call("PresentNow", {"app": app, "notification": {
            "identifier": "a", "alertBody": "wake up", "userInfo": {"room": 7}}})
        wait_until(lambda: connection.call("List", {"app": app, "delivered": True})
                   ["notifications"])
        return daemon, connection

    def program(self, text=PROGRAM):
        """A program that notes things in a room of its user's; its path and the room's."""
        room = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, room, ignore_errors=True)
        path = room + ".program"
        self.addCleanup(os.remove, path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("ROOM", repr(room)))
        os.chmod(path, 0o755)
        os.chown(room, self.USER.pw_uid, self.USER.pw_gid)
        return path, room

    def act(self, connection, app=APP):
        connection.call("Act", {"app": app, "id": "a", "action": None, "text": None})

    def outcome(self, daemon, app=APP):
        """The history's row of the app itself."""
        def row():
            rows = [row for row in daemon.history(app=app) if row["sink"] == "app"]
            return rows[-1] if rows else None
        return wait_until(row, what="a row of the app")

    def test_D3_an_app_that_does_not_run_is_started_as_its_user(self):
        path, room = self.program()
        daemon, connection = self.showing(
            f"name = Clock\nuser = daemon\nexecutable = {path}\n")
        self.act(connection)
        wait_until(lambda: os.path.exists(room + "/found"), what="the program")
        with open(room + "/found", encoding="utf-8") as file:
            found = json.load(file)
        user = self.USER
        self.assertEqual(found["uids"], [user.pw_uid] * 3)
        self.assertEqual(found["gids"], [user.pw_gid] * 3)
        self.assertEqual(set(found["groups"]), set(os.getgrouplist(user.pw_name, user.pw_gid)))
        self.assertEqual(found["session"], found["pid"])
        self.assertEqual(found["folder"], user.pw_dir)
        self.assertEqual(sorted(found["descriptors"]), ["0", "1", "2"])
        self.assertEqual(found["output"], "/dev/null")
        environment = found["environment"]
        self.assertEqual(environment["BELFRY_SOCKET"], daemon.socket)
        self.assertEqual(environment["BELFRY_APP"], self.APP)
        self.assertEqual(environment["HOME"], user.pw_dir)
        self.assertEqual(environment["USER"], "daemon")
        allowed = {"BELFRY_SOCKET", "BELFRY_APP", "PATH", "HOME", "USER", "LOGNAME", "SHELL",
                   "LANG", "TZ", "XDG_RUNTIME_DIR", "LC_CTYPE"}
        self.assertEqual(
            [name for name in environment if name not in allowed and name[:3] != "LC_"], [])
        self.assertEqual(found["event"]["kind"], "launch")
        self.assertEqual(found["event"]["notification"]["userInfo"], {"room": 7})
        row = self.outcome(daemon)
        self.assertEqual((row["state"], row.get("reason")), ("received", "launch"))
        # It is reaped when it ends.
        wait_until(lambda: not os.path.exists(f"/proc/{found['pid']}"), what="its end")

    def test_D3_an_app_that_cannot_be_started_has_a_reason_in_the_history(self):
        writable, plain = self.program()[0], self.program()[0]
        os.chmod(writable, 0o777)
        os.chmod(plain, 0o644)
        for text, says in (
                ("user = daemon\nexecutable = /no/such/program\n", "No such file"),
                (f"user = daemon\nexecutable = {plain}\n", "is not executable"),
                (f"user = daemon\nexecutable = {writable}\n", "can be written by others"),
                ("user = daemon\n", "neither an executable nor a unit")):
            daemon, connection = self.showing(text)
            self.act(connection)
            row = self.outcome(daemon)
            self.assertEqual(row["state"], "failed", text)
            self.assertIn(says, row["reason"])
            daemon.stop()

    @unittest.skipIf(os.path.exists("/run/systemd/system"), "systemd runs here")
    def test_D3_without_systemd_a_unit_is_not_started_and_doctor_says_so(self):
        daemon, connection = self.showing("user = daemon\nunit = clock.service\n")
        self.act(connection)
        row = self.outcome(daemon)
        self.assertEqual(row["state"], "failed")
        self.assertRegex(row["reason"], "systemd|systemctl")
        _, text = self.belfry(daemon, "doctor")
        self.assertIn("executables of manifests are started as any user", text)
        self.assertIn("units of manifests are not started: ", text)

    def test_A1_a_daemon_of_a_users_own_starts_programs_as_him_alone(self):
        path, room = self.program()
        user = self.USER.pw_uid
        folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        daemon = self.board(directory=folder)
        section, _ = recorder_section(folder, "one")
        daemon.configure("[sound]\nenabled = no\n" + section)
        self.manifest(daemon, self.APP, f"executable = {path}\n")
        for place, _, files in os.walk(folder):
            for name in [place, *(os.path.join(place, name) for name in files)]:
                os.chown(name, user, self.USER.pw_gid)
        daemon.prefix = ("setpriv", f"--reuid={user}", f"--regid={self.USER.pw_gid}",
                         "--clear-groups")
        daemon.start()
        connection = self.connection(daemon, user)
        connection.call("PresentNow", {"app": self.APP, "notification": {
            "identifier": "a", "alertBody": "wake up"}})
        wait_until(lambda: connection.call("List", {"app": self.APP, "delivered": True})
                   ["notifications"])
        self.act(connection)
        wait_until(lambda: os.path.exists(room + "/found"), what="the program")
        with open(room + "/found", encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual(found["uids"], [user] * 3)
        self.assertEqual(sorted(found["descriptors"]), ["0", "1", "2"])


if __name__ == "__main__":
    unittest.main()
