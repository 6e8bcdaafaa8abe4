"""D8: a disk that is full, read-only, broken, slow or without power; books that are damaged."""
import os
import random
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import uuid

from belfry_harness import (
    DaemonTest, Refused, built_plugin, fixed_seed, microseconds, printed_lateness, recorded,
    recorder_section, wait_until)
from schedule_loop import FAR, KillRounds
from stepped import SteppedTest

# Until the test says something else.
HANGS = "block 3600000"


def words(daemon, text):
    """What the disk below the books does from now on (cfault_vfs.h)."""
    path = daemon.environment["BELFRY_TEST_VFS"]
    with open(path + ".new", "w", encoding="ascii") as file:
        file.write(text)
    os.rename(path + ".new", path)


class FaultyDisk(SteppedTest):
    def faulty(self, text="", start=True, stepped=False):
        """A daemon of the test build on a disk that obeys `words`, with a recorder. A disk that hangs
        never rests, so then it is by no stepped clock."""
        daemon = self.stepped_daemon(start=False) if stepped else self.daemon(
            start=False, test_build=True)
        daemon.environment["BELFRY_TEST_VFS"] = os.path.join(daemon.directory, "disk")
        words(daemon, text)
        section, self.out = recorder_section(daemon.directory, "witness")
        daemon.configure(section)
        return daemon.start() if start else daemon

    def near(self, daemon, count, every, first=2.0):
        """One-shots that are due from `first` seconds on; their identifiers."""
        start = daemon.microseconds(first)
        names = [f"near{number}" for number in range(count)]
        for number, name in enumerate(names):
            daemon.schedule(identifier=name, alertBody="ding",
                            fireDate=start + int(number * every * 1_000_000))
        return names

    def far(self, daemon, *names):
        for name in names:
            daemon.schedule(identifier=name, alertBody="later", fireDate=daemon.microseconds(FAR))

    def listed(self, daemon):
        return sorted(row["notification"]["identifier"] for row in daemon.listed())

    def refused(self, daemon, reason, method="Schedule", **parameters):
        """The call is refused because of the books, with a sentence that says why. The disk is as
        bad as before: an answer at all shows that nothing waits for it."""
        if method == "Schedule":
            parameters = {"notification": {
                "identifier": "refused", "alertBody": "x", "fireDate": microseconds(FAR)}}
        with self.assertRaises(Refused) as caught:
            daemon.call(method, parameters)
        self.assertEqual(caught.exception.name, "BooksUnavailable")
        self.assertIn(reason, caught.exception.parameters["reason"])

    def each_on_time(self, daemon, names, what):
        """Waits for each of `names` at the recorder; none early, none twice, and none late by a clock
        that the test moves."""
        def shown():
            return [row for row in recorded(self.out) if row["identifier"] in names]
        daemon.until(lambda: {row["identifier"] for row in shown()} == set(names),
                     f"{what}: every alert at the recorder")
        late = printed_lateness(what, shown())
        self.assertGreaterEqual(late[0], 0)
        if hasattr(daemon, "clock"):
            self.assertEqual(late[-1], 0)
        self.assertEqual(len(late), len(names), "something was shown twice")

    def nothing_twice(self):
        rows = recorded(self.out)
        ids = {}
        for row in rows:
            if row["identifier"] != "tick":
                ids.setdefault(row["identifier"], []).append(row["id"])
        self.assertEqual({name: found for name, found in ids.items() if len(found) > 1}, {})

    def delivered(self, daemon, names):
        """Whether the history has each of them, as delivered."""
        states = {row["identifier"]: row["state"] for row in daemon.history()}
        return all(states.get(name) == "delivered" for name in names)


