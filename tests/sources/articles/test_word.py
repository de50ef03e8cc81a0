"""Word documents: paragraphs and rows in order, merged cells, and nothing beyond the file."""

from __future__ import annotations

import contextlib
import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.errors import KBError
from ascend_kb.sources import archives
from ascend_kb.sources.archives import open_archive
from ascend_kb.sources.articles.blocks import Block, Row, Text
from ascend_kb.sources.articles.word import blocks
from tests.pace import loops
from tests.sources.articles.story import W, docx

SOME = settings(max_examples=150, deadline=None, derandomize=True)


def read(data: bytes) -> list[Block]:
    return list(blocks(open_archive(data, "a.docx"), "a.docx"))


def p(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def tc(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(text)}</w:tc>"


def test_paragraphs_and_rows_stand_in_order() -> None:
    body = p("a") + f"<w:tbl><w:tr>{tc('b')}{tc('c')}</w:tr></w:tbl>" + p("d")
    assert read(docx(body)) == [Text(1, "a"), Row(2, ("b", "c"), " "), Text(3, "d")]


def test_headings_runs_tabs_and_breaks() -> None:
    body = (
        '<w:p><w:pPr><w:pStyle w:val="2"/></w:pPr><w:r><w:t>he</w:t></w:r><w:r><w:t>ad</w:t></w:r></w:p>'
        '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>x</w:t>'
        "<w:tab/><w:t>y</w:t><w:br/><w:t>z</w:t></w:r></w:p>"
        "<w:p><w:hyperlink><w:r><w:t>link</w:t></w:r></w:hyperlink>"
        "<w:del><w:r><w:delText>no</w:delText></w:r></w:del></w:p>"
    )
    assert read(docx(body)) == [Text(1, "head", 2), Text(2, "x\ty\nz", 1), Text(3, "link")]


def test_merged_cells_repeat_their_text() -> None:
    body = (
        "<w:tbl>"
        f"<w:tr>{tc('a', '<w:vMerge w:val=' + chr(34) + 'restart' + chr(34) + '/>')}{tc('b')}{tc('c')}</w:tr>"
        f"<w:tr>{tc('', '<w:vMerge/>')}{tc('d', '<w:gridSpan w:val=' + chr(34) + '2' + chr(34) + '/>')}</w:tr>"
        "</w:tbl>"
    )
    assert read(docx(body)) == [Row(1, ("a", "b", "c"), " "), Row(2, ("a", "d", "d"), " ")]


def test_a_table_in_a_cell_is_text_of_the_cell_and_fallbacks_do_not_stand_twice() -> None:
    inner = f"<w:tbl><w:tr>{tc('x')}{tc('y')}</w:tr></w:tbl>"
    body = f"<w:tbl><w:tr><w:tc>{p('a')}{inner}</w:tc>{tc('b')}</w:tr></w:tbl>"
    body += (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice>{p('one')}</mc:Choice><mc:Fallback>{p('two')}</mc:Fallback></mc:AlternateContent>"
    )
    assert read(docx(body)) == [Row(1, ("a\nx\ny", "b"), " "), Text(2, "one")]


BOMB = '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;">]>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize("dtd", [BOMB, OUTSIDE, '<!DOCTYPE a SYSTEM "http://127.0.0.1:9/x.dtd">'])
def test_entities_and_document_types_are_refused(dtd: str) -> None:
    data = docx(
        "", word_document=f"{dtd}<w:document {W}><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>"
    )
    with pytest.raises(KBError, match=r"entities|damaged"):
        read(data)


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = docx(p("0" * 4_000_000))
    with pytest.raises(KBError, match="tightly"):
        read(data)
    monkeypatch.setattr(archives, "RATIO", 10**9)
    monkeypatch.setattr(archives, "MOST_UNPACKED", 10**6)
    with pytest.raises(KBError, match="would unpack"):
        read(data)


def test_a_size_that_lies_is_no_way_around_the_bound() -> None:
    data = bytearray(docx(p("0" * 500_000)))
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    with pytest.raises(KBError):
        read(bytes(data))


def test_what_is_no_archive_or_lacks_its_text_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("../../word/other.xml", "x")
    for data in (b"PK\x03\x04abc", out.getvalue(), docx(p("a"))[:-30]):
        with pytest.raises(KBError):
            read(data)


WHOLE = docx(p("a") + f"<w:tbl><w:tr>{tc('b')}{tc('c')}</w:tr></w:tbl>")


@SOME
@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255), st.booleans())
def test_damage_gives_blocks_or_a_refusal(at: int, byte: int, cut: bool) -> None:
    data = WHOLE[:at] if cut else WHOLE[:at] + bytes([byte]) + WHOLE[at + 1 :]
    with contextlib.suppress(KBError):
        read(data)


@pytest.mark.parametrize(
    "piece", [p("a"), f"<w:tr>{tc('a')}{tc('b')}</w:tr>", f"<w:tr>{tc('', '<w:vMerge/>')}{tc('b')}</w:tr>"]
)
def test_time_grows_with_the_length(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "RATIO", 10**9)
    short, long = (docx(f"<w:tbl>{piece * n}</w:tbl>") for n in (500, 2000))
    assert loops(lambda: read(long)) < 10 * loops(lambda: read(short)) + 2
