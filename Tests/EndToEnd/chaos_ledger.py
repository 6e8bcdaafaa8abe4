"""The ledger of the chaos run: what each request may have come to, and so what must be shown.

A request that was answered is done; one that broke before its reply may be done or not; one that
was refused is not. Instants are nanoseconds since 1970 UTC.
"""
import dataclasses

# A clock that is read twice, and what goes by elapsed time, may differ by so much.
SLACK = 50_000_000
# What was due so long before a damage may not have been shown yet, and be lost with the store.
RECENT = 4_000_000_000


@dataclasses.dataclass(frozen=True)
class Due:
    """From `low` to `high`: one instant, or where nobody was told which."""
    low: int
    high: int

    def holds(self, instant):
        return self.low <= instant <= self.high


def is_only_shown(line):
    """D8: a push or a snooze that the disk does not take is refused, and shown all the same."""
    reason = line["reason"] or ""
    return line["op"] in ("push", "snooze") and (
        "BooksUnavailable" in reason or "the books cannot be written" in reason)


class Item:
    """One identifier of one user, by all that was asked about it."""

    def __init__(self, identifier):
        self.identifier = identifier
        # Where it may stand: a Due, or None for not scheduled.
        self.possible = {None}
        # Every Due that it may have had; when the answer came that it has it no longer.
        self.allowed = {}
        # Due of its snooze: what must come, and what may.
        self.snooze = None
        self.snooze_is_sure = False
        # A sink that was down when its user put it away never shows it.
        self.is_put_away = False
        self.is_push = False
        self.is_stored = False
        # When the disk did not take it.
        self.refusals = []
        # Damaged store gave it another due, or gave it back: nothing more is judged.
        self.altered = False
        self.touched = 0
        # What was asked, for whoever looks into a breach.
        self.story = []

    def put(self, due, line):
        if line["outcome"] == "ok":
            self.leave(line["answered"], due)
            self.possible = {due}
        else:
            self.possible = self.possible | {due}
        self.allowed[due] = None

    def leave(self, instant, but=None):
        for due, gone in self.allowed.items():
            if gone is None and due != but:
                self.allowed[due] = instant

    def apply(self, line):
        self.story.append(f"{line['op']} {line['outcome']} {line['asked']}..{line['answered']}")
        if line["outcome"] == "refused" and not is_only_shown(line):
            return
        self.touched = line["asked"]
        deeds = {"schedule": self.schedule, "now": self.now, "relative": self.relative,
                 "push": self.push, "cancel": self.cancel, "snooze": self.snoozed,
                 "dismiss": self.dismiss}
        deeds[line["op"]](line, line["outcome"] == "ok")

    def schedule(self, line, _):
        # What has passed when it comes is due at once (N2).
        self.put(Due(line["due"], max(line["due"], line["answered"])), line)

    def now(self, line, _):
        if "restart forgets it" in str(line["reply"].get("warnings")):
            # D8: the disk did not take it; it is shown, at a sink that is down only while it runs.
            line = {**line, "outcome": "warned"}
        self.put(Due(line.get("due", line["asked"]) - SLACK, line["answered"] + SLACK), line)

    def push(self, line, is_sure):
        self.is_push = True
        due = Due(line["asked"] - SLACK, line["answered"] + SLACK)
        self.allowed[due] = None
        self.is_stored = self.is_stored or is_sure
        if is_only_shown(line):
            self.refusals.append(line["asked"])
        # It is shown once, at the first of them that came.
        self.possible = self.possible - {None} | {due} if is_sure else self.possible | {due}

    def relative(self, line, is_sure):
        low = line["asked"] + line["span"] - SLACK
        high = line["answered"] + line["span"] + SLACK
        if is_sure and line["reply"].get("next"):
            low, high = (line["reply"]["next"] * 1000 + far for far in (-SLACK, SLACK))
        self.put(Due(low, high), line)

    def cancel(self, line, is_sure):
        if is_sure:
            self.leave(line["answered"])
            self.possible, self.snooze_is_sure = {None}, False
        else:
            self.possible = self.possible | {None}

    def snoozed(self, line, is_sure):
        self.is_put_away = True
        low = line["asked"] + line["span"] - SLACK
        high = line["answered"] + line["span"] + SLACK
        if is_sure and line["reply"].get("next"):
            low, high = (line["reply"]["next"] * 1000 + far for far in (-SLACK, SLACK))
        self.snooze, self.snooze_is_sure = Due(low, high), is_sure

    def dismiss(self, line, is_sure):
        self.is_put_away = True

    def survive(self, struck, looked, listed):
        """The books were damaged at `struck`; at `looked` they listed this. True: it was lost."""
        if self.touched >= struck:
            return False
        if self.snooze and self.snooze.high > struck - RECENT:
            self.snooze_is_sure = False
        found = listed.get(self.identifier)
        if found is not None and not any(due and due.holds(found * 1000) for due in self.possible):
            self.altered = True
            return False
        ahead = {due for due in self.possible if due and due.high > looked}
        behind = self.possible - ahead
        if not ahead:
            # It may have been shown before, or be lost with what told of it.
            self.possible = self.possible | {None} if self.is_recent(struck) else self.possible
            return False
        if found is None:
            self.possible = {None}
            return None not in behind
        self.possible = {due for due in ahead if due.holds(found * 1000)} or self.possible
        return False

    def is_recent(self, struck):
        """Whether it was due so late that the damaged books may have been asked for it."""
        return any(due and due.high > struck - RECENT for due in self.possible)



class Tick:
    """A repeat that is asked for again and again."""

    def __init__(self, line):
        self.anchor, self.unit = line["anchor"], line["unit"]
        self.since = None
        self.lost = []

    def apply(self, line, damages):
        if line["outcome"] != "ok":
            return
        if self.since is None:
            self.since = line["answered"]
        elif not line["reply"].get("unchanged"):
            # Lost, and so made anew.
            if not any(struck < line["answered"] for struck, _, _ in damages):
                self.lost.append(line["asked"])


class Ledger:
    def __init__(self, lines, damages):
        self.items = {}
        self.tick = None
        # Versions of the list in order: (asked, answered, is_sure, rows).
        self.lists = []
        self.duplicates = []
        self.lost_to_damage = 0
        pushed = {}
        events = [(line["asked"], 0, line) for line in lines if line["op"] != "flood"]
        events += [(damage[1], 1, damage) for damage in damages]
        for _, is_damage, event in sorted(events, key=lambda event: event[:2]):
            if is_damage:
                self.lost_to_damage += sum(
                    item.survive(*event) for item in self.items.values())
                pushed = {}
            elif event["op"] == "tick":
                self.tick = self.tick or Tick(event)
                self.tick.apply(event, damages)
            elif event["op"] == "list":
                if event["outcome"] != "refused":
                    self.lists.append((event["asked"], event["outcome"] == "ok", event["rows"]))
            else:
                self.enter(event, pushed)

    def enter(self, line, pushed):
        name = line["id"]
        item = self.items.setdefault(name, Item(name))
        item.apply(line)
        if line["op"] == "push" and line["outcome"] == "ok":
            if name in pushed and not line["reply"].get("duplicate"):
                self.duplicates.append(name)
            pushed[name] = True
