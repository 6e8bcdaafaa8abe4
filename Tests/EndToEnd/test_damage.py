"""D8: books damaged at random, compared with what SQLite's own `.recover` finds; books that are
removed or replaced under the running daemon; a disk that cannot be read for a while.

BELFRY_DAMAGES=1: the long form, 200 flips in headers and 240 other damages.
"""
import os
import random
import shutil
import sqlite3
import subprocess
import sys

from belfry_harness import (
    PATIENCE, ROOT, DaemonTest, Refused, microseconds, programs, recorded, wait_until)
from schedule_loop import FAR
from stepped import SteppedTest
from test_disk import FaultyDisk, words

PAGE = 1024
LIVE = [f"n{number}" for number in range(300)]
GONE = [f"gone{number}" for number in range(60)]
LONG = bool(os.environ.get("BELFRY_DAMAGES"))
SEED = int(os.environ.get("BELFRY_SEED", "20261122"))


def recovered(path):
    """(identifier, digest) of the rows that `.recover` finds in the scheduled list."""
    script = os.path.join(ROOT, "Tests/Fixtures/recover_oracle.py")
    text = subprocess.run(
        [sys.executable, script, path], stdout=subprocess.PIPE, check=True, text=True).stdout
    return {tuple(line.split()) for line in text.splitlines()}


class Damages(DaemonTest):
    CONFIGURATION = "[limits]\nnotifications = 10000\nrequestsPerSecond = 100000\n"

    def patterns(self):
        """The books of one life: as an orderly end leaves them, and as a kill does."""
        daemon = self.daemon(self.CONFIGURATION)
        with daemon.connect() as connection:
            def schedule(identifier, body):
                connection.call("Schedule", {"notification": {
                    "identifier": identifier, "alertBody": body,
                    "fireDate": microseconds(FAR)}})
            for number, name in enumerate(LIVE):
                schedule(name, "x" * (1500 if number % 40 == 0 else number % 90 + 1))
                if number < len(GONE):
                    schedule(GONE[number], "y" * 100)
            connection.call("Cancel", {"identifiers": GONE})
        daemon.stop()
        closed = self.content(daemon), b""
        daemon.start()
        with daemon.connect() as connection:
            for name in LIVE[:40]:
                connection.call("Schedule", {"notification": {
                    "identifier": name, "alertBody": "changed", "fireDate": microseconds(FAR)}})
        daemon.kill()
        killed = self.content(daemon), self.content(daemon, "-wal")
        self.assertGreater(len(killed[1]), 40 * PAGE)
        daemon.start()
        daemon.stop()
        return daemon, [closed, killed]

    def content(self, daemon, suffix=""):
        with open(os.path.join(daemon.directory, "books.sqlite" + suffix), "rb") as file:
            return file.read()

    def flip(self, dice, content, first, last):
        place = dice.randrange(first, last)
        content[place] ^= 1 << dice.randrange(8)
        return f"byte {place}"

    def rows(self, daemon, file, log):
        path = os.path.join(daemon.directory, "intact.sqlite")
        for suffix, content in (("", file), ("-wal", log)):
            with open(path + suffix, "wb") as target:
                target.write(content)
        return recovered(path)

    def header(self, dice, file, _log):
        return self.flip(dice, file, 0, 100)

    def any_other(self, dice, file, log):
        kind = dice.choice(["schema", "bits", "page", "swap", "cut", "log"] if log else
                           ["schema", "bits", "page", "swap", "cut"])
        pages = len(file) // PAGE
        if kind == "schema":
            said = self.flip(dice, file, 100, PAGE)
        elif kind == "bits":
            said = " ".join(self.flip(dice, file, 0, len(file)) for _ in range(dice.randint(1, 9)))
        elif kind == "page":
            page = dice.randrange(pages)
            file[page * PAGE:(page + 1) * PAGE] = dice.randbytes(PAGE)
            said = str(page + 1)
        elif kind == "swap":
            one, other = (dice.randrange(pages) * PAGE for _ in range(2))
            file[one:one + PAGE], file[other:other + PAGE] = \
                file[other:other + PAGE], file[one:one + PAGE]
            said = f"{one // PAGE + 1} {other // PAGE + 1}"
        elif kind == "cut":
            del file[dice.randrange(len(file)):]
            said = str(len(file))
        else:
            said = self.flip(dice, log, 0, len(log))
        return f"{kind} {said}"

    def survive(self, count, damage, salt):
        daemon, patterns = self.patterns()
        print(f"{count} damages from seed {SEED} + {salt}")
        kept = judged = whole = 0
        intact = set()
        for file, log in patterns:
            for part in (b"", log):
                intact |= self.rows(daemon, file, part)
        for number in range(count):
            dice = random.Random(f"{SEED}.{salt}.{number}")
            file, log = (bytearray(part) for part in patterns[number % 2])
            what = f"damage {salt}.{number}: {damage(dice, file, log)}"
            for name in os.listdir(daemon.directory):
                if name.startswith(("books.sqlite", "log")):
                    os.remove(os.path.join(daemon.directory, name))
            copy = os.path.join(daemon.directory, "oracle.sqlite")
            for path, suffix, content in [(daemon.directory + "/books.sqlite", "", file),
                                          (daemon.directory + "/books.sqlite", "-wal", log),
                                          (copy, "", file), (copy, "-wal", log)]:
                if content or not suffix:
                    with open(path + suffix, "wb") as target:
                        target.write(content)
            daemon.start()
            found = {row["notification"]["identifier"] for row in daemon.listed()}
            # Rows that are as they were written: of others nobody knows whose they are, or when due.
            oracle = {name for name, _ in recovered(copy) & intact} & set(LIVE)
            for name in os.listdir(daemon.directory):
                if name.startswith("oracle"):
                    os.remove(os.path.join(daemon.directory, name))
            self.assertEqual(oracle - found, set(), f"{what}: .recover finds more")
            # Each of them can be asked for, and new ones are taken.
            name = dice.choice(sorted(found) or ["none"])
            if found:
                daemon.call("Next", {"identifier": name})
            daemon.schedule(identifier="new", alertBody="x", fireDate=microseconds(FAR))
            daemon.kill()
            daemon.start()
            again = {row["notification"]["identifier"] for row in daemon.listed()}
            self.assertEqual(again, found | {"new"}, what)
            daemon.kill()
            kept += len(found & set(LIVE))
            whole += found >= set(LIVE)
            judged += len(oracle)
        print(f"{count} damages: up each time; {kept} of {count * len(LIVE)} rows kept, "
              f".recover found {judged}; all rows kept in {whole}")

    def test_D8_flipped_bits_in_the_header_lose_nothing_that_recover_finds(self):
        self.survive(200 if LONG else 10, self.header, "header")

    def test_D8_random_damages_lose_nothing_that_recover_finds(self):
        self.survive(240 if LONG else 12, self.any_other, "random")

    def test_D8_an_absurd_schema_number_is_damage_and_a_newer_one_is_not(self):
        daemon, (closed, _) = self.patterns()
        file = bytearray(closed[0])
        file[60] ^= 0x40
        path = os.path.join(daemon.directory, "books.sqlite")
        with open(path, "wb") as books:
            books.write(file)
        daemon.start()
        self.assertEqual(len(daemon.listed()), len(LIVE))
        daemon.stop()
        with sqlite3.connect(path) as books:
            books.execute("UPDATE version SET number = 99")
            books.execute("PRAGMA user_version = 99")
        books.close()
        daemon.start(wait=False)
        self.assertEqual(daemon.process.wait(PATIENCE), 12)


