#!/usr/bin/env python3
"""Compares chirp with ggwave on the same audio in one run: speed of the idle scan, and messages recovered from noise.

    make bench-peers        builds chirp, installs ggwave and numpy into .build/peers, and runs this

Speed: one hour of white noise at 48 kHz, 16 bits, ggwave's own rate, all of it in memory, heard by one thread of each
receiver; CPU time of both. ggwave is fed in its own blocks of 1,024 samples and in blocks 64 times as long, and the
faster counts. `chirp decode` is measured, too, with its start and the reading of the file.

Accuracy: the same ten characters from each sender in the same noise, arrival time unknown. The ratio is the message's
mean power while it sounds over the noise's power in the whole band of a 44.1 kHz recording.
"""

import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

import ggwave
import numpy

RATE = 48_000
ALPHABET = "0123456789abcdefghijklmnopqrstuv"
PROTOCOLS = {"normal": 0, "fast": 1, "fastest": 2}
INT16 = 4  # GGWAVE_SAMPLE_FORMAT_I16


def interval(successes, trials):
    """Wilson's 95 % interval (JASA 22, 1927)."""
    z, share = 1.959963984540054, successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / (1 + z * z / trials)
    return max(0, centre - half), min(1, centre + half)


def receiver(sample_format=None):
    parameters = ggwave.getDefaultParameters()
    parameters["sampleRateInp"] = RATE
    if sample_format is not None:
        parameters["sampleFormatInp"] = sample_format
    return ggwave.init(parameters)


def ggwave_seconds(data, block):
    """CPU seconds in which ggwave hears the samples in `data` in blocks of so many bytes."""
    instance = receiver(INT16)
    begin = time.process_time()
    for start in range(0, len(data), block):
        ggwave.decode(instance, data[start : start + block])
    seconds = time.process_time() - begin
    ggwave.free(instance)
    return seconds


def scan_seconds(scan, path):
    """CPU seconds in which chirp's receiver hears the samples of one file, once they are in memory."""
    answer = subprocess.run([scan, path, str(RATE)], check=True, stdout=subprocess.PIPE, text=True)
    return float(answer.stdout.split()[0])


def decode_seconds(chirp, path):
    """CPU seconds and peak memory in megabytes of `chirp decode` of one file."""
    process = subprocess.Popen(
        [chirp, "decode", "--no-resolve", "--raw", f"s16le:{RATE}:1", "--jobs", "1", path], stdout=subprocess.DEVNULL
    )
    # The system's own account begins with what this process had when it started the other.
    memory = 0
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        with open(f"/proc/{process.pid}/status") as file:
            memory = max([memory] + [int(line.split()[1]) for line in file if line.startswith("VmHWM")])
        time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit("chirp decode failed")
    return usage.ru_utime + usage.ru_stime, memory / 1024


def speed(chirp, scan, minutes, seed, folder, rounds):
    noise = numpy.random.default_rng(seed)
    path = os.path.join(folder, "noise.raw")
    with open(path, "wb") as file:
        for _ in range(minutes):
            file.write((3_000 * noise.standard_normal(60 * RATE, dtype=numpy.float32)).astype("<i2").tobytes())
    with open(path, "rb") as file:
        data = file.read()
    length = minutes * 60
    # Interleaved, so that a machine that becomes slower meanwhile slows both; the best of each counts.
    own, programs, theirs = [], [], []
    for _ in range(rounds):
        own.append(scan_seconds(scan, path))
        programs.append(decode_seconds(chirp, path))
        theirs.append(min(ggwave_seconds(data, 2 * 1_024), ggwave_seconds(data, 2 * 65_536)))
    os.remove(path)
    return {
        "seconds": length,
        "chirp": length / min(own),
        "chirp_decode": length / min(seconds for seconds, _ in programs),
        "chirp_decode_memory_mb": max(memory for _, memory in programs),
        "ggwave": length / min(theirs),
    }


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
    instance = receiver()
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
        [chirp, "decode", "--no-resolve", "--json", "--raw", f"f32le:{RATE}:1"] + paths, stdout=subprocess.PIPE, text=True
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chirp", default="chirp", help="the program")
    parser.add_argument("--scan", default="scan-benchmark", help="the program that times the receiver alone")
    parser.add_argument("--minutes", type=int, default=60, help="of noise to scan")
    parser.add_argument("--rounds", type=int, default=3, help="of the speed test; the best counts")
    parser.add_argument("--trials", type=int, default=50, help="messages for each row")
    parser.add_argument("--ratios", default="0,-6,-9,-12,-15,-18,-24,-26", help="in decibels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write all figures to this file")
    arguments = parser.parse_args()
    ggwave.disableLog()
    results = {"seed": arguments.seed}
    with tempfile.TemporaryDirectory() as folder:
        results["speed"] = figures = speed(arguments.chirp, arguments.scan, arguments.minutes, arguments.seed, folder, arguments.rounds)
        print(f"idle scan of {figures['seconds'] / 60:.0f} minutes of white noise, seconds of audio per CPU second:")
        print(f"  chirp's receiver   {figures['chirp']:8,.0f}")
        print(f"  ggwave's receiver  {figures['ggwave']:8,.0f}")
        print(f"  chirp decode       {figures['chirp_decode']:8,.0f}   peak memory {figures['chirp_decode_memory_mb']:.0f} MB")
        print(f"\nmessages recovered from white noise, seed {arguments.seed}:")
        print("    dB  receiver          recovered  95 % interval  wrong  length, s")
        results["accuracy"] = []
        ratios = [float(ratio) for ratio in arguments.ratios.split(",")]
        for row in accuracy(arguments.chirp, ratios, arguments.trials, arguments.seed, folder):
            results["accuracy"].append(row)
            print(
                f"{row['ratio']:6.1f}  {row['receiver']:<16}  {row['recovered']:4d}/{row['trials']:<4d}"
                f"  {row['low']:.2f}–{row['high']:.2f}      {row['wrong']:5d}  {row['message_seconds']:9.2f}",
                flush=True,
            )
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
