"""The Python package beside `chirp decode` on an hour of samples with a chirp a minute: bench-python.py CHIRP [ROUNDS]"""

import statistics
import subprocess
import sys
import tempfile
import time

import chirp
import numpy as np
import soundfile

RATE = 44_100
CODES = ["gsm2h88c7u", "kingfisher", "parrotbill"]


def write_hour(path):
    random = np.random.default_rng(1)
    with soundfile.SoundFile(path, "w", RATE, 1, "PCM_16") as file:
        for minute in range(60):
            samples = random.normal(0, 0.02, 60 * RATE).astype(np.float32)
            sound = 0.2 * chirp.synthesise(CODES[minute % 3], RATE)
            start = int(random.uniform(5, 50) * RATE)
            samples[start : start + len(sound)] += sound
            file.write(samples)


def seconds(act):
    start = time.monotonic()
    found = act()
    duration = time.monotonic() - start
    assert found == 60, found
    return duration


def main():
    program, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 9
    script = "import chirp, sys; print(*chirp.decode(sys.argv[1], combine=False), sep='\\n')"
    with tempfile.NamedTemporaryFile(suffix=".wav") as file:
        write_hour(file.name)
        ways = {
            "chirp decode": lambda: lines([program, "decode", "--format", "original", "--combine", "off", "--json", file.name]),
            "a Python program": lambda: lines([sys.executable, "-c", script, file.name]),
            "chirp.decode(path)": lambda: len(chirp.decode(file.name, combine=False)),
        }
        times = {name: [] for name in ways}
        for _ in range(rounds):
            for name, act in ways.items():
                times[name].append(seconds(act))
    for name, found in times.items():
        ratio = statistics.median(one / other for one, other in zip(found, times["chirp decode"]))
        print(f"{name}: median {statistics.median(found):.2f} s, {ratio:.2f} of chirp decode")


def lines(command):
    return len(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())


if __name__ == "__main__":
    main()