class Moved(SteppedTest):
    """Whatever happens to the file's name, nothing acknowledged is lost."""

    def started(self):
        # One that is cut in the very milliseconds in which its log is folded in may look whole.
        daemon = self.stepped_daemon()
        self.far(daemon, "old")
        daemon.settle()
        return daemon, os.path.join(daemon.directory, "books.sqlite")

    def far(self, daemon, *names):
        for name in names:
            daemon.schedule(identifier=name, alertBody="x", fireDate=microseconds(FAR))

    def survives_a_kill(self, daemon, *names):
        daemon.kill()
        daemon.start()
        found = sorted(row["notification"]["identifier"] for row in daemon.listed())
        self.assertEqual(found, sorted(names))

    def is_said(self, daemon):
        daemon.says("under belfryd")
        wait_until(lambda: any("under belfryd" in words for words in
                               daemon.call("Status", {})["status"].get("booksWarnings", [])),
                   what="a warning in status")

    def test_D8_books_removed_under_the_daemon_are_written_anew_before_the_next_answer(self):
        for suffixes in (["", "-wal"], [""], ["-wal"]):
            with self.subTest(suffixes=suffixes):
                daemon, books = self.started()
                for suffix in suffixes:
                    os.remove(books + suffix)
                self.far(daemon, "new")
                self.is_said(daemon)
                self.survives_a_kill(daemon, "new", "old")

    def test_D8_books_that_were_renamed_or_replaced_are_written_anew(self):
        daemon, books = self.started()
        os.rename(books, books + ".away")
        self.far(daemon, "one")
        with open(books + ".other", "wb") as other:
            other.write(b"mine")
        os.rename(books + ".other", books)
        self.far(daemon, "two")
        self.is_said(daemon)
        kept = [name for name in os.listdir(daemon.directory) if ".replaced-" in name]
        self.assertTrue(kept)
        self.survives_a_kill(daemon, "old", "one", "two")

    @staticmethod
    def deeds(books):
        """What somebody does to the files of a running belfryd, which keep their names."""
        def link():
            os.rename(books, books + ".real")
            os.symlink("books.sqlite.real", books)
        return {"empty the log": lambda: open(books + "-wal", "wb").close(),
                "cut the log": lambda: os.truncate(books + "-wal", 2000),
                "empty the file": lambda: open(books, "wb").close(),
                "link": link}

    def test_D8_books_that_are_emptied_cut_or_linked_are_written_anew(self):
        for deed in self.deeds(""):
            with self.subTest(deed=deed):
                daemon, books = self.started()
                self.deeds(books)[deed]()
                self.far(daemon, "new")
                self.is_said(daemon)
                doctor = subprocess.run(
                    [os.path.join(programs(), "belfry"), "doctor"], text=True, check=False,
                    capture_output=True, env={**os.environ, "BELFRY_SOCKET": daemon.socket})
                self.assertIn("under belfryd", doctor.stdout)
                self.survives_a_kill(daemon, "new", "old")

    def test_D8_what_is_emptied_before_a_kill_is_said_by_the_next_start(self):
        for deed in ("empty the log", "cut the log"):
            with self.subTest(deed=deed):
                daemon, books = self.started()
                self.deeds(books)[deed]()
                daemon.kill()
                daemon.start()
                warnings = daemon.call("Status", {})["status"].get("booksWarnings", [])
                # A record that came between the two may have had the books written anew.
                if not daemon.listed():
                    self.assertTrue([words for words in warnings if "is lost" in words], warnings)
                # Once.
                daemon.kill()
                daemon.start()
                self.assertNotIn("booksWarnings", daemon.call("Status", {})["status"])

    def test_D8_a_log_left_beside_a_link_is_found_after_a_kill(self):
        daemon, books = self.started()
        self.deeds(books)["link"]()
        self.survives_a_kill(daemon, "old")
        self.far(daemon, "new")
        self.survives_a_kill(daemon, "new", "old")

    def test_D8_without_their_folder_nothing_new_is_acknowledged(self):
        daemon, books = self.started()
        # The socket and the log stay where they are: they are open, and linked again elsewhere.
        folder = daemon.directory
        os.rename(folder, folder + ".away")
        os.mkdir(folder, 0o700)
        self.addCleanup(shutil.rmtree, folder + ".away", ignore_errors=True)
        os.rename(folder + ".away/socket", folder + "/socket")
        os.chmod(folder, 0o700)
        shutil.copy(folder + ".away/belfry.conf", folder)
        self.far(daemon, "new")
        self.survives_a_kill(daemon, "new", "old")
        self.assertTrue(os.path.exists(books))


