"""Messages that chirp and ggwave recover from the same noise.

The same ten characters from each sender, arrival time unknown. The ratio is the message's mean power while it sounds over
the noise's power in the whole band of a 44.1 kHz recording.
"""

import json
import math
import os
import random
import subprocess
import sys

import ggwave
import numpy

from bench_sounds import ALPHABET
from bench_sounds import GGWAVE_PROTOCOLS as PROTOCOLS

RATE = 48_000


def interval(successes, trials):
    """Wilson's 95 % interval (JASA 22, 1927)."""
    z, share = 1.959963984540054, successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / (1 + z * z / trials)
    return max(0, centre - half), min(1, centre + half)


def chirp_sound(chirp, code, folder):
    path = os.path.join(folder, "chirp.wav")
    subprocess.run([chirp, "send", code, "-o", path, "--rate", str(RATE)], check=True)
    with open(path, "rb") as file:
        data = file.read()
    return numpy.frombuffer(data[data.index(b"data") + 8 :], dtype="<i2").astype(numpy.float32) / 32_768


def ggwave_sound(code, protocol):
    return numpy.frombuffer(ggwave.encode(code, protocolId=protocol, volume=50), dtype=numpy.float32)


def trial(sound, decibels, seed):
    """The sound at a random moment in noise: the same noise for every sender with the same seed."""
    generator = numpy.random.default_rng(seed)
    start = int(RATE * generator.uniform(0.5, 1.5))
    noise = generator.standard_normal(int(RATE * 9), dtype=numpy.float32)[: start + len(sound) + RATE]
    # The same density as at 44.1 kHz: more power in a wider band.
    power = float(numpy.mean(sound**2)) / 10 ** (decibels / 10) * RATE / 44_100
    mixture = noise * numpy.float32(math.sqrt(power))
    mixture[start : start + len(sound)] += sound
    return mixture * numpy.float32(0.2 / math.sqrt(float(numpy.mean(mixture**2))))


def ggwave_hears(mixture):
    instance = ggwave.init(ggwave.getDefaultParameters())
    heard = []
    data = mixture.astype("<f4").tobytes()
    for start in range(0, len(data), 4 * 1_024):
        message = ggwave.decode(instance, data[start : start + 4 * 1_024])
        if message is not None:
            heard.append(message.decode("ascii", "replace"))
    ggwave.free(instance)
    return heard


def chirp_hears(chirp, mixtures, folder):
    paths = []
    for index, mixture in enumerate(mixtures):
        paths.append(os.path.join(folder, f"{index}.raw"))
        mixture.astype("<f4").tofile(paths[-1])
    result = subprocess.run(
        [chirp, "decode", "--format", "original", "--combine", "off", "--no-resolve", "--json", "--raw", f"f32le:{RATE}:1"] + paths, stdout=subprocess.PIPE, text=True
    )
    if result.returncode not in (0, 1):
        sys.exit("chirp decode failed")
    heard = {path: [] for path in paths}
    for line in result.stdout.splitlines():
        chirp_object = json.loads(line)
        heard[chirp_object["file"]].append(chirp_object["code"])
    return [heard[path] for path in paths]


def accuracy(chirp, ratios, trials, seed, folder):
    codes = ["".join(random.Random(seed * 1_000 + index).choices(ALPHABET, k=10)) for index in range(trials)]
    senders = {"chirp": [chirp_sound(chirp, code, folder) for code in codes]}
    for name, protocol in PROTOCOLS.items():
        senders[f"ggwave {name}"] = [ggwave_sound(code, protocol) for code in codes]
    rows = []
    for decibels in ratios:
        for name, sounds in senders.items():
            mixtures = [trial(sound, decibels, (seed, index)) for index, sound in enumerate(sounds)]
            heard = (
                chirp_hears(chirp, mixtures, folder)
                if name == "chirp"
                else [ggwave_hears(mixture) for mixture in mixtures]
            )
            right = sum(code in messages for code, messages in zip(codes, heard))
            wrong = sum(message != code for code, messages in zip(codes, heard) for message in messages)
            low, high = interval(right, trials)
            rows.append(
                {"ratio": decibels, "receiver": name, "recovered": right, "trials": trials, "low": low, "high": high,
                 "wrong": wrong, "message_seconds": len(sounds[0]) / RATE}
            )
            yield rows[-1]
