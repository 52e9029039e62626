"""A retriever for Haystack: texts by the Earth Mover's Distance of their words.

python examples/haystack_retriever.py [WORDS...]
"""

import sys
from pathlib import Path
from typing import Any

import navvy
from haystack import Document, Pipeline, component

DEMO = Path(__file__).resolve().parent.parent / "data" / "demo"


@component  # type: ignore[untyped-decorator,unused-ignore]
class NavvyRetriever:
    """Documents nearest to a query, of which `score` falls from 1 as distance grows."""

    def __init__(self, documents: list[Document], vectors: Any, top_k: int = 4) -> None:
        self.documents = documents
        self.top_k = top_k
        texts = [document.content or "" for document in documents]
        self.index = navvy.Index.from_texts(texts, vectors)

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator,unused-ignore]
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        found = []
        for match in self.index.search(query, top=top_k or self.top_k)[0]:
            near = self.documents[match.row]
            score = 1 / (1 + match.distance)
            found.append(Document(id=near.id, content=near.content, meta=near.meta, score=score))
        return {"documents": found}


def main() -> None:
    lines = [line.split("\t") for line in (DEMO / "texts.tsv").read_text().splitlines()]
    documents = [Document(content=line[2], meta={"label": line[0]}) for line in lines]
    pipeline = Pipeline()
    pipeline.add_component("retriever", NavvyRetriever(documents, DEMO / "vectors.bin"))
    query = " ".join(sys.argv[1:]) or "a soup of carrots"
    for found in pipeline.run({"retriever": {"query": query}})["retriever"]["documents"]:
        print(f"{found.score:.3f} {found.meta['label']}: {found.content}")


if __name__ == "__main__":
    main()
