"""The board of the chaos run: one belfryd after the other on the same books, and all its faults."""
import collections
import os
import random
import signal
import subprocess
import time

from belfry_harness import (
    PATIENCE, ROOT, Daemon, Refused, built_plugin, recorder_section, wait_until)
from chaos_damage import damage, meddle
from chaos_plan import FILES
from chaos_users import NOISES
from sound_devices import tone, wav

CONFIGURATION = """[clock]
trust = always
[limits]
notifications = 2000
inbox = 100000
[sound]
device = paced
"""


def counted(what):
    """The fault's name among the counts."""
    return what if what.startswith(("kill", "stop")) or what in FILES else "disk " + what.split()[0]


class Board:
    """Carries out a plan; keeps what happened when, in nanoseconds since 1970 UTC."""

    def __init__(self, seed, say=lambda text: None):
        self.random = random.Random(f"{seed} board")
        self.say = say
        self.counts = collections.Counter()
        # (kind, start, end): "down" for belfryd, "disk …", and "battered" for that worker.
        self.windows = []
        # (instant of the damage, instant of the list, listed by identifier).
        self.damages = []
        self.problems = []
        self.stopped = []
        self.struck, self.looks = 0, 0
        # Faults that a life was too short for and that never were yet: the next one has them first.
        self.owed = []
        self.healthy = ""
        self.daemon = Daemon(test_build=True)
        folder = self.daemon.directory
        os.chmod(folder, 0o755)
        self.outs = {}
        sections = []
        for name in ("steady", "battered", "rogue"):
            section, self.outs[name] = recorder_section(folder, name)
            sections.append(section + ("takes = 4\n" if name == "battered" else ""))
        sections[-1] = sections[-1].replace(
            os.path.join(folder, "recorder.so"), built_plugin(folder, "rogue"))
        sections.append(f"seed = {self.random.randrange(1 << 30)}\n")
        self.daemon.configure(CONFIGURATION + "".join(sections))
        self.words = os.path.join(folder, "disk")
        self.daemon.environment.update(
            BELFRY_TEST_VFS=self.words, ALSA_CONFIG_PATH=self.sound_device(folder))
        self.disk("")

    def sound_device(self, folder):
        """An ALSA device that takes as long as a real one; the sound lies in DIR/sounds."""
        plugin = os.path.join(folder, "pcm.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-DPIC", "-o", plugin,
                        f"{ROOT}/Tests/Fixtures/belfry_pcm.c", "-lasound"], check=True)
        path = os.path.join(folder, "asound.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(f'pcm_type.belfry {{ lib "{plugin}" }}\n'
                       'pcm.paced { type belfry log "/dev/null" }\n')
        os.makedirs(os.path.join(folder, "sounds"))
        # Equal sounds of one moment sound once, so the flood has many.
        for name in ("ding", *(f"noise-{number}" for number in range(NOISES))):
            with open(os.path.join(folder, "sounds", f"{name}.wav"), "wb") as file:
                file.write(wav(tone(0.1 if name == "ding" else 0.3)))
        return path

    def disk(self, text):
        with open(self.words + ".new", "w", encoding="ascii") as file:
            file.write(text)
        os.rename(self.words + ".new", self.words)

    @property
    def books(self):
        return os.path.join(self.daemon.directory, "books.sqlite")

    def live(self, life):
        """One life: what was broken before it, its faults, and its end."""
        if life.damage:
            self.strike(life.damage)
        self.healthy = "forget" if life.forgets else ""
        self.counts["disk forgets"] += life.forgets
        self.disk(self.healthy)
        self.start({} if life.end in ("kill", "stop") else {"BELFRY_FAILPOINT": life.end})
        self.look()
        began = time.monotonic()
        faults = [(what, 0, span) for what, _, span in self.owed] + life.faults
        missed = []
        while time.monotonic() - began < life.seconds and self.alive():
            if faults and time.monotonic() - began >= faults[0][1]:
                fault = faults.pop(0)
                if not self.fault(fault[0], fault[2]):
                    missed.append(fault)
            time.sleep(0.005)
        self.owed = [each for each in missed + faults if self.counts[counted(each[0])] == 0]
        self.end(life.end)
        self.resume()
        time.sleep(life.rest)

    def alive(self):
        if self.daemon.process.poll() is None:
            self.seen = time.time_ns()
            return True
        return False

    def start(self, environment):
        """Starts it and waits for its socket; the time without one is a window."""
        began = time.monotonic()
        self.daemon.start(wait=False, **environment)
        self.seen = time.time_ns()
        while True:
            try:
                answers = self.daemon.answers()
            except AssertionError:
                # It reached its failpoint before anybody asked, or did not bear what it found.
                status = self.daemon.process.returncode
                if status != -signal.SIGKILL or "BELFRY_FAILPOINT" not in environment:
                    self.give_up(f"belfryd ended with {status} at its start")
                break
            if answers:
                break
            if time.monotonic() - began > PATIENCE:
                self.give_up(f"belfryd does not answer {PATIENCE} s after its start")
                break
            time.sleep(0.003)
        self.close_window()

    def close_window(self):
        if self.windows and self.windows[-1][0] == "down" and self.windows[-1][2] is None:
            self.windows[-1] = ("down", self.windows[-1][1], time.time_ns())

    def give_up(self, problem):
        """Says what is wrong, and goes on with new books."""
        self.problems.append(f"{problem}: {self.daemon.log_text()[-600:]}")
        self.daemon.kill()
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(self.books + suffix):
                os.rename(self.books + suffix, f"{self.books}.unusable{len(self.problems)}{suffix}")
        self.damages.append((time.time_ns(), time.time_ns(), {}))
        self.disk("")
        self.daemon.start()

    def end(self, how):
        if not self.alive():
            self.counts["kill by failpoint"] += 1
            since = self.seen
        elif how == "stop":
            since = time.time_ns()
            self.daemon.process.send_signal(signal.SIGTERM)
            try:
                status = self.daemon.process.wait(PATIENCE)
                if status != 0:
                    self.problems.append(f"belfryd ended with {status} after SIGTERM")
            except subprocess.TimeoutExpired:
                self.problems.append(f"belfryd did not stop in {PATIENCE} s of SIGTERM")
                self.daemon.kill()
            self.counts["stop"] += 1
        else:
            since = time.time_ns()
            self.daemon.kill()
            self.counts["kill"] += 1
        status = self.daemon.process.returncode
        if how != "stop" and status != -signal.SIGKILL:
            self.problems.append(f"belfryd ended by itself with {status}: "
                                 f"{self.daemon.log_text()[-600:]}")
        self.windows.append(("down", since, None))

    @property
    def kills(self):
        return self.counts["kill"] + self.counts["kill by failpoint"]

    def fault(self, what, span):
        """Whether it could be done."""
        began = time.time_ns()
        if what == "kill speaker":
            return self.strike_child("speaker", signal.SIGKILL, what, span) is not None
        if what == "kill worker":
            return self.strike_child("battered", signal.SIGKILL, what, span) is not None
        if what == "stop worker":
            pid = self.strike_child("battered", signal.SIGSTOP, what, span)
            if pid:
                self.stopped.append(pid)
                self.nap(span)
                self.resume()
            return pid is not None
        if what in FILES:
            return self.meddle(what, span)
        self.disk(f"{self.healthy} {what}")
        self.counts[counted(what)] += 1
        self.nap(span)
        self.disk(self.healthy)
        self.windows.append((f"disk {what.split()[0]}", began, time.time_ns()))
        return True

    def meddle(self, what, span):
        """Somebody is at the books of a running belfryd, which writes them anew before its next answer.
        Where it dies before, or says that something is lost, that counts as a damage."""
        began, before = time.time_ns(), len(self.daemon.log_text())
        try:
            meddle(self.books, what)
        except FileNotFoundError:
            return False
        self.counts[what] += 1
        until = time.monotonic() + span
        while time.monotonic() < until and self.alive():
            said = self.daemon.log_text()[before:]
            if "under belfryd" in said and "is lost" not in said:
                return True
            time.sleep(0.005)
        self.struck, self.looks = began, 2
        return True

    def nap(self, span):
        until = time.monotonic() + span
        while time.monotonic() < until and self.alive():
            time.sleep(0.005)

    def strike_child(self, name, number, what, span):
        """Waits for that child and signals it; its pid, or None."""
        until = time.monotonic() + span
        while time.monotonic() < until and self.alive():
            if pid := self.child(name):
                began = time.time_ns()
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    continue
                self.counts[what] += 1
                self.windows.append((name, began, began + 1_000_000_000))
                return pid
            time.sleep(0.01)
        return None

    def child(self, name):
        """The pid of that plugin's worker or of the speaker."""
        try:
            with self.daemon.connect(5) as connection:
                status = connection.call("Status")["status"]
        except (OSError, Refused):
            return None
        children = [*status["plugins"], status.get("speaker") or {}]
        return next((each.get("pid") for each in children if each.get("name") == name), None)

    def resume(self):
        for pid in self.stopped:
            try:
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
        self.stopped = []

    def strike(self, kind):
        """Damages the books between two lives."""
        self.say(f"damage {kind}: {damage(self.books, kind, self.random)}")
        self.counts["damage " + kind] += 1
        self.struck, self.looks = time.time_ns(), 2

    def look(self):
        """What is left after a damage: also in the second life, since what is met only while it
        runs is mended at the next start."""
        if self.looks == 0 or not self.alive():
            return
        try:
            rows = self.daemon.listed() + self.daemon.listed(snoozed=True)
        except OSError:
            # It reached its failpoint: the next life is looked at.
            return
        except Refused as error:
            self.problems.append(f"after a damage List says {error}")
            return
        self.looks -= 1
        self.damages.append((self.struck, time.time_ns(), {
            row["notification"]["identifier"]: row.get("next") for row in rows}))

    def finish(self, is_done, seconds):
        """A last life without faults, until all that is due has come; what it says at the end."""
        self.disk("")
        self.start({})
        self.look()
        try:
            wait_until(is_done, seconds, "everything that is due")
        except AssertionError as error:
            self.problems.append(str(error))
        said = {"listed": self.daemon.listed(), "history": self.daemon.history()}
        with self.daemon.connect() as connection:
            pages = connection.stream("FetchInbox", {"app": "user.64102", "limit": 1000})
            said["inbox"] = [entry["id"] for page in pages for entry in page["entries"]]
        return said
