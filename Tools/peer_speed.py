"""What chirp's and ggwave's receivers cost: the lines of bench-peers.py's table, each with what it is to reach."""

import json
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from typing import Callable

import ggwave

import bench_sounds as make

INT16 = 4  # GGWAVE_SAMPLE_FORMAT_I16


@dataclass(frozen=True)
class Programs:
    chirp: str
    scan: str


@dataclass(frozen=True)
class Sound:
    name: str
    rate: int
    # Called with random numbers and the rate; None if the recordings are missing.
    pieces: Callable | None
    # The least times real time, or the least ratio to ggwave's receiver; None where none was set.
    target: float | None
    beside_peer: bool = False
    # How many chirps are in it: more codes are false ones.
    chirps: int = 0


def sounds(arguments):
    """The table's sounds, with what each is to reach; one core, times real time unless it stands beside the peer."""
    scale = arguments.scale

    def synthetic(name, function, seconds, target, rate=48_000, **options):
        return Sound(name, rate, partial(function, seconds=seconds * scale, **options), target)

    def clear(name, rate, every, seconds, target=1.0, **options):
        chirps = max(1, round(seconds * scale / every))
        pieces = partial(make.clear, seconds=chirps * every, every=every, **options)
        return Sound(f"{name}, {rate / 1_000:g} kHz", rate, pieces, target, True, chirps)

    def recorded(name, *folders):
        paths = [os.path.join(os.path.expanduser(arguments.recordings or ""), folder) for folder in folders]
        there = arguments.recordings and all(map(os.path.isdir, paths))
        pieces = (lambda random, rate: make.recordings(paths, rate, 120 * scale)) if there else None
        return Sound(name, 44_100, pieces, 4_000)

    for rate in (48_000, 44_100):
        idle = partial(make.idle, seconds=60 * arguments.minutes)
        yield Sound(f"idle noise, {rate / 1_000:g} kHz", rate, idle, 1.05, True)
    for rate in (44_100, 48_000):
        yield clear("a clear chirp a minute", rate, 60, 1_200)
        yield clear("a clear chirp in 10 s", rate, 10, 300, target=None)
        yield clear("a clear chirp in 10 s of silence", rate, 10, 300, noise=False)
    yield recorded("recordings, music and speech", "music", "speech")
    yield recorded("other music", "other")
    yield synthetic("melodies on the chirp's pitches", make.melodies, 300, 1_000)
    yield synthetic("machines that key tones", make.machines, 300, 1_000)
    yield synthetic("glides and trills", make.glides, 60, 500)
    yield synthetic("arpeggios", make.arpeggios, 60, 500)
    for name, protocol in make.GGWAVE_PROTOCOLS.items():
        yield synthetic(f"ggwave's messages, {name}", make.ggwave_messages, 60, 500, protocol=protocol)
    yield synthetic("random tones without pause", make.random_tones, 300, 300)
    yield synthetic("random tones with start codes", make.random_tones, 300, 300, planted=True)
    yield synthetic("random tones, three at once", make.three_voices, 300, 300)


def row(name, text, target, value=None, least=None, most=None, **figures):
    reached = value is not None and (least is None or value >= least) and (most is None or value <= most)
    return {"name": name, "text": text, "target": target, "value": value, "reached": reached, **figures}


def ggwave_seconds(data, rate, block):
    """Processor seconds in which ggwave hears the samples in `data` in blocks of so many bytes."""
    parameters = ggwave.getDefaultParameters()
    # All of its rates are the recording's, or it would resample, which costs it three hundred times as much.
    for name in ("sampleRateInp", "sampleRate", "sampleRateOut"):
        parameters[name] = rate
    parameters["sampleFormatInp"] = INT16
    instance = ggwave.init(parameters)
    begin = time.process_time()
    for start in range(0, len(data), block):
        ggwave.decode(instance, data[start : start + block])
    seconds = time.process_time() - begin
    ggwave.free(instance)
    return seconds


def scan(programs, *words):
    """The figures that the program that times the receiver alone prints."""
    answer = subprocess.run([programs.scan, *map(str, words)], check=True, stdout=subprocess.PIPE, text=True)
    return [float(word) for word in answer.stdout.split()]


