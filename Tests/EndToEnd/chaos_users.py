"""The users of the chaos run, each in a process of its own with a uid of its own.

The quiet one has a few alarms at exact times, the ordinary one does everything that one can do, the
flooding one asks for as much as he can get, and the ward is root with critical alarms that sound.
"""
import multiprocessing
import os
import random
import time
import traceback
import uuid
import warnings

from belfry_harness import Connection, Refused, microseconds
from chaos_client import Asker, Broken, CommandClient, Down, Journal, PackageClient, RawClient

FAR = 365 * 86400
NOISES = 24
# What takes the clock the longest of all that an RRULE may say.
SIXTY = ",".join(map(str, range(60)))
PLACES = ",".join(map(str, [*range(1, 367), *range(-366, 0)]))
COSTLY = f"FREQ=HOURLY;COUNT=1000000;BYMINUTE={SIXTY};BYSECOND={SIXTY};BYSETPOS={PLACES}"


class User:
    uid = 0
    clients = (RawClient,)
    pause = (0.01, 0.05)

    def __init__(self, name, socket, folder, seed):
        self.name = name
        self.socket = socket
        self.journal = Journal(os.path.join(folder, f"{name}.journal"))
        self.random = random.Random(f"{seed} {name}")
        self.count = 0
        self.stopping = multiprocessing.get_context("fork").Event()
        self.process = None

    def start(self):
        self.process = multiprocessing.get_context("fork").Process(target=self.live, daemon=True)
        self.process.start()

    def stop(self):
        self.stopping.set()
        self.process.join(60)
        if self.process.exitcode != 0:
            raise AssertionError(f"{self.name} ended with {self.process.exitcode}")

    def live(self):
        try:
            os.setgroups([])
            os.setgid(self.uid)
            os.setuid(self.uid)
            # The package leaves its socket open where nobody answers.
            warnings.simplefilter("ignore", ResourceWarning)
            self.asker = Asker(self.socket, self.clients, self.journal, self.random)
            while not self.stopping.wait(self.random.uniform(*self.pause)):
                try:
                    self.step()
                except Down:
                    time.sleep(0.01)
            self.asker.close()
        except BaseException:
            traceback.print_exc()
            os._exit(1)

    def fresh(self):
        self.count += 1
        return f"{self.name}-{self.count}"

    def schedule(self, identifier, seconds, **more):
        due = microseconds(seconds)
        only = ("raw", "package") if set(more) - {"operation"} else None
        operation = more.pop("operation", "schedule")
        return self.asker.ask(operation, identifier, "Schedule", {"notification": {
            "identifier": identifier, "alertBody": "x", "fireDate": due, **more}},
            only=only, due=due * 1000)

    def step(self):
        raise NotImplementedError


class Quiet(User):
    uid = 64101
    clients = (RawClient, CommandClient)
    pause = (0.15, 0.3)

    def step(self):
        level = self.random.choice([{}, {"interruptionLevel": "timeSensitive"}])
        self.schedule(self.fresh(), self.random.uniform(0.8, 3), **level)


class Ward(User):
    """Root, whose alarms are critical and sound."""
    pause = (0.5, 1)

    def step(self):
        self.schedule(self.fresh(), self.random.uniform(0.8, 2.5), interruptionLevel="critical",
                      soundName="ding.wav")


