"""Documents of spaCy as texts; spaCy itself where it is installed, else the shape of its own."""

import navvy
import numpy as np
import pytest

pytestmark = pytest.mark.peer("spaCy", "spacy")


class Words:
    index_to_key = ["king", "queen", "apple", "pear"]
    vectors = np.array([[1, 0.1], [0.9, 0.2], [0, 1], [0.1, 0.9]])


class Token:
    def __init__(self, text):
        self.text = text


class Document:
    """A sequence of tokens that has a text, as spaCy's is."""

    def __init__(self, text):
        self.text = text

    def __iter__(self):
        return map(Token, self.text.split())

    def __len__(self):
        return len(self.text.split())


def with_spacy():
    spacy = pytest.importorskip("spacy", reason="spaCy takes 160 MB")
    return spacy.blank("en")


@pytest.mark.parametrize("parser", [lambda: Document, with_spacy], ids=["its shape", "spaCy"])
def test_documents_are_texts(parser):
    parsed = parser()
    texts = ["A king eats apples: an apple a day.", "The queen, the queen!", "Pear and apple"]
    expected = navvy.Index.from_texts(texts, Words)
    index = navvy.Index.from_texts([parsed(text) for text in texts], Words)
    np.testing.assert_array_equal(index.distances(), expected.distances())
    found = index.search(parsed("a queen"), top=2)
    assert found.rows.tolist() == expected.search("a queen", top=2).rows.tolist()
    several = index.search([parsed("a queen"), parsed("a pear")], top=1)
    assert several.rows[:, 0].tolist() == [1, 2]
    index.add([parsed("one more king")])
    assert len(index) == 4
    for call in (
        lambda: navvy.Index.from_texts(parsed("a king"), Words),
        lambda: index.add(parsed("a king")),
    ):
        with pytest.raises(TypeError, match="texts are one Doc.*; expected a sequence of texts"):
            call()


def test_what_has_no_text_is_refused():
    with pytest.raises(TypeError, match="text 1 is Token; expected str"):
        navvy.Index.from_texts(["a king", Token(3)], Words)
