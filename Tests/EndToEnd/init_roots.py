"""Boards without systemd, in namespaces of their own: the Debian package on a Debian that sysvinit has
booted, and on one where OpenRC leads the services; the tarball for musl on busybox and nothing else. Each is
installed, used, killed, upgraded, cut off its power, and removed.

Not among the tests of Tests/EndToEnd/run: it fetches a Debian, and takes minutes. As root, with
BELFRY_PACKAGES set to a folder that has the packages for this machine's architecture, and the tarball:

  BELFRY_PACKAGES=.build-packages PYTHONPATH=Tests/EndToEnd python3 -m unittest -v init_roots

It needs systemd-container, mmdebstrap and debian-archive-keyring.
"""
import glob
import os
import shutil
import subprocess
import tempfile
import unittest

from belfry_harness import wait_until
from debian_root import Board, older, package, quietly

LOG = "/var/log/belfry.log"
INITTAB = "::sysinit:/etc/init.d/rcS\n::ctrlaltdel:/bin/true\n"
RCS = """#!/bin/sh
mkdir -p /run /tmp
for script in /etc/init.d/S*; do [ ! -x "$script" ] || "$script" start; done
touch /run/is-up
"""


class Root:
    """What the tests have in common; a class says how a board of its kind is made and led."""
    is_up = "test -e /run/is-up"
    install = upgrade = remove = start_with_board = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="belfry-init-", dir="/tmp")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.fresh = os.path.join(cls.folder, "fresh")
        cls.make()

    def board(self):
        board = Board(self.fresh, self.is_up)
        self.addCleanup(board.remove)
        board.boot()
        board.run(self.install)
        board.run(self.start_with_board)
        self.answers(board)
        return board

    def service(self, board, word):
        return board.call(f"/etc/init.d/belfry {word}")

    def answers(self, board):
        wait_until(lambda: board.call("/usr/bin/belfry list").returncode == 0, what="belfryd")

    def processes(self, board, name):
        return board.run(f"for at in /proc/[0-9]*; do [ \"$(cat $at/comm 2> /dev/null)\" != {name} ] || "
                         "echo ${at#/proc/}; done").split()

    def daemon(self, board):
        """The one process of it."""
        process, = self.processes(board, "belfryd")
        return process

    def shown(self, board, text):
        wait_until(lambda: text in board.call(f"cat {LOG}").stdout, what=f"{text} in the log")

    def test_it_starts_shows_and_starts_with_the_board(self):
        board = self.board()
        board.run("belfry schedule --id tea --body Drawn --in 1s")
        board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
        self.shown(board, "Drawn")
        self.assertEqual([row["state"] for row in board.rows("belfry history --json")], ["delivered"])
        self.assertEqual(self.service(board, "status").returncode, 0)
        users = {line.split("\t")[1].split()[0] for pid in self.processes(board, "belfry-worker")
                 for line in board.run(f"cat /proc/{pid}/status").splitlines() if line.startswith("Uid:")}
        self.assertNotIn("0", users)
        if board.call("echo -900 > /proc/self/oom_score_adj").returncode == 0:
            self.assertEqual(board.run(f"cat /proc/{self.daemon(board)}/oom_score_adj"), "-900\n")
        board.cut()
        board.boot()
        self.answers(board)
        self.assertEqual(board.names(), ["school"])

    def test_whatever_ends_the_daemon_it_comes_back_and_what_fell_due_rings(self):
        board = self.board()
        for number in range(3):
            board.run(f"belfry schedule --id due{number} --body Due{number} --in 0.3s")
            board.run(f"kill -KILL {self.daemon(board)}")
            self.shown(board, f"Due{number}")
            self.answers(board)
        self.assertEqual([row["attempts"] for row in board.rows("belfry history --json")], [1] * 3)

    def test_stop_reload_and_restart_do_what_they_say(self):
        board = self.board()
        board.run("printf '[plugin:second]\\nfile = console\\n' >> /etc/belfry/belfry.conf")
        self.assertEqual(self.service(board, "reload").returncode, 0)
        wait_until(lambda: "second" in board.call("belfry plugin list").stdout, what="another plugin")
        self.assertEqual(self.service(board, "stop").returncode, 0)
        self.assertEqual(self.processes(board, "belfryd"), [])
        self.assertNotEqual(self.service(board, "status").returncode, 0)
        self.assertEqual(self.service(board, "start").returncode, 0)
        self.answers(board)
        self.assertEqual(self.service(board, "start").returncode, 0, "a second start")
        before = self.daemon(board)
        self.assertEqual(self.service(board, "restart").returncode, 0)
        self.answers(board)
        self.assertNotEqual(self.daemon(board), before)

    def test_an_upgrade_keeps_books_and_configuration_and_whether_it_runs(self):
        board = self.board()
        board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
        board.run("printf '# mine\\n' >> /etc/belfry/belfry.conf")
        before = self.daemon(board)
        board.run(self.upgrade)
        self.answers(board)
        self.assertNotEqual(self.daemon(board), before)
        self.assertEqual(board.names(), ["school"])
        self.assertEqual(board.run("tail -n 1 /etc/belfry/belfry.conf"), "# mine\n")
        self.service(board, "stop")
        board.run(self.upgrade)
        self.assertEqual(self.processes(board, "belfryd"), [])

    def test_removal_keeps_the_books_and_the_configuration(self):
        board = self.board()
        board.run("belfry schedule --id school --body Bell --at 08:00 --repeat day")
        board.run(self.remove)
        for name in ("belfryd", "belfry-worker", "belfry-speaker"):
            self.assertEqual(self.processes(board, name), [])
        self.assertNotEqual(board.call("ls /usr/bin/belfryd /usr/lib/belfry").returncode, 0)
        board.run("test -s /var/lib/belfry/books.sqlite && test -s /etc/belfry/belfry.conf")
        board.run(self.install)
        board.run(self.start_with_board)
        self.answers(board)
        self.assertEqual(board.names(), ["school"])


