"""Every encoding that is read, and refusals instead of guesses."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.errors import KBError
from ascend_kb.sources import decoding
from ascend_kb.sources.decoding import decode
from tests.pace import loops

TEXT = (
    "编号\tIssue 问题内容\t解答总结\n#57\t内存分配超4G时size被uint32_t截断，工具误报内存越界\t根因是返回值被截断。\n"
    * 3
)
SOME = settings(max_examples=300, deadline=None, derandomize=True)


@pytest.mark.parametrize(
    ("written", "mark", "read"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", b"\xef\xbb\xbf", "UTF-8"),
        ("utf-8", b"\xef\xbb\xbf\xef\xbb\xbf", "UTF-8"),
        ("gbk", b"", "GB18030"),
        ("gb18030", b"", "GB18030"),
        ("utf-16-le", b"", "UTF-16-LE"),
        ("utf-16-be", b"", "UTF-16-BE"),
        ("utf-16-le", b"\xff\xfe", "UTF-16-LE"),
        ("utf-16-be", b"\xfe\xff", "UTF-16-BE"),
    ],
)
def test_the_encoding_is_found_and_told(written: str, mark: bytes, read: str) -> None:
    made = decode(mark + TEXT.encode(written), "a.txt")
    assert (made.text, made.encoding) == (TEXT, read)


@pytest.mark.parametrize("written", ["big5", "shift_jis", "euc_jp", "euc_kr", "utf-32", "utf-32-le"])
def test_other_encodings_are_refused(written: str) -> None:
    with pytest.raises(KBError, match=r"a\.txt") as caught:
        decode(TEXT.encode(written, "ignore"), "a.txt")
    assert "UTF-8" in caught.value.hint


@pytest.mark.parametrize("data", [b"\xff\xfea", b"\xef\xbb\xbf\xff", b"\xfe\xff\xd8\x00\x00a", TEXT.encode()[:-2]])
def test_a_damaged_text_is_refused(data: bytes) -> None:
    with pytest.raises(KBError):
        decode(data, "a.txt")


def test_the_line_of_the_first_bad_byte_is_named() -> None:
    with pytest.raises(KBError, match="line 2"):
        decode("一行\n".encode() + b"\xff\xff\n", "a.txt")


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\x02\x01" + bytes(100), b"%PDF-1.7\n", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"SQLite format 3\0",
        b"\xd0\xcf\x11\xe0\xa1\xb1", bytes(1000), bytes(range(32)) * 50, os.urandom(0) + bytes(range(256)) * 8,
    ],
)  # fmt: skip
def test_a_binary_is_refused(data: bytes) -> None:
    with pytest.raises(KBError):
        decode(data, "renamed.txt")


def test_nul_and_control_characters_are_left_out_and_told() -> None:
    made = decode(b"a\0\0b\nc\x08d\n", "a.txt")
    assert made == ("ab\ncd\n", "UTF-8", (2, 1), (1, 2))


def test_line_ends_and_marks_in_the_middle() -> None:
    made = decode("a\r\nb\rc\n\ufeffd".encode(), "a.txt")
    assert made.text == "a\nb\nc\nd"


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MOST_BYTES", 10)
    with pytest.raises(KBError, match="larger"):
        decode(b"a" * 11, "a.txt")


@SOME
@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_a_refusal(data: bytes) -> None:
    try:
        made = decode(data, "a.txt")
    except KBError:
        return
    assert "\0" not in made.text
    assert "\ufeff" not in made.text
    assert made.text.encode("utf-8") is not None


@SOME
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cc", "Cn", "Co")), max_size=60))
def test_utf8_is_always_read_as_utf8(text: str) -> None:
    assert decode(text.encode(), "a.txt").text == text.replace("\ufeff", "")


def test_time_grows_with_the_length() -> None:
    for code in ("utf-8", "gb18030", "utf-16-le"):
        short, long = (TEXT * 1000).encode(code), (TEXT * 4000).encode(code)
        assert loops(lambda s=short: decode(s, "")) * 8 + 2 > loops(lambda s=long: decode(s, ""))  # type: ignore[misc]
