"""P6, P9, A4: pushes by files in a folder."""
import collections
import os
import random
import signal
import threading
import time

from belfry_harness import (
    fixed_seed, quiet, recorded, recorder_section, rounds_of, until_a_third, wait_until)
from spool_board import ALICE, BOB, SpoolTest, bodies, inbox
from test_apps import acting_as
from test_disk import words
from test_on_time import sleeps


class Files(SpoolTest):
    def test_P6_a_file_is_in_the_inbox_and_shown(self):
        daemon = self.board(start=False)
        section, out = recorder_section(daemon.directory, "witness")
        with open(os.path.join(daemon.directory, "belfry.conf"), "a", encoding="utf-8") as file:
            file.write(section)
        # One that is there before anything runs.
        self.drop("early.json", {"aps": {"alert": "early"}})
        daemon.start()
        self.drop("alert.json", {"aps": {"alert": {"title": "Door", "body": "It rang"}, "badge": 3},
                                 "ck": {"nid": "01234567-89AB-cdef-0123-456789abcdef"}, "room": 7})
        wait_until(lambda: len(inbox(daemon)) == 2, what="both in the inbox")
        entries = {entry["id"]: entry for entry in inbox(daemon)}
        entry = entries["01234567-89ab-cdef-0123-456789abcdef"]
        self.assertEqual(entry["payload"]["room"], 7)
        self.assertEqual(entry["kind"], "base")
        wait_until(lambda: len(recorded(out)) == 2, what="both at the recorder")
        wait_until(lambda: self.left() == [], what="an empty spool")
        # The same nid again is one push.
        self.drop("again.json", {"aps": {"alert": "It rang"},
                                 "ck": {"nid": "01234567-89ab-cdef-0123-456789abcdef"}})
        wait_until(lambda: self.left() == [], what="an empty spool")
        self.drop("other.json", {"aps": {"alert": "It rang"}})
        wait_until(lambda: len(recorded(out)) == 3, what="the other one at the recorder")
        self.assertEqual(len(inbox(daemon)), 3)

    def test_A4_every_bad_file_is_set_aside_with_its_reason(self):
        daemon = self.board()
        deep = b'{"aps":' + b"[" * 10_000 + b"]" * 10_000 + b"}"
        rows = {
            "text": (b"ding", "payload: no JSON at byte 0"),
            "empty": (b"", "payload: no JSON at byte 0"),
            "array": (b"[1]", "payload: "),
            "neither": (b"{}", "aps: "),
            "aps-array": (b'{"aps":[]}', "aps: "),
            "alert-number": (b'{"aps":{"alert":7}}', "aps.alert: "),
            "badge-minus": (b'{"aps":{"badge":-1}}', "aps.badge: "),
            "badge-half": (b'{"aps":{"badge":1.5}}', "aps.badge: "),
            "badge-huge": (b'{"aps":{"badge":1000000000000}}', "aps.badge: "),
            "badge-text": (b'{"aps":{"badge":"three"}}', "aps.badge: "),
            "loud": (b'{"aps":{"sound":{"name":"default","critical":7}}}', "aps.sound.critical: "),
            "large": (b'{"aps":{"alert":"' + b"x" * (1 << 20) + b'"}}', "payload: 1048"),
            "deep": (deep, "aps"),
            "twice": (b'{"aps":{"badge":1,"badge":2}}', "aps.badge: "),
            "latin": (b'{"aps":{"alert":"\xe9"}}', "aps.alert: "),
            "nid": (b'{"ck":{"nid":"door-7"}}', "ck.nid: "),
            "two": (b'{"ck":{"qry":{},"met":{}}}', "ck.met: "),
            "long": (b'{"aps":{"alert":"' + b"x" * 20_000 + b'"}}', "aps.alert: "),
        }
        for number, (name, (data, _)) in enumerate(rows.items()):
            self.drop(name, data)
            self.drop(f"good{number}", {"aps": {"alert": f"good {number}"}})
        for name, (data, reason) in rows.items():
            with self.subTest(name=name):
                found = self.reason(name)
                self.assertTrue(found.startswith(reason), found)
                self.assertEqual(found.count("\n"), 1, found)
                self.assertLess(len(found), 500)
                with open(os.path.join(self.folder, "rejected", name), "rb") as file:
                    self.assertEqual(file.read(), data)
        # Nothing else is disturbed.
        wait_until(lambda: self.left() == [], what="an empty spool")
        self.assertEqual(sorted(bodies(inbox(daemon))),
                         sorted(f"good {number}" for number in range(len(rows))))
        self.assertEqual(len(os.listdir(os.path.join(self.folder, "rejected"))), 2 * len(rows))
        self.assertEqual(self.plugin(daemon)["restarts"], 0)

    def test_A1_a_file_is_pushed_as_its_owner(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        daemon = self.board()
        os.chmod(self.folder, 0o1777)
        os.mkdir(os.path.join(self.folder, "org.example.door"), 0o755)
        # Root uses the app first, so it is root's.
        self.drop("org.example.door/first", {"aps": {"alert": "root"}})
        wait_until(
            lambda: bodies(inbox(daemon, "org.example.door")) == ["root"], what="root's push")
        self.drop("org.example.door/alice", {"aps": {"alert": "alice"}}, owner=ALICE)
        self.assertEqual(self.reason("org.example.door/alice"),
                         "app: org.example.door belongs to another user\n")
        # Her own she may: by her number, and one that she uses first.
        self.drop("own", {"aps": {"alert": "alice"}}, owner=ALICE)
        wait_until(lambda: bodies(inbox(daemon, f"user.{ALICE}")) == ["alice"], what="alice's push")
        os.mkdir(os.path.join(self.folder, "org.example.alice"), 0o755)
        self.drop("org.example.alice/a", {"aps": {"alert": "alice"}}, owner=ALICE)
        wait_until(
            lambda: bodies(inbox(daemon, "org.example.alice")) == ["alice"], what="her app's")
        apps = {row["app"]: row["owner"] for page in [daemon.call("Apps")]
                for row in page["apps"]}
        self.assertEqual(apps["org.example.alice"], ALICE)
        self.assertEqual(bodies(inbox(daemon, "org.example.door")), ["root"])

    def take_rejected(self, how):
        """Alice takes the name, as whoever comes first into a sticky folder can."""
        path = os.path.join(self.folder, "rejected")
        trap = os.path.join(os.path.dirname(self.folder), "trap")
        os.makedirs(trap, exist_ok=True)
        os.chown(trap, ALICE, ALICE)
        with acting_as(ALICE):
            if how == "link":
                os.symlink(trap, path)
            elif how == "file":
                with open(path, "w", encoding="utf-8") as file:
                    file.write("hers")
            else:
                os.mkdir(path)
                os.chmod(path, 0o777)
        return trap

    def test_A1_whoever_takes_the_name_rejected_in_a_sticky_folder_stops_nothing(self):
        if os.geteuid() != 0:
            self.skipTest("becoming another user needs root")
        for how in ("link", "file", "folder"):
            daemon = self.board(start=False)
            os.chmod(daemon.directory, 0o755)
            os.chmod(self.folder, 0o1777)
            trap = self.take_rejected(how)
            daemon.start()
            self.drop("oops", {"aps": {"badge": -1}}, owner=BOB)
            self.drop("good", {"aps": {"alert": how}}, owner=BOB)
            wait_until(lambda: bodies(inbox(daemon, f"user.{BOB}")) == [how], what="the good one")
            aside = wait_until(
                lambda: [name for name in os.listdir(self.folder) if name.startswith(".rejected.")
                         and "oops" in os.listdir(os.path.join(self.folder, name))],
                what="the bad one set aside")
            self.assertEqual(len(aside), 1)
            aside = os.path.join(self.folder, aside[0])
            with open(os.path.join(aside, "oops.reason"), encoding="utf-8") as file:
                self.assertIn("aps.badge", file.read())
            self.assertEqual((os.stat(aside).st_uid, os.stat(aside).st_mode & 0o7777), (0, 0o755))
            self.assertEqual(self.left(), [os.path.basename(aside)])
            # Nothing went to her.
            self.assertEqual(os.listdir(trap), [])
            if how == "folder":
                self.assertEqual(os.listdir(os.path.join(self.folder, "rejected")), [])
            daemon.says("rejected cannot be used")
            with acting_as(ALICE), self.assertRaises(PermissionError):
                os.rename(aside, os.path.join(self.folder, "away"))
            daemon.stop()

    def test_A1_a_sticky_folder_has_its_rejected_before_anybody_can_take_the_name(self):
        if os.geteuid() != 0:
            self.skipTest("becoming another user needs root")
        daemon = self.board(start=False)
        os.chmod(daemon.directory, 0o755)
        os.chmod(self.folder, 0o1777)
        daemon.start()
        path = os.path.join(self.folder, "rejected")
        wait_until(lambda: os.path.isdir(path), what="the folder")
        wait_until(lambda: os.stat(path).st_mode & 0o7777 == 0o755, what="its rights")
        with acting_as(ALICE):
            for deed in (lambda: os.mkdir(os.path.join(path, "oops.reason")),
                         lambda: os.rename(path, os.path.join(self.folder, "away"))):
                with self.assertRaises(PermissionError):
                    deed()
        self.drop("oops", {"aps": {"badge": -1}}, owner=ALICE)
        self.assertIn("aps.badge", self.reason("oops"))

    def test_P6_the_app_of_the_section_gets_what_lies_in_the_folder_itself(self):
        daemon = self.board("app = org.example.tea\n")
        self.drop("a", {"aps": {"alert": "tea"}, "ck": {"cid": "iCloud.tea"}})
        wait_until(lambda: bodies(inbox(daemon, "org.example.tea", "iCloud.tea")) == ["tea"],
                   what="the push in its container")

    def test_A3_a_folder_that_cannot_be_trusted_is_said_so(self):
        daemon = self.board(start=False)
        os.chmod(self.folder, 0o777)
        daemon.start()
        wait_until(lambda: "can be written by everybody" in str(self.plugin(daemon)),
                   what="the reason in the status")
        os.chmod(self.folder, 0o755)
        self.drop("a", {"aps": {"alert": "a"}})
        daemon.process.send_signal(signal.SIGHUP)
        wait_until(lambda: bodies(inbox(daemon)) == ["a"], what="the push after SIGHUP")

    @quiet
    def test_T12_an_idle_spool_wakes_nobody(self):
        daemon = self.board()
        self.drop("a", {"aps": {"alert": "a"}})
        wait_until(lambda: self.left() == [], what="an empty spool")
        self.assertEqual(sleeps(3, daemon.process.pid, self.worker(daemon)), set())

    def test_D8_a_file_waits_for_a_disk_that_refuses(self):
        daemon = self.board(start=False, test_build=True)
        daemon.environment["BELFRY_TEST_VFS"] = os.path.join(daemon.directory, "disk")
        words(daemon, "")
        section, out = recorder_section(daemon.directory, "witness")
        with open(os.path.join(daemon.directory, "belfry.conf"), "a", encoding="utf-8") as file:
            file.write(section)
        daemon.start()
        self.drop("first", {"aps": {"alert": "first"}})
        wait_until(lambda: self.left() == [], what="an empty spool")
        names = ["first"]
        for word in ("full", "readonly"):
            words(daemon, word)
            names.append(word)
            lines = daemon.log_text().count("pushes wait")
            self.drop(word, {"aps": {"alert": word}})
            # It is shown all the same.
            wait_until(lambda: len(recorded(out)) == len(names), what=f"the alert, disk {word}")
            wait_until(lambda: daemon.log_text().count("pushes wait") > lines,
                       what=f"a line that it waits, disk {word}")
            self.assertEqual(self.left(), [word])
            words(daemon, "")
            wait_until(lambda: self.left() == [], what=f"an empty spool, disk no longer {word}")
            self.assertEqual(bodies(inbox(daemon)), names)
        shown = collections.Counter(row["id"] for row in recorded(out))
        self.assertEqual((len(shown), max(shown.values())), (len(names), 1))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "rejected")))