class Debian(Root):
    included = ""
    install = "dpkg -i /packages/old.deb"
    upgrade = "dpkg -i /packages/old.deb /packages/new.deb"
    remove = "dpkg -r belfry"

    @classmethod
    def make(cls):
        quietly("mmdebstrap", "--variant=minbase",
                f"--include={cls.included},init-system-helpers,adduser,procps,tzdata,libasound2,lsb-base", "bookworm",
                cls.fresh)
        os.mkdir(f"{cls.fresh}/packages")
        shutil.copy(package(), f"{cls.fresh}/packages/new.deb")
        shutil.copy(older(cls.folder), f"{cls.fresh}/packages/old.deb")
        with open(f"{cls.fresh}/etc/rc.local", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")


@unittest.skipUnless("BELFRY_PACKAGES" in os.environ, "BELFRY_PACKAGES names no packages")
class SysVInit(Debian, unittest.TestCase):
    included = "sysvinit-core,sysv-rc"
    is_up = "runlevel | grep -q 2"


@unittest.skipUnless("BELFRY_PACKAGES" in os.environ, "BELFRY_PACKAGES names no packages")
class OpenRC(Debian, unittest.TestCase):
    included = "sysvinit-core,openrc"
    is_up = "rc-status --runlevel | grep -q default"
    install = ("dpkg --force-confold -i /packages/old.deb && /etc/init.d/belfry stop && "
               "cp /usr/share/doc/belfry/examples/belfry.openrc /etc/init.d/belfry")
    start_with_board = "rc-update add belfry default && rc-service belfry start"
    upgrade = "dpkg --force-confold -i /packages/old.deb /packages/new.deb"

    def service(self, board, word):
        return board.call(f"rc-service belfry {word}")


@unittest.skipUnless("BELFRY_PACKAGES" in os.environ, "BELFRY_PACKAGES names no packages")
class Busybox(Root, unittest.TestCase):
    install = "cd /packages/belfry-* && ./install.sh"
    upgrade = install
    remove = "cd /packages/belfry-* && ./install.sh --uninstall"
    start_with_board = "ln -sf belfry /etc/init.d/S50belfry"

    @classmethod
    def make(cls):
        for name in ("bin", "sbin", "dev", "proc", "sys", "tmp", "run", "root", "var/lib", "var/log", "etc/init.d",
                     "usr/bin", "usr/sbin", "usr/lib", "packages"):
            os.makedirs(os.path.join(cls.fresh, name))
        archives = os.path.join(cls.folder, "archives")
        os.mkdir(archives)
        quietly("apt-get", "download", "-o", "APT::Sandbox::User=", "busybox-static", "musl", cwd=archives)
        for archive in glob.glob(f"{archives}/*.deb"):
            quietly("dpkg-deb", "--extract", archive, cls.fresh)
        quietly("chroot", cls.fresh, "/bin/busybox", "--install", "-s")
        for path, text, mode in (
                ("usr/lib/os-release", "ID=small\n", 0o644), ("etc/inittab", INITTAB, 0o644),
                ("etc/init.d/rcS", RCS, 0o755), ("etc/passwd", "root:x:0:0:root:/root:/bin/sh\n", 0o644),
                ("etc/group", "root:x:0:\n", 0o644)):
            with open(os.path.join(cls.fresh, path), "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(os.path.join(cls.fresh, path), mode)
        machine = quietly("dpkg", "--print-architecture").strip()
        tarball, = glob.glob(os.path.join(os.environ["BELFRY_PACKAGES"], f"belfry-*-musl-linux-{machine}.tar.gz"))
        quietly("tar", "-xzf", tarball, "-C", f"{cls.fresh}/packages")


if __name__ == "__main__":
    unittest.main()
