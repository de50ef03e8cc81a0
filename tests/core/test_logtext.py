"""Logs as text: every encoding, escape sequences, line ends, size; in linear time."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascend_kb.core import logtext
from ascend_kb.core.logtext import CHUNK, chunks, clean, decode, gather, read
from tests.pace import loops

TEXT = "[ERROR] 算子执行失败 ret 500000\nTraceback (most recent call last):\n  数据类型不支持\n"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16-le", "utf-16-be", "utf-8-sig", "utf-16", "utf-32"])
def test_text_of_every_encoding_is_read(encoding: str) -> None:
    text = TEXT * 20 if encoding.endswith(("le", "be")) else TEXT
    found, name = decode(text.encode(encoding))
    assert found.removeprefix("\ufeff") == text
    assert name == encoding.removesuffix("-sig")


def test_a_mark_alone_is_an_empty_text() -> None:
    for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE):
        assert read(mark).text == ""


def test_text_with_a_few_broken_bytes_keeps_its_encoding() -> None:
    found, name = decode(TEXT.encode() * 50 + b"\xff\xfe\xe7")
    assert name == "utf-8"
    assert "算子执行失败" in found


@given(st.binary(max_size=300))
def test_all_bytes_give_a_text(data: bytes) -> None:
    log = read(data)
    log.text.encode("utf-8", "surrogatepass")
    assert "\0" not in log.text
    assert "\r" not in log.text


@given(st.text(max_size=200))
def test_cleaning_is_idempotent_but_for_sequences_that_it_puts_together(text: str) -> None:
    once = clean(text)
    assert "\x1b" not in once
    assert "\0" not in once
    assert clean(once).count("\n") == once.count("\n")


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[1;31mSegmentation fault\x1b[0m", "Segmentation fault"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("[31m[ERROR][0m gone", "[ERROR] gone"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("a\0b", "ab"),
        ("\ufeffa\u2028b", "a\nb"),
        ("[8m]", "[8m]"),
    ],
)
def test_escape_sequences_and_line_ends_go(raw: str, cleaned: str) -> None:
    assert clean(raw) == cleaned


def test_chunks_are_short_end_with_lines_and_lose_nothing() -> None:
    text = "line\n" * 40_000 + "x" * 200_000 + "\nend"
    pieces = list(chunks(text))
    assert "".join(pieces) == text
    assert max(map(len, pieces)) <= CHUNK
    assert pieces[0].endswith("\n")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test can reach."""
    for name, value in {"LIMIT": 4_000, "_HEAD": 1_000, "_TAIL": 1_000, "_MIDDLE": 500}.items():
        monkeypatch.setattr(logtext, name, value)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("size", [100, 1 << 20])
def test_of_a_large_log_remain_its_head_its_errors_and_its_tail(size: int) -> None:
    rows = [b"row %d" % i for i in range(3_000)]
    rows[1_500] = b"[ERROR] in the middle"
    data = b"\n".join(rows)
    kept, cut = gather(data[i : i + size] for i in range(0, len(data), size))
    assert cut
    lines = kept.split(b"\n")
    assert lines[0] == b"row 0"
    assert lines[-1] == b"row 2999"
    assert b"[ERROR] in the middle" in lines
    assert b"row 1499" not in lines
    assert len(kept) <= 4_000


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_a_large_log_of_wide_characters_stays_readable(encoding: str) -> None:
    log = read("".join(f"第 {i} 行 row\n" for i in range(2_000)).encode(encoding))
    assert log.cut
    assert "第 0 行 row\n" in log.text
    assert log.text.endswith("第 1999 行 row\n")


@given(st.lists(st.binary(max_size=50), max_size=10))
def test_a_small_log_is_kept_whole(blocks: list[bytes]) -> None:
    assert gather(blocks) == (b"".join(blocks), False)


@pytest.mark.parametrize("piece", ["\x1b[", "\x1b]a", "\x1b", "[3", "\r", "\0", "a" * 50 + "\n", "失败\n", "\x1b[1;"])
def test_time_grows_with_the_length_only(piece: str) -> None:
    short, long = ((piece * 400_000)[:n].encode() for n in (100_000, 400_000))
    assert loops(lambda: read(long)) < 8 * loops(lambda: read(short)) + 2


def test_reading_can_be_stopped_between_its_steps() -> None:
    def stop(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        read(b"x" * 10, stop)
