"""P6 to P9: inboxes, tokens, read marks, launchForPush, and `belfry push` and `belfry inbox`."""
import base64
import json
import os
import random
import re
import signal
import subprocess
import threading
import time
import unittest
import uuid

import test_apps
from belfry_harness import PATIENCE, fixed_seed, programs, recorded, rounds_of, until_a_third, wait_until
from schedule_loop import UNLIMITED
from test_apps import raised
from test_command import terminal
from test_push import Pushes


def alert(text, **more):
    return {"payload": {"aps": {"alert": text}}, **more}


class Inboxes(Pushes):
    def page(self, daemon, **parameters):
        return daemon.call("FetchInbox", parameters)

    def texts(self, page):
        """What a page's alerts say; of a read mark its id."""
        return [entry["payload"]["aps"]["alert"] if "payload" in entry else entry["id"]
                for entry in page["entries"]]

    def push(self, daemon, *texts, **more):
        return [daemon.call("Push", alert(text, **more))["id"] for text in texts]


class Tokens(Inboxes):
    def test_P7_pages_with_more_coming_and_nil_for_everything(self):
        daemon = self.pushed_to()
        self.assertEqual(self.texts(self.page(daemon)), [])
        self.push(daemon, *"abcdefg")
        first = self.page(daemon, limit=3)
        self.assertEqual((self.texts(first), first["moreComing"]), (["a", "b", "c"], True))
        second = self.page(daemon, limit=3, since=first["token"])
        self.assertEqual((self.texts(second), second["moreComing"]), (["d", "e", "f"], True))
        third = self.page(daemon, limit=3, since=second["token"])
        self.assertEqual((self.texts(third), third["moreComing"]), (["g"], False))
        fourth = self.page(daemon, since=third["token"])
        self.assertEqual((self.texts(fourth), fourth["moreComing"]), ([], False))
        self.push(daemon, "h")
        self.assertEqual(self.texts(self.page(daemon, since=fourth["token"])), ["h"])
        self.assertEqual(self.texts(self.page(daemon, since=first["token"])), list("defgh"))
        self.assertEqual(self.texts(self.page(daemon)), list("abcdefgh"))

    def test_P7_with_more_page_after_page_comes(self):
        daemon = self.pushed_to()
        self.push(daemon, *(f"n{number}" for number in range(25)))
        with daemon.connect() as connection:
            pages = list(connection.stream("FetchInbox", {"limit": 10}))
        self.assertEqual([len(page["entries"]) for page in pages], [10, 10, 5])
        self.assertEqual([page["moreComing"] for page in pages], [True, True, False])
        self.assertEqual(self.texts(self.page(daemon, since=pages[1]["token"])),
                         [f"n{number}" for number in range(20, 25)])
        with daemon.connect() as connection:
            self.assertEqual(
                len(list(connection.stream("FetchInbox", {"since": pages[2]["token"]}))), 1)

    def test_P7_three_readers_at_different_points_over_restarts(self):
        daemon = self.pushed_to()
        seed = fixed_seed("three readers")
        chance = random.Random(seed)
        tokens = {name: None for name in "ABC"}
        seen = {name: [] for name in "ABC"}
        expected = []
        for number in range(60):
            if chance.random() < 0.6:
                text = f"n{number}"
                self.push(daemon, text)
                expected.append(text)
            if chance.random() < 0.1:
                chance.choice((daemon.kill, daemon.stop))()
                daemon.start()
            reader = chance.choice("ABC")
            page = self.page(daemon, limit=chance.randint(1, 5), **(
                {"since": tokens[reader]} if tokens[reader] else {}))
            # A reader that dies between a page and keeping its token reads the page again.
            if chance.random() < 0.8:
                tokens[reader] = page["token"]
                seen[reader] += self.texts(page)
        for reader in "ABC":
            more = True
            while more:
                page = self.page(daemon, **({"since": tokens[reader]} if tokens[reader] else {}))
                tokens[reader], more = page["token"], page["moreComing"]
                seen[reader] += self.texts(page)
            self.assertEqual(seen[reader], expected, f"reader {reader}, seed {seed}")

    def test_P7_foreign_tokens_are_a_typed_error(self):
        daemon = self.pushed_to()
        self.push(daemon, "a")
        own = self.page(daemon)["token"]
        daemon.call("Push", {"payload": {"aps": {}, "ck": {"cid": "w"}}})
        daemon.call("Push", alert("x", app="other"))
        raw = base64.urlsafe_b64decode(own + "=" * (-len(own) % 4))
        changed = [base64.urlsafe_b64encode(
            raw[:place] + bytes([raw[place] ^ 0x40]) + raw[place + 1:]).decode().rstrip("=")
            for place in range(len(raw))]
        foreign = [
            self.page(daemon, container="w")["token"], self.page(daemon, app="other")["token"],
            "", "x", "....", own + "A", own[:-1], "\u00e9", "A" * 10_000, *changed]
        with daemon.connect() as connection:
            for token in foreign:
                error = raised(connection, "FetchInbox", {"since": token})
                self.assertEqual(error, ("TokenForeign", {}), token[:80])
            for container in ("w", "nobody"):
                error = raised(connection, "FetchInbox", {"container": container, "since": own})
                self.assertEqual(error, ("TokenForeign", {}))
        self.assertEqual(self.texts(self.page(daemon, since=own)), [])

    def test_P6_P7_the_bound_pushes_the_oldest_out_and_expires_tokens(self):
        daemon = self.pushed_to("[limits]\ninbox = 5\n[app:small]\ninbox = 2\n",
                                {"told": "inbox = 3\n"})
        self.push(daemon, *"abc")
        early = self.page(daemon, limit=1)["token"]
        late = self.page(daemon)["token"]
        self.push(daemon, *"defg")
        self.assertEqual(self.texts(self.page(daemon)), list("cdefg"))
        self.assertEqual(self.texts(self.page(daemon, since=late)), list("defg"))
        with daemon.connect() as connection:
            self.assertEqual(
                raised(connection, "FetchInbox", {"since": early}), ("TokenExpired", {}))
        daemon.kill()
        daemon.start()
        with daemon.connect() as connection:
            self.assertEqual(
                raised(connection, "FetchInbox", {"since": early}), ("TokenExpired", {}))
        self.assertEqual(self.texts(self.page(daemon, since=late)), list("defg"))
        for app, kept in (("small", "fg"), ("told", "efg")):
            self.push(daemon, *"abcdefg", app=app)
            self.assertEqual(self.texts(self.page(daemon, app=app)), list(kept))

    def test_P6_A2_an_app_has_16_containers(self):
        daemon = self.pushed_to()
        for number in range(16):
            daemon.call("Push", {"payload": {"ck": {"cid": f"c{number}"}}})
        with daemon.connect() as connection:
            error = raised(connection, "Push", {"payload": {"ck": {"cid": "c16"}}})
        self.assertEqual(error, ("LimitReached", {"limit": "containers", "value": 16}))
        daemon.call("Push", {"payload": {"ck": {"cid": "c3"}}})
        self.assertEqual(len(self.page(daemon, container="c3")["entries"]), 2)
        self.assertEqual(self.page(daemon, container="c16")["entries"], [])

    def test_P7_a_large_page_is_cut_by_its_bytes(self):
        daemon = self.pushed_to()
        for number in range(20):
            daemon.call("Push", {"payload": {"aps": {"badge": number}, "own": "x" * 60_000}})
        with daemon.connect() as connection:
            pages = list(connection.stream("FetchInbox", {"limit": 1000}))
        self.assertGreater(len(pages), 1)
        badges = [entry["payload"]["aps"]["badge"] for page in pages for entry in page["entries"]]
        self.assertEqual(badges, list(range(20)))
        for page in pages:
            self.assertLess(len(json.dumps(page)), 600_000)


