"""userInfo, texts and their tables, through the socket, the books and a plugin (N7, N8, N12, L1, L2)."""
import json
import os
import unittest

from belfry_harness import Refused, microseconds, wait_until
from stepped import SteppedTest
from test_command import run

SCRIPT = """#!/bin/sh
cat >"$0.$$" && mv "$0.$$" "$0.$$.json"
"""


class TextsTest(SteppedTest):
    """A daemon whose plugin keeps all that a delivery says, as the JSON of `exec`."""

    def shower(self, configuration="", stepped=False, **options):
        server = (self.stepped if stepped else self.daemon)("", start=False, **options)
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
        server = self.shower(stepped=True).start()
        server.schedule(identifier="all", fireDate=server.clock.microseconds(1800), alertBody="x",
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
        server.run(1800)
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



class TableTest(TextsTest):
    """Texts from an app's tables, as the plugin is told them."""

    def bell(self, manifest="", language="de-AT", **options):
        """A daemon with an app `bell` whose texts lie in a folder of their own."""
        server = self.shower(**options)
        self.texts = os.path.join(server.directory, "texts")
        self.manifest = os.path.join(server.directory, "apps", "bell.app")
        os.makedirs(os.path.dirname(self.manifest), mode=0o755)
        os.mkdir(self.texts, mode=0o755)
        words = f"language = {language}\n" if language else ""
        self.write(self.manifest, f"[app]\nstringsFolder = {self.texts}\n{words}{manifest}")
        return server

    def write(self, path, text):
        data = text if isinstance(text, bytes) else text.encode()
        with open(path + ".new", "wb") as file:
            file.write(data)
        os.chmod(path + ".new", 0o644)
        os.rename(path + ".new", path)

    def table(self, language, text):
        folder = os.path.join(self.texts, language + ".lproj")
        os.makedirs(folder, mode=0o755, exist_ok=True)
        path = os.path.join(folder, "Localizable.strings")
        self.write(path, text)
        return path

    def show(self, server, identifier, **notification):
        """What is shown of a notification that is due at once."""
        server.call("PresentNow", {
            "app": "bell", "notification": {"identifier": identifier, **notification}})
        return self.see(identifier)

    def test_L1_the_language_falls_back(self):
        server = self.bell()
        self.table("de-AT", '"one" = "Servus";')
        self.table("de", "\ufeff\"one\" = \"Hallo\";\n\"two\" = \"Tag\";".encode("utf-16-le"))
        self.table("Base", '/* Base */ one = "Hello"; two = "Day"; three = "Gr\\U00fc\\U00dfe";')
        server.start()
        told = self.show(server, "a", alertBody="one", alertTitle="two", alertSubtitle="three",
                         alertAction="four")
        self.assertEqual(
            [told[part] for part in ("body", "title", "subtitle", "action")],
            ["Servus", "Tag", "Grüße", "four"])
        # Another app's texts are its own.
        server.call("PresentNow", {"notification": {"identifier": "b", "alertBody": "one"}})
        self.assertEqual(self.see("b")["body"], "one")

    def test_L2_N7_arguments_and_escapes(self):
        server = self.bell(environment={"TZ": "Europe/Berlin"})
        self.table("de", 'LATE = "%2$@ kommt %1$@ Minuten sp\\U00e4ter (%3$@), 100 %%%4$@";\n'
                         '"%d rings" = "%d-mal, 5 %%";')
        server.start()
        date = {"$date": 1798097159_000000}
        told = self.show(
            server, "a", alertBody="LATE", alertLocalizationArgs=[2.5, "Zug %@", date],
            alertTitle="%0$@%1000000000$@|%1$@ %@ %d", alertTitleLocalizationArgs=[-7],
            alertSubtitle="50 % off %@", alertAction="%@ %@",
            alertActionLocalizationArgs=["ja", 1])
        self.assertEqual(told["body"], "Zug %@ kommt 2.5 Minuten später (2026-12-24 08:25), 100 %")
        self.assertEqual(told["title"], "|-7 -7 %d")
        self.assertEqual(told["subtitle"], "50 % off %@")
        self.assertEqual(told["action"], "ja 1")
        # Looked up as it stands, stripped then.
        self.assertEqual(
            self.show(server, "b", alertBody="%d rings", alertBodyIsFormat=True)["body"], "-mal, 5 %")
        self.assertEqual(
            self.show(server, "c", alertBody="%d tea %%", alertBodyIsFormat=True)["body"], " tea %")
        # What is no format is shown as it was written.
        self.assertEqual(self.show(server, "d", alertBody="Disk 90%full")["body"], "Disk 90%full")
        self.assertEqual(self.show(server, "e", alertBody="%d rings")["body"], "%d-mal, 5 %%")

    def test_A4_L1_what_would_show_nothing_is_refused_or_discarded(self):
        server = self.bell()
        with open(os.path.join(server.directory, "belfry.conf"), encoding="utf-8") as file:
            server.configure(file.read().replace("everything = yes\n", ""))
        self.table("Base", 'quiet = ""; faint = " %d ";')
        server.start()
        for body, more in (("", {}), (" \n\t", {}), ("%d%s", {"alertBodyIsFormat": True})):
            for note in ({}, {"fireDate": microseconds(60)}, {"alertTitle": " "}):
                self.refused(server, {"alertBody": body, **more, **note}, "alertBody", "malformed")
            with self.assertRaises(Refused):
                server.call("PresentNow", {"notification": {"alertBody": body, **more}})
            server.schedule(identifier="loud", alertBody=body, soundName="default",
                            fireDate=microseconds(3600))
        status, _, err = run("schedule", "--body", "", "--in", "1h", socket=server.socket)
        self.assertEqual((status, len(err.splitlines())), (1, 1))
        self.assertIn("--body: nothing of it would be seen", err)
        self.assertEqual([row["notification"]["identifier"] for row in server.listed()], ["loud"])
        # What turns out to be empty only when it is looked up is not called delivered.
        for key in ("quiet", "faint"):
            server.call("PresentNow", {
                "app": "bell", "notification": {
                    "identifier": key, "alertBody": key, "alertBodyIsFormat": True}})
        server.call("Push", {"app": "bell", "payload": {"aps": {"alert": ""}}})
        server.call("Push", {"app": "bell", "payload": {"aps": {"alert": {"loc-key": "quiet"}}}})
        rows = wait_until(
            lambda: rows if len(rows := server.history(app="bell")) == 4 else None, what="rows")
        self.assertEqual(
            {(row["state"], row["reason"]) for row in rows},
            {("discarded", "alertBody came out empty: nothing to show")})
        self.assertEqual([self.shown("quiet"), self.shown("faint")], [None, None])
        page = server.call("FetchInbox", {"app": "bell"})
        self.assertEqual(len(page["entries"]), 2)

    def test_L2_other_arguments_are_refused_by_index(self):
        server = self.daemon()
        for arguments, field, code in [
                ([1, True], "alertLocalizationArgs[1]", "wrongType"),
                ([None], "alertLocalizationArgs[0]", "wrongType"),
                (["", {"$data": "AA=="}], "alertLocalizationArgs[1]", "wrongType"),
                ([1, 2, [3]], "alertLocalizationArgs[2]", "wrongType"),
                ([{"a": 1}], "alertLocalizationArgs[0]", "wrongType"),
                ([1] * 65, "alertLocalizationArgs", "tooLong"),
                (["x" * 16384], "alertLocalizationArgs", "tooLong"),
                ("x", "alertLocalizationArgs", "wrongType")]:
            with self.subTest(arguments=str(arguments)[:40]):
                self.refused(
                    server, {"alertBody": "x", "alertLocalizationArgs": arguments}, field, code)
        self.assertEqual(server.listed(), [])

    def test_L1_what_is_kept_is_what_was_scheduled(self):
        """Raw in list, books and equality; in other words on the sink."""
        server = self.bell()
        self.table("de", 'KEY = "Hallo %@";')
        server.start()
        note = {"alertBody": "KEY", "alertLocalizationArgs": ["Welt", 1, 1.0, {"$date": 5}],
                "fireDate": microseconds(3600)}
        server.call("Schedule", {"app": "bell", "notification": {**note, "identifier": "a"}})
        server.kill()
        server.start()
        listed = server.listed(app="bell")[0]["notification"]
        self.assertSame(listed, {**note, "identifier": "a"}, "notification")
        again = server.call(
            "Schedule", {"app": "bell", "notification": {**note, "identifier": "a"}})
        self.assertTrue(again["unchanged"])
        self.assertEqual(self.show(server, "b", **note)["body"], "Hallo Welt")
        delivered = wait_until(lambda: server.listed(app="bell", delivered=True), what="shown")
        self.assertEqual(delivered[0]["notification"]["alertBody"], "KEY")
        gone = server.call("Cancel", {"app": "bell", "equal": note})
        self.assertEqual((gone["cancelled"], gone["withdrawn"]), (1, 1))

    def test_L1_a_table_that_changes_wins_and_one_that_breaks_counts_as_it_was(self):
        server = self.bell(stepped=True)
        path = self.table("de", 'KEY = "one";')
        server.start()
        self.assertEqual(self.show(server, "a", alertBody="KEY")["body"], "one")
        # Scheduled and prepared with one text, shown with the other.
        server.call("Schedule", {"app": "bell", "notification": {
            "identifier": "b", "alertBody": "KEY", "fireDate": server.microseconds(60)}})
        server.run(59.5)
        self.assertEqual(server.listed(app="bell")[0]["state"], "prepared")
        self.table("de", 'KEY = "two";')
        server.run(0.5)
        self.assertEqual(self.see("b")["body"], "two")
        self.table("de", 'KEY = "two";\n"KEY = three;')
        server.run(1)
        server.says(f"{path}:2:1: ")
        self.assertEqual(self.show(server, "c", alertBody="KEY")["body"], "two")
        os.utime(path)
        server.run(1)
        self.assertEqual(self.show(server, "d", alertBody="KEY")["body"], "two")
        problem, = server.call("Status")["status"]["textProblems"]
        self.assertIn(path, problem)
        self.assertTrue(problem.endswith("; what was last good counts"), problem)
        self.table("de", 'KEY = "four";')
        server.run(1)
        self.assertNotIn("textProblems", server.call("Status")["status"])
        self.assertEqual(self.show(server, "e", alertBody="KEY")["body"], "four")
        # The manifest may name another folder at any time.
        os.rename(self.texts, self.texts + "2")
        self.write(self.manifest, f"[app]\nstringsFolder = {self.texts}2\nlanguage = fr\n")
        self.texts += "2"
        self.table("fr", 'KEY = "cinq";')
        server.run(1)
        self.assertEqual(self.show(server, "f", alertBody="KEY")["body"], "cinq")
        self.assertEqual(server.whole_log().count(f"{path}:2:1: "), 1)

    def test_L1_A2_a_table_of_100_MB_is_refused_by_name(self):
        server = self.bell()
        path = self.table("de", "KEY = one;")
        os.truncate(path, 100_000_000)
        server.start()
        self.assertEqual(self.show(server, "a", alertBody="KEY")["body"], "KEY")
        server.says(f"{path} has 100000000 bytes, at most 4194304 are read")
        self.assertIn(path, server.call("Status")["status"]["textProblems"][0])

    def test_L1_a_large_table_does_not_hold_the_clock(self):
        server = self.bell()
        self.table("de", "".join(f'"key {n}" = "Text Nummer {n} %@";\n' for n in range(90_000)))
        server.start()
        told = self.show(server, "a", alertBody="key 77777", alertLocalizationArgs=["!"])
        self.assertEqual(told["body"], "Text Nummer 77777 !")

    def test_N8_view_in_the_apps_language(self):
        server = self.bell(language="ru")
        server.start()
        self.assertEqual(self.show(server, "a", alertBody="x")["action"], "Просмотр")
        self.assertEqual(self.show(server, "b", alertBody="x", alertAction="Go")["action"], "Go")
        self.assertNotIn("action", self.show(server, "c", alertBody="x", hasAction=False))

    def test_N8_without_one_the_daemons_language(self):
        server = self.bell(language=None, environment={"LANG": "zh_CN.UTF-8"})
        self.table("zh-Hans", "KEY = \"茶\";")
        server.start()
        told = self.show(server, "a", alertBody="KEY")
        self.assertEqual((told["body"], told["action"]), ("茶", "查看"))
        for language, title in [("C", "View"), ("de_AT.UTF-8@euro", "Anzeigen"),
                                ("fr_CA", "Afficher"), ("es_ES.UTF-8", "Ver"), ("ja_JP", "View")]:
            server.stop()
            server.start(LANG=language)
            name = f"of {language}"
            server.call("PresentNow", {"notification": {"identifier": name, "alertBody": "x"}})
            self.assertEqual(self.see(name)["action"], title)


if __name__ == "__main__":
    unittest.main()
