#!/usr/bin/env python3
"""Compares chirp's receiver with ggwave's on the same audio in one run, sound by sound, and with what is to be reached.

    make bench-peers        builds chirp, installs what the peer needs into .build/peers, and runs this

Speed: 16-bit samples in memory, heard by one thread of each receiver; processor time of both. ggwave is fed in its own
blocks of 1,024 samples and in blocks 64 times as long, and those that are faster count. The two take turns, so that a
machine that becomes slower meanwhile slows both. A line tells the median over the rounds of each receiver's seconds of
audio per second of processor, and the median of their ratio, the figure that depends least on the machine.

Accuracy: the same ten characters from each sender in the same noise; see peer_accuracy.py.
"""

import argparse
import json
import os
import sys
import tempfile

import ggwave

from peer_accuracy import accuracy
from peer_speed import Programs, costs, delays, program_speed, sounds, speeds


def show(row):
    """One line: what, what was measured, what is to be reached, whether it is."""
    if row["target"] is None:
        verdict = ""
    elif row["value"] is None:
        verdict = f"{row['target']:>16}  not measured"
    else:
        verdict = f"{row['target']:>16}  {'reached' if row['reached'] else 'MISSED'}"
    print(f"{row['name']:<46}{row['text']:<46}{verdict}".rstrip(), flush=True)


def shown(rows):
    for row in rows:
        show(row)
        yield row


def show_accuracy(rows, seed):
    print(f"\nmessages recovered from white noise, seed {seed}:")
    print("    dB  receiver          recovered  95 % interval  wrong  length, s")
    for row in rows:
        print(
            f"{row['ratio']:6.1f}  {row['receiver']:<16}  {row['recovered']:4d}/{row['trials']:<4d}"
            f"  {row['low']:.2f}–{row['high']:.2f}      {row['wrong']:5d}  {row['message_seconds']:9.2f}",
            flush=True,
        )
        yield row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chirp", default="chirp", help="the program")
    parser.add_argument("--scan", default="scan-benchmark", help="the program that times the receiver alone")
    parser.add_argument("--minutes", type=float, default=60, help="of noise to scan")
    parser.add_argument("--rounds", type=int, default=3, help="of the speed test")
    parser.add_argument("--scale", type=float, default=1, help="times the length of the other sounds, and their trials")
    parser.add_argument("--recordings", help="a folder of music, speech and other; Tools/fetch-noise.sh makes one")
    parser.add_argument("--only", default="", help="only sounds whose name contains this")
    parser.add_argument("--trials", type=int, default=50, help="messages for each row; 0 leaves accuracy out")
    parser.add_argument("--ratios", default="0,-6,-9,-12,-15,-18,-24,-26", help="in decibels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write all figures to this file")
    parser.add_argument("--check", action="store_true", help="fail if a line misses its figure")
    arguments = parser.parse_args()
    ggwave.disableLog()
    programs = Programs(os.path.abspath(arguments.chirp), os.path.abspath(arguments.scan))
    ratios = [float(ratio) for ratio in arguments.ratios.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        print(f"seconds of audio per second of processor, medians of {arguments.rounds} rounds, seed {arguments.seed}:")
        wanted = [sound for sound in sounds(arguments) if arguments.only in sound.name]
        table = list(shown(speeds(programs, wanted, arguments, folder)))
        results = {"seed": arguments.seed, "rounds": arguments.rounds, "table": table}
        idle = next((row for row in table if row["name"].startswith("idle noise, 48")), None)
        if idle:
            results["speed"] = program_speed(programs, arguments, folder) | {
                "seconds": idle["seconds"], "chirp": idle["chirp"], "ggwave": idle["ggwave"]
            }
            print(
                f"{'chirp decode of the idle noise':<46}{results['speed']['chirp_decode']:8,.0f}"
                f"   peak memory {results['speed']['chirp_decode_memory_mb']:.0f} MB"
            )
        if not arguments.only:
            table += shown(delays(programs, arguments, folder))
            table += shown(costs(programs, arguments))
        if arguments.trials:
            rows = accuracy(programs.chirp, ratios, arguments.trials, arguments.seed, folder)
            results["accuracy"] = list(show_accuracy(rows, arguments.seed))
    if arguments.json:
        with open(arguments.json, "w") as file:
            json.dump(results, file, indent=1)
    if arguments.check and any(row["target"] and not row["reached"] for row in table):
        sys.exit(1)


if __name__ == "__main__":
    main()