class Disk(FaultyDisk):
    def refusing(self, word, reason):
        daemon = self.faulty(stepped=True)
        self.far(daemon, "kept", "other")
        daemon.schedule(identifier="tick", alertBody="tick", repeatInterval="second",
                        fireDate=daemon.microseconds(1))
        names = self.near(daemon, 16, 0.25)
        words(daemon, word)
        self.refused(daemon, reason)
        self.refused(daemon, reason, "Cancel", identifiers=["other"])
        self.refused(daemon, reason, "ReplaceAll", notifications=[], final=True)
        self.each_on_time(daemon, names, f"disk {word}")
        ticks = [row for row in recorded(self.out) if row["identifier"] == "tick"]
        self.assertGreaterEqual(len(ticks), 5)
        self.assertEqual([row["entered"] for row in ticks], [row["due"] for row in ticks])
        # What stood in the store can still be read.
        self.assertEqual(self.listed(daemon), ["kept", "other", "tick"])
        self.assertEqual(daemon.call("Status", {})["status"]["scheduled"], 3)
        daemon.says(reason)
        words(daemon, "")
        daemon.until(lambda: self.delivered(daemon, names), "the history has caught up")
        daemon.says("written again: nothing was lost")
        self.far(daemon, "after")
        daemon.kill()
        daemon.start()
        self.assertEqual(self.listed(daemon), ["after", "kept", "other", "tick"])
        self.assertTrue(self.delivered(daemon, names))
        self.nothing_twice()
        self.assertEqual(daemon.whole_log().count("written again: nothing was lost"), 1)

    def test_D8_a_full_disk_delays_no_alert_and_refuses_new_ones(self):
        self.refusing("full", "the disk with the books is full")

    def test_D8_a_read_only_disk_delays_no_alert_and_refuses_new_ones(self):
        self.refusing("readonly", "the disk with the books is read-only")

    def test_D8_a_broken_disk_delays_no_alert_and_refuses_new_ones(self):
        self.refusing("io", "the disk with the books reports an I/O error")

    def test_D8_what_comes_to_be_shown_on_a_full_disk_can_be_put_away(self):
        daemon = self.faulty(stepped=True)
        names = self.near(daemon, 4, 0.25)
        words(daemon, "full")
        self.refused(daemon, "the disk with the books is full")
        self.each_on_time(daemon, names, "disk full")

        def putting(method, **parameters):
            # The sink's answer may be on its way.
            try:
                return daemon.call(method, parameters) is not None
            except Refused as refused:
                self.assertIn(refused.name, ("NotFound", "BooksUnavailable"))
                return False
        for name, method in zip(names, ("Dismiss", "Act")):
            daemon.until(lambda: putting(method, id=name), method)
            self.assertFalse(putting(method, id=name), "done twice")

        def forgetful():
            # A snooze that only memory has is no promise, and comes again all the same.
            try:
                daemon.call("Snooze", {"id": names[2], "duration": 60_000_000})
            except Refused as refused:
                return "a restart forgets it" in str(refused.parameters)
            self.fail("a snooze was acknowledged that the disk does not have")
        daemon.until(forgetful, "Snooze")
        self.assertFalse(putting("Snooze", id=names[2], duration=60_000_000), "done twice")
        daemon.settle()
        self.assertEqual(len(recorded(self.out, ("withdraw",))), 3)
        words(daemon, "")
        wanted = dict(zip(names, ("dismissed", "activated", "snoozed", "delivered")))

        def states():
            return {row["identifier"]: row["state"] for row in daemon.history()
                    if row["identifier"] in wanted and row["sink"] == "witness"}
        daemon.until(lambda: states() == wanted, "the history has caught up")
        self.assertEqual(len(daemon.listed(snoozed=True)), 1)

    def test_P9_D8_a_push_that_is_stored_is_a_duplicate_on_a_full_disk_too(self):
        daemon = self.faulty()
        push = {"payload": {"aps": {"alert": "ding"}, "ck": {"nid": str(uuid.uuid4())}}}
        self.assertFalse(daemon.call("Push", push)["duplicate"])
        wait_until(lambda: recorded(self.out), what="the push at the recorder")
        for restarts in (False, True):
            words(daemon, "full")
            if restarts:
                daemon.kill()
                daemon.start()
            self.assertTrue(daemon.call("Push", push)["duplicate"])
            words(daemon, HANGS)
            self.assertTrue(daemon.call("Push", push)["duplicate"])
            words(daemon, "")
        # Whatever was on its way has come when this one has.
        daemon.schedule(identifier="last", alertBody="x")
        wait_until(lambda: recorded(self.out)[-1]["identifier"] == "last", what="the last alert")
        self.assertEqual(len(recorded(self.out)), 2)

    def test_D8_a_kill_while_the_disk_is_full_loses_nothing_acknowledged(self):
        daemon = self.faulty(stepped=True)
        self.far(daemon, "kept")
        names = self.near(daemon, 4, 0.1, first=1)
        words(daemon, "full")
        self.refused(daemon, "full")
        self.each_on_time(daemon, names, "disk full, then killed")
        daemon.kill()
        # On a disk that is still full it starts, and rings.
        daemon.start()
        self.assertEqual(self.listed(daemon), ["kept"])
        daemon.kill()
        words(daemon, "")
        daemon.start()
        self.assertEqual(self.listed(daemon), ["kept"])
        daemon.until(lambda: self.delivered(daemon, names), "the history has caught up")
        self.nothing_twice()

    def test_D8_a_start_on_a_full_disk_rings_what_is_due(self):
        daemon = self.faulty(stepped=True)
        names = self.near(daemon, 4, 0.25, first=3)
        daemon.stop()
        words(daemon, "full")
        daemon.start()
        self.refused(daemon, "full")
        self.each_on_time(daemon, names, "started on a full disk")

    def test_D8_fsync_blocked_for_10_s_delays_no_alert(self):
        daemon = self.faulty()
        self.far(daemon, "kept")
        daemon.schedule(identifier="tick", alertBody="tick", repeatInterval="second",
                        fireDate=microseconds(1))
        names = self.near(daemon, 36, 0.25)

        def ticks():
            return len({row["due"] for row in recorded(self.out) if row["identifier"] == "tick"})
        words(daemon, HANGS)
        before = ticks()
        with daemon.connect() as waiting:
            waiting.send("Schedule", {"notification": {
                "identifier": "waits", "alertBody": "x", "fireDate": microseconds(FAR)}})
            self.each_on_time(daemon, names, "fsync blocked")
            wait_until(lambda: ticks() >= before + 10, what="ten ticks meanwhile")
            # What needs no disk is answered meanwhile: the disk is not given back before.
            self.assertEqual(daemon.call("Status", {})["status"]["scheduled"], 2)
            # Not stored, so not acknowledged.
            self.assertEqual(waiting.waiting(), 0)
            words(daemon, "")
            self.assertTrue(waiting.result()["scheduled"])
        wait_until(lambda: self.delivered(daemon, names), what="the history has caught up")
        daemon.kill()
        daemon.start()
        self.assertEqual(self.listed(daemon), ["kept", "tick", "waits"])
        self.nothing_twice()

    def test_D8_a_kill_while_fsync_is_blocked_loses_nothing_acknowledged(self):
        daemon = self.faulty()
        self.far(daemon, "kept")
        names = self.near(daemon, 4, 0.1, first=1)
        words(daemon, HANGS)
        with daemon.connect() as waiting:
            waiting.send("Schedule", {"notification": {
                "identifier": "waits", "alertBody": "x", "fireDate": microseconds(FAR)}})
            self.each_on_time(daemon, names, "fsync blocked, then killed")
            daemon.kill()
            with self.assertRaises((ConnectionError, OSError)):
                waiting.receive()
        words(daemon, "")
        daemon.start()
        self.assertEqual([name for name in self.listed(daemon) if name != "waits"], ["kept"])
        wait_until(lambda: self.delivered(daemon, names), what="the history has caught up")
        self.nothing_twice()

    def test_D7_a_hand_over_that_the_books_never_saw_is_counted(self):
        """A kill while a plugin is at it. The books hang, so that nothing of the hand-over is in them:
        the window is as wide as can be, and the clock counts from one again."""
        for stored in (True, False):
            with self.subTest(stored=stored):
                daemon = self.faulty(start=False)
                section, self.out = recorder_section(daemon.directory, "witness")
                daemon.configure(f"{section}takes = 60000\n")
                daemon.start()
                daemon.schedule(
                    identifier="bell", alertBody="ding", fireDate=microseconds(2))
                if not stored:
                    words(daemon, "block 60000")
                wait_until(lambda: recorded(self.out), what="the first hand-over")
                daemon.kill()
                words(daemon, "")
                daemon.configure(section)
                daemon.start()
                wait_until(lambda: self.delivered(daemon, ["bell"]), what="the delivery")
                rows = recorded(self.out)
                self.assertEqual(len({row["id"] for row in rows}), 1)
                self.assertEqual([row["attempt"] for row in rows], ["1", "2"])

    def test_D8_sigterm_ends_it_within_a_second_while_the_disk_hangs(self):
        daemon = self.faulty()
        self.far(daemon, "kept")
        words(daemon, HANGS)
        with daemon.connect() as waiting:
            waiting.send("Schedule", {"notification": {
                "identifier": "waits", "alertBody": "x", "fireDate": microseconds(FAR)}})
            # Its turn has come once a later call of another connection is answered.
            daemon.call("Status", {})
            began = time.monotonic()
            self.assertEqual(daemon.stop(), 0)
            took = time.monotonic() - began
        # It is over, and the disk hangs on.
        print(f"stop on a disk that hangs: {took:.3f} s")
        words(daemon, "")
        daemon.start()
        self.assertEqual([name for name in self.listed(daemon) if name != "waits"], ["kept"])

    def test_D8_sigterm_ends_it_within_a_second_while_a_sink_hangs(self):
        daemon = self.faulty(start=False)
        hung = built_plugin(daemon.directory, "never_answers")
        section, self.out = recorder_section(daemon.directory, "witness")
        daemon.configure(f"{section}[plugin:hung]\nfile = {hung}\n")
        daemon.start()
        daemon.schedule(identifier="bell", alertBody="ding")
        wait_until(lambda: recorded(self.out), what="the alert beside the sink that hangs")
        children = daemon.children()
        began = time.monotonic()
        self.assertEqual(daemon.stop(), 0)
        took = time.monotonic() - began
        print(f"stop beside a sink that hangs: {took:.3f} s")
        self.assertEqual(len(children), 2)
        wait_until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in children),
                   what="the end of the workers")


