"""D1 to D4, A1, A2: apps with sessions open, through the socket of the real daemon."""
import json
import os
import signal
import socket
import sys
import threading
import time
import unittest

import varlink

from belfry_harness import (
    INTERFACE, Connection, Refused, as_user, microseconds, recorded, recorder_section, wait_until)
from stepped import NEVER, SteppedTest, family


class Session:
    """An open session, and the connection for what its app says."""

    def __init__(self, daemon, state="foreground", app=None):
        self.daemon = daemon
        self.connection = daemon.connect()
        self.app = {"app": app} if app else {}
        self.connection.send("OpenSession", {"state": state, **self.app}, more=True)
        first = self.connection.receive()
        if "error" in first:
            self.connection.close()
            raise Refused(first["error"], first.get("parameters", {}))
        assert first["continues"], first
        self.number = first["parameters"]["session"]
        self.waiting = first["parameters"]["waiting"]

    def event(self):
        """The next event."""
        reply = self.connection.receive()
        assert reply["continues"], reply
        return reply["parameters"]["event"]

    def hears_nothing(self):
        """Whether what it hears next is what happens only now; it is in the foreground afterwards."""
        self.set("foreground")
        self.daemon.call("PresentNow", {
            **self.app, "notification": {"identifier": "only now", "alertBody": "x"}})
        event = self.event()
        self.complete(event)
        return name(event) == "only now"

    def complete(self, event):
        return self.daemon.call("Complete", {"session": self.number, "event": event["id"]})

    def set(self, state):
        return self.daemon.call("SetState", {"session": self.number, "state": state})

    def close(self):
        self.connection.close()


def name(event):
    return event["notification"]["identifier"]


class Sessions(SteppedTest):
    def recording(self, extra="", stepped=False, **options):
        """A daemon with a recorder and no sound."""
        daemon = (self.stepped_daemon if stepped else self.daemon)(start=False, **options)
        section, self.out = recorder_section(daemon.directory, "one")
        daemon.configure("[sound]\nenabled = no\n" + section + extra)
        return daemon.start()

    def patient(self, extra=""):
        """A daemon that gives the foreground a minute in place of 2 s, so that the app is in time."""
        return self.recording(
            extra, test_build=True, environment={"BELFRY_DEADLINES": "foreground=60000"})

    def shows_only(self, daemon, session, *identifiers):
        """What is shown once a later alert of the app in the background has been: these, then it."""
        session.set("background")
        self.schedule(daemon, "afterwards")
        wait_until(lambda: "afterwards" in self.shown(), what="the alert afterwards")
        self.assertEqual(self.shown(), [*identifiers, "afterwards"])

    def session(self, daemon, *arguments, **options):
        session = Session(daemon, *arguments, **options)
        self.addCleanup(session.close)
        return session

    def schedule(self, daemon, identifier, seconds=0.4, **fields):
        return daemon.schedule(identifier=identifier, fireDate=daemon.microseconds(seconds),
                               alertBody=identifier, **fields)


