"""Bytes into text: byte order mark, UTF-16 without one, strict UTF-8, then GB18030; every step can fail."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from ascend_kb.core.errors import KBError

MOST_BYTES = 128 * 2**20
SAVE = "save the file as UTF-8 text and import it again"
_BOMS = ((b"\xef\xbb\xbf", "UTF-8"), (b"\xff\xfe", "UTF-16-LE"), (b"\xfe\xff", "UTF-16-BE"))
_UTF32 = (b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")
_MAGIC = {
    b"PK\x03\x04": "a ZIP archive", b"PK\x05\x06": "a ZIP archive", b"%PDF-": "a PDF file", b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture", b"GIF8": "a picture", b"\x7fELF": "a program", b"MZ\x90": "a program",
    b"\x1f\x8b": "a gzip archive", b"BZh": "a bzip2 archive", b"\xfd7zXZ": "an xz archive",
    b"7z\xbc\xaf": "a 7z archive", b"Rar!": "a RAR archive", b"\xd0\xcf\x11\xe0": "an old Word or Excel file",
    b"SQLite format 3\0": "a database", b"bplist": "a web archive",
}  # fmt: skip
CONTROL = re.compile("[\x01-\x08\x0e-\x1f\x7f]")
_ODD = frozenset(("Cc", "Cn", "Co", "Cs"))
_PLAIN = frozenset("\t\n\r\f\v\x1a")
# Frequent characters of Chinese texts: more than half of a true text, under a tenth of one in another encoding.
_FREQUENT = frozenset(
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机十第此已工使情明性知全"
    "三又关点正外将两高间由问最重并手应向头文体相见被利二等或新果加合回特代内信表化给位次度门任先通原提立及比员解名处各入几认"
    "条系题更别打变总何数报才结反受目量再建务接必场件计管期直指统区保至形便空决展基非则却达放强即难且设式路记类求据程该交规取"
    "确传切让运误修复版本错失败载存编译"
)
_SHARE = 0.2
_FEW = 8  # letters, of which less than these tell nothing
_SAMPLE = 1_000_000


class Decoded(NamedTuple):
    """A text without byte order marks, NUL and control characters, with LF line ends; the encoding that gave it."""

    text: str
    encoding: str
    nuls: tuple[int, int] = (0, 0)  # how many there were, and the line of the first
    controls: tuple[int, int] = (0, 0)


def decode(data: bytes, name: str) -> Decoded:
    """Return the text of a file.

    Raises:
        KBError: the file is too large, is no text, or is in no encoding that is known.
    """
    if len(data) > MOST_BYTES:
        raise KBError(f"{name} is larger than {MOST_BYTES // 2**20} MB", "split the file")
    for magic, what in _MAGIC.items():
        if data.startswith(magic):
            raise KBError(f"{name} is {what}, not text", SAVE)
    return _clean(*_decode(data, name), name)


def _decode(data: bytes, name: str) -> tuple[str, str]:
    if data.startswith(_UTF32):
        raise KBError(f"{name} is encoded in UTF-32, which is not read", SAVE)
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding, name), encoding
    if b"\0" in data:
        found = [(text, code) for code in ("UTF-16-LE", "UTF-16-BE") if (text := _utf16(data, code)) is not None]
        if len(found) == 1:
            return found[0]
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError as error:
        return _gb18030(data, name, error), "GB18030"


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise KBError(
            f"{name} begins as {encoding}, but byte {error.start} is not valid in it", "the file is damaged; " + SAVE
        ) from error


def _utf16(data: bytes, encoding: str) -> str | None:
    """Return the text if ``data`` can only be UTF-16 of this kind; the other kind then has impossible characters."""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    kinds = {c: unicodedata.category(c) for c in set(text)}
    if any(kind in _ODD and c not in _PLAIN and c != "\ufeff" for c, kind in kinds.items()):
        return None
    usual = sum(c.isascii() or "\u3000" <= c <= "\u9fff" or c >= "\uff00" for c in text[:_SAMPLE])
    return text if usual >= 0.9 * len(text[:_SAMPLE]) and any(c.isascii() for c in text[:_SAMPLE]) else None


def _gb18030(data: bytes, name: str, error: UnicodeDecodeError) -> str:
    line = data.count(b"\n", 0, error.start) + 1
    refusal = KBError(
        f"{name} is neither UTF-8 nor GB18030 text (line {line})", "no other encoding is guessed; " + SAVE
    )
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        raise refusal from error
    wide = [c for c in text[:_SAMPLE] if not c.isascii()]
    if any(unicodedata.category(c) in _ODD for c in set(text) if not c.isascii()):
        raise refusal from error
    letters = [c for c in wide if c.isalpha()]
    if len(letters) < _FEW:
        is_chinese = all(map(_is_common, letters))
    else:
        is_chinese = sum(c in _FREQUENT for c in letters) >= _SHARE * len(letters)
    if not is_chinese:
        raise refusal from error  # Big5, EUC-JP and others decode too, but into rare characters
    return text


def _is_common(character: str) -> bool:
    """Whether a character belongs to the common half of GB2312."""
    code = character.encode("gb18030")
    return len(code) == 2 and 0xB0 <= code[0] <= 0xD7 and code[1] >= 0xA1


def _clean(text: str, encoding: str, name: str) -> Decoded:
    """Take out what no text needs, and refuse what is no text."""
    text = text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")
    nuls = text.count("\0")
    nul_line = text.count("\n", 0, text.find("\0")) + 1 if nuls else 0
    if nuls:
        text = text.replace("\0", "")
    first = CONTROL.search(text)
    if first is None and nuls <= max(16, len(text) // 4):
        return Decoded(text, encoding, (nuls, nul_line))
    controls = sum(1 for _ in CONTROL.finditer(text))
    if controls > max(16, len(text) // 100) or nuls > max(16, len(text) // 4):
        raise KBError(f"{name} is not text: it is full of control characters", SAVE)
    line = text.count("\n", 0, first.start()) + 1 if first else 0
    return Decoded(CONTROL.sub("", text), encoding, (nuls, nul_line), (controls, line))
