"""WAV files, and ALSA devices of a test's own."""
import os
import struct
import subprocess

from belfry_harness import ROOT

RATE = 8000


def wav(samples):
    """A mono file of 16-bit samples, which are given as bytes."""
    head = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, RATE * 2, 2, 16)
    body = b"WAVE" + head + struct.pack("<4sI", b"data", len(samples)) + samples
    return struct.pack("<4sI", b"RIFF", len(body)) + body


def give_devices(daemon, *definitions):
    """ALSA definitions for the daemon's speaker, beside the type `belfry` of the test's own plugin; and
    an empty folder for sounds."""
    plugin = os.path.join(daemon.directory, "pcm.so")
    subprocess.run(
        ["cc", "-shared", "-fPIC", "-DPIC", "-o", plugin,
         f"{ROOT}/Tests/Fixtures/belfry_pcm.c", "-lasound"], check=True)
    configuration = os.path.join(daemon.directory, "asound.conf")
    with open(configuration, "w", encoding="ascii") as file:
        print(f'pcm_type.belfry {{ lib "{plugin}" }}', *definitions, sep="\n", file=file)
    os.makedirs(os.path.join(daemon.directory, "sounds"), exist_ok=True)
    daemon.environment["ALSA_CONFIG_PATH"] = configuration
