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
_WIDE = [(chr(ord(narrow) + 0xFEE0), narrow) for narrow in ",;:()?!"]
_LONG = 200  # characters of a text that is worth a faster way
_SHORT_RUN, _SHORT_CHUNK = 3, 16  # characters of what may well come again
_MOST_KEPT = 100_000
_BETWEEN = f" {SPACE} "

_ASCII = {wide: narrow for narrow, wide in _FULL_WIDTH.items()}


# Patterns over the CJK ranges take milliseconds to compile, so they are made when first needed.
@cache
def _atom() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<cjk>[{_CJK}])|(?P<word>[^\W{_CJK}]{{1,{MAX_WORD}}})|(?P<space>\s+)|(?P<other>.)", re.DOTALL
    )


@cache
def _runs() -> re.Pattern[str]:
    # What is most frequent stands first, in few ranges; the last three alternatives say all.
    word, cjk = rf"[^\W{_CJK}]", "[\u4e00-\u9fff]"
    often = rf"[0-9a-z_]{{1,{MAX_WORD}}}(?!{word})|{cjk}+(?![{_CJK}])|[!-/:-@\[-^`{{-~]"
    return re.compile(rf"{often}|[{_CJK}]+|{word}{{1,{MAX_WORD}}}|.")


def is_cjk(character: str) -> bool:
    """Whether a character is one of those that are indexed in pairs."""
    if "\u4e00" <= character <= "\u9fff":
        return True
    return not character.isascii() and any(first <= character <= last for first, last in _RANGES)


@cache
def _spacing() -> re.Pattern[str]:
    # A pattern that begins with the blank itself is looked for four times as fast as one that looks behind first.
    word = rf"[^\W{_CJK}]"
    return re.compile(rf"[ \t](?:(?<=[{_CJK}].)[ \t]*(?={word})|(?<={word}.)[ \t]*(?=[{_CJK}]))")


@cache
def _simplified() -> dict[int, str]:
    from ascend_kb.core.han import SIMPLIFIED, TRADITIONAL

    return dict(zip(map(ord, TRADITIONAL), SIMPLIFIED, strict=True))


@cache
def _traditional() -> frozenset[str]:
    return frozenset(map(chr, _simplified()))


@cache
def _traditional_in_gb2312() -> re.Pattern[str]:
    shared = "".join(_traditional()).encode("gb2312", "ignore").decode("gb2312")
    return re.compile(f"[{shared}]")


def _is_simplified(text: str) -> bool:
    # Encoding a long text is many times as fast as looking at its characters, and GB 2312 has no Traditional
    # characters but for a few.
    if len(text) > _LONG:
        try:
            text.encode("gb2312")
        except UnicodeEncodeError:
            pass
        else:
            return _traditional_in_gb2312().search(text) is None
    return _traditional().isdisjoint(text)


def _to_simplified(text: str) -> str:
    # Looking for a character is many times as fast as translating all of them.
    return text if _is_simplified(text) else text.translate(_simplified())


def _legal(text: str) -> str:
    """Return the text with U+FFFD for what no store can hold, and for the sign that stands for a space."""
    return _ILLEGAL.sub("\ufffd", text) if _ILLEGAL.search(text) else text


def normalise(text: str) -> str:
    """Fold width, letter case and Traditional Chinese; idempotent.

    Characters that no store can hold (NUL, lone surrogates) become U+FFFD.
    """
    if text.isascii():
        return _legal(text.lower())
    for wide, narrow in _WIDE:  # NFKC says the same, but takes long for a text that is not normal yet
        text = text.replace(wide, narrow)
    text = _to_simplified(_legal(text))
    normal = unicodedata.normalize("NFKC", text)
    text = (normal if normal == text else _to_simplified(normal)).casefold()
    # Folding letter case can undo the normal form and the other way round, so the pair runs until nothing changes.
    while (normal := unicodedata.normalize("NFKC", text)) != text:
        folded = _to_simplified(normal).casefold()
        if folded == text:
            break
        text = folded
    return _legal(text)


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
    whole = normalise(text)
    if text.isascii() or (_one_to_one().fullmatch(text) and len(whole) == len(text)):
        places = [(i, i + 1) for i in range(len(text))]
    else:
        whole, places = _one_by_one(text)
    blanks = {i for found in _spacing().finditer(whole) for i in range(*found.span())}
    if not blanks:
        return whole, places
    kept = [i for i in range(len(whole)) if i not in blanks]
    return "".join(whole[i] for i in kept), [places[i] for i in kept]


@cache
def _one_to_one() -> re.Pattern[str]:
    """What folds letter by letter: ASCII, CJK, their punctuation and full-width forms."""
    return re.compile("[\\x00-\\x7f\u2014\u2018-\u201d\u3001-\u3020\u4e00-\u9fff\uff01-\uff5e]*")


def _one_by_one(text: str) -> tuple[str, list[tuple[int, int]]]:
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
    return "".join(pieces), places


def atoms(text: str) -> Iterator[tuple[str, str]]:
    """Cut a normalised text into (kind, atom); kind is ``cjk``, ``word``, ``space`` or ``other``."""
    for found in _atom().finditer(text):
        yield str(found.lastgroup), found.group()


def encode(token: str) -> str:
    """Write a token so that the full-text tokeniser keeps it whole."""
    return token.translate(_FULL_WIDTH)


def index_tokens(text: str) -> list[str]:
    """Return the tokens of a normalised text, one for each atom, as they are stored in the index."""
    return tokenised(text).split()


def tokenised(text: str) -> str:
    """Return the tokens of a normalised text, parted by blanks."""
    return _BETWEEN.join(map(_of_chunks.__getitem__, text.split()))


class _Tokens(dict[str, str]):
    """The tokens of texts; short ones come again and are kept, so that each is cut about once."""

    def keep(self, text: str, tokens: str) -> str:
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[text] = tokens
        return tokens


class _OfChunks(_Tokens):
    """Of texts without white space."""

    def __missing__(self, chunk: str) -> str:
        tokens = " ".join(map(_of_runs.__getitem__, _runs().findall(chunk)))
        return self.keep(chunk, tokens) if len(chunk) <= _SHORT_CHUNK else tokens


class _OfRuns(_Tokens):
    """Of a word, a run of CJK characters, or any other single character."""

    def __missing__(self, run: str) -> str:
        if not is_cjk(run[0]):
            return self.keep(run, encode(run))
        tokens = " ".join(map(add, run, run[1:] + SPACE))
        return self.keep(run, tokens) if len(run) <= _SHORT_RUN else tokens


_of_chunks, _of_runs = _OfChunks(), _OfRuns()


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
