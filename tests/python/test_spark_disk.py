"""navvy.spark on workers whose disk is full: one line, and nothing left."""

import os
import subprocess
from itertools import product

import navvy
import pytest

from .clusters import require_spark, session, standalone

require_spark()

pytestmark = [
    pytest.mark.filterwarnings("default"),
    pytest.mark.skipif(
        "NAVVY_THOROUGH" not in os.environ, reason="starts a cluster: ./dev test --thorough"
    ),
]


def test_a_disk_that_is_full_on_workers(tmp_path_factory, tmp_path):
    """Workers see a file system of 64 KB where the shards are to go."""
    full = tmp_path / "full"
    full.mkdir()
    mount = f'mount -t tmpfs -o size=64k none {full} || exit 99; exec "$@"'
    prefix = ["unshare", "-rm", "sh", "-c", mount, "sh"]
    if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    folder = tmp_path_factory.mktemp("cluster")
    vectors = tmp_path / "vectors.txt"
    words = ["".join(letters) for letters in product("abcdefghij", repeat=4)][:6000]
    lines = [f"{word} {i / 997:.5f} {i % 7} {i % 11}\n" for i, word in enumerate(words)]
    vectors.write_text("".join(lines))
    texts = [(i, f"{words[i]} {words[i + 1]}") for i in range(5000)]
    with standalone(folder, [prefix]) as address, session(address, folder) as spark:
        frame = spark.createDataFrame(texts, "id int, text string")
        with pytest.raises(OSError, match="No space left on device: .*part-") as caught:
            navvy.spark.build(frame, vectors, full, shards=2)
        assert "\n" not in str(caught.value)
    assert not list(full.iterdir())
