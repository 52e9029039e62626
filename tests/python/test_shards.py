"""Shards answer with the bytes of one index, and refuse what is not theirs."""

import json
import os
import pickle
import shutil
from pathlib import Path
from typing import Any

import navvy
import numpy as np
import pytest

MEASURES = ["bow", "wcd", "rwmd", "omr", "act-3", "ict", "sinkhorn", "emd", "emd-hat"]
ROWS = 41


def words(count: int = 60) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    return {
        f"w{'abcdefghij'[i // 10]}{'abcdefghij'[i % 10]}": v
        for i, v in enumerate(rng.normal(size=(count, 5)).astype(np.float32))
    }


class Keyed:
    def __init__(self, vectors: dict[str, np.ndarray]) -> None:
        self.index_to_key = list(vectors)
        self.vectors = np.stack(list(vectors.values()))


def texts(count: int = ROWS, seed: int = 5) -> list[str]:
    rng = np.random.default_rng(seed)
    names = list(words())
    made = [" ".join(rng.choice(names[: 20 + i % 40], size=12)) for i in range(count)]
    if count > 11:
        made[7] = made[3]  # ties
        made[11] = "nothing known"
    return made


def text_index(weighting: str) -> navvy.Index:
    return navvy.Index.from_texts(
        texts(),
        Keyed(words()),
        labels=[str(i % 3) for i in range(ROWS)],
        weighting=weighting,
        stop_words="none",
    )


def image_index() -> navvy.Index:
    rng = np.random.default_rng(2)
    images = (rng.random((ROWS, 6, 6)) > 0.7).astype(np.uint8) * rng.integers(1, 9, (ROWS, 6, 6))
    images[4] = images[9]
    return navvy.Index.from_images(images.astype(np.uint8))


def keywords(measure: str) -> dict[str, Any]:
    return {"threshold": 1.0} if measure == "emd-hat" else {}


def same(lists: navvy.Lists, matches: navvy.Matches) -> None:
    assert np.array_equal(lists.rows, matches.rows)
    assert lists.distances.tobytes() == matches.distances.tobytes()


@pytest.fixture(params=["tf", "tfidf", "sif", "images"])
def index(request: pytest.FixtureRequest) -> navvy.Index:
    return image_index() if request.param == "images" else text_index(request.param)


def queries_for(index: navvy.Index, shards: navvy.Shards) -> tuple[Any, navvy.Index]:
    """As the whole takes them, and encoded for shards."""
    if index.kind == "images":
        pictures = np.eye(6, dtype=np.uint8)[None].repeat(2, axis=0)
        pictures[1] += 1
        return pictures, navvy.Index.from_images(pictures)
    asked = texts(6, seed=9)
    return asked, shards.vocabulary().encode(asked)


