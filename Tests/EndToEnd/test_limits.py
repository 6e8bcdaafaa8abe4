"""Every limit by its number and its typed error, and nobody else the worse for it (A2, N17, D9)."""
import json
import unittest

from belfry_harness import INTERFACE, DaemonTest, Refused, microseconds, wait_until
from test_command import run


class LimitTest(DaemonTest):

    def schedule(self, server, app, identifier, seconds, **fields):
        return server.call("Schedule", {"app": app, "notification": {
            "identifier": identifier, "alertBody": "x", "fireDate": microseconds(seconds),
            **fields}})

    def identifiers(self, server, app):
        return [row["notification"]["identifier"] for row in server.listed(app=app)]

    def assertLimit(self, limit, value, call, *words):
        with self.assertRaises(Refused) as caught:
            call(*words)
        self.assertEqual(caught.exception.name, "LimitReached")
        self.assertEqual(caught.exception.parameters, {"limit": limit, "value": value})

    def events(self, server):
        """A watch that stands; a function that gives the next events of a kind."""
        connection = server.connect()
        self.addCleanup(connection.close)
        stream = connection.stream("Watch", {})
        self.assertEqual(next(stream), {})
        return lambda kind, count: [
            next(event["event"] for event in stream if event["event"]["kind"] == kind)
            for _ in range(count)]

    def test_N17_one_more_than_512_is_refused_and_no_alarm_goes_for_it(self):
        server = self.daemon()
        for number in range(512):
            self.schedule(server, "bell", f"n{number}", 1000 + number)
        self.assertLimit("notifications", 512, self.schedule, server, "bell", "sooner", 500)
        self.assertEqual(len(self.identifiers(server, "bell")), 512)
        # Who asks for it has the limit of iOS.
        for number in range(65):
            answer = server.call("Schedule", {"app": "phone", "onFull": "discard", "notification": {
                "identifier": f"{number}", "alertBody": "x", "fireDate": microseconds(1000 - number)}})
        self.assertEqual(answer["discarded"], ["0"])
        self.assertEqual(len(self.identifiers(server, "phone")), 64)
        status, _, err = run("schedule", "--app", "bell", "--body", "x", "--in", "1h",
                             socket=server.socket)
        self.assertEqual((status, err), (
            1, "belfry: the app has 512 notifications, as many as it may have "
               "([limits] notifications)\n"))

    def test_N17_the_soonest_64_stay_and_who_went_is_told(self):
        server = self.daemon("[limits]\nonFull = discard\n")
        told = self.events(server)
        for number in range(64):
            answer = self.schedule(server, "bell", f"n{number:02}", 1000 + number)
            self.assertEqual((answer["scheduled"], answer["discarded"]), (True, []))
        # A sooner one sends the latest away, a later one is not taken.
        answer = self.schedule(server, "bell", "sooner", 500)
        self.assertEqual((answer["scheduled"], answer["discarded"]), (True, ["n63"]))
        answer = self.schedule(server, "bell", "later", 5000)
        self.assertEqual((answer["scheduled"], answer["discarded"]), (False, []))
        self.assertNotIn("next", answer)
        # A repeat counts once, by its next occurrence; a replacement is no addition.
        answer = self.schedule(server, "bell", "daily", 700, repeatInterval="day")
        self.assertEqual(answer["discarded"], ["n62"])
        self.assertTrue(self.schedule(server, "bell", "daily", 90_000)["replaced"])
        went = told("discarded", 3)
        self.assertEqual([event["identifier"] for event in went], ["n63", "later", "n62"])
        for event in went:
            self.assertEqual((event["app"], event["reason"]), ("bell", "limit"))
            self.assertIn("due", event)
        self.assertEqual(set(self.identifiers(server, "bell")),
                         {f"n{number:02}" for number in range(62)} | {"sooner", "daily"})
        # What another app has is its own.
        self.schedule(server, "other", "far", 99_999)
        self.assertEqual(self.identifiers(server, "other"), ["far"])
        server.kill()
        server.start()
        self.assertEqual(len(self.identifiers(server, "bell")), 64)

    def test_N17_A2_another_number_and_the_policy_refuse_for_one_app(self):
        server = self.daemon(
            "[limits]\nnotifications = 3\n[app:strict]\nnotifications = 2\nonFull = refuse\n"
            "[app:loose]\nonFull = discard\n")
        for number in range(3):
            self.schedule(server, "loose", f"{number}", 1000 + number)
        self.assertEqual(self.schedule(server, "loose", "x", 500)["discarded"], ["2"])
        for number in range(2):
            self.schedule(server, "strict", f"{number}", 1000 + number)
        before = server.listed(app="strict")
        self.assertLimit("notifications", 2, self.schedule, server, "strict", "x", 500)
        lists = {"app": "strict", "final": True, "notifications": [
            {"identifier": f"l{number}", "alertBody": "x", "fireDate": microseconds(600)} for number in range(3)]}
        self.assertLimit("notifications", 2, server.call, "ReplaceAll", lists)
        self.assertEqual(server.listed(app="strict"), before)
        # What is replaced, or due at once, is no addition.
        self.assertTrue(self.schedule(server, "strict", "1", 500)["replaced"])
        self.assertTrue(server.call(
            "PresentNow", {"app": "strict", "notification": {"alertBody": "x"}})["occurrence"])

    def test_N17_N16_a_list_that_is_too_long_keeps_the_soonest(self):
        server = self.daemon("[limits]\nnotifications = 3\nonFull = discard\n")
        told = self.events(server)
        self.schedule(server, "bell", "old", 3600)
        answer = server.call("ReplaceAll", {"app": "bell", "final": True, "notifications": [
            {"identifier": f"n{number}", "alertBody": "x", "fireDate": microseconds(1000 - number)}
            for number in range(5)]})
        self.assertEqual(sorted(answer["discarded"]), ["n0", "n1"])
        self.assertEqual(answer["cancelled"], 1)
        went = told("discarded", 2)
        self.assertEqual(sorted(event["identifier"] for event in went), ["n0", "n1"])
        for event in went:
            self.assertIn("due", event)
        self.assertEqual(sorted(self.identifiers(server, "bell")), ["n2", "n3", "n4"])

    def test_A2_a_message_of_more_than_1_MiB(self):
        server = self.daemon()
        with server.connect() as connection:
            for text, field in [("x" * (1 << 20), "alertBody"), ("x" * (8 << 20), "alertBody")]:
                connection.send("Schedule", {"notification": {"alertBody": text}})
                with self.assertRaises(Refused) as caught:
                    connection.result()
                self.assertEqual(caught.exception.name, "InvalidField")
                self.assertEqual(caught.exception.parameters["field"], field)
                self.assertEqual(caught.exception.parameters["code"], "tooLong")
            connection.send_bytes(b"x" * (2 << 20) + b"\0")
            with self.assertRaises(Refused) as caught:
                connection.result()
            self.assertEqual(caught.exception.name, "MalformedMessage")
            # The connection goes on, and a message just below the limit is read.
            answer = connection.call("Schedule", {"notification": {
                "alertBody": "x", "fireDate": microseconds(3600)}})
            self.assertTrue(answer["scheduled"])
            call = json.dumps({"method": f"{INTERFACE}.Status"}).encode()
            connection.send_bytes(call + b" " * ((1 << 20) - len(call)) + b"\0")
            self.assertIn("status", connection.result())
        self.assertEqual(len(server.listed()), 1)

    def test_A2_N16_a_list_in_parts(self):
        server = self.daemon("[limits]\nnotifications = 20000\n")
        self.schedule(server, "bell", "kept", 3600)
        part = [{"alertBody": "x", "fireDate": microseconds(3600)}] * 5000

        def replace(connection, notifications, final=False):
            return connection.call("ReplaceAll", {
                "app": "bell", "notifications": notifications, "final": final})

        with server.connect() as connection:
            self.assertEqual(replace(connection, part)["received"], 5000)
            self.assertEqual(replace(connection, part)["received"], 10_000)
            self.assertLimit("replaceAll", 10_000, replace, connection, part[:1], True)
        # userInfo of the largest size: over 16 MiB before there are 10,000.
        part = [{"userInfo": {"k": "x" * 65_000}}] * 15
        with server.connect() as connection:
            with self.assertRaises(Refused) as caught:
                for _ in range(30):
                    replace(connection, part)
            self.assertEqual(caught.exception.parameters,
                             {"limit": "replaceAllBytes", "value": 16 << 20})
        self.assertEqual(self.identifiers(server, "bell"), ["kept"])

    def test_A2_D9_the_history_has_as_many_rows_as_it_may(self):
        server = self.daemon("[limits]\nhistory = 8\nnotifications = 100\n")
        for number in range(30):
            server.call("PresentNow", {"notification": {
                "identifier": f"{number}", "alertBody": "x"}})
        rows = wait_until(
            lambda: [row for row in [server.history()] if row and row[-1]["identifier"] == "29"],
            what="the newest row")[0]
        self.assertLessEqual(len(rows), 8)
        self.assertEqual([row["identifier"] for row in rows],
                         [f"{number}" for number in range(30 - len(rows), 30)])

    def anonymous(self, server):
        """KiB of memory that is the daemon's own."""
        with open(f"/proc/{server.process.pid}/smaps_rollup", encoding="ascii") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("Anonymous:"))

    def flood(self, server, connections=20, each=20):
        """Connections that have each scheduled so many notifications of 60 KB."""
        connections = [server.connect() for _ in range(connections)]
        info = {"k": "x" * 50_000}
        for number, connection in enumerate(connections):
            self.addCleanup(connection.close)
            for count in range(each):
                connection.send("Schedule", {"app": f"flood{number}", "notification": {
                    "identifier": f"{count}", "alertBody": "x", "fireDate": microseconds(3600 + count),
                    "alertBody": "y" * 10_000, "userInfo": info}})
        for connection in connections:
            for _ in range(each):
                self.assertTrue(connection.result()["scheduled"])
        return connections

    def assert_given_back(self, server, before, most=3000):
        # All connections still stand: the last reply is the end of it.
        wait_until(lambda: self.anonymous(server) < before + most,
                   what=f"less than {most} KiB more than {before} KiB")

    def test_A2_what_a_flood_took_is_given_back_when_it_is_over(self):
        server = self.daemon()
        before = self.anonymous(server)
        for connection in self.flood(server):
            connection.send("List", {"limit": 4})
            # Less than the 256 KiB at which a page ends.
            self.assertEqual(len(connection.result()["notifications"]), 4)
        self.assert_given_back(server, before)

    def test_A2_what_the_end_of_a_flood_took_is_given_back_too(self):
        server = self.daemon()
        before = self.anonymous(server)
        self.flood(server, connections=1)
        self.assert_given_back(server, before, 1500)
        # Less than the first, and nothing comes after it.
        self.flood(server, connections=15, each=1)
        self.assert_given_back(server, before, 1500)

    def test_A2_what_waits_for_slow_readers_is_given_back_when_they_have_read(self):
        server = self.daemon()
        before = self.anonymous(server)
        connections = self.flood(server)
        for connection in connections:
            connection.send("List", {"limit": 4})
        for connection in connections:
            # More than a socket holds: the rest waits in the daemon.
            wait_until(lambda: connection.waiting() > 100_000, what="a reply that is not read")
        for connection in connections:
            self.assertEqual(len(connection.result()["notifications"]), 4)
        self.assert_given_back(server, before)

    def test_A2_one_apps_flood_delays_nobody_else(self):
        server = self.daemon("[limits]\nnotifications = 2\n[app:flood]\nonFull = refuse\n")
        told = self.events(server)
        self.schedule(server, "bell", "on time", 1.5, alertBody="x")
        with server.connect() as connection:
            for number in range(3000):
                connection.send("Schedule", {"app": "flood", "notification": {
                    "identifier": f"{number}", "alertBody": "x", "fireDate": microseconds(3600)}})
                if number % 100 == 99:
                    for _ in range(100):
                        try:
                            connection.result()
                        except Refused as error:
                            self.assertEqual(error.name, "LimitReached")
        self.assertEqual(self.identifiers(server, "flood"), ["0", "1"])
        event = told("failed", 1)[0]
        self.assertEqual((event["identifier"], event["reason"]), ("on time", "no-sink"))
        # How late is T10's, which is held in virtual time.
        late = (event["at"] - event["due"]) / 1e3
        print(f"lateness: beside one app's flood p50 {late:.2f} ms max {late:.2f} ms")
        self.assertGreaterEqual(late, 0)


if __name__ == "__main__":
    unittest.main()
