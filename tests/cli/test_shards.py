"""Shards by the command alone: processes that share work out, restarts, and what is refused."""

import fcntl
import json
import os
import subprocess
import time

import numpy as np
import pytest
import scipy.sparse


@pytest.fixture
def texts(call, tmp_path):
    """An index of 40 texts and a file of queries, one of which has no known word."""
    rng = np.random.default_rng(1)
    words = [f"{a}{b}" for a in "abcdef" for b in "uvwxyz"]
    vectors = "".join(
        word + " " + " ".join(f"{x:.4f}" for x in rng.normal(size=4)) + "\n" for word in words
    )
    (tmp_path / "vectors.txt").write_text(vectors)
    lines = [" ".join(rng.choice(words[: 9 + i % 27], size=9)) for i in range(40)]
    rows = [json.dumps({"id": f"t{i}", "text": line}) for i, line in enumerate(lines)]
    (tmp_path / "texts.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "queries.jsonl").write_text(
        "".join(json.dumps({"text": t}) + "\n" for t in [lines[3], "nothing", "au bv cw"])
    )
    build = ["build", "--vectors", tmp_path / "vectors.txt", "--query-words", "corpus", "--corpus"]
    call(*build, tmp_path / "texts.jsonl", "-o", tmp_path / "whole.navvy")
    for part, (a, b) in enumerate([(0, 9), (9, 30), (30, 40)]):
        (tmp_path / f"{part}.jsonl").write_text("\n".join(rows[a:b]) + "\n")
        call(*build, tmp_path / f"{part}.jsonl", "-o", tmp_path / f"{part}.navvy")
    return tmp_path


def lines_of(text):
    """Rank lines by query."""
    found = {}
    for line in text.splitlines()[1:]:
        query, rank, row, distance = line.split("\t")
        found.setdefault(int(query), []).append((int(rank), int(row), float(distance)))
    return found


@pytest.mark.parametrize("way", ["contiguous", "hashed", "apart"])
def test_shards_of_texts_answer_like_one_index(call, texts, way):
    folder = texts / "shards"
    if way == "apart":
        call("split", *(texts / f"{part}.navvy" for part in range(3)), "-o", folder)
    else:
        hashed = ["--hashed"] if way == "hashed" else []
        call("split", texts / "whole.navvy", "--shards", 3, *hashed, "-o", folder)
    encoded = texts / "q.navvy"
    assert call.json("encode", folder, "--query-file", texts / "queries.jsonl", "-o", encoded) == {
        "schema": 1,
        "file": str(encoded),
        "queries": 3,
        "empty": 1,
    }
    lists = [texts / f"{shard}.lists" for shard in range(3)]
    for shard, path in enumerate(lists):
        call(
            "search", folder, "--shard", shard, "--query-file", encoded, "--lists", path, "--top", 4
        )
    found = lines_of(call("merge-lists", *reversed(lists)).stdout)
    assert found.keys() == {0, 2}
    whole = call.json(
        "search", texts / "whole.navvy", "--query-file", texts / "queries.jsonl", "--top", 4, code=3
    )
    for query in found:
        assert found[query] == [
            (match["rank"], match["row"], match["distance"])
            for match in whole["queries"][query]["matches"]
        ]
    of_folder = call.json(
        "search", folder, "--query-file", texts / "queries.jsonl", "--top", 4, code=3
    )
    assert of_folder["queries"] == whole["queries"]


@pytest.mark.parametrize("count", [1, 4])
def test_ranks_share_pairs_out_and_skip_what_is_done(call, data, tmp_path, count):
    folder, parts = tmp_path / "shards", tmp_path / "parts"
    call("split", data.index, "--shards", count, "-o", folder)
    knn = ["knn", folder, "--top", 5, "--measure", "act-2", "-o", parts]
    variables = [
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
        ("PMI_RANK", "PMI_SIZE"),
        ("SLURM_PROCID", "SLURM_NTASKS"),
    ]
    everybody = [
        subprocess.Popen(
            [call.path, *map(str, knn), "--rank-from-env"],
            env=os.environ | {rank: str(number), size: "3"},
        )
        for number, (rank, size) in enumerate(variables)
    ]
    assert [process.wait() for process in everybody] == [0, 0, 0]
    done = {path: path.stat().st_mtime_ns for path in parts.iterdir()}
    assert len(done) == count * (count + 1) // 2
    call("merge-lists", parts, "-o", tmp_path / "graph.npz")
    call("knn", data.index, "--top", 5, "--measure", "act-2", "-o", tmp_path / "one.npz")
    graph, one = (scipy.sparse.load_npz(tmp_path / f"{name}.npz") for name in ("graph", "one"))
    for array in ("indptr", "indices", "data"):
        assert getattr(graph, array).tobytes() == getattr(one, array).tobytes()
    lost = parts / f"part-0000-{count - 1:04}.lists"
    lost.unlink()
    again = call.json(*knn, "--rank", "0/1")
    assert (again["done"], again["skipped"]) == (1, len(done) - 1)
    assert all(path.stat().st_mtime_ns == when for path, when in done.items() if path != lost)
    lost.write_bytes(lost.read_bytes()[:-5])
    assert f"{lost.name}: not what was saved" in call.fails(3, *knn, "--rank", "0/1")
    lost.unlink()
    if count > 1:
        assert "the lists of shard" in call.fails(2, "merge-lists", parts, "-o", tmp_path / "g.npz")
        assert not (tmp_path / "g.npz").exists()
    other = [*knn[:3], 6, *knn[4:], "--rank", "0/1"]
    if count > 1:
        assert "another question" in call.fails(2, *other)