class Content(SteppedTest):
    def test_D8_a_damaged_byte_of_user_info_silences_no_alarm(self):
        daemon = self.stepped()
        due = daemon.clock.microseconds(6)
        daemon.schedule(identifier="whole", alertBody="later", fireDate=due + 10**9)
        daemon.schedule(identifier="bell", alertBody="ding", fireDate=due, userInfo={"room": 7})
        daemon.stop()
        books = os.path.join(daemon.directory, "books.sqlite")
        with open(books, "rb") as file:
            content = file.read()
        self.assertEqual(content.count(b'"room":7'), 1)
        with open(books, "wb") as file:
            file.write(content.replace(b'"room":7', b'"room"x7'))
        daemon.start()
        rows = {row["notification"]["identifier"]: row for row in daemon.listed()}
        self.assertEqual(set(rows), {"bell", "whole"})
        self.assertIn("userInfo", rows["bell"]["reason"])
        self.assertNotIn("reason", rows["whole"])
        daemon.says("userInfo")
        daemon.run(6)
        daemon.settle()
        self.assertEqual([row["identifier"] for row in recorded(self.out)], ["bell"])
        daemon.run(1)
        self.assertIn("userInfo", daemon.history()[0]["reason"])


class BadReads(FaultyDisk):
    def test_D8_an_error_on_reading_drops_no_alert(self):
        daemon = self.faulty(start=False)
        daemon.configure(Damages.CONFIGURATION)
        daemon.start()
        # More than the cache holds, so that it must be read.
        with daemon.connect() as connection:
            for number in range(600):
                connection.call("Schedule", {"notification": {
                    "identifier": f"far{number}", "alertBody": "x" * 900,
                    "fireDate": microseconds(FAR)}})
        words(daemon, "badread")
        with self.assertRaises(Refused) as caught:
            daemon.call("Next", {"identifier": "far3"})
        self.assertIn("I/O error", caught.exception.parameters["reason"])
        words(daemon, "")
        daemon.call("Next", {"identifier": "far3"})
        self.assertEqual(daemon.call("Status", {})["status"]["scheduled"], 600)
        daemon.kill()
        daemon.start()
        self.assertEqual(daemon.call("Status", {})["status"]["scheduled"], 600)
        log = daemon.whole_log()
        for sentence in ("have lost", "set aside", "dropped"):
            self.assertNotIn(sentence, log)
