"""One normaliser and one tokeniser for the index and for queries.

A normalised text is cut into *atoms*: a word (run of letters, digits and ``_`` of other scripts), a single CJK
character, a run of white space, or any other single character. Each atom becomes one index token, in order, so that a
phrase of tokens stands for a substring of the text:

- a word is its own token;
- a CJK character is joined with the CJK character right after it (``算子`` -> ``算子 子▁``), so that two characters are
  one look-up and one character is a prefix look-up;
- white space is ``▁``;
- any other character is its own token.

Tokens never hold ASCII punctuation: it is mapped to the full-width forms, which normalised text cannot contain.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from operator import add
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SPACE = "▁"
MAX_WORD = 200  # longer runs (base64, hex dumps) are cut so that the vocabulary stays small
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_RANGES = tuple((found[1], found[2] or found[1]) for found in re.finditer("(.)(?:-(.))?", _CJK))
_ILLEGAL = re.compile(f"[\x00\ud800-\udfff{SPACE}]")
_FULL_WIDTH = {c: c + 0xFEE0 for c in range(0x21, 0x7F) if not chr(c).isalnum()} | {c: 0xE000 + c for c in range(0x21)}

_ASCII = {wide: narrow for narrow, wide in _FULL_WIDTH.items()}


# Patterns over the CJK ranges take milliseconds to compile, so they are made when first needed.
@cache
def _atom() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<cjk>[{_CJK}])|(?P<word>[^\W{_CJK}]{{1,{MAX_WORD}}})|(?P<space>\s+)|(?P<other>.)", re.DOTALL
    )


@cache
def _runs() -> re.Pattern[str]:
    return re.compile(rf"[{_CJK}]+|[^\W{_CJK}]{{1,{MAX_WORD}}}|\s+|.", re.DOTALL)


def is_cjk(character: str) -> bool:
    """Whether a character is one of those that are indexed in pairs."""
    return any(first <= character <= last for first, last in _RANGES)


@cache
def _spacing() -> re.Pattern[str]:
    word = rf"[^\W{_CJK}]"
    return re.compile(rf"(?<=[{_CJK}])[ \t]+(?={word})|(?<={word})[ \t]+(?=[{_CJK}])")


@cache
def _simplified() -> dict[int, str]:
    from ascend_kb.core.han import SIMPLIFIED, TRADITIONAL

    return dict(zip(map(ord, TRADITIONAL), SIMPLIFIED, strict=True))


@cache
def _traditional() -> frozenset[str]:
    return frozenset(map(chr, _simplified()))


def _to_simplified(text: str) -> str:
    # Looking for a character is many times as fast as translating all of them.
    return text if _traditional().isdisjoint(text) else text.translate(_simplified())


def normalise(text: str) -> str:
    """Fold width, letter case and Traditional Chinese; idempotent.

    Characters that no store can hold (NUL, lone surrogates) become U+FFFD.
    """
    if text.isascii():
        return _ILLEGAL.sub("\ufffd", text.lower())
    # Folding letter case can undo the normal form and the other way round, so the pair runs until nothing changes.
    text = _to_simplified(_ILLEGAL.sub("\ufffd", text))
    while (folded := _to_simplified(unicodedata.normalize("NFKC", text)).casefold()) != text:
        text = folded
    return _ILLEGAL.sub("\ufffd", text)


def searchable(text: str) -> str:
    """Return a text as it is indexed: normalised, without the blanks that typography puts between CJK and Latin.

    People type ``第63行`` where a text shows ``第 63 行``.
    """
    text = normalise(text)
    return _spacing().sub("", text) if " " in text or "\t" in text else text


def positions(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text as it is indexed, and from where to where each of its characters stands in ``text``.

    Letters are taken one by one, together with the marks on them; what folds only in longer runs (Korean jamo) may come
    out otherwise than from ``searchable``.
    """
    if text.isascii():
        return normalise(text), [(i, i + 1) for i in range(len(text))]
    folded: dict[str, str] = {}
    pieces: list[str] = []
    places: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        end = at + 1
        while end < len(text) and unicodedata.combining(text[end]):
            end += 1
        cluster = text[at:end]
        piece = folded.get(cluster)
        if piece is None:
            piece = folded[cluster] = normalise(cluster)
        pieces.append(piece)
        places += [(at, end)] * len(piece)
        at = end
    whole = "".join(pieces)
    blanks = {i for found in _spacing().finditer(whole) for i in range(*found.span())}
    if not blanks:
        return whole, places
    kept = [i for i in range(len(whole)) if i not in blanks]
    return "".join(whole[i] for i in kept), [places[i] for i in kept]


def atoms(text: str) -> Iterator[tuple[str, str]]:
    """Cut a normalised text into (kind, atom); kind is ``cjk``, ``word``, ``space`` or ``other``."""
    for found in _atom().finditer(text):
        yield str(found.lastgroup), found.group()


def encode(token: str) -> str:
    """Write a token so that the full-text tokeniser keeps it whole."""
    return token.translate(_FULL_WIDTH)


def index_tokens(text: str) -> list[str]:
    """Return the tokens of a normalised text, one for each atom, as they are stored in the index."""
    tokens: list[str] = []
    for run in _runs().findall(text.strip()):
        first = run[0]
        if first.isascii():
            tokens.append(run if run.isalnum() else SPACE if first.isspace() else encode(run))
        elif is_cjk(first):
            tokens += map(add, run, run[1:] + SPACE)
        else:
            tokens.append(SPACE if first.isspace() else encode(run))
    return tokens


def is_word(atom: str) -> bool:
    """Whether an atom is a word."""
    return atom.replace("_", "a").isalnum() and not is_cjk(atom[0])


def decode(token: str) -> str:
    """Return the atom that ``encode`` wrote."""
    return token.translate(_ASCII)


def words(text: str) -> set[str]:
    """Return the distinct words of a normalised text: the vocabulary that word parts are looked up in."""
    return {atom for kind, atom in atoms(text) if kind == "word"}


def terms(text: str) -> list[str]:
    """Return the distinct white-space separated pieces of a query, normalised, in order."""
    return list(dict.fromkeys(piece for word in text.split() for piece in normalise(word).split()))