class Marks(Inboxes):
    def test_P8_marked_read_by_one_reader_the_others_hear_of_it_once_each(self):
        daemon = self.pushed_to()
        a, b, c = self.push(daemon, *"abc")
        tokens = {"all": self.page(daemon)["token"], "one": self.page(daemon, limit=1)["token"]}
        self.assertEqual(daemon.call("MarkRead", {"ids": [b]}), {"marked": [b], "unknown": []})
        # Who has seen it hears that it was read; who has not sees only that.
        for reader, texts in (("all", [b]), ("one", ["c", b])):
            page = self.page(daemon, since=tokens[reader])
            self.assertEqual(self.texts(page), texts)
            mark = page["entries"][-1]
            self.assertEqual((mark["kind"], mark["isPruned"]), ("readNotification", True))
            self.assertNotIn("payload", mark)
            self.assertEqual(self.texts(self.page(daemon, since=page["token"])), [])
        self.assertEqual(self.texts(self.page(daemon)), ["a", "c", b])
        daemon.kill()
        daemon.start()
        self.assertEqual(self.texts(self.page(daemon, since=tokens["all"])), [b])
        # Again it does nothing; what is not there is named.
        none = str(uuid.uuid4())
        self.assertEqual(daemon.call("MarkRead", {"ids": [b, none, a.upper()]}),
                         {"marked": [a], "unknown": [none]})
        self.assertEqual(self.texts(self.page(daemon)), ["c", b, a])
        self.assertEqual(daemon.call("MarkRead", {"ids": []}), {"marked": [], "unknown": []})
        self.assertEqual(daemon.call("MarkRead", {"container": "w", "ids": [c]}),
                         {"marked": [], "unknown": [c]})

    def test_P8_what_is_shown_stays(self):
        daemon = self.pushed_to()
        made, = self.push(daemon, "x", collapseId="bed")
        self.see("bed")
        wait_until(lambda: daemon.listed(delivered=True))
        daemon.call("MarkRead", {"ids": [made]})
        self.assertEqual(
            {row["notification"]["identifier"] for row in daemon.listed(delivered=True)}, {"bed"})

    def test_P8_a_reader_that_sleeps_while_others_mark_sees_each_mark_once(self):
        daemon = self.pushed_to()
        seed = fixed_seed("read marks")
        chance = random.Random(seed)
        ids, marked, tokens = [], [], {}
        heard = {name: [] for name in "ABC"}
        for number in range(120):
            what = chance.random()
            if what < 0.4:
                ids += self.push(daemon, f"n{number}")
            elif what < 0.6 and len(marked) < len(ids):
                chosen = chance.choice([one for one in ids if one not in marked])
                daemon.call("MarkRead", {"ids": [chosen]})
                marked.append(chosen)
            elif what < 0.65:
                daemon.kill()
                daemon.start()
            else:
                self.read(daemon, chance.choice("ABC"), tokens, heard, chance.randint(1, 4))
        for reader in "ABC":
            while self.read(daemon, reader, tokens, heard, 50):
                pass
            marks = [entry["id"] for entry in heard[reader] if entry["kind"] == "readNotification"]
            self.assertEqual(marks, marked, f"reader {reader}, seed {seed}")
            whole = [entry["id"] for entry in heard[reader] if "payload" in entry]
            self.assertEqual(len(whole), len(set(whole)), f"seed {seed}")
            self.assertEqual(set(ids) - set(marked), set(whole) - set(marked), f"seed {seed}")

    def read(self, daemon, reader, tokens, heard, limit):
        page = self.page(daemon, limit=limit, **(
            {"since": tokens[reader]} if reader in tokens else {}))
        tokens[reader] = page["token"]
        heard[reader] += page["entries"]
        return page["moreComing"]


