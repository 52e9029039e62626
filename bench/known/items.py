"""The known-item tests: texts of the shared data, and queries each of which has one right text."""

import gzip
import random
import re
from dataclasses import dataclass, replace
from pathlib import Path

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from known.bm25 import LETTERS, WORDS
from known.synonyms import Synonyms

SEED = 18
QUERIES = 1000  # half of them to choose by, half of them to report
QUOTE = re.compile(r"\b(writes|wrote|says|said)\s*:|(?:^|\s)[>|:]")


@dataclass
class KnownItems:
    """Texts by number, and queries with the number of the text that each was taken from."""

    name: str
    corpus: str  # the name of the texts, which several tests may ask
    texts: list[str]
    queries: list[str]
    answers: list[int]

    def half(self, which: int) -> "KnownItems":
        """Every other query: half 0 is chosen by, half 1 is reported."""
        return self.with_pairs(self.queries[which::2], self.answers[which::2])

    def first(self, count: int | None) -> "KnownItems":
        """The first so many queries, which are a sample as all of them are; None for all."""
        return self.with_pairs(self.queries[:count], self.answers[:count])

    def with_pairs(self, queries: list[str], answers: list[int]) -> "KnownItems":
        return replace(self, queries=queries, answers=answers)


def words(text: str) -> list[str]:
    """Runs of letters alone: which texts and queries are of use is told by these."""
    return LETTERS.findall(text.lower())


def sampled(
    name: str, texts: list[str], candidates: list[tuple[str, int]], most: int = QUERIES
) -> KnownItems:
    """A test of some candidates (query, number of the text), the same ones every time."""
    chosen = random.Random(SEED).sample(candidates, min(most, len(candidates)))
    queries, answers = [query for query, _ in chosen], [text for _, text in chosen]
    return KnownItems(name, name, texts, queries, answers)


def read_post(path: Path) -> tuple[str, str]:
    """Subject and body; posts of 20news-18828 begin with From: and Subject: and an empty line."""
    head, _, body = path.read_text("latin1").replace("\r", "").partition("\n\n")
    subject = re.search(r"^Subject:(.*)", head, re.MULTILINE)
    return (" ".join(subject[1].split()) if subject else "", " ".join(body.split()))


def posts(folder: Path) -> list[tuple[str, str]]:
    return [read_post(path) for path in sorted(folder.rglob("*")) if path.is_file()]


def unique_subjects(found: list[tuple[str, str]]) -> list[tuple[str, int]]:
    """Subjects that are no replies, of two words or more, and stand over one post alone."""
    times: dict[str, int] = {}
    for subject, _ in found:
        times[subject.lower()] = times.get(subject.lower(), 0) + 1
    return [
        (subject, number)
        for number, (subject, body) in enumerate(found)
        if times[subject.lower()] == 1
        and not re.match(r"re\b", subject.lower())
        and len(words(subject)) >= 2
        and len(words(body)) >= 10
    ]


def subjects(folder: Path) -> KnownItems:
    """Unique subjects ask for the bodies, which stand without their header lines."""
    found = posts(folder)
    return sampled("subjects", [body for _, body in found], unique_subjects(found))


def other_words(folder: Path) -> KnownItems:
    """Subjects in other words: all that have a synonym are replaced, two at least."""
    found = posts(folder)
    synonyms = Synonyms()

    def replaced(words_of: list[str]) -> tuple[str, int]:
        own = [word for word in dict.fromkeys(words_of) if word not in ENGLISH_STOP_WORDS]
        others = [synonyms.of(word) if word.isalpha() else None for word in own]
        query = " ".join(other or word for word, other in zip(own, others, strict=True))
        return query, len(others) - others.count(None)

    candidates = [
        (replaced(WORDS.findall(subject.lower()))[0], number)  # with its numbers
        for subject, number in unique_subjects(found)
        if replaced(words(subject))[1] >= 2
    ]
    bodies = [body for _, body in found]
    # As many as there are, since differences are small.
    made = sampled("synonyms", bodies, candidates, 2 * QUERIES)
    return replace(made, corpus="subjects")


def sentences(folder: Path) -> KnownItems:
    """First sentences of posts that quote nobody, 5 to 40 words, ask for what follows them."""
    rests, candidates = [], []
    for number, (_, body) in enumerate(posts(folder)):
        found = re.match(r"(.*?[.!?])\s(.*)", body)
        sentence, rest = found.groups() if found else ("", body)
        rests.append(rest)
        if 5 <= len(words(sentence)) <= 40 and len(words(rest)) >= 10 and not QUOTE.search(body):
            candidates.append((sentence, number))
    return sampled("sentences", rests, candidates)


def stories(folder: Path) -> KnownItems:
    """The first ten words of R8's documents ask for the rest of them."""
    rests, candidates = [], []
    for file in sorted(folder.glob("r8-*-all-terms.txt.gz")):
        for line in gzip.open(file, "rt", encoding="utf-8"):
            found = words(line.partition("\t")[2])
            if len(found) >= 20:
                candidates.append((" ".join(found[:10]), len(rests)))
            rests.append(" ".join(found[10:]))
    return sampled("stories", rests, candidates)
