"""BM25 at its best: over letters alone or numbers too, with and without English stop words."""

import re

import bm25s
import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

LETTERS = re.compile(r"[^\W\d_]+")
WORDS = re.compile(r"[^\W_]+")
# What a token is, and whether stop words are left out.
READINGS = {
    "BM25 of letters": (LETTERS, False),
    "BM25 of letters without stop words": (LETTERS, True),
    "BM25 of letters and digits": (WORDS, False),
    "BM25 of letters and digits without stop words": (WORDS, True),
}


class Ranking:
    """BM25 as Lucene computes it, with its usual k1 = 1.5 and b = 0.75."""

    def __init__(self, texts: list[str], reading: str) -> None:
        self.pattern, leaves_out = READINGS[reading]
        self.left_out = ENGLISH_STOP_WORDS if leaves_out else frozenset()
        self.texts = len(texts)
        self.ranking = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
        self.ranking.index([self.tokens(text) for text in texts], show_progress=False)

    def tokens(self, text: str) -> list[str]:
        found = self.pattern.findall(text.lower())
        return [word for word in found if word not in self.left_out]

    def scores(self, query: str) -> np.ndarray:
        """Of every text; what stands twice in a query counts twice."""
        known = [word for word in self.tokens(query) if word in self.ranking.vocab_dict]
        return self.ranking.get_scores(known) if known else np.zeros(self.texts)
