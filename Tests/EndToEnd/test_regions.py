"""R1 to R6, N3, N4: places, through the socket and the command line, with the real daemon."""
import math
import os
import random
import subprocess

from belfry_harness import (
    PATIENCE, Refused, as_user, fixed_seed, microseconds, programs, recorded, recorder_section,
    wait_until)
from stepped import SteppedTest

HOME = {"latitude": 52.0, "longitude": 13.0, "radius": 100.0}
AWAY, THERE = (53.0, 13.0), (52.0, 13.0)
# Neither root nor anyone else; needs no account.
STRANGER = 54321


def north(metres):
    return (52.0 + math.degrees(metres / 6_371_008.7714), 13.0)


def distance(a, b):
    """Haversine, in metres."""
    (up, across), (other, over) = [tuple(map(math.radians, place)) for place in (a, b)]
    h = (math.sin((other - up) / 2) ** 2
         + math.cos(up) * math.cos(other) * math.sin((over - across) / 2) ** 2)
    return 2 * 6_371_008.7714 * math.asin(min(1, math.sqrt(h)))


class Regions(SteppedTest):
    def recording(self, extra="", stepped=False):
        daemon = self.stepped_daemon(start=False) if stepped else self.daemon(start=False)
        section, self.out = recorder_section(daemon.directory, "recorder")
        daemon.configure("[sound]\nenabled = no\n" + section + extra)
        return daemon.start()

    def place(self, daemon, identifier, region=None, app=None, **fields):
        parameters = {"notification": {
            "identifier": identifier, "alertBody": identifier, "region": region or HOME, **fields}}
        if app:
            parameters["app"] = app
        return daemon.call("Schedule", parameters)

    def fix(self, daemon, place, **more):
        latitude, longitude = place
        return daemon.call(
            "Fix", {"latitude": latitude, "longitude": longitude, **more})["crossings"]

    def shown(self, count):
        """The bodies that the recorder was given, once they are so many."""
        return wait_until(
            lambda: len(rows := recorded(self.out)) >= count and rows,
            what=f"{count} deliveries")

    def belfry(self, daemon, *words):
        done = subprocess.run(
            [os.path.join(programs(), "belfry"), "--socket", daemon.socket, *words],
            capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.returncode, done.stdout + done.stderr

    def refused(self, daemon, method, parameters, name, **expected):
        with self.assertRaises(Refused) as caught:
            daemon.call(method, parameters)
        self.assertEqual(caught.exception.name.split(".")[-1], name)
        for key, value in expected.items():
            self.assertEqual(caught.exception.parameters[key], value, caught.exception)

    # R1 to R3

    def test_R2_the_first_crossing_fires_and_unschedules(self):
        daemon = self.recording()
        reply = self.place(daemon, "home")
        self.assertTrue(reply["scheduled"])
        self.assertNotIn("next", reply)
        self.assertEqual([self.fix(daemon, AWAY), self.fix(daemon, THERE)], [0, 1])
        self.assertEqual(self.shown(1)[0]["id"].split("@")[0], reply["occurrence"])
        self.assertEqual([self.fix(daemon, AWAY), self.fix(daemon, THERE)], [0, 0])
        self.assertEqual(daemon.listed(), [])
        wait_until(lambda: [row["state"] for row in daemon.history()] == ["delivered"])

    def test_R2_every_crossing_fires_under_its_number(self):
        daemon = self.recording()
        self.place(daemon, "gate", regionTriggersOnce=False)
        way = [AWAY, THERE, THERE, AWAY, THERE]
        self.assertEqual([self.fix(daemon, place) for place in way], [0, 1, 0, 1, 1])
        # What came before the plugin was up may have been superseded (T10).
        rows = wait_until(lambda: len(rows := daemon.history()) >= 3 and rows, what="the history")
        ids = sorted(row["occurrence"].split(".")[-1] for row in rows)
        self.assertEqual(ids, ["0", "1", "2"])
        self.assertEqual(len(daemon.listed()), 1)

    def test_R1_entry_and_exit(self):
        daemon = self.recording()
        self.place(daemon, "in", {**HOME, "notifyOnExit": False}, regionTriggersOnce=False)
        self.place(daemon, "out", {**HOME, "notifyOnEntry": False}, regionTriggersOnce=False)
        for place in (THERE, AWAY, THERE, AWAY):
            self.fix(daemon, place)
        wait_until(lambda: len(daemon.history()) == 3)
        self.assertEqual([row["identifier"] for row in daemon.history()], ["out", "in", "out"])

    def test_R3_accuracy_and_hysteresis(self):
        daemon = self.recording()
        self.place(daemon, "home", regionTriggersOnce=False)
        # A circle of accuracy that reaches over the edge does not decide, so this is no other side.
        self.assertEqual(self.fix(daemon, AWAY, accuracy=120_000), 0)
        self.assertEqual(self.fix(daemon, THERE), 0)
        self.assertEqual(self.fix(daemon, north(5000), accuracy=4950), 0)
        way = [(115, 0), (99, 0), (115, 0), (116, 1), (92, 0), (101, 0), (85, 0), (84, 1), (130, 1)]
        self.assertEqual(
            [self.fix(daemon, north(metres), accuracy=0) for metres, _ in way],
            [n for _, n in way])
        generator = random.Random(1)
        crossings = sum(
            self.fix(daemon, north(100 + generator.uniform(-9, 9)), accuracy=0)
            for _ in range(300))
        self.assertEqual(crossings, 0)
        # What tells no accuracy may be 20 m off.
        crossings = sum(
            self.fix(daemon, north(100 + generator.gauss(0, 10))) for _ in range(300))
        self.assertEqual(crossings, 0)

    def test_R3_a_board_that_stands_still_crosses_nothing(self):
        daemon = self.recording()
        self.place(
            daemon, "home", {"latitude": 52.5, "longitude": 13.0, "radius": 100.0},
            regionTriggersOnce=False)
        # So it is said, by the command line, too: two places on both sides of the edge in turn.
        self.assertEqual(self.belfry(daemon, "fix", "52.5,13")[1], "no crossing\n")
        for latitude in ("52.500853", "52.501033") * 3:
            self.assertEqual(
                self.belfry(daemon, "fix", latitude + ",13", "--accuracy", "60")[1],
                "no crossing\n")
        seed = fixed_seed("a board that stands still")
        generator = random.Random(seed)
        degree = math.radians(1) * 6_371_008.7714
        for accuracy in (45.0, 60.0):
            for _ in range(500):
                place = (52.5 + generator.gauss(60, 30) / degree,
                         13 + generator.gauss(0, 30) / degree / math.cos(math.radians(52.5)))
                self.assertEqual(self.fix(daemon, place, accuracy=accuracy), 0, f"seed {seed}")
        # It walks away at last: told at the fourth fix.
        self.assertEqual(
            [self.fix(daemon, (52.5 + metres / degree, 13.0), accuracy=20.0)
             for metres in (60, 110, 125, 140, 156, 170)], [0, 0, 0, 0, 1, 0])
        self.assertEqual(len(self.shown(1)), 1)

    def test_R3_a_kill_neither_loses_a_crossing_nor_invents_one(self):
        daemon = self.recording()
        self.place(daemon, "home", regionTriggersOnce=False)
        generator = random.Random(2)
        expected, last = 0, None
        for _ in range(12):
            place = generator.choice([AWAY, THERE])
            crossings = self.fix(daemon, place)
            self.assertEqual(crossings, 1 if last not in (None, place) else 0)
            expected, last = expected + crossings, place
            daemon.kill()
            daemon.start()
            self.assertEqual(self.fix(daemon, place), 0)
        # Of those that waited for the plugin while it was killed too, the newest supersedes (T10).
        rows = wait_until(
            lambda: len(rows := daemon.history()) >= expected and rows, what="the history")
        numbers = [int(row["occurrence"].split(".")[-1]) for row in rows]
        self.assertEqual(sorted(numbers), list(range(expected)))
        self.assertLessEqual({row["state"] for row in rows}, {"delivered", "superseded"})
        # One whose answer was lost with the daemon is asked for again, and says so (D7).
        first = [row["id"] for row in recorded(self.out) if row["attempt"] == "1"]
        self.assertEqual(len(set(first)), len(first), "shown twice")

    def test_R3_a_fix_that_changes_nothing_writes_nothing(self):
        # What else is recorded, such as how far the clock is trusted, has been before anybody looks.
        daemon = self.recording(stepped=True)
        self.place(daemon, "home")
        self.fix(daemon, AWAY)

        def books():
            content = b""
            for name in ("books.sqlite", "books.sqlite-wal"):
                with open(os.path.join(daemon.directory, name), "rb") as file:
                    content += file.read()
            return content
        daemon.settle()
        before = books()
        for number in range(200):
            self.fix(daemon, (53.0 + number / 1000, 13.0))
        daemon.settle()
        self.assertTrue(books() == before)
        self.fix(daemon, THERE)
        self.assertFalse(books() == before)

    # R4

    def test_R4_at_most_twenty_an_app(self):
        daemon = self.recording("[app:few]\nregions = 2\n")
        for number in range(20):
            self.place(daemon, f"r{number}")
        one = {"identifier": "r20", "alertBody": "x", "region": HOME}
        self.refused(
            daemon, "Schedule", {"notification": one}, "LimitReached", limit="regions", value=20)
        self.assertTrue(self.place(daemon, "r7", alertTitle="new")["replaced"])
        for number in range(64):
            reply = daemon.schedule(
                identifier=f"t{number}", alertBody="x", fireDate=microseconds(3600))
            self.assertEqual(reply["discarded"], [])
        self.assertEqual(len(daemon.listed()), 84)
        for number in range(2):
            self.place(daemon, f"r{number}", app="few")
        self.refused(
            daemon, "Schedule", {"app": "few", "notification": one}, "LimitReached", value=2)
        self.refused(
            daemon, "ReplaceAll", {"app": "few", "final": True, "notifications": [
                {"identifier": f"n{number}", "alertBody": "x", "region": HOME}
                for number in range(3)]}, "LimitReached", limit="regions")
        self.assertEqual(len(daemon.listed(app="few")), 2)

    # R5

    def as_stranger(self, daemon, method, parameters):
        """What a call of another user is answered: its parameters, or the error's name."""
        os.chmod(daemon.directory, 0o755)

        def answer():
            try:
                return daemon.call(method, parameters)
            except Refused as error:
                return error.name.split(".")[-1]
        return as_user(STRANGER, answer)

    def test_R5_who_may_tell_and_who_may_know(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, for another user")
        daemon = self.recording("[app:friend]\nlocation = yes\n")
        where = {"latitude": 53.0, "longitude": 13.0}
        self.assertEqual(self.as_stranger(daemon, "Fix", where), "NotPermitted")
        self.assertNotIn("location", daemon.call("Status")["status"])
        for app in (f"user.{STRANGER}", "friend"):
            reply = self.as_stranger(daemon, "Schedule", {"app": app, "notification": {
                "identifier": app, "alertBody": app, "region": HOME,
                "regionTriggersOnce": False}})
            self.assertTrue(reply["scheduled"])
        self.fix(daemon, AWAY)
        self.assertEqual(self.fix(daemon, THERE), 1)
        location = daemon.call("Status")["status"]["location"]
        self.assertEqual(location["denied"], [f"user.{STRANGER}"])
        self.assertEqual((location["latitude"], location["regions"]), (52.0, 2))
        held = {row["app"]: row["state"] for row in daemon.listed()}
        self.assertEqual(held, {f"user.{STRANGER}": "held", "friend": "scheduled"})
        self.assertIn("does not allow", daemon.listed(app=f"user.{STRANGER}")[0]["reason"])
        # Denied to root's own too, if the operator says so.
        with open(os.path.join(daemon.directory, "belfry.conf"), "a", encoding="utf-8") as file:
            file.write("[app:user.0]\nlocation = no\n")
        daemon.stop()
        daemon.start()
        self.place(daemon, "mine")
        self.fix(daemon, AWAY)
        self.assertEqual(self.fix(daemon, THERE), 1)
        self.assertEqual(
            daemon.call("Status")["status"]["location"]["denied"],
            ["user.0", f"user.{STRANGER}"])

    def test_R5_fixes_that_are_none(self):
        daemon = self.recording()
        now = microseconds()
        self.assertEqual(self.fix(daemon, AWAY, time=now), 0)
        for parameters, field, code in [
                ({"latitude": 91, "longitude": 0}, "latitude", "outOfRange"),
                ({"latitude": 0, "longitude": -180.1}, "longitude", "outOfRange"),
                ({"latitude": 0}, "longitude", "missing"),
                ({"latitude": "0", "longitude": 0}, "latitude", "wrongType"),
                ({"latitude": 0, "longitude": 0, "accuracy": -1}, "accuracy", "outOfRange"),
                ({"latitude": 0, "longitude": 0, "altitude": 1}, "altitude", "unknown"),
                ({"latitude": 0, "longitude": 0, "time": now - 1}, "time", "conflict"),
        ]:
            self.refused(daemon, "Fix", parameters, "InvalidField", field=field, code=code)
        self.assertEqual(daemon.call("Status")["status"]["location"]["latitude"], 53.0)
        # A clock that ran ahead is no measure once that is corrected.
        self.fix(daemon, AWAY, time=now + 86_400_000_000)
        self.fix(daemon, THERE)

    # R6

    def test_R6_date_line_and_poles(self):
        daemon = self.recording("[limits]\nregions = 1000\n")
        seed = fixed_seed("date line and poles")
        generator = random.Random(seed)
        hubs = [(0.0, 180.0), (0.0, -180.0), (90.0, 0.0), (-90.0, 55.0), (-17.8, 178.0)]
        centres = {}
        for number in range(200):
            hub = generator.choice(hubs)
            latitude = max(-90.0, min(90.0, hub[0] + generator.uniform(-0.5, 0.5)))
            longitude = (hub[1] + generator.uniform(-1, 1) + 180) % 360 - 180
            centres[f"r{number}"] = (latitude, longitude, 10 ** generator.uniform(1, 5))
        with daemon.connect() as connection:
            for name, (latitude, longitude, radius) in centres.items():
                connection.call("Schedule", {"notification": {
                    "identifier": name, "alertBody": name, "regionTriggersOnce": False,
                    "region": {"latitude": latitude, "longitude": longitude, "radius": radius}}})
            sides = {}
            for _ in range(100):
                hub = generator.choice(hubs)
                place = (max(-90.0, min(90.0, hub[0] + generator.uniform(-0.5, 0.5))),
                         (hub[1] + generator.uniform(-1, 1) + 180) % 360 - 180)
                expected = 0
                for name, (latitude, longitude, radius) in centres.items():
                    depth = distance((latitude, longitude), place) - radius
                    side, weight = sides.get(name, (None, 0.0))
                    inside = depth <= 0
                    if inside == side or weight * depth < 0:
                        weight = 0.0
                    margin = min(max(radius / 10, 5), 100)
                    margin = min(margin, 20, radius / 4) if inside else margin
                    accuracy = min(20, radius / 5)
                    if inside != side and abs(depth) >= max(accuracy, margin):
                        own = depth / max(accuracy, min(margin / 2, 10))
                        weight += own
                        if abs(own) >= (3 if side is None else 4.5) or abs(weight) >= 6:
                            expected += side is not None
                            side, weight = inside, 0.0
                    sides[name] = (side, weight)
                found = connection.call("Fix", {"latitude": place[0], "longitude": place[1]})
                self.assertEqual(found["crossings"], expected, f"seed {seed}")

    # N1, N3, N4, N15, N16

    def test_N3_N4_what_says_when(self):
        daemon = self.recording()
        base = {"identifier": "x", "alertBody": "x", "region": HOME}
        for change, field, code in [
                ({"fireDate": microseconds(60)}, "region", "conflict"),
                ({"fireIn": 60_000_000}, "region", "conflict"),
                ({"repeatInterval": "day"}, "repeatInterval", "conflict"),
                ({"rrule": "FREQ=DAILY"}, "rrule", "conflict"),
                ({"region": {**HOME, "latitude": 91}}, "region.latitude", "outOfRange"),
                ({"region": {**HOME, "radius": 0}}, "region.radius", "outOfRange"),
                ({"region": {**HOME, "radius": 1e9}}, "region.radius", "outOfRange"),
                ({"region": {"latitude": 1, "longitude": 2}}, "region.radius", "missing"),
                ({"region": {**HOME, "points": []}}, "region.points", "unknown"),
                ({"region": {**HOME, "notifyOnEntry": False, "notifyOnExit": False}},
                 "region.notifyOnEntry", "conflict"),
        ]:
            self.refused(
                daemon, "Schedule", {"notification": {**base, **change}}, "InvalidField",
                field=field, code=code)
        self.assertEqual(daemon.listed(), [])

    def test_N16_a_list_with_places_replaced_by_itself(self):
        daemon = self.recording()
        self.place(daemon, "a", {**HOME, "identifier": "home"}, regionTriggersOnce=False)
        self.place(daemon, "b")
        self.fix(daemon, AWAY)
        daemon.stop()
        daemon.start()
        rows = [row["notification"] for row in daemon.listed()]
        self.assertEqual(rows[0]["region"], {**HOME, "identifier": "home"})
        reply = daemon.call("ReplaceAll", {"notifications": rows, "final": True})
        self.assertEqual((reply["unchanged"], reply["replaced"], reply["added"]), (2, 0, 0))
        like = {key: value for key, value in rows[1].items() if key != "identifier"}
        self.assertEqual(daemon.call("Cancel", {"equal": like})["cancelled"], 1)
        self.assertEqual(self.fix(daemon, THERE), 1)
        self.assertEqual(daemon.call("Cancel", {"identifiers": ["a"]})["cancelled"], 1)
        self.assertEqual(self.fix(daemon, AWAY), 0)

    # The command line

    def test_R1_the_command_line(self):
        daemon = self.recording()
        status, said = self.belfry(
            daemon, "schedule", "--id", "depot", "--body", "Back", "--region", "52,13,200",
            "--on", "enter", "--every-crossing")
        self.assertEqual(
            (status, said),
            (0, "scheduled depot: when the board enters 200 m around 52,13, every time; without sound\n"
             "belfry: warning: it waits for a first fix: nobody has said yet where the board is\n"))
        self.assertEqual(self.belfry(daemon, "fix", "-33.86,151.21"), (0, "no crossing\n"))
        self.assertEqual(
            self.belfry(daemon, "fix", "52,13.0001", "--accuracy", "10"),
            (0, "1 crossing fired\n"))
        self.assertEqual(
            self.belfry(daemon, "fix", "--json", "53,13"), (0, '{"crossings":0}\n'))
        self.assertEqual(
            self.belfry(daemon, "next", "depot")[1],
            "when the board enters 200 m around 52,13, every time\n")
        self.assertRegex(self.belfry(daemon, "list")[1], "entering .* 200 m around 52,13\n")
        self.assertIn("latitude", self.belfry(daemon, "status")[1])
        self.assertEqual(
            self.belfry(daemon, "next", "--region", "1,2,3")[1],
            "when the board enters or leaves 3 m around 1,2\n")
        for words, status, says in [
                (("fix", "52"), 2, '" is not LAT,LON'),
                (("fix", "52,x"), 2, '" is not LAT,LON'),
                (("fix", "91,0"), 1, "LAT,LON: "),
                (("fix", "0,0", "--accuracy", "far"), 2, '--accuracy: "far" is not a number'),
                (("fix", "0,0", "--time", "2020-01-01T00:00Z"), 1, "--time: it goes back in time"),
                (("schedule", "--body", "x", "--region", "1,2,3", "--at", "07:00"), 2,
                 "--at and --region cannot stand together"),
                (("schedule", "--body", "x", "--region", "1,2,0"), 1, "--region radius: "),
        ]:
            self.assertEqual(self.belfry(daemon, *words)[0], status, words)
            self.assertIn(says, self.belfry(daemon, *words)[1])
