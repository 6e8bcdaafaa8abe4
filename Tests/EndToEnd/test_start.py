"""How belfryd refuses to start (a line and a status), and the protocols of a service manager."""
import contextlib
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import tempfile

from belfry_harness import PATIENCE, Connection, DaemonTest, programs, wait_until
from stepped import SECOND, SteppedTest
from test_disk import HANGS, words

NOBODY = 65534


class Refusals(DaemonTest):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="belfry-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def refuses(self, status, *expected, words=None, program=None, **options):
        """belfryd ends with this status and one line on stderr that has what is expected."""
        program = program or os.path.join(programs(), "belfryd")
        ended = subprocess.run(
            [program, *(words or ["--directory", self.folder])], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=PATIENCE, **options)
        self.assertEqual(ended.returncode, status, ended.stderr)
        self.assertEqual(ended.stdout, "")
        self.assertRegex(ended.stderr, r"\Abelfryd: [^\n]+\n\Z")
        for text in expected:
            self.assertIn(text, ended.stderr)

    def test_A4_a_second_daemon_on_the_directory_ends_with_13(self):
        first = self.daemon()
        self.folder = first.directory
        self.refuses(13, "another belfryd runs here", f"{first.directory}/run/lock")
        self.assertTrue(first.answers())
        # Killed, it leaves nothing behind that keeps the next one out.
        first.kill()
        first.start()

    def test_A4_quiet_hours_of_no_length_end_with_14_and_are_found_by_check(self):
        path = os.path.join(self.folder, "belfry.conf")
        for span in ("22:00-22:00", "00:00-00:00", "7:05 - 07:05"):
            with open(path, "w", encoding="ascii") as file:
                file.write(f"[sound]\nquiet = {span}\n")
            for given in (None, ["--check", path]):
                self.refuses(14, "belfry.conf:2: [sound] quiet", words=given)

    def test_A4_a_socket_path_that_a_foreigner_listens_on_ends_with_10(self):
        path = os.path.join(self.folder, "socket")
        with socket.socket(socket.AF_UNIX) as foreign:
            foreign.bind(path)
            foreign.listen()
            self.refuses(10, f"the socket {path} is in use")
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(path)
        # A socket that nobody listens on any more is no obstacle.
        daemon = self.daemon(directory=self.folder)
        self.assertEqual(daemon.stop(), 0)

    def test_A4_a_file_at_the_socket_path_is_not_removed(self):
        path = os.path.join(self.folder, "socket")
        with open(path, "w", encoding="ascii") as file:
            file.write("mine")
        self.refuses(10, f"the socket {path} is in use")
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")

    def unprivileged(self):
        """A copy of belfryd that anybody may run, and how to run it without root's rights."""
        program = os.path.join(self.folder, "belfryd")
        shutil.copy(os.path.join(programs(), "belfryd"), program)
        os.chmod(program, 0o755)
        os.chmod(self.folder, 0o755)
        home = os.path.join(self.folder, "home")
        os.mkdir(home)
        options = {"program": program, "words": ["--directory", home]}
        if os.getuid() == 0:
            options.update(user=NOBODY, group=NOBODY, extra_groups=[])
        return home, options

    def test_A4_a_directory_without_rights_ends_with_11(self):
        home, options = self.unprivileged()
        os.chmod(home, 0o555)
        self.refuses(11, f"no right to write in {home}", **options)
        self.refuses(11, f"{home}/new", **{**options, "words": ["--directory", f"{home}/new"]})

    def test_A4_books_without_rights_end_with_11(self):
        home, options = self.unprivileged()
        books = os.path.join(home, "books.sqlite")
        sqlite3.connect(books).close()
        os.chmod(books, 0o400 if os.getuid() else 0o600)
        os.chmod(home, 0o777)
        self.refuses(11, "no rights to the books", books, **options)

    def test_A4_books_of_a_newer_schema_end_with_12_and_stay_as_they_are(self):
        daemon = self.daemon()
        daemon.schedule(identifier="bell", alertBody="ding", fireDate=4_000_000_000_000_000)
        daemon.stop()
        self.folder = daemon.directory
        path = os.path.join(self.folder, "books.sqlite")
        with sqlite3.connect(path) as books:
            # Both places; where only one says so, a bit has flipped.
            books.execute("PRAGMA user_version = 99")
            books.execute("UPDATE version SET number = 99")
        books.close()
        with open(path, "rb") as file:
            before = file.read()
        self.refuses(12, "schema 99", "install a newer Belfry", path)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual([name for name in os.listdir(self.folder) if "damaged" in name], [])

    def test_A4_a_configuration_mistake_ends_with_14_and_its_line(self):
        path = os.path.join(self.folder, "belfry.conf")
        for line, text, expected in (
                (3, "[limits]\n\nnotificatons = 7\n", "notificatons"),
                (1, "[clok]\n", "clok"),
                (2, "[clock]\ngrace = soon\n", "grace"),
                (2, "[clock]\nzone = ../localtime\n", "is the name of a time zone"),
                (1, "notifications = 7\n", "section"),
                (1, "[plugin:door]\nout = here\n", "file")):
            with self.subTest(text=text):
                with open(path, "w", encoding="ascii") as file:
                    file.write(text)
                os.chmod(path, 0o600)
                self.refuses(14, f"{path}:{line}: ", expected)

    def test_A4_books_that_another_user_planted_end_with_11(self):
        if os.getuid() != 0:
            self.skipTest("no right to give files away")
        os.chmod(self.folder, 0o1777)
        books = os.path.join(self.folder, "books.sqlite")
        for name in (books, books + "-wal", books + "-whole"):
            with self.subTest(name=name):
                # As the user would, who reads whatever is written to it.
                subprocess.run(["touch", name], user=NOBODY, group=NOBODY, extra_groups=[],
                               check=True)
                self.refuses(11, f"{name} belongs to user {NOBODY}, not to root")
                self.assertEqual(os.stat(name).st_size, 0)
                os.remove(name)
        # In a folder like /tmp the files of its own are safe.
        daemon = self.daemon(directory=self.folder)
        daemon.schedule(identifier="bell", alertBody="secret", fireDate=4_000_000_000_000_000)
        for name in os.listdir(self.folder):
            if name.startswith("books"):
                status = os.stat(os.path.join(self.folder, name))
                self.assertEqual((status.st_uid, status.st_mode & 0o077), (0, 0), name)

    def test_A4_books_are_not_begun_in_a_folder_of_another_but_ring_there(self):
        if os.getuid() != 0:
            self.skipTest("no right to give folders away")
        os.chmod(self.folder, 0o777)
        self.refuses(11, self.folder, "can be written by others")
        os.chmod(self.folder, 0o755)
        os.chown(self.folder, NOBODY, NOBODY)
        self.refuses(11, self.folder, f"belongs to user {NOBODY}")
        os.chown(self.folder, 0, 0)
        daemon = self.daemon(directory=self.folder)
        daemon.schedule(identifier="bell", alertBody="x", fireDate=4_000_000_000_000_000)
        daemon.stop()
        os.chmod(self.folder, 0o777)
        daemon.start()
        self.assertEqual(len(daemon.listed()), 1)
        daemon.says("can be written by others")

    def test_D7_a_run_folder_of_another_is_set_aside(self):
        if os.getuid() != 0:
            self.skipTest("no right to give folders away")
        os.chmod(self.folder, 0o755)
        run = os.path.join(self.folder, "run")
        os.mkdir(run)
        os.chown(run, NOBODY, NOBODY)
        os.chmod(run, 0o777)
        daemon = self.daemon(directory=self.folder)
        daemon.says(f"{run} belonged to user {NOBODY}: it was set aside as {run}.of-user-{NOBODY}")
        self.assertEqual(os.stat(run).st_uid, 0)
        daemon.stop()
        # Open to others, what is theirs in it goes.
        os.chmod(run, 0o777)
        subprocess.run(["touch", f"{run}/planted"], user=NOBODY, group=NOBODY, extra_groups=[],
                       check=True)
        daemon.start()
        daemon.says("could be written by others than its owner: that was changed")
        self.assertEqual(os.stat(run).st_mode & 0o022, 0)
        self.assertFalse(os.path.exists(f"{run}/planted"))

    def test_D8_a_log_behind_a_link_is_taken_in(self):
        daemon = self.daemon()
        daemon.schedule(identifier="bell", alertBody="x", fireDate=4_000_000_000_000_000)
        daemon.kill()
        log = os.path.join(daemon.directory, "books.sqlite-wal")
        os.rename(log, log + "-moved")
        os.symlink(log + "-moved", log)
        daemon.start()
        self.assertEqual(len(daemon.listed()), 1)
        daemon.says("books.sqlite-wal was a link")

    def test_D8_a_folder_where_the_log_belongs_is_set_aside(self):
        daemon = self.daemon()
        daemon.schedule(identifier="bell", alertBody="x", fireDate=4_000_000_000_000_000)
        daemon.stop()
        os.mkdir(os.path.join(daemon.directory, "books.sqlite-wal"))
        daemon.start()
        self.assertEqual(len(daemon.listed()), 1)
        warnings = daemon.call("Status", {})["status"]["booksWarnings"]
        self.assertIn("books.sqlite-wal was a folder", warnings[0])

    def test_D8_an_empty_file_of_books_is_said(self):
        open(os.path.join(self.folder, "books.sqlite"), "wb").close()
        daemon = self.daemon(directory=self.folder)
        warnings = daemon.call("Status", {})["status"]["booksWarnings"]
        self.assertIn("was an empty file", warnings[0])
        daemon.says("was an empty file")

    def test_A4_a_wrong_word_ends_with_2(self):
        self.refuses(2, "--frob is not known", words=["--frob"])


