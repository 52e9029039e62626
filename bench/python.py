"""What the Python package costs and saves, written to docs/python-speed.md.

First the kNN graph of MNIST by the command and by the package: same index, same threads, same file
at the end, in turn. Then the nearest posts of 20 Newsgroups under the exact distance by navvy, by
gensim's WmdSimilarity and by a loop over POT. Needs the public data sets; says so and stops without
them. Takes some minutes.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import engine
import gensim
import navvy
import numpy as np
import ot
import scipy.sparse
from gensim.models import KeyedVectors
from gensim.similarities import WmdSimilarity
from scipy.spatial.distance import cdist

RESULTS = engine.ROOT / "docs" / "python-speed.md"
TOP = 10
MOST_COST = 2  # per cent over the command
MOST_WORDS = 150  # of a post: the others take minutes over a few very long ones


def seconds(work):
    """How long it took, and what it gave."""
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


# --- the binding against the command --------------------------------------------------------------


def mnist(rows: int) -> Path:
    whole = engine.mnist("mnist.navvy")
    index = navvy.Index.open(whole)
    if rows >= len(index):
        return whole
    part = engine.WORK / f"mnist-{rows}.navvy"
    if not part.exists():
        index.remove(index.ids[rows:])
        index.save(part)
    return part


def by_command(index: Path, graph: Path) -> None:
    command = [engine.NAVVY, "knn", index, "--top", "16", "--measure", "act-1", "-o", graph]
    subprocess.run(command, check=True, capture_output=True)


def by_package(index: Path, graph: Path) -> None:
    found = navvy.Index.open(index).knn(16, "act-1")
    scipy.sparse.save_npz(graph, found, compressed=False)


def binding(rows: int, repeat: int) -> str:
    index = mnist(rows)
    times: dict = {by_command: [], by_package: []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeat):
            for work, taken in times.items():
                taken.append(seconds(lambda w=work: w(index, Path(folder, f"{w.__name__}.npz")))[0])
        graphs = [scipy.sparse.load_npz(Path(folder, f"{work.__name__}.npz")) for work in times]
    for part in ("indptr", "indices", "data"):
        np.testing.assert_array_equal(*(getattr(graph, part) for graph in graphs))
    command, package = (min(taken) for taken in times.values())
    cost = 100 * (package / command - 1)
    return f"""
## The binding against the command

The 16 nearest rows of each of {graphs[0].shape[0]:,} rows of MNIST under act-1, from the index
file to a file of the graph, on all cores; the best of {repeat} runs in turn. Both graphs have the
same bits.

| | seconds |
|---|---|
| `navvy knn mnist.navvy --top 16 --measure act-1 -o graph.npz` | {command:.2f} |
| `scipy.sparse.save_npz("graph.npz", navvy.Index.open("mnist.navvy").knn(16, "act-1"))` | \
{package:.2f} |

The package costs {cost:+.1f} %; at most {MOST_COST} % are allowed: \
{"holds" if cost <= MOST_COST else "**does not hold**"}.
"""


# --- texts against gensim and POT -----------------------------------------------------------------


def corpus(count: int):
    """Posts as lists of known words, and the vectors of these words for gensim."""
    engine.news()
    paths = sorted(path for path in (engine.WORK / "20news-18828").rglob("*") if path.is_file())
    path = engine.DATA / "vectors" / "glove-6b-100d-20news.bin.gz"
    vectors = navvy.load_vectors(path, normalize=True)
    stop_words = set(vectors.index_to_key[:100])
    posts = []
    for path in paths[:: max(1, len(paths) // count)][:count]:
        words = tokens(path.read_text(encoding="latin1"))
        known = [word for word in words if word in vectors and word not in stop_words]
        posts.append(known[:MOST_WORDS])
    posts = [post for post in posts if post]
    used = sorted({word for post in posts for word in post})
    keyed = KeyedVectors(vectors.vector_size)
    keyed.add_vectors(used, np.array([vectors[word] for word in used]))
    return posts, keyed


def tokens(text: str) -> list[str]:
    """Runs of at least two letters a to z, as the index of the other benchmarks has them."""
    letters = "".join(c if "a" <= c <= "z" else " " for c in text.lower())
    return [word for word in letters.split() if len(word) > 1]


def pot_loop(posts, keyed, queries):
    def bag(words):
        names, counts = np.unique(words, return_counts=True)
        return counts / counts.sum(), np.array([keyed.get_vector(n, norm=True) for n in names])

    bags = [bag(words) for words in posts]
    answers = []
    for p, a in (bag(words) for words in queries):
        distances = [ot.emd2(p, q, cdist(a, b), numItermax=10**6) for q, b in bags]
        answers.append(1 / (1 + np.sort(distances)[:TOP]))
    return answers


def best_of(answers):
    return [[similarity for _, similarity in answer] for answer in answers]


def texts(count: int, queries: int) -> str:
    posts, keyed = corpus(count)
    asked = posts[:: max(1, len(posts) // queries)][:queries]

    def by_navvy(**how):
        index = navvy.gensim.WmdSimilarity(posts, keyed, num_best=TOP, **how)
        return best_of(index[asked])

    def by_gensim():
        index = WmdSimilarity(posts, keyed, num_best=TOP)
        return best_of(index[query] for query in asked)

    ways = {
        "navvy.gensim.WmdSimilarity, all cores": by_navvy,
        "navvy.gensim.WmdSimilarity, one thread": lambda: by_navvy(threads=1),
        f"gensim {gensim.__version__} WmdSimilarity": by_gensim,
        f"a loop over POT {ot.__version__} emd2": lambda: pot_loop(posts, keyed, asked),
    }
    lines, expected, fastest = "", None, None
    for name, work in ways.items():
        taken, found = seconds(work)
        expected = found if expected is None else expected
        fastest = taken if fastest is None else fastest
        np.testing.assert_allclose(found, expected, atol=1e-5)
        lines += f"| {name} | {taken:.2f} | {taken / fastest:.1f} |\n"
    bins = np.mean([len(set(post)) for post in posts])
    return f"""
## Texts against gensim and POT

The {TOP} nearest of {len(posts):,} posts of 20 Newsgroups (their first {MOST_WORDS} words,
{bins:.0f} different ones on average) to each of {len(asked)} of them under the exact Word Mover's
Distance, making the index included. All give the same similarities to 1e-5.

| | seconds | times the first |
|---|---|---|
{lines}"""


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=60_000, help="of MNIST")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--texts", type=int, default=1_000)
    parser.add_argument("--queries", type=int, default=20)
    parser.add_argument("-o", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    if not engine.has_data("python"):
        return 0
    text = "# Speed of the Python package\n\nWritten by `./dev bench python`; kernels "
    text += f"{navvy.kernels()}.\n"
    text += binding(arguments.rows, arguments.repeat)
    text += texts(arguments.texts, arguments.queries)
    print(text)
    arguments.o.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
