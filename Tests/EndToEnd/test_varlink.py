"""The PyPI varlink client, unmodified, against the lean belfryd: introspection, every method, more
with early close, oneway, each typed error, and what a stream of bytes can do to a server."""
import json
import threading
import unittest

import varlink

from belfry_harness import (
    INTERFACE, DaemonTest, Refused, microseconds, wait_until)

SERVICE = "org.varlink.service"


class ClientTest(DaemonTest):
    """Through the package's own client."""

    def setUp(self):
        self.server = self.daemon()
        self.client = varlink.Client.new_with_address("unix:" + self.server.socket)
        self.addCleanup(self.client.cleanup)

    def open(self, interface=INTERFACE):
        connection = self.client.open(interface)
        # What never comes fails a test, and does not hang the run; the client has no word for it.
        connection._connection.settimeout(60)
        self.addCleanup(connection.close)
        return connection

    def assertVarlinkError(self, error, call, **parameters):
        with self.assertRaises(varlink.VarlinkError) as caught:
            call()
        self.assertEqual(caught.exception.error(), error)
        for key, value in parameters.items():
            self.assertEqual(caught.exception.parameters()[key], value)

    def test_introspection(self):
        with self.open(SERVICE) as service:
            info = service.GetInfo()
            self.assertEqual(info["interfaces"], [SERVICE, INTERFACE])
            self.assertEqual(info["product"], "belfryd")
            for name in info["interfaces"]:
                text = service.GetInterfaceDescription(name)["description"]
                interface = varlink.Interface(text)
                self.assertEqual(interface.name, name)
            self.assertVarlinkError(
                SERVICE + ".InterfaceNotFound",
                lambda: service.GetInterfaceDescription("io.belfry.None"),
                interface="io.belfry.None")

    def test_every_method(self):
        belfry = self.open()
        due = microseconds(3600)
        note = {"identifier": "tea", "fireDate": due, "alertBody": "The kettle",
                "repeatInterval": "hour", "userInfo": {"rooms": [1, 2.5, True, "é"]},
                "volume": 0.5, "late": "30"}
        reply = belfry.Schedule("kitchen", note)
        self.assertEqual(reply["identifier"], "tea")
        self.assertTrue(reply["scheduled"])
        self.assertEqual(reply["next"], due)
        self.assertTrue(belfry.Schedule("kitchen", note)["unchanged"])

        page = belfry.List("kitchen")
        self.assertEqual([row["notification"] for row in page["notifications"]], [note])
        self.assertEqual(page["notifications"][0]["state"], "scheduled")
        self.assertNotIn("cursor", page)

        times = belfry.Next(app="kitchen", identifier="tea", count=3)["instants"]
        self.assertEqual(times, [due + n * 3_600_000_000 for n in range(3)])
        draft = {"fireDate": due, "repeatInterval": "day"}
        times = belfry.Next(notification=draft, count=2)["instants"]
        self.assertEqual(times, [due, due + 86_400_000_000])

        reply = belfry.ReplaceAll("kitchen", [note, {**note, "identifier": "milk"}], True)
        self.assertEqual(
            (reply["received"], reply["added"], reply["unchanged"], reply["cancelled"]),
            (2, 1, 1, 0))
        equal = {key: note[key] for key in note if key != "identifier"}
        self.assertEqual(belfry.Cancel(app="kitchen", equal=equal)["cancelled"], 2)
        belfry.Schedule("kitchen", note)
        self.assertEqual(belfry.Cancel("kitchen", ["tea", "none"])["cancelled"], 1)
        belfry.Schedule("kitchen", note)
        self.assertEqual(belfry.CancelAll("kitchen"), {"cancelled": 1, "withdrawn": 0})

        place = {"identifier": "depot", "alertBody": "Back", "regionTriggersOnce": False,
                 "region": {"latitude": 52.52, "longitude": 13.405, "radius": 200.0,
                            "notifyOnExit": False}}
        self.assertTrue(belfry.Schedule("kitchen", place)["scheduled"])
        self.assertEqual(belfry.List("kitchen")["notifications"][0]["notification"], place)
        self.assertEqual(belfry.Fix(53.0, 13.0)["crossings"], 0)
        self.assertEqual(belfry.Fix(latitude=52.52, longitude=13.405, accuracy=10.0),
                         {"crossings": 1})
        self.assertEqual(belfry.CancelAll("kitchen")["cancelled"], 1)

        self.assertTrue(belfry.PresentNow("kitchen", {"alertBody": "now"})["identifier"])
        self.assertEqual(belfry.List("kitchen")["notifications"], [])
        self.assertIn("deliveries", belfry.History())
        self.assertIsInstance(belfry.Status()["status"], dict)
        self.assertEqual(belfry.StopSound()["stopped"], 0)
        self.assertIsInstance(belfry.Test()["sinks"], list)
        self.assertEqual(belfry.TrustClock()["released"], 0)

    def test_more_and_early_close(self):
        belfry = self.open()
        for number in range(40):
            belfry.Schedule("many", {
                "identifier": f"n{number:02}", "alertBody": "x",
                "fireDate": microseconds(3600 + number)})
        rows = [row for reply in belfry.List("many", _more=True)
                for row in reply["notifications"]]
        self.assertEqual(
            sorted(row["notification"]["identifier"] for row in rows),
            [f"n{number:02}" for number in range(40)])
        self.assertEqual(len(belfry.List("many")["notifications"]), 40)

        early = self.open()
        replies = early.List("many", _more=True)
        self.assertEqual(len(next(replies)["notifications"]), 1)
        early.close()
        self.assertEqual(len(belfry.List(app="many", limit=7)["notifications"]), 7)

    def test_watch(self):
        watch = self.open()
        events = watch.Watch("bell", _more=True)
        self.assertEqual(next(events), {})
        self.open().Schedule("bell", {
            "identifier": "past", "fireDate": microseconds(0.05), "alertBody": "x"})
        # Without a sink nothing is delivered; the limit makes an event by itself.
        belfry = self.open()
        for number in range(70):
            belfry.Schedule("bell", {
                "identifier": f"{number}", "alertBody": "x",
                "fireDate": microseconds(9000 - number)}, "discard")
        event = next(event for event in events if event["event"]["kind"] == "discarded")["event"]
        self.assertEqual(event["app"], "bell")
        watch.close()
        self.assertVarlinkError(SERVICE + ".ExpectedMore", lambda: belfry.Watch())

    def test_oneway(self):
        belfry = self.open()
        self.assertIsNone(belfry.Schedule(
            "quiet", {"identifier": "o", "alertBody": "x", "fireDate": microseconds(99)},
            _oneway=True))
        self.assertIsNone(belfry.Schedule("quiet", {"volume": 7.0}, _oneway=True))
        wait_until(lambda: belfry.List("quiet")["notifications"], what="the oneway schedule")
        self.assertEqual(len(belfry.List("quiet")["notifications"]), 1)

    def test_N16_a_list_in_parts(self):
        belfry = self.open()
        belfry.Schedule("parts", {"identifier": "old", "alertBody": "x", "fireDate": microseconds(50)})

        def part(name):
            return [{"identifier": name, "alertBody": "x", "fireDate": microseconds(60)}]

        self.assertEqual(belfry.ReplaceAll("parts", part("a"), False), {"received": 1})
        dropped = self.open()
        dropped.ReplaceAll("parts", part("x"), False)
        dropped.close()
        self.assertEqual(len(self.server.listed(app="parts")), 1)
        reply = belfry.ReplaceAll("parts", part("b"), True)
        self.assertEqual((reply["received"], reply["added"], reply["cancelled"]), (2, 2, 1))
        names = {row["notification"]["identifier"] for row in self.server.listed(app="parts")}
        self.assertEqual(names, {"a", "b"})

    def test_typed_errors(self):
        belfry = self.open()
        name = INTERFACE + "."
        self.assertVarlinkError(
            name + "InvalidField", lambda: belfry.Schedule("a", {"soundName": "../x.wav"}),
            field="soundName")
        self.assertVarlinkError(
            name + "InvalidField", lambda: belfry.Schedule(
                "a", {"alertBody": "x", "timeZone": "Not/There"}),
            field="timeZone", code="unknown")
        self.assertVarlinkError(
            name + "NotFound", lambda: belfry.Next("a", "nothing"), identifier="nothing")
        self.assertVarlinkError(
            name + "UnknownSink", lambda: belfry.Test("a", "trumpet"), name="trumpet")
        # The client knows the methods, so it has to be asked for one behind its back.
        raw = self.server.connect()
        self.addCleanup(raw.close)
        for method, error in [(INTERFACE + ".Nothing", "MethodNotFound"),
                              ("io.belfry.None.List", "InterfaceNotFound")]:
            with self.assertRaises(Refused) as caught:
                raw.call(method)
            self.assertEqual(caught.exception.name, f"{SERVICE}.{error}")


