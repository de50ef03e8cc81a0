"""The systems that search is compared with, each at the best setting that it honestly has."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, Any

from tests.benchmarks.corpus import WEIGHTS, cut

if TYPE_CHECKING:
    from pathlib import Path

    from tests.benchmarks.corpus import Batch

SHOWN = 20
_COLUMNS = ", ".join(WEIGHTS._fields)
_MARKS = ", ".join("?" * len(WEIGHTS))


class Answered:
    """What a system found."""

    def __init__(self, rows: list[int], *, is_refused: bool | None = None) -> None:
        self.rows = rows
        self.is_refused = not rows if is_refused is None else is_refused


class System:
    """A search system over the cards. ``is_slow``: its latency is measured over fewer questions."""

    name = ""
    note = ""
    is_slow = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, batch: Batch) -> None:
        """Index some cards."""

    def finish(self) -> None:
        """End indexing."""

    def search(self, text: str) -> Answered:
        """Return the best cards."""
        raise NotImplementedError

    def size(self) -> int | None:
        """Return the bytes on disk, or None for a system that lives in memory."""
        return sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())

    def close(self) -> None:
        """Let files go."""


class Like(System):
    """``LIKE`` over the whole text: all terms, or else as many as possible; titles first."""

    name = "LIKE"
    note = "all terms, else the cards with most of them; titles first"
    is_slow = True

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.database = sqlite3.connect(folder / "like.sqlite")
        self.database.execute("CREATE TABLE card (id INTEGER PRIMARY KEY, title TEXT, text TEXT)")

    def add(self, batch: Batch) -> None:
        rows = ((batch.first + i, f.title, "\n".join(f)) for i, f in enumerate(batch.fields))
        self.database.executemany("INSERT INTO card VALUES (?, ?, ?)", rows)

    def finish(self) -> None:
        self.database.commit()

    def search(self, text: str) -> Answered:
        wanted = ["%" + re.sub("([%_^])", r"^\1", term) + "%" for term in text.split()]
        if not wanted:
            return Answered([])
        holds, titled = (["text LIKE ? ESCAPE '^'"] * len(wanted), ["(title LIKE ? ESCAPE '^')"] * len(wanted))
        order = f"{' + '.join(titled)} DESC, id LIMIT {SHOWN}"
        found = self._rows(f"SELECT id FROM card WHERE {' AND '.join(holds)} ORDER BY {order}", wanted * 2)  # noqa: S608
        if not found and len(wanted) > 1:
            count = " + ".join(f"({one})" for one in holds)
            found = self._rows(
                f"SELECT id FROM card WHERE {' OR '.join(holds)} ORDER BY {count} DESC, {order}",  # noqa: S608
                wanted * 3,
            )
        return Answered(found)

    def _rows(self, statement: str, values: list[str]) -> list[int]:
        return [row[0] for row in self.database.execute(statement, values)]

    def close(self) -> None:
        self.database.close()


class FullText(System):
    """FTS5 with one of its own tokenisers: all terms, or else any of them, by bm25 with the weights of the fields."""

    tokenizer = ""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.database = sqlite3.connect(folder / "fts.sqlite")
        self.database.execute(
            f"CREATE VIRTUAL TABLE card USING fts5({_COLUMNS}, content='', tokenize='{self.tokenizer}')"
        )
        self.database.execute(f"INSERT INTO card(card, rank) VALUES ('rank', 'bm25({', '.join(WEIGHTS)})')")  # noqa: S608

    def add(self, batch: Batch) -> None:
        rows = ((batch.first + i, *fields) for i, fields in enumerate(batch.fields))
        self.database.executemany(f"INSERT INTO card(rowid, {_COLUMNS}) VALUES (?, {_MARKS})", rows)  # noqa: S608

    def finish(self) -> None:
        self.database.execute("INSERT INTO card(card) VALUES ('optimize')")
        self.database.commit()

    def expressions(self, text: str) -> list[str]:
        """Return what is tried in turn until something is found."""
        quoted = [_quoted(term) for term in text.split()]
        return [" AND ".join(quoted), " OR ".join(quoted)]

    def search(self, text: str) -> Answered:
        statement = f"SELECT rowid FROM card WHERE card MATCH ? ORDER BY rank LIMIT {SHOWN}"  # noqa: S608
        for expression in filter(None, dict.fromkeys(self.expressions(text))):
            if found := [row[0] for row in self.database.execute(statement, (expression,))]:
                return Answered(found)
        return Answered([])

    def close(self) -> None:
        self.database.close()


class Unicode61(FullText):
    """FTS5 as it comes."""

    name = "FTS5 unicode61"
    note = "all terms as phrases, else any of them"
    tokenizer = "unicode61"


class Trigram(FullText):
    """FTS5 over three characters at a time; terms that are not found as a whole are looked for by their pieces."""

    name = "FTS5 trigram"
    note = "all terms, else any of them, else any three characters of them"
    tokenizer = "trigram"

    def expressions(self, text: str) -> list[str]:
        quoted = [_quoted(term) for term in text.split() if len(term) >= 3]
        pieces = {term[i : i + 3] for term in text.split() for i in range(len(term) - 2)}
        return [" AND ".join(quoted), " OR ".join(quoted), " OR ".join(map(_quoted, sorted(pieces)))]


class RankBm25(System):
    """jieba and rank-bm25: everything in memory, scored in Python; one bag of words, since it knows no fields."""

    name = "jieba + BM25"
    note = "rank-bm25, one field"
    is_slow = True

    def __init__(self, folder: Path) -> None:
        from rank_bm25 import BM25Okapi

        super().__init__(folder)
        self._make: Any = BM25Okapi
        self._texts: list[list[str]] = []

    def add(self, batch: Batch) -> None:
        self._texts += [[word for words in fields for word in words] for fields in batch.words()]

    def finish(self) -> None:
        self._index = self._make(self._texts)
        self._texts.clear()

    def search(self, text: str) -> Answered:
        import numpy as np

        scores = self._index.get_scores(cut(text))
        best = np.argpartition(-scores, min(SHOWN, len(scores) - 1))[:SHOWN]
        return Answered([int(i) + 1 for i in sorted(best, key=lambda i: -scores[i]) if scores[i] > 0])

    def size(self) -> int | None:
        return None


class Tantivy(System):
    """tantivy over words cut by jieba, BM25 with the weights of the fields."""

    name = "tantivy, jieba"
    note = "any word, cut by jieba before"
    tokenizer = "whitespace"

    def __init__(self, folder: Path) -> None:
        import tantivy

        super().__init__(folder)
        schema = tantivy.SchemaBuilder()
        schema.add_integer_field("row", stored=True)
        for field in WEIGHTS._fields:
            schema.add_text_field(field, stored=False, tokenizer_name="own")
        self._document: Any = tantivy.Document
        self._index: Any = tantivy.Index(schema.build(), path=str(folder))
        self._index.register_tokenizer("own", self._analyzer(tantivy))
        self._writer: Any = self._index.writer(heap_size=256_000_000)
        self._weights = {field: float(weight) for field, weight in WEIGHTS._asdict().items()}

    def _analyzer(self, tantivy: Any) -> Any:
        return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.lowercase()).build()

    def texts(self, batch: Batch) -> list[list[str]]:
        """Return the texts as they are given to the tokeniser."""
        return [[" ".join(words) for words in fields] for fields in batch.words()]

    def words(self, text: str) -> list[str]:
        """Return the words of a question, without signs of tantivy's query language."""
        return cut(text)

    def add(self, batch: Batch) -> None:
        for i, texts in enumerate(self.texts(batch)):
            named = dict(zip(WEIGHTS._fields, texts, strict=True))
            self._writer.add_document(self._document(row=batch.first + i, **named))

    def finish(self) -> None:
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, text: str) -> Answered:
        words = " ".join(
            f'"{word}"' for word in dict.fromkeys(re.sub(r'["\\]', " ", w).strip() for w in self.words(text))
        )
        query = self._index.parse_query(words, list(self._weights), field_boosts=self._weights)
        hits = self._searcher.search(query, SHOWN, count=False).hits
        return Answered([self._searcher.doc(address)["row"][0] for _, address in hits])


class TantivyNgram(Tantivy):
    """tantivy over two characters at a time."""

    name = "tantivy, 2-gram"
    note = "any two characters of the terms"

    def _analyzer(self, tantivy: Any) -> Any:
        tokenizer = tantivy.Tokenizer.ngram(2, 2, prefix_only=False)
        return tantivy.TextAnalyzerBuilder(tokenizer).filter(tantivy.Filter.lowercase()).build()

    def texts(self, batch: Batch) -> list[list[str]]:
        return [list(fields) for fields in batch.fields]

    def words(self, text: str) -> list[str]:
        return [term[i : i + 2] for term in text.lower().split() for i in range(max(len(term) - 1, 1))]


RIVALS: tuple[type[System], ...] = (Like, Unicode61, Trigram, RankBm25, Tantivy, TantivyNgram)


def _unsigned(word: str) -> str:
    return re.sub(r'["\\]', " ", word).strip()


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
