"""A retriever for LangChain: texts by the Earth Mover's Distance of their words.

python examples/langchain_retriever.py [WORDS...]
"""

import sys
from pathlib import Path
from typing import Any

import navvy
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

DEMO = Path(__file__).resolve().parent.parent / "data" / "demo"


class NavvyRetriever(BaseRetriever):  # type: ignore[misc,unused-ignore]
    """Documents nearest to a query; `index` has a row for each of `documents`."""

    documents: list[Document]
    index: Any
    top: int = 4

    @classmethod
    def from_documents(cls, documents: list[Document], vectors: Any) -> "NavvyRetriever":
        texts = [document.page_content for document in documents]
        return cls(documents=documents, index=navvy.Index.from_texts(texts, vectors))

    def _get_relevant_documents(self, query: str, *, run_manager: Any) -> list[Document]:
        matches = self.index.search(query, top=self.top)[0]
        found = [(self.documents[match.row], match.distance) for match in matches]
        return [
            Document(near.page_content, metadata=near.metadata | {"distance": distance})
            for near, distance in found
        ]


def lines_of(found: list[Document]) -> list[str]:
    return [
        f"{text.metadata['distance']:.3f} {text.metadata['label']}: {text.page_content}"
        for text in found
    ]


def main() -> None:
    lines = [line.split("\t") for line in (DEMO / "texts.tsv").read_text().splitlines()]
    documents = [Document(line[2], metadata={"label": line[0]}) for line in lines]
    retriever = NavvyRetriever.from_documents(documents, DEMO / "vectors.bin")
    chain = retriever | RunnableLambda(lines_of)
    print("\n".join(chain.invoke(" ".join(sys.argv[1:]) or "a soup of carrots")))


if __name__ == "__main__":
    main()
