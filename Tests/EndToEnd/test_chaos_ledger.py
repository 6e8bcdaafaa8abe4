"""The chaos run's own ledger: it finds each breach that is planted, and no other."""
import types
import unittest

from chaos_verdict import Verdict

SECOND = 1_000_000_000
NOON = 1_800_000_000 * SECOND
UUID = "01234567-89ab-cdef-fedc-ba987654321{}.{}.0"


def line(op, identifier, at, outcome="ok", **facts):
    reply = facts.pop("reply", {})
    return {"op": op, "id": identifier, "asked": NOON + int(at * SECOND), "outcome": outcome,
            "answered": NOON + int(at * SECOND) + 1000, "reason": facts.pop("reason", None),
            "reply": reply, **facts}


def schedule(identifier, at, due, outcome="ok"):
    return line("schedule", identifier, at, outcome, due=NOON + int(due * SECOND))


def row(identifier, due, late=0.001, attempt=1, occurrence=None):
    due = NOON + int(due * SECOND)
    return {"id": f"{occurrence or UUID.format(0, 0)}@steady", "identifier": identifier,
            "attempt": attempt, "due": due, "entered": due + int(late * SECOND)}


def window(kind, start, end):
    return kind, NOON + int(start * SECOND), NOON + int(end * SECOND)


def judged(lines, rows, windows=(), damages=(), listed=(), history=(), inbox=("p",)):
    board = types.SimpleNamespace(windows=[*windows, window("down", 100, 101)],
                                  damages=list(damages))
    return Verdict(board, lines, {"steady": rows},
                   {"listed": list(listed), "history": list(history), "inbox": inbox})