def speeds(programs, wanted, arguments, folder):
    """A row for each sound."""
    path = os.path.join(folder, "sound.raw")
    for sound in wanted:
        unit = "× ggwave" if sound.beside_peer else "× real time"
        target = None
        if sound.target is not None:
            target = f"≥ {sound.target:,.2f} {unit}" if sound.beside_peer else f"≥ {sound.target:,.0f} {unit}"
        if sound.pieces is None:
            yield row(sound.name, "Tools/fetch-noise.sh fetches it", target)
            continue
        length = make.write(path, sound.pieces(make.generator(arguments.seed, sound.name), sound.rate)) / sound.rate
        with open(path, "rb") as file:
            data = file.read()
        own, by_block = [], {1_024: [], 65_536: []}
        for _ in range(arguments.rounds):
            seconds, codes = scan(programs, path, sound.rate)
            own.append(length / seconds)
            for block, rounds in by_block.items():
                rounds.append(length / ggwave_seconds(data, sound.rate, 2 * block))
        os.remove(path)
        theirs = max(by_block.values(), key=statistics.median)
        chirp, peer = statistics.median(own), statistics.median(theirs)
        ratio = statistics.median(a / b for a, b in zip(own, theirs))
        measured = row(
            sound.name, f"{chirp:8,.0f}  ggwave {peer:6,.0f}  {ratio:6.3f} ×  codes {codes:.0f}/{sound.chirps}", target,
            ratio if sound.beside_peer else chirp, sound.target, seconds=length, chirp=chirp, ggwave=peer, ratio=ratio,
            codes=int(codes), chirps=sound.chirps, rounds={"chirp": own, "ggwave": theirs},
        )
        yield measured | {"reached": measured["reached"] and codes == sound.chirps}


def program_speed(programs, arguments, folder):
    """Times real time and peak memory of `chirp decode` of the idle noise, with its start and the reading of the file."""
    path, rate = os.path.join(folder, "noise.raw"), 48_000
    random = make.generator(arguments.seed, "idle noise, 48 kHz")
    length = make.write(path, make.idle(random, rate, 60 * arguments.minutes)) / rate
    runs = [_decode(programs, path, rate) for _ in range(arguments.rounds)]
    os.remove(path)
    return {
        "chirp_decode": length / statistics.median(seconds for seconds, _ in runs),
        "chirp_decode_memory_mb": max(memory for _, memory in runs),
    }


def _decode(programs, path, rate):
    """Processor seconds and peak memory in megabytes."""
    words = [programs.chirp, "decode", "--format", "original", "--combine", "off", "--no-resolve", "--raw", f"s16le:{rate}:1", "--jobs", "1", path]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
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


def delays(programs, arguments, folder):
    """Wall time of the call that told a clear chirp's code."""
    path, name = os.path.join(folder, "clear.raw"), "from a clear chirp's last sample to its code"
    pieces = make.clear(make.generator(arguments.seed, name), 48_000, max(600 * arguments.scale, 10), 10)
    make.write(path, pieces)
    runs = [scan(programs, "--delay", path, 48_000) for _ in range(arguments.rounds)]
    os.remove(path)
    median, longest = (statistics.median(run[index] for run in runs) for index in (0, 1))
    heard = all(run[2] for run in runs)
    yield row(
        name, f"{median:8.2f} ms, longest {longest:.2f} ms of {runs[0][2]:.0f}", "≤ 2 ms", median if heard else None,
        most=2, median=median, longest=longest,
    )


def costs(programs, arguments):
    """Processor time a trial at the ratios where a chirp is hard to hear."""
    names = ["white-24", "white-25", "white-26"]
    trials, found = max(5, round(100 * arguments.scale)), {name: [] for name in names}
    for seed in range(arguments.seed, arguments.seed + arguments.rounds):
        words = ["--rows", ",".join(names), "--trials", str(trials), "--seed", str(seed), "--jobs", "1", "--json"]
        answer = subprocess.run([programs.chirp, "evaluate", *words], check=True, stdout=subprocess.PIPE, text=True)
        for measured in json.loads(answer.stdout)["rows"]:
            # A name stands for all that it begins.
            if measured["name"] in found:
                found[measured["name"]].append(measured)
    for name, rows in found.items():
        cost = statistics.median(measured["computingMillisecondsPerTrial"] for measured in rows)
        recovered = sum(measured["recovered"]["successes"] for measured in rows)
        yield row(
            f"a chirp at {name.removeprefix('white').replace('-', '−')} dB",
            f"{cost:8.1f} ms a trial, {recovered} of {trials * len(rows)}", "≤ 25 ms", cost, most=25,
        )
