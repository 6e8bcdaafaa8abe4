"""Names are bytes (A4): U+00E9 and e with U+0301 are two, from the command line to the store."""
import json
import random
import unittest

from belfry_harness import DaemonTest, Refused, fixed_seed, microseconds
from test_command import run

ONE, OTHER = "caf\u00e9", "cafe\u0301"


class Names(DaemonTest):
    def setUp(self):
        self.bells = self.daemon("[plugin:console]\nfile = console\n")

    def good(self, *words):
        status, out, err = run(*words, socket=self.bells.socket)
        self.assertEqual((status, err), (0, ""), words)
        return out

    def identifiers(self):
        return [row["identifier"] for row in map(json.loads, self.good("list", "--json").splitlines())]

    def test_A4_two_ids_are_two_wherever_they_are_named(self):
        for name in (ONE, OTHER):
            self.good("schedule", "--id", name, "--body", name, "--in", "1h")
        self.assertEqual(sorted(self.identifiers()), sorted([ONE, OTHER]))
        listed = [row["notification"] for row in self.bells.listed()]
        answer = self.bells.call("ReplaceAll", {"notifications": listed, "final": True})
        self.assertEqual((answer["unchanged"], answer["cancelled"]), (2, 0))
        for sound in (OTHER, ONE):
            # No such file is there, which is warned of.
            status, out, _ = run("edit", OTHER, "--sound", sound, socket=self.bells.socket)
            self.assertEqual((status, out.split()[0]), (0, "edited"))
        self.bells.kill()
        self.bells.start()
        self.assertEqual(sorted(self.identifiers()), sorted([ONE, OTHER]))
        self.good("cancel", OTHER)
        self.assertEqual(self.identifiers(), [ONE])
        status, _, _ = run("cancel", OTHER, socket=self.bells.socket)
        self.assertEqual(status, 1)

    def test_A4_a_push_and_user_info_keep_both(self):
        payload = {"aps": {"alert": "Fire"}, ONE: 1, OTHER: 2}
        self.bells.call("Push", {"payload": payload})
        self.assertEqual(self.bells.call("FetchInbox")["entries"][0]["payload"], payload)

    def test_A4_user_info_is_what_a_dictionary_of_python_is(self):
        """Names that Unicode writes in several ways, some twice, as Python's dictionaries have them."""
        seed = fixed_seed("names")
        dice = random.Random(seed)
        letters = ["\u00e9", "e\u0301", "e", "\u212a", "K", "\u212b", "\u00c5", "A\u030a", "\uac00",
                   "\u1100\u1161", "\u1e9b\u0323", "\u017f\u0323\u0307", "\u0344", "\u0308\u0301"]

        def made(depth):
            return {"".join(dice.choices(letters, k=dice.randint(1, 3))):
                    made(depth - 1) if depth and dice.random() < 0.3 else dice.randint(0, 9)
                    for _ in range(dice.randint(0, 24))}
        for number in range(60):
            info = made(2)
            self.bells.schedule(identifier=f"n{number}", alertBody="x", userInfo=info,
                                fireDate=microseconds(3600))
        rows = {row["notification"]["identifier"]: row["notification"].get("userInfo", {})
                for row in self.bells.listed()}
        dice.seed(seed)
        for number in range(60):
            self.assertEqual(rows[f"n{number}"], made(2), (seed, number))
        # A name that comes twice is refused, however many there are.
        with self.bells.connect() as connection:
            connection.send_bytes(
                b'{"method":"io.belfry.Scheduler.Cancel","parameters":{"a":1,"a":2}}\0')
            with self.assertRaises((Refused, ConnectionError)):
                connection.result()


if __name__ == "__main__":
    unittest.main()
