"""The gate itself: who is red, who is flaky, what is recorded. usage: python3 -m unittest discover"""

import io
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

sys.path.insert(1, str(ROOT / "Tests/EndToEnd"))

import gate as gate_steps  # noqa: E402
import second_try  # noqa: E402
import shards  # noqa: E402
import steps  # noqa: E402

# Tests that fail until a file of their name is there, or always.
SAMPLE = """
    import os, time, unittest
    class Sample(unittest.TestCase):
        def once(self, name):
            path = os.path.join(os.environ["SAMPLE"], name)
            if not os.path.exists(path):
                open(path, "w").close()
                self.fail(f"{name} was not there")
        def test_good(self): pass
        def test_one(self): self.once("one")
        def test_two(self): self.once("two")
        def test_three(self): self.once("three")
        def test_four(self): self.once("four")
        def test_never(self): self.assertEqual(1, 2)
        def test_error(self): raise OSError("no such thing")
    class Ends(unittest.TestCase):
        def test_dies(self): os._exit(3)
        def test_sleeps(self): time.sleep(60)
        def test_never(self): self.assertEqual(1, 2)
"""
SWIFT_LOG = """\
✔ Test E5_anInstantOnce() passed after 0.1 seconds.
✘ Test D1_state(kind:) recorded an issue with 1 argument kind → "a" at SessionTests.swift:79:5: Expectation failed: (1) == (2)
↳ 1 → 1
✘ Test case passing 1 argument kind → "a" to D1_state(kind:) failed after 0.1 seconds with 1 issue.
✘ Test D1_state(kind:) with 3 test cases failed after 0.2 seconds with 1 issue.
✘ Test N1_other() recorded an issue at WorldTests.swift:12:7: Caught error: gone
✘ Test N1_other() failed after 0.2 seconds with 1 issue.
✘ Suite SessionTests failed after 0.3 seconds with 1 issue.
✘ Test run with 3 tests in 1 suite failed after 0.3 seconds with 2 issues.
"""


class GateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="belfry-gate-test-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.gate = steps.Gate()
        self.addCleanup(self.gate.finish)
        self.said = io.StringIO()
        self.enterContext(redirect_stdout(self.said))

    def python(self, *tests):
        """Runs these tests of the sample, in one go."""
        (self.folder / "sample.py").write_text(textwrap.dedent(SAMPLE))
        environment = steps.environment(SAMPLE=str(self.folder), PYTHONPATH=str(self.folder))
        words = ["/usr/bin/python3", "-m", "unittest", "-v", *tests]
        return steps.run(words, self.folder / "log", env=environment)

    def judged(self, *names):
        """Runs the named tests, judges what failed by a second run of each; returns the status."""
        first = self.python(*(f"sample.Sample.test_{name}" for name in names))
        failures = second_try.python_failures(first.text())
        second_try.judge(self.gate, "end to end", first, failures, second_try.python_ended,
                         second_try.python_passed, lambda failure: self.python(failure.name))
        second_try.limit_flaky(self.gate)
        return self.gate.verdict()


