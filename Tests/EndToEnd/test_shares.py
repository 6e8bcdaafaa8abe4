"""A2, D8: what one user may fill of the books, and what goes on a disk that is full."""
import os
import shutil
import subprocess
import tempfile
import unittest

from belfry_harness import (
    PATIENCE, Refused, as_user, microseconds, programs, recorded, recorder_section, wait_until)
from stepped import SteppedTest

STRANGER = 4242
NEIGHBOUR = 4343
YEAR = 365 * 86400


def asked(daemon, calls):
    """What each call is answered: the error's name and parameters, or none."""
    found = []
    with daemon.connect() as connection:
        for method, parameters in calls:
            try:
                connection.call(method, parameters)
                found.append(None)
            except Refused as refused:
                found.append([refused.name, refused.parameters])
    return found


def large(number, size=60_000, **more):
    return ("Schedule", {"notification": {
        "identifier": f"n{number}", "alertBody": "x", "fireDate": microseconds(YEAR),
        "userInfo": {"a": "x" * size}, **more}})


@unittest.skipUnless(os.geteuid() == 0, "needs other users")
class Shares(SteppedTest):
    def board(self, text="[limits]\nbytes = 1M\n", **options):
        daemon = self.stepped(text, start=False, **options)
        os.chmod(daemon.directory, 0o755)
        return daemon.start()

    def test_A2_a_user_fills_his_share_and_nobody_elses(self):
        daemon = self.board()
        over = ["LimitReached", {"limit": "bytes", "value": 1 << 20}]
        calls = [large(number) for number in range(40)]
        answers = as_user(STRANGER, lambda: asked(daemon, calls))
        fits = answers.index(over)
        self.assertIn(fits, range(15, 18))
        self.assertEqual(answers, [None] * fits + [over] * (40 - fits))
        # Over other apps neither; what is small goes as long as it fits, what is as long goes in place.
        other = {"app": "org.example.other"}
        self.assertEqual(
            as_user(STRANGER, lambda: asked(daemon, [
                ("Schedule", {**large(50)[1], **other}),
                ("ReplaceAll", {"notifications": [large(51)[1]["notification"]], "final": True,
                                **other}), large(0, alertTitle="t", size=59_000)])),
            [over, over, None])
        self.assertEqual(as_user(NEIGHBOUR, lambda: asked(daemon, calls[:10])), [None] * 10)
        self.assertEqual(asked(daemon, calls), [None] * 40)
        # After a start it is the same, and with room there is room again.
        daemon.kill()
        daemon.start()
        self.assertEqual(
            as_user(STRANGER, lambda: asked(daemon, [
                large(60), ("Cancel", {"identifiers": ["n1"]}), large(60), large(61)])),
            [over, None, None, over])
        path = os.path.join(daemon.directory, "belfry.conf")
        with open(path, "r+", encoding="utf-8") as file:
            text = file.read().replace("bytes = 1M", "bytes = 2M")
            file.seek(0)
            file.write(text)
        daemon.call("Reload", {})
        self.assertEqual(as_user(STRANGER, lambda: asked(daemon, [large(61)])), [None])

    def test_A2_a_user_with_a_share_that_is_full_is_told_and_gets_his_pushes(self):
        daemon = self.board()
        as_user(STRANGER, lambda: asked(daemon, [large(number) for number in range(20)]))
        done = subprocess.run(
            ["setpriv", f"--reuid={STRANGER}", f"--regid={STRANGER}", "--clear-groups",
             os.path.join(programs(), "belfry"), "--socket", daemon.socket, "schedule", "--body",
             "x", "--in", "1h", "--user-info", '{"a":"' + "x" * 60_000 + '"}'],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("bytes = 1048576", done.stderr)
        pushes = [("Push", {"payload": {"aps": {"alert": f"push {number}", "badge": number},
                                        "more": "x" * 3000}}) for number in range(1, 20)]
        self.assertEqual(as_user(STRANGER, lambda: asked(daemon, pushes)), [None] * 19)
        wait_until(lambda: len(recorded(self.out)) == 19, what="each push at the recorder")


@unittest.skipUnless(os.geteuid() == 0, "needs a file system of its own")
class FullDisk(SteppedTest):
    """A file system that is full, to the last byte."""

    def setUp(self):
        super().setUp()
        self.folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "belfry-test",
                           self.folder]).returncode != 0:
            self.skipTest("no right to mount a file system")
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.folder], check=True)
        self.elsewhere = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.elsewhere)

    def board(self):
        daemon = self.stepped_daemon(start=False, directory=self.folder, folder=self.elsewhere)
        daemon.log = os.path.join(self.elsewhere, "log")
        section, self.out = recorder_section(self.elsewhere, "witness")
        daemon.configure("[sound]\nenabled = no\n" + section)
        os.chmod(self.folder, 0o755)
        return daemon.start()

    def fill(self):
        with open(os.path.join(self.folder, "ballast"), "ab", buffering=0) as file:
            for size in (1 << 16, 1):
                try:
                    while file.write(b"x" * size) == size:
                        pass
                except OSError:
                    pass

    def test_D8_what_frees_and_what_the_operator_asks_for_goes_on_a_full_disk(self):
        daemon = self.board()
        reserve = os.path.join(self.folder, "books.sqlite-reserve")
        self.assertEqual(
            as_user(STRANGER, lambda: asked(daemon, [large(number) for number in range(60)])),
            [None] * 60)
        def is_kept():
            return os.path.exists(reserve) and os.path.getsize(reserve) >= 1 << 20
        wait_until(is_kept, what="room that is kept")
        due = daemon.microseconds(60)
        daemon.schedule(identifier="ward", alertBody="x", fireDate=due)
        self.fill()
        # The log beside the books has room that is its own already.
        answers = as_user(STRANGER, lambda: asked(
            daemon, [large(number) for number in range(100, 400)]))
        self.assertEqual(answers[-1][0], "BooksUnavailable")
        self.assertIn("full", answers[-1][1]["reason"])
        # The operator's own, and what makes room.
        daemon.schedule(identifier="fire", alertBody="x", fireDate=due)
        self.assertEqual(
            as_user(STRANGER, lambda: asked(daemon, [("CancelAll", {})])), [None])
        daemon.run(60)
        self.assertEqual(sorted(row["identifier"] for row in recorded(self.out)), ["fire", "ward"])
        # It comes back with the room.
        os.remove(os.path.join(self.folder, "ballast"))
        daemon.run(61)
        as_user(STRANGER, lambda: asked(daemon, [large(21)]))
        wait_until(is_kept, what="room that is kept again")


if __name__ == "__main__":
    unittest.main()