def test_tasks_of_a_slurm_array(call, data, tmp_path):
    folder, parts = tmp_path / "shards", tmp_path / "parts"
    call("split", data.index, "--shards", 3, "-o", folder)
    for task in ("5", "7"):
        slurm = {
            "SLURM_ARRAY_TASK_ID": task,
            "SLURM_ARRAY_TASK_MIN": "5",
            "SLURM_ARRAY_TASK_STEP": "2",
            "SLURM_ARRAY_TASK_COUNT": "2",
            "SLURM_PROCID": "0",
            "SLURM_NTASKS": "8",
        }
        told = call.json("knn", folder, "--rank-from-env", "-o", parts, env=os.environ | slurm)
        assert (told["of"], told["done"]) == (2, 3)


@pytest.mark.parametrize(
    ("message", "arguments", "variables"),
    [
        ("no rank in the environment", ["--rank-from-env"], {}),
        ("PMI_RANK is set, but PMI_SIZE is not", ["--rank-from-env"], {"PMI_RANK": "1"}),
        ("PMI_RANK is 'x'", ["--rank-from-env"], {"PMI_RANK": "x"}),
        ("process 4 of 4", ["--rank-from-env"], {"PMI_RANK": "4", "PMI_SIZE": "4"}),
        ("rank '3': expected R/N", ["--rank", "3"], {}),
        ("excludes --where", ["--rank", "0/2", "--where", "row = 1"], {}),
        ("process 2 of 2; expected a number from 0 to 1", ["--rank", "2/2"], {}),
    ],
)
def test_ranks_that_cannot_be(call, data, tmp_path, message, arguments, variables):
    call("split", data.index, "--shards", 2, "-o", tmp_path / "s")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "PMI", "SLURM"))}
    command = ["knn", tmp_path / "s", "-o", tmp_path / "parts", *arguments]
    assert message in call.fails(2, *command, env=env | variables)


def test_a_shard_that_is_gone_is_named(call, data, tmp_path):
    folder = tmp_path / "s"
    call("split", data.index, "--shards", 2, "-o", folder)
    (folder / "shard-0001.navvy").unlink()
    for command in (
        ["search", folder, "--row", 1],
        ["knn", folder, "--rank", "1/3", "-o", tmp_path / "parts"],
    ):
        assert "shard-0001.navvy: " in call.fails(1, *command)
    assert not list((tmp_path / "parts").iterdir())


def test_lists_by_mistake_are_not_to_be_removed(call, data):
    message = call.fails(3, "merge-lists", data.index)
    assert "these are no lists of this version" in message
    assert "remove" not in message


@pytest.mark.parametrize("name", ["shard-0001.navvy", "vocabulary.navvy"])
@pytest.mark.parametrize("apart", [False, True])
def test_files_of_others_are_not_overwritten(call, texts, name, apart):
    folder = texts / "shards"
    folder.mkdir()
    (folder / name).write_text("my notes")
    files = [texts / f"{part}.navvy" for part in range(3)] if apart else [texts / "whole.navvy"]
    shards = [] if apart else ["--shards", 2]
    message = call.fails(2, "split", *files, *shards, "-o", folder)
    assert f"{name}: exists and is not a navvy index; it will not be overwritten" in message
    assert [path.name for path in folder.iterdir()] == [name]
    assert (folder / name).read_text() == "my notes"
    (folder / name).write_text("")  # as mktemp leaves it
    call("split", *files, *shards, "-o", folder)


def test_folders_are_described_verified_and_split_again(call, texts):
    first, second = texts / "first", texts / "second"
    call("split", texts / "whole.navvy", "--shards", 2, "--hashed", "-o", first)
    told = call.json("info", first)
    assert (told["n"], told["kind"], told["sharing"]) == (40, "text", "hashed")
    assert sum(shard["rows"] for shard in told["shards"]) == 40
    lines = call("info", first).stdout
    assert "2, hashed" in lines and "shard-0001.navvy" in lines and "vocabulary.navvy" in lines
    assert [line.split(": ")[1] for line in call("verify", first).stdout.splitlines()][-1] == (
        "sound, 40 rows in 2 shards"
    )
    assert len(call.json("verify", first)["files"]) == 4
    call("split", first, "--shards", 3, "-o", second)
    found = [
        call.json("search", index, "--row", 3)["queries"][0]["matches"]
        for index in (texts / "whole.navvy", first, second)
    ]
    assert found[0] == found[1] == found[2]
    other = second / "shard-0001.navvy"
    (first / "shard-0001.navvy").write_bytes(other.read_bytes())
    assert "shard-0001.navvy: this is not the file" in call("verify", first, code=3).stderr


