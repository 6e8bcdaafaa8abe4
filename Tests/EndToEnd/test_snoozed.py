"""D11, D7, N15: what waits as a snooze is listed, answered, moved and cancelled, by a stepped clock."""
import json
import os
import subprocess

from belfry_harness import PATIENCE, Refused, programs, recorded
from stepped import SteppedTest

HOUR = 3600


class Snoozed(SteppedTest):
    def setUp(self):
        super().setUp()
        self.board = self.stepped()

    def belfry(self, *words, status=0):
        """What the command says, and its exit status is this."""
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", self.board.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def rows(self, *words):
        return [json.loads(line) for line in self.belfry(*words, "--json").splitlines()]

    def snoozed(self):
        """What waits: identifier and how often it was snoozed."""
        return sorted((row["identifier"], row["occurrence"].rsplit(".s", 1)[1])
                      for row in self.rows("list") if row["state"] == "snoozed")

    def hourly(self, seconds="1h", name="r"):
        """An hourly alert that was shown once, and snoozed; the id of that occurrence."""
        self.board.schedule(identifier=name, alertBody="Up", repeatInterval="hour",
                            fireDate=self.board.microseconds(10))
        self.board.run(11)
        first = recorded(self.out)[-1]["id"].split("@")[0]
        self.belfry("snooze", name, seconds)
        return first

    def shown(self):
        return [(row["id"].split("@")[0], row["attempt"]) for row in recorded(self.out)]

    def history(self, occurrence):
        return [(row["sink"], row["state"], row["reason"]) for row in self.rows("history")
                if row["occurrence"] == occurrence]

    def test_D11_it_is_dismissed_acted_on_and_moved_and_its_repeat_goes_on(self):
        first = self.hourly("30m")
        self.assertEqual(self.snoozed(), [("r", "1")])
        self.assertEqual(self.belfry("dismiss", "r"), "dismissed r\n")
        self.assertEqual(self.snoozed(), [])
        self.assertEqual(self.history(first + ".s1"), [("", "dismissed", None)])
        # The repeat goes on, and nothing comes of the snooze.
        self.board.run(HOUR)
        self.assertEqual([row[0] for row in self.shown()], [first, first[:-1] + "1"])
        self.belfry("snooze", "r", "30m")
        self.belfry("snooze", "r", "10m")
        moved, = self.board.listed(snoozed=True)
        self.assertEqual(moved["next"], self.board.microseconds(600))
        self.assertEqual(self.snoozed(), [("r", "2")])
        self.board.run(600)
        self.assertEqual(self.shown()[-1], (first[:-1] + "1.s2", "1"))
        self.belfry("snooze", "r", "10m")
        self.assertEqual(self.belfry("act", "r"), "acted on r\n")
        self.assertIn(("", "activated", None), self.history(first[:-1] + "1.s3"))
        self.assertIn('no alert called "r" is shown or snoozed', self.belfry("act", "r", status=1))
        self.assertEqual([row["identifier"] for row in self.rows("list")], ["r"])

    def test_D11_what_is_shown_goes_first_and_an_occurrence_means_itself(self):
        first = self.hourly("90m")
        self.board.run(HOUR)
        self.assertEqual(self.snoozed(), [("r", "1")])
        self.belfry("dismiss", "r")
        self.assertEqual((self.snoozed(), self.rows("list", "--delivered")), ([("r", "1")], []))
        self.belfry("dismiss", "r")
        self.assertEqual(self.snoozed(), [])
        # By the occurrence, under either of its ids.
        for suffix in ("", ".s1"):
            self.board.run(HOUR)
            last = self.shown()[-1][0]
            self.belfry("snooze", "r", "2h")
            self.belfry("dismiss", last + suffix)
            self.assertEqual(self.snoozed(), [])
        said = self.belfry("dismiss", first, status=1)
        self.assertEqual(len(said.splitlines()), 1)
        self.assertEqual(len(self.rows("list")), 1)

    def test_N15_cancel_takes_it_along_or_alone(self):
        first = self.hourly()
        self.assertEqual(self.belfry("cancel", first + ".s1"), "cancelled 1, withdrawn 0\n")
        self.assertEqual([row["state"] for row in self.rows("list")], ["scheduled"])
        self.assertEqual(self.history(first + ".s1"), [("", "withdrawn", None)])
        self.belfry("cancel", first + ".s1", status=1)
        self.board.run(HOUR)
        self.belfry("snooze", "r", "1h")
        self.assertEqual(self.belfry("cancel", "r"), "cancelled 2, withdrawn 0\n")
        self.assertEqual(self.rows("list"), [])
        self.board.run(3 * HOUR)
        self.assertEqual(len(self.shown()), 2)

    def test_D11_a_pushs_snooze_is_answered_too(self):
        self.board.call("Push", {"payload": {"aps": {"alert": "Door"}}, "collapseId": "door"})
        self.board.settle()
        self.belfry("snooze", "door", "1h")
        self.assertEqual(self.snoozed(), [("door", "1")])
        self.belfry("snooze", "door", "2h")
        self.assertEqual(self.snoozed(), [("door", "2")])
        self.belfry("dismiss", "door")
        self.assertEqual(self.snoozed(), [])
        self.board.run(3 * HOUR)
        self.assertEqual(len(self.shown()), 1)

    def test_D11_what_was_done_outlives_a_kill(self):
        self.hourly("30m", "a")
        self.hourly("30m", "b")
        self.hourly("30m", "c")
        self.belfry("dismiss", "a")
        self.belfry("snooze", "b", "10m")
        self.board.kill()
        self.board.start()
        self.assertEqual(self.snoozed(), [("b", "2"), ("c", "1")])
        self.belfry("ack", "c")
        self.board.kill()
        self.board.start()
        self.assertEqual(self.snoozed(), [("b", "2")])
        self.board.run(HOUR / 2)
        self.assertEqual([row for row in self.shown() if ".s" in row[0]],
                         [(self.shown()[1][0] + ".s2", "1")])

    def test_D11_its_app_hears_of_it(self):
        self.hourly()
        with self.board.connect() as app:
            app.send("OpenSession", {"state": "background"}, more=True)
            app.result()
            self.belfry("dismiss", "r")
            event = app.result()["event"]
            self.assertEqual((event["kind"], event["notification"]["identifier"]),
                             ("dismissed", "r"))
            self.assertTrue(event["occurrence"].endswith(".s1"))

    def prepared(self):
        """One of each kind that is due in five minutes: a snooze, a one-shot, and a realert."""
        first = self.hourly("5m")
        self.belfry("schedule", "--id", "once", "--body", "x", "--in", "5m")
        self.belfry("schedule", "--id", "again", "--body", "x", "--now", "--realert", "5m")
        self.board.settle()
        return len(self.shown()), first

    def check_first_attempts(self, before, first):
        self.board.clock.move(600 * 10**9)
        self.board.start()
        self.board.run(5)
        late = self.shown()[before:]
        self.assertEqual(len(late), 3, late)
        self.assertEqual({attempt for _, attempt in late}, {"1"}, late)
        self.assertIn((first + ".s1", "1"), late)
        self.assertEqual({row["attempts"] for row in self.rows("history")}, {1})

    def test_D7_what_falls_due_while_belfryd_is_down_is_a_first_attempt(self):
        before, first = self.prepared()
        self.board.run(60)
        self.board.kill()
        self.check_first_attempts(before, first)

    def test_D7_so_is_what_was_only_prepared_at_an_orderly_end(self):
        before, first = self.prepared()
        self.board.run(299.5)
        self.board.stop()
        self.check_first_attempts(before, first)

    def test_A2_pages_hold_what_waits(self):
        names = [f"n{number}" for number in range(64)]
        with self.board.connect() as connection:
            for name in names:
                connection.call("PresentNow", {
                    "notification": {"identifier": name, "alertBody": "x"}})
            self.board.settle()
            for name in names * 2:
                connection.call("Snooze", {"id": name, "duration": 3_600_000_000})
            page = connection.call("List", {"snoozed": True, "limit": 60})
            rest = connection.call(
                "List", {"snoozed": True, "limit": 60, "cursor": page["cursor"]})
        self.assertEqual((len(page["notifications"]), len(rest["notifications"])), (60, 4))
        self.assertIsNone(rest.get("cursor"))
        with self.assertRaises(Refused):
            self.board.call("Dismiss", {"id": "n64"})
