"""D7, D8: what was acknowledged survives kill -9 of the clock at any moment."""
import signal
import uuid

from belfry_harness import microseconds, recorded, recorder_section, wait_until
from schedule_loop import KillRounds


class Kill(KillRounds):
    def test_D7_every_acknowledged_schedule_survives_200_kills(self):
        self.survive(self.daemon(start=False), 200, "kill")

    def test_D7_a_kill_at_each_step_loses_nothing_and_keeps_the_id(self):
        for step in (
                "schedule-before-commit", "schedule-after-commit", "schedule-after-reply",
                "prepare-before-intent", "prepare-after-intent", "handover-before",
                "handover-after", "acknowledge-before-record", "acknowledge-after-record"):
            with self.subTest(step=step):
                self.kill_at(step)

    def kill_at(self, step):
        daemon = self.daemon(start=False, test_build=True)
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(section)
        daemon.start(BELFRY_FAILPOINT=step)
        acknowledged = True
        with daemon.connect() as connection:
            try:
                connection.call("Schedule", {"notification": {
                    "identifier": "bell", "fireDate": microseconds(2), "alertBody": "ding"}})
            except (OSError, ConnectionError):
                acknowledged = False
        wait_until(lambda: daemon.process.poll() is not None, what=f"the end at {step}")
        self.assertEqual(daemon.process.returncode, -signal.SIGKILL, daemon.log_text())
        self.assertEqual(acknowledged, not step.startswith("schedule-") or "reply" in step)
        daemon.start()
        if step == "schedule-before-commit":
            self.assertEqual(daemon.listed() + recorded(out), [])
            return
        wait_until(lambda: recorded(out), what=f"delivery after a kill at {step}")
        wait_until(lambda: not daemon.listed(), what="the end of the one-shot")
        wait_until(lambda: [row["state"] for row in daemon.history()] == ["delivered"],
                   what=f"one delivered row in the history after {step}")
        self.assertEqual(len({row["id"] for row in recorded(out)}), 1)

    def test_P6_D7_a_kill_at_each_step_of_a_push_stores_and_shows_it_once(self):
        for step in (
                "push-before-commit", "push-after-commit", "handover-before", "handover-after",
                "push-after-reply", "acknowledge-before-record", "acknowledge-after-record"):
            with self.subTest(step=step):
                self.kill_push_at(step)

    def kill_push_at(self, step):
        daemon = self.daemon(start=False, test_build=True)
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(section)
        daemon.start(BELFRY_FAILPOINT=step)
        push = {"id": str(uuid.uuid4()), "payload": {"aps": {"alert": "ding"}}}
        acknowledged = True
        with daemon.connect() as connection:
            try:
                connection.call("Push", push)
            except (OSError, ConnectionError):
                acknowledged = False
        wait_until(lambda: daemon.process.poll() is not None, what=f"the end at {step}")
        self.assertEqual(daemon.process.returncode, -signal.SIGKILL, daemon.log_text())
        self.assertTrue(acknowledged or step not in ("push-after-reply", "acknowledge-after-record"))
        daemon.start()
        is_stored = step != "push-before-commit"
        self.assertEqual(
            [entry["id"] for entry in daemon.call("FetchInbox")["entries"]],
            [push["id"]] if is_stored else [])
        # Whoever heard nothing asks again.
        self.assertEqual(daemon.call("Push", push)["duplicate"], is_stored)
        wait_until(lambda: recorded(out), what=f"delivery after a kill at {step}")
        wait_until(lambda: [row["state"] for row in daemon.history()] == ["delivered"],
                   what=f"one delivered row in the history after {step}")
        self.assertEqual(len({row["id"] for row in recorded(out)}), 1)
        self.assertEqual(len(daemon.call("FetchInbox")["entries"]), 1)