class PushLoop(threading.Thread):
    """Pushes in a loop until its connection breaks."""

    def __init__(self, daemon, number):
        super().__init__(daemon=True)
        self.connection = daemon.connect()
        self.number = number
        self.acknowledged = []
        self.open = None

    def run(self):
        with self.connection:
            for count in range(100_000):
                nid = str(uuid.UUID(int=self.number << 32 | count))
                try:
                    self.open = nid
                    reply = self.connection.call("Push", {"payload": {
                        "aps": {"alert": "x"}, "ck": {"nid": nid}}})
                    self.open = None
                except (OSError, ConnectionError):
                    return
                assert reply["id"] == nid and not reply["duplicate"], reply
                self.acknowledged.append(nid)


class Kill(Inboxes):
    def test_D7_P6_every_acknowledged_push_survives_100_kills(self):
        daemon = self.pushed_to(UNLIMITED + "inbox = 1000000\n", start=False)
        seed = fixed_seed("100 kills")
        chance = random.Random(seed)
        rounds, between, acknowledged, cut, stored = rounds_of(100), 0, [], [], 0
        for number in until_a_third(rounds, lambda: between):
            daemon.start()
            loop = PushLoop(daemon, number + 1)
            loop.start()
            wait_until(lambda: loop.acknowledged, what="the first acknowledgement")
            time.sleep(chance.uniform(0, 0.03))
            os.kill(daemon.process.pid, signal.SIGKILL)
            waiting = loop.open
            between += waiting is not None
            daemon.process.wait()
            loop.join(PATIENCE)
            self.assertFalse(loop.is_alive())
            acknowledged += loop.acknowledged
            if loop.open:
                # Without its reply it is sent again: once it is there, whether it was or not.
                cut.append(loop.open)
        daemon.start()
        for nid in cut:
            stored += daemon.call("Push", {"payload": {
                "aps": {"alert": "x"}, "ck": {"nid": nid}}})["duplicate"]
        with daemon.connect() as connection:
            entries = [entry["id"] for page in connection.stream("FetchInbox", {"limit": 1000})
                       for entry in page["entries"]]
        self.assertEqual(len(entries), len(set(entries)), f"seed {seed}")
        self.assertEqual(set(entries), set(acknowledged) | set(cut), f"seed {seed}")
        wait_until(lambda: set(entries) <= {row["identifier"] for row in recorded(self.out)},
                   what=f"every one is shown; seed {seed}")
        ids = {}
        for row in recorded(self.out):
            ids.setdefault(row["identifier"], set()).add(row["id"])
        twice = {nid: names for nid, names in ids.items() if len(names) > 1}
        self.assertEqual(twice, {}, f"one push under two delivery ids; seed {seed}")
        print(f"push: {number + 1} kills, {between} between a request and its reply, "
              f"{len(acknowledged)} acknowledged, {stored} of {len(cut)} cut ones were stored")
        self.assertGreaterEqual(between * 3, rounds)


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class LaunchForPush(test_apps.Apps):
    APP = test_apps.Launching.APP
    USER = test_apps.Launching.USER
    program = test_apps.Launching.program

    def board_with(self, text):
        path, room = self.program()
        daemon = self.board()
        daemon.configure("[sound]\nenabled = no\n")
        self.manifest(daemon, self.APP, f"user = daemon\nexecutable = {path}\n{text}")
        return daemon.start(NOTIFY_SOCKET=""), room

    def test_P9_launch_for_push_starts_the_app(self):
        daemon, room = self.board_with("launchForPush = yes\ninbox = 30\n")
        payload = {"aps": {"content-available": 1}, "n": 5}
        reply = daemon.call("Push", {"app": self.APP, "payload": payload})
        wait_until(lambda: os.path.exists(room + "/found"), what="the program")
        with open(room + "/found", encoding="utf-8") as file:
            event = json.load(file)["event"]
        self.assertEqual((event["kind"], event["occurrence"]), ("received", reply["occurrence"]))
        self.assertEqual(event["notification"]["push"], payload)
        entries = daemon.call("FetchInbox", {"app": self.APP})["entries"]
        self.assertEqual([entry["id"] for entry in entries], [reply["id"]])
        row = self.app(daemon, self.APP)
        self.assertEqual((row["launchForPush"], row["inbox"]), (True, 30))
        self.assertRegex(self.belfry(daemon, "app", "show", self.APP)[1],
                         r"inbox +at most 30 in each\nlaunch for push +yes")

    def test_P9_without_it_nothing_is_started(self):
        daemon, room = self.board_with("")
        daemon.call("Push", {"app": self.APP, "payload": {"aps": {"content-available": 1}}})
        daemon.call("Push", {"app": self.APP, "payload": {"aps": {"alert": "x"}}})
        # It waits instead, and nothing runs.
        row = wait_until(lambda: daemon.history(app=self.APP), what="a row")[0]
        self.assertIn("waits in the inbox", row["reason"])
        self.assertEqual(daemon.children(), [])
        self.assertFalse(os.path.exists(room + "/found"))
        self.assertEqual(
            len(daemon.call("FetchInbox", {"app": self.APP})["entries"]), 2)


