"""Each typed error of the interface, and the limits that answer with one (A1, A2, A4, N17)."""
import os
import re
import unittest

import varlink

from belfry_harness import (
    INTERFACE, DaemonTest, Refused, as_user, microseconds, wait_until)
from stepped import SteppedTest

SERVICE = "org.varlink.service"


class ErrorTest(DaemonTest):
    """Each error of the interface's description, as the package's client raises it."""

    def raised(self, server, method, *words, **named):
        """The error's name that a call answers with; a connection of its own."""
        client = varlink.Client.new_with_address("unix:" + server.socket)
        return self.raised_by(client, method, *words, **named)

    def raised_by(self, client, method, *words, **named):
        with client, client.open(INTERFACE) as belfry:
            try:
                getattr(belfry, method)(*words, **named)
            except varlink.VarlinkError as error:
                return error.error().removeprefix(INTERFACE + ".")
            return "none"

    def as_nobody(self, server, method, *words):
        """The same from a process of another user."""
        # It connects when it is opened; its own files may lie where others cannot read.
        client = varlink.Client.new_with_address("unix:" + server.socket)
        return as_user(65534, lambda: self.raised_by(client, method, *words))

    @unittest.skipUnless(os.getuid() == 0, "becoming another user needs root")
    def test_A1_A4_each_typed_error(self):
        server = self.daemon("[limits]\nnotifications = 1\nonFull = refuse\n", start=False,
                             test_build=True)
        disk = os.path.join(server.directory, "disk")
        os.chmod(server.directory, 0o755)
        server.start(BELFRY_TEST_VFS=disk)
        note = {"identifier": "a", "alertBody": "x", "fireDate": microseconds(3600)}
        self.assertEqual(self.raised(server, "Schedule", "mine", note), "none")
        seen = {
            self.raised(server, "Schedule", "mine", {"volume": 2.0}),
            self.raised(server, "Schedule", "mine", {**note, "identifier": "b"}),
            self.raised(server, "Next", "mine", "nothing"),
            self.raised(server, "Test", "mine", "trumpet"),
            self.raised(server, "SetState", 7, "background"),
            self.as_nobody(server, "List", "mine"),
            self.as_nobody(server, "TrustClock"),
        }
        with open(disk, "w", encoding="ascii") as file:
            file.write("full")
        seen.add(self.raised(server, "Schedule", "other", note))
        # What is no call at all the client cannot send.
        with server.connect() as raw, self.assertRaises(Refused) as caught:
            raw.send_bytes(b"{\0")
            raw.result()
        seen.add(caught.exception.name)
        with server.connect() as raw:
            text = raw.call(SERVICE + ".GetInterfaceDescription",
                            {"interface": INTERFACE})["description"]
        # Those of tokens are test_push.py's.
        self.assertEqual(seen | {"TokenExpired", "TokenForeign"},
                         set(re.findall(r"^error (\w+)", text, re.MULTILINE)))


class LimitTest(SteppedTest):
    def assertLimit(self, connection, method, parameters, limit, value):
        with self.assertRaises(Refused) as caught:
            connection.call(method, parameters) if method else connection.result()
        self.assertEqual(caught.exception.name, "LimitReached")
        self.assertEqual(caught.exception.parameters, {"limit": limit, "value": value})

    def test_N17_the_policy_refuse(self):
        server = self.daemon("[limits]\nnotifications = 2\nonFull = refuse\n")
        with server.connect() as connection:
            for number in range(2):
                connection.call("Schedule", {"notification": {
                    "identifier": f"{number}", "alertBody": "x", "fireDate": microseconds(3600)}})
            self.assertLimit(
                connection, "Schedule",
                {"notification": {"alertBody": "x", "fireDate": microseconds(3600)}},
                "notifications", 2)
        self.assertEqual(len(server.listed()), 2)

    def test_A2_connections(self):
        server = self.daemon()
        connections = []
        # 128 sessions and 64 more; no more at a time than may wait to be accepted.
        for number in range(200):
            connections.append(server.connect())
            if number % 50 == 0:
                connections[-1].call("Status")
            self.addCleanup(connections[-1].close)
        self.assertLimit(connections[-1], None, None, "connections", 192)
        self.assertIn("status", connections[0].call("Status"))
        for connection in connections[1:]:
            connection.close()

        def is_served():
            try:
                return server.answers()
            except Refused:
                return False

        wait_until(is_served, what="an answer once connections are closed")

    def test_A2_requests_in_a_second(self):
        server = self.stepped("[limits]\nrequestsPerSecond = 20\n")
        with server.connect() as connection:
            for second in range(3):
                server.clock.move(second * 1_000_000_000)
                for _ in range(50):
                    connection.send("Status")
                refused = 0
                for _ in range(50):
                    try:
                        connection.result()
                    except Refused as error:
                        self.assertEqual(
                            error.parameters, {"limit": "requestsPerSecond", "value": 20})
                        refused += 1
                self.assertIn(refused, (30, 31))


if __name__ == "__main__":
    unittest.main()
