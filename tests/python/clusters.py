"""Real Spark on this machine: a local cluster, or a master and workers; who kills executors; and
whether answers have the right bytes."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest

# What starts and compiles little: a Java process of a test lives for seconds.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
LOOPBACK = "127.0.0.1"
SMALL = {
    "spark.driver.bindAddress": LOOPBACK,
    "spark.driver.host": LOOPBACK,
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.executor.extraJavaOptions": JAVA,
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    # An executor that was killed is not asked again and again for what it had.
    "spark.shuffle.io.maxRetries": "1",
    "spark.shuffle.io.retryWait": "100ms",
}
EXECUTOR = b"CoarseGrainedExecutorBackend"


def require_spark() -> None:
    """Skips the module that asks where Spark cannot run, and says what is missing."""
    reason = "navvy.spark is not tested: pyspark is missing (requirements-dev.txt)"
    pytest.importorskip("pyspark", reason=reason)
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        reason = "navvy.spark is not tested: no Java (openjdk-17-jre-headless)"
        pytest.skip(reason, allow_module_level=True)


@contextmanager
def session(master: str, folder: Path, **more: str) -> Iterator:
    """A Spark session whose Python is this one."""
    import navvy.spark
    from pyspark.sql import SparkSession

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": LOOPBACK}
    places = {"spark.local.dir": str(folder), "spark.sql.warehouse.dir": str(folder)}
    settings = SMALL | navvy.spark.SETTINGS | places | more
    made = SparkSession.builder.master(master).config(map=settings).getOrCreate()
    made.sparkContext.setLogLevel("OFF")
    try:
        yield made
    finally:
        made.stop()


def executors() -> list[int]:
    """The processes of executors that this one started, or those that it started."""
    parents, lines = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                parents[int(folder.name)] = int(
                    (folder / "stat").read_text().rpartition(")")[2].split()[1]
                )
                lines[int(folder.name)] = (folder / "cmdline").read_bytes()
    return [
        process for process in lines if EXECUTOR in lines[process] and _is_ours(process, parents)
    ]


def _is_ours(process: int, parents: dict[int, int]) -> bool:
    while process in parents:
        if process == os.getpid():
            return True
        process = parents[process]
    return False


class Killer(threading.Thread):
    """Kills so many executors at random moments, each only while tasks run."""

    def __init__(self, spark, most: int, apart: float = 0.3, seed: int = 0) -> None:
        super().__init__(daemon=True)
        self._most = most
        self._apart = apart
        self._tracker = spark.sparkContext.statusTracker()
        self._random = random.Random(seed)
        self._ended = threading.Event()
        self.killed: list[int] = []

    def _busy(self) -> bool:
        stages = map(self._tracker.getStageInfo, self._tracker.getActiveStageIds())
        return any(stage is not None and stage.numActiveTasks > 0 for stage in stages)

    def run(self) -> None:
        while not self._ended.wait(self._random.uniform(0.01, self._apart)):
            if len(self.killed) == self._most or not self._busy():
                continue
            alive = [process for process in executors() if process not in self.killed]
            if alive:
                process = self._random.choice(alive)
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
                    self.killed.append(process)

    def __enter__(self) -> "Killer":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self.join()


def _wait_for(log: Path, pattern: str, process: subprocess.Popen) -> re.Match:
    """What a process writes into its log once it is ready."""
    while True:
        found = re.search(pattern, log.read_text())
        if found:
            return found
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)


@contextmanager
def standalone(folder: Path, prefixes: list[list[str]]) -> Iterator[str]:
    """The address of a master with a worker of two cores for each prefix of its command."""
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = os.environ | {
        "SPARK_HOME": str(home),
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": f"{JAVA} -Dspark.deploy.maxExecutorRetries=100",
        "SPARK_LOCAL_IP": LOOPBACK,
    }
    started: list[subprocess.Popen] = []

    def start(name: str, ready: str, command: list[str], prefix: list[str]) -> re.Match:
        log = folder / f"{name}.log"
        class_name = f"org.apache.spark.deploy.{command[0]}"
        common = ["--host", LOOPBACK, "--port", "0", "--webui-port", "0"]
        with log.open("w") as file:
            started.append(
                subprocess.Popen(
                    [*prefix, home / "bin" / "spark-class", class_name, *common, *command[1:]],
                    stdout=file,
                    stderr=file,
                    env=environment,
                    start_new_session=True,
                )
            )
        return _wait_for(log, ready, started[-1])

    try:
        address = start("master", r"Starting Spark master at (\S+)", ["master.Master"], [])[1]
        for number, prefix in enumerate(prefixes):
            work = ["-c", "2", "-m", "1g", "-d", str(folder / f"work-{number}"), address]
            ready = "Successfully registered with master"
            start(f"worker-{number}", ready, ["worker.Worker", *work], prefix)
        yield address
    finally:
        for process in reversed(started):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def in_order(found, *columns):
    """What Spark found, as columns of NumPy."""
    table = found.orderBy("query", "rank").toArrow()
    return [table[column].to_numpy(zero_copy_only=False) for column in columns]


def same_bytes(found, queries, matches):
    """Whether a frame holds these matches of these queries, all of them and to the bit."""
    names = ["query", "rank", "row", "distance"]
    query, rank, row, distance = in_order(found, *names)
    expected = matches.rows >= 0
    place, number = np.nonzero(expected)
    assert query.tolist() == [queries[i] for i in place]
    assert rank.tolist() == (number + 1).tolist()
    assert row.tolist() == matches.rows[expected].tolist()
    assert distance.tobytes() == matches.distances[expected].tobytes()
    if "id" in found.columns:
        (ids, labels) = in_order(found, "id", "label")
        assert ids.tolist() == matches.ids[expected].tolist()
        assert labels.tolist() == list(map(str, matches.labels[expected]))
    found.unpersist()


def same_lists(found, matches):
    """Whether rows and distances are these, to the bit, whatever queries and rows are called."""
    rows, distances = in_order(found, "row", "distance")
    found.unpersist()
    assert rows.tolist() == matches.rows[matches.rows >= 0].tolist()
    assert distances.tobytes() == matches.distances[matches.rows >= 0].tobytes()
