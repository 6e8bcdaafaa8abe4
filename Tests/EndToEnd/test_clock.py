"""Zones that change, clocks that are set and boards that have been up for years, against the real
daemon: planned anew at once (T7, T8); how soon is a matter of virtual time."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest
import zoneinfo

from belfry_harness import (
    PATIENCE, DaemonTest, microseconds, quiet, recorded, recorder_section, wait_until)
from test_zones import wire

ZONES = "/usr/share/zoneinfo"
FAR = (2055, 7, 1, 7)
HERE = "Europe/Berlin"


def far(zone):
    """When the clocks of a zone show 2055-07-01 07:00."""
    return wire(*FAR, zone=zoneinfo.ZoneInfo(zone))


class Moves(DaemonTest):
    """What is planned by a zone follows it, and one line of log says what moved."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def next(self, bells, identifier="alarm"):
        return bells.call("Next", {"identifier": identifier})["instants"][0]

    def follows(self, bells, change, due, what):
        """Does the change, and waits for its effect."""
        lines = bells.log_text().count("come to another time")
        change()
        wait_until(lambda: self.next(bells) == due, what=what)
        wait_until(
            lambda: bells.log_text().count("come to another time") == lines + 1,
            what=f"one line of log after {what}")

    def link_renamed(self, name):
        os.symlink(f"{ZONES}/{name}", self.path("new"))
        os.rename(self.path("new"), self.path("localtime"))

    def link_made_anew(self, name):
        os.unlink(self.path("localtime"))
        os.symlink(f"{ZONES}/{name}", self.path("localtime"))

    def file_renamed(self, name):
        shutil.copy(f"{ZONES}/{name}", self.path("new"))
        os.rename(self.path("new"), self.path("localtime"))

    def file_written(self, name):
        if os.path.islink(self.path("localtime")):
            os.unlink(self.path("localtime"))
        shutil.copyfile(f"{ZONES}/{name}", self.path("localtime"))

    def test_T7_localtime_swapped_four_ways(self):
        self.link_renamed(HERE)
        bells = self.daemon(arguments=["--localtime", self.path("localtime")])
        bells.schedule(identifier="alarm", fireDate=far(HERE), alertBody="x", timeZone=HERE)
        bells.schedule(identifier="fixed", fireDate=far(HERE), alertBody="x")
        self.assertEqual(self.next(bells), far(HERE))
        for change, name in (
                (self.link_renamed, "America/Chicago"), (self.link_made_anew, "Asia/Tokyo"),
                (self.file_renamed, "Australia/Lord_Howe"), (self.file_written, "Asia/Kolkata"),
                (self.file_written, "Pacific/Apia"), (self.link_renamed, HERE)):
            what = f"{change.__name__} to {name}"
            self.follows(bells, lambda: change(name), far(name), what)
            self.assertEqual(self.next(bells, "fixed"), far(HERE))
        bells.says("1 of 1 notification has come to another time")

    def test_T7_zone_files_replaced(self):
        """As an update of the tz data does it: a new file renamed over the old one, or a new folder."""
        os.makedirs(self.path("zoneinfo", "Test"))
        shutil.copy(f"{ZONES}/{HERE}", self.path("zoneinfo", "Test", "Town"))
        bells = self.daemon(arguments=["--zoneinfo", self.path("zoneinfo")])
        bells.schedule(
            identifier="alarm", fireDate=far(HERE), alertBody="x", timeZone="Test/Town",
            zoneMode="zoned")
        self.assertEqual(self.next(bells), far(HERE))

        def renamed():
            shutil.copy(f"{ZONES}/America/Chicago", self.path("new"))
            os.rename(self.path("new"), self.path("zoneinfo", "Test", "Town"))

        def written():
            shutil.copyfile(f"{ZONES}/Asia/Tokyo", self.path("zoneinfo", "Test", "Town"))

        def whole_folder():
            os.makedirs(self.path("fresh", "Test"))
            shutil.copy(f"{ZONES}/Asia/Kolkata", self.path("fresh", "Test", "Town"))
            os.rename(self.path("zoneinfo"), self.path("old"))
            os.rename(self.path("fresh"), self.path("zoneinfo"))

        for change, name in ((renamed, "America/Chicago"), (written, "Asia/Tokyo"),
                             (whole_folder, "Asia/Kolkata")):
            self.follows(bells, change, far(name), change.__name__)
        bells.says("the rules of Test/Town have changed")

    def test_T7_a_file_that_is_spoilt_changes_nothing(self):
        os.makedirs(self.path("zoneinfo"))
        shutil.copy(f"{ZONES}/{HERE}", self.path("zoneinfo", "Town"))
        bells = self.daemon(arguments=["--zoneinfo", self.path("zoneinfo")])
        bells.schedule(
            identifier="alarm", fireDate=far(HERE), alertBody="x", timeZone="Town",
            zoneMode="zoned")
        with open(self.path("zoneinfo", "Town"), "wb") as file:
            file.write(b"TZif but not more")
        bells.says("its rules stay what they were")
        self.assertEqual(self.next(bells), far(HERE))

    def test_T2_what_fires_soon_fires_by_the_new_zone(self):
        section, out = recorder_section(self.folder, "recorder")
        self.link_renamed(HERE)
        bells = self.daemon(section, arguments=["--localtime", self.path("localtime")])
        # In an hour for Berlin's clocks, and so in a few seconds for those of an hour further east.
        due = microseconds(3600 + 3)
        bells.schedule(identifier="soon", fireDate=due, alertBody="x", timeZone=HERE)
        self.link_renamed("Europe/Helsinki")
        rows = wait_until(lambda: recorded(out), what="the alert by Helsinki's clocks")
        self.assertEqual(len(rows), 1)
        wait_until(lambda: bells.listed() == [], what="an empty list")


