"""What the ledger says of what the sinks wrote down: every breach of a rule, and the figures."""
import bisect
import collections
import re

from chaos_ledger import RECENT, SLACK, Ledger

SECOND = 1_000_000_000
DISKS = ("disk full", "disk readonly", "disk io", "disk block")
ID = re.compile(r"(?P<uuid>[0-9a-f-]{36})\.(?P<generation>\d+)\.(?P<k>-?\d+)(?P<snooze>\.s\d+)?@")
# How soon after its start a board may be killed again and still excuse a delay.
BREATH = SECOND


def is_flipped(one, other):
    """Whether two ids differ in one bit of their uuid alone."""
    one, other = ID.match(one), ID.match(other)
    bits = int(one["uuid"].replace("-", ""), 16) ^ int(other["uuid"].replace("-", ""), 16)
    return bits.bit_count() == 1 and one.group(2, 3, 4) == other.group(2, 3, 4)


class Row:
    """A line of a sink's."""

    def __init__(self, fields):
        self.id = fields["id"]
        self.identifier = fields["identifier"]
        self.attempt, self.due, self.entered = (
            int(fields[name]) for name in ("attempt", "due", "entered"))
        match = ID.match(self.id)
        self.k, self.is_snooze = int(match["k"]), bool(match["snooze"])


