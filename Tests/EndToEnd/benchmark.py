"""Requests a second and 99th percentile of what a code stands for and of its sound, beside a Hummingbird hello-world.

All are asked by wrk over loopback, in turns, several rounds in one run; the figures are those of the median round. With
--postgresql URL the registry is there, else a SQLite file. With --check the run fails when the look-up reaches less than
half of the hello-world.
"""

import argparse
import re
import statistics
import subprocess
import sys

from service import BINARY, Service

UNITS = {"us": 1e-3, "ms": 1, "s": 1e3}


def wrk(url, seconds, connections):
    text = subprocess.run(
        ["wrk", "--threads", "2", "--connections", str(connections), "--duration", f"{seconds}s", "--latency", url],
        check=True, capture_output=True, text=True).stdout
    assert "Non-2xx" not in text and "Socket errors" not in text, text
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), float(number) * UNITS[unit]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=32)
    parser.add_argument("--postgresql")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    hello = subprocess.Popen(["stdbuf", "--output=L", BINARY.parent / "hello-service"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             text=True)
    service = Service(**({"CHIRP_REGISTRY": options.postgresql} if options.postgresql else {}))
    try:
        base = hello.stdout.readline().strip()
        code = service.register(kind="url", url="https://example.org/benchmark")
        for number in range(100):
            service.register(kind="url", url=f"https://example.org/{number}")
        targets = {"hello-world": base + "/", "GET /CODE.json": f"{service.url}/{code}.json",
                   "GET /CODE.wav": f"{service.url}/{code}.wav", "GET /CODE": f"{service.url}/{code}"}
        rounds = {name: [] for name in targets}
        for _ in range(options.rounds):
            for name, url in targets.items():
                rounds[name].append(wrk(url, options.seconds, options.connections))
        median = {name: statistics.median(rate for rate, _ in found) for name, found in rounds.items()}
        print("| request | requests/s | of hello-world | p99, ms |")
        print("|---|---|---|---|")
        for name, found in rounds.items():
            latency = statistics.median(latency for _, latency in found)
            print(f"| {name} | {median[name]:.0f} | {median[name] / median['hello-world']:.2f} | {latency:.2f} |")
        if options.check and median["GET /CODE.json"] < median["hello-world"] / 2:
            sys.exit("the look-up reaches less than half of the hello-world")
    finally:
        hello.terminate()
        hello.wait()
        service.stop()


if __name__ == "__main__":
    main()
