"""N1 to N20, D2: what a notification says holds, through the socket of the real daemon."""
import contextlib
import os
import unittest

from belfry_harness import (
    Refused, built_plugin, microseconds, recorded, recorder_section, wait_until)
from stepped import SteppedTest

HOUR = 3_600_000_000


class Notification(SteppedTest):
    def recording(self, extra=""):
        """A daemon with a recorder, silent."""
        server = self.daemon(start=False)
        section, self.out = recorder_section(server.directory, "one")
        server.configure("[sound]\nenabled = no\n" + section + extra)
        return server.start()

    def rows(self, server):
        return {row["notification"]["identifier"]: row for row in server.listed()}

    def refused(self, server, **notification):
        with self.assertRaises(Refused) as caught:
            server.schedule(**notification)
        return caught.exception.parameters["field"]

    def test_N2_without_a_date_or_with_a_past_one_it_comes_at_once(self):
        server = self.recording()
        before = microseconds()
        for identifier, date in (("none", {}), ("past", {"fireDate": microseconds(-3600)}),
                                 ("distant", {"fireDate": -10**15})):
            answer = server.schedule(identifier=identifier, alertBody="x", **date)
            self.assertTrue(answer["scheduled"])
        wait_until(lambda: sorted(self.shown()) == ["distant", "none", "past"])
        wait_until(lambda: len(server.history()) == 3)
        for row in server.history():
            self.assertTrue(before <= row["due"] <= microseconds(), "it is not late")
        # With a repeat now is the anchor; in the distant future is never.
        answer = server.schedule(identifier="hourly", alertBody="x", repeatInterval="hour")
        wait_until(lambda: "hourly" in self.shown())
        self.assertEqual(
            wait_until(lambda: self.rows(server).get("hourly"))["next"] - answer["next"], HOUR)
        server.schedule(identifier="never", alertBody="x", fireDate=microseconds(86_400 * 80_000))
        self.assertEqual(self.rows(server)["never"]["state"], "scheduled")
        for beyond in (10**16, -10**16, 2**63 - 1):
            self.assertEqual(self.refused(server, alertBody="x", fireDate=beyond), "fireDate")

    def test_N5_a_repeat_that_began_in_the_past_starts_with_its_next(self):
        server = self.recording()
        anchor = microseconds(-1.5 * 3600)
        answer = server.schedule(
            identifier="a", alertBody="x", fireDate=anchor, repeatInterval="hour")
        self.assertEqual(answer["next"], anchor + 2 * HOUR)
        server.call("PresentNow", {"notification": {"identifier": "b", "alertBody": "x"}})
        wait_until(lambda: self.shown() == ["b"])

    def test_N9_without_an_action_there_is_no_button(self):
        server = self.daemon("[sound]\nenabled = no\n[plugin:console]\nfile = console\n")
        for identifier, fields in (("with", {}), ("named", {"alertAction": "Look"}),
                                   ("without", {"hasAction": False, "alertAction": "Never"})):
            server.schedule(identifier=identifier, alertBody=identifier, **fields)
        wait_until(lambda: sum(row["state"] == "delivered" for row in server.history()) == 3)
        for text in ("[View]", "[Look]", "without"):
            server.says(text)
        self.assertNotIn("Never", server.whole_log())

    def test_N10_a_category_that_nobody_registered_has_no_buttons_and_is_no_error(self):
        server = self.daemon(start=False)
        self.out = f"{server.directory}/presser.recorded"
        server.configure(
            "[sound]\nenabled = no\n[plugin:presser]\n"
            f"file = {built_plugin(server.directory, 'presser')}\nout = {self.out}\n"
            "press = nothing\n")
        server.start()
        server.call("RegisterSettings", {
            "settings": {"alert": True, "badge": True, "sound": True},
            "categories": [{"identifier": "known", "actions": [
                {"identifier": "yes", "title": "Yes"}]}]})
        for category in ("known", "unknown"):
            server.schedule(identifier=category, alertBody="x", category=category)
            wait_until(lambda: any(
                row["notification"]["identifier"] == category
                for row in server.listed(delivered=True)), what=category)
        shown = recorded(self.out, ("show",))
        self.assertTrue(shown[0]["actions"].startswith("yes/"), shown)
        self.assertFalse(shown[1].get("actions"), shown)
        with self.assertRaises(Refused) as caught:
            server.call("Act", {"id": "unknown", "action": "yes"})
        self.assertEqual(caught.exception.parameters["field"], "action")
        server.call("Act", {"id": "known", "action": "yes"})

    def test_N13_N16_what_was_scheduled_is_a_copy_and_comes_back_as_it_was(self):
        server = self.recording()
        draft = {"identifier": "a", "alertBody": "first", "fireDate": microseconds(3600),
                 "userInfo": {"list": [1]}}
        server.schedule(**draft)
        before = server.listed()
        self.assertEqual({**before[0]["notification"], **draft}, before[0]["notification"])
        draft["alertBody"] = "second"
        draft["userInfo"]["list"].append(2)
        self.assertEqual(server.listed(), before)
        # Replacing the list by what it says changes nothing.
        answer = server.call("ReplaceAll", {
            "notifications": [row["notification"] for row in before], "final": True})
        self.assertEqual((answer["unchanged"], answer["replaced"], answer["cancelled"]), (1, 0, 0))

    def test_N14_present_now_ignores_the_date_and_is_never_scheduled(self):
        server = self.recording()
        with server.connect() as connection:
            connection.send("PresentNow", {"notification": {
                "identifier": "now", "alertBody": "x", "fireDate": microseconds(3600),
                "repeatInterval": "day"}})
            connection.send("List", {})
            self.assertIn("occurrence", connection.result())
            self.assertEqual(connection.result()["notifications"], [])
        wait_until(lambda: self.shown() == ["now"])
        self.assertEqual(server.listed(), [])
        server.call("PresentNow", {"notification": {"identifier": "next", "alertBody": "x"}})
        wait_until(lambda: len(self.shown()) > 1)
        self.assertEqual(self.shown(), ["now", "next"])

    def test_N1_N15_N17_what_leaves_the_list_can_be_found_afterwards(self):
        server = self.recording()
        with server.connect() as connection:
            events = connection.stream("Watch", {})
            self.assertEqual(next(events), {})

            def schedule(name, seconds=100, **more):
                return server.call("Schedule", {"notification": {
                    "identifier": name, "alertBody": f"body of {name} {seconds}",
                    "fireDate": microseconds(seconds)}, **more})

            schedule("changes", 100)
            schedule("changes", 200)
            schedule("goes")
            server.call("Cancel", {"identifiers": ["goes"]})
            for number in range(65):
                answer = schedule(f"n{number}", 1000 - number, app="kiosk", onFull="discard")
            self.assertEqual(answer["discarded"], ["n0"])
            # The rows are in the transaction that was answered.
            server.kill()
            told = set()
            with contextlib.suppress(ConnectionError):
                for event in events:
                    told.add((event["event"]["kind"], event["event"]["identifier"]))
        wanted = {("replaced", "changes"), ("cancelled", "goes"), ("discarded", "n0")}
        self.assertEqual(told & wanted, wanted)
        server.start()
        rows = {(row["state"], row["identifier"]): row["text"] for row in server.history()}
        self.assertEqual(rows, {
            ("replaced", "changes"): "body of changes 100",
            ("cancelled", "goes"): "body of goes 100", ("discarded", "n0"): "body of n0 1000"})

    def test_A1_one_programs_alarms_are_not_anothers(self):
        server = self.recording()
        me = f"user.{os.getuid()}"

        def schedule(app, name):
            return server.call("Schedule", {"app": app, "notification": {
                "identifier": name, "alertBody": "x", "fireDate": microseconds(100)}})

        # As a program did before it had an app of its own, and does since.
        schedule(me, "wake")
        schedule(me, "other")
        schedule(me + ".SchoolBell", "lesson")
        schedule(me + ".AlarmClock", "wake")
        server.kill()
        server.start()
        listed = {(row["app"], row["notification"]["identifier"]) for row in server.listed()}
        self.assertEqual(listed, {
            (me, "other"), (me + ".SchoolBell", "lesson"), (me + ".AlarmClock", "wake")})
        self.assertEqual(
            server.call("CancelAll", {"app": me + ".SchoolBell"})["cancelled"], 1)
        self.assertEqual(len(server.listed()), 2)

    def test_N15_cancelling_by_value_takes_every_equal_one(self):
        server = self.recording()
        due = microseconds(3600)
        for identifier, body in (("a", "same"), ("b", "same"), ("c", "other")):
            server.schedule(identifier=identifier, alertBody=body, fireDate=due, category="k")
        for unequal in ({"alertBody": "same", "fireDate": due},
                        {"alertBody": "same", "fireDate": due + 1, "category": "k"}):
            self.assertEqual(server.call("Cancel", {"equal": unequal})["cancelled"], 0)
        self.assertEqual(server.call("Cancel", {"equal": {
            "identifier": "whatever", "alertBody": "same", "fireDate": due, "category": "k"}}),
            {"cancelled": 2, "withdrawn": 0})
        self.assertEqual(list(self.rows(server)), ["c"])

    def test_N19_what_is_beyond_is_kept_and_expires_holds(self):
        server = self.stepped("[plugin:gone]\nfile = /nowhere/gone.so\n")
        beyond = {"threadIdentifier": "t", "interruptionLevel": "critical", "volume": 0.25,
                  "expires": server.clock.microseconds(7200)}
        server.schedule(identifier="a", alertBody="x",
                        fireDate=server.clock.microseconds(3600), **beyond)
        found = self.rows(server)["a"]["notification"]
        self.assertEqual({name: found[name] for name in beyond}, beyond)
        # One sink is down: there it waits no longer than that.
        server.schedule(identifier="b", alertBody="x", expires=server.clock.microseconds(4))

        def states():
            server.settle()
            return {row["sink"]: row["state"] for row in server.history()}

        self.assertEqual(states(), {"witness": "delivered"})
        server.run(3.999999)
        self.assertEqual(states(), {"witness": "delivered"})
        server.run(0.000001)
        self.assertEqual(states(), {"witness": "delivered", "gone": "expired"})
        for wrong in ({"volume": 1.5}, {"volume": -0.1}, {"interruptionLevel": "loud"},
                      {"threadIdentifier": ""}):
            [name] = wrong
            self.assertEqual(self.refused(
                server, identifier="c", alertBody="x", fireDate=server.clock.microseconds(60),
                **wrong), name)

    def test_N20_D2_states_until_the_hand_over(self):
        server = self.stepped()
        due = server.clock.microseconds(120)
        # Whoever asked is gone long before it is due (D2).
        for identifier, later in (("far", 3_600_000_000), ("near", 0), ("not", 0)):
            server.schedule(identifier=identifier, alertBody="x", fireDate=due + later)
        self.assertEqual({row["state"] for row in self.rows(server).values()}, {"scheduled"})
        server.run(119.9)
        self.assertEqual({name: row["state"] for name, row in self.rows(server).items()},
                         {"far": "scheduled", "near": "prepared", "not": "prepared"})
        # Prepared is not fired: it can still be replaced and cancelled.
        later = due + 1_000_000
        answer = server.schedule(identifier="near", alertBody="y", fireDate=later)
        self.assertTrue(answer["replaced"])
        self.assertEqual(server.call("Cancel", {"identifiers": ["not"]})["cancelled"], 1)
        server.run(1.099999)
        self.assertEqual(self.shown(), [])
        # It leaves the list when it is handed over, before anybody acknowledges it.
        [worker] = server.children()
        with open(f"/proc/{worker}/status", encoding="ascii") as file:
            self.assertIn("belfry-worker", file.read())
        server.run(0.000001)
        self.assertEqual(list(self.rows(server)), ["far"])
        self.assertEqual(self.shown(), ["near"])
        [row] = recorded(self.out)
        self.assertEqual(int(row["due"]) // 1000, later)


if __name__ == "__main__":
    unittest.main()
