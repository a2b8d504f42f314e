"""Examples/spark on a cluster of two workers, one of which is killed while it decodes."""

import collections
import os
import re
import subprocess

import pytest
from pyspark.sql import SparkSession

from archive import ROOT, Archive
from spark_cluster import Cluster


@pytest.fixture
def cluster(tmp_path):
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.stop()


def test_every_chirp_is_one_row_though_a_worker_is_killed(cluster, tmp_path):
    archive = Archive(tmp_path / "archive")
    log = tmp_path / "driver.log"
    run = cluster.submit(ROOT / "Examples/spark/decode.py", "--files-per-task", 3, archive.manifest, tmp_path / "tables",
                         stdout=subprocess.PIPE, stderr=open(log, "w"))
    caught = archive.catch_reader(lambda: run.poll() is None)
    [reader] = archive.readers()
    victim = next(name for name, process in cluster.processes.items() if process.pid == os.getsid(reader))
    cluster.kill(victim)
    archive.let_go(caught)
    # The task is run again by the other worker, and comes to an end there.
    os.close(archive.catch_reader(lambda: run.poll() is None))
    output, _ = run.communicate(timeout=600)
    assert run.returncode == 0, log.read_text()
    assert "Lost executor" in log.read_text()
    assert re.search(r"Starting task \d+\.1 in stage", log.read_text())

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        tables = {name: spark.read.parquet(f"{tmp_path}/tables/{name}").collect() for name in ("files", "chirps", "errors")}
    finally:
        spark.stop()
    assert collections.Counter((row.path, row.code) for row in tables["chirps"]) == archive.expected
    assert collections.Counter(row.path for row in tables["errors"]) == collections.Counter(archive.broken)
    assert all("cannot read" in row.error for row in tables["errors"])
    paths = archive.manifest.read_text().splitlines()
    assert sorted(row.path for row in tables["files"]) == sorted(paths)
    assert output.splitlines()[-1] == f"{len(paths)} files, {archive.expected.total()} chirps, {len(archive.broken)} errors"
