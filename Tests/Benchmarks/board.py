"""What a board pays for each way to be woken: Belfry as packaged, Debian's cron and atd, and a user's
systemd, all in one Debian 12 that systemd has booted (debian_root.py), with as many timers each."""
import os
import shutil
import subprocess
import tempfile
import time

from debian_root import INCLUDED, Board, package, quietly

PENDING = (64, 10_000)
YEAR = "2031"
MORE = ",cron,at,libpam-systemd,dbus"
# Each fires once a second, so often.
FIRINGS = 20


def written_by(board, pid):
    return int(board.run(f"sed -n 's/^write_bytes: //p' /proc/{pid}/io"))


def wakeups(board, pid):
    """Voluntary context switches of all threads."""
    return int(board.run(f"cat /proc/{pid}/task/*/status | "
                         "awk '/^voluntary_ctxt_switches/ {n += $2} END {print n}'"))


def memory(board, pids):
    """kB of all of them: resident, their part of what they share, and what no other process has."""
    text = board.run("cat " + " ".join(f"/proc/{pid}/smaps_rollup" for pid in pids))
    sums = {"Rss": 0, "Pss": 0, "Private_Dirty": 0}
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name in sums:
            sums[name] += int(value.split()[0])
    return list(sums.values())


class Way:
    """One that has timers, on a board."""

    def __init__(self, board):
        self.board = board

    def pid(self):
        return self.board.run(f"systemctl show -P MainPID {self.unit}").strip()

    def children(self):
        return []

    def start(self):
        self.board.run(f"systemctl restart {self.unit}")


class Belfry(Way):
    name, unit = "belfryd", "belfry"

    def fill(self, count):
        self.board.run("belfry cancel --all --yes > /dev/null")
        lines = "".join(
            f"belfry schedule --id n{number} --body Bell --at {YEAR}-01-01T00:00:00 > /dev/null\n"
            for number in range(count))
        self.board.write("/root/fill", lines)
        self.board.run("sh /root/fill")

    def children(self):
        """The workers of its plugins, and its speaker."""
        return self.board.run("pgrep -P " + self.pid()).split()

    def fire(self):
        for _ in range(FIRINGS):
            self.board.run("belfry schedule --body Bell --now; sleep 1")


class Cron(Way):
    name, unit = "cron", "cron"

    def fill(self, count):
        self.board.write("/etc/cron.d/bells", "".join(
            f"{number % 60} {number // 60 % 24} 1 1 * root true {number}\n" for number in range(count)))


class Atd(Way):
    name, unit = "atd", "atd"

    def fill(self, count):
        self.board.run("rm -f /var/spool/cron/atjobs/a*")
        self.board.write("/root/fill", "".join(
            f"echo true | at -t {YEAR}01010000 2> /dev/null\n" for _ in range(count)))
        self.board.run("sh /root/fill")


class User(Way):
    name, unit = "systemd --user", "user@1000.service"
    folder = "/home/bell/.config/systemd/user"

    def fill(self, count):
        self.board.run(f"id bell > /dev/null 2>&1 || adduser --disabled-password --gecos '' --uid 1000 bell; "
                       f"rm -rf {self.folder}; mkdir -p {self.folder}/timers.target.wants")
        self.board.write(f"{self.folder}/ring.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n")
        text = f"[Timer]\nOnCalendar={YEAR}-01-01\nUnit=ring.service\nAccuracySec=1s\n"
        for number in range(count):
            self.board.write(f"{self.folder}/n{number}.timer", text)
            os.symlink(f"../n{number}.timer", self.board.root + f"{self.folder}/timers.target.wants/n{number}.timer")
        self.board.run("chown -R bell:bell /home/bell")


def measure(title, table, programs):
    """`programs`: the folder of a lean build; prints tables by `table`. BELFRY_IDLE=SECONDS: so long nothing
    is due, instead of a minute; 3600 is an hour."""
    seconds = int(os.environ.get("BELFRY_IDLE", "60"))
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = tempfile.mkdtemp(prefix="belfry-board-", dir="/tmp")
    try:
        architecture = quietly("dpkg", "--print-architecture").strip()
        quietly(f"{source}/Sources/Packaging/package", "--built", programs, "--output", folder, architecture)
        os.environ["BELFRY_PACKAGES"] = folder
        lower = os.path.join(folder, "fresh")
        quietly("mmdebstrap", "--variant=minbase", f"--include={INCLUDED}{MORE}", "bookworm", lower)
        shutil.copy(package(), f"{lower}/new.deb")
        board = Board(lower)
        try:
            board.boot()
            board.run("dpkg -i /new.deb && sed -i '0,/^#notifications =.*/s//notifications = 20000/' "
                      "/etc/belfry/belfry.conf")
            rows = [["", "pending", "RSS kB", "PSS kB", "private kB", "wakes", "written kB"]]
            for count in PENDING:
                ways = [kind(board) for kind in (Belfry, Cron, Atd, User)]
                for way in ways:
                    way.fill(count)
                    way.start()
                time.sleep(10)
                before = [(wakeups(board, way.pid()), written_by(board, way.pid())) for way in ways]
                time.sleep(seconds)
                for way, (woken, written) in zip(ways, before):
                    pid = way.pid()
                    rows.append([way.name, count, *memory(board, [pid]), wakeups(board, pid) - woken,
                                 (written_by(board, pid) - written) // 1000])
                    if way.children():
                        rows.append(["  its children", "", *memory(board, way.children()), "", ""])
            title(f"A board's timers, none due in {seconds} s")
            table(rows)
            belfry = Belfry(board)
            written = written_by(board, belfry.pid())
            belfry.fire()
            print(f"  a firing writes {(written_by(board, belfry.pid()) - written) / FIRINGS / 1000:.1f} kB: "
                  f"scheduled, handed over and recorded, {FIRINGS} of them, one a second")
        finally:
            board.remove()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"  not measured: {error} (apt-get install systemd-container mmdebstrap)")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
