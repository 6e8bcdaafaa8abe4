#!/usr/bin/env python3
"""The standing chaos run: users ask while belfryd, its children and its disk are broken, and a
ledger of its own says whether anything was lost, doubled, early or late.

    python Tests/EndToEnd/chaos.py --kills 1000 [--seed N] [--minutes M] [--no-damages]

The programs are those that Tests/EndToEnd/run builds, or in the folder that BELFRY_TEST_BIN names;
the package varlink must be there, as in .build-venv. The same seed plans the same lives; which step
a kill meets is up to the machine. test_chaos.py is the short form.
"""
import argparse
import collections
import os
import sys
import time

from belfry_harness import PATIENCE, ROOT, recorded
from chaos_board import Board
from chaos_plan import Plan
from chaos_users import Flood, Ordinary, Quiet, Ward
from chaos_verdict import Verdict, percentiles

# How late an alarm may be on a busy machine, beyond what a downtime explains, in milliseconds.
BOUND = 5000


class Chaos:
    """One run: `kills` lives of belfryd that end in a kill."""

    def __init__(self, seed, kills, seconds=None, damages=True, short=False, say=print):
        self.seed, self.kills, self.say = seed, kills, say
        self.until = time.monotonic() + (seconds or 1e9)
        self.plan = Plan(seed, damages)
        if short:
            self.plan = self.plan.short()
        self.board = Board(seed, say)
        self.users = [kind(kind.__name__.lower(), self.board.daemon.socket,
                           self.board.daemon.directory, seed)
                      for kind in (Quiet, Ordinary, Flood, Ward)]
        self.began = time.monotonic()

    def run(self):
        """Carries it out and judges it."""
        for user in self.users:
            user.start()
        try:
            for life in self.plan.lives():
                if self.is_over():
                    break
                self.board.live(life)
                if life.number % 50 == 0:
                    self.say(f"{self.board.kills} kills of belfryd after "
                             f"{time.monotonic() - self.began:.0f} s, "
                             f"{len(self.board.problems)} problems")
        finally:
            for user in self.users:
                user.stopping.set()
        lines = []
        said = self.board.finish(self.is_done, 5 * PATIENCE)
        for user in self.users:
            user.stop()
            lines += [{**line, "user": user.name} for line in user.journal.lines()]
        self.lines = lines
        self.verdict = Verdict(self.board, lines, self.shown(), said)
        return self

    def is_over(self):
        """It goes on for some lives while faults are owed, so that each kind was there."""
        if time.monotonic() > self.until:
            return True
        more = self.board.kills - self.kills
        return more >= 0 and (not self.board.owed or more >= 12)

    def shown(self):
        return {name: recorded(out) for name, out in self.board.outs.items()}

    def is_done(self):
        """Whether nothing is on its way any more."""
        if any(user.process.is_alive() for user in self.users):
            return False
        time.sleep(0.2)
        daemon = self.board.daemon
        status = daemon.call("Status")["status"]
        soon = (time.time() + 3600) * 1e6
        waiting = [row for row in daemon.listed() + daemon.listed(snoozed=True)
                   if row["notification"]["identifier"] != "tick" and row.get("next", 0) < soon]
        return not waiting and not any(
            plugin["queued"] for plugin in status["plugins"] if plugin["name"] != "rogue")

    def table(self):
        """The figures, a line each."""
        board, verdict = self.board, self.verdict
        asked = collections.Counter(
            line["outcome"] for line in self.lines if line["op"] != "flood")
        clients = collections.Counter(
            line["client"] for line in self.lines if line["op"] != "flood")
        flood = sum(line["calls"] for line in self.lines if line["op"] == "flood")
        yield f"chaos: seed {self.seed}, {time.monotonic() - self.began:.0f} s"
        yield (f"chaos: {board.kills} kills of belfryd, "
               f"{board.counts['kill worker'] + board.counts['kill speaker']} of its children")
        yield "chaos: " + ", ".join(f"{name} {board.counts[name]}" for name in sorted(board.counts))
        yield (f"chaos: {sum(asked.values())} requests ({asked['ok']} acknowledged, "
               f"{asked['refused']} refused, {asked['broken']} without a reply; "
               + ", ".join(f"{clients[name]} by {name}" for name in sorted(clients))
               + f"), {flood} of the flood")
        yield "chaos: " + ", ".join(
            f"{verdict.figures[name]} {name}" for name in sorted(verdict.figures))
        if board.damages:
            yield f"chaos: {verdict.ledger.lost_to_damage} lost to {len(board.damages)} looks " \
                  "after damages"
        for kind, late in verdict.late.items():
            if late:
                p50, p99, most = percentiles([value for value, _ in late])
                yield (f"chaos: quiet user and ward, {kind}: {len(late)} alarms, {p50:.2f} ms late "
                       f"(p50), {p99:.2f} ms (p99), {most:.2f} ms (max)")
        for rule, found in verdict.breaches.items():
            yield f"chaos: BREACH {rule}: {len(found)}"
            yield from (f"chaos:   {text}" for text in found[:8])
        for problem in board.problems:
            yield f"chaos: PROBLEM {problem}"

    def late(self):
        """The alarms of the quiet user and the ward that nothing excuses."""
        return [f"{identifier} {value:.0f} ms" for late in self.verdict.late.values()
                for value, identifier in late if value > BOUND]

    def close(self):
        for user in self.users:
            if user.process and user.process.is_alive():
                user.process.terminate()
        self.board.daemon.remove()


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=int(os.environ.get("BELFRY_CHAOS_KILLS", 100)))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--seed", type=int, default=os.environ.get("BELFRY_CHAOS_SEED"))
    parser.add_argument("--no-damages", action="store_true", help="the books stay whole")
    parser.add_argument("--keep", action="store_true", help="the board's folder stays")
    return parser.parse_args()


def main():
    os.environ.setdefault("BELFRY_TEST_BIN", f"{ROOT}/.build-lean/breakable")
    chosen = options()
    seed = int.from_bytes(os.urandom(4), "little") if chosen.seed is None else int(chosen.seed)
    print(f"chaos: seed {seed}", flush=True)
    chaos = Chaos(seed, chosen.kills, chosen.minutes and chosen.minutes * 60,
                  not chosen.no_damages, say=lambda text: print(f"chaos: {text}", flush=True))
    try:
        chaos.run()
        print("\n".join(chaos.table()))
        bad = chaos.board.problems or chaos.verdict.breaches or chaos.late()
        print("chaos: " + ("FAILED" if bad else "nothing lost, doubled, early or late"))
        return 1 if bad else 0
    finally:
        if chosen.keep:
            print(f"chaos: kept in {chaos.board.daemon.directory}")
            chaos.board.daemon.own = False
        chaos.close()


if __name__ == "__main__":
    sys.exit(main())
