"""userInfo, texts and their tables, through the socket, the books and a plugin (N7, N8, N12, L1, L2)."""
import json
import os
import signal
import unittest

from belfry_harness import DaemonTest, Refused, microseconds, wait_until

SCRIPT = """#!/bin/sh
cat >"$0.$$" && mv "$0.$$" "$0.$$.json"
"""


class TextsTest(DaemonTest):
    """A daemon whose plugin keeps all that a delivery says, as the JSON of `exec`."""

    def shower(self, configuration="", **options):
        server = self.daemon("", start=False, **options)
        self.script = os.path.join(server.directory, "shown")
        with open(self.script, "w", encoding="ascii") as file:
            file.write(SCRIPT)
        os.chmod(self.script, 0o755)
        server.configure(
            f"[plugin:shower]\nfile = exec\nprogram = {self.script}\neverything = yes\n"
            + configuration)
        return server

    def shown(self, identifier):
        """What the plugin was told of this notification; None: nothing yet."""
        folder = os.path.dirname(self.script)
        for name in os.listdir(folder):
            if name.startswith("shown.") and name.endswith(".json"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    told = json.load(file)
                if told["identifier"] == identifier:
                    return told
        return None

    def see(self, identifier):
        return wait_until(lambda: self.shown(identifier), what=f"{identifier} is shown")

    def refused(self, server, notification, field, code):
        with self.assertRaises(Refused) as caught:
            server.schedule(**notification)
        self.assertEqual(caught.exception.name, "InvalidField")
        self.assertEqual(
            (caught.exception.parameters["field"], caught.exception.parameters["code"]),
            (field, code))

    def assertSame(self, one, other, path="userInfo"):
        """Equal, and of the same types: 1, 1.0 and true are three values."""
        self.assertIs(type(one), type(other), path)
        if isinstance(one, dict):
            self.assertEqual(one.keys(), other.keys(), path)
            for key in one:
                self.assertSame(one[key], other[key], f"{path}.{key}")
        elif isinstance(one, list):
            self.assertEqual(len(one), len(other), path)
            for index, (left, right) in enumerate(zip(one, other)):
                self.assertSame(left, right, f"{path}[{index}]")
        else:
            self.assertEqual(one, other, path)


def deep(levels):
    value = []
    for level in range(levels):
        value = {"k": value} if level % 2 else [value]
    return value


USER_INFO = {
    "string": "Grüße 🔔 \"quoted\" \\ \n\t\u0001\u007f", "empty": "", "digits": "1",
    "one": 1, "real one": 1.0, "true": True, "zero": 0, "real zero": 0.0, "false": False,
    "most": 2**63 - 1, "least": -(2**63), "beyond a double": 2**53 + 1,
    "large": 1.7976931348623157e308, "small": 5e-324, "third": 1 / 3, "minus": -2.5e-7,
    "date": {"$date": 1798102800000001}, "before 1970": {"$date": -1},
    "first": {"$date": -9223372036854775}, "last": {"$date": 9223372036854775},
    "data": {"$data": "AAEC/f7/"}, "no data": {"$data": ""},
    "array": [1, 1.0, True, "1", {"$date": 1}, {"$data": "AQ=="}, [], {}, [[[]]]],
    "dictionary": {"a": {"b": [0, 1, 2, {"c": False}]}}, "no array": [], "no dictionary": {},
    "$$own": 1, "$$$date": 2, "": "no key", "a.b": 3, "a[0]": 4, "\u00e9": 5, "e\u0301x": 6,
    "line\nend": 7, "deep": deep(62),
}


class UserInfoTest(TextsTest):

    def test_N12_every_type_goes_there_and_back(self):
        """Socket, books, kill -9, a new start, list, plugin."""
        server = self.shower().start()
        server.schedule(identifier="all", fireDate=microseconds(3), alertBody="x",
                        userInfo=USER_INFO)
        server.schedule(identifier="later", fireDate=microseconds(3600), userInfo=USER_INFO)
        for row in server.listed():
            self.assertSame(row["notification"]["userInfo"], USER_INFO)
        server.kill()
        server.start()
        rows = server.listed()
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertSame(row["notification"]["userInfo"], USER_INFO)
        self.assertSame(self.see("all")["userInfo"], USER_INFO)
        # What stays on the sink is listed with it too, and equality by value finds it.
        wait_until(lambda: server.listed(delivered=True), what="it is listed as delivered")
        self.assertSame(
            server.listed(delivered=True)[0]["notification"]["userInfo"], USER_INFO)
        again = server.schedule(identifier="later", userInfo=USER_INFO,
                                fireDate=rows[1]["notification"]["fireDate"])
        self.assertTrue(again["unchanged"])

    def test_N12_one_and_real_one_and_true_are_three(self):
        server = self.daemon()
        values = [1, 1.0, True, "1", [1], {"$date": 1}, {"$data": "AQ=="}, {"x": 1}]
        date = microseconds(3600)
        for number, value in enumerate(values):
            server.schedule(identifier=f"{number}", fireDate=date, userInfo={"v": value})
        for number, value in enumerate(values):
            answer = server.call("Cancel", {"equal": {"fireDate": date, "userInfo": {"v": value}}})
            self.assertEqual(answer["cancelled"], 1, value)
            left = {row["notification"]["identifier"] for row in server.listed()}
            self.assertEqual(left, {f"{rest}" for rest in range(number + 1, len(values))})
        server.schedule(identifier="r", fireDate=date, userInfo={"v": 1})
        for value, unchanged in ((1, True), (1.0, False), (1.0, True), (True, False)):
            answer = server.schedule(identifier="r", fireDate=date, userInfo={"v": value})
            self.assertEqual(
                (answer["unchanged"], answer["replaced"]), (unchanged, not unchanged), value)

    def test_N12_what_is_no_property_list_is_named_with_its_path(self):
        server = self.daemon()
        for user_info, field, code in [
                ({"a": {"b": [0, 1, 2, None]}}, "userInfo.a.b[3]", "wrongType"),
                ({"a": None}, "userInfo.a", "wrongType"),
                ({"": None}, "userInfo[\"\"]", "wrongType"),
                ({"a b": [None]}, "userInfo[\"a b\"][0]", "wrongType"),
                ({"$own": 1}, "userInfo.$own", "malformed"),
                ({"a": {"$date": 1, "b": 2}}, "userInfo.a.$date", "malformed"),
                ({"a": {"$date": 1.5}}, "userInfo.a", "wrongType"),
                ({"a": {"$date": 9223372036854776}}, "userInfo.a", "outOfRange"),
                ({"a": {"$data": "AQ="}}, "userInfo.a", "malformed"),
                ({"a": {"$data": 1}}, "userInfo.a", "wrongType"),
                ({"a": "\u0000"}, "userInfo.a", "malformed"),
                ({"a": [2**63]}, "userInfo.a[0]", "outOfRange"),
                ({"a": deep(64)}, None, None),
                ([1], "userInfo", "wrongType"), (7, "userInfo", "wrongType")]:
            with self.subTest(user_info=str(user_info)[:60]):
                with self.assertRaises(Refused) as caught:
                    server.schedule(alertBody="x", fireDate=microseconds(9), userInfo=user_info)
                told = caught.exception.parameters
                self.assertTrue(told["field"].startswith("userInfo"), told)
                self.assertIn(field, (None, told["field"]))
                self.assertIn(code, (None, told["code"]))
        self.assertEqual(server.listed(), [])

    def test_N12_A2_its_size_is_bounded(self):
        server = self.daemon()
        # {"k":"…"} as bytes of JSON.
        most = {"k": "x" * (64 * 1024 - 8)}
        server.schedule(identifier="most", fireDate=microseconds(3600), userInfo=most)
        self.refused(
            server, {"fireDate": microseconds(3600), "userInfo": {"k": most["k"] + "x"}},
            "userInfo", "tooLong")
        rows = server.listed()
        self.assertEqual(len(rows), 1)
        self.assertEqual(rows[0]["notification"]["userInfo"], most)


if __name__ == "__main__":
    unittest.main()