class Foreground(Sessions):
    def test_E6_what_an_app_takes_in_its_session_does_not_ring_again(self):
        daemon = self.recording(stepped=True)
        session = self.session(daemon)
        ladder = [{"after": 0, "sinks": ["one"]}, {"after": 2_000_000, "sinks": ["one"]}]
        self.schedule(daemon, "freezer", ladder=ladder)
        daemon.run(0.4)
        event = session.event()
        self.assertEqual((event["kind"], name(event)), ("received", "freezer"))
        session.complete(event)
        session.set("background")
        self.schedule(daemon, "later", 4)
        daemon.run(4)
        self.assertEqual(self.shown(), ["later"])

    def test_D1_what_the_app_takes_is_not_shown(self):
        daemon = self.patient()
        session = self.session(daemon)
        background = self.session(daemon, "background")
        self.schedule(daemon, "tea", applicationIconBadgeNumber=3, userInfo={"n": 1})
        event = session.event()
        self.assertEqual((event["kind"], event["id"], event["attempt"]), ("received", 1, 1))
        self.assertEqual(event["notification"]["userInfo"], {"n": 1})
        self.assertGreaterEqual(microseconds(), event["due"])
        session.complete(event)
        self.assertEqual(daemon.call("Badge"), {"badge": 0})
        rows = [(row["sink"], row["state"]) for row in daemon.history()]
        self.assertEqual(rows, [("app", "received")])
        self.shows_only(daemon, session)
        self.assertTrue(background.hears_nothing())

    def test_D1_what_nobody_takes_is_shown_after_two_seconds(self):
        daemon = self.recording()
        session = self.session(daemon)
        self.schedule(daemon, "tea", applicationIconBadgeNumber=3)
        event = session.event()
        wait_until(lambda: recorded(self.out), what="the alert")
        late = time.time() - event["due"] / 1e6
        self.assertGreater(late, 1.9)
        session.complete(event)
        wait_until(lambda: len(daemon.history()) == 2)
        self.assertEqual(daemon.call("Badge"), {"badge": 3})
        states = {row["sink"]: row["state"] for row in daemon.history()}
        self.assertEqual(states, {"app": "unknown", "one": "delivered"})

    def test_D1_state_is_judged_at_the_due_instant(self):
        daemon = self.recording(stepped=True)
        session = self.session(daemon)
        self.schedule(daemon, "hidden", 60)
        daemon.run(59.999)
        session.set("background")
        daemon.run(0.001)
        self.assertEqual(self.shown(), ["hidden"])
        session.set("foreground")
        self.schedule(daemon, "seen")
        daemon.run(0.4)
        self.assertEqual(name(session.event()), "seen")

    def test_D1_an_app_that_goes_away_lets_it_go_on_at_once(self):
        daemon = self.recording()
        session = self.session(daemon)
        self.schedule(daemon, "tea")
        event = session.event()
        session.close()
        wait_until(lambda: recorded(self.out), what="the alert")
        # That it waits for nothing is held in virtual time.
        self.assertGreaterEqual(microseconds(), event["due"])

    def test_N15_cancelled_before_it_is_taken_it_is_never_shown(self):
        daemon = self.patient()
        session = self.session(daemon)
        self.schedule(daemon, "tea")
        session.event()
        self.assertEqual(
            daemon.call("Cancel", {"identifiers": ["tea"]}), {"cancelled": 0, "withdrawn": 1})
        self.assertEqual([row["state"] for row in daemon.history()], ["withdrawn"])
        self.shows_only(daemon, session)

    def test_D7_killed_before_it_is_taken_it_is_shown_after_the_start(self):
        daemon = self.patient()
        session = self.session(daemon)
        self.schedule(daemon, "tea")
        session.event()
        # Its hand-over to the app is in the store once this is answered.
        daemon.schedule(identifier="later", alertBody="x", fireDate=microseconds(3600))
        daemon.kill()
        daemon.start()
        # The app had it, and this sink has it for the first time.
        row = wait_until(lambda: recorded(self.out), what="the alert")[0]
        self.assertEqual(row["attempt"], "1")


