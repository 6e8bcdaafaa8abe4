"""S5, S7, D7: the clock and its speaker together, on ALSA devices of the test's own."""
import math
import os
import signal
import struct

from belfry_harness import microseconds, recorded, recorder_section, wait_until
from sound_devices import CHANNELS, RATE, SoundTest, tone, wav


class Sound(SoundTest):
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

    def test_E11_a_sound_fades_in_from_minus_40_linear_in_decibels(self):
        daemon = self.sounding("capture")
        loud, seconds, fade = 30_000, 8, 5
        with open(os.path.join(daemon.directory, "sounds", "flat.wav"), "wb") as file:
            file.write(wav(struct.pack("<h", loud) * (RATE * seconds)))
        daemon.start()
        daemon.schedule(
            identifier="flat", soundName="flat.wav", fireDate=microseconds(1.5),
            fadeIn=fade * 1_000_000)
        self.assertEqual(self.ended(daemon, "flat")["state"], "delivered")
        played = self.played(daemon, "capture")
        heard = struct.unpack(f"<{len(played) // 2}h", played)
        self.assertEqual(len(heard), RATE * seconds)
        # The device takes it in no time, so that the frames alone tell the time.
        for frame in range(0, len(heard), RATE // 10):
            expected = min(0, 40 * (frame / RATE / fade - 1))
            self.assertLess(abs(20 * math.log10(heard[frame] / loud) - expected), 1, frame)

    def test_E11_a_sound_rings_until_it_is_acknowledged(self):
        daemon = self.sounding("lasting", stepped=True)
        samples = self.place(daemon, "bell.wav", 0.1)
        daemon.start()
        daemon.schedule(identifier="bell", soundName="bell.wav", ringFor=60_000_000,
                        fireDate=daemon.microseconds(0.5))
        daemon.until(lambda: len(self.played(daemon, "lasting")) >= 3 * len(samples), "3 times")
        daemon.call("Acknowledge", {})
        daemon.run(60)
        row, = daemon.history()
        self.assertEqual(row["state"], "dismissed")
        self.assertEqual(len(self.played(daemon, "lasting")), 3 * len(samples))

    def heard(self, daemon, device, name, channels, alone):
        """How loud each channel of a device is, of full scale, when one channel of a sound is half."""
        sines = struct.unpack(f"<{RATE // 2}h", tone(0.5))
        peak = max(map(abs, sines))
        frames = (
            struct.pack(f"<{channels}h", *(
                value * 16384 // peak if channel in alone else 0 for channel in range(channels)))
            for value in sines)
        with open(os.path.join(daemon.directory, "sounds", name), "wb") as file:
            file.write(wav(b"".join(frames), channels))
        daemon.schedule(identifier=name, soundName=name, fireDate=microseconds(0.3))
        self.assertEqual(self.ended(daemon, name)["state"], "delivered")
        played = self.played(daemon, device)
        samples = struct.unpack(f"<{len(played) // 2}h", played)
        count = CHANNELS[device]
        self.assertEqual(len(samples), RATE // 2 * count)
        loud = [max(map(abs, samples[channel::count])) for channel in range(count)]
        # What clips is no sine any more.
        for channel in range(count):
            for value, sine in zip(samples[channel::count], sines):
                self.assertLess(abs(value - sine * loud[channel] / peak), 4)
        return [value / 32768 for value in loud]

    def test_S5_more_channels_than_the_device_has_are_mixed_down(self):
        for device in CHANNELS:
            daemon = self.sounding(device)
            daemon.start()
            for channels, alone in ((3, 2), (4, 3), (5, 2), (6, 2), (6, 3), (6, 4), (6, 5), (8, 7)):
                name = f"{alone}-of-{channels}.wav"
                with self.subTest(device=device, sound=name):
                    loud = self.heard(daemon, device, name, channels, {alone})
                    self.assertGreater(max(loud), 0.35)
                    self.assertLess(max(loud), 0.51)
                    # Centre and rears are on both sides.
                    if device == "stereo":
                        self.assertGreater(min(loud), 0.2)
                    if device == "surround" and channels == 6:
                        self.assertEqual([value > 0 for value in loud].index(True), alone)
            # All of them at once do not clip.
            loud = self.heard(daemon, device, "all.wav", 6, set(range(6)))
            self.assertGreater(min(loud), 0.49)
            daemon.stop()

    def test_S1_S2_tags_before_and_behind_a_sound_are_no_sound(self):
        daemon = self.sounding("capture")
        daemon.start()
        samples = tone(1)
        plain = wav(samples)
        tag = b"TAG" + bytes(125)
        long = struct.pack("<4sIQQQI", b"ds64", 28, len(plain) + 28, len(samples), RATE, 0)
        unknown = b"\xff" * 4
        sounds = {
            "v1": plain + tag,
            "size": plain[:4] + unknown + plain[8:] + tag,
            "zeros": plain + bytes(128),
            "v2": b"ID3\4\0\0\0\0\2\0" + bytes(256) + plain,
            "RF64": b"RF64" + unknown + plain[8:12] + long + plain[12:],
            "BW64": b"BW64" + unknown + plain[8:12] + long + plain[12:],
        }
        for name, content in sounds.items():
            with self.subTest(name):
                with open(os.path.join(daemon.directory, "sounds", name), "wb") as file:
                    file.write(content)
                daemon.schedule(identifier=name, soundName=name, fireDate=microseconds(0.3))
                self.assertEqual(self.ended(daemon, name)["state"], "delivered")
                self.assertEqual(self.played(daemon, "capture"), samples)

    def test_S7_stop_sound_silences_at_once(self):
        daemon = self.sounding("paced", stepped=True)
        self.place(daemon, "long.wav", 29)
        daemon.start()
        daemon.schedule(
            identifier="long", soundName="long.wav", fireDate=daemon.microseconds(0.5))
        daemon.run(2.5)
        played = self.played(daemon, "paced")
        self.assertGreaterEqual(len(played), 2 * 2 * RATE)
        daemon.call("StopSound", {})
        daemon.settle()
        self.assertIn("stopped", self.ended(daemon, "long")["reason"])
        daemon.run(60)
        self.assertEqual(self.played(daemon, "paced"), played)

    def test_D7_a_speaker_killed_in_mid_sound_is_replaced_and_plays_again(self):
        daemon = self.sounding("paced", stepped=True)
        samples = self.place(daemon, "long.wav", 6)
        daemon.start()
        daemon.schedule(
            identifier="long", soundName="long.wav", fireDate=daemon.microseconds(0.5))
        self.growing(daemon, "paced")
        first = self.speakers(daemon)
        self.assertEqual(len(first), 1)
        os.kill(first[0], signal.SIGKILL)
        row = self.ended(daemon, "long")
        self.assertEqual((row["state"], row["attempts"]), ("delivered", 2))
        self.assertEqual(self.played(daemon, "paced"), samples)
        self.assertLessEqual(len(self.speakers(daemon)), 1)

    def test_D7_a_clock_killed_in_mid_sound_leaves_no_sound_and_no_orphan(self):
        daemon = self.sounding("paced", stepped=True)
        samples = self.place(daemon, "long.wav", 29)
        daemon.start()
        daemon.schedule(
            identifier="long", soundName="long.wav", fireDate=daemon.microseconds(0.5))
        self.growing(daemon, "paced")
        speaker = self.speakers(daemon)[0]
        daemon.kill()

        def gone():
            try:
                with open(f"/proc/{speaker}/stat", encoding="ascii") as file:
                    return file.read().rsplit(")", 1)[1].split()[0] == "Z"
            except FileNotFoundError:
                return True
        wait_until(gone, what="the end of the speaker")
        self.assertLess(len(self.played(daemon, "paced")), len(samples))

    def test_D7_a_sound_that_ended_just_before_the_clock_was_killed_plays_no_second_time(self):
        daemon = self.sounding("capture", test_build=True)
        samples = self.place(daemon, "bell.wav", 1)
        daemon.start(BELFRY_FAILPOINT="acknowledge-before-record")
        daemon.schedule(identifier="bell", soundName="bell.wav", fireDate=microseconds(1))
        wait_until(lambda: daemon.process.poll() is not None, what="the end of the clock")
        self.assertEqual(self.played(daemon, "capture"), samples)
        os.remove(os.path.join(daemon.directory, "capture"))
        daemon.start()
        row = self.ended(daemon, "bell")
        self.assertEqual((row["state"], row["attempts"]), ("delivered", 2))
        self.assertEqual(self.played(daemon, "capture"), b"")