@pytest.mark.parametrize("count", [1, 2])
def test_a_part_that_another_process_writes_is_passed_over(call, data, tmp_path, count):
    folder, parts = tmp_path / "shards", tmp_path / "parts"
    parts.mkdir()
    call("split", data.index, "--shards", count, "-o", folder)
    busy = parts / ".part-0000-0000.lists.navvy-tmp"
    with busy.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [call.path, "knn", folder, "--rank", "0/1", "-o", parts, "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        others = count * (count + 1) // 2 - 1
        while process.poll() is None and len(list(parts.glob("*.lists"))) < others:
            time.sleep(0.01)
        assert process.poll() is None
    told = json.loads(process.communicate()[0])
    assert (process.returncode, told["done"]) == (0, others + 1)
    call("merge-lists", parts, "-o", tmp_path / "graph.npz")


def test_queries_are_made_as_the_shards_are(call, texts):
    folder = texts / "shards"
    build = ["build", "--vectors", texts / "vectors.txt", "--corpus", texts / "texts.jsonl"]
    call(*build, "--weighting", "tf", "-o", texts / "tf.navvy")
    call(*build, "--weighting", "log", "-o", texts / "log.navvy")
    call("split", texts / "tf.navvy", "--shards", 2, "-o", folder)
    search = ["search", folder, "--shard", 0, "--lists", texts / "x.lists", "--query-file"]
    another = "the queries were encoded by another vocabulary"
    assert another in call.fails(3, *search, texts / "log.navvy")
    asked = ["--query-file", texts / "queries.jsonl", "-o", texts / "q.navvy"]
    call("encode", texts / "log.navvy", *asked)
    assert another in call.fails(3, *search, texts / "q.navvy")
    # The index itself encodes as its shards need it; one shard cannot.
    call("encode", texts / "tf.navvy", *asked)
    call(*search, texts / "q.navvy")
    by_index = (texts / "x.lists").read_bytes()
    call("encode", folder, *asked)
    call(*search, texts / "q.navvy")
    assert (texts / "x.lists").read_bytes() == by_index
    assert "this is a shard" in call.fails(2, "encode", folder / "shard-0000.navvy", *asked)


@pytest.mark.parametrize(
    ("code", "message", "arguments"),
    [
        (2, "tf.navvy: this is no folder of shards", ["tf.navvy", "--shard", "0"]),
        (2, "--shard: ", ["s", "--shard", "-1"]),
        (2, "there is no shard 7 of 2", ["s", "--shard", "7"]),
        (
            3,
            "queries.jsonl: these are no queries for shards; `navvy encode s",
            ["s", "--shard", "0"],
        ),
    ],
)
def test_searches_of_shards_that_cannot_be(call, texts, code, message, arguments):
    (texts / "whole.navvy").rename(texts / "tf.navvy")
    call("split", "tf.navvy", "--shards", 2, "-o", "s")
    call("encode", "s", "--query-file", "queries.jsonl", "-o", "q.navvy")
    queries = "queries.jsonl" if code == 3 else "q.navvy"
    found = call.fails(code, "search", *arguments, "--query-file", queries, "--lists", "x.lists")
    assert message in found and "18446744073709551615" not in found


def test_a_matrix_has_the_name_of_one(call, data, tmp_path):
    call("split", data.index, "--shards", 1, "-o", tmp_path / "s")
    call("knn", tmp_path / "s", "--rank", "0/1", "-o", tmp_path / "parts")
    message = call.fails(2, "merge-lists", tmp_path / "parts", "-o", tmp_path / "out.txt")
    assert "out.txt: expected NAME.npz for a matrix or NAME.lists" in message


@pytest.mark.parametrize("count", [2**63, 2**64 - 1, 4])
def test_arrays_that_slurm_cannot_have(call, data, tmp_path, count):
    call("split", data.index, "--shards", 2, "-o", tmp_path / "s")
    slurm = {
        "SLURM_ARRAY_TASK_ID": "4",
        "SLURM_ARRAY_TASK_COUNT": str(count),
        "SLURM_PROCID": "0",
        "SLURM_STEP_NUM_TASKS": "2",
    }
    knn = ["knn", tmp_path / "s", "--rank-from-env", "-o", tmp_path / "parts"]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "MV2", "PMI", "SLURM"))}
    assert "SLURM: task 4 of an array of" in call.fails(2, *knn, env=env | slurm)