class Dropper(threading.Thread):
    """Drops files of these numbers into the spool as fast as it can."""

    def __init__(self, test, numbers):
        super().__init__(daemon=True)
        self.test = test
        self.numbers = numbers
        self.dropped = 0

    def run(self):
        for number in self.numbers:
            if number % 100 == 0:
                aps = {"alert": f"file {number}"}
            else:
                aps = {"content-available": 1}
            payload = {"aps": aps, "number": number}
            if number % 7 == 0:
                payload["ck"] = {"nid": f"00000000-0000-4000-8000-{number:012x}"}
            self.test.drop(f"{number}.json", payload)
            self.dropped += 1


class Killed(SpoolTest):
    # Files of a round.
    SIZE = 400
    ROUNDS = 25
    LIMITS = "[limits]\ninbox = 40000\nhistory = 40000\n"

    def test_P9_ten_thousand_files_are_in_once_each_through_kills(self):
        seed = fixed_seed("spool")
        generator = random.Random(seed)
        daemon = self.board(start=False, extra=self.LIMITS)
        section, out = recorder_section(daemon.directory, "witness")
        with open(os.path.join(daemon.directory, "belfry.conf"), "a", encoding="utf-8") as file:
            file.write(section)
        rounds, workers, within, count = rounds_of(self.ROUNDS), 0, 0, 0
        for number in until_a_third(rounds, lambda: within):
            dropper = Dropper(self, range(count, count + self.SIZE))
            count += self.SIZE
            before = len(self.left())
            if number % 2:
                # These lie there when the daemon starts, the others come while it runs.
                dropper.start()
                daemon.start()
            else:
                daemon.start()
                dropper.start()
            if number % 3 == 2:
                pid = self.worker(daemon)
                time.sleep(generator.uniform(0, 0.05))
                os.kill(pid, signal.SIGKILL)
                workers += 1
                wait_until(
                    lambda: self.plugin(daemon).get("pid", pid) != pid, what="another worker")
            if number % 4:
                # Not before it takes files.
                wait_until(lambda: len(self.left()) < before + dropper.dropped, what="a file taken")
            time.sleep(generator.uniform(0, 0.05))
            daemon.kill()
            dropper.join(60)
            left = len(self.left())
            # It had taken some, and had not taken all.
            within += 0 < left < before + self.SIZE
        daemon.start()
        wait_until(lambda: self.left() == [], what=f"an empty spool (seed {seed})")
        entries = inbox(daemon)
        found = collections.Counter(entry["payload"]["number"] for entry in entries)
        self.assertEqual(set(range(count)) - set(found), set(), f"lost; seed {seed}")
        self.assertEqual({n for n, times in found.items() if times > 1}, set(), f"twice; seed {seed}")
        self.assertEqual(len({entry["id"] for entry in entries}), count)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "rejected")), f"seed {seed}")
        alerts = {f"file {number}" for number in range(0, count, 100)}
        wait_until(lambda: len({row["id"] for row in recorded(out)}) >= len(alerts),
                   what=f"every alert at the recorder (seed {seed})")
        self.assertEqual(len({row["id"] for row in recorded(out)}), len(alerts), f"seed {seed}")
        print(f"spool: {count} files in once each, {number + 1} kills of belfryd, {within} of "
              f"them with some taken and some not, {workers} of the worker; "
              f"{len(recorded(out)) - len(alerts)} alerts repeated under their own id")
        self.assertGreaterEqual(within * 3, rounds)

    def test_files_a_second(self):
        daemon = self.board(start=False, extra=self.LIMITS)
        for number in range(2000):
            self.drop(f"{number}", {"aps": {"content-available": 1}, "number": number})
        start = time.monotonic()
        daemon.start()
        wait_until(lambda: self.left() == [], what="an empty spool")
        seconds = time.monotonic() - start
        print(f"spool: 2000 files that lay there in {seconds:.2f} s, the start included")
        self.assertEqual(len(inbox(daemon)), 2000)
