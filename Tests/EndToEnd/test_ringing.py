"""E11: sounds that fade in, that ring for a while, that are long, and outputs that are slow to wake."""
import math
import os
import signal
import struct
import subprocess
import unittest

from belfry_harness import microseconds, programs, wait_until
from sound_devices import RATE, SoundTest
from stepped import SECOND
from test_command import run

LOUD = 30_000


def levels(played):
    """16-bit samples as runs of one value: [(value, how many)]."""
    runs = []
    for (value,) in struct.iter_unpack("<h", played[:len(played) // 2 * 2]):
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return [tuple(run) for run in runs]


class Ringing(SoundTest):
    def ring(self, daemon, name="bell", seconds=0.2, **notification):
        """A sound that rings for a minute: its samples."""
        samples = self.place(daemon, name + ".wav", seconds, level=LOUD)
        daemon.schedule(
            identifier=name, soundName=name + ".wav",
            **{"fireDate": daemon.clock.microseconds(0.5), "ringFor": 60_000_000, **notification})
        return samples

    def ringing(self, configuration="", **options):
        """A daemon whose speaker plays on `lasting`, by a clock that the test moves."""
        daemon = self.sounding(
            "absent" if configuration else "lasting", configuration, stepped=True, **options)
        return daemon.start()

    def heard(self, daemon, samples, times):
        daemon.until(
            lambda: len(self.played(daemon, "lasting")) >= times * len(samples), f"{times} times")

    def levels(self, daemon):
        return levels(self.played(daemon, "lasting"))

    def begun(self, daemon):
        """When sounds began to be heard on the device `lasting`, in nanoseconds."""
        return [int(line) for line in self.played(daemon, "lasting.times").split()]

    # fadeIn

    def test_E11_the_fade_goes_on_over_repeats(self):
        daemon = self.ringing()
        fade = 20
        self.ring(daemon, seconds=1, ringFor=8_000_000, fadeIn=fade * 1_000_000)
        self.assertEqual(self.ended(daemon, "bell")["state"], "delivered")
        begun = self.begun(daemon)
        played = self.played(daemon, "lasting")
        heard = struct.unpack(f"<{len(played) // 2}h", played)
        self.assertEqual((len(begun), len(heard)), (2, 2 * RATE))
        for number, start in enumerate(begun):
            for frame in range(0, RATE, RATE // 20):
                seconds = (start - begun[0]) / SECOND + frame / RATE
                decibels = 20 * math.log10(heard[number * RATE + frame] / LOUD)
                self.assertAlmostEqual(
                    decibels, 40 * (seconds / fade - 1), delta=0.1, msg=(number, frame))

    # ringFor

    def test_E11_others_get_their_turn_while_a_sound_rings(self):
        daemon = self.ringing()
        self.place(daemon, "other.wav", 0.3, level=-LOUD)
        samples = self.ring(daemon)
        self.heard(daemon, samples, 1)
        daemon.schedule(identifier="other", soundName="other.wav")
        self.ended(daemon, "other")
        daemon.until(lambda: len(self.levels(daemon)) >= 3, "it rings on")
        self.assertEqual([value for value, _ in self.levels(daemon)], [LOUD, -LOUD, LOUD])

    def test_S6_E11_a_critical_sound_interrupts_what_rings_and_it_rings_on(self):
        daemon = self.ringing()
        alarm = self.place(daemon, "alarm.wav", 0.5, level=-LOUD)
        samples = self.ring(daemon, seconds=6)
        self.growing(daemon, "lasting")
        daemon.schedule(
            identifier="alarm", soundName="alarm.wav", interruptionLevel="critical")
        self.ended(daemon, "alarm")
        daemon.until(lambda: len(self.levels(daemon)) == 3, "it rings on")
        first, critical, _ = self.levels(daemon)
        self.assertLess(first[1], len(samples) // 2)
        self.assertEqual(critical, (-LOUD, len(alarm) // 2))

    def test_S7_E11_stop_sound_ends_the_ringing(self):
        daemon = self.ringing()
        samples = self.ring(daemon)
        self.heard(daemon, samples, 2)
        daemon.call("StopSound", {})
        row = self.ended(daemon, "bell")
        self.assertIn("stopped", row["reason"])
        played = self.played(daemon, "lasting")
        daemon.run(60)
        self.assertEqual(self.played(daemon, "lasting"), played)

    def test_E11_it_rings_so_long_and_ends_by_itself(self):
        daemon = self.ringing()
        samples = self.ring(daemon, ringFor=5_000_000)
        self.assertEqual(self.ended(daemon, "bell")["state"], "delivered")
        daemon.run(60)
        # 3 s lie between two of them.
        self.assertEqual(self.played(daemon, "lasting"), 2 * samples)
        first, second = self.begun(daemon)
        self.assertAlmostEqual((second - first) / SECOND, 3.2, delta=0.1)

    def test_D7_E11_a_speaker_that_is_killed_rings_on(self):
        daemon = self.ringing()
        samples = self.ring(daemon)
        self.heard(daemon, samples, 1)
        os.kill(self.speakers(daemon)[0], signal.SIGKILL)
        self.heard(daemon, samples, 3)
        daemon.call("Acknowledge", {})
        daemon.until(daemon.history, "its end")

    def test_D7_E11_a_clock_that_is_killed_rings_on_for_the_rest_of_the_time(self):
        daemon = self.ringing()
        samples = self.ring(daemon)
        self.heard(daemon, samples, 2)
        daemon.kill()
        count = len(self.played(daemon, "lasting"))
        daemon.start()
        daemon.until(
            lambda: len(self.played(daemon, "lasting")) >= count + 2 * len(samples), "it rings on")
        self.ended(daemon, "bell")
        # A minute from its due, whatever came between.
        self.assertLess(self.begun(daemon)[-1] - self.begun(daemon)[0], 60 * SECOND)

    # wake

    WAKING = "[output:amplifier]\ndevice = lasting\nwake = 1.5s\n"

    def test_E11_the_first_sample_is_heard_at_the_due_instant(self):
        daemon = self.ringing(self.WAKING)
        self.place(daemon, "bell.wav", 0.2, level=LOUD)
        due = daemon.clock.microseconds(6)
        daemon.schedule(identifier="bell", soundName="bell.wav", fireDate=due)
        self.assertEqual(self.ended(daemon, "bell")["state"], "delivered")
        begun, = self.begun(daemon)
        self.assertGreaterEqual(begun, due * 1000, "it was heard before it was due")
        self.assertLess(begun - due * 1000, 20_000_000)
        silence = self.levels(daemon)[0]
        self.assertEqual(silence[0], 0)
        self.assertGreaterEqual(silence[1], 1.5 * RATE)

    def test_E11_a_sound_without_notice_waits_until_its_output_is_awake(self):
        daemon = self.sounding("capture", "[output:amplifier]\nwake = 2\n")
        daemon.start()
        samples = self.place(daemon, "bell.wav", 0.2, level=LOUD)
        daemon.schedule(identifier="bell", soundName="bell.wav")
        self.ended(daemon, "bell")
        played = self.played(daemon, "capture")
        silence = played.index(samples[:2]) // 2
        self.assertGreater(silence, 1.8 * RATE)
        self.assertTrue(played[2 * silence:].startswith(samples))

    def test_E11_what_is_cancelled_while_its_output_wakes_is_not_heard(self):
        daemon = self.ringing(self.WAKING)
        self.place(daemon, "gone.wav", 0.2, level=LOUD)
        other = self.place(daemon, "other.wav", 0.2, level=-LOUD)
        daemon.schedule(
            identifier="gone", soundName="gone.wav", fireDate=daemon.clock.microseconds(4))
        self.growing(daemon, "lasting")
        daemon.call("Cancel", {"identifiers": ["gone"]})
        daemon.schedule(
            identifier="other", soundName="other.wav", fireDate=daemon.clock.microseconds(4))
        self.ended(daemon, "other")
        runs = self.levels(daemon)
        self.assertEqual([value for value, _ in runs if value], [-LOUD])
        self.assertIn((-LOUD, len(other) // 2), runs)

    def test_E11_what_moves_while_its_output_wakes_is_heard_at_its_new_time(self):
        daemon = self.ringing(self.WAKING)
        samples = self.place(daemon, "bell.wav", 0.2, level=LOUD)
        daemon.schedule(
            identifier="bell", soundName="bell.wav", fireDate=daemon.clock.microseconds(4))
        self.growing(daemon, "lasting")
        due = daemon.clock.microseconds(5)
        daemon.schedule(identifier="bell", soundName="bell.wav", fireDate=due)
        self.ended(daemon, "bell")
        begun, = self.begun(daemon)
        self.assertGreaterEqual(begun, due * 1000)
        self.assertIn((LOUD, len(samples) // 2), self.levels(daemon))

    def test_E11_waking_disturbs_no_sound_that_plays(self):
        daemon = self.ringing(self.WAKING)
        long = self.place(daemon, "long.wav", 3, level=-LOUD)
        bell = self.place(daemon, "bell.wav", 0.2, level=LOUD)
        daemon.schedule(
            identifier="long", soundName="long.wav", fireDate=daemon.clock.microseconds(4))
        daemon.schedule(
            identifier="bell", soundName="bell.wav", fireDate=daemon.clock.microseconds(6))
        self.ended(daemon, "bell")
        runs = [run for run in self.levels(daemon) if run[0]]
        self.assertEqual(runs, [(-LOUD, len(long) // 2), (LOUD, len(bell) // 2)])

    # [output:NAME]

    def test_E11_a_sound_plays_on_every_output_and_an_apps_on_its_own(self):
        daemon = self.sounding(
            "absent", "[output:one]\ndevice = nowhere one\n[output:two]\ndevice = two\n"
            "[app:shop]\noutput = two\n", devices=("one", "two"))
        daemon.start()
        samples = self.place(daemon, "bell.wav", 0.5)
        other = self.place(daemon, "other.wav", 0.3)
        daemon.schedule(identifier="bell", soundName="bell.wav")
        row = self.ended(daemon, "bell")
        self.assertIn("device one, two", row["reason"])
        self.assertEqual(self.played(daemon, "one"), samples)
        self.assertEqual(self.played(daemon, "two"), samples)
        daemon.call("Schedule", {
            "app": "shop", "notification": {"identifier": "other", "soundName": "other.wav"}})
        wait_until(lambda: self.played(daemon, "two") == other, what="the app's sound")
        self.assertEqual(self.played(daemon, "one"), samples)

    def test_S5_E11_an_output_without_a_device_is_named_and_the_others_play(self):
        daemon = self.sounding(
            "absent", "[output:one]\ndevice = nowhere\n[output:two]\ndevice = two\n",
            devices=("two",))
        daemon.start()
        samples = self.place(daemon, "bell.wav", 0.5)
        daemon.schedule(identifier="bell", soundName="bell.wav")
        row = self.ended(daemon, "bell")
        self.assertEqual(row["state"], "delivered")
        self.assertIn("output one: nowhere: open:", row["reason"])
        self.assertEqual(self.played(daemon, "two"), samples)
        daemon.configure("[output:one]\ndevice = nowhere\n[output:two]\ndevice = absent\n")
        self.assertEqual(run("reload", socket=daemon.socket)[0], 0)
        daemon.schedule(identifier="mute", soundName="bell.wav")
        row = self.ended(daemon, "mute")
        self.assertEqual((row["state"], row["reason"]), ("failed", "no-device"))

    def test_E11_outputs_and_the_longest_sound_change_by_a_reload(self):
        daemon = self.sounding("capture", devices=("one",))
        daemon.start()
        long = self.place(daemon, "long.wav", 31)
        daemon.schedule(identifier="first", soundName="long.wav")
        self.assertIn("it lasts longer than 30 s", self.ended(daemon, "first")["reason"])
        self.assertNotEqual(self.played(daemon, "capture"), b"")
        daemon.configure("[sound]\nlongest = 31\n[output:one]\ndevice = one\n")
        os.kill(daemon.process.pid, signal.SIGHUP)
        daemon.says("[sound] longest")
        daemon.schedule(identifier="second", soundName="long.wav")
        self.assertIn("device one", self.ended(daemon, "second")["reason"])
        self.assertEqual(self.played(daemon, "one"), long)

    def test_A4_E11_a_wrong_value_is_named_with_its_line(self):
        daemon = self.sounding("capture")
        path = os.path.join(daemon.directory, "belfry.conf")
        for line, text, words in (
                (2, "[output:a]\nwake = 11", "[output:a] wake"),
                (2, "[output:a]\ndevice =", "[output:a] device"),
                (1, "[output:a b]\nwake = 1", "[output:a b]"),
                (2, "[sound]\nlongest = 601", "[sound] longest"),
                (2, "[sound]\noutput = a", "[sound] output"),
                (3, "[output:a]\n[app:b]\noutput = c", "[app:b] output")):
            daemon.configure(text + "\n")
            status, _, error = run("reload", socket=daemon.socket)
            self.assertNotEqual(status, 0)
            status, error = self.checked(path)
            self.assertNotEqual(status, 0, text)
            self.assertEqual(len(error.splitlines()), 1, error)
            self.assertIn(f"belfry.conf:{line}: {words}", error)

    def checked(self, path):
        """What `belfryd --check` says of a configuration."""
        done = subprocess.run(
            [os.path.join(programs(), "belfryd"), "--check", path], capture_output=True,
            encoding="utf-8", check=False)
        return done.returncode, done.stderr

    # longest

    def test_S2_E11_sound_check_goes_by_the_configuration(self):
        daemon = self.sounding("capture")
        self.place(daemon, "long.wav", 31)
        path = os.path.join(daemon.directory, "sounds", "long.wav")
        status, said, _ = run("sound", "check", path, socket=daemon.socket)
        self.assertEqual(status, 1)
        self.assertIn("31.000 s: it lasts longer than 30 s", said)
        daemon.configure("[sound]\nlongest = 40\n")
        status, said, _ = run("sound", "check", path, socket=daemon.socket)
        self.assertEqual(status, 0, said)
        self.assertIn("31.000 s: plays as it is", said)

    def test_A2_E11_ten_minutes_play_in_less_than_8_mebibytes(self):
        daemon = self.sounding("capture", "longest = 600\n")
        daemon.start()
        samples = self.place(daemon, "long.wav", 600)
        daemon.schedule(identifier="long", soundName="long.wav", fireDate=microseconds(1))
        self.assertNotIn("default sound", self.ended(daemon, "long")["reason"])
        self.assertEqual(self.played(daemon, "capture"), samples)
        with open(f"/proc/{self.speakers(daemon)[0]}/status", encoding="ascii") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
        self.assertLess(peak, 8 << 10)


if __name__ == "__main__":
    unittest.main()
