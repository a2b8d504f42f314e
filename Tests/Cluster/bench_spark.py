"""Throughput of Examples/spark on clusters of one and two workers of one core: bench_spark.py HOUR.wav [COPIES [ROUNDS]]

The archive is COPIES names of one file of an hour. What Spark itself takes is measured with an archive of one short file.
"""

import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import chirp
import soundfile

from archive import ROOT
from spark_cluster import Cluster


def seconds(cluster, manifest, tables):
    start = time.monotonic()
    run = cluster.submit(
        ROOT / "Examples/spark/decode.py", "--files-per-task", 2, manifest, tables, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    output, _ = run.communicate()
    assert run.returncode == 0
    return time.monotonic() - start, output.strip()


def main():
    hour = pathlib.Path(sys.argv[1]).resolve()
    copies = int(sys.argv[2]) if len(sys.argv) > 2 else 48
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        soundfile.write(folder / "short.wav", chirp.synthesise("gsm2h88c7u"), 44_100)
        (folder / "one").write_text(f"{folder}/short.wav\n")
        links = [folder / f"hour-{number}.wav" for number in range(copies)]
        for link in links:
            link.symlink_to(hour)
        (folder / "all").write_text("".join(f"{link}\n" for link in links))
        for workers in (1, 2):
            (folder / f"{workers}").mkdir()
            cluster = Cluster(folder / f"{workers}", workers)
            try:
                alone, whole = [], []
                for number in range(rounds):
                    alone.append(seconds(cluster, folder / "one", folder / f"tables-{workers}-{number}-one")[0])
                    taken, output = seconds(cluster, folder / "all", folder / f"tables-{workers}-{number}")
                    whole.append(taken)
                    print(f"{workers} workers: {alone[-1]:.1f} s for one short file, {taken:.1f} s for {output}", flush=True)
                rest = statistics.median(whole) - statistics.median(alone)
                print(f"{workers} workers: {copies} hours in {statistics.median(whole):.1f} s, {rest:.1f} s more than one short "
                      f"file: {copies * 3600 / rest:.0f} times real time")
            finally:
                cluster.stop()


if __name__ == "__main__":
    main()
