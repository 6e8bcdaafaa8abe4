"""P1 to P6, P9: payloads pushed through the socket with the PyPI client, and what is shown of them."""
import json
import os
import subprocess
import time
import unittest
import uuid

import varlink

import test_disk
from belfry_harness import INTERFACE, microseconds, recorded, recorder_section, wait_until
from test_apps import ALICE, BOB, Apps, raised
from test_command import run
from test_sessions import Session
from sound_devices import wav, tone

# What the plugin `exec` runs: keeps all that a delivery says, as JSON.
SCRIPT = """#!/bin/sh
cat >"$0.$$" && mv "$0.$$" "$0.$$.json"
"""


class Pushes(Apps):
    """A daemon whose plugins keep what they are told: `shower` all of it, `one` in order."""

    def pushed_to(self, configuration="", manifests=None, start=True, sound=False, **options):
        daemon = self.board(**options)
        self.script = os.path.join(daemon.directory, "shown")
        with open(self.script, "w", encoding="ascii") as file:
            file.write(SCRIPT)
        os.chmod(self.script, 0o755)
        section, self.out = recorder_section(daemon.directory, "one")
        sections = "" if sound else "[sound]\nenabled = no\n"
        daemon.configure(
            f"{sections}[plugin:shower]\nfile = exec\nprogram = {self.script}\neverything = yes\n"
            + section + configuration)
        for app, text in (manifests or {}).items():
            self.manifest(daemon, app, text)
        return daemon.start() if start else daemon

    def client(self, daemon):
        """The PyPI client's connection."""
        client = varlink.Client.new_with_address("unix:" + daemon.socket)
        self.addCleanup(client.cleanup)
        belfry = client.open(INTERFACE)
        self.addCleanup(belfry.close)
        return belfry

    def shown(self):
        """What `shower` was told, by identifier: of each the newest."""
        folder = os.path.dirname(self.script)
        told = {}
        for name in os.listdir(folder):
            if name.startswith("shown.") and name.endswith(".json"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    delivery = json.load(file)
                name = delivery.get("identifier")
                if delivery["event"] == "deliver" and (
                        name not in told or told[name]["handedOver"] < delivery["handedOver"]):
                    told[name] = delivery
        return told

    def see(self, identifier):
        return wait_until(lambda: self.shown().get(identifier), what=f"{identifier} is shown")

    def inbox(self, daemon, **parameters):
        return daemon.call("FetchInbox", parameters)["entries"]

    def refused(self, daemon, parameters):
        """The field and the code of an InvalidField."""
        error = None
        with daemon.connect() as connection:
            error = raised(connection, "Push", parameters)
        self.assertIsNotNone(error, parameters)
        self.assertEqual(error[0], "InvalidField", error)
        self.assertTrue(error[1]["reason"])
        return error[1]["field"], error[1]["code"]


class Payloads(Pushes):
    def test_P1_P4_each_property_reaches_who_shows_it(self):
        texts = os.path.join("/tmp", f"belfry-texts-{os.getpid()}")
        os.makedirs(texts + "/de.lproj", exist_ok=True)
        self.addCleanup(subprocess.run, ["rm", "-r", texts], check=True)
        with open(texts + "/de.lproj/Localizable.strings", "w", encoding="utf-8") as file:
            file.write('"BED" = "Bett %2$@ in %1$@";\n"CALL" = "Ruf %@";\n"OPEN" = "Öffnen";\n')
        daemon = self.pushed_to(manifests={
            "ward": f"stringsFolder = {texts}\nlanguage = de-AT\n"})
        belfry = self.client(daemon)
        payload = {
            "aps": {"alert": {"loc-key": "BED", "loc-args": ["Saal 3", 12], "body": "ignored",
                              "title-loc-key": "CALL", "title-loc-args": ["jetzt"],
                              "subtitle": "as it is", "action-loc-key": "OPEN",
                              "launch-image": "bed.png"},
                    "badge": 7, "sound": {"name": "bell.caf", "volume": 0.5, "critical": 1},
                    "category": "beds", "thread-id": "ward-3"},
            "room": {"number": 7}}
        reply = belfry.Push("ward", payload, None, "bed-12")
        self.assertFalse(reply["duplicate"])
        self.assertEqual(reply["pruned"], [])
        self.assertEqual([member["path"] for member in reply["ignored"]], ["aps.alert.body"])
        told = self.see("bed-12")
        self.assertEqual(
            {name: told.get(name) for name in (
                "app", "title", "subtitle", "body", "action", "launchImage", "category", "thread",
                "sound", "badge", "level")},
            {"app": "ward", "title": "Ruf jetzt", "subtitle": "as it is",
             "body": "Bett 12 in Saal 3", "action": "Öffnen", "launchImage": "bed.png",
             "category": "beds", "thread": "ward-3", "sound": "bell.caf", "badge": 7,
             "level": "critical"})
        self.assertEqual(reply["occurrence"], told["id"].split("@")[0])
        self.assertEqual(belfry.Badge("ward"), {"badge": 7})
        row = wait_until(lambda: [row for row in daemon.history(app="ward")
                                  if row["sink"] == "shower"], what="its row")[0]
        self.assertEqual((row["state"], row["identifier"]), ("delivered", "bed-12"))
        entry, = belfry.FetchInbox("ward")["entries"]
        self.assertEqual((entry["id"], entry["kind"], entry["isPruned"], entry["pruned"]),
                         (reply["id"], "base", True, []))
        self.assertEqual(entry["payload"], payload)
        # Where a plugin finds a notification's userInfo, it finds a push's payload.
        self.assertEqual(told["userInfo"], payload)
        # A key that is in no table gives way to the literal beside it.
        belfry.Push("ward", {"aps": {"alert": {
            "loc-key": "ROOM", "loc-args": ["x"], "body": "Room 7", "title-loc-key": "CALL",
            "title-loc-args": ["spät"], "title": "unused"}}}, None, "room")
        told = self.see("room")
        self.assertEqual((told["body"], told["title"]), ("Room 7", "Ruf spät"))
        # A literal that shows nothing does not: the key is better than no alert.
        for number, blank in enumerate((" ", "\t", "\u00a0", "\u200b", "\ufeff", "\u3000", "\u00ad")):
            belfry.Push("ward", {"aps": {"alert": {"loc-key": "ROOM", "body": blank}}}, None,
                        f"blank{number}")
            self.assertEqual(self.see(f"blank{number}")["body"], "ROOM", ascii(blank))

    def test_P1_badge_sound_and_category_inside_alert(self):
        daemon = self.pushed_to()
        daemon.call("Push", {"collapseId": "a", "payload": {"aps": {"alert": {
            "body": "x", "badge": 3, "sound": "a.caf", "category": "c"}}}})
        told = self.see("a")
        self.assertEqual((told["badge"], told["sound"], told["category"]), (3, "a.caf", "c"))
        reply = daemon.call("Push", {"collapseId": "b", "payload": {"aps": {
            "badge": 5, "alert": {"body": "x", "badge": 3, "sound": "a.caf"}}}})
        self.assertEqual([member["path"] for member in reply["ignored"]], ["aps.alert.badge"])
        self.assertEqual(self.see("b")["badge"], 5)

    def test_P1_what_only_decorates_never_costs_the_alert(self):
        daemon = self.pushed_to()
        oddities = {
            "level": ({"interruption-level": "timeSensitive"}, "aps.interruption-level"),
            "unknown": ({"interruption-level": "loud"}, "aps.interruption-level"),
            "thread": ({"thread-id": 7}, "aps.thread-id"),
            "category": ({"category": 5}, "aps.category"),
            "volume": ({"sound": {"name": "default", "volume": 1.5}}, "aps.sound.volume"),
        }
        for name, (members, path) in oddities.items():
            payload = {"aps": {"alert": "Fire", **members}}
            daemon.call("Push", {"collapseId": name, "payload": payload})
            self.assertEqual(self.see(name)["body"], "Fire")
            file = os.path.join(daemon.directory, name + ".json")
            # A byte order mark before it says nothing (A4).
            with open(file, "w", encoding="utf-8-sig") as out:
                json.dump(payload, out)
            status, out, err = run("push", file, "--explain", "--json", socket=daemon.socket)
            self.assertEqual((status, err), (0, ""))
            self.assertEqual([odd["path"] for odd in json.loads(out)["odd"]], [path])
            _, out, _ = run("push", file, "--dry-run", socket=daemon.socket)
            self.assertIn(path, out)
        self.assertEqual(len(self.inbox(daemon)), 2 * len(oddities))

    def test_P4_the_badge_stays_or_is_cleared_or_set(self):
        daemon = self.pushed_to()
        for badge, after in ((9, 9), (None, 9), (0, 0), (None, 0), (2147483647, 2147483647)):
            aps = {"alert": "x", **({} if badge is None else {"badge": badge})}
            daemon.call("Push", {"payload": {"aps": aps}})
            wait_until(lambda after=after: daemon.call("Badge")["badge"] == after,
                       what=f"a badge of {after}")

    def test_P4_one_button_or_two(self):
        daemon = self.pushed_to()
        daemon.call("Push", {"collapseId": "one", "payload": {"aps": {"alert": "x"}}})
        daemon.call("Push", {"collapseId": "two", "payload": {"aps": {"alert": {
            "body": "x", "action-loc-key": "OPEN"}}}})
        self.assertNotIn("action", self.see("one"))
        self.assertEqual(self.see("two")["action"], "OPEN")

    def test_P4_a_sound_that_is_not_there_is_the_default_sound(self):
        daemon = self.pushed_to("[sound]\ndevice = capture\n", sound=True, start=False)
        with open(daemon.directory + "/asound.conf", "w", encoding="ascii") as file:
            file.write("pcm.capture { type file slave.pcm { type null } "
                       f'file "{daemon.directory}/capture" format raw }}\n')
        os.makedirs(daemon.directory + "/sounds")
        with open(daemon.directory + "/sounds/bell.wav", "wb") as file:
            file.write(wav(tone(0.2)))
        daemon.start(ALSA_CONFIG_PATH=daemon.directory + "/asound.conf")
        reasons = {}
        for name in ("missing.caf", "default", "bell.wav"):
            daemon.call("Push", {"collapseId": name, "payload": {"aps": {"sound": name}}})
            row = wait_until(lambda name=name: [
                row for row in daemon.history()
                if (row["identifier"], row["sink"], row["state"]) == (name, "speaker", "delivered")],
                what=f"the sound of {name}")[0]
            reasons[name] = row.get("reason", "")
        self.assertIn("default", reasons["missing.caf"])
        self.assertIn("missing.caf", reasons["missing.caf"])
        self.assertNotIn("missing", reasons["default"])
        self.assertNotIn("default sound", reasons["bell.wav"])

    def test_P4_L2_arguments_of_any_shape_go_in_and_never_fail(self):
        daemon = self.pushed_to()
        for number, (key, arguments, shown) in enumerate((
                ("%@ and %2$@, 100 %%", ["a", "b"], "a and b, 100 %"),
                ("%2$@%2$@%1$@", ["a", "b"], "bba"), ("%@ %@ %@", ["a"], "a  "),
                ("%d %n %s %@", ["a"], "%d %n %s a"), ("%9$@|%1$@", ["a"], "|a"),
                ("%@", ["%n%s%@", "surplus"], "%n%s%@"), ("%@ %@", [1, 2.5], "1 2.5"),
                ("%@", ["x" * 5000], "x" * 5000), ("%99999999999999999999$@%", ["a"], None))):
            name = f"n{number}"
            daemon.call("Push", {"collapseId": name, "payload": {"aps": {"alert": {
                "loc-key": key, "loc-args": arguments}}}})
            body = self.see(name)["body"]
            if shown is not None:
                self.assertEqual(body, shown)
        self.assertEqual(len(self.inbox(daemon)), 9)

    def test_P5_a_push_is_pruned_to_the_callers_limit(self):
        daemon = self.pushed_to()
        nid = str(uuid.uuid4())
        reply = daemon.call("Push", {"limit": 256, "payload": {
            "aps": {"alert": {"loc-key": "K", "loc-args": ["a" * 130]}, "badge": 2},
            "ck": {"nid": nid, "cid": "iCloud.w", "qry": {"rid": "r" * 40, "fo": 1}}}})
        self.assertEqual(reply["id"], nid)
        self.assertEqual(reply["cut"], ["alertLocalizationArgs[0]"])
        self.assertEqual(reply["pruned"], ["containerIdentifier", "recordID"])
        # It is in the container that it was for all the same.
        entry, = self.inbox(daemon, container="iCloud.w")
        self.assertEqual(entry["pruned"], reply["pruned"])
        self.assertEqual(entry["payload"]["ck"], {"nid": nid, "p": 1, "qry": {"fo": 1}})
        self.assertEqual(entry["payload"]["aps"]["alert"]["loc-args"], ["a" * 100])
        self.assertEqual(self.refused(daemon, {"limit": 30, "payload": {
            "aps": {"alert": "x"}, "own": "a word that cannot be cut"}}), ("payload", "tooLong"))

    def test_P6_expired_and_collapsed(self):
        daemon = self.pushed_to()
        daemon.call("Push", {"collapseId": "old", "expiration": microseconds(-60),
                             "payload": {"aps": {"alert": "too late"}}})
        daemon.call("Push", {"collapseId": "score", "expiration": microseconds(60),
                             "payload": {"aps": {"alert": "1:0"}}})
        self.assertEqual(self.see("score")["body"], "1:0")
        wait_until(lambda: recorded(self.out), what="both plugins show it")
        daemon.call("Push", {"collapseId": "score", "payload": {"aps": {"alert": "2:0"}}})
        wait_until(lambda: self.shown()["score"]["body"] == "2:0", what="the newer one")
        wait_until(lambda: len(recorded(self.out, ("show", "update", "withdraw"))) >= 2)
        # The older one is shown until the newer is, and its sinks have answered.
        wait_until(lambda: {
            (row["notification"]["identifier"], row["notification"]["alertBody"])
            for row in daemon.listed(delivered=True)} == {("score", "2:0")},
            what="the older one is gone")
        self.assertNotIn("old", self.shown())
        self.assertEqual(len(self.inbox(daemon)), 3)


# Payloads as they were seen in the wild: what is shown, and the kind in the inbox.
WILD = [
    ("a visible query", {
        "aps": {"alert": "Record changed", "badge": 180, "sound": "default"},
        "ck": {"ce": 2, "cid": "iCloud.org.example.w", "nid": "NID",
               "qry": {"dbs": 2, "fo": 2, "rid": "B1", "zid": "_defaultZone",
                       "zoid": "_defaultOwner", "sid": "S1"}}}, "query", 180),
    ("a silent public query", {
        "aps": {"content-available": 1},
        "ck": {"cid": "iCloud.org.example.w", "nid": "NID",
               "qry": {"dbs": 2, "fo": 1, "rid": "B2", "sid": "S1"}}}, "query", None),
    ("a query with fields", {
        "aps": {"alert": {"loc-key": "BED", "loc-args": ["12"]}},
        "ck": {"cid": "iCloud.org.example.w", "nid": "NID",
               "qry": {"af": {"bed": 12, "who": "Ada", "since": 1.5}, "fo": 1, "rid": "B3"}}},
     "query", None),
    ("a database push", {
        "aps": {"content-available": 1},
        "ck": {"aux": {}, "ce": 2, "cid": "iCloud.org.example.w", "nid": "NID",
               "met": {"dbs": 1, "sid": "S2", "zid": "Z", "zoid": "O"}}}, "database", None),
    ("a zone push", {
        "aps": {"content-available": 1},
        "ck": {"cid": "iCloud.org.example.w", "nid": "NID",
               "fet": {"dbs": 3, "sid": "S3", "zid": "Z", "zoid": "O"}}}, "recordZone", None),
    ("ck without aps", {"ck": {"cid": "iCloud.org.example.w", "nid": "NID", "qry": {"fo": 3}}},
     "query", None),
    ("type 0", {"aps": {"alert": "x"}, "ck": {"cid": "iCloud.org.example.w", "nid": "NID"}}, "base",
     None),
]


class Wild(Pushes):
    def test_P2_P3_shapes_seen_in_the_wild(self):
        daemon = self.pushed_to()
        belfry = self.client(daemon)
        for what, shape, kind, badge in WILD:
            with self.subTest(what):
                nid = str(uuid.uuid4())
                payload = json.loads(json.dumps(shape).replace("NID", nid.upper()))
                reply = belfry.Push(payload=payload)
                self.assertEqual((reply["id"], reply["duplicate"]), (nid, False))
                entry = belfry.FetchInbox(None, "iCloud.org.example.w")["entries"][-1]
                self.assertEqual((entry["id"], entry["kind"]), (nid, kind))
                for key in ("qry", "met", "fet"):
                    self.assertEqual(entry["payload"]["ck"].get(key), payload["ck"].get(key))
                if "alert" in payload.get("aps", {}):
                    self.assertEqual(self.see(nid).get("badge"), badge)
                elif "aps" in payload:
                    self.assertNotIn(nid, self.shown())
                else:
                    # For a sink that asks for everything.
                    self.assertEqual(self.see(nid)["parts"], ["userInfo"])
                if badge is not None:
                    self.assertEqual(belfry.Badge()["badge"], badge)

    def test_P1_P3_numbers_in_strings_are_taken_and_other_strings_refused(self):
        daemon = self.pushed_to()
        paths = ("aps.badge", "aps.content-available", "ck.qry.fo", "ck.qry.dbs", "ck.fet.dbs",
                 "ck.met.dbs")

        def payload(path, value):
            whole = {"aps": {"alert": "x"}}
            place = whole
            *outer, last = path.split(".")
            for key in outer:
                place = place.setdefault(key, {})
            place[last] = value
            return {"payload": whole}
        for path in paths:
            self.assertEqual(self.refused(daemon, payload(path, "one")), (path, "wrongType"))
        self.assertEqual(self.inbox(daemon), [])
        for path in paths:
            daemon.call("Push", payload(path, "1"))
        self.assertEqual(len(self.inbox(daemon)), len(paths))
        self.assertEqual(daemon.call("Badge")["badge"], 1)


class States(Pushes):
    """D1: apps in the foreground, in the background and not running."""

    def session(self, daemon, *arguments, **options):
        session = Session(daemon, *arguments, **options)
        self.addCleanup(session.close)
        return session

    def patient(self):
        """A daemon that gives the foreground a minute in place of 2 s, so that the app is in time."""
        return self.pushed_to(
            test_build=True, environment={"BELFRY_DEADLINES": "foreground=60000"})

    def test_P1_content_available_alone_is_for_the_app_alone(self):
        daemon = self.patient()
        front, back = self.session(daemon), self.session(daemon, "background")
        payload = {"aps": {"content-available": 1}, "n": 1}
        reply = daemon.call("Push", {"payload": payload})
        for session in (front, back):
            event = session.event()
            self.assertEqual(event["kind"], "received")
            self.assertEqual(event["notification"]["push"], payload)
            self.assertEqual(event["occurrence"], reply["occurrence"])
            session.complete(event)
        self.assertTrue(front.hears_nothing())
        # What comes afterwards is shown, and it alone.
        front.set("background")
        daemon.call("Push", {"collapseId": "afterwards", "payload": {"aps": {"alert": "x"}}})
        self.see("afterwards")
        self.assertEqual(list(self.shown()), ["afterwards"])
        wait_until(lambda: recorded(self.out), what="the recorder's row")
        self.assertEqual([row["identifier"] for row in recorded(self.out)], ["afterwards"])
        self.assertEqual(daemon.call("Badge"), {"badge": 0})

    def test_P1_P9_content_available_waits_for_an_app_that_does_not_run(self):
        daemon = self.pushed_to()
        reply = daemon.call("Push", {"payload": {"aps": {"content-available": 1}}})
        row = wait_until(daemon.history, what="a row")[0]
        self.assertIn("waits in the inbox", row["reason"])
        self.assertEqual(row["occurrence"], reply["occurrence"])
        self.assertEqual((self.shown(), recorded(self.out)), ({}, []))
        session = self.session(daemon)
        self.assertEqual(session.waiting, 0)
        self.assertTrue(session.hears_nothing())
        self.assertEqual([entry["id"] for entry in self.inbox(daemon)], [reply["id"]])

    def test_P1_with_an_alert_it_is_shown_as_well(self):
        daemon = self.pushed_to()
        session = self.session(daemon, "background")
        daemon.call("Push", {"collapseId": "a", "payload": {
            "aps": {"alert": "x", "content-available": 1}}})
        self.assertEqual(session.event()["notification"]["push"]["aps"]["alert"], "x")
        self.assertEqual(self.see("a")["body"], "x")
        self.assertTrue(session.hears_nothing())

    def test_D1_P6_an_app_in_the_foreground_takes_it_or_it_is_shown(self):
        daemon = self.patient()
        session = self.session(daemon)
        daemon.call("Push", {"collapseId": "taken", "payload": {"aps": {"alert": "x", "badge": 4}}})
        event = session.event()
        self.assertEqual(event["notification"]["push"], {"aps": {"alert": "x", "badge": 4}})
        session.complete(event)
        # And with the product's own 2 s.
        daemon.stop()
        daemon.environment = {}
        daemon.start()
        session = self.session(daemon)
        daemon.call("Push", {"collapseId": "left", "payload": {"aps": {"alert": "y"}}})
        session.event()
        self.assertEqual(self.see("left")["body"], "y")
        self.assertNotIn("taken", self.shown())
        self.assertEqual(daemon.call("Badge"), {"badge": 0})
        self.assertEqual(len(self.inbox(daemon)), 2)

    def test_D4_P6_an_action_of_a_pushs_category_reaches_the_app(self):
        daemon = self.pushed_to()
        session = self.session(daemon, "background")
        daemon.call("RegisterSettings", {
            "settings": {"alert": True, "badge": False, "sound": True},
            "categories": [{"identifier": "beds", "actions": [
                {"identifier": "go", "title": "Go", "activationMode": "background"}]}]})
        payload = {"aps": {"alert": "x", "badge": 9, "category": "beds"}, "bed": 12}
        daemon.call("Push", {"collapseId": "a", "payload": payload})
        self.assertEqual(self.see("a")["category"], "beds")
        wait_until(lambda: daemon.listed(delivered=True), what="it is shown")
        daemon.call("Act", {"id": "a", "action": "go"})
        event = session.event()
        self.assertEqual((event["kind"], event["action"], event["notification"]["push"]),
                         ("handleAction", "go", payload))
        session.complete(event)
        # D5: what the app wants no badge for gets none.
        self.assertEqual(daemon.call("Badge"), {"badge": 0})

    def test_D3_P6_acting_on_a_push_hands_the_app_its_payload(self):
        daemon = self.pushed_to()
        session = self.session(daemon, "background")
        daemon.call("Push", {"collapseId": "a", "payload": {"aps": {"alert": "x"}, "n": [1]}})
        self.see("a")
        wait_until(lambda: daemon.listed(delivered=True), what="it is shown")
        daemon.call("Act", {"id": "a"})
        event = session.event()
        self.assertEqual((event["kind"], event["notification"]["push"]),
                         ("activated", {"aps": {"alert": "x"}, "n": [1]}))

    def test_D11_P6_a_snoozed_push_comes_again_as_one(self):
        daemon = self.pushed_to()
        daemon.call("Push", {"collapseId": "a", "payload": {"aps": {"alert": "x"}, "n": 2}})
        self.see("a")
        wait_until(lambda: daemon.listed(delivered=True), what="it is shown")
        daemon.call("Snooze", {"id": "a", "duration": 1_000_000})
        daemon.kill()
        daemon.start()
        told = wait_until(lambda: self.shown()["a"]["id"].endswith(".s1@shower") and
                          self.shown()["a"], what="it comes again")
        self.assertEqual((told["body"], told["userInfo"]["n"]), ("x", 2))
        self.assertEqual(len(self.inbox(daemon)), 1)


class Duplicates(Pushes):
    def test_P9_the_same_nid_twice_is_one(self):
        daemon = self.pushed_to()
        nid = str(uuid.uuid4())
        push = {"payload": {"aps": {"alert": "x"}, "ck": {"nid": nid, "cid": "w"}}}
        first = daemon.call("Push", push)
        self.see(nid)
        again = daemon.call("Push", push)
        self.assertEqual((again["id"], again["duplicate"]), (nid, True))
        self.assertNotIn("occurrence", again)
        daemon.kill()
        daemon.start()
        self.assertTrue(daemon.call("Push", push)["duplicate"])
        daemon.call("MarkRead", {"container": "w", "ids": [nid]})
        self.assertTrue(daemon.call("Push", push)["duplicate"])
        # In another container, or of another app, it is another one.
        push["payload"]["ck"]["cid"] = "v"
        self.assertFalse(daemon.call("Push", push)["duplicate"])
        other = daemon.call("Push", {"app": "other", **push})
        self.assertFalse(other["duplicate"])
        self.assertNotEqual(other["occurrence"], first["occurrence"])
        wait_until(lambda: len(recorded(self.out)) >= 3, what="the three of them")
        ids = [row["id"] for row in recorded(self.out)]
        self.assertEqual(len(set(ids)), 3)
        self.assertEqual([entry["kind"] for entry in self.inbox(daemon, container="w")],
                         ["readNotification"])

    def test_P9_without_a_nid_the_callers_id_counts(self):
        daemon = self.pushed_to()
        own = str(uuid.uuid4())
        push = {"id": own.upper(), "payload": {"aps": {"alert": "x"}}}
        self.assertEqual(daemon.call("Push", push)["id"], own)
        self.assertEqual(daemon.call("Push", push)["duplicate"], True)
        made = [daemon.call("Push", {"payload": {"aps": {"alert": "x"}}}) for _ in range(2)]
        self.assertEqual(len({reply["id"] for reply in made} | {own}), 3)
        self.assertFalse(any(reply["duplicate"] for reply in made))
        # Pipelined, the second finds the first.
        third = str(uuid.uuid4())
        with daemon.connect() as connection:
            for _ in range(2):
                connection.send("Push", {"id": third, "payload": {"aps": {"alert": "x"}}})
            replies = [connection.result() for _ in range(2)]
        self.assertEqual(sorted(reply["duplicate"] for reply in replies), [False, True])
        self.assertEqual(len(self.inbox(daemon)), 4)


BAD = [
    # payload, path, code
    ([], "payload", "wrongType"), ("x", "payload", "wrongType"), ({}, "aps", "missing"),
    ({"room": 1}, "aps", "missing"), ({"aps": []}, "aps", "wrongType"),
    ({"aps": {"alert": 7}}, "aps.alert", "wrongType"),
    ({"aps": {"badge": -1}}, "aps.badge", "outOfRange"),
    ({"aps": {"badge": 1.5}}, "aps.badge", "wrongType"),
    ({"aps": {"badge": 10**12}}, "aps.badge", "outOfRange"),
    ({"aps": {"alert": {"badge": -1}}}, "aps.alert.badge", "outOfRange"),
    ({"aps": {"sound": "../a"}}, "aps.sound", "malformed"),
    ({"aps": {"sound": {"name": "/a"}}}, "aps.sound.name", "malformed"),
    ({"aps": {"alert": {"body": "x" * 17_000}}}, "aps.alert.body", "tooLong"),
    ({"aps": {"alert": "x" * 17_000}}, "aps.alert", "tooLong"),
    ({"aps": {"alert": {"loc-args": ["a", {}]}}}, "aps.alert.loc-args[1]", "wrongType"),
    ({"aps": {}, "own": "x" * 65_536}, "payload", "tooLong"),
    ({"ck": {"nid": "17"}}, "ck.nid", "malformed"), ({"ck": {"nid": 17}}, "ck.nid", "wrongType"),
    ({"ck": {"cid": "a\nb"}}, "ck.cid", "malformed"),
    ({"ck": {"cid": "x" * 256}}, "ck.cid", "tooLong"),
    ({"ck": {"qry": {}, "met": {}}}, "ck.met", "conflict"),
    ({"ck": {"qry": {"fo": 4}}}, "ck.qry.fo", "outOfRange"),
]


class BadInput(Pushes):
    def undisturbed(self, daemon, name):
        """What was there is there, and something new is delivered at once."""
        self.assertEqual([entry["payload"]["aps"]["alert"] for entry in self.inbox(daemon)],
                         ["kept"])
        daemon.schedule(identifier=name, alertBody="x")
        wait_until(lambda: name in {row["identifier"] for row in recorded(self.out)},
                   what=f"{name} is shown")

    def test_P1_A4_bad_payloads_are_refused_by_their_path(self):
        daemon = self.pushed_to()
        daemon.call("Push", {"payload": {"aps": {"alert": "kept"}}})
        for payload, path, code in BAD:
            self.assertEqual(self.refused(daemon, {"payload": payload}), (path, code))
        for options, field in (({"id": "x"}, "id"), ({"collapseId": ""}, "collapseId"),
                               ({"limit": 0}, "limit"), ({"limit": 65_537}, "limit"),
                               ({"expiration": "soon"}, "expiration"), ({"app": "a b"}, "app"),
                               ({"topic": "x"}, "topic")):
            self.assertEqual(
                self.refused(daemon, {"payload": {"aps": {"alert": "x"}}, **options})[0], field)
        self.undisturbed(daemon, "after")

    def test_P1_A2_hostile_bytes_name_a_path_or_an_offset(self):
        daemon = self.pushed_to()
        daemon.call("Push", {"payload": {"aps": {"alert": "kept"}}})
        head = b'{"method":"io.belfry.Scheduler.Push","parameters":{"payload":'
        hostile = [
            (head + b'{"aps":{"x":' + b"[" * 10_000 + b"]" * 10_000 + b"}}}}", "aps.x"),
            (head + b'{"aps":{},"x":' + b"[" * 70 + b"]" * 70 + b"}}}", "x[0]"),
            (head + b'{"aps":{"badge":1,"badge":2}}}}', "aps.badge"),
            (head + b'{"aps":{"alert":"\xff\xfe"}}}}', "aps.alert"),
            (head + b'{"aps":{"alert":"\\ud800"}}}}', "aps.alert"),
            (head + b'{"aps":{"alert":"' + b"x" * (1 << 20) + b'"}}}}', "aps.alert"),
            (head + b'{"aps":{"badge":' + b"9" * 400 + b"}}}}", "aps.badge"),
            (head + b"nonsense}}", "payload"),
            (b"nonsense", None), (b'"Push"', None), (b"", None), (b"\xff", None),
        ]
        with daemon.connect() as connection:
            for data, path in hostile:
                with self.subTest(data[:80]):
                    connection.send_bytes(data + b"\0")
                    reply = connection.receive()
                    if path is None:
                        self.assertEqual(reply["error"], f"{INTERFACE}.MalformedMessage")
                        self.assertIn("offset", reply["parameters"])
                    else:
                        self.assertEqual(reply["error"], f"{INTERFACE}.InvalidField")
                        self.assertTrue(reply["parameters"]["field"].startswith(path), reply)
            # The connection goes on.
            self.assertEqual(len(connection.call("FetchInbox")["entries"]), 1)
        self.undisturbed(daemon, "after")

    def test_P6_a_client_cannot_say_that_it_is_a_push(self):
        daemon = self.pushed_to()
        note = {"identifier": "x", "alertBody": "x", "push": {"aps": {"alert": "x"}}}
        with daemon.connect() as connection:
            for method, parameters, field in (
                    ("Schedule", {"notification": note}, "push"),
                    ("PresentNow", {"notification": note}, "push"),
                    ("Cancel", {"equal": note}, "equal.push"),
                    ("ReplaceAll", {"notifications": [note], "final": True},
                     "notifications[0].push"),
                    ("Next", {"notification": note}, "push")):
                name, parameters = raised(connection, method, parameters)
                self.assertEqual((name, parameters["field"]), ("InvalidField", field), method)

    def test_A2_pushes_count_as_requests(self):
        daemon = self.pushed_to("[limits]\nrequestsPerSecond = 1\n", stepped=True)
        with daemon.connect() as connection:
            for number in range(40):
                connection.send("Push", {"payload": {"aps": {"badge": number}}})
            replies = [connection.receive() for _ in range(40)]
        errors = {reply["error"] for reply in replies if "error" in reply}
        self.assertEqual(errors, {f"{INTERFACE}.LimitReached"})


class StuckDisk(test_disk.FaultyDisk):
    """D8: a push is shown, stored or not, and never twice."""

    def test_D8_P6_a_push_onto_a_full_disk_is_shown_and_sent_again_it_is_stored(self):
        daemon = self.faulty()
        push = {"payload": {"aps": {"alert": "x"}, "ck": {"nid": str(uuid.uuid4())}}}
        daemon.call("Push", {"payload": {"aps": {"alert": "before"}}})
        test_disk.words(daemon, "full")
        self.refused(daemon, "the disk with the books is full", "Push", **push)
        nid = push["payload"]["ck"]["nid"]
        wait_until(lambda: nid in self.shown(), what="it is shown")
        self.refused(daemon, "the disk with the books is full", "Push", **push)
        test_disk.words(daemon, "")
        reply = wait_until(lambda: self.stored(daemon, push), what="it is stored")
        self.assertEqual((reply["id"], reply["duplicate"]), (nid, False))
        self.assertTrue(daemon.call("Push", push)["duplicate"])
        self.assertEqual(self.shown().count(nid), 1)
        daemon.kill()
        daemon.start()
        entries = daemon.call("FetchInbox")["entries"]
        self.assertEqual([entry["id"] for entry in entries][-1], nid)
        self.assertEqual(len(entries), 2)
        self.assertEqual(self.shown().count(nid), 1)

    def stored(self, daemon, push):
        """The reply; None: the books still refuse."""
        with daemon.connect() as connection:
            connection.send("Push", push)
            reply = connection.receive()
        return None if "error" in reply else reply["parameters"]

    def test_D8_P6_a_push_while_the_disk_hangs_is_shown_within_a_second_or_so(self):
        daemon = self.faulty()
        daemon.call("Push", {"payload": {"aps": {"alert": "before"}}})
        nid = str(uuid.uuid4())
        push = {"payload": {"aps": {"alert": "x"}, "ck": {"nid": nid}}}
        test_disk.words(daemon, test_disk.HANGS)
        began = time.monotonic()
        with daemon.connect() as connection:
            connection.send("Push", push)
            wait_until(lambda: nid in self.shown(), what="it is shown")
            took = time.monotonic() - began
            reply = connection.receive()
        # Shown, and answered, while the disk hangs on.
        print(f"a push while the disk hangs: shown after {took:.2f} s")
        self.assertEqual(reply["error"], f"{INTERFACE}.BooksUnavailable")
        test_disk.words(daemon, "")
        reply = daemon.call("Push", push)
        self.assertEqual(reply["id"], nid)
        self.assertTrue(daemon.call("Push", push)["duplicate"])
        entries = daemon.call("FetchInbox")["entries"]
        self.assertEqual([entry["id"] for entry in entries].count(nid), 1)
        self.assertEqual(self.shown().count(nid), 1)


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class Users(Pushes):
    def test_P9_A1_a_peer_pushes_into_its_own_apps_only(self):
        daemon = self.pushed_to(f"[access]\ngroup = {BOB}\n")
        push = {"app": "ward", "payload": {"aps": {"alert": "x"}, "ck": {"cid": "w"}}}
        alice, bob = self.connection(daemon, ALICE), self.connection(daemon, 12004)
        nid = alice.call("Push", push)["id"]
        token = alice.call("FetchInbox", {"app": "ward", "container": "w"})["token"]
        for method, parameters in (
                ("Push", push), ("FetchInbox", {"app": "ward", "container": "w"}),
                ("FetchInbox", {"app": "ward", "container": "w", "since": token}),
                ("FetchInbox", {"app": "ward"}),
                ("MarkRead", {"app": "ward", "container": "w", "ids": [nid]}),
                ("Push", {**push, "app": f"user.{ALICE}"})):
            name, said = raised(bob, method, parameters)
            self.assertEqual(name, "NotOwner", method)
            self.assertEqual(said["app"], parameters["app"])
        # A container of the same name in an app of his own is another one.
        self.assertEqual(bob.call("FetchInbox", {"app": "b", "container": "w"})["entries"], [])
        self.assertEqual(
            raised(bob, "FetchInbox", {"app": "b", "container": "w", "since": token})[0],
            "TokenForeign")
        # Root and the operator's group push into any.
        member = self.connection(daemon, 12005, [BOB])
        for connection in (member, daemon.connect()):
            self.assertFalse(connection.call("Push", push)["duplicate"])
        self.assertEqual(
            len(alice.call("FetchInbox", {"app": "ward", "container": "w"})["entries"]), 3)


if __name__ == "__main__":
    unittest.main()