@pytest.mark.filterwarnings("ignore:sinkhorn stopped")
@pytest.mark.parametrize("hashed", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_shards_answer_like_one_index(
    index: navvy.Index, count: int, hashed: bool, tmp_path: Path
) -> None:
    shards = navvy.split(index, tmp_path / "s", count, hashed=hashed)
    assert (len(shards), shards.rows) == (count, ROWS)
    numbers = np.concatenate([shards.rows_of(k) for k in range(count)])
    assert sorted(numbers) == list(range(ROWS))
    asked, encoded = queries_for(index, shards)
    whole = shards.index()
    for measure in MEASURES:
        run = keywords(measure)
        expected = index.search(asked, 5, measure, for_="similar", **run)
        parts = [shards.search(k, encoded, 5, measure, for_="similar", **run) for k in range(count)]
        same(navvy.merge_lists(parts[::-1]), expected)
        assert np.array_equal(
            whole.search(asked, 5, measure, for_="similar", **run).rows, expected.rows
        )
        graph = navvy.merge_lists([shards.knn(a, b, 4, measure, **run) for a, b in shards.parts()])
        one = index.knn_matches(4, measure, **run)
        order = np.argsort(graph.queries)
        assert np.array_equal(graph.rows[order], one.rows), measure
        assert graph.distances[order].tobytes() == one.distances.tobytes(), measure
    assert (graph.graph((ROWS, ROWS)) != index.knn(4, measure, **run)).nnz == 0


def test_limits_of_the_diagonal_change_no_answer(index: navvy.Index, tmp_path: Path) -> None:
    shards = navvy.split(index, tmp_path / "s", 3, hashed=True)
    own = [shards.knn(k, k, 4) for k in range(3)]
    parts = [*own]
    for a, b in shards.parts()[3:]:
        parts.append(shards.knn(a, b, 4, limits=(own[a].limits(), own[b].limits())))
    unlimited = [shards.knn(a, b, 4) for a, b in shards.parts()]
    merged = navvy.merge_lists(parts)
    assert merged.to_bytes() == navvy.merge_lists(unlimited).to_bytes()
    assert sum((part.rows >= 0).sum() for part in parts) < sum(
        (part.rows >= 0).sum() for part in unlimited
    )
    by_shard = [
        navvy.merge_lists(
            [
                part.of_shard(k)
                for part in parts
                if (k, k) in part.parts or any(k in pair for pair in part.parts)
            ]
        )
        for k in range(3)
    ]
    assert navvy.merge_lists(by_shard).to_bytes() == merged.to_bytes()


def test_typed_texts_and_radii(tmp_path: Path) -> None:
    index = text_index("bm25")
    shards = navvy.split(index, tmp_path / "s", 4)
    asked = texts(5, seed=8)
    encoded = shards.vocabulary().encode([*asked, "unheard of"], ids=list("abcdef"))
    assert encoded.report["unknown"][5] == ["unheard", "of"]
    found = navvy.merge_lists([shards.search(k, encoded, 6) for k in range(4)])
    expected = index.search(asked, 6)
    assert np.array_equal(found.rows[:5], expected.rows)
    assert found.distances[:5].tobytes() == expected.distances.tobytes()
    assert (found.rows[5] == -1).all()
    near = navvy.merge_lists([shards.search(k, encoded, within=0.4) for k in range(4)])
    inside = index.search(asked, within=0.4)
    assert np.array_equal(near.rows[:5], inside.rows)


@pytest.mark.parametrize("weighting", ["tf", "tfidf", "bm25", "sif", "norm"])
def test_parts_that_were_built_apart(weighting: str, tmp_path: Path) -> None:
    index = text_index(weighting)
    made = {"vectors": Keyed(words()), "weighting": weighting, "stop_words": "none"}
    cuts = [0, 10, 11, 30, ROWS]
    parts = [
        navvy.Index.from_texts(texts()[a:b], ids=range(a, b), **made)
        for a, b in zip(cuts, cuts[1:], strict=False)
    ]
    vocabulary = navvy.joined_vocabulary(parts)
    nested = navvy.joined_vocabulary(
        [navvy.joined_vocabulary(parts[:2]), navvy.joined_vocabulary(parts[2:])]
    )
    assert nested.to_bytes() == vocabulary.to_bytes()
    counts, known = vocabulary.document_frequencies(), index.document_frequencies()
    if weighting in ("tfidf", "bm25", "sif"):
        assert np.array_equal(counts["frequencies"], known["frequencies"])
        assert (counts["documents"], counts["tokens"]) == (known["documents"], known["tokens"])
    vocabulary.save(tmp_path / "vocabulary.navvy")
    files = []
    for number, part in enumerate(parts):
        files.append(f"try-{number}.navvy")
        part.reweighed(vocabulary).save(tmp_path / files[-1])
    rebuilt = navvy.Index.from_texts(texts()[:10], ids=range(10), vocabulary=vocabulary)
    assert (
        rebuilt.histograms.data.tobytes()
        == navvy.Index.open(tmp_path / files[0]).histograms.data.tobytes()
    )
    shards = navvy.write_manifest(tmp_path, files, vocabulary="vocabulary.navvy")
    asked = texts(4, seed=8)
    encoded = navvy.Index.from_bytes(shards.vocabulary().encode(asked).to_bytes())
    found = navvy.merge_lists([shards.search(k, encoded, 5, "act-1") for k in range(4)])
    same(found, index.search(asked, 5, "act-1"))


def test_lists_travel(tmp_path: Path) -> None:
    index = image_index()
    shards = pickle.loads(pickle.dumps(navvy.split(index, tmp_path / "s", 2)))
    lists = shards.search(0, index, 3, "emd")
    for copy in (pickle.loads(pickle.dumps(lists)), navvy.Lists.from_bytes(lists.to_bytes())):
        assert copy.to_bytes() == lists.to_bytes()
        assert np.array_equal(copy.exact, lists.exact)
    lists.save(tmp_path / "0.lists")
    other = shards.search(1, index, 3, "emd")
    merged = navvy.merge_lists([tmp_path / "0.lists", other])
    assert merged.to_bytes() == navvy.merge_lists([other, lists]).to_bytes()
    with pytest.raises(ValueError, match=r"0\.lists: what was found in shard 0 stands"):
        navvy.merge_lists([other, lists, tmp_path / "0.lists"])
    with pytest.raises(ValueError, match="lists of shard 1 are missing"):
        navvy.merge_lists([lists])
    assert navvy.merge_lists([lists], partial=True).to_bytes() == lists.to_bytes()
    shards.search(1, index, 3, "act-1").save(tmp_path / "1.lists")
    with pytest.raises(ValueError, match=r"1\.lists: lists of other work"):
        navvy.merge_lists([lists, tmp_path / "1.lists"])


def test_every_damage_of_lists_is_found(tmp_path: Path) -> None:
    index = image_index()
    shards = navvy.split(index, tmp_path / "s", 2)
    path = tmp_path / "0.lists"
    content = shards.search(
        0, navvy.Index.from_images(np.ones((1, 6, 6), np.uint8)), 2, "emd"
    ).to_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(ValueError, match=r"0\.lists: "):
            navvy.Lists.open(path)
        with pytest.raises(ValueError, match="lists in memory"):
            navvy.Lists.from_bytes(content[:place])
    with pytest.raises(ValueError, match="lists in memory"):
        navvy.Lists.from_bytes(content + b"\0")


def test_a_bad_shard_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    shards = navvy.split(text_index("tfidf"), folder, 3)
    queries = shards.vocabulary().encode(["waa wab"])
    kept = (folder / "shard-0001.navvy").read_bytes()

    def fails(error: type[Exception], message: str) -> None:
        fresh = navvy.Shards.open(folder)
        fresh.search(0, queries)
        with pytest.raises(error, match=message):
            fresh.search(1, queries)
        with pytest.raises(error, match=message):
            navvy.Index.open(folder)

    (folder / "shard-0001.navvy").unlink()
    fails(FileNotFoundError, r"cannot open: .*shard-0001\.navvy")
    (folder / "shard-0001.navvy").write_bytes(kept[: len(kept) // 2])
    fails(ValueError, r"shard-0001\.navvy: ")
    (folder / "shard-0001.navvy").write_bytes(kept[:8] + b"\x09" + kept[9:])
    fails(ValueError, r"shard-0001\.navvy: byte 8: format version 9")
    flipped = bytearray(kept)
    flipped[-70] ^= 1
    (folder / "shard-0001.navvy").write_bytes(flipped)
    fails(ValueError, r"shard-0001\.navvy: ")
    shutil.copy(folder / "shard-0002.navvy", folder / "shard-0001.navvy")
    fails(ValueError, r"shard-0001\.navvy: this is not the file that the manifest names")
    (folder / "shard-0001.navvy").write_bytes(kept)
    navvy.Shards.open(folder).search(1, queries)


def test_a_bad_manifest_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    navvy.split(image_index(), folder, 3)
    text = (folder / "manifest.json").read_text()
    changes = [
        ("", "this is no JSON"),
        (text[:-30], "this is no JSON"),
        (text.replace('"navvy_shards": 1', '"navvy_shards": 2'), "2 is its version"),
        (text.replace("contiguous", "hashed"), "checksum does not fit"),
        (text.replace("shard-0002", "shard-0009"), "checksum does not fit"),
        (text.replace("shard-0002", "../shard-0002"), "no plain name"),
        (text.replace('"rows"', '"lines"'), "'rows' is missing"),
    ]
    for changed, message in changes:
        (folder / "manifest.json").write_text(changed)
        with pytest.raises(ValueError, match=f"manifest.json: .*{message}"):
            navvy.Shards.open(folder)
    (folder / "manifest.json").unlink()
    with pytest.raises(OSError, match=r"manifest\.json"):
        navvy.Shards.open(folder)
    assert json.loads(text)["rows"] == ROWS


def test_queries_of_other_vocabularies_are_refused(tmp_path: Path) -> None:
    shards = navvy.split(text_index("tfidf"), tmp_path / "s", 2)
    with pytest.raises(ValueError, match="encoded by another vocabulary"):
        shards.search(0, text_index("tfidf").encode(["waa"]))
    other = navvy.Index.from_texts(
        ["waa wab"], Keyed(words()), weighting="tfidf", query_words="corpus"
    )
    with pytest.raises(ValueError, match="lacks the word"):
        text_index("tfidf").reweighed(navvy.joined_vocabulary([other]))
    with pytest.raises(ValueError, match="which have no vocabulary"):
        navvy.split(image_index(), tmp_path / "i", 2).vocabulary()


def test_splitting_asks_for_what_can_be(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="0 shards of 41 rows"):
        navvy.split(image_index(), tmp_path / "s", 0)
    with pytest.raises(ValueError, match="42 shards of 41 rows"):
        navvy.split(image_index(), tmp_path / "s", 42)
    navvy.split(image_index(), tmp_path / "s", 41)
    with pytest.raises(ValueError, match="there are shards already"):
        navvy.split(image_index(), tmp_path / "s", 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_searches_shards_that_threads_used(tmp_path: Path) -> None:
    index = image_index()
    shards = navvy.split(index, tmp_path / "s", 2)
    expected = shards.search(0, index, 3, threads=4).to_bytes()
    child = os.fork()
    if child == 0:
        os._exit(0 if shards.search(0, index, 3, threads=4).to_bytes() == expected else 1)
    assert os.waitpid(child, 0)[1] == 0
