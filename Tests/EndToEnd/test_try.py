"""`belfry try`: the whole thing in one go, and nothing left of it."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import unittest

from belfry_harness import PATIENCE, programs, quiet, wait_until
from test_command import belfry_path, instant, run, terminal


def folders_of_try():
    return {name for name in os.listdir("/tmp") if name.startswith("belfry-try-")}


def processes():
    """Belfry's own, of this build, by their programs' names."""
    folder = os.path.realpath(programs())
    found = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            program = os.readlink(f"/proc/{pid}/exe")
        except OSError:
            continue
        if os.path.dirname(program) == folder:
            found.add(f"{os.path.basename(program)} {pid}")
    return found


@quiet
class Try(unittest.TestCase):
    """`belfry try` shows, sounds, tells the truth, and leaves nothing behind."""

    def setUp(self):
        self.before = folders_of_try() | processes()

    def left_behind(self):
        return (folders_of_try() | processes()) - self.before

    def check_clean(self):
        wait_until(lambda: not self.left_behind(), what=f"an end of {self.left_behind()}")

    def test_through_a_pipe(self):
        status, out, err = run("try")
        self.assertEqual((status, err), (0, ""), out)
        self.assertIn("The bell rings", out)
        self.assertRegex(
            out.splitlines()[-1],
            r"^Due at \d\d:\d\d:\d\d\.\d{3}, delivered at .*, .* late, .*\.$")
        self.assertNotIn("\x1b", out)
        self.check_clean()

    def test_as_json(self):
        status, out, err = run("try", "--json")
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(len(out.splitlines()), 1, out)
        row = json.loads(out)
        self.assertGreaterEqual(row["lateSeconds"], 0)
        self.assertGreaterEqual(instant(row["delivered"]), instant(row["due"]))
        self.check_clean()

    def test_on_a_terminal(self):
        text = terminal(["try"], "/nonexistent/socket")
        self.assertIn("3 …", text)
        self.assertIn("The bell rings", text)
        self.assertIn("Due at", text)
        self.check_clean()

    def test_ctrl_c_leaves_nothing_behind(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(
                [belfry_path(), "try"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 1, err)
            self.assertIn("stopped", err)
            self.check_clean()

    def test_without_belfryd_it_says_so(self):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            shutil.copy(belfry_path(), folder)
            done = subprocess.run(
                [folder + "/belfry", "try"], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("belfryd: not found in " + folder, done.stderr)


if __name__ == "__main__":
    unittest.main()