class Ordinary(User):
    uid = 64102
    clients = (RawClient, PackageClient, CommandClient)
    # How often each is done.
    DEEDS = {"near": 30, "at_once": 10, "relative": 6, "far": 8, "cancel": 10, "replace": 10,
             "snooze": 8, "dismiss": 4, "push": 10, "present": 5, "replace_list": 3, "tick": 4}

    def __init__(self, *words):
        super().__init__(*words)
        self.pending = {}
        self.pushed = []
        self.anchor = microseconds(2)

    def step(self):
        deed, = self.random.choices(list(self.DEEDS), self.DEEDS.values())
        getattr(self, deed)()

    def near(self):
        identifier, seconds = self.fresh(), self.random.uniform(0, 2.5)
        self.pending[identifier] = time.time() + seconds
        self.schedule(identifier, seconds)

    def at_once(self):
        # Due when it comes: a kill finds it between the commit and the hand-over.
        self.schedule(self.fresh(), -0.001, operation="now")

    def relative(self):
        identifier, span = self.fresh(), self.random.randrange(100_000, 2_000_000)
        self.asker.ask("relative", identifier, "Schedule", {"notification": {
            "identifier": identifier, "alertBody": "x", "fireIn": span}},
            only=("raw", "package"), span=span * 1000)

    def far(self):
        far = [name for name, due in self.pending.items() if due > time.time() + FAR / 2]
        if len(far) > 60:
            self.drop(self.random.choice(far))
            return
        identifier = self.fresh()
        self.pending[identifier] = time.time() + FAR
        self.schedule(identifier, FAR)

    def drop(self, identifier):
        self.pending.pop(identifier)
        self.asker.ask("cancel", identifier, "Cancel", {"identifiers": [identifier]})

    def ahead(self, seconds):
        """One that is due so much later, or None."""
        names = [name for name, due in self.pending.items() if due > time.time() + seconds]
        return self.random.choice(names) if names else None

    def cancel(self):
        if identifier := self.ahead(0.05):
            self.drop(identifier)

    def replace(self):
        if identifier := self.ahead(0.05):
            seconds = self.random.uniform(0.1, 2.5)
            self.pending[identifier] = time.time() + seconds
            self.schedule(identifier, seconds)

    def put_away(self, operation, parameters, **facts):
        now = time.time()
        for name, due in list(self.pending.items()):
            if due < now - 5:
                del self.pending[name]
        shown = [name for name, due in self.pending.items() if due < now - 0.3]
        if shown:
            identifier = self.random.choice(shown)
            del self.pending[identifier]
            self.asker.ask(operation.lower(), identifier, operation,
                           {"id": identifier, **parameters}, **facts)

    def snooze(self):
        span = self.random.randrange(1_000_000, 2_000_000)
        self.put_away("Snooze", {"duration": span}, span=span * 1000, only=("raw", "package"))

    def dismiss(self):
        self.put_away("Dismiss", {})

    def push(self):
        if self.pushed and self.random.random() < 0.4:
            nid = self.random.choice(self.pushed[-4:])
        else:
            nid = str(uuid.UUID(int=self.random.getrandbits(128), version=4))
            self.pushed.append(nid)
        self.asker.ask("push", nid, "Push", {"payload": {
            "aps": {"alert": "x"}, "ck": {"nid": nid}}})

    def present(self):
        identifier = self.fresh()
        self.asker.ask("now", identifier, "PresentNow", {"notification": {
            "identifier": identifier, "alertBody": "x"}}, only=("raw", "package"))

    def replace_list(self):
        names = [f"list-{self.random.randrange(40)}" for _ in range(self.random.randrange(1, 12))]
        names = sorted(set(names))
        rows = [{"identifier": name, "alertBody": "x",
                 "fireDate": self.anchor + (FAR + self.random.randrange(10)) * 1_000_000}
                for name in names]
        self.asker.ask("list", "list", "ReplaceAll", {
            "app": "chaos.list", "notifications": rows, "final": True},
            only=("raw", "package"),
            rows={row["identifier"]: row["fireDate"] * 1000 for row in rows})

    def tick(self):
        # The same again and again: unchanged as long as nobody lost it.
        self.asker.ask("tick", "tick", "Schedule", {"notification": {
            "identifier": "tick", "alertBody": "x", "fireDate": self.anchor,
            "repeatInterval": "second", "every": 2}}, only=("raw", "package"),
            anchor=self.anchor * 1000, unit=2_000_000_000)


class Flood(User):
    """Asks in bursts and waits for nothing between the calls."""
    uid = 64103
    pause = (0.1, 0.5)
    # Whether the rules that cost most are asked for.
    costly = os.environ.get("BELFRY_CHAOS_COSTLY", "0") == "1"

    def step(self):
        try:
            connection = Connection(self.socket)
        except OSError as error:
            raise Down from error
        outcomes = {"ok": 0, "refused": 0}
        with connection:
            calls = list(self.burst())
            try:
                for method, parameters in calls:
                    connection.send(method, parameters)
                for _ in calls:
                    try:
                        connection.result()
                        outcomes["ok"] += 1
                    except Refused:
                        outcomes["refused"] += 1
            except (OSError, Broken):
                pass
        self.journal.write(op="flood", id="", asked=0, calls=len(calls), **outcomes)

    def burst(self):
        kind = self.random.randrange(8)
        if kind < 3:
            for _ in range(60):
                yield "PresentNow", {"notification": {
                    "identifier": self.fresh(), "alertBody": "x",
                    "soundName": f"noise-{self.random.randrange(NOISES)}.wav",
                    "interruptionLevel": "critical"}}
        elif kind < 5:
            for _ in range(200):
                yield "Schedule", {"notification": {
                    "identifier": f"{self.name}-far-{self.random.randrange(50)}",
                    "alertBody": "x" * 200, "fireDate": microseconds(FAR)}}
        elif kind < 6:
            yield "CancelAll", {}
        elif kind < 7:
            for _ in range(300):
                yield self.random.choice(["List", "History", "Status"]), {}
        elif self.costly:
            for number in range(8):
                yield "Schedule", {"notification": {
                    "identifier": f"{self.name}-costly-{number}", "alertBody": "x",
                    "fireDate": microseconds(FAR), "rrule": COSTLY}}