class ReadOnlyFromTheStart(FaultyDisk):
    """A file system that is read-only when belfryd starts on it."""

    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if subprocess.run(["mount", "-t", "tmpfs", "belfry-test", self.folder]).returncode != 0:
            self.skipTest("no right to mount a file system")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.folder], check=True)
        self.elsewhere = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.elsewhere)

    def remount(self, how):
        # Busy as long as a worker of a killed clock is not gone.
        wait_until(lambda: subprocess.run(
            ["mount", "-o", f"remount,{how}", self.folder],
            stderr=subprocess.DEVNULL).returncode == 0, what=f"remounting {how}")

    def board(self):
        daemon = self.stepped_daemon(start=False, directory=self.folder, folder=self.elsewhere)
        daemon.log = os.path.join(self.elsewhere, "log")
        section, self.out = recorder_section(self.elsewhere, "witness")
        daemon.configure(section)
        return daemon.start()

    def rings_what_is_due(self, end):
        daemon = self.board()
        names = self.near(daemon, 4, 0.25, first=60)
        end(daemon)
        self.remount("ro")
        daemon.start(wait=False)
        # It must be up before time goes on.
        daemon.says("no socket")
        self.each_on_time(daemon, names, "read-only from the start")
        daemon.says("read-only")
        self.assertEqual(daemon.stop(), 0)

    def test_D8_a_start_on_a_read_only_directory_rings_what_is_due(self):
        self.rings_what_is_due(lambda daemon: daemon.stop())

    def test_D8_so_it_does_after_a_kill_with_a_log_that_is_not_folded_in(self):
        self.rings_what_is_due(lambda daemon: daemon.kill())

    def test_D8_read_only_books_are_written_once_they_can_be(self):
        daemon = self.board()
        self.far(daemon, "kept")
        names = self.near(daemon, 2, 0.25, first=60)
        daemon.stop()
        # The socket is handed over, so that there is one on a disk without.
        self.remount("ro")
        daemon.socket = os.path.join(self.elsewhere, "socket")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        listener.bind(daemon.socket)
        listener.listen()
        daemon.activate(listener)
        self.refused(daemon, "the disk with the books is read-only")
        self.refused(daemon, "the disk with the books is read-only", "Cancel", identifiers=["kept"])
        self.each_on_time(daemon, names, "read-only from the start, with a socket")
        self.assertEqual(self.listed(daemon), ["kept"])
        self.remount("rw")
        self.far(daemon, "after")
        self.assertTrue(self.delivered(daemon, names))
        daemon.says("written again: nothing was lost")
        daemon.kill()
        daemon.activate(listener)
        self.assertEqual(self.listed(daemon), ["after", "kept"])
        self.nothing_twice()