class Limits(Sessions):
    def test_A2_sessions_have_a_limit(self):
        daemon = self.recording("[limits]\nsessions = 3\n[app:small]\nsessions = 1\n")
        self.session(daemon, app="small")
        with self.assertRaises(Refused) as caught:
            Session(daemon, app="small")
        self.assertEqual(caught.exception.name, "LimitReached")
        self.assertEqual(caught.exception.parameters, {"limit": "sessions", "value": 1})
        for _ in range(2):
            self.session(daemon, app="large")
        with self.assertRaises(Refused) as caught:
            Session(daemon, app="third")
        self.assertEqual(caught.exception.parameters, {"limit": "sessions", "value": 3})
        # Calls still find a connection.
        self.assertEqual(daemon.call("Status")["status"]["sessions"], 3)

    def test_A4_what_is_no_session_is_unknown(self):
        daemon = self.recording()
        session = self.session(daemon)
        for method, parameters in (
                ("SetState", {"session": session.number + 1, "state": "background"}),
                ("Complete", {"session": 0, "event": 1}), ("Complete", {"session": -1, "event": 1})):
            with self.assertRaises(Refused) as caught:
                daemon.call(method, parameters)
            self.assertEqual(caught.exception.name, "UnknownSession")
        with self.assertRaises(Refused) as caught:
            daemon.call("Complete", {"session": session.number, "event": 1})
        self.assertEqual(caught.exception.name, "InvalidField")
        self.assertEqual(caught.exception.parameters["field"], "event")

    @unittest.skipUnless(os.geteuid() == 0, "needs another user")
    def test_A1_another_users_session_is_unknown(self):
        daemon = self.recording()
        session = self.session(daemon)
        os.chmod(daemon.directory, 0o755)
        os.chmod(daemon.socket, 0o666)
        replies = self.answers_to(4242, daemon.socket, [
            ("SetState", {"session": session.number, "state": "background"}),
            ("Complete", {"session": session.number, "event": 1}),
            ("OpenSession", {"state": "foreground", "app": "user.0"})])
        self.assertEqual(
            [reply["error"] for reply in replies],
            [f"{INTERFACE}.{error}" for error in ("UnknownSession", "UnknownSession", "NotOwner")])

    def answers_to(self, uid, path, calls):
        """What another user is answered, in order."""
        def answers():
            with Connection(path) as connection:
                replies = []
                for method, parameters in calls:
                    connection.send(method, parameters, more=method == "OpenSession")
                    replies.append(connection.receive())
                return replies
        return as_user(uid, answers)

    def test_A2_a_session_that_never_reads_is_disconnected(self):
        daemon = self.patient("[limits]\nnotifications = 10000\n")
        deaf = self.session(daemon, app="deaf")
        deaf.connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        session = self.session(daemon, app="well")
        body = "x" * 1000
        before = self.memory(daemon)
        with daemon.connect() as connection:
            for number in range(4000):
                connection.call("PresentNow", {
                    "app": "deaf", "notification": {"identifier": f"d{number}", "alertBody": body}})
                connection.call("PresentNow", {
                    "app": "well", "notification": {"identifier": f"w{number}", "alertBody": "w"}})
                event = session.event()
                self.assertEqual(name(event), f"w{number}")
                session.complete(event)
                if "disconnected" in daemon.log_text():
                    break
        daemon.says("events of its session unread")
        self.assertLess(self.memory(daemon) - before, 16_000)
        # What it did not take is shown after all, each once.
        wait_until(lambda: len(recorded(self.out)) > number, what="the alerts")
        ids = [row["id"] for row in recorded(self.out)]
        self.assertEqual((len(ids), len(set(ids))), (number + 1, number + 1))
        self.assertTrue(session.hears_nothing())

    @staticmethod
    def memory(daemon):
        with open(f"/proc/{daemon.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))


# An app that its manifest starts: writes down what it hears; dies in the first handler if told so.
APP = """
import json, os, socket, sys
path = os.environ["BELFRY_SOCKET"]
folder = os.path.dirname(path)
def call(method, parameters):
    calls.sendall(json.dumps({"method": "io.belfry.Scheduler." + method,
                              "parameters": parameters}).encode() + b"\\0")
    calls.recv(65536)
stream, calls = (socket.socket(socket.AF_UNIX) for _ in range(2))
for one in (stream, calls): one.connect(path)
stream.sendall(json.dumps({"method": "io.belfry.Scheduler.OpenSession", "more": True, "parameters":
    {"app": os.environ["BELFRY_APP"], "state": "background"}}).encode() + b"\\0")
rest = b""
session = None
while True:
    data = stream.recv(65536)
    if not data: sys.exit()
    rest += data
    *frames, rest = rest.split(b"\\0")
    for frame in frames:
        reply = json.loads(frame)["parameters"]
        if session is None:
            session = reply["session"]
            line = {"waiting": reply["waiting"]}
        else:
            line = reply["event"]
        with open(os.path.join(folder, "heard"), "a") as file:
            file.write(json.dumps({"pid": os.getpid(), **line}) + "\\n")
        if line.get("kind") == "handleAction":
            if os.path.exists(os.path.join(folder, "die")):
                os.remove(os.path.join(folder, "die"))
                os._exit(1)
            call("Complete", {"session": session, "event": line["id"]})
"""


class Acting(Sessions):
    """What the user does with what is shown."""

    def setUp(self):
        self.server = self.recording()

    def install(self, program=APP):
        """The app `mill`, by its manifest."""
        folder = os.path.join(self.server.directory, "apps")
        os.makedirs(folder, mode=0o755)
        path = os.path.join(self.server.directory, "mill")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!{sys.executable}\n{program}")
        os.chmod(path, 0o755)
        with open(os.path.join(folder, "new"), "w", encoding="utf-8") as file:
            file.write(f"[app]\nexecutable = {path}\n")
        os.rename(os.path.join(folder, "new"), os.path.join(folder, "mill.app"))
        self.server.until(lambda: self.server.call("Apps", {"app": "mill"})["apps"], "the manifest")

    def show(self, *identifiers, app="mill"):
        """Shows these, with an action each."""
        self.server.call("RegisterSettings", {
            "app": app, "settings": {"alert": True, "badge": True, "sound": True},
            "categories": [{"identifier": "pill", "actions": [
                {"identifier": "taken", "title": "Taken", "activationMode": "background"},
                {"identifier": "say", "title": "Say", "behavior": "textInput"}]}]})
        for identifier in identifiers:
            self.server.call("PresentNow", {"app": app, "notification": {
                "identifier": identifier, "alertBody": identifier, "category": "pill"}})
            wait_until(lambda: any(
                row["sink"] == "one" and row["identifier"] == identifier
                for row in self.server.history()), what=identifier)

    def act(self, identifier, action=None, text=None, app="mill"):
        self.server.call("Act", {"app": app, "id": identifier, "action": action, "text": text})

    def heard(self):
        """What the installed app has heard, after its first line."""
        try:
            with open(os.path.join(self.server.directory, "heard"), encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []

    def own(self, identifier):
        """State and reason of the app's own row in the history."""
        return [(row["state"], row.get("reason")) for row in self.server.history()
                if row["sink"] == "app" and row["identifier"] == identifier]


class Actions(Acting):
    def test_D3_a_running_app_is_activated_in_one_session(self):
        first = self.session(self.server, "background", app="mill")
        second = self.session(self.server, "background", app="mill")
        self.show("tea")
        self.act("tea")
        event = second.event()
        self.assertEqual((event["kind"], name(event)), ("activated", "tea"))
        self.assertIn("delivered", event)
        self.assertTrue(first.hears_nothing())
        self.assertEqual(self.own("tea"), [("received", "activated")])

    def test_D3_the_app_is_started_once_and_the_rest_follows(self):
        self.install()
        self.show("tea", "cake")
        self.act("tea")
        self.act("cake")
        wait_until(lambda: len(self.heard()) == 3, what="the app")
        lines = self.heard()
        self.assertEqual(lines[0]["waiting"], 2)
        self.assertEqual([(line["kind"], name(line)) for line in lines[1:]],
                         [("launch", "tea"), ("activated", "cake")])
        self.assertEqual(len({line["pid"] for line in lines}), 1)
        wait_until(lambda: self.own("tea") == [("received", "launch")])

    def test_D3_an_app_that_cannot_be_started_has_a_reason_in_the_history(self):
        self.install()
        path = os.path.join(self.server.directory, "apps", "mill.app")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[app]\nname = Mill\n")
        wait_until(lambda: self.server.call("Apps", {"app": "mill"})["apps"][0].get("name"),
                   what="the manifest")
        self.show("tea")
        self.act("tea")
        rows = wait_until(lambda: self.own("tea"))
        self.assertEqual(rows[0][0], "failed")
        self.assertIn("could not be started: its manifest names neither", rows[0][1])
        session = self.session(self.server, app="mill")
        self.assertEqual(session.waiting, 0)

    def test_D3_a_tap_for_an_app_that_nothing_starts_is_no_failure(self):
        self.show("tea")
        self.act("tea")
        session = self.session(self.server, app="mill")
        self.assertEqual(session.waiting, 0)
        self.assertTrue(session.hears_nothing())
        self.assertEqual(self.own("tea"), [])

    def test_D3_a_manifest_that_is_refused_is_a_reason(self):
        os.makedirs(os.path.join(self.server.directory, "apps"), mode=0o755)
        path = os.path.join(self.server.directory, "apps", "mill.app")
        with open(path, "w", encoding="utf-8") as file:
            file.write("[app]\nexecutables = /bin/true\n")
        self.server.says("no key of this section")
        self.show("tea")
        self.act("tea")
        rows = wait_until(lambda: self.own("tea"))
        self.assertEqual(rows[0][0], "failed")
        self.assertIn("could not be started: its manifest is refused: ", rows[0][1])

    def test_D3_what_the_app_died_before_reading_is_not_lost(self):
        first = self.session(self.server, "background", app="mill")
        second = self.session(self.server, "background", app="mill")
        self.show("tea", "cake", "milk")
        self.act("tea")
        self.assertEqual(name(second.event()), "tea")
        # It is told of these, and ends before it has read them.
        self.act("cake")
        self.act("milk")
        second.close()
        self.assertEqual([name(first.event()) for _ in range(2)], ["cake", "milk"])
        self.assertTrue(first.hears_nothing())
        # Ended after it has read all, nothing comes again.
        first.close()
        third = self.session(self.server, "background", app="mill")
        self.assertEqual(third.waiting, 0)

    def test_D4_an_app_that_dies_in_its_handler_gets_it_again(self):
        self.install()
        with open(os.path.join(self.server.directory, "die"), "w", encoding="ascii"):
            pass
        self.show("pill")
        self.act("pill", "say", "two of them")
        wait_until(lambda: self.own("pill") == [("received", "action say")])
        events = [line for line in self.heard() if "kind" in line]
        self.assertEqual([line["attempt"] for line in events], [1, 2])
        self.assertEqual({(line["kind"], line["action"], line["text"]) for line in events},
                         {("handleAction", "say", "two of them")})
        self.assertEqual(len({line["pid"] for line in events}), 2)

    def test_D4_a_killed_daemon_loses_no_action(self):
        session = self.session(self.server, "background", app="mill")
        self.show("pill")
        self.act("pill", "taken")
        self.assertEqual(session.event()["attempt"], 1)
        self.server.kill()
        self.server.start()
        session = self.session(self.server, "background", app="mill")
        self.assertEqual(session.waiting, 1)
        event = session.event()
        self.assertEqual((event["kind"], event["action"], event["attempt"]),
                         ("handleAction", "taken", 2))
        session.complete(event)
        self.server.kill()
        self.server.start()
        session = self.session(self.server, "background", app="mill")
        self.assertEqual(session.waiting, 0)
        self.assertTrue(session.hears_nothing())
        self.assertEqual(self.own("pill"), [("received", "action taken")])

    def test_D4_a_dismissal_reaches_every_session(self):
        sessions = [self.session(self.server, "background", app="mill") for _ in range(2)]
        self.show("tea")
        self.server.call("Dismiss", {"app": "mill", "id": "tea"})
        for session in sessions:
            self.assertEqual(session.event()["kind"], "dismissed")
        self.assertEqual(self.own("tea"), [])


class Deadlines(Acting):
    """The product's own deadlines, by a clock that the test moves."""

    def setUp(self):
        self.server = self.recording(stepped=True)

    def test_D3_an_app_that_opens_no_session_is_started_twice_and_given_up(self):
        self.install("import os, time\n"
                     "open(os.path.dirname(os.environ['BELFRY_SOCKET']) + '/started', 'a')"
                     ".write(f'{os.getpid()}\\n')\n"
                     "time.sleep(600)\n")
        self.show("tea", "cake")
        self.act("tea")
        self.act("cake", "taken")

        def started():
            path = os.path.join(self.server.directory, "started")
            wait_until(lambda: os.path.exists(path), what="the app")
            self.server.settle()
            with open(path, encoding="ascii") as file:
                return [int(line) for line in file]
        first, = started()
        self.server.run(29.9)
        self.assertEqual(started(), [first])
        self.server.run(0.1)
        wait_until(lambda: len(started()) == 2, what="its second start")
        # The first was told to end when the second was started.
        wait_until(lambda: not os.path.exists(f"/proc/{first}"), what="its end")
        self.server.run(29.9)
        self.assertEqual(self.own("tea"), [])
        self.server.run(0.1)
        self.assertEqual(self.own("tea"), [("failed", "launch-timeout")])
        self.assertEqual(len(started()), 2)
        os.kill(started()[1], signal.SIGKILL)
        # The action waits for whenever the app comes by itself; the tap was for then.
        self.assertEqual(self.own("cake"), [("failed", "launch-timeout")])
        session = self.session(self.server, "background", app="mill")
        event = session.event()
        self.assertEqual((session.waiting, event["kind"], name(event)), (1, "handleAction", "cake"))
        session.complete(event)
        wait_until(lambda: self.own("cake") == [("received", "action taken")])

    def test_D4_an_action_is_sent_three_times_in_all(self):
        session = self.session(self.server, "background", app="mill")
        self.show("pill", "cup")
        self.act("pill", "taken")
        events = [session.event()]
        for _ in range(2):
            self.server.run(29.9)
            self.assertEqual(session.connection.waiting(), 0)
            self.server.run(0.1)
            events.append(session.event())
        self.assertEqual([event["attempt"] for event in events], [1, 2, 3])
        self.assertEqual({(event["kind"], event["occurrence"]) for event in events},
                         {("handleAction", events[0]["occurrence"])})
        self.server.run(29.9)
        self.assertEqual(self.own("pill"), [])
        self.server.run(0.1)
        self.assertEqual(self.own("pill"), [("failed", "not completed in 3 attempts")])
        self.server.run(3600)
        # A completion that comes too late changes nothing, and one of an earlier sending counts.
        session.complete(events[0])
        self.assertEqual(self.own("pill")[0][0], "failed")
        self.act("cup", "taken")
        first = session.event()
        self.server.run(30)
        second = session.event()
        session.complete(first)
        self.assertEqual((first["attempt"], second["attempt"]), (1, 2))
        self.server.run(3600)
        self.assertEqual(self.own("cup"), [("received", "action taken")])
        self.assertTrue(session.hears_nothing())

    def test_D4_what_waits_for_an_app_waits_a_day(self):
        # Nothing starts the app.
        self.show("pill")
        self.act("pill", "taken")
        self.server.run(86_399)
        self.assertEqual(self.own("pill"), [])
        self.server.run(1)
        self.assertEqual(self.own("pill")[0][0], "expired")
        self.assertEqual(self.session(self.server, "background", app="mill").waiting, 0)

    def test_D9_what_waits_for_a_sink_waits_a_day(self):
        self.server.stop()
        self.server.configure("[sound]\nenabled = no\n[plugin:gone]\nfile = /nowhere/gone.so\n")
        self.server.start()
        self.server.call("PresentNow", {"notification": {"identifier": "a", "alertBody": "a"}})
        self.server.run(86_399)
        self.assertEqual(self.server.history(), [])
        self.server.run(1)
        self.assertEqual([(row["sink"], row["state"]) for row in self.server.history()],
                         [("gone", "expired")])


class Missed(Sessions):
    def test_T10_D1_a_session_is_told_how_many_it_missed_and_since_when(self):
        daemon = self.stepped()
        session = self.session(daemon)
        due = daemon.clock.microseconds(60)
        daemon.schedule(
            identifier="mill", alertBody="x", fireDate=due, repeatInterval="second")
        daemon.run(60)
        first = session.event()
        self.assertEqual((first["missed"], "missedSince" in first), (0, False))
        session.complete(first)
        daemon.settle()
        # The board sleeps.
        daemon.clock.move(7_500_000_000)
        event = session.event()
        self.assertEqual(event["missed"], 6)
        self.assertEqual(event["missedSince"], due + 1_000_000)
        self.assertEqual(event["due"], due + 7_000_000)


class Many(Sessions):
    def test_D1_64_apps_get_each_their_own_and_then_all_is_quiet(self):
        daemon = self.recording(stepped=True)
        apps = [f"app{number}" for number in range(64)]
        sessions = {app: self.session(daemon, app=app) for app in apps}
        due = daemon.microseconds(60)
        with daemon.connect() as connection:
            for app in apps:
                for number in range(64):
                    connection.send("Schedule", {"app": app, "notification": {
                        "identifier": f"{app}.{number}", "alertBody": "now",
                        "fireDate": due + number * 15_000}})
                for number in range(64):
                    connection.result()
        heard = {app: [] for app in apps}

        def listen(group):
            with daemon.connect() as connection:
                for _ in range(64):
                    for app in group:
                        event = sessions[app].event()
                        heard[app].append(name(event))
                        connection.send("Complete", {
                            "session": sessions[app].number, "event": event["id"]})
                for _ in range(64 * len(group)):
                    connection.result()

        threads = [threading.Thread(target=listen, args=(apps[i::4],)) for i in range(4)]
        for thread in threads:
            thread.start()
        # The last is due before the first has waited for 2 s.
        daemon.run(61)
        for thread in threads:
            thread.join()
        for app in apps:
            self.assertEqual(heard[app], [f"{app}.{number}" for number in range(64)])
        # Each was the app's alone.
        daemon.run(600)
        self.assertEqual(self.shown(), [])
        taken = [row["occurrence"] for row in daemon.history() if row["state"] == "received"]
        self.assertEqual((len(taken), len(set(taken))), (64 * 64, 64 * 64))
        # And no timer is armed, once the server has looked whether the history above is read.
        daemon.run(31)
        self.assertEqual(daemon.clock.next(family(daemon.process.pid)), NEVER)


class Package(Sessions):
    def test_D1_through_the_package_from_pypi(self):
        daemon = self.recording()
        with varlink.Client.new_with_address("unix:" + daemon.socket) as client:
            with client.open(INTERFACE) as stream, client.open(INTERFACE) as calls:
                replies = stream.OpenSession(state="foreground", _more=True)
                number = next(replies)["session"]
                calls.PresentNow(notification={"identifier": "tea", "alertBody": "Tea"})
                event = next(replies)["event"]
                self.assertEqual(event["kind"], "received")
                self.assertEqual(calls.Complete(number, event["id"]), {})
                self.assertEqual(calls.SetState(number, "background"), {})
        wait_until(lambda: daemon.call("Status")["status"]["sessions"] == 0)
