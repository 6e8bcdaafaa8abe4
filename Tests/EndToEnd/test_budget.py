"""A2: what one user asks of the clock is bounded in steps, sliced, and charged to that user.

Alice attacks with legal calls while Bob, another uid, has one alarm. Before the clock bounded her work,
these made his alarm 17.7 s, minutes and 105 s late. How late it is now is printed; that her work
goes on in slices, and how long these are, is held in virtual time by EngineSliceTests.
"""
import json
import os
import signal
import unittest

from belfry_harness import (
    INTERFACE, DaemonTest, Refused, microseconds, recorder_section, wait_until)
from test_apps import ALICE, BOB, acting_as

PLACES = ",".join(str(number) for number in [*range(-366, 0), *range(1, 367)])
SIXTY = ",".join(str(number) for number in range(60))
# 3.5 kB; and the one beside which nobody got an answer for four minutes.
COSTLY = f"FREQ=HOURLY;BYMINUTE={SIXTY};BYSETPOS={PLACES};COUNT=1000000"
COSTLIEST = f"FREQ=HOURLY;BYMINUTE={SIXTY};BYSECOND={SIXTY};BYSETPOS={PLACES};COUNT=1000000"
LIMITS = "[sound]\nenabled = no\n[limits]\nnotifications = 20000\nrequestsPerSecond = 100000\n"
# On each of 60 connections: her share of the clock's time lets all be answered before those that are
# not read yet are given up.
DRAFTS = 10
ENDLESS = "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=9;BYMINUTE=0;BYSECOND=0"


