"""WAV files, and ALSA devices of a test's own."""
import math
import os
import struct
import subprocess

from belfry_harness import ROOT, compiler
from stepped import SteppedTest

RATE = 8000
CHANNELS = {"mono": 1, "stereo": 2, "surround": 6}


def wav(samples, channels=1):
    """A file of 16-bit samples, which are given as bytes; it names no places of its channels."""
    block = 2 * channels
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, channels, RATE, RATE * block, block, 16)
    body = b"WAVE" + head + struct.pack("<4sI", b"data", len(samples)) + samples
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def give_devices(daemon, *definitions):
    """ALSA definitions for the daemon's speaker, beside the type `belfry` of the test's own plugin; and
    an empty folder for sounds."""
    plugin = os.path.join(daemon.directory, "pcm.so")
    subprocess.run(
        [*compiler(), "-shared", "-fPIC", "-DPIC", "-o", plugin,
         f"{ROOT}/Tests/Fixtures/belfry_pcm.c", "-lasound"], check=True)
    configuration = os.path.join(daemon.directory, "asound.conf")
    with open(configuration, "w", encoding="ascii") as file:
        print(f'pcm_type.belfry {{ lib "{plugin}" }}', *definitions, sep="\n", file=file)
    os.makedirs(os.path.join(daemon.directory, "sounds"), exist_ok=True)
    daemon.environment["ALSA_CONFIG_PATH"] = configuration


def tone(seconds):
    """16-bit samples of a sine."""
    return b"".join(
        struct.pack("<h", int(9000 * math.sin(i * 0.3))) for i in range(int(RATE * seconds)))


class SoundTest(SteppedTest):
    """Tests that listen to a speaker."""

    def sounding(self, device, more="", devices=(), stepped=False, **options):
        """A daemon whose speaker plays on `device`: capture (in no time), paced, lasting (paced, and
        keeps what was heard when it is opened again), or absent; paced by the daemon's own clock, also
        where that is stepped. `devices`: names of more like
        capture. Mono, stereo and surround are as what boards call `default`: they take any number of
        channels, and make one, two or six of them."""
        daemon = (self.stepped_daemon if stepped else self.daemon)(start=False, **options)
        folder = daemon.directory
        give_devices(
            daemon, f'pcm.paced {{ type belfry log "{folder}/paced" }}',
            f'pcm.lasting {{ type belfry log "{folder}/lasting" append 1 }}',
            *(f'pcm.{name} {{ type file slave.pcm {{ type null }} '
              f'file "{folder}/{name}" format raw }}' for name in ("capture", *devices)),
            *(f'pcm.{name} {{ type plug slave {{ channels {count} pcm {{ type file slave.pcm '
              f'{{ type null }} file "{folder}/{name}" format raw }} }} }}'
              for name, count in CHANNELS.items()))
        daemon.configure(f"[sound]\ndevice = {device}\n{more}")
        return daemon

    def place(self, daemon, name, seconds, level=None):
        """A sound in the daemon's folder: a sine, or one value all the time; its samples."""
        samples = tone(seconds)
        if level is not None:
            samples = struct.pack("<h", level) * int(RATE * seconds)
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

    def ended(self, daemon, identifier, sink="speaker"):
        """The history row of a delivery that has ended."""
        def row():
            for found in daemon.history():
                if found["identifier"] == identifier and found["sink"] == sink:
                    if found["state"] in ("delivered", "failed", "withdrawn", "unknown"):
                        return found
            return None
        return daemon.until(row, f"the end of {identifier} at {sink}")

    def growing(self, daemon, device):
        return daemon.until(lambda: self.played(daemon, device), "the first samples")