class SecondTryTests(GateTest):
    def test_what_fails_once_is_flaky_and_green(self):
        self.assertEqual(self.judged("good", "one"), 0)
        self.assertEqual(len(self.gate.flaky), 1)
        self.assertRegex(
            self.gate.flaky[0],
            r"^FLAKY \S+ sample\.Sample\.test_one AssertionError: one was not there$")
        self.assertIn(self.gate.flaky[0], self.said.getvalue())

    def test_what_fails_twice_is_red_with_its_command_and_its_own_output(self):
        self.assertEqual(self.judged("good", "never", "one"), 1)
        said = self.said.getvalue().splitlines()
        red = [line for line in said if line.startswith("RED: ")]
        self.assertEqual(
            set(red), {"RED: end to end: sample.Sample.test_never: failed twice: "
                       "AssertionError: 1 != 2"})
        after = said[said.index(red[-1], said.index("== seconds by step")):]
        self.assertIn("  | alone: Tests/EndToEnd/run -v sample.Sample.test_never", after)
        self.assertTrue(any("Ran 1 test" in line for line in after))
        self.assertEqual(len(self.gate.flaky), 1)

    def test_errors_are_failures(self):
        self.assertEqual(self.judged("error"), 1)
        self.assertIn("test_error: failed twice: OSError: no such thing", self.said.getvalue())

    def test_three_that_fail_once_are_green_and_four_are_red(self):
        self.assertEqual(self.judged("one", "two", "three"), 0)
        for name in ("one", "two", "three"):
            (self.folder / name).unlink()
        self.gate.flaky.clear()
        self.assertEqual(self.judged("one", "two", "three", "four"), 1)
        self.assertIn("4 tests passed only the second time; at most 3", self.said.getvalue())

    def test_a_run_that_names_no_test_is_red(self):
        first = steps.run(["/bin/sh", "-c", "echo trapped; exit 5"], self.folder / "log")
        second_try.judge(self.gate, "unit", first, second_try.swift_failures(first.text()),
                         second_try.swift_ended, second_try.swift_passed, None)
        self.assertEqual(self.gate.verdict(), 1)
        self.assertIn("RED: unit: exit 5, and no test is named\n  | trapped", self.said.getvalue())

    def test_a_run_that_crashed_after_a_failure_is_red_whatever_the_second_try_says(self):
        whole = SWIFT_LOG.splitlines(keepends=True)
        for log, ended in ((whole, True), (whole[:-1] + ["Exited with unexpected signal code 5\n"], False)):
            (self.folder / "crash").write_text("".join(log))
            first = steps.run(["/bin/sh", "-c", f"cat {self.folder}/crash; exit 1"], self.folder / "log")
            self.gate.red.clear()
            second_try.judge(self.gate, "unit", first, second_try.swift_failures(first.text()),
                             second_try.swift_ended, lambda run: True, lambda failure: None)
            self.assertEqual(self.gate.verdict(), 0 if ended else 1)
        self.assertIn("RED: unit: exit 1, before all tests had run\n", self.said.getvalue())

    def test_a_class_whose_process_ends_early_is_named_as_a_whole(self):
        self.python("sample.Sample.test_good")
        for name, silence, why in (("dies", 60, "its process ended with 3"), ("sleeps", 1, "no line for 1 s")):
            share = shards.Share("sample.Ends", [f"sample.Ends.test_{name}", "sample.Ends.test_never"], False)
            with mock.patch.dict(os.environ, PYTHONPATH=str(self.folder)), \
                    mock.patch.object(shards, "SILENCE", silence):
                share.run()
            (failure,) = second_try.python_failures("\n".join(share.failures()))
            self.assertEqual(failure.command, ["Tests/EndToEnd/run", "-v", "sample.Ends"])
            self.assertIn(why, failure.message)

    def test_a_second_try_that_runs_no_test_has_not_passed(self):
        none = self.python("sample.Sample.test_good")
        self.assertTrue(second_try.python_passed(none))
        empty = steps.run(["/bin/echo", "Ran 0 tests in 0.000s"], self.folder / "log")
        self.assertFalse(second_try.python_passed(empty))
        empty = steps.run(["/bin/echo", "Test run with 0 tests in 0 suites passed"],
                          self.folder / "log")
        self.assertFalse(second_try.swift_passed(empty))

    def test_swift_testing_names_its_failures_with_place_and_message(self):
        sources = self.folder / "Tests/KitTests"
        sources.mkdir(parents=True)
        (sources / "SessionTests.swift").write_text("@Test func D1_state(kind: String) {}\n")
        (sources / "WorldTests.swift").write_text("@Test func N1_other() {}\n")
        with mock.patch.object(second_try, "ROOT", self.folder):
            found = second_try.swift_failures(SWIFT_LOG)
        self.assertEqual(
            [(one.name, one.place, one.message) for one in found],
            [("D1_state", "Tests/KitTests/SessionTests.swift:79", "Expectation failed: (1) == (2)"),
             ("N1_other", "Tests/KitTests/WorldTests.swift:12", "Caught error: gone")])
        self.assertEqual(found[0].command[-1], r"^(KitTests)\..*\bD1_state\(")

    def test_what_comes_with_a_fixture_of_a_class_is_named(self):
        log = textwrap.dedent("""\
            ======================================================================
            ERROR: setUpClass (test_chaos.ChaosTests)
            ----------------------------------------------------------------------
            Traceback (most recent call last):
              File "/x/Tests/EndToEnd/test_chaos.py", line 7, in setUpClass
            OSError: no room
            ======================================================================
            FAIL: test_a (test_b.C.test_a) (kind=1)
            ----------------------------------------------------------------------
            Traceback (most recent call last):
              File "/usr/lib/python3.11/unittest/case.py", line 9, in x
              File "/x/Tests/EndToEnd/test_b.py", line 20, in test_a
            AssertionError: no
            """)
        found = second_try.python_failures(log)
        self.assertEqual([one.name for one in found], ["test_chaos.ChaosTests", "test_b.C.test_a"])
        self.assertEqual([one.place for one in found], ["test_chaos.py:7", "test_b.py:20"])
        self.assertEqual([one.message for one in found], ["OSError: no room", "AssertionError: no"])


