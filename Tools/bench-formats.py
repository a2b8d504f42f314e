#!/usr/bin/env python3
"""Compares chirp's formats with ggwave's protocols of the same kind in the same white noise.

    make bench-formats      builds chirp, installs what the peer needs into .build/peers, and runs this

The same ten characters from each sender, arrival time unknown. The ratio is the message's mean power while it sounds over
the noise's power in the whole band of a 44.1 kHz recording, so that all have the same power and the same noise. ggwave's
receiver listens for all of its protocols, and chirp for all of its formats. ggwave's mono-tone protocols exist for messages
of a length that both sides know, and are told it.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

import ggwave
import numpy

from bench_sounds import ALPHABET
from peer_accuracy import RATE, interval, trial

# The first of ggwave's mono-tone protocols.
MONO_TONE = 9
KINDS = [
    ("shortest", "fast", {"audible fastest": 2}),
    ("unheard", "ultrasonic", {"ultrasound normal": 3, "ultrasound fast": 4, "ultrasound fastest": 5}),
    ("telephone band", "telephone", {"mono-tone normal": 9, "mono-tone fast": 10, "mono-tone fastest": 11}),
]


def chirp_sound(chirp, code, form, folder):
    path = os.path.join(folder, "chirp.wav")
    subprocess.run([chirp, "send", code, "--format", form, "-o", path, "--rate", str(RATE)], check=True)
    with open(path, "rb") as file:
        data = file.read()
    return numpy.frombuffer(data[data.index(b"data") + 8 :], dtype="<i2").astype(numpy.float32) / 32_768


def ggwave_instance(protocol):
    parameters = ggwave.getDefaultParameters()
    if protocol >= MONO_TONE:
        parameters["payloadLength"] = 10
    return ggwave.init(parameters)


def ggwave_sound(code, protocol):
    instance = ggwave_instance(protocol)
    sound = numpy.frombuffer(ggwave.encode(code, protocolId=protocol, volume=50, instance=instance), dtype=numpy.float32)
    ggwave.free(instance)
    return sound


def ggwave_hears(mixture, protocol):
    instance = ggwave_instance(protocol)
    heard = set()
    data = mixture.astype("<f4").tobytes()
    for start in range(0, len(data), 4 * 1_024):
        message = ggwave.decode(instance, data[start : start + 4 * 1_024])
        if message is not None:
            heard.add(message.decode("ascii", "replace"))
    ggwave.free(instance)
    return heard


def chirp_hears(chirp, mixtures, folder):
    paths = []
    for index, mixture in enumerate(mixtures):
        paths.append(os.path.join(folder, f"{index}.raw"))
        mixture.astype("<f4").tofile(paths[-1])
    command = [chirp, "decode", "--no-resolve", "--json", "--format", "all", "--raw", f"f32le:{RATE}:1"]
    result = subprocess.run(command + paths, stdout=subprocess.PIPE, text=True)
    if result.returncode not in (0, 1):
        sys.exit("chirp decode failed")
    heard = {path: [] for path in paths}
    for line in result.stdout.splitlines():
        one = json.loads(line)
        heard[one["file"]].append(one["code"])
    return [heard[path] for path in paths]


def rows(arguments, folder):
    chirp = os.path.abspath(arguments.chirp)
    codes = [
        "".join(random.Random(arguments.seed * 1_000 + index).choices(ALPHABET, k=10)) for index in range(arguments.trials)
    ]
    for kind, form, protocols in KINDS:
        senders = {f"chirp {form}": [chirp_sound(chirp, code, form, folder) for code in codes]}
        for name, protocol in protocols.items():
            senders[f"ggwave {name}"] = [ggwave_sound(code, protocol) for code in codes]
        for decibels in (float(ratio) for ratio in arguments.ratios.split(",")):
            for name, sounds in senders.items():
                protocol = protocols.get(name.removeprefix("ggwave "))
                mixtures = [trial(sound, decibels, (arguments.seed, index)) for index, sound in enumerate(sounds)]
                if protocol is None:
                    heard = chirp_hears(chirp, mixtures, folder)
                else:
                    heard = [ggwave_hears(mixture, protocol) for mixture in mixtures]
                right = sum(code in messages for code, messages in zip(codes, heard))
                wrong = sum(message != code for code, messages in zip(codes, heard) for message in messages)
                low, high = interval(right, arguments.trials)
                yield {"kind": kind, "ratio": decibels, "sender": name, "recovered": right, "trials": arguments.trials,
                       "low": low, "high": high, "wrong": wrong, "seconds": len(sounds[0]) / RATE}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chirp", default="chirp", help="the program")
    parser.add_argument("--trials", type=int, default=200, help="messages for each row")
    parser.add_argument("--ratios", default="0,-6,-9,-12,-15,-18,-21,-24", help="in decibels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write all figures to this file")
    arguments = parser.parse_args()
    ggwave.disableLog()
    table = []
    print("kind            dB      sender                     recovered  95 % interval  wrong  length, s")
    with tempfile.TemporaryDirectory() as folder:
        for row in rows(arguments, folder):
            table.append(row)
            print(
                f"{row['kind']:<14}  {row['ratio']:6.1f}  {row['sender']:<25}  {row['recovered']:4d}/{row['trials']:<4d}"
                f"  {row['low']:.2f}–{row['high']:.2f}      {row['wrong']:5d}  {row['seconds']:9.2f}",
                flush=True,
            )
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump({"seed": arguments.seed, "rows": table}, file, separators=(",", ":"))
            file.write("\n")


if __name__ == "__main__":
    main()