class Verdict:
    def __init__(self, board, lines, recorded, said):
        self.ledger = Ledger(lines, board.damages)
        self.windows, self.struck = board.windows, sorted(each[0] for each in board.damages)
        self.down = sorted((start, end) for kind, start, end in self.windows if kind == "down")
        self.end = self.down[-1][1] if self.down else 0
        self.breaches = collections.defaultdict(list)
        self.figures = collections.Counter()
        self.late = {"at work": [], "after a downtime": []}
        self.sinks = {sink: [Row(fields) for fields in rows] for sink, rows in recorded.items()}
        for sink, rows in self.sinks.items():
            self.judge_ids(sink, rows)
            self.judge_attempts(sink, rows)
            if sink != "rogue":
                self.judge_shown(sink, rows)
        self.judge_lateness(self.sinks["steady"])
        self.judge_tick(self.sinks["steady"])
        self.judge_list(said["listed"])
        self.judge_inbox(collections.Counter(said["inbox"]))
        self.judge_sound(said["history"])
        for nid in self.ledger.duplicates:
            self.breach("P9", f"push {nid} came again and was no duplicate")

    def breach(self, rule, text):
        self.breaches[rule].append(text)

    def faults(self, start, end):
        """What was broken then, for whoever looks into a breach."""
        found = [f"{kind} {(low - start) / 1e9:+.2f}..{(high - start) / 1e9:+.2f} s"
                 for kind, low, high in self.windows
                 if low <= end + SECOND and start - SECOND <= high]
        found += [f"damage {(struck - start) / 1e9:+.2f} s" for struck in self.struck
                  if start - SECOND <= struck <= end + 3 * SECOND]
        return f" [{', '.join(found)}]"

    def epoch(self, instant):
        return bisect.bisect(self.struck, instant)

    def overlaps(self, kinds, start, end):
        return any(kind in kinds and low <= end and start <= high
                   for kind, low, high in self.windows)

    def is_due_flipped(self, row):
        """Whether a damage met one bit of the instant when it is due, which nothing else tells."""
        item = self.ledger.items.get(row.identifier)
        if not self.epoch(row.entered):
            return False
        if not item or row.is_snooze:
            # The ledger has no times of the flood; what it shows has been due within the minute.
            return row.entered < row.due and any(
                0 <= row.entered - (row.due ^ 1 << bit) < 60 * SECOND for bit in range(36, 63))
        return not any(due.holds(row.due) for due in item.allowed) and any(
            due.holds(row.due ^ 1 << bit) for due in item.allowed for bit in range(63))

    # D7: one occurrence has one id.

    def judge_ids(self, sink, rows):
        by_due, by_id = {}, {}
        for row in rows:
            if self.is_due_flipped(row):
                self.figures["dues altered by damage"] += 1
            elif row.entered < row.due:
                self.breach("early", f"{sink}: {row.id} {(row.due - row.entered) / 1e6:.3f} ms")
            item = self.ledger.items.get(row.identifier)
            once = row.identifier.startswith("flood") or (
                item and (item.is_push or [1] == [due.low != due.high for due in item.allowed]))
            due = None if once and not row.is_snooze else row.due
            key = (self.epoch(row.entered), row.identifier, row.is_snooze, due)
            if row.is_snooze:
                key = key[:3]
            first = by_due.setdefault(key, row)
            if first.id == row.id:
                pass
            elif item and item.is_push and any(
                    asked < first.entered for asked in item.refusals):
                # Brought again after a refusal, to a board that had forgotten it.
                self.figures["pushes twice, first refused by the disk"] += 1
            elif self.epoch(row.entered) and is_flipped(first.id, row.id):
                # The damaged log is read where its checksums fail, too: the flip met a row's uuid.
                self.figures["ids altered by damage"] += 1
            else:
                self.breach("two ids", f"{sink}: {row.identifier} as {first.id} and {row.id}")
            first = by_id.setdefault((self.epoch(row.entered), row.id), row)
            if abs(first.due - row.due) > SLACK:
                self.breach("two ids", f"{sink}: {row.id} due at {first.due} and {row.due}")

    # D7: attempt 1 was never shown before.

    def judge_attempts(self, sink, rows):
        shows = collections.defaultdict(list)
        for row in rows:
            shows[row.id].append(row)
        self.figures[f"ids at {sink}"] = len(shows)
        for name, found in shows.items():
            first = found[0]
            ends = ("down", sink)
            due = first.entered if self.is_due_flipped(first) else first.due
            if first.attempt > 1 and sink != "rogue" and not self.overlaps(
                    ends, due - 15 * SECOND, first.entered):
                self.breach("attempt", f"{sink}: {name} begins with attempt {first.attempt}")
            for earlier, later in zip(found, found[1:]):
                self.figures[f"repeats at {sink}"] += 1
                if self.epoch(earlier.entered) != self.epoch(later.entered):
                    self.figures["repeats after a damage"] += 1
                elif sink != "rogue" and not self.overlaps(
                        ends, earlier.entered - SECOND, later.entered):
                    self.breach("twice", f"{sink}: {name} twice, and nobody was killed")
                elif later.attempt > 1:
                    pass
                elif self.overlaps(DISKS, first.due - 15 * SECOND, earlier.entered + SECOND):
                    # D8: what the disk did not take may be repeated.
                    self.figures["attempt 1 again, the disk had not taken it"] += 1
                else:
                    self.breach("attempt", f"{sink}: {name} attempts "
                                           f"{[row.attempt for row in found]}"
                                + self.faults(earlier.entered, later.entered))

    # D7, N1, N15, D11, P6: what was acknowledged is shown, what was taken back is not.

    def judge_shown(self, sink, rows):
        shown, snoozed = collections.defaultdict(list), collections.defaultdict(list)
        for row in rows:
            (snoozed if row.is_snooze else shown)[row.identifier].append(row)
            item = self.ledger.items.get(row.identifier)
            if item and not item.altered:
                self.judge_row(sink, item, row)
            elif not item and not row.identifier.startswith(("flood", "tick")):
                if self.epoch(row.entered):
                    self.figures["altered by damage"] += 1
                else:
                    self.breach("unasked", f"{sink}: {row.id} of {row.identifier}")
        for item in self.ledger.items.values():
            self.judge_item(sink, item, shown[item.identifier], snoozed[item.identifier])

    def judge_row(self, sink, item, row):
        if row.is_snooze:
            if item.snooze and item.snooze.holds(row.due):
                pass
            elif self.epoch(row.entered) and any(due.holds(row.due) for due in item.allowed):
                # One bit of a row's head makes a snooze of what nobody has snoozed.
                self.figures["altered by damage"] += 1
            else:
                self.breach("unasked", f"{sink}: {row.id} of {row.identifier} due {row.due}, "
                                       f"snoozed until {item.snooze}; {item.story}"
                            + self.faults(row.entered, row.entered))
            return
        fitting = [(due, gone) for due, gone in item.allowed.items() if due.holds(row.due)]
        if not fitting:
            if self.epoch(row.entered):
                self.figures["altered by damage"] += 1
            else:
                self.breach("unasked", f"{sink}: {row.id} of {row.identifier} due {row.due}, "
                                       f"entered {row.entered}: {item.story}")
        elif all(gone is not None and gone < due.low for due, gone in fitting):
            if self.epoch(row.entered):
                self.figures["back after a damage"] += 1
            else:
                self.breach("taken back", f"{sink}: {row.id} of {row.identifier}")

    def judge_item(self, sink, item, shown, snoozed):
        if item.altered:
            return
        if item.snooze_is_sure:
            self.figures[f"snoozes owed at {sink}"] += 1
            if not snoozed and not self.was_queued(sink, [item.snooze]):
                self.breach("lost", f"{sink}: the snooze of {item.identifier} due "
                                    f"{item.snooze.low}"
                                    + self.faults(item.touched, item.snooze.low))
        if None in item.possible or item.is_put_away:
            return
        if max(due.low for due in item.possible) > self.end + 3600 * SECOND:
            return
        self.figures[f"alerts owed at {sink}"] += 1
        if not any(due.holds(row.due) for due in item.possible for row in shown) \
                and not self.was_queued(sink, item.possible):
            self.breach("lost", f"{sink}: {item.identifier} due "
                                f"{[due.low for due in item.possible]}"
                                + self.faults(item.touched, max(
                                    due.low for due in item.possible)))

    def was_queued(self, sink, dues):
        """Whether a damage met the books while that sink, which is slow, may not have come to it."""
        found = any(due.low <= struck < due.high + RECENT + self.behind(sink, struck)
                    for due in dues for struck in self.struck)
        self.figures[f"lost in the queue of {sink} to damage"] += found
        return found

    def behind(self, sink, instant):
        """How far that sink was behind, by what it showed in the seconds before."""
        return max((row.entered - row.due for row in self.sinks[sink]
                    if instant - 3 * SECOND <= row.entered <= instant), default=0)

    # D8, A2, D9: the alarms of the quiet user and of the ward are on time.

    def judge_lateness(self, rows):
        seen = set()
        for row in rows:
            if not row.identifier.startswith(("quiet-", "ward-")) or row.id in seen:
                continue
            seen.add(row.id)
            ready = self.ready(row.due)
            kind = "at work" if ready == row.due else "after a downtime"
            self.late[kind].append((max(0, row.entered - ready) / 1e6, row.identifier))

    def ready(self, due):
        """When a board that is down at `due` has come up, for longer than a breath."""
        place = max(0, bisect.bisect(self.down, (due, 0)) - 2)
        ready = due
        for start, end in self.down[place:]:
            if start - BREATH // 10 <= ready <= end or (
                    ready > due and start <= ready + BREATH and end > ready):
                ready = end
            elif start > ready + BREATH:
                break
        return ready

    # T4, T10: each occurrence of a repeat, but those that fold into a later one after a downtime.

    def judge_tick(self, rows):
        tick = self.ledger.tick
        if not tick:
            return
        for asked in tick.lost:
            self.breach("lost", f"the repeat was not there at {asked}")
        dues = set()
        for row in rows:
            if row.identifier == "tick":
                dues.add(row.due)
                if (row.due - tick.anchor) % tick.unit or (
                        not self.struck and row.k != (row.due - tick.anchor) // tick.unit):
                    self.breach("repeat", f"{row.id} due {row.due}, anchor {tick.anchor}")
        self.figures["ticks"] = len(dues)
        if not dues or self.struck:
            return
        for due in range(min(dues), max(dues), tick.unit):
            if due not in dues and not self.overlaps(("down",), due - SECOND, due + 2 * SECOND):
                self.breach("lost", f"the repeat was silent at {due}")

    # N16, D7: the list at the end.

    def judge_list(self, listed):
        rows = {row["notification"]["identifier"]: row for row in listed
                if row["app"] != "chaos.list"}
        for item in self.ledger.items.values():
            if item.altered:
                continue
            row = rows.get(item.identifier)
            at = (row.get("next") or 0) * 1000 if row else None
            if row and not any(due and due.holds(at) for due in item.possible):
                self.breach("list", f"{item.identifier} is listed for {at}")
            far = [due for due in item.possible if due and due.low > self.end + 3600 * SECOND]
            if far and len(far) == len(item.possible):
                self.figures["far ones owed to the list"] += 1
                if not row:
                    self.breach("lost", f"{item.identifier} is not in the list")
        found = {row["notification"]["identifier"]: row["next"] * 1000 for row in listed
                 if row["app"] == "chaos.list"}
        versions = self.ledger.lists
        last = max((place for place, each in enumerate(versions) if each[1]), default=0)
        wanted = [each[2] for each in versions[last:]]
        if versions and not (versions[last][0] < max(self.struck, default=0)):
            if found not in wanted and (found or versions[last][1]):
                self.breach("list", f"the replaced list is {found}, not one of {wanted}")

    # P6, P9: each push that was taken is in the inbox, once.

    def judge_inbox(self, entries):
        for nid, count in entries.items():
            if count > 1:
                self.breach("P9", f"push {nid} is {count} times in the inbox")
        for item in self.ledger.items.values():
            if item.is_stored and item.touched > max(self.struck, default=0):
                self.figures["pushes owed to the inbox"] += 1
                if item.identifier not in entries:
                    self.breach("lost", f"push {item.identifier} is not in the inbox")

    # S6: nobody silences a critical sound.

    def judge_sound(self, history):
        for row in history:
            if row["sink"] == "speaker" and row["identifier"].startswith("ward-"):
                self.figures["critical sounds in the history"] += 1
                if "sound-busy" in (row.get("reason") or ""):
                    self.breach("S6", f"{row['occurrence']} ended sound-busy")


def percentiles(values):
    """p50, p99 and the largest."""
    values = sorted(values)
    return [values[min(len(values) - 1, int(len(values) * part))] for part in (0.5, 0.99, 1)]