@quiet
class Steps(DaemonTest):
    """The machine's clock is set, for moments only."""

    def setUp(self):
        try:
            time.clock_settime_ns(time.CLOCK_REALTIME, time.clock_gettime_ns(time.CLOCK_REALTIME))
        except PermissionError:
            self.skipTest("the clock may not be set here")
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.section, self.out = recorder_section(self.folder, "recorder")

    def test_T8_a_clock_that_is_set_to_what_it_shows_changes_nothing(self):
        bells = self.daemon(self.section)
        bells.schedule(identifier="a", fireDate=microseconds(1), alertBody="x")
        for _ in range(20):
            time.clock_settime_ns(time.CLOCK_REALTIME, time.clock_gettime_ns(time.CLOCK_REALTIME))
            time.sleep(0.02)
        row, = wait_until(lambda: recorded(self.out), what="the alert")
        self.assertGreaterEqual(int(row["entered"]), int(row["due"]), "it fired early")
        bells.schedule(identifier="b", alertBody="x")
        wait_until(lambda: len(recorded(self.out)) > 1, what="the next alert")
        self.assertEqual([row["identifier"] for row in recorded(self.out)], ["a", "b"])

    def test_T8_a_step_forward_and_back_is_noticed_at_once_and_nothing_fires_twice(self):
        bells = self.daemon(self.section)
        # Noticed, not waited for: without the step they would come long after this test gives up.
        due = microseconds(10 * PATIENCE)
        bells.schedule(identifier="once", fireDate=due, alertBody="x")
        bells.schedule(
            identifier="hourly", fireDate=due, alertBody="y", repeatInterval="hour")
        real, mono = time.clock_gettime_ns(time.CLOCK_REALTIME), time.monotonic_ns()
        try:
            time.clock_settime_ns(time.CLOCK_REALTIME, real + (10 * PATIENCE + 1) * 10**9)
            wait_until(lambda: len(recorded(self.out)) >= 2, what="both alerts after the step")
            rows = wait_until(
                lambda: len(rows := bells.history()) == 2 and rows, what="their rows")
        finally:
            passed = time.monotonic_ns() - mono
            time.clock_settime_ns(time.CLOCK_REALTIME, real + passed)
        # T8: what fired by a clock that was not synchronised is planned afresh.
        afresh = rows[0]["clock"] != "synchronised"
        wait_until(lambda: [(row["notification"]["identifier"], row["next"] == due)
                            for row in bells.listed()] == [("hourly", afresh)],
                   what="the repeat as it is planned now")
        bells.schedule(identifier="last", alertBody="x")
        wait_until(lambda: len(recorded(self.out)) > 2, what="the last alert")
        self.assertEqual([row["identifier"] for row in recorded(self.out)], ["once", "hourly", "last"])


