"""Pasted or piped logs as text: bytes into cleaned lines, whatever the encoding, colours and line ends.

Nothing here takes more than linear time: no pattern sees more than a chunk of ``CHUNK`` characters.
"""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Report = Callable[[int, int], None]

LIMIT = 20_000_000  # bytes that are read as a whole
CHUNK = 65_536  # characters that one pattern may see
MAX_LINE = 2_000  # longer lines are cut into pieces
_HEAD = _TAIL = 6_000_000  # bytes kept of a larger log, besides the lines that report errors
_MIDDLE = 6_000_000
_LONG = 20_000  # bytes kept of a line in between
_BLOCK = 1 << 18  # bytes decoded at once
_ALARM = re.compile(
    rb"(?i)error|fail|fatal|exception|traceback|abort|segmentation|\xe9\x94\x99\xe8\xaf\xaf|\xb4\xed\xce\xf3"
)
_ANSI = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,2048}(?:\x07|\x1b\\)?|[ -/]{0,4}[0-Z\\^-~])")
# What terminals leave of a colour when the escape character itself was lost on the way.
_BARE = re.compile(r"\[(?:0|0?1|3[0-7]|9[0-7]|[01];3[0-7])m")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


_MARKS = {0x2028: "\n", 0x2029: "\n", 0x85: "\n", 0xFEFF: None}


class Decoded(NamedTuple):
    """A log as text: one ``\\n`` at the end of each line, no escape sequences.

    ``encoding`` is what the bytes were read as; ``cut`` says that the middle of a larger log was left out.
    """

    text: str
    encoding: str
    cut: bool = False


def gather(blocks: Iterable[bytes]) -> tuple[bytes, bool]:
    """Return a log of any size within the limit, and whether something was left out.

    Of a larger one remain its head, the lines in between that report errors, and its tail; no more than some
    ``LIMIT`` bytes are held at any time.
    """
    head: bytes | None = None
    kept: list[bytes] = []
    tail = bytearray()
    wide = ""
    for block in blocks:
        tail += block
        if head is None and len(tail) > LIMIT:
            wide = _wide(bytes(tail[:4096]))
            end = _HEAD if wide else tail.rfind(b"\n", 0, _HEAD) + 1 or _HEAD
            head = bytes(tail[:end])
            del tail[:end]
        if head is not None and len(tail) > 2 * _TAIL:
            _pass_on(tail, kept, wide)
    if head is None:
        return bytes(tail), False
    _pass_on(tail, kept, wide)
    return b"".join((head, *kept, bytes(tail))), True


def _pass_on(tail: bytearray, kept: list[bytes], wide: str) -> None:
    """Cut a tail down to its size; of what is cut off keep the lines that report errors."""
    if len(tail) <= _TAIL:
        return
    # Four bytes hold whole characters in every wide encoding, and there lines cannot be told apart by bytes.
    end = (len(tail) - _TAIL) // 4 * 4 if wide else tail.find(b"\n", len(tail) - _TAIL) + 1 or len(tail) - _TAIL
    size = sum(map(len, kept))
    for start in range(0, 0 if wide else end, CHUNK):
        piece = bytes(tail[start : min(start + CHUNK, end)])
        if size >= _MIDDLE or _ALARM.search(piece) is None:
            continue
        for line in piece.split(b"\n"):
            if size < _MIDDLE and _ALARM.search(line):
                kept.append(line[:_LONG] + b"\n")
                size += len(kept[-1])
    del tail[:end]


def _wide(head: bytes) -> str:
    """Return the encoding of two or four bytes a character that a text is written in, else empty."""
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return "" if mark == codecs.BOM_UTF8 else encoding
    return _without_mark(head)


def decode(data: bytes, report: Report | None = None) -> tuple[str, str]:
    """Return the text of some bytes and the encoding it was read in; every input gives a text.

    A byte order mark decides, then NUL bytes at every second place (UTF-16), strict UTF-8, GB18030. Text that is broken
    in every encoding is read as the one in which less of it is lost.
    """
    encoding = _wide(data[:4096])
    if encoding:
        return _decoded(data, encoding, "replace", report), encoding
    data = data.removeprefix(codecs.BOM_UTF8)
    for encoding in ("utf-8", "gb18030"):
        try:
            return _decoded(data, encoding, "strict", report), encoding
        except UnicodeDecodeError:
            pass
    utf8, chinese = (_decoded(data, name, "replace", report) for name in ("utf-8", "gb18030"))
    lost = utf8.count("\ufffd"), chinese.count("\ufffd")
    return (utf8, "utf-8") if lost[0] <= 2 * lost[1] + 8 else (chinese, "gb18030")


def _decoded(data: bytes, encoding: str, errors: str, report: Report | None) -> str:
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    pieces = []
    for start in range(0, len(data), _BLOCK):
        if report is not None:
            report(start, len(data) * 2)
        pieces.append(decoder.decode(data[start : start + _BLOCK]))
    pieces.append(decoder.decode(b"", final=True))
    return "".join(pieces)


def _without_mark(head: bytes) -> str:
    """Return the UTF-16 that text without a mark is written in, told by the NUL bytes of its ASCII; else empty."""
    half = len(head) // 2
    if half < 2:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > half * 0.3 and even < half * 0.05:
        return "utf-16-le"
    if even > half * 0.3 and odd < half * 0.05:
        return "utf-16-be"
    return ""


def chunks(text: str) -> Iterator[str]:
    """Cut a text into pieces of at most ``CHUNK`` characters, at the ends of lines where there are any."""
    start = 0
    while start < len(text):
        end = start + CHUNK
        if end < len(text):
            end = text.rfind("\n", start, end) + 1 or end
        yield text[start:end]
        start = end


def clean(text: str, report: Report | None = None) -> str:
    """Drop escape sequences and NUL, and end every line with ``\\n``: also where a progress bar only returns."""
    cleaned = []
    done = 0
    for piece in chunks(text):
        done += len(piece)
        if report is not None:
            report(len(text) + done, len(text) * 2)
        cleaned.append(_cleaned(piece))
    return "".join(cleaned)


def _cleaned(piece: str) -> str:
    if "\x1b" in piece:
        piece = _ANSI.sub("", piece).replace("\x1b", "")
    if "[" in piece and "m" in piece:
        piece = _BARE.sub("", piece)
    if "\r" in piece:
        piece = piece.replace("\r\n", "\n").replace("\r", "\n")
    piece = piece.replace("\0", "")
    return piece if piece.isascii() else piece.translate(_MARKS)


def read(data: bytes | str, report: Report | None = None) -> Decoded:
    """Return the cleaned text of a log. ``report`` gets the work done and its whole; it may raise to stop."""
    if isinstance(data, bytes):
        data, cut = gather((data,)) if len(data) > LIMIT else (data, False)
        text, encoding = decode(data, report)
    else:
        text, encoding, cut = data, "text", len(data) > LIMIT
        if cut:
            text = f"{data[: LIMIT // 2]}\n{data[-LIMIT // 2 :]}"
    return Decoded(clean(text, report), encoding, cut)
