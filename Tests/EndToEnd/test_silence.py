"""D9, D5, S3: a sound that is left out on purpose is `silenced`, with the setting that did it; one that
will not be heard is told of before it is due."""
import os
import time

from belfry_harness import microseconds, recorder_section, wait_until
from test_command import CommandTest

ALL_DAY = "[sound]\ndevice = null\nquiet = 00:00-24:00\n"


class Silence(CommandTest):
    def ended(self, identifier, sink="speaker"):
        return wait_until(
            lambda: next((row for row in self.bells.history()
                          if row["identifier"] == identifier and row["sink"] == sink), None),
            what=f"the end of {identifier} at {sink}")

    def bell(self, identifier, **fields):
        self.bells.schedule(
            identifier=identifier, soundName="default", fireDate=microseconds(0.7), **fields)

    def test_D9_quiet_hours_are_no_delivery_and_everything_says_so(self):
        section, _ = recorder_section(self.daemon(start=False).directory, "witness")
        self.start(ALL_DAY + section)
        self.bell("night", alertBody="a")
        self.bell("fire", interruptionLevel="critical")
        row = self.ended("night")
        self.assertEqual(row["state"], "silenced")
        self.assertEqual(row["reason"], "quiet hours ([sound] quiet = 00:00-24:00)")
        self.assertEqual(self.ended("night", "witness")["state"], "delivered")
        self.assertEqual(self.ended("fire")["state"], "delivered")
        self.assertRegex(self.good("history"), r"speaker +silenced .*quiet hours")
        status, out, err = self.belfry(
            "schedule", "--id", "later", "--sound", "default", "--in", "1h")
        self.assertEqual(status, 0)
        self.assertIn("scheduled later", out)
        self.assertRegex(err, r"\Abelfry: warning: its sound will not be heard: quiet hours .*\n\Z")
        self.assertRegex(self.good("list"), r"scheduled, silent: quiet hours")
        self.assertIn("quiet hours", self.rows("list")[0]["silence"])
        self.assertRegex(self.good("status"), r"(?m)^speaker .*; silent now: quiet hours")
        _, out, _ = self.belfry("doctor")
        self.assertRegex(out, r"warn  sink .*speaker is silent now: quiet hours")
        status, out, _ = self.belfry("test")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"speaker +silenced: quiet hours")

    def test_D9_quiet_hours_go_by_the_boards_zone(self):
        hour = time.gmtime().tm_hour
        # The hours of now in UTC, on a board that is seven hours ahead.
        quiet = f"{hour:02}:00-{(hour + 2) % 24:02}:00"
        self.start(f"[clock]\nzone = Asia/Jakarta\n[sound]\ndevice = null\nquiet = {quiet}\n")
        self.bell("day")
        self.assertEqual(self.ended("day")["state"], "delivered")

    def test_D9_switched_off_and_without_a_volume(self):
        section, _ = recorder_section(self.daemon(start=False).directory, "witness")
        self.start("[sound]\nenabled = no\n" + section)
        self.bell("off", alertBody="a")
        self.bell("alone")
        for identifier in ("off", "alone"):
            row = self.ended(identifier)
            self.assertEqual(
                (row["state"], row["reason"]),
                ("silenced", "sounds are switched off ([sound] enabled = no)"))
        self.assertRegex(self.good("status"), r"(?m)^speaker +switched off; silent now: ")
        self.bells.stop()
        self.bells.configure("[sound]\ndevice = null\n")
        self.bells.start()
        self.bell("faint", volume=0.0)
        self.assertEqual(self.ended("faint")["reason"], "its own volume is 0")
        self.bells.call("RegisterSettings", {
            "settings": {"alert": True, "badge": True, "sound": False}, "categories": []})
        self.bell("bare", alertBody="a")
        # Without a plugin there is nothing to show it on, either.
        wait_until(lambda: [row for row in self.bells.history() if row["identifier"] == "bare"],
                   what="a row of the last")

    def test_S3_a_sound_that_is_not_there_is_told_when_it_is_scheduled(self):
        self.start("[sound]\ndevice = null\n")
        status, out, err = self.belfry(
            "schedule", "--id", "tea", "--sound", "ketle.wav", "--in", "1h")
        self.assertEqual(status, 0)
        self.assertIn("scheduled tea", out)
        self.assertRegex(err, r'\Abelfry: warning: no sound folder has "ketle\.wav": .*\n\Z')
        answer = self.bells.schedule(
            identifier="cup", soundName="cup.wav", fireDate=microseconds(3600))
        self.assertEqual(len(answer["warnings"]), 1)
        self.assertNotIn("warnings", self.bells.schedule(
            identifier="plain", soundName="default", fireDate=microseconds(3600)))
        # Those of later steps, too.
        status, out, err = self.belfry("schedule", "--id", "steps", "--sound", "default", "--in", "1h",
                                       "--ladder", "now:speaker 2m:speaker:sound=siren.wav")
        self.assertEqual(status, 0, out)
        self.assertRegex(err, r'\Abelfry: warning: no sound folder has "siren\.wav": .*\n\Z')
        self.assertIn("siren.wav", self.belfry("doctor")[1])
        self.good("cancel", "steps")
        _, out, _ = self.belfry("doctor")
        self.assertRegex(out, r"warn  sound .*ketle\.wav \(user\.\d+ tea\)")
        self.assertIn("cup.wav", out)
        os.mkdir(f"{self.bells.directory}/sounds")
        for name in ("cup.wav", "ketle.wav"):
            with open(f"{self.bells.directory}/sounds/{name}", "wb"):
                pass
        # What it has found out of a name counts for a second; the other name is the older one.
        wait_until(lambda: "warnings" not in self.bells.schedule(
            identifier="cup", soundName="cup.wav", fireDate=microseconds(3600)), what="the sounds")
        self.assertEqual(
            self.good("schedule", "--id", "tea", "--sound", "ketle.wav", "--in", "2h")[:8], "replaced")
        self.assertNotIn("no sound folder", self.belfry("doctor")[1])

    def test_S5_status_says_that_there_is_no_device(self):
        self.start("[sound]\ndevice = nowhere\n")
        self.bell("mute")
        self.assertEqual(self.ended("mute")["reason"], "no-device")
        self.assertRegex(self.good("status"), r"(?m)^speaker +no-device: ")
        self.assertRegex(self.belfry("doctor")[1], r"warn  sink +speaker found nothing to play on: ")

    def test_S5_a_test_without_a_card_ends_as_a_try_does(self):
        section, _ = recorder_section(self.daemon(start=False).directory, "witness")
        self.start("[sound]\ndevice = nowhere\n" + section)
        status, out, _ = self.belfry("test")
        self.assertEqual(status, 0, out)
        self.assertRegex(out, r"(?m)^speaker +no sound, since ALSA has no device to play on$")
        self.assertEqual(self.belfry("test", "--to", "speaker")[0], 1)

    def test_T11_status_prints_a_word_that_the_configuration_takes(self):
        self.start()
        wakes = self.rows("status")[0]["clock"]["wakes"]
        if not wakes.startswith("never: "):
            self.bells.stop()
            self.bells.configure(f"[clock]\nwake = {wakes}\n")
            self.bells.start()