class StepTests(GateTest):
    def test_every_red_step_is_told(self):
        self.gate.command("one", ["/bin/sh", "-c", "echo a; exit 3"])
        self.gate.command("two", ["/bin/sh", "-c", "echo b; exit 4"])
        self.gate.command("three", ["/bin/true"])
        self.assertEqual(self.gate.verdict(), 1)
        said = self.said.getvalue()
        self.assertIn("RED: one: exit 3\n  | a", said)
        self.assertIn("RED: two: exit 4\n  | b", said)
        self.assertNotIn("three: exit", said)

    def test_a_step_that_hangs_is_ended_and_named(self):
        done = steps.run(["/bin/sh", "-c", "echo begun; sleep 60"], self.folder / "log", silence=0.5)
        self.gate.check("slow", done)
        self.assertTrue(done.hung)
        self.assertIn("RED: slow: no line for", self.said.getvalue())

    def test_what_a_step_started_ends_with_it(self):
        mark = self.folder / "pid"
        steps.run(["/bin/sh", "-c", f"sleep 60 & echo $! > {mark}; sleep 60"], self.folder / "log",
                  silence=2)
        status = Path(f"/proc/{mark.read_text().strip()}/stat")
        end = time.monotonic() + 30
        while not self.has_ended(status) and time.monotonic() < end:
            time.sleep(0.01)  # It was killed, and goes as soon as it gets the processor.
        self.assertTrue(self.has_ended(status))

    @staticmethod
    def has_ended(status):
        try:
            # A zombie, where nobody reaps it.
            return " Z " in status.read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True

    def test_a_full_disk_is_said_in_one_line_before_any_build(self):
        usage = mock.Mock(return_value=mock.Mock(free=300_000_000))
        with mock.patch.object(gate_steps.shutil, "disk_usage", usage), \
                mock.patch.object(gate_steps, "cheap") as cheap, \
                mock.patch.object(self.gate, "make_scratch"):
            self.assertEqual(self.gate.lead(lambda: gate_steps.work(self.gate)), 1)
        cheap.assert_not_called()
        self.assertRegex(self.said.getvalue(), "RED: before the builds: 0.3 GB are free .* needed\n")

    def test_a_log_that_cannot_be_written_is_red_and_nothing_hangs(self):
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        try:
            # Longer than a pipe holds.
            done = steps.run(["/bin/sh", "-c", "seq 100000"], self.folder / "log", lambda line: False)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        self.assertEqual(done.status, 0)
        self.assertFalse(self.gate.check("long", done))
        self.assertIn("exit 0, its log cannot be written: File too large", self.said.getvalue())

    def test_a_program_of_the_same_path_in_another_mount_namespace_is_not_ours(self):
        with mock.patch.object(steps, "ROOT", self.folder):
            build = self.folder / ".build"
            build.mkdir()
            subprocess.run(["cp", "/bin/sleep", build / "mine"], check=True)
            (self.folder / "else").mkdir()
            subprocess.run(["cp", "/bin/sleep", self.folder / "else/mine"], check=True)
            other = subprocess.Popen(
                ["unshare", "-m", "sh", "-c", 'mount --bind "$1/else" "$1/.build" && exec "$1/.build/mine" 60',
                 "sh", str(self.folder)])
            mine = subprocess.Popen([build / "mine", "60"])
            end = time.monotonic() + 30
            while not os.readlink(f"/proc/{other.pid}/exe").endswith("/mine") and time.monotonic() < end:
                self.assertIsNone(other.poll(), "its own mount")
                time.sleep(0.01)
            try:
                found = [pid for pid, _ in steps.left_behind()]
                self.assertEqual(found, [mine.pid])
            finally:
                for process in (mine, other):
                    process.kill()
                    process.wait()

    def test_without_packages_nothing_is_built(self):
        def no_network(*_):
            raise gate_steps.Stop("packages cannot be installed: Unable to fetch some archives")

        with mock.patch.object(gate_steps, "cheap"), \
                mock.patch.object(gate_steps, "install", no_network), \
                mock.patch.object(gate_steps, "build") as build, \
                mock.patch.object(self.gate, "make_scratch"):
            self.assertEqual(self.gate.lead(lambda: gate_steps.work(self.gate)), 1)
        build.assert_not_called()
        self.assertIn("RED: before the builds: packages cannot be installed: Unable", self.said.getvalue())

    def test_the_readme_has_the_command_by_its_parts(self):
        _, packages, unit, end_to_end = gate_steps.readme_command()
        self.assertTrue(packages.startswith("apt-get update && apt-get install -y "))
        self.assertEqual((unit, end_to_end), ("swift test", "Tests/EndToEnd/run"))

    def test_what_classes_run_ends_with_the_gate(self):
        self.python("sample.Sample.test_good")
        lead = ("import shards; shards.shares = lambda: [shards.Share('sample.Ends', ['sample.Ends.test_sleeps'], "
                "False)]; shards.main()")
        leader = subprocess.Popen(
            ["/usr/bin/python3", "-c", lead],
            env=os.environ | {"PYTHONPATH": f"{ROOT}/Tests/EndToEnd:{self.folder}"})
        children = Path(f"/proc/{leader.pid}/task")
        end, classes = time.monotonic() + 30, []
        while not classes and time.monotonic() < end:
            classes = [pid for task in children.glob("*/children") for pid in task.read_text().split()]
            time.sleep(0.01)
        leader.terminate()
        self.assertEqual(leader.wait(), 128 + 15)
        for pid in classes:
            while not self.has_ended(Path(f"/proc/{pid}/stat")) and time.monotonic() < end:
                time.sleep(0.01)
            self.assertTrue(self.has_ended(Path(f"/proc/{pid}/stat")))
        self.assertEqual(len(classes), 1)

    def test_memory_that_takes_no_files_is_said_and_the_disk_is_used(self):
        full = mock.Mock(side_effect=OSError(28, "No space left on device"))
        with mock.patch.object(steps.tempfile, "mkdtemp", full):
            self.gate.make_scratch()
        self.assertIsNone(self.gate.scratch)
        self.assertIn("-- /dev/shm: No space left on device: scratch files are on disk", self.said.getvalue())

    def test_scratch_that_a_killed_run_left_is_removed(self):
        with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="belfry-gate-0-") as left:
            # No process has the number 0.
            self.gate.make_scratch()
            self.assertFalse(os.path.exists(left))
            os.mkdir(left)
        if self.gate.scratch:
            self.assertTrue(self.gate.scratch.name.startswith(f"belfry-gate-{os.getpid()}-"))


