"""S6: nobody silences anybody else. Turns and shares in the speaker's queue, critical sounds that
interrupt, and who may be critical; several real users on one daemon of root's, by a clock that the
test moves."""
import array
import itertools
import os

from belfry_harness import Connection, microseconds, recorded, recorder_section
from sound_devices import RATE, give_devices, wav
from test_apps import ALICE, BOB, CAROL, Apps, acting_as

WARD = 15001
TIME_SENSITIVE, CRITICAL = "2", "3"
INTERRUPTED = "interrupted by a critical sound"


def steady(value, seconds):
    """A WAV file whose every sample is `value`."""
    return wav(array.array("h", [value]).tobytes() * int(RATE * seconds))


class Critical(Apps):
    def sounding(self, more=""):
        """A board whose speaker plays in real time; what it played stands in DIR/played."""
        daemon = self.stepped_daemon(start=False)
        folder = daemon.directory
        os.chmod(folder, 0o755)
        give_devices(
            daemon,
            f'pcm.paced {{ type belfry log "{folder}/played" append 1 rate {RATE} channels 1 }}')
        daemon.configure(f"[sound]\ndevice = paced\n{more}")
        return daemon

    def place(self, daemon, name, value, seconds):
        with open(os.path.join(daemon.directory, "sounds", name), "wb") as file:
            file.write(steady(value, seconds))

    def played(self, daemon):
        """(value, samples) of each run of equal samples, in order."""
        try:
            with open(os.path.join(daemon.directory, "played"), "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return []
        samples = array.array("h", data[:len(data) // 2 * 2])
        runs = []
        for sample in samples:
            if runs and runs[-1][0] == sample:
                runs[-1][1] += 1
            else:
                runs.append([sample, 1])
        return [tuple(run) for run in runs]

    def end(self, daemon, identifier):
        """The history row of a sound that has ended; None: it has not."""
        return next((found for found in daemon.history()
                     if found["identifier"] == identifier and found["sink"] == "speaker"
                     and found["state"] in ("delivered", "failed", "withdrawn", "unknown")), None)

    def ended(self, daemon, identifier):
        return daemon.until(lambda: self.end(daemon, identifier), f"the end of {identifier}")

    def flood(self, daemon, uid, level):
        """Each `next` presents 20 sounds in a second, each another one than the one before."""
        connection = self.connection(daemon, uid)
        for number in itertools.count(1):
            connection.call("PresentNow", {"notification": {
                "identifier": f"flood{number}", "soundName": f"flood{number % 3}.wav",
                "interruptionLevel": level}})
            daemon.run(0.05)
            if number % 20 == 0:
                yield

    def before(self, sound, rows):
        """How many of Alice's sounds were played between a sound's due instant and its end."""
        count = sum(row["app"] == f"user.{ALICE}" and row["state"] == "delivered"
                    and sound["due"] < row["acknowledged"] <= sound["acknowledged"] for row in rows)
        late = (sound["acknowledged"] - sound["due"]) / 1e6
        print(f"{sound['identifier']}: after {count} of the flood's, {late:.2f} s after its due")
        return count

    def flooded(self, level):
        """One user floods; another's alarm and a third's critical one are heard as they should."""
        daemon = self.sounding(f"[access]\ncritical = {WARD}\n")
        for number in range(3):
            self.place(daemon, f"flood{number}.wav", 100 + number, 1)
        self.place(daemon, "alarm.wav", 3000, 0.5)
        self.place(daemon, "ward.wav", 5000, 0.5)
        daemon.start()
        flood = self.flood(daemon, ALICE, level)
        for _ in range(2):
            next(flood)
        self.assertGreaterEqual(len(self.played(daemon)), 2, "two sounds of the flood")
        self.connection(daemon, BOB).call("Schedule", {"notification": {
            "identifier": "alarm", "soundName": "alarm.wav", "fireDate": daemon.microseconds(1.4)}})
        reply = self.connection(daemon, CAROL, [WARD]).call("Schedule", {"notification": {
            "identifier": "ward", "soundName": "ward.wav", "interruptionLevel": "critical",
            "fireDate": daemon.microseconds(5.7)}})
        self.assertNotIn("note", reply)
        for _ in range(12):
            next(flood)
        alarm, ward = self.end(daemon, "alarm"), self.end(daemon, "ward")
        self.assertEqual((alarm["state"], ward["state"]), ("delivered", "delivered"))
        runs = self.played(daemon)
        self.assertIn((3000, RATE // 2), runs)
        self.assertIn((5000, RATE // 2), runs)
        rows = [row for row in daemon.history() if row["sink"] == "speaker"]
        # Not more than its turn: the one that played. A critical one waits for nobody.
        self.assertEqual(self.before(alarm, rows), 1)
        self.assertEqual(self.before(ward, rows), 0)
        busy = {row["app"] for row in rows if row["reason"] == "sound-busy"}
        self.assertEqual(busy, {f"user.{ALICE}"}, "the flood costs its own user")
        self.assertGreater(sum(row["reason"] == "sound-busy" for row in rows), 20)

    def test_S6_a_flood_of_sounds_silences_nobody_else(self):
        self.flooded("active")

    def test_S6_a_flood_that_calls_itself_timeSensitive_silences_nobody_else(self):
        self.flooded("timeSensitive")

    def test_S6_a_critical_flood_without_the_right_to_it_interrupts_nobody(self):
        self.flooded("critical")

    def test_S6_a_critical_sound_interrupts_a_long_one_which_plays_again(self):
        daemon = self.sounding()
        self.place(daemon, "long.wav", 100, 10)
        self.place(daemon, "ward.wav", 5000, 0.5)
        daemon.start()
        daemon.schedule(identifier="long", soundName="long.wav", fireDate=daemon.microseconds(0.3))
        # Beyond 50 ms of its due, within which the critical one would merely go first.
        daemon.until(
            lambda: sum(count for _, count in self.played(daemon)) > RATE, "a second of it")
        daemon.call("PresentNow", {"notification": {
            "identifier": "ward", "soundName": "ward.wav", "interruptionLevel": "critical"}})
        ward, long = self.ended(daemon, "ward"), self.ended(daemon, "long")
        self.assertEqual((ward["state"], long["state"]), ("delivered", "delivered"))
        self.assertIn(INTERRUPTED, long["reason"])
        runs = self.played(daemon)
        self.assertEqual([value for value, _ in runs], [100, 5000, 100])
        self.assertLess(runs[0][1], 2 * RATE)
        self.assertEqual(runs[1:], [(5000, RATE // 2), (100, 10 * RATE)])


class Rights(Apps):
    def witnessed(self, configuration=""):
        daemon = self.board(stepped=True)
        section, out = recorder_section(daemon.directory, "witness")
        self.base = f"[sound]\nenabled = no\n{section}"
        daemon.configure(self.base + configuration)
        return daemon, out

    def critical(self, daemon, uid, identifier, groups=(), seconds=None, **more):
        """Presents, or schedules, a critical alert; the reply."""
        notification = {
            "identifier": identifier, "alertBody": identifier, "interruptionLevel": "critical"}
        if seconds is not None:
            notification["fireDate"] = daemon.microseconds(seconds)
        with acting_as(uid, groups), Connection(daemon.socket) as connection:
            return connection.call(
                "PresentNow" if seconds is None else "Schedule",
                {"notification": notification, **more})

    def level(self, daemon, out, identifier):
        """The level that the plugin was told."""
        daemon.settle()
        return next((row["level"] for row in recorded(out) if row["identifier"] == identifier), None)

    def assertDemoted(self, reply):
        self.assertEqual(reply["interruptionLevel"], "timeSensitive")
        self.assertIn("may not be critical", reply["note"])

    def test_S6_who_may_be_critical(self):
        daemon, out = self.witnessed(
            f"[access]\ncritical = {WARD}\ngroup = {WARD + 1}\n"
            "[app:chosen]\ncritical = yes\n[app:mute]\ncritical = no\n")
        self.manifest(daemon, "listed", "critical = yes\n")
        daemon.start()
        may = {"root": (0, [], None), "ward": (BOB, [WARD], None),
               "operator": (CAROL, [WARD + 1], None), "conf": (ALICE, [], "chosen"),
               "manifest": (ALICE, [], "listed")}
        for name, (uid, groups, app) in may.items():
            reply = self.critical(daemon, uid, name, groups, **({"app": app} if app else {}))
            self.assertNotIn("note", reply, name)
            self.assertEqual(self.level(daemon, out, name), CRITICAL, name)
        for name, uid, app in (("alice", ALICE, None), ("muted", 0, "mute")):
            self.assertDemoted(self.critical(daemon, uid, name, **({"app": app} if app else {})))
            self.assertEqual(self.level(daemon, out, name), TIME_SENSITIVE)
        # A list and a push say so too.
        with acting_as(ALICE), Connection(daemon.socket) as connection:
            reply = connection.call("ReplaceAll", {"final": True, "notifications": [
                {"identifier": "a", "alertBody": "x", "fireDate": microseconds(900),
                 "interruptionLevel": "critical"},
                {"identifier": "b", "alertBody": "x", "fireDate": microseconds(900)}]})
            self.assertEqual(reply["demoted"], 1)
            self.assertIn("may not be critical", reply["note"])
            self.assertDemoted(connection.call("Push", {"payload": {"aps": {
                "alert": "pushed", "sound": {"name": "default", "critical": 1}}}}))
        status, said = self.belfry(
            daemon, "schedule", "--body", "x", "--in", "1h", "--level", "critical", uid=ALICE)
        self.assertEqual(status, 0, said)
        self.assertIn("critical counts as timeSensitive", said)

    def test_S6_the_right_by_a_group_survives_a_kill_and_a_lost_one_is_told(self):
        daemon, out = self.witnessed(f"[access]\ncritical = {WARD}\n")
        daemon.start()
        self.assertNotIn("note", self.critical(daemon, BOB, "kept", [WARD], seconds=3600))
        self.assertNotIn("note", self.critical(daemon, BOB, "soon", [WARD], seconds=60))
        daemon.kill()
        daemon.start()
        self.assertNotIn("demoted", daemon.call("Status")["status"])
        daemon.run(60)
        self.assertEqual(self.level(daemon, out, "soon"), CRITICAL)
        self.critical(daemon, BOB, "later", [WARD], seconds=60)
        daemon.stop()
        daemon.configure(self.base)
        daemon.start()
        # It is in the store as critical, and has lost the right by the configuration.
        demoted = daemon.call("Status")["status"]["demoted"]
        self.assertEqual(demoted["count"], 2)
        self.assertEqual(
            sorted(demoted["named"]), [f"user.{BOB} kept", f"user.{BOB} later"])
        # Each user hears of his own, and of nobody else's.
        self.assertEqual(self.connection(daemon, BOB).call("Status")["status"]["demoted"], demoted)
        self.assertNotIn("demoted", self.connection(daemon, ALICE).call("Status")["status"])
        _, said = self.belfry(daemon, "doctor")
        self.assertRegex(said, rf"warn +critical +2 scheduled .*user.{BOB} kept")
        daemon.run(60)
        self.assertEqual(self.level(daemon, out, "later"), TIME_SENSITIVE)
        daemon.says("critical notifications count as timeSensitive")