class StreamTest(DaemonTest):
    """What a stream of bytes can be cut into."""

    def setUp(self):
        self.server = self.daemon()

    def connect(self):
        connection = self.server.connect()
        self.addCleanup(connection.close)
        return connection

    def call(self, identifier="i", body="tea", **flags):
        return json.dumps({
            "method": INTERFACE + ".Schedule", **flags,
            "parameters": {"notification": {
                "identifier": identifier, "fireDate": microseconds(3600), "alertBody": body}},
        }, ensure_ascii=False).encode() + b"\0"

    def test_a_frame_split_at_every_byte(self):
        connection = self.connect()
        call = self.call("gäste")
        for cut in range(1, len(call)):
            connection.send_bytes(call[:cut])
            connection.send_bytes(call[cut:])
            self.assertEqual(connection.result()["identifier"], "gäste")
        for byte in call:
            connection.send_bytes(bytes([byte]))
        self.assertTrue(connection.result()["unchanged"])

    def test_two_calls_in_one_write(self):
        connection = self.connect()
        connection.send_bytes(self.call("1") + self.call("2"))
        self.assertEqual([connection.result()["identifier"] for _ in range(2)], ["1", "2"])

    def test_replies_keep_the_order_of_many_calls(self):
        connection = self.connect()
        count = 600

        def send():
            for number in range(count):
                connection.send_bytes(self.call(f"{number % 50}", f"{number}"))

        sender = threading.Thread(target=send)
        sender.start()
        replies = [connection.result()["identifier"] for _ in range(count)]
        sender.join()
        self.assertEqual(replies, [f"{number % 50}" for number in range(count)])

    def test_frames_of_one_mebibyte(self):
        connection = self.connect()
        padding = (1 << 20) - len(self.call(body="")) + 1
        for size, code in [(padding, "tooLong"), (padding + 8, "tooLong"), (3 << 20, "tooLong")]:
            sender = threading.Thread(
                target=connection.send_bytes, args=(self.call(body="a" * size),))
            sender.start()
            with self.assertRaises(Refused) as caught:
                connection.result()
            sender.join()
            self.assertEqual(caught.exception.parameters["field"], "alertBody")
            self.assertEqual(caught.exception.parameters["code"], code)
        # A whole mebibyte that breaks no rule: a list in one part, its spaces counted.
        call = json.dumps({"method": INTERFACE + ".Status"}).encode()
        connection.send_bytes(call.ljust(1 << 20) + b"\0")
        self.assertIn("status", connection.result())
        self.assertEqual(self.server.listed(), [])

    def test_garbage_leaves_the_connection(self):
        connection = self.connect()
        for garbage in [b"", b"\xff\xfe", b"{", b"[1]", b"null", b"{}" * 9, b"\x01" * 999,
                        b'{"method"', b"[" * 10_000]:
            connection.send_bytes(garbage + b"\0")
            with self.assertRaises(Refused) as caught:
                connection.result()
            self.assertIn(caught.exception.name, ("MalformedMessage", "InvalidField"))
        self.assertIn("status", connection.call("Status"))

    def test_a_half_sent_call_is_nothing(self):
        with self.server.connect() as connection:
            connection.send_bytes(self.call()[:-1])
        self.assertEqual(self.server.listed(), [])


