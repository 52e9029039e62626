"""Where Spark cannot run its tests are skipped, and say what is missing; nobody else needs it."""

import os
import shutil
import subprocess
import sys


def test_without_java_the_modules_are_skipped(root, tmp_path):
    """Not an error of collection, which would stop all other tests too."""
    for name in ("sh", "env"):
        (tmp_path / name).symlink_to(shutil.which(name))
    environment = {k: v for k, v in os.environ.items() if k != "JAVA_HOME"}
    files = sorted(root.glob("tests/python/test_spark*.py"))
    files = [file for file in files if file.name != "test_spark_missing.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *files],
        env=environment | {"PATH": str(tmp_path)},
        cwd=root,
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 5, said  # nothing was left to run
    assert f"{len(files)} skipped" in said and "error" not in said, said
    assert said.count("navvy.spark is not tested: no Java") >= 1, said


def test_spark_is_imported_only_when_it_is_asked_for():
    code = "import sys, navvy; assert 'pyspark' not in sys.modules; navvy.spark.build"
    subprocess.run([sys.executable, "-c", code], check=True)