class Command(Inboxes):
    def run_belfry(self, daemon, *words, stdin=None):
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), *words], input=stdin, capture_output=True,
            text=True, timeout=PATIENCE, check=False, env={
                "PATH": "/usr/bin:/bin", "TZ": "UTC",
                "BELFRY_SOCKET": daemon.socket if daemon else "/nonexistent/socket"})
        return done.returncode, done.stdout, done.stderr

    def rows(self, text):
        return [json.loads(line) for line in text.splitlines()]

    def test_P6_push_and_fetch_as_a_new_user_would(self):
        daemon = self.pushed_to()
        path = os.path.join(daemon.directory, "alert.json")
        nid = str(uuid.uuid4())
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"aps": {"alert": {"title": "Ward 3", "body": "Bed 12 calls"}, "badge": 3,
                               "mutable-content": 1},
                       "ck": {"nid": nid, "cid": "iCloud.w", "qry": {"fo": 1}}}, file)
        self.assertEqual(self.run_belfry(daemon, "push", path), (0, f"pushed {nid}\n", ""))
        self.assertEqual(self.see(nid)["body"], "Bed 12 calls")
        status, out, _ = self.run_belfry(daemon, "push", path)
        self.assertEqual((status, out),
                         (0, f"pushed {nid} before: nothing is stored or shown again\n"))
        status, out, _ = self.run_belfry(daemon, "push", "--json", path)
        row, = self.rows(out)
        self.assertEqual((row["id"], row["duplicate"], row["occurrence"]), (nid, True, None))
        self.assertEqual([member["path"] for member in row["ignored"]], ["aps.mutable-content"])
        # The own inbox, from standard input.
        status, out, _ = self.run_belfry(
            daemon, "push", "--collapse-id", "score", "-", stdin='{"aps": {"alert": "1:0"}}')
        own = re.fullmatch(r"pushed ([0-9a-f-]{36})\n", out).group(1)
        self.assertEqual(self.see("score")["body"], "1:0")

        status, out, _ = self.run_belfry(daemon, "inbox", "fetch", "--container", "iCloud.w")
        head, row, token = out.splitlines()
        self.assertEqual(head.split(), ["ID", "KIND", "RECEIVED", "TEXT", "MISSING"])
        self.assertRegex(row, f"^{nid}  query  .*  Ward 3: Bed 12 calls$")
        token = token.removeprefix("token: ")
        status, out, _ = self.run_belfry(
            daemon, "inbox", "fetch", "--container", "iCloud.w", "--since", token)
        self.assertEqual((status, out), (0, f"nothing has come since\ntoken: {token}\n"))
        self.assertEqual(
            self.run_belfry(daemon, "inbox", "mark-read", "--container", "iCloud.w", nid),
            (0, "marked 1 as read\n", ""))
        self.assertEqual(
            self.run_belfry(daemon, "inbox", "mark-read", "--container", "iCloud.w", nid),
            (0, "marked 0 as read, 1 had been marked before\n", ""))
        status, out, err = self.run_belfry(daemon, "inbox", "mark-read", nid, own)
        self.assertEqual((status, out), (1, "marked 1 as read\n"))
        self.assertIn(f"ID: the inbox has no {nid}", err)
        status, out, _ = self.run_belfry(
            daemon, "inbox", "fetch", "--json", "--container", "iCloud.w", "--since", token)
        row, end = self.rows(out)
        self.assertEqual((row["id"], row["kind"], row["payload"]), (nid, "readNotification", None))
        self.assertEqual((end["moreComing"], set(end)), (False, {"token", "moreComing"}))

    def test_P4_P6_explain_delivers_and_tells_all(self):
        daemon = self.pushed_to()
        payload = {"aps": {"alert": {"loc-key": "BED", "loc-args": ["a" * 130], "body": "b"},
                           "badge": 0},
                   "ck": {"cid": "iCloud.w", "qry": {"rid": "r" * 60}}}
        status, out, err = self.run_belfry(
            daemon, "push", "--explain", "--limit", "256", "-", stdin=json.dumps(payload))
        self.assertEqual((status, err), (0, ""))
        for row in (("alertBody", "b", "left out to fit") if "left out" in out.split("alertBody")[1]
                    .splitlines()[0] else ("alertBody", "b"),
                    ("containerIdentifier", "iCloud.w", "left out to fit the limit"),
                    ("alertLocalizationArgs", ), ("aps.alert.body", "-", "shown only where its localization key"),
                    ("body", "BED", "the app's texts"), ("buttons", "OK"),
                    ("badge", "cleared", "0 clears it"), ("sound", "none"),
                    ("inbox", "iCloud.w")):
            pattern = "^" + "  +".join(re.escape(cell) for cell in row)
            self.assertTrue(re.search(pattern, out, re.MULTILINE), (row, out))
        self.assertRegex(out, r"(?m)^pushed [0-9a-f-]{36}$")
        for sink in ("one", "shower"):
            self.assertRegex(out, rf"(?m)  delivered .* by {sink}, ")
        self.assertEqual(len(self.inbox(daemon, container="iCloud.w")), 1)
        status, out, _ = self.run_belfry(
            daemon, "push", "--explain", "--json", "-", stdin='{"aps": {"content-available": 1}}')
        row, = self.rows(out)
        self.assertEqual((row["shown"], row["kind"]), (None, "plain push"))
        self.assertEqual({event.get("sink") for event in row["events"]} - {None, "", "app"}, set())
        # Only shown, nothing is delivered.
        before = len(self.inbox(daemon))
        for extra in ((), ("--explain",), ("--json",)):
            status, _, _ = self.run_belfry(
                daemon, "push", "--dry-run", *extra, "-", stdin='{"aps": {"alert": "x"}}')
            self.assertEqual(status, 0)
        self.assertEqual(len(self.inbox(daemon)), before)

    def test_P1_A4_wrong_words_and_bad_files(self):
        daemon = self.pushed_to()
        bad = [
            ('{"aps": {"badge": -1}}', "aps.badge: "), ("[]", "payload: "), ("", "payload: "),
            ("nonsense", "payload: no JSON at byte 0"), ('{"aps": []}', "aps: "),
            ('{"aps": {"alert": 7}}', "aps.alert: "), ('{"room": 1}', "aps: "),
            ('{"aps": {"badge": 1, "badge": 2}}', "aps.badge: "),
            ('{"aps": {"sound": {"name": "a", "critical": 7}}}', "aps.sound.critical: "),
            ('{"aps": {"sound": "a/b"}}', "aps.sound: "),
            ('{"ck": {"nid": "17"}}', "ck.nid: "),
            ('{"aps": {}, "x": ' + "[" * 10_000 + "]" * 10_000 + "}", "x[0]"),
            ('{"aps": {"alert": "' + "x" * (1 << 20) + '"}}', "payload: "),
        ]
        for text, says in bad:
            for words in (("push", "-"), ("push", "--dry-run", "-"), ("push", "--explain", "-")):
                status, out, err = self.run_belfry(daemon, *words, stdin=text)
                self.assertEqual((status, out, len(err.splitlines())), (1, "", 1), (words, err))
                self.assertTrue(err.startswith("belfry: " + says), err)
        large = os.path.join(daemon.directory, "large.json")
        with open(large, "w", encoding="ascii") as file:
            file.write('{"aps": {"alert": "' + "x" * (1 << 20) + '"}}')
        for status, words, says in (
                (1, ("push", large), "payload: more than 65536 bytes"),
                (1, ("push", "--dry-run", large), "payload: more than 65536 bytes"),
                (2, ("push",), "push needs FILE"), (2, ("push", "a", "b"), "does not take"),
                (1, ("push", "--limit", "0", "-"), "--limit"),
                (2, ("push", "--limit", "many", "-"), "--limit"),
                (2, ("push", "--expires", "soon", "-"), '--expires: "soon" is not a time; use'),
                (1, ("push", "--collapse-id", "", "-"), "--collapse-id: "),
                (1, ("push", "/no/such/file"), "/no/such/file"), (1, ("push", "/tmp"), "/tmp"),
                (1, ("push", "--app", "a b", "-"), "--app: "),
                (2, ("push", "--since", "x", "-"), "belongs to history, inbox fetch"),
                (2, ("inbox",), "fetch, mark-read"), (2, ("inbox", "fetsh"), "did you mean"),
                (2, ("inbox", "fetch", "x"), "does not take"),
                (1, ("inbox", "fetch", "--limit", "0"), "--limit"),
                (1, ("inbox", "fetch", "--since", "x"), "--since: this inbox never gave such"),
                (1, ("inbox", "fetch", "--container", "a\nb"), "--container: "),
                (2, ("inbox", "mark-read"), "needs ID"),
                (2, ("inbox", "mark-read", "17"), "is not a UUID"),
                (1, ("inbox", "mark-read", str(uuid.uuid4())), "the inbox has no")):
            # What is wrong in the words is said before the payload is read.
            text = "" if status == 2 else '{"aps": {"alert": "x"}}'
            found, out, err = self.run_belfry(daemon, *words, stdin=text)
            self.assertEqual(found, status, (words, out, err))
            self.assertEqual(len(err.splitlines()), 1, (words, err))
            self.assertIn(says, err, words)
        self.assertEqual(self.inbox(daemon), [])
        for words in (("push", "-"), ("push", "--explain", "-"), ("inbox", "fetch"),
                      ("inbox", "mark-read", str(uuid.uuid4()))):
            status, out, err = self.run_belfry(None, *words, stdin='{"aps": {"alert": "x"}}')
            self.assertEqual((status, out, len(err.splitlines())), (3, "", 1), words)

    def test_P7_fetch_goes_through_all_pages_and_stops_at_a_limit(self):
        daemon = self.pushed_to()
        self.push(daemon, *(f"n{number}" for number in range(230)))
        status, out, _ = self.run_belfry(daemon, "inbox", "fetch", "--json")
        *rows, end = self.rows(out)
        self.assertEqual([row["payload"]["aps"]["alert"] for row in rows],
                         [f"n{number}" for number in range(230)])
        self.assertFalse(end["moreComing"])
        status, out, _ = self.run_belfry(daemon, "inbox", "fetch", "--json", "--limit", "150")
        *rows, end = self.rows(out)
        self.assertEqual((len(rows), end["moreComing"]), (150, True))
        status, out, _ = self.run_belfry(
            daemon, "inbox", "fetch", "--json", "--since", end["token"])
        self.assertEqual(len(self.rows(out)), 81)
        status, out, _ = self.run_belfry(daemon, "inbox", "fetch", "--limit", "2")
        self.assertIn("there is more", out.splitlines()[-1])

    def test_P6_tables_line_up_with_wide_text_and_fit_a_terminal(self):
        daemon = self.pushed_to()
        self.push(daemon, "日本語のお知らせ " * 10, "plain", "e\u0301\u202e reversed\x1b[31m")
        daemon.call("Push", {"payload": {"aps": {}, "ck": {"p": 1, "qry": {"fo": 1}}}})
        for columns in (80, 100, 140):
            for line in terminal(["inbox", "fetch"], daemon.socket, columns=columns).splitlines():
                self.assertNotIn("\x1b[31m", line)
                # The heading is bold, which takes no room.
                line = re.sub(r"\x1b\[[01]?m", "", line)
                self.assertNotIn("\x1b", line)
                if not line.startswith("token: "):
                    wide = sum(2 if ord(one) > 0x2E80 else 0 if one == "\u0301" else 1
                               for one in line)
                    self.assertLessEqual(wide, columns, line)


if __name__ == "__main__":
    unittest.main()
