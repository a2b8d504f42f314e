"""Decodes an archive on a Spark cluster: spark-submit decode.py MANIFEST FOLDER

MANIFEST has a path a line, which every worker can read. FOLDER gets three tables in Parquet:

    files     one row a file: path, its chirps, or what went wrong
    chirps    one row a chirp
    errors    one row a file that could not be decoded

`files` is the only table that costs anything. Spark publishes a task's rows when the task commits, once, however often it
was retried; the other two are read out of it. Every worker needs the package chirp (make wheel).
"""

import argparse
import os
from collections.abc import Iterable, Iterator
from typing import Any

from pyspark.sql import Row, SparkSession
from pyspark.sql import functions as sql

CHIRP = (
    "struct<start:double,duration:double,code:string,longcode:string,snr_db:double,corrected:int,confidence:double,"
    "tuning_cents:double,speed:double,format:string,repeats:int,channel:int>"
)
FIELDS = [field.split(":")[0] for field in CHIRP[len("struct<") : -1].split(",")]


def decode(paths: Iterable[str]) -> Iterator[Row]:
    """Runs on the workers. A file that cannot be decoded is a row, not a failed task: a retry would fail as well."""
    import chirp

    for path in paths:
        found: list[dict[str, Any]] = []
        error = None
        try:
            found = [{name: getattr(one, name) for name in FIELDS} for one in chirp.decode(path)]
        except Exception as problem:
            error = str(problem) or type(problem).__name__
        size = os.path.getsize(path) if os.path.exists(path) else None
        yield Row(path=path, bytes=size, chirps=found, error=error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest")
    parser.add_argument("folder")
    parser.add_argument("--files-per-task", type=int, default=16, help="what is done again when a worker is lost")
    options = parser.parse_args()

    spark = (
        SparkSession.builder.appName("chirp")
        # Tasks publish their rows by renaming a folder that the driver allowed them to rename.
        .config("spark.hadoop.mapreduce.fileoutputcommitter.algorithm.version", "1")
        .getOrCreate()
    )
    with open(options.manifest, encoding="utf-8") as manifest:
        # A path that is listed twice is decoded once.
        paths = list(dict.fromkeys(line.rstrip("\n") for line in manifest if line.strip()))
    tasks = max(1, -(-len(paths) // options.files_per_task))
    rows = spark.sparkContext.parallelize(paths, tasks).mapPartitions(decode)
    schema = f"path string, bytes bigint, chirps array<{CHIRP}>, error string"
    spark.createDataFrame(rows, schema).write.mode("errorifexists").parquet(f"{options.folder}/files")

    files = spark.read.parquet(f"{options.folder}/files")
    chirps = files.select("path", sql.explode("chirps").alias("chirp")).select("path", "chirp.*")
    chirps.write.mode("overwrite").parquet(f"{options.folder}/chirps")
    errors = files.where("error is not null").select("path", "error")
    errors.write.mode("overwrite").parquet(f"{options.folder}/errors")
    print(f"{files.count()} files, {chirps.count()} chirps, {errors.count()} errors")
    spark.stop()


if __name__ == "__main__":
    main()
