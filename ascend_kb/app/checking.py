"""Checks of a whole knowledge file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ascend_kb.app.library import default_knowledge
from ascend_kb.sources.load import digest, load
from ascend_kb.sources.problems import SourceError
from ascend_kb.store.database import DamagedFileError, read_sources
from ascend_kb.store.integrity import problems
from ascend_kb.store.knowledge import KnowledgeFile

if TYPE_CHECKING:
    from pathlib import Path

SYNTHETIC = "synthetic"  # begins the digest of a file of made-up cards (app.synthesis), which have no sources


def check(path: Path | None) -> list[tuple[str, str]]:
    """Return (where, what) for everything that is wrong with a knowledge file (the usual one for None).

    Looked at: pages, links between tables, the index against the cards, and the sources that the file holds, their
    references included; made-up cards have no sources.

    Raises:
        KBError: the file is missing, unreadable, or no knowledge file at all.
    """
    path = path or default_knowledge()
    try:
        knowledge = KnowledgeFile(path)
    except DamagedFileError as error:
        return [(str(path), error.message)]
    try:
        return problems(knowledge) or _source_problems(knowledge)
    except DamagedFileError as error:
        return [(str(path), error.message)]
    finally:
        knowledge.close()


def _source_problems(knowledge: KnowledgeFile) -> list[tuple[str, str]]:
    if knowledge.meta.get("digest", "").startswith(SYNTHETIC):
        return []
    texts = read_sources(knowledge.file.place)
    found = []
    if digest(texts) != knowledge.meta.get("digest"):
        found.append(("sources", "the sources in the file do not agree with its digest"))
    try:
        load(texts)
    except SourceError as error:
        found += [(f"{p.path}:{p.line}", p.message) for p in error.problems]
    return found
