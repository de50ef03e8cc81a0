"""Files of any kind are told apart by what they hold, in every encoding; any bytes give cards or a plain refusal."""

from __future__ import annotations

import hashlib
import io
import random
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.catalog import Catalog
from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import Complaint, Imported, ImportProblem, Severity
from ascend_kb.sources import archives, decoding, reading
from ascend_kb.sources.faults import MOST_FAULTS
from tests.pace import loops
from tests.sources.articles import story

EMPTY = Catalog((), (), (), ())
SOME = settings(max_examples=120, deadline=None, derandomize=True)
FORMATS = story.in_all_formats()


def read(data: bytes, name: str = "a.txt") -> Imported:
    return reading.read_file(data, name, "2026-12-07", EMPTY)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("made", [story.TEXT, story.markdown(), story.page()], ids=["text", "markdown", "page"])
def test_the_article_is_the_same_in_every_encoding(encoding: str, made: str) -> None:
    found = read(made.encode(encoding))
    assert (len(found.cards), len(found.themes), len(found.guide)) == (10, 2, 3)
    assert found.encoding in ("UTF-8", "GB18030", "UTF-16-LE", "UTF-16-BE")


@pytest.mark.parametrize("name", FORMATS)
def test_the_name_of_the_file_does_not_matter(name: str) -> None:
    found = read(FORMATS[name], "no-suffix")
    assert len(found.cards) == 10
    assert found.sha256 == hashlib.sha256(FORMATS[name]).hexdigest()


def test_windows_line_ends_and_marks_change_nothing() -> None:
    plain = [draft.card for draft in read(story.TEXT.encode()).cards]
    windows = "\ufeff\ufeff" + story.TEXT.replace("\n", "\r\n").replace("编号", "\ufeff编号")
    assert [draft.card for draft in read(windows.encode()).cards] == plain


def test_a_zip_that_is_no_office_file_and_one_that_is_too_large_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", story.TEXT)
    with pytest.raises(KBError, match="no Word document"):
        read(out.getvalue())
    monkeypatch.setattr(reading, "MOST_BYTES", 100)
    with pytest.raises(KBError, match="larger"):
        read(FORMATS["story.docx"])


def test_a_bomb_in_a_workbook_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "0" * 3_000_000)
    with pytest.raises(KBError, match="tightly"):
        read(out.getvalue())
    monkeypatch.setattr(archives, "MOST_PARTS", 0)
    with pytest.raises(KBError, match="parts"):
        read(out.getvalue())


def test_problems_are_bounded_and_say_how_many_there_were() -> None:
    rows = "".join(f"x{n}\t标题\t答案\n" for n in range(MOST_FAULTS + 500))
    found = read(story.TEXT.replace("#4\t折叠", rows + "#4\t折叠").encode())
    assert len(found.cards) == 10
    assert len(found.problems) == MOST_FAULTS + 1
    assert found.problems[-1].complaint is Complaint.MORE
    assert "500" in found.problems[-1].message


@pytest.mark.parametrize("complaint", Complaint)
def test_every_problem_says_what_is_wrong_and_what_to_do(complaint: Complaint) -> None:
    names = (
        "count", "found", "needed", "text", "hint", "repo", "declared", "key", "first", "row", "notes", "limit",
        "columns", "why", "name", "number",
    )  # fmt: skip
    problem = ImportProblem(complaint, 3, "", dict.fromkeys(names, "x"))
    assert problem.message
    assert problem.hint
    assert "{" not in problem.message + problem.hint
    assert problem.severity in Severity


def test_the_bound_on_bytes_is_above_a_hundred_megabytes() -> None:
    assert decoding.MOST_BYTES > 100 * 10**6


def damaged(data: bytes, seed: int) -> bytes:
    """Return a file with a piece lost, doubled, turned or replaced."""
    chance = random.Random(seed)
    made = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(made)), chance.choice((1, 2, 20, 400))
        kind = chance.randrange(5)
        piece = bytes(made[at : at + size])
        junk = chance.choice(
            (b"\t", b"\n", b"|", b'"', b"<td>", b"#1", b"\0", b"\xff", b"```", b"&#x0;", bytes([chance.randrange(256)]))
        )
        made[at : at + size] = (b"", piece * 2, junk, junk + piece, junk * 50)[kind]
        if not made:
            return b""
    return bytes(made)


@pytest.mark.parametrize("name", FORMATS)
def test_a_damaged_article_gives_cards_or_a_refusal(name: str) -> None:
    for seed in range(60):
        try:
            found = read(damaged(FORMATS[name], seed), name)
        except KBError:
            continue
        assert 0 < len(list(found.cards)) <= 12
        assert all(problem.message and problem.line >= 0 for problem in found.problems)


@SOME
@given(
    st.binary(max_size=300),
    st.sampled_from(["a.txt", "a.json", "a.csv", "a.xlsx", "a.docx", "a.html", "a"]),
    st.booleans(),
)
def test_any_bytes_give_cards_or_a_refusal(data: bytes, name: str, is_archive: bool) -> None:
    with pytest.raises(KBError):
        read(b"PK\x03\x04" * is_archive + data, name)


BLOCK = st.sampled_from(
    [
        "总览", "paperlib（纸）", "paperlib", "编号\t问题\t解答", "#1\ta\tb", "#2\ta", "x\ty\tz", "", "1. 甲", "2. 乙",
        "组合解读", "排错指引", "症状\t动作\t案例", "a\tb\tppl#1", "推断：paperlib #1", "| 编号 | 问题 | 解答 |",
        "|---|---|---|", "| #3 | a | b |", "# 头", "```", "仓库\t定位\t收录条数", "paperlib\tx\t3", "文字", '#4\t"a\tb',
    ]
)  # fmt: skip


@SOME
@given(st.lists(BLOCK, max_size=30).map("\n".join))
def test_parts_in_any_order_give_cards_or_a_refusal(text: str) -> None:
    try:
        found = read(text.encode())
    except KBError:
        return
    keys = [draft.card.key for draft in found.cards]
    assert len(set(keys)) == len(keys) > 0


@pytest.mark.parametrize(
    "piece",
    [
        "#9\t标题\t答案。\n",
        "续行\n",
        "文字\n\n",
        "## 头\n",
        "1. 甲\n",
        "x\ty\tz\n",
        "paperlib\n",
        "| a | b |\n|--|--|\n",
    ],
)
@pytest.mark.parametrize("place", ["#4\t折叠", "共用一把尺致", "误报越界\t核对", "本篇合并状态", "仓库\t定位"])
def test_time_grows_with_the_length(place: str, piece: str) -> None:
    def spent(count: int) -> float:
        data = story.TEXT.replace(place, piece * count + place, 1).encode()

        def work() -> None:
            try:
                list(read(data).cards)
            except KBError:
                return

        return loops(work)

    assert spent(4_000) < 10 * spent(1_000) + 3