class PowerCut(KillRounds):
    def test_D7_every_acknowledged_schedule_survives_30_power_cuts(self):
        daemon = self.daemon(start=False, test_build=True)
        daemon.environment["BELFRY_TEST_VFS"] = os.path.join(daemon.directory, "disk")
        words(daemon, "forget")
        self.survive(daemon, 30, "power cut")


class Damage(DaemonTest):
    """Books that were damaged while nobody looked."""

    def filled(self, count=40):
        """A stopped daemon with so many rows in its books."""
        daemon = self.daemon("[limits]\nnotifications = 1000\n")
        for number in range(count):
            daemon.schedule(identifier=f"old{number}", alertBody="x" * 400,
                            fireDate=microseconds(FAR))
        daemon.stop()
        self.books = os.path.join(daemon.directory, "books.sqlite")
        os.remove(daemon.log)
        return daemon

    def set_aside(self, daemon):
        folder = daemon.directory
        return sorted(
            os.path.join(folder, name) for name in os.listdir(folder)
            if name.startswith("books.sqlite.damaged-")
            and not name.endswith(("-wal", "-shm", "-journal")))

    def starts_fresh(self, daemon, content, saved=range(1)):
        """It starts with what could be read of the books, keeps the damaged ones, says so once, and
        goes on so."""
        daemon.start()
        kept = [row["notification"]["identifier"] for row in daemon.listed()]
        self.assertIn(len(kept), saved)
        self.assertLessEqual(set(kept), {f"old{number}" for number in range(40)})
        aside = self.set_aside(daemon)
        self.assertEqual(len(aside), 1)
        self.assertRegex(aside[0], r"\.damaged-\d{8}T\d{6}Z$")
        with open(aside[0], "rb") as file:
            self.assertEqual(file.read(), content)
        # The log has a thread of its own, so it may lag behind the socket.
        loud = wait_until(
            lambda: [line for line in daemon.log_text().splitlines() if "set aside as" in line],
            what="a line of log about the damaged books")
        self.assertEqual(len(loud), 1)
        self.assertIn(aside[0], loud[0])
        if kept:
            self.assertIn(f"with {len(kept)} scheduled notifications", loud[0])
        else:
            self.assertIn("nothing could be read", loud[0])
        self.assertRegex(loud[0], r"\A\S+Z belfryd: error: ")
        daemon.schedule(identifier="new", alertBody="x", fireDate=microseconds(FAR))
        daemon.kill()
        daemon.start()
        self.assertEqual(
            sorted(row["notification"]["identifier"] for row in daemon.listed()),
            sorted(kept + ["new"]))
        self.assertEqual(self.set_aside(daemon), aside)
        self.assertEqual(daemon.whole_log().count("set aside as"), 1)

    def overwrite(self, content):
        with open(self.books, "wb") as file:
            file.write(content)
        return content

    def content(self):
        with open(self.books, "rb") as file:
            return file.read()

    @staticmethod
    def garbage(count):
        seed = fixed_seed("garbage")
        print(f"garbage: seed {seed}")
        return random.Random(seed).randbytes(count)

    def test_D8_garbage_over_the_books_is_set_aside(self):
        daemon = self.filled()
        self.starts_fresh(daemon, self.overwrite(self.garbage(len(self.content()))))

    def test_D8_garbage_in_the_middle_of_the_books_is_set_aside(self):
        daemon = self.filled()
        old = self.content()
        # From the third page on: the header and the schema are whole.
        self.starts_fresh(daemon, self.overwrite(old[:4096] + self.garbage(len(old) - 4096)))

    def test_D8_truncated_books_are_set_aside(self):
        for keep, saved in ((50, range(1)), (1000, range(1)), (None, range(3, 40))):
            with self.subTest(keep=keep):
                daemon = self.filled()
                old = self.content()
                # In the middle of the list, wherever the schema lets that begin.
                pages = range(0, len(old), 1024)
                rows = [page for page in pages if b"x" * 400 in old[page:page + 1024]]
                kept = old[:keep or rows[len(rows) // 2]]
                self.starts_fresh(daemon, self.overwrite(kept), saved)

    def test_D8_a_foreign_file_is_set_aside(self):
        for kind in ("text", "database"):
            with self.subTest(kind=kind):
                daemon = self.filled()
                os.remove(self.books)
                if kind == "text":
                    self.overwrite(b"Dear diary,\n" * 500)
                else:
                    with sqlite3.connect(self.books) as other:
                        other.execute("CREATE TABLE recipe (name TEXT)")
                    other.close()
                self.starts_fresh(daemon, self.content())

    def test_D8_damage_beside_the_list_is_met_and_mended(self):
        daemon = self.filled()
        # The names are not read at a start; only a check of all finds their damage.
        with sqlite3.connect(self.books) as books:
            root, = books.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'notificationName'").fetchone()
        books.close()
        old = self.content()
        damaged = self.overwrite(old[:(root - 1) * 1024] + b"\xee" * 1024 + old[root * 1024:])
        self.starts_fresh(daemon, damaged, range(40, 41))

    def test_D8_damage_met_while_running_is_mended_at_once(self):
        # Too many to be all checked at the start.
        count = 3000
        daemon = self.daemon("[limits]\nnotifications = 10000\nrequestsPerSecond = 100000\n")
        with daemon.connect() as connection:
            for number in range(count):
                connection.call("Schedule", {"notification": {
                    "identifier": f"old{number}", "alertBody": "x" * 400,
                    "fireDate": microseconds(FAR)}})
        daemon.stop()
        self.books = os.path.join(daemon.directory, "books.sqlite")
        with sqlite3.connect(self.books) as books:
            root, = books.execute(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'notificationName'").fetchone()
        books.close()
        old = self.content()
        self.overwrite(old[:(root - 1) * 1024] + b"\xee" * 1024 + old[root * 1024:])
        daemon.start()
        daemon.call("Next", {"identifier": "old7"})
        daemon.schedule(identifier="new", alertBody="x", fireDate=microseconds(FAR))
        self.assertEqual(daemon.call("Status", {})["status"]["scheduled"], count + 1)
        self.assertEqual(len(self.set_aside(daemon)), 1)
        wait_until(lambda: any("set aside as" in words for words in
                               daemon.call("Status", {})["status"].get("booksWarnings", [])),
                   what="a warning in status")
        daemon.kill()
        daemon.start()
        self.assertEqual(len(daemon.listed()), count + 1)
