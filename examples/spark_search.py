"""Search on Apache Spark: shards of a corpus, queries against all of them, and who is near to whom.

python examples/spark_search.py                                  (made-up texts)
python examples/spark_search.py 20news-18828 vectors.bin.gz      (a folder of texts by group)
python examples/spark_search.py 20news-18828.tar.xz vectors.bin.gz --master spark://host:7077

Needs Java, and navvy with what Spark needs: pip install 'navvy[spark]'.
"""

import argparse
import random
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import navvy.spark
from pyspark.sql import DataFrame, SparkSession

TOPICS = {
    "space": "rocket orbit launch moon crew probe engine planet satellite telescope".split(),
    "music": "sonata chopin virtuoso piano vienna concert violin opera choir tempo".split(),
    "cars": "engine tyre gearbox brake clutch road driver diesel race lap".split(),
}


def made_up(folder: Path) -> tuple[list[tuple[str, str, str]], Path]:
    """Texts of three topics, and vectors in which words of a topic are near to each other."""
    chance = random.Random(0)
    texts = [
        (f"{topic}-{number}", topic, " ".join(chance.choices(words, k=12)))
        for topic, words in TOPICS.items()
        for number in range(60)
    ]
    path = folder / "vectors.txt"
    with path.open("w") as file:
        for place, words in enumerate(TOPICS.values()):
            for word in words:
                vector = [3.0 * (axis == place) + chance.gauss(0, 0.6) for axis in range(6)]
                file.write(f"{word} {' '.join(f'{x:.4f}' for x in vector)}\n")
    return texts, path


def posts(corpus: Path) -> Iterator[tuple[str, str, str]]:
    """Id, group and text of each post in a folder of groups, or in an archive of one."""
    if corpus.is_dir():
        for path in sorted(corpus.glob("*/*")):
            yield f"{path.parent.name}/{path.name}", path.parent.name, path.read_text("latin1")
        return
    with tarfile.open(corpus) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                group, name = Path(member.name).parts[-2:]
                yield f"{group}/{name}", group, file.read().decode("latin1")


def show(found: DataFrame) -> None:
    for line in found.orderBy("query", "rank").collect():
        print(f"{line.query!r:24} {line.rank}. {line.id:32} {line.label:28} {line.distance:.4f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", nargs="?", type=Path, help="a folder of texts, or an archive")
    parser.add_argument("vectors", nargs="?", type=Path, help="word vectors")
    parser.add_argument("--master", default="local[2]", help="as in spark-submit")
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where they go; seen by driver and executors")
    parser.add_argument("--rows", type=int, help="no more texts than these, spread over all")
    options = parser.parse_args()

    spark = (
        SparkSession.builder.master(options.master)
        .config(map=navvy.spark.SETTINGS)
        .config("spark.pyspark.python", sys.executable)
        .getOrCreate()
    )
    with tempfile.TemporaryDirectory() as folder:
        if options.corpus is None:
            texts, vectors = made_up(Path(folder))
            asked = ["a launch to the moon", "chopin in vienna", "an engine with a gearbox"]
        else:
            texts, vectors = list(posts(options.corpus)), options.vectors
            asked = ["shuttle launch to the moon", "encryption keys", "brake and tyre of my car"]
        if options.rows is not None:
            texts = texts[:: -(-len(texts) // options.rows)]
        documents = spark.createDataFrame(texts, "id string, label string, text string")

        path = (options.folder or Path(folder)) / "shards"
        shards = navvy.spark.build(documents, vectors, path, label="label", shards=options.shards)
        print(f"{shards.rows} texts in {len(shards)} shards")

        queries = spark.createDataFrame(
            [(text, text) for text in asked], "query string, text string"
        )
        show(navvy.spark.search(queries, path, top=3))

        precision = navvy.spark.evaluate(path, "act-1", tops=(1, 5), session=spark)["act-1"]
        for top, share in precision.precision.items():
            print(f"nearest {top}: {share:.3f} have the label of who asks")
    spark.stop()


if __name__ == "__main__":
    main()
