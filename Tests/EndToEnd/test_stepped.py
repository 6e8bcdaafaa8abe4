"""Weeks and years of a board, end to end, by a clock that the test moves."""
import datetime
import os
import random
import unittest
import zoneinfo

from belfry_harness import fixed_seed, recorded
from stepped import SECOND, SteppedTest

DAY = 86_400
UTC = datetime.timezone.utc


def nanoseconds(moment):
    return int(moment.timestamp()) * SECOND


def by_the_clocks(zone, first, days):
    """What rings at this wall-clock time on so many days: in a gap later by the gap, in a fold first."""
    return [nanoseconds((first + datetime.timedelta(day)).replace(tzinfo=zone).astimezone(UTC))
            for day in range(days)]


class OnTime(SteppedTest):
    def assertOnTime(self, rows, dues):
        self.assertEqual([int(row["due"]) for row in rows], dues)
        self.assertEqual([int(row["entered"]) for row in rows], dues)


class SecondPass(OnTime):
    """The hour that clocks show twice."""

    # Zone, a moment in the second pass, its hour, and minutes behind that moment.
    SECOND_PASSES = (("Europe/Berlin", "2055-10-31T01:20", 2, (30, 40, 50)),
                     ("America/New_York", "2055-11-07T06:10", 1, (20, 35, 59)),
                     ("Australia/Lord_Howe", "2055-04-03T15:05", 1, (40, 45, 55)))

    def in_both_passes(self, name, start, hour, minutes):
        """Dues in the first pass, and in the second; the moment itself."""
        now = datetime.datetime.fromisoformat(start).replace(tzinfo=UTC)
        zone = zoneinfo.ZoneInfo(name)
        return *([nanoseconds(now.astimezone(zone).replace(
            hour=hour, minute=minute, fold=fold).astimezone(UTC)) for minute in minutes]
            for fold in (0, 1)), nanoseconds(now)

    def test_T5_what_begins_in_the_second_pass_rings_at_all_its_times_there(self):
        for name, start, hour, minutes in self.SECOND_PASSES:
            with self.subTest(name):
                _, dues, now = self.in_both_passes(name, start, hour, minutes)
                self.assertGreater(dues[0], now)
                daemon = self.stepped(now=now, environment={"TZ": name})
                daemon.schedule(
                    identifier="bell", alertBody="x", timeZone=name, fireDate=dues[0] // 1000,
                    rrule=f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={','.join(map(str, minutes))}")
                daemon.run(DAY / 2)
                self.assertOnTime(recorded(self.out), dues)
                daemon.stop()

    def test_T5_both_passes_asked_for_in_the_second_one_are_the_rest_of_it(self):
        for name, start, hour, minutes in self.SECOND_PASSES:
            for edits in (False, True):
                with self.subTest(name, edits=edits):
                    first, second, now = self.in_both_passes(name, start, hour, minutes)
                    daemon = self.stepped(now=now, environment={"TZ": name})
                    rule = f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={','.join(map(str, minutes))}"
                    daemon.schedule(
                        identifier="bell", alertBody="x", timeZone=name, overlap="both",
                        fireDate=(first[0] - DAY * SECOND) // 1000, rrule=rule)
                    daemon.run(60)
                    if edits:
                        daemon.call("Edit", {"identifier": "bell", "set": {"alertBody": "y"}})
                    daemon.kill()
                    daemon.start()
                    daemon.run(DAY / 2)
                    self.assertOnTime(recorded(self.out), second)
                    daemon.stop()

    def test_T5_D7_what_has_rung_in_either_pass_does_not_ring_again_after_a_start(self):
        for name, start, hour, minutes in self.SECOND_PASSES:
            first, second, _ = self.in_both_passes(name, start, hour, minutes)
            by_minutes = f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={','.join(map(str, minutes))}"
            every = list(range(first[0], second[-1] + 1, 300 * SECOND))
            for rule, overlap, dues in ((by_minutes, "both", first + second),
                                        ("FREQ=MINUTELY;INTERVAL=5", "first", every),
                                        ("FREQ=MINUTELY;INTERVAL=5", "both", every)):
                with self.subTest(name, rule=rule, overlap=overlap):
                    daemon = self.stepped(
                        now=dues[0] - 60 * SECOND, environment={"TZ": name})
                    daemon.schedule(identifier="bell", alertBody="x", timeZone=name,
                                    overlap=overlap, fireDate=dues[0] // 1000, rrule=rule)
                    for due in dues:
                        daemon.run_until(due + SECOND)
                        daemon.kill()
                        daemon.start()
                        daemon.settle()
                    self.assertOnTime(recorded(self.out), dues)
                    daemon.stop()

    def test_E2_skips_of_one_pass_leave_the_other_alone(self):
        for name, start, hour, minutes in self.SECOND_PASSES:
            for kills in (False, True):
                with self.subTest(name, kills=kills):
                    first, second, _ = self.in_both_passes(name, start, hour, minutes)
                    daemon = self.stepped(
                        now=first[0] - 60 * SECOND, environment={"TZ": name})
                    daemon.schedule(
                        identifier="bell", alertBody="x", timeZone=name, overlap="both",
                        fireDate=(first[0] - DAY * SECOND) // 1000,
                        rrule=f"FREQ=DAILY;BYHOUR={hour};BYMINUTE={','.join(map(str, minutes))}")
                    daemon.call("Skip", {"identifier": "bell", "count": 2})
                    found = daemon.call("Next", {"identifier": "bell", "count": 4})["instants"]
                    self.assertEqual([due * 1000 for due in found], first[2:] + second)
                    for due in first + second if kills else ():
                        daemon.run_until(due + SECOND)
                        daemon.kill()
                        daemon.start()
                    daemon.run_until(second[-1] + SECOND)
                    self.assertOnTime(recorded(self.out), first[2:] + second)
                    daemon.stop()


class Years(OnTime):
    def test_T3_T5_T6_a_night_alarm_through_both_changes_of_a_year(self):
        spring, autumn = datetime.datetime(2055, 3, 6), datetime.datetime(2055, 9, 25)
        for name, hour, minute in (
                ("Europe/Berlin", 2, 15), ("America/New_York", 1, 15), ("America/New_York", 2, 15),
                ("Australia/Lord_Howe", 2, 15), ("Australia/Lord_Howe", 1, 45)):
            for first, days in ((spring, 32), (autumn, 46)):
                self.ring_at_night(name, first.replace(hour=hour, minute=minute), days)

    def ring_at_night(self, name, first, days):
        with self.subTest(name, first=first):
            dues = by_the_clocks(zoneinfo.ZoneInfo(name), first, days)
            daemon = self.stepped(now=dues[0] - DAY * SECOND, environment={"TZ": name})
            daemon.schedule(identifier="night", alertBody="x", fireDate=dues[0] // 1000,
                            timeZone=name, repeatInterval="day")
            daemon.run_until(dues[-1])
            self.assertOnTime(recorded(self.out), dues)
            daemon.stop()

    def test_T2_T10_a_week_asleep_is_one_alert_that_says_how_many_it_stands_for(self):
        daemon = self.stepped()
        due = daemon.clock.microseconds(60)
        daemon.schedule(identifier="mill", alertBody="x", fireDate=due, repeatInterval="minute")
        daemon.run(60)
        # Nothing runs meanwhile.
        daemon.clock.move(7 * DAY * SECOND)
        daemon.settle()
        first, second = recorded(self.out)
        self.assertEqual(int(first["due"]) // 1000, due)
        self.assertEqual(int(second["due"]) // 1000, due + 7 * DAY * 1_000_000)
        self.assertEqual([row["missed"] for row in daemon.history()], [0, 7 * 24 * 60 - 1])

    def test_D7_what_was_only_prepared_at_a_kill_is_a_first_attempt(self):
        daemon = self.stepped()
        for off in (0, 0.2, 600):
            daemon.schedule(identifier="once", alertBody="x", fireDate=daemon.microseconds(60))
            daemon.schedule(identifier="often", alertBody="x", repeatInterval="day",
                            fireDate=daemon.microseconds(60))
            # Its intent is in the books, and nobody has been handed it.
            daemon.run(59.4)
            daemon.kill()
            daemon.clock.move(int(off * SECOND))
            daemon.start()
            daemon.run(10)
            rows = recorded(self.out)
            self.assertEqual([row["attempt"] for row in rows], ["1", "1"], off)
            os.remove(self.out)
            daemon.call("CancelAll")

    def test_D7_what_was_due_while_belfryd_was_down_comes_at_the_start(self):
        daemon = self.stepped()
        for days in (1, 2, 40):
            daemon.schedule(identifier=f"day-{days}", alertBody="x",
                            fireDate=daemon.clock.microseconds(days * DAY))
        daemon.run(1.5 * DAY)
        daemon.kill()
        daemon.clock.move(DAY * SECOND)
        daemon.start()
        daemon.settle()
        self.assertEqual(self.shown_names(), ["day-1", "day-2"])
        daemon.run(40 * DAY)
        self.assertEqual(self.shown_names(), ["day-1", "day-2", "day-40"])

    def test_T8_a_clock_that_is_set_moves_what_stands_by_the_wall_clock(self):
        daemon = self.stepped()
        daemon.schedule(identifier="wall", alertBody="x", fireDate=daemon.clock.microseconds(3600))
        daemon.schedule(identifier="later", alertBody="x", fireIn=3_600_000_000)
        daemon.step(1800)
        daemon.run(1799)
        self.assertEqual(self.shown_names(), [])
        daemon.run(1)
        self.assertEqual(self.shown_names(), ["wall"])
        daemon.run(1799)
        self.assertEqual(self.shown_names(), ["wall"])
        daemon.run(1)
        self.assertEqual(self.shown_names(), ["wall", "later"])
        # Back: what has rung does not ring again.
        daemon.step(-7200)
        daemon.run(2 * 3600)
        self.assertEqual(self.shown_names(), ["wall", "later"])

    def test_D7_T10_random_instants_of_a_month_are_met_to_the_nanosecond(self):
        generator = random.Random(fixed_seed("a month"))
        daemon = self.stepped("[limits]\nrequestsPerSecond = 1000000\n")
        dues = sorted(daemon.clock.microseconds(generator.uniform(1, 30 * DAY)) for _ in range(300))
        for number, due in enumerate(dues):
            daemon.schedule(identifier=f"{number}", alertBody="x", fireDate=due)
        daemon.run(31 * DAY)
        self.assertOnTime(recorded(self.out), [due * 1000 for due in dues])
        self.assertEqual(daemon.listed(), [])

    def shown_names(self):
        return [row["identifier"] for row in recorded(self.out)]


if __name__ == "__main__":
    unittest.main()