class ChaosLedger(unittest.TestCase):
    ONE = [schedule("a", 0, 5)]
    KILL = [window("down", 5.1, 5.3)]

    def assertBreaches(self, rules, *words, **more):
        self.assertEqual(set(judged(*words, **more).breaches), set(rules))

    def test_D7_what_went_well_is_no_breach(self):
        self.assertBreaches([], self.ONE, [row("a", 5)])
        # Shown again after a kill, and says so.
        self.assertBreaches([], self.ONE, [row("a", 5), row("a", 5, 0.5, attempt=2)],
                            self.KILL)
        # Without a reply it may come or not.
        unsure = [schedule("a", 0, 5, "broken")]
        self.assertBreaches([], unsure, [])
        self.assertBreaches([], unsure, [row("a", 5)])
        # Replaced as it fired: either.
        replaced = [*self.ONE, schedule("a", 4.9, 8, "broken")]
        self.assertBreaches([], replaced, [row("a", 5)])
        self.assertBreaches([], replaced, [row("a", 8, occurrence=UUID.format(0, 1))])
        self.assertBreaches([], [*self.ONE, line("cancel", "a", 1)], [])

    def test_D7_N15_D11_what_is_lost_or_comes_unasked_is_found(self):
        self.assertBreaches(["lost"], self.ONE, [])
        self.assertBreaches(["lost"], [*self.ONE, line("cancel", "a", 1, "refused")], [])
        self.assertBreaches(["taken back"], [*self.ONE, line("cancel", "a", 1)], [row("a", 5)])
        self.assertBreaches(["taken back"], [*self.ONE, schedule("a", 1, 6)], [
            row("a", 5), row("a", 6, occurrence=UUID.format(0, 1))])
        self.assertBreaches(["unasked"], self.ONE, [
            row("a", 5), row("a", 7, occurrence=UUID.format(0, 1))])
        self.assertBreaches(["unasked"], [], [row("a", 5)])
        snoozed = [*self.ONE, line("snooze", "a", 6, span=2 * SECOND,
                                   reply={"next": NOON // 1000 + 8_000_000})]
        again = row("a", 8, occurrence=UUID.format(0, 0) + ".s1")
        self.assertBreaches([], snoozed, [row("a", 5), again])
        self.assertBreaches(["lost"], snoozed, [row("a", 5)])
        far = [schedule("a", 0, 400 * 86400)]
        listed = {"app": "user.1", "notification": {"identifier": "a"},
                  "next": (NOON + 400 * 86400 * SECOND) // 1000}
        self.assertBreaches([], far, [], listed=[listed])
        self.assertBreaches(["lost"], far, [])
        self.assertBreaches(["list"], [*far, line("cancel", "a", 1)], [], listed=[listed])

    def test_D7_P9_two_ids_and_attempts_that_lie_are_found(self):
        other = row("a", 5, 0.5, occurrence=UUID.format(1, 0))
        self.assertBreaches(["two ids"], self.ONE, [row("a", 5), other], self.KILL)
        self.assertBreaches(["twice"], self.ONE, [row("a", 5), row("a", 5, 0.5, attempt=2)])
        self.assertBreaches(["attempt"], self.ONE, [row("a", 5), row("a", 5, 0.5)], self.KILL)
        self.assertBreaches(["attempt"], self.ONE, [row("a", 5, attempt=2)])
        pushes = [line("push", "p", 0, reply={"duplicate": False}),
                  line("push", "p", 3, reply={"duplicate": False})]
        self.assertBreaches(["P9"], pushes, [row("p", 0)])
        pushes[1]["reply"]["duplicate"] = True
        self.assertBreaches([], pushes, [row("p", 0)])
        self.assertBreaches(["lost"], pushes, [row("p", 0)], inbox=())
        self.assertBreaches(["P9"], pushes, [row("p", 0)], inbox=("p", "p"))
        self.assertBreaches(["two ids"], pushes, [
            row("p", 0), row("p", 3, occurrence=UUID.format(1, 0))])

    def test_T4_T10_S6_what_is_early_late_or_silent_is_found(self):
        self.assertBreaches(["early"], self.ONE, [row("a", 5, -0.000001)])
        quiet = [schedule("quiet-1", 0, 5)]
        late = judged(quiet, [row("quiet-1", 5, 7)]).late
        self.assertEqual([int(value) for value, _ in late["at work"]], [7000])
        late = judged(quiet, [row("quiet-1", 5, 7)], [window("down", 4, 11)]).late
        self.assertEqual([int(value) for value, _ in late["after a downtime"]], [1000])
        ticks = [line("tick", "tick", 0, anchor=NOON, unit=2 * SECOND)]
        rows = [row("tick", 2 * k, occurrence=UUID.format(0, 0)[:-1] + str(k))
                for k in range(9)]
        self.assertBreaches([], ticks, rows)
        self.assertBreaches(["lost"], ticks, rows[:3] + rows[4:])
        self.assertBreaches([], ticks, rows[:3] + rows[4:], [window("down", 5, 6.5)])
        self.assertBreaches(["repeat"], ticks, [row("tick", 3)])
        self.assertBreaches(["S6"], [], [], history=[
            {"sink": "speaker", "identifier": "ward-1", "occurrence": "x",
             "reason": "sound-busy"}])

    def test_D8_after_a_damage_only_what_is_listed_is_owed(self):
        struck = (NOON + 10 * SECOND, NOON + 11 * SECOND)
        later = [schedule("a", 0, 50)]
        gone = judged(later, [], damages=[(*struck, {})])
        self.assertEqual((dict(gone.breaches), gone.ledger.lost_to_damage), ({}, 1))
        kept = {"a": (NOON + 50 * SECOND) // 1000}
        self.assertBreaches(["lost"], later, [], damages=[(*struck, kept)])
        # What had come before is owed all the same.
        self.assertBreaches(["lost"], self.ONE, [], damages=[(*struck, {})])
        # A slow sink may not have come to it: it has just shown what was due before.
        two = [*self.ONE, schedule("b", 0, 4.5)]
        for late, breaches in ((5, []), (0.2, ["lost"])):
            self.assertBreaches(breaches, two, [row("b", 4.5, late, occurrence=UUID.format(7, 0))],
                                damages=[(*struck, {})])
        # One bit of a uuid is the damage's, two are a second id; so is one bit with no damage before.
        one, other = (row("a", 50, late, occurrence=UUID.format(digit, 0))
                      for late, digit in ((0.001, 0), (0.5, 1)))
        kill = [window("down", 50.1, 50.3)]
        two_bits = row("a", 50, 0.5, occurrence=UUID.format(3, 0))
        self.assertBreaches([], later, [one, other], kill, [(*struck, kept)])
        self.assertBreaches(["two ids"], later, [one, two_bits], kill, [(*struck, kept)])
        self.assertBreaches(["two ids"], later, [one, other], kill)
        # So is one bit of when it is due: nothing else tells that.
        for bits, attempt, damages, breaches in (
                (1 << 44, 1, [(*struck, {})], []), (1 << 44, 2, [(*struck, {})], []),
                (3 << 43, 1, [(*struck, {})], ["early"]),
                (3 << 43, 2, [(*struck, {})], ["attempt", "early"]),
                (1 << 44, 1, [], ["early", "lost", "unasked"])):
            with self.subTest(bits=bits, attempt=attempt, damages=damages):
                altered = {**row("a", 50, attempt=attempt), "entered": NOON + 12 * SECOND}
                altered["due"] ^= bits
                self.assertBreaches(
                    breaches, later, [altered], [window("down", 11.2, 11.4)], damages)
        # One bit of a row's head makes a snooze of an alert, at the same instant.
        again = {**row("a", 50, 0.5), "id": f"{UUID.format(0, 0)}.s1@steady"}
        for seconds, damages, breaches in ((0, [(*struck, kept)], []), (-1, [(*struck, kept)], ["unasked"]),
                                           (0, [], ["unasked"])):
            with self.subTest(snooze=seconds, damages=damages):
                snoozed = {**again, "due": again["due"] + seconds * SECOND}
                self.assertBreaches(breaches, later, [row("a", 50), snoozed], kill, damages)
        # Nor has the ledger the times of a flood.
        for bits, damages, breaches in (
                (1 << 57, [(*struck, {})], []), (3 << 56, [(*struck, {})], ["early"]), (1 << 57, [], ["early"])):
            with self.subTest(flood=bits, damages=damages):
                altered = {**row("flood-1", 12), "entered": NOON + 27 * SECOND}
                altered["due"] ^= bits
                self.assertBreaches(breaches, [], [altered], [window("down", 11.2, 11.4)], damages)


if __name__ == "__main__":
    unittest.main()