@quiet
class LongUp(DaemonTest):
    """A board that booted years ago, by a time namespace."""

    YEARS = 30 * 366 * 86400

    def setUp(self):
        self.prefix = ["unshare", "--time", "--fork", "--kill-child", "--boottime",
                       str(self.YEARS)]
        if not shutil.which("unshare") or subprocess.run(
                [*self.prefix, "true"], check=False, capture_output=True).returncode:
            self.skipTest("there are no time namespaces here")
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def test_T9_everything_is_on_time_and_follows_its_zone(self):
        section, out = recorder_section(self.folder, "recorder")
        localtime = os.path.join(self.folder, "localtime")
        os.symlink(f"{ZONES}/{HERE}", localtime)
        bells = self.daemon(
            section, prefix=self.prefix, arguments=["--localtime", localtime])
        self.assertGreaterEqual(float(subprocess.run(
            [*self.prefix, "cat", "/proc/uptime"], check=True, capture_output=True,
            text=True).stdout.split()[0]), self.YEARS)
        bells.schedule(identifier="relative", fireIn=1_000_000, alertBody="x")
        bells.schedule(identifier="absolute", fireDate=microseconds(1), alertBody="x")
        bells.schedule(identifier="alarm", fireDate=far(HERE), alertBody="x", timeZone=HERE)
        rows = wait_until(
            lambda: len(recorded(out)) == 2 and recorded(out), what="both alerts")
        for row in rows:
            self.assertGreaterEqual(int(row["entered"]), int(row["due"]), row["identifier"])
        os.symlink(f"{ZONES}/Asia/Tokyo", localtime + ".new")
        os.rename(localtime + ".new", localtime)
        wait_until(
            lambda: bells.call("Next", {"identifier": "alarm"})["instants"][0] == far("Asia/Tokyo"),
            what="the alarm by Tokyo's clocks")


@quiet
class Realtime(DaemonTest):
    """`[clock] realtime` is for the thread that holds the clock, and for nobody else."""

    def schedulers(self, pid):
        """What each thread of a process is scheduled by: policy, with its flags, and priority."""
        tasks = sorted(int(task) for task in os.listdir(f"/proc/{pid}/task"))
        return {task: (os.sched_getscheduler(task), os.sched_getparam(task).sched_priority)
                for task in tasks}

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def rings(self, bells, out):
        bells.schedule(identifier="now", alertBody="x", soundName="default")
        wait_until(lambda: recorded(out), what="the alert")

    def test_the_clock_thread_alone_is_realtime(self):
        if subprocess.run(["chrt", "-f", "7", "true"], check=False, capture_output=True).returncode:
            self.skipTest("no realtime priorities are given here")
        section, out = recorder_section(self.folder, "recorder")
        bells = self.daemon("[clock]\nrealtime = 7\n" + section)
        self.rings(bells, out)
        own = self.schedulers(bells.process.pid)
        expected = (os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, 7)
        self.assertEqual(own.pop(bells.process.pid), expected, bells.log_text())
        others = [own] + [self.schedulers(child) for child in bells.children()]
        self.assertGreater(len(others), 1)
        for threads in others:
            for policy, priority in threads.values():
                self.assertEqual((policy & ~os.SCHED_RESET_ON_FORK, priority), (os.SCHED_OTHER, 0))
        with open(f"/proc/{bells.process.pid}/status", encoding="ascii") as status:
            locked = [int(line.split()[1]) for line in status if line.startswith("VmLck")]
        self.assertGreater(locked[0], 500, "kB of locked memory")

    def test_without_the_right_it_says_so_and_rings(self):
        if not shutil.which("setpriv"):
            self.skipTest("there is no setpriv here")
        section, out = recorder_section(self.folder, "recorder")
        bells = self.daemon(
            "[clock]\nrealtime = 7\n" + section,
            prefix=["prlimit", "--rtprio=0", "setpriv", "--bounding-set=-sys_nice",
                    "--inh-caps=-sys_nice"])
        self.rings(bells, out)
        bells.says("[clock] realtime = 7 is not possible")
        policy, _ = self.schedulers(bells.process.pid)[bells.process.pid]
        self.assertEqual(policy & ~os.SCHED_RESET_ON_FORK, os.SCHED_OTHER)

    def test_by_default_nothing_is_realtime(self):
        section, out = recorder_section(self.folder, "recorder")
        bells = self.daemon(section)
        self.rings(bells, out)
        for policy, _ in self.schedulers(bells.process.pid).values():
            self.assertEqual(policy & ~os.SCHED_RESET_ON_FORK, os.SCHED_OTHER)


if __name__ == "__main__":
    unittest.main()
