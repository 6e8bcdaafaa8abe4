"""The Debian package on a fresh Debian 12 that systemd has booted, in namespaces of its own: installed,
used, upgraded, removed, purged, and with the power cut in the middle of each.

Not among the tests of Tests/EndToEnd/run: it fetches a Debian, and takes minutes. As root, with
BELFRY_PACKAGES set to a folder of packages for this machine's architecture:

  BELFRY_PACKAGES=.build-packages PYTHONPATH=Tests/EndToEnd python3 -m unittest -v debian_root

It needs systemd-container, mmdebstrap and debian-archive-keyring. BELFRY_ROOT_CUTS=N: so many cuts of each
kind, instead of 12. BELFRY_OLDER=DIR: a lean build of an older commit, whose programs and plugins are in the
package that is upgraded; otherwise it has the same as the new one.
"""
import datetime
import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import uuid

from belfry_harness import wait_until

# What the package needs, so that nothing is fetched while it is installed.
INCLUDED = "systemd,systemd-sysv,init-system-helpers,adduser,procps,tzdata,libasound2"
CUTS = int(os.environ.get("BELFRY_ROOT_CUTS", "12"))
ENVIRONMENT = ["/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
               "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8"]
ROWS = "/usr/bin/belfry list --json"
SYSTEMD_IS_UP = "systemctl is-system-running --wait | grep -qE 'running|degraded'"


