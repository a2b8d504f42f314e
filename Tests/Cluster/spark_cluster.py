"""A Spark cluster of this machine's: a master and workers, each a session of its own that can be killed as a machine can."""

import os
import pathlib
import re
import subprocess
import sys
import time

import pyspark

from archive import kill_session

HOME = pathlib.Path(pyspark.__file__).parent


class Cluster:
    def __init__(self, folder, workers=2, cores=1):
        self.folder = pathlib.Path(folder)
        self.environment = {
            **os.environ, "SPARK_HOME": str(HOME), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(self.folder / "work"), "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
        }
        self.processes = {}
        self.start("master", "master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        self.url = self.wait_for("master", r"Starting Spark master at (spark://\S+)")
        for number in range(workers):
            self.start_worker(f"worker-{number}", cores)

    def start_worker(self, name, cores=1):
        self.start(name, "worker.Worker", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0", "--cores", str(cores),
                   "--memory", "700m", self.url)
        self.wait_for(name, r"Successfully registered with master")

    def start(self, name, kind, *arguments):
        log = open(self.folder / f"{name}.log", "w")
        self.processes[name] = subprocess.Popen(
            [HOME / "bin/spark-class", f"org.apache.spark.deploy.{kind}", *arguments], env=self.environment, stdout=log,
            stderr=subprocess.STDOUT, start_new_session=True)

    def log(self, name):
        return (self.folder / f"{name}.log").read_text()

    def wait_for(self, name, pattern, seconds=120):
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.log(name))):
            assert self.processes[name].poll() is None and time.monotonic() < deadline, self.log(name)
            time.sleep(0.05)
        return found[1] if found.groups() else found[0]

    def submit(self, script, *arguments, **options):
        settings = {"spark.executor.memory": "500m", "spark.executor.cores": "1", "spark.driver.memory": "500m",
                    "spark.ui.enabled": "false", "spark.network.timeout": "120s"}
        command = [HOME / "bin/spark-submit", "--master", self.url, *(
            part for name, value in settings.items() for part in ("--conf", f"{name}={value}"))]
        return subprocess.Popen([*command, script, *map(str, arguments)], env=self.environment, text=True, **options)

    def kill(self, name):
        """As when the machine loses its power: the worker, and all that it has started."""
        kill_session(self.processes[name].pid)
        self.processes.pop(name).wait()

    def stop(self):
        for name in list(self.processes):
            self.kill(name)
