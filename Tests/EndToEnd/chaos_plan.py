"""What becomes of the board in each of its lives, dealt from a seed.

Every kind of fault is a card of a deck that is dealt to its end before it is shuffled again, so
that even a short run has each of them.
"""
import dataclasses
import random

FAILPOINTS = (
    "schedule-before-commit", "schedule-after-commit", "schedule-after-reply",
    "push-before-commit", "push-after-commit", "push-after-reply", "prepare-before-intent",
    "prepare-after-intent", "handover-before", "handover-after", "acknowledge-before-record",
    "acknowledge-after-record")
DISKS = ("full", "readonly", "io", "block 5000")
CHILDREN = ("kill worker", "stop worker", "kill speaker")
DAMAGES = ("header", "bits", "page", "swap", "cut", "log")
# What becomes of the books while belfryd runs on them.
FILES = ("empty log", "cut log", "replace books", "remove books", "link books")


class Deck:
    """Deals all its cards in random order, and then all of them again."""

    def __init__(self, generator, cards):
        self.generator = generator
        self.cards = cards
        self.left = []

    def deal(self):
        if not self.left:
            self.left = list(self.cards)
            self.generator.shuffle(self.left)
        return self.left.pop()


@dataclasses.dataclass
class Life:
    number: int
    # A failpoint with its count, "kill" or "stop".
    end: str
    seconds: float
    # How long it stays down afterwards.
    rest: float
    # Damage to the store before it starts, or None.
    damage: str | None
    # The disk forgets what was not synced when it is killed.
    forgets: bool
    # (what, after how many seconds, for how many), in order of time.
    faults: list


class Plan:
    """Lives without end; the same ones for the same seed."""

    def __init__(self, seed, damages=True, span=(0.5, 1.6)):
        self.random = random.Random(f"{seed} plan")
        self.span = span
        # Half of the kills come at a moment, half at a step.
        self.ends = Deck(self.random, [*FAILPOINTS, *["kill"] * 12, "stop"])
        self.disks = Deck(self.random, [*DISKS, None, None, None])
        self.children = Deck(self.random, [*CHILDREN, None])
        self.blows = Deck(self.random, [*DAMAGES, *[None] * 90] if damages else [None])
        # The store of the first lives are too young to be damaged.
        self.young = 4
        self.forgets = Deck(self.random, [True, False, False])
        # By random numbers of its own, so that the lives of a seed are what they were.
        self.apart = random.Random(f"{seed} files")
        self.files = Deck(self.apart, [*FILES, *[None] * 20] if damages else [None])

    def short(self):
        """A dozen lives on whole books, then every damage in the next dozen."""
        self.blows.cards = [*DAMAGES, *[None] * 6]
        self.files.cards = [None]
        self.young = 12
        return self

    def lives(self):
        number = 0
        while True:
            number += 1
            yield self.life(number)

    def life(self, number):
        generator = self.random
        end, seconds = self.ends.deal(), generator.uniform(*self.span)
        if end in FAILPOINTS:
            end = f"{end}:{generator.randrange(1, 8)}"
        faults = [(what, generator.uniform(0, seconds * 0.6), generator.uniform(0.2, 0.8))
                  for what in (self.disks.deal(), self.children.deal()) if what]
        damage = self.blows.deal() if number > self.young else None
        rest, forgets = generator.choice([0, 0, generator.uniform(0, 0.4)]), self.forgets.deal()
        # What a disk forgets does not stand in its files.
        what = self.files.deal() if number > self.young and not forgets else None
        if what:
            faults.append((what, self.apart.uniform(0, seconds * 0.6), 1))
        return Life(
            number=number, end=end, seconds=seconds, rest=rest, damage=damage, forgets=forgets,
            faults=sorted(faults, key=lambda fault: fault[1]))