class ServiceManager(SteppedTest):
    """sd_notify(3), sd_watchdog_enabled(3) and sd_listen_fds(3), without libsystemd."""

    def managed(self, address=None, stepped=False):
        """A daemon that is not started yet, and the socket of its manager."""
        daemon = (self.stepped_daemon if stepped else self.daemon)(start=False)
        address = address or os.path.join(daemon.directory, "notify")
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        manager.bind(address.replace("@", "\0", 1))
        manager.settimeout(PATIENCE)
        daemon.environment["NOTIFY_SOCKET"] = address
        return daemon, manager

    def test_ready_and_stopping_are_told(self):
        for address in (None, f"@belfry-test-{os.getpid()}"):
            with self.subTest(address=address):
                daemon, manager = self.managed(address)
                daemon.start(wait=False)
                self.assertEqual(manager.recv(4096), b"READY=1")
                # Said only once clients are served.
                with daemon.connect() as connection:
                    connection.call("Status", {})
                daemon.process.terminate()
                self.assertEqual(manager.recv(4096), b"STOPPING=1")
                self.assertEqual(daemon.process.wait(PATIENCE), 0)
                manager.settimeout(0.05)
                with self.assertRaises(TimeoutError):
                    manager.recv(4096)

    def told(self, manager):
        """What its manager has been told by now."""
        found = []
        manager.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                found.append(manager.recv(4096))
        return found

    def test_T12_the_watchdog_is_fed_while_loop_and_books_answer(self):
        daemon, manager = self.managed(stepped=True)
        daemon.environment["BELFRY_TEST_VFS"] = os.path.join(daemon.directory, "disk")
        words(daemon, "")
        daemon.start(WATCHDOG_USEC="20000000")
        daemon.settle()
        self.assertEqual(self.told(manager), [b"READY=1", b"WATCHDOG=1"])
        # Twice as often as is asked for.
        daemon.run(60)
        self.assertEqual(self.told(manager), [b"WATCHDOG=1"] * 6)
        words(daemon, HANGS)
        with daemon.connect() as connection:
            connection.send("Schedule", {"notification": {"alertBody": "x"}})
            # The loop has had its turn once it has answered: what waits for the disk waits for it before
            # any time goes by.
            for seconds in (0, *[10] * 6):
                daemon.clock.move(seconds * SECOND)
                for _ in range(2):
                    daemon.call("Status")
            # One was earned before the disk hung.
            self.assertLessEqual(len(self.told(manager)), 1)
            words(daemon, "")
            self.assertTrue(connection.result()["scheduled"])
        daemon.run(60)
        self.assertGreaterEqual(len(self.told(manager)), 5)

    def test_T12_a_watchdog_meant_for_another_process_is_left_alone(self):
        daemon, manager = self.managed(stepped=True)
        daemon.start(WATCHDOG_USEC="20000000", WATCHDOG_PID="1")
        daemon.run(3600)
        self.assertEqual(self.told(manager), [b"READY=1"])

    def listener(self, path, kind=socket.SOCK_STREAM):
        listener = socket.socket(socket.AF_UNIX, kind)
        self.addCleanup(listener.close)
        listener.bind(path)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        return listener

    def test_a_socket_of_the_manager_is_used_and_left_in_place(self):
        daemon = self.daemon(start=False)
        path = os.path.join(daemon.directory, "of-the-manager")
        listener = self.listener(path)
        # A client that comes before the daemon waits in the socket's queue.
        with Connection(path) as early:
            early.send("Status", {})
            daemon.activate(listener)
            self.assertEqual(early.result()["status"]["scheduled"], 0)
        self.assertFalse(os.path.exists(daemon.socket))
        self.assertEqual(daemon.stop(), 0)
        self.assertTrue(stat.S_ISSOCK(os.stat(path).st_mode))
        # Started again for the next client, by the same socket.
        with Connection(path) as later:
            daemon.activate(listener)
            self.assertEqual(later.call("Status", {})["status"]["scheduled"], 0)

    def test_A4_two_sockets_or_one_of_another_kind_end_with_14(self):
        for count, kind in (("2", socket.SOCK_STREAM), ("1", socket.SOCK_DGRAM)):
            with self.subTest(count=count, kind=kind):
                daemon = self.daemon(start=False)
                listener = self.listener(os.path.join(daemon.directory, "other"), kind)
                daemon.activate(listener, count)
                self.assertEqual(daemon.process.wait(PATIENCE), 14)
                self.assertRegex(daemon.log_text(), r"\Abelfryd: LISTEN_FDS [^\n]+\n\Z")

    def test_sockets_for_another_process_are_not_taken(self):
        daemon = self.daemon(start=False)
        daemon.start(LISTEN_FDS="1", LISTEN_PID="1")
        self.assertTrue(os.path.exists(daemon.socket))
        wait_until(daemon.answers)
