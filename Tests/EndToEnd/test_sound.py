"""S5, S7, D7: the clock and its speaker together, on ALSA devices of the test's own."""
import math
import os
import signal
import struct
import time

from belfry_harness import (
    DaemonTest, microseconds, recorded, recorder_section, wait_until)
from sound_devices import RATE, give_devices, wav


def tone(seconds):
    """16-bit samples of a sine."""
    return b"".join(
        struct.pack("<h", int(9000 * math.sin(i * 0.3))) for i in range(int(RATE * seconds)))


class Sound(DaemonTest):
    def sounding(self, device, more="", **options):
        """A daemon whose speaker plays on `device`: capture (in no time), paced, or absent."""
        daemon = self.daemon(start=False, **options)
        folder = daemon.directory
        give_devices(
            daemon, f'pcm.paced {{ type belfry log "{folder}/paced" }}',
            f'pcm.capture {{ type file slave.pcm {{ type null }} '
            f'file "{folder}/capture" format raw }}')
        daemon.configure(f"[sound]\ndevice = {device}\n{more}")
        return daemon

    def place(self, daemon, name, seconds):
        samples = tone(seconds)
        with open(os.path.join(daemon.directory, "sounds", name), "wb") as file:
            file.write(wav(samples))
        return samples

    def played(self, daemon, device):
        try:
            with open(os.path.join(daemon.directory, device), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return b""

    def speakers(self, daemon):
        found = []
        for pid in daemon.children():
            try:
                with open(f"/proc/{pid}/comm", encoding="ascii") as file:
                    if file.read().strip() == "belfry-speaker":
                        found.append(pid)
            except FileNotFoundError:
                pass
        return found

    def ended(self, daemon, identifier, sink="speaker", seconds=20):
        """The history row of a delivery that has ended."""
        def row():
            for found in daemon.history():
                if found["identifier"] == identifier and found["sink"] == sink:
                    if found["state"] in ("delivered", "failed", "withdrawn", "unknown"):
                        return found
            return None
        return wait_until(row, seconds, f"the end of {identifier} at {sink}")

    def growing(self, daemon, device):
        return wait_until(lambda: self.played(daemon, device), 10, "the first samples")

    def test_S1_a_scheduled_sound_comes_out_byte_for_byte(self):
        daemon = self.sounding("capture")
        samples = self.place(daemon, "bell.wav", 1)
        daemon.start()
        daemon.schedule(
            identifier="bell", soundName="bell.wav", fireDate=microseconds(1.5))
        row = self.ended(daemon, "bell")
        self.assertEqual(row["state"], "delivered")
        self.assertIn("capture", row["reason"])
        self.assertEqual(self.played(daemon, "capture"), samples)

    def test_S3_a_missing_sound_is_the_default_sound_and_the_record_says_why(self):
        daemon = self.sounding("capture")
        daemon.start()
        daemon.schedule(identifier="lost", soundName="lost.wav", fireDate=microseconds(1))
        row = self.ended(daemon, "lost")
        self.assertEqual(row["state"], "delivered")
        self.assertIn("lost.wav: there is no such file", row["reason"])
        self.assertEqual(len(self.played(daemon, "capture")), 96_000)

    def test_S5_without_a_device_the_alert_shows_and_the_record_says_no_device(self):
        daemon = self.sounding("absent")
        section, out = recorder_section(daemon.directory, "witness")
        daemon.configure(f"[sound]\ndevice = absent\n{section}")
        daemon.start()
        daemon.schedule(
            identifier="mute", alertBody="a", soundName="default", fireDate=microseconds(1))
        row = self.ended(daemon, "mute")
        self.assertEqual((row["state"], row["reason"]), ("failed", "no-device"))
        self.assertEqual(self.ended(daemon, "mute", "witness")["state"], "delivered")
        self.assertEqual(len(recorded(out)), 1)
        self.assertTrue(daemon.answers())

    def test_S7_stop_sound_silences_at_once(self):
        daemon = self.sounding("paced")
        samples = self.place(daemon, "long.wav", 8)
        daemon.start()
        daemon.schedule(identifier="long", soundName="long.wav", fireDate=microseconds(0.5))
        self.growing(daemon, "paced")
        # That it is heard is told a moment after the first samples; before, it would be `silenced`.
        time.sleep(0.3)
        asked = time.monotonic()
        daemon.call("StopSound", {})
        row = self.ended(daemon, "long", seconds=3)
        self.assertLess(time.monotonic() - asked, 1)
        self.assertIn("stopped", row["reason"])
        self.assertLess(len(self.played(daemon, "paced")), len(samples) / 2)

    def test_D7_a_speaker_killed_in_mid_sound_is_replaced_and_plays_again(self):
        daemon = self.sounding("paced")
        samples = self.place(daemon, "long.wav", 3)
        daemon.start()
        daemon.schedule(identifier="long", soundName="long.wav", fireDate=microseconds(0.5))
        self.growing(daemon, "paced")
        first = self.speakers(daemon)
        self.assertEqual(len(first), 1)
        os.kill(first[0], signal.SIGKILL)
        row = self.ended(daemon, "long", seconds=30)
        self.assertEqual(row["state"], "delivered")
        self.assertGreaterEqual(row["attempts"], 2)
        self.assertEqual(self.played(daemon, "paced"), samples)
        self.assertLessEqual(len(self.speakers(daemon)), 1)

    def test_D7_a_clock_killed_in_mid_sound_leaves_no_sound_and_no_orphan(self):
        daemon = self.sounding("paced")
        self.place(daemon, "long.wav", 8)
        daemon.start()
        daemon.schedule(identifier="long", soundName="long.wav", fireDate=microseconds(0.5))
        self.growing(daemon, "paced")
        speaker = self.speakers(daemon)[0]
        daemon.kill()

        def gone():
            try:
                with open(f"/proc/{speaker}/stat", encoding="ascii") as file:
                    return file.read().rsplit(")", 1)[1].split()[0] == "Z"
            except FileNotFoundError:
                return True
        wait_until(gone, 1, "the end of the speaker")
        self.assertLess(len(self.played(daemon, "paced")), 8 * RATE * 2)

    def test_D7_a_sound_that_ended_just_before_the_clock_was_killed_plays_no_second_time(self):
        daemon = self.sounding("capture", test_build=True)
        samples = self.place(daemon, "bell.wav", 1)
        daemon.start(BELFRY_FAILPOINT="acknowledge-before-record")
        daemon.schedule(identifier="bell", soundName="bell.wav", fireDate=microseconds(1))
        wait_until(lambda: daemon.process.poll() is not None, 20, "the end of the clock")
        self.assertEqual(self.played(daemon, "capture"), samples)
        os.remove(os.path.join(daemon.directory, "capture"))
        daemon.start()
        row = self.ended(daemon, "bell")
        self.assertEqual((row["state"], row["attempts"]), ("delivered", 2))
        self.assertEqual(self.played(daemon, "capture"), b"")