def quietly(*words, **options):
    done = subprocess.run(words, check=False, capture_output=True, text=True, **options)
    if done.returncode:
        raise AssertionError(f"{' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Board:
    """A root of its own over one that many share; what changes is thrown away at the end."""

    def __init__(self, lower, is_up=SYSTEMD_IS_UP):
        """`is_up`: a shell's line that succeeds once the board has booted."""
        self.is_up = is_up
        self.folder = tempfile.mkdtemp(prefix="belfry-root-", dir="/tmp")
        self.root = os.path.join(self.folder, "root")
        for name in ("root", "upper", "work"):
            os.mkdir(os.path.join(self.folder, name))
        quietly("mount", "-t", "overlay", "overlay", "-o",
                f"lowerdir={lower},upperdir={self.folder}/upper,workdir={self.folder}/work", self.root)
        self.process = None

    def boot(self):
        with open(os.path.join(self.folder, "console"), "ab") as console:
            self.process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--directory", self.root, "--register=no", "--keep-unit",
                 "--private-network", "--machine", f"board-{uuid.uuid4().hex[:12]}", "--boot"],
                stdin=subprocess.DEVNULL, stdout=console, stderr=console)
        self.init = wait_until(self.first, what="an init")
        wait_until(lambda: self.call(self.is_up).returncode == 0, what="a booted board")
        return self

    def first(self):
        """The process that the board calls number 1."""
        if self.process.poll() is not None:
            with open(os.path.join(self.folder, "console"), encoding="utf-8", errors="replace") as console:
                raise AssertionError(f"systemd-nspawn ended: {console.read()[-500:]}")
        below = [self.process.pid]
        for parent in below:
            for task in glob.glob(f"/proc/{parent}/task/*/children"):
                try:
                    with open(task, encoding="ascii") as file:
                        below += map(int, file.read().split())
                except OSError:
                    pass
        for pid in below[1:]:
            try:
                with open(f"/proc/{pid}/status", encoding="ascii") as file:
                    ids = [line.split()[1:] for line in file if line.startswith("NSpid:")][0]
            except OSError:
                continue
            if len(ids) > 1 and ids[-1] == "1":
                return pid
        return None

    def call(self, text, **options):
        """A shell's line on the board."""
        return subprocess.run(
            ["nsenter", "-t", str(self.init), "-m", "-u", "-i", "-n", "-p", "--", *ENVIRONMENT, "sh", "-c", text],
            check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)

    def run(self, text):
        done = self.call(text)
        if done.returncode:
            raise AssertionError(f"{text}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def write(self, path, text):
        os.makedirs(os.path.dirname(self.root + path), exist_ok=True)
        with open(self.root + path, "w", encoding="utf-8") as file:
            file.write(text)

    def rows(self, words=ROWS):
        return [json.loads(line) for line in self.run(words).splitlines()]

    def names(self):
        return sorted(row["identifier"] for row in self.rows())

    def cut(self):
        """The power goes: everything on the board ends where it is."""
        os.kill(self.init, signal.SIGKILL)
        self.process.wait()

    def remove(self):
        if self.process and self.process.poll() is None:
            self.cut()
        quietly("umount", self.root)
        shutil.rmtree(self.folder)


def package(name="belfry"):
    architecture = quietly("dpkg", "--print-architecture").strip()
    found = glob.glob(os.path.join(os.environ["BELFRY_PACKAGES"], f"{name}_*_{architecture}.deb"))
    if len(found) != 1:
        raise RuntimeError(f"BELFRY_PACKAGES has {len(found)} packages {name} for {architecture}")
    return found[0]


def older(folder):
    """A package that this one upgrades."""
    tree, path = os.path.join(folder, "older"), os.path.join(folder, "older.deb")
    quietly("dpkg-deb", "-R", package(), tree)
    if "BELFRY_OLDER" in os.environ:
        for place in ("bin", "libexec/belfry", "lib/belfry/plugins"):
            for name in os.listdir(f"{tree}/usr/{place}"):
                shutil.copy(os.path.join(os.environ["BELFRY_OLDER"], name), f"{tree}/usr/{place}/{name}")
    with open(f"{tree}/DEBIAN/control", encoding="utf-8") as file:
        text = file.read()
    with open(f"{tree}/DEBIAN/control", "w", encoding="utf-8") as file:
        file.writelines(line.replace("-1\n", "-0\n") if line.startswith("Version: ") else line
                        for line in text.splitlines(keepends=True))
    quietly("dpkg-deb", "--root-owner-group", "-b", tree, path)
    return path


@unittest.skipUnless("BELFRY_PACKAGES" in os.environ, "BELFRY_PACKAGES names no packages")
class DebianRoot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="belfry-debian-", dir="/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.fresh = os.path.join(cls.folder, "fresh")
        quietly("mmdebstrap", "--variant=minbase", f"--include={INCLUDED}", "bookworm", cls.fresh)
        os.mkdir(f"{cls.fresh}/packages")
        shutil.copy(package(), f"{cls.fresh}/packages/new.deb")
        shutil.copy(older(cls.folder), f"{cls.fresh}/packages/old.deb")

    def board(self):
        board = Board(self.fresh)
        self.addCleanup(board.remove)
        return board.boot()

    def assert_runs(self, board):
        self.assertEqual(board.run("systemctl is-active belfry.service belfry.socket").split(), ["active"] * 2)
        self.assertEqual(board.run("systemctl --failed --plain --no-legend").strip(), "")
        # The clock is nobody else, and may not be root.
        self.assertEqual(set(board.run("ps -o user= -C belfryd").split()), {"belfry"})

    def test_it_installs_starts_shows_and_starts_with_the_board(self):
        board = self.board()
        said = board.run("apt-get install -y --no-install-recommends /packages/new.deb")
        self.assertIn("Setting up belfry", said)
        self.assert_runs(board)
        board.run("belfry schedule --id tea --title Tea --body Drawn --in 1s")
        board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
        wait_until(lambda: "Drawn" in board.run("journalctl -u belfry -o cat"), what="the alert in the journal")
        self.assertEqual([row["state"] for row in board.rows("belfry history --json")], ["delivered"])
        for page in ("1 belfry", "5 belfry.conf", "8 belfryd"):
            section, name = page.split()
            board.run(f"test -s /usr/share/man/man{section}/{name}.{section}.gz")
        fails = [row for row in board.rows("belfry doctor --json || true") if row["result"] == "fail"]
        self.assertEqual(fails, [])
        board.cut()
        board.boot()
        self.assert_runs(board)
        self.assertEqual(board.names(), ["school"])

    def test_an_upgrade_keeps_books_and_configuration_and_what_falls_due_meanwhile_rings(self):
        board = self.board()
        board.run("dpkg -i /packages/old.deb")
        board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
        board.run("printf '# mine\\n' >> /etc/belfry/belfry.conf")
        for delay in ("0.1s", "0.3s", "0.6s", "1s"):
            board.run(f"belfry schedule --id due{delay} --body Due --in {delay}")
        board.run("dpkg -i /packages/new.deb")
        ended = time.time()
        wait_until(lambda: len(board.rows("belfry history --json")) == 4, what="what fell due")
        for row in board.rows("belfry history --json"):
            self.assertEqual((row["state"], row["attempts"]), ("delivered", 1), row)
            self.assertLess(datetime.datetime.fromisoformat(row["handedOver"]).timestamp(), ended + 10)
        self.assert_runs(board)
        self.assertEqual(board.names(), ["school"])
        self.assertEqual(board.run("tail -1 /etc/belfry/belfry.conf"), "# mine\n")
        board.run("systemctl stop belfry")
        board.run("dpkg -i /packages/old.deb /packages/new.deb")
        self.assertEqual(board.call("systemctl is-active belfry.service").stdout, "inactive\n")

    def test_removal_keeps_the_books_and_purge_does_not(self):
        board = self.board()
        board.run("dpkg -i /packages/new.deb")
        board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
        board.run("apt-get remove -y belfry")
        self.assertEqual(board.call("pgrep belfry").stdout, "")
        board.run("test -s /var/lib/belfry/books.sqlite && test -s /etc/belfry/belfry.conf")
        board.run("dpkg -i /packages/new.deb")
        self.assert_runs(board)
        self.assertEqual(board.names(), ["school"])
        board.run("apt-get purge -y belfry")
        left = board.run("find / -xdev -name '*belfry*' -not -path '/proc/*' -not -path '/packages/*' "
                         "-not -path '/var/log/*'")
        self.assertEqual(left, "")
        self.assertEqual(board.run("systemctl --failed --plain --no-legend").strip(), "")

    def cut_in(self, before, command):
        """A power cut at so many moments of a command, spread over the time that it takes; afterwards what
        Debian's manual says, and the same command again."""
        board = self.board()
        if before:
            board.run(before)
        began = time.monotonic()
        board.run(command)
        took = time.monotonic() - began
        for number in range(CUTS):
            board = Board(self.fresh)
            try:
                board.boot()
                if before:
                    board.run(before)
                    board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
                started = subprocess.Popen(
                    ["nsenter", "-t", str(board.init), "-m", "-u", "-i", "-n", "-p", "--", *ENVIRONMENT, "sh", "-c",
                     command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(took * (number + 0.5) / CUTS)
                board.cut()
                started.wait()
                board.boot()
                board.run("dpkg --configure -a")
                board.run(command)
                self.assert_runs(board)
                self.assertEqual(board.names(), ["school"] if before else [], f"cut {number} of {CUTS}")
            finally:
                board.remove()

    def test_a_power_cut_in_an_installation_leaves_nothing_half_made(self):
        self.cut_in(None, "dpkg -i /packages/new.deb")

    def test_a_power_cut_in_an_upgrade_loses_nothing(self):
        self.cut_in("dpkg -i /packages/old.deb", "dpkg -i /packages/new.deb")


if __name__ == "__main__":
    unittest.main()
