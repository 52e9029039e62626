"""Synonyms out of WordNet (Debian's wordnet-base), to ask for a text in other words."""

from pathlib import Path

WORDNET = Path("/usr/share/wordnet")
KINDS = {"noun": "1", "verb": "2", "adj": "3", "adv": "4"}


def entries(file: Path) -> list[list[str]]:
    """The fields of each line; the licence at the head of a file is indented."""
    lines = file.read_text("utf-8").splitlines()
    return [line.split() for line in lines if not line.startswith(" ")]


def first_senses(kind: str) -> dict[str, str]:
    """The most frequent sense of each word: the offset of its set of synonyms.

    A line is: word kind senses pointers symbol... senses tagged offset...
    """
    return {found[0]: found[6 + int(found[3])] for found in entries(WORDNET / f"index.{kind}")}


def sets(kind: str) -> dict[str, list[str]]:
    """The words of each set by its offset: offset file type words(hex) (word number)..."""
    found = {}
    for line in entries(WORDNET / f"data.{kind}"):
        members = line[4 : 4 + 2 * int(line[3], 16) : 2]
        found[line[0]] = [word.partition("(")[0].lower() for word in members]
    return found


def times_used() -> dict[tuple[str, str], int]:
    """How often a word of a kind stands in WordNet's tagged texts: word%kind:... sense times."""
    times: dict[tuple[str, str], int] = {}
    for key, _, count in entries(WORDNET / "cntlist.rev"):
        word, _, rest = key.partition("%")
        kind = "3" if rest[0] == "5" else rest[0]
        times[word, kind] = times.get((word, kind), 0) + int(count)
    return times


def related(a: str, b: str) -> bool:
    """Whether words look like forms or spellings of one: the first four letters are the same."""
    return a[:4] == b[:4]


class Synonyms:
    """Another word for a word: of the kind and the first sense in which it is used most.

    Of several that one which is used most itself, and none that stands in no tagged text.
    """

    def __init__(self) -> None:
        self.kinds = [(number, first_senses(kind), sets(kind)) for kind, number in KINDS.items()]
        self.times = times_used()

    def of(self, word: str) -> str | None:
        number, senses, members = max(
            self.kinds, key=lambda kind: (self.times.get((word, kind[0]), 0), word in kind[1])
        )
        others = [
            (self.times[other, number], other)
            for other in members.get(senses.get(word, ""), [])
            if other.isalpha() and (other, number) in self.times and not related(other, word)
        ]
        return max(others)[1] if others else None