class RecordTests(GateTest):
    def repository(self):
        def git(*words):
            subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
                           cwd=self.folder, check=True, capture_output=True)

        git("init", "-q")
        (self.folder / "a").write_text("1")
        git("add", "a")
        git("commit", "-qm", "one")
        self.enterContext(mock.patch.object(steps, "ROOT", self.folder))
        self.enterContext(mock.patch.object(gate_steps, "ROOT", self.folder))
        return steps.git("rev-parse", "HEAD^{tree}")

    def lines(self):
        path = self.folder / ".git/belfry-gate"
        return path.read_text().splitlines() if path.exists() else []

    def led(self, work):
        with mock.patch.object(gate_steps, "work", work), \
                mock.patch.object(gate_steps, "Gate", lambda: self.gate), \
                mock.patch.dict(os.environ):
            return gate_steps.main()

    def test_a_green_run_of_a_clean_tree_is_recorded(self):
        tree = self.repository()
        self.assertEqual(self.led(lambda gate: 7), 0)
        (line,) = self.lines()
        self.assertRegex(line, rf"^{tree} [0-9a-f]{{9}} \d+ 0 \d{{4}}-\d\d-\d\dT[\d:]+Z$")
        self.assertTrue(self.said.getvalue().endswith("7 passed, 0 failed\n"))

    def test_a_dirty_tree_and_a_red_run_are_not_recorded(self):
        self.repository()
        (self.folder / "b").write_text("2")
        self.assertEqual(self.led(lambda gate: 7), 0)
        self.assertEqual(self.lines(), [])
        (self.folder / "b").unlink()
        self.said.truncate(0)
        self.assertEqual(self.led(lambda gate: gate.fail("unit", "no") or 7), 1)
        self.assertEqual(self.lines(), [])
        self.assertNotIn("passed, 0 failed", self.said.getvalue())


if __name__ == "__main__":
    unittest.main()