class BadInputTest(DaemonTest):
    """The issue's list: a typed error that names the field, the connection kept, nothing changed."""

    def setUp(self):
        self.server = self.daemon()

    def refused(self, connection, text, field, code=None):
        message = text if isinstance(text, bytes) else text.encode()
        with self.subTest(message[:120]):
            sender = threading.Thread(
                target=connection.send_bytes, args=(message + b"\0",))
            sender.start()
            with self.assertRaises(Refused) as caught:
                connection.result()
            sender.join()
            self.assertEqual(caught.exception.name, "InvalidField")
            self.assertEqual(caught.exception.parameters["field"], field)
            if code:
                self.assertEqual(caught.exception.parameters["code"], code)

    def schedule(self, notification):
        return ('{"method":"%s.Schedule","parameters":{"notification":%s}}'
                % (INTERFACE, notification))

    def test_A4_bad_input(self):
        connection = self.server.connect()
        self.addCleanup(connection.close)
        connection.call("Schedule", {"notification": {
            "identifier": "kept", "fireDate": microseconds(3600), "alertBody": "stays"}})
        before = self.server.listed()
        deep = "[" * 10_000 + "]" * 10_000
        for notification, field, code in [
                ('{"colour":1}', "colour", "unknown"),
                ('{"alertbody":"x"}', "alertbody", "unknown"),
                ('{"alertBody":1}', "alertBody", "wrongType"),
                ('{"hasAction":"yes"}', "hasAction", "wrongType"),
                ('{"fireDate":"tomorrow"}', "fireDate", "wrongType"),
                ('{"fireDate":1.5}', "fireDate", "wrongType"),
                ('{"userInfo":[]}', "userInfo", "wrongType"),
                ('{"userInfo":{"a":{"b":[1,null]}}}', "userInfo.a.b[1]", None),
                ('{"repeatInterval":"fortnight"}', "repeatInterval", "unknown"),
                ('{"repeatInterval":"era"}', "repeatInterval", None),
                ('{"volume":NaN}', "volume", "malformed"),
                ('{"volume":Infinity}', "volume", "malformed"),
                ('{"volume":1e999}', "volume", "malformed"),
                ('{"volume":1.01}', "volume", "outOfRange"),
                ('{"fireDate":1000000000000000000000000}', "fireDate", "outOfRange"),
                ('{"fireDate":-1000000000000000000000000}', "fireDate", "outOfRange"),
                ('{"fireDate":1000000000000000000}', "fireDate", "outOfRange"),
                # The year 10000.
                ('{"fireDate":253402300800000000}', "fireDate", "outOfRange"),
                ('{"alertBody":"\\ud800"}', "alertBody", "malformed"),
                ('{"alertBody":"a\\udc00b"}', "alertBody", "malformed"),
                ('{"userInfo":{"k":"\\ud83d"}}', "userInfo.k", "malformed"),
                ('{"alertBody":"a\\u0000b"}', "alertBody", "malformed"),
                ('{"identifier":"a\\u0000b"}', "identifier", "malformed"),
                ('{"alertBody":"%s"}' % ("x" * (1 << 20)), "alertBody", "tooLong"),
                ('{"alertBody":"%s"}' % ("x" * 16_385), "alertBody", "tooLong"),
                ('{"identifier":"%s"}' % ("x" * 129), "identifier", "tooLong"),
                ('{"userInfo":{"a":[%s]}}' % ("1," * 400_000 + "1"), "userInfo.a[131066]",
                 "tooLong"),
                ('{"identifier":""}', "identifier", "malformed"),
                ('{"identifier":"a\\nb"}', "identifier", "malformed"),
                ('{"soundName":"../bell.wav"}', "soundName", "malformed"),
                ('{"soundName":"/etc/passwd"}', "soundName", "malformed"),
                ('{"alertBody":"a","alertBody":"b"}', "alertBody", "conflict"),
                # Doubled triggers.
                ('{"fireDate":1,"region":{"radius":5}}', "region.latitude", "missing"),
                ('{"repeatInterval":"day","rrule":"FREQ=DAILY"}', "rrule", "conflict"),
        ]:
            self.refused(connection, self.schedule(notification), field, code)
        self.refused(connection, self.schedule('{"alertBody":"\xff"}').encode("latin-1"),
                     "alertBody", "malformed")
        with self.assertRaises(Refused) as caught:
            connection.send_bytes(
                self.schedule('{"userInfo":{"deep":%s}}' % deep).encode() + b"\0")
            connection.result()
        self.assertTrue(
            caught.exception.parameters["field"].startswith("userInfo.deep"), caught.exception)
        prefix = '{"method":"%s.' % INTERFACE
        for text, field, code in [
                (prefix + 'Schedule"}', "notification", "missing"),
                (prefix + 'Schedule","parameters":{"notification":{},"when":1}}', "when",
                 "unknown"),
                (prefix + 'Schedule","parameters":{"app":"a b","notification":{}}}', "app",
                 "malformed"),
                (prefix + 'Cancel"}', "identifiers", "missing"),
                (prefix + 'Cancel","parameters":{"identifiers":["a"],"equal":{}}}', "equal",
                 "conflict"),
                (prefix + 'Next"}', "identifier", "missing"),
                (prefix + 'Next","parameters":{"identifier":"a","notification":{}}}',
                 "notification", "conflict"),
                (prefix + 'Next","parameters":{"identifier":"a","count":0}}', "count",
                 "outOfRange"),
                (prefix + 'ReplaceAll","parameters":{"notifications":[]}}', "final", "missing"),
                (prefix + 'ReplaceAll","parameters":{"final":true,"notifications":'
                 '[{},{"volume":2}]}}', "notifications[1].volume", "outOfRange"),
                (prefix + 'CancelAll","parameters":{"app":"%s"}}' % ("a" * 129), "app",
                 "tooLong"),
        ]:
            self.refused(connection, text, field, code)
        self.assertEqual(self.server.listed(), before)
        self.assertIn("status", connection.call("Status"))


if __name__ == "__main__":
    unittest.main()
