"""How Examples/spark scales: bench_spark.py HOUR.wav [HOURS [ROUNDS]] decodes as many hours by one worker and by two, in turns.

Both are in the cluster all the time and have one core each; what differs is whether the files are in one task or in two. The hours
are names of one file.
"""

import os
import pathlib
import statistics
import sys
import tempfile
import time

from archive import ROOT
from spark_cluster import Cluster

sys.path.insert(0, str(ROOT / "Examples/spark"))
from decode import decode  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402


def main():
    hour = pathlib.Path(sys.argv[1]).resolve()
    hours = int(sys.argv[2]) if len(sys.argv) > 2 else 16
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        paths = [str(folder / f"hour-{number}.wav") for number in range(hours)]
        for path in paths:
            os.symlink(hour, path)
        cluster = Cluster(folder, workers=2)
        os.environ.update(cluster.environment)
        spark = (
            SparkSession.builder.master(cluster.url).config("spark.executor.memory", "500m").config("spark.executor.cores", "1")
            .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
            .config("spark.scheduler.minRegisteredResourcesRatio", "1")
            .config("spark.submit.pyFiles", str(ROOT / "Examples/spark/decode.py")).getOrCreate())
        try:
            times = {1: [], 2: []}
            run(spark, paths[:2], 2)
            for _ in range(rounds):
                for workers in times:
                    times[workers].append(run(spark, paths, workers))
                    print(f"{workers} at work: {hours} hours in {times[workers][-1]:.1f} s", flush=True)
            one, two = (statistics.median(times[workers]) for workers in times)
            ratio = statistics.median(one / two for one, two in zip(*times.values()))
            print(f"medians: one worker {hours * 3600 / one:.0f} times real time, two {hours * 3600 / two:.0f}; {ratio:.2f} times as fast")
        finally:
            spark.stop()
            cluster.stop()


def run(spark, paths, tasks):
    start = time.monotonic()
    found = spark.sparkContext.parallelize(paths, tasks).mapPartitions(decode).map(lambda row: len(row.chirps)).collect()
    assert len(found) == len(paths) and min(found) == max(found) > 0
    return time.monotonic() - start


if __name__ == "__main__":
    main()