@unittest.skipUnless(os.getuid() == 0, "becoming other users needs root")
class Budget(DaemonTest):

    def setUp(self):
        self.server = self.daemon(start=False)
        section, _ = recorder_section(self.server.directory, "recorder")
        self.server.configure(LIMITS + section)
        os.chmod(self.server.directory, 0o755)
        self.server.start()
        self.alice = self.connection(ALICE)
        self.bob = self.connection(BOB)

    def connection(self, uid):
        with acting_as(uid):
            connection = self.server.connect()
        self.addCleanup(connection.close)
        return connection

    def rule(self, identifier, rrule):
        return {"identifier": identifier, "alertBody": "x", "rrule": rrule,
                "fireDate": microseconds(3600)}

    def alarm(self, seconds=1.0):
        """Bob's alarm; a function that waits for it, prints how late it was, and sees that it was
        not early."""
        due = microseconds(seconds)
        self.bob.call("Schedule", {"notification": {
            "identifier": "bob", "alertBody": "bob", "fireDate": due,
            "interruptionLevel": "critical"}})

        def comes():
            wait_until(lambda: self.history_of_bob(), what="Bob's alarm")
            row = self.history_of_bob()[0]
            self.assertEqual(row["due"], due)
            late = (row["handedOver"] - due) / 1e3
            print(f"lateness: {self.id().rpartition('.')[2]} p50 {late:.2f} ms max {late:.2f} ms")
            self.assertGreaterEqual(late, 0)
        return comes

    def history_of_bob(self):
        with self.server.connect() as root:
            rows = [row for page in root.stream("History", {"app": f"user.{BOB}"})
                    for row in page.get("deliveries", [])]
        return [row for row in rows if "handedOver" in row]

    def test_A2_a_count_that_took_minutes_delays_nobody(self):
        comes = self.alarm()
        for number in range(8):
            self.alice.send("Schedule", {"notification": self.rule(f"a{number}", COSTLY)})
            self.alice.send("Schedule", {"notification": self.rule(f"b{number}", COSTLIEST)})
        comes()
        # None of them costs so much any more that it had to be refused.
        for _ in range(16):
            self.assertTrue(self.alice.result()["scheduled"])

    def test_A2_a_rule_over_the_budget_is_refused_and_the_sentence_says_so(self):
        with self.assertRaises(Refused) as caught:
            self.alice.call("Schedule", {"notification": self.rule("a", ENDLESS)})
        self.assertEqual(caught.exception.name, "InvalidField")
        self.assertRegex(caught.exception.parameters["field"], r"\brrule$")
        self.assertIn("4096 steps", caught.exception.parameters["reason"])
        # Neither a large COUNT nor a large INTERVAL is too much by itself.
        for rrule in ("FREQ=SECONDLY;COUNT=1000000", "FREQ=SECONDLY;INTERVAL=86399"):
            answer = self.alice.call("Schedule", {"notification": self.rule(rrule, rrule)})
            self.assertTrue(answer["scheduled"])

    def replace(self, rules, final=True):
        """Sends a list in parts below 1 MiB; how many calls these were."""
        calls, part, size = 0, [], 0
        for index, rule in enumerate(rules):
            row = self.rule(f"r{index}", rule)
            part.append(row)
            size += len(json.dumps(row))
            last = index == len(rules) - 1
            if size > 500_000 or last:
                self.alice.send("ReplaceAll", {
                    "app": "mine", "notifications": part, "final": last and final})
                calls, part, size = calls + 1, [], 0
        return calls

    def test_A2_N16_a_list_of_9900_rules_delays_nobody(self):
        self.alice.call("Schedule", {"app": "mine", "notification": {
            "identifier": "old", "alertBody": "old", "fireDate": microseconds(3600)}})
        comes = self.alarm(2)
        rules = [f"FREQ=DAILY;COUNT=365;BYHOUR={number % 24}" for number in range(9880)]
        rules += [COSTLIEST] * 10
        rules += [f"FREQ=SECONDLY;INTERVAL={number + 61};BYHOUR=9;COUNT=1000000"
                  for number in range(10)]
        calls = self.replace(rules)
        # Bob is answered meanwhile.
        self.assertIn("status", self.bob.call("Status"))
        comes()
        for _ in range(calls - 1):
            self.alice.result()
        done = self.alice.result()
        self.assertEqual((done["added"], done["cancelled"]), (9900, 1))
        # So is taking them all away.
        self.alice.send("CancelAll", {"app": "mine"})
        self.assertIn("status", self.bob.call("Status"))
        self.assertEqual(self.alice.result()["cancelled"], 9900)

    def test_A2_N16_a_client_that_goes_away_or_a_kill_in_the_middle_leaves_the_old_list(self):
        for number, end in enumerate(["close", "kill"]):
            app = f"mine{number}"
            self.alice.call("Schedule", {"app": app, "notification": {
                "identifier": "old", "alertBody": "old", "fireDate": microseconds(3600)}})
        rules = ["FREQ=DAILY"] * 3000
        self.replace(rules, final=False)
        self.alice.close()
        self.assertIn("status", self.bob.call("Status"))
        with self.server.connect() as root:
            self.assertEqual([row["notification"]["identifier"] for page in root.stream(
                "List", {"app": "mine0"}) for row in page["notifications"]], ["old"])
        self.alice = self.connection(ALICE)
        self.replace(rules)
        self.server.kill()
        self.server.start()
        left = [row["notification"]["identifier"] for row in self.server.listed(app="mine1")]
        self.assertEqual(left, ["old"])
        # All of the list or nothing.
        self.assertIn(len(self.server.listed(app="mine")), (0, 3000))

    def test_A2_drafts_that_waited_for_the_boards_zone_delay_nobody(self):
        comes = self.alarm()
        draft = {"alertBody": "x", "fireDate": microseconds(60), "timeZone": "Europe/Berlin",
                 "rrule": "FREQ=MINUTELY;INTERVAL=1441;BYHOUR=1"}
        word = json.dumps({"method": f"{INTERFACE}.Next", "parameters": {
            "notification": draft, "count": 1000}}).encode() + b"\0"
        connections = [self.connection(ALICE) for _ in range(60)]
        root = self.server.connect()
        self.addCleanup(root.close)
        # Taken in, as hers are: what is still to be accepted comes after what has been.
        root.call("Status")
        # All of it lies there before the clock begins: what comes first is up to the clock alone.
        os.kill(self.server.process.pid, signal.SIGSTOP)
        for number, connection in enumerate(connections):
            connection.send_bytes(word * DRAFTS)
            connection.send("Schedule", {"notification": {
                "identifier": f"behind{number}", "alertBody": "x", "fireDate": microseconds(3600)}})
        root.send("List", {"app": f"user.{ALICE}"})
        os.kill(self.server.process.pid, signal.SIGCONT)
        # Root, who came last, is answered before what stands behind her drafts.
        behind = [row["notification"]["identifier"] for row in root.result()["notifications"]]
        self.assertEqual(behind, [])
        comes()
        for connection in connections:
            for _ in range(DRAFTS):
                self.assertEqual(len(connection.result()["instants"]), 1000)
            self.assertTrue(connection.result()["scheduled"])

    def test_A2_calls_of_a_user_over_the_share_wait_and_all_are_answered_in_order(self):
        comes = self.alarm()
        words = [{"method": f"{INTERFACE}.Next", "parameters": {
            "notification": self.rule("x", "FREQ=MINUTELY;BYMINUTE=1"), "count": 1000}}] * 100
        self.alice.send_bytes(b"".join(json.dumps(word).encode() + b"\0" for word in words))
        self.assertIn("status", self.bob.call("Status"))
        comes()
        for _ in words:
            self.assertEqual(len(self.alice.result()["instants"]), 1000)


if __name__ == "__main__":
    unittest.main()
