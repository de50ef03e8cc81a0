"""Exports of issue trackers give cards, with roles instead of people."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ascend_kb.core.card import Repo
from ascend_kb.core.catalog import Catalog
from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import Complaint, DraftCard, FileKind, Imported
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import Evidence, GroundKind, Outcome, Relation, SectionId
from ascend_kb.sources.reading import read_file, table_columns
from tests.pace import loops
from tests.sources.exports import samples

EMPTY = Catalog((), (), (), ())
SOME = settings(max_examples=200, deadline=None, derandomize=True)


def read(value: object, name: str = "issues.json", **options: Any) -> Imported:
    data = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else samples.as_json(value)
    return read_file(data, name, "2026-12-07", EMPTY, **options)


def drafts(made: Imported) -> dict[str, DraftCard]:
    return {str(draft.card.key): draft for draft in made.cards}


def complaints(made: Imported) -> list[tuple[Complaint, int]]:
    return [(problem.complaint, problem.line) for problem in made.problems]


def test_gh_json_gives_cards_with_answer_change_and_roles() -> None:
    made = read(samples.GH)
    assert (made.kind, made.encoding, made.problems) == (FileKind.JSON, "UTF-8", ())
    assert [(r.owner, r.name, r.cards) for r in made.repos] == [("mill", "paperlib", 2)]
    draft = drafts(made)["paperlib#12"]
    card, text = draft.card, draft.card.sections["en"]
    assert draft.url == "https://host.example/mill/paperlib/issues/12"
    assert draft.provenance[:3] == ("issues.json", 2, "2026-12-07")
    assert (card.outcome, card.evidence) == (Outcome.FIXED, Evidence.OFFICIAL)
    assert [(c.repo, c.number, c.date) for c in card.changes] == [
        ("mill/paperlib", 34, "2026-01-05"),
        ("mill/paperlib", 35, ""),
    ]
    assert card.changes[1].relation is Relation.EXPLICIT
    assert [str(v) for v in card.affected] == ["CANN 9.0.0"]
    assert text[SectionId.SYMPTOM].endswith("a maintainer please look.")
    assert "root cause" in text[SectionId.CAUSE]
    assert "**the reporter 2026-01-06**\n\nWorks." in text[SectionId.EVIDENCE]
    whole = repr(card)
    assert not any(name in whole for name in ("asker-one", "keeper-one", "passer-by"))


def test_an_open_issue_without_an_answer_says_so() -> None:
    card = drafts(read(samples.GH))["paperlib#13"].card
    assert (card.outcome, card.evidence) == (Outcome.KNOWN_DEFECT, Evidence.UNVERIFIED)
    assert card.grounds[0].kind is GroundKind.NONE_FOUND
    assert list(card.sections["zh"]) == [SectionId.SYMPTOM]


def test_rest_lists_of_three_hosts() -> None:
    made = read(samples.REST)
    assert set(drafts(made)) == {"paperlib#7", "glue-kit#9", "glue-kit#9876543"}
    assert [c for c, _ in complaints(made)] == [Complaint.PULL_REQUESTS, Complaint.NUMBER_REPLACED]
    assert drafts(made)["glue-kit#9"].card.grounds[0].text.en == "Whoever replied is not known as a maintainer"


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"issues": samples.GH}),
        json.dumps({"data": {"repository": {"issues": {"nodes": samples.GH}}}}),
        "\n".join(json.dumps(issue) for issue in samples.GH),
        "".join(json.dumps([issue]) for issue in samples.GH),
        json.dumps([{"issue": issue, "comments": issue["comments"]} for issue in samples.GH]),
        "\ufeff " + json.dumps(samples.GH),
    ],
)
def test_pages_wrappers_and_lines_are_read_alike(text: str) -> None:
    made = read(text)
    assert set(drafts(made)) == {"paperlib#12", "paperlib#13"}
    assert len(drafts(made)["paperlib#12"].card.changes) == 2


def test_json_is_told_by_its_content() -> None:
    assert read(samples.GH, "issues.txt").kind is FileKind.JSON


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"title": ""}, Complaint.NOT_AN_ISSUE),
        ({"title": 5}, Complaint.FIELD_WRONG),
        ({"body": ["x"]}, Complaint.FIELD_WRONG),
        ({"number": "x"}, Complaint.NO_NUMBER),
        ({"number": 0}, Complaint.NO_NUMBER),
        ({"number": True}, Complaint.NO_NUMBER),
        ({"number": -3}, Complaint.NO_NUMBER),
        ({"number": 10**12}, Complaint.NO_NUMBER),
        ({"number": 12}, Complaint.OTHER_TEXT),
        ({"url": "x"}, Complaint.NO_REPO),
        ({"comments": [5, None, {"body": 7}, {}]}, Complaint.FIELD_WRONG),
        ({"body": "x" * 300_000}, Complaint.TOO_LONG),
    ],
)
def test_a_bad_issue_is_told_and_the_others_are_read(change: dict[str, object], complaint: Complaint) -> None:
    made = read([samples.GH[0], samples.GH[1] | change])
    assert "paperlib#12" in drafts(made)
    assert complaint in dict(complaints(made))
    for problem in made.problems:
        assert "{" not in problem.message + problem.hint


def test_what_stands_before_a_broken_place_is_kept() -> None:
    whole = samples.as_json(samples.GH).decode()
    made = read(whole[: whole.index('"number": 13')])
    assert set(drafts(made)) == {"paperlib#12"}
    assert [c for c, _ in complaints(made)] == [Complaint.BROKEN_ENTRY]
    lines = "\n".join([json.dumps(samples.GH[0]), "{broken", json.dumps(samples.GH[1])])
    assert set(drafts(read(lines))) == {"paperlib#12", "paperlib#13"}


def test_the_repository_can_be_named_for_the_whole_file() -> None:
    bare = [{k: v for k, v in issue.items() if k != "url"} for issue in samples.GH]
    assert set(drafts(read(bare, repo="mill/paperlib"))) == {"paperlib#12", "paperlib#13"}
    with pytest.raises(KBError, match="nothing says which repository"):
        read(bare)


@pytest.mark.parametrize(
    "text", ["[]", "{}", "[1, 2]", "[" * 100_000, '{"a": ' * 50_000, "[1e999, NaN]", "9" * 10_000, '["\\ud800"]']
)
def test_json_without_issues_is_refused(text: str) -> None:
    with pytest.raises(KBError, match="no issue"):
        read(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "title",
                    "number",
                    "body",
                    "url",
                    "comments",
                    "author",
                    "login",
                    "labels",
                    "name",
                    "issues",
                    "state",
                    "id",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@SOME
@given(JSON)
def test_any_json_gives_cards_or_a_refusal(value: object) -> None:
    try:
        made = read(json.dumps(value), repo="mill/paperlib")
    except KBError:
        return
    assert len(list(made.cards)) == len(made.cards) > 0


@SOME
@given(st.text(alphabet='[]{}":,0 1.e-+"\\utnalse\n', max_size=60))
def test_any_text_as_json_gives_cards_or_a_refusal(text: str) -> None:
    with pytest.raises(KBError):
        read(text)


# Tables


def test_csv_with_guessed_columns() -> None:
    made = read(samples.CSV, "issues.csv")
    found = drafts(made)
    assert list(found) == ["paperlib#4", "paperlib#5", "glue-kit#6"]
    assert complaints(made) == [(Complaint.REPO_FILLED, 3)]
    card = found["paperlib#4"].card
    assert (card.title.zh, card.owner, card.outcome) == ("折痕错位, 耗时翻倍", "mill", Outcome.FIXED)
    assert [(c.number, c.date) for c in card.changes] == [(22, "2026-01-23")]
    assert card.sections["zh"][SectionId.SYMPTOM] == "同开时出现"
    assert found["paperlib#5"].card.title.zh == "两行\n标题"
    assert found["glue-kit#6"].card.title.zh == '说 "引号"'
    assert [d.provenance.line for d in made.cards] == [2, 3, 5]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gbk", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_as_excel_saves_it(encoding: str, delimiter: str) -> None:
    rows = [["编号", "标题", "解答"], ["4", "折痕错位", "根因是共用一把尺，已修复为各用各的。"]]
    text = "\r\n".join(delimiter.join(row) for row in rows)
    made = read(text.encode(encoding), "a.csv", repo="mill/paperlib")
    assert list(drafts(made)) == ["paperlib#4"]


def test_columns_can_be_named_by_heading_or_number() -> None:
    text = "甲,乙,丙\n4,折痕错位,已修复\n"
    made = read(text, "a.csv", repo="mill/paperlib", mapping={"number": "甲", "title": "2", "answer": " 丙 "})
    assert drafts(made)["paperlib#4"].card.outcome is Outcome.FIXED


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"number": "x", "title": "2"}, "no column 'x'"),
        ({"number": "9", "title": "2"}, "no column '9'"),
        ({"colour": "1"}, "unknown field"),
        ({"number": "1"}, "lacks a title"),
    ],
)
def test_a_wrong_mapping_is_refused(mapping: dict[str, str], message: str) -> None:
    with pytest.raises(KBError, match=message):
        read("a,b\n1,2\n", "a.csv", mapping=mapping)


def test_the_columns_are_shown_to_choose_from() -> None:
    found = table_columns(samples.CSV.encode(), "a.csv")
    assert found.headings[:3] == ("编号", "仓库", "标题")
    assert found.guess == {"number": 1, "repo": 2, "title": 3, "body": 4, "answer": 5, "state": 6, "labels": 7}
    with pytest.raises(KBError, match="empty"):
        table_columns(b"\n", "a.csv")


def test_a_table_without_known_columns_is_refused_with_its_columns() -> None:
    with pytest.raises(KBError, match="x, y") as caught:
        read("x,y\n1,2\n", "a.csv")
    assert "title" in caught.value.hint


@pytest.mark.parametrize(
    ("row", "complaint", "taken"),
    [
        ("9,mill/paperlib", Complaint.CELL_EMPTY, 1),
        ("x,mill/paperlib,标题", Complaint.NO_NUMBER, 1),
        (",mill/paperlib,标题", Complaint.NO_NUMBER, 1),
        ("4,mill/paperlib,别的", Complaint.OTHER_TEXT, 1),
        ('9,mill/paperlib,"没有结束', Complaint.QUOTE_OPEN, 1),
        ("9,???,标题", Complaint.NO_REPO, 1),
        ("mill/glue-kit#9,,标题", None, 2),
        ("https://host.example/mill/glue-kit/issues/9,,标题", None, 2),
        ("9,mill/paperlib,标题,多,出,来,的,格,子", None, 2),
    ],
)
def test_a_bad_row_of_a_table_is_told(row: str, complaint: Complaint | None, taken: int) -> None:
    made = read(f"编号,仓库,标题\n4,mill/paperlib,折痕\n{row}\n", "a.csv")
    assert len(made.cards) == taken
    assert complaints(made) == ([(complaint, 3)] if complaint else [])


def test_a_quote_without_an_end_costs_one_row() -> None:
    made = read('编号,仓库,标题\n1,a/b,"x\n2,a/b,y\n3,a/b,z\n', "a.csv")
    assert list(drafts(made)) == ["b#2", "b#3"]


def test_workbooks_with_a_title_row_and_several_sheets() -> None:
    data = samples.workbook(
        first=[
            ["问题清单"],
            [],
            ["编号", "仓库", "标题", "解答"],
            [4, "mill/paperlib", "折痕", "已修复"],
            [5.0, None, "纸", "答"],
        ],
        notes=[["只是说明"]],
    )
    made = read(data, "a.xlsx")
    assert made.kind is FileKind.XLSX
    assert list(drafts(made)) == ["paperlib#4", "paperlib#5"]
    assert [d.provenance.line for d in made.cards] == [4, 5]
    assert table_columns(data, "a.xlsx").guess["answer"] == 4


def test_a_damaged_workbook_is_refused() -> None:
    data = samples.workbook(a=[["编号", "标题"], [1, "x"]])
    for cut in (data[:-30], data[: len(data) // 2], b"PK\x03\x04"):
        with pytest.raises(KBError):
            read(cut, "a.xlsx")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(0, 255))
def test_a_byte_of_a_workbook_turned_gives_cards_or_a_refusal(at: int, byte: int) -> None:
    data = bytearray(BOOK)
    data[at % len(data)] = byte
    try:
        made = read(bytes(data), "a.xlsx", repo="a/b")
    except KBError:
        return
    assert len(list(made.cards)) >= 1


BOOK = samples.workbook(a=[["编号", "标题"], [1, "x"], [2, "y"]])


@SOME
@given(st.text(alphabet='编号,标题\t;"\n1#a \\|', max_size=60))
def test_any_table_gives_cards_or_a_refusal(text: str) -> None:
    try:
        made = read("编号,标题\n" + text, "a.csv", repo="a/b")
    except KBError:
        return
    assert list(made.cards)


def test_owners_and_names_come_from_the_catalog() -> None:
    repo = Repo("paperlib", "mill", "ppl", Bilingual("纸", "paper"), Bilingual("纸", "paper"), 3)
    made = read_file(b"number,repo,title\n4,paperlib,x\n", "a.csv", "", Catalog((repo,), (), (), ()))
    assert (made.cards[0].card.owner, made.repos[0].abbreviation) == ("mill", "ppl")


@pytest.mark.parametrize(
    ("name", "head", "piece"),
    [
        ("a.csv", "编号,仓库,标题\n1,a/b,x\n", '"'),
        ("a.csv", "编号,仓库,标题\n1,a/b,x\n", '"\n'),
        ("a.csv", "编号,仓库,标题\n1,a/b,x\n", 'a,"\n'),
        ("a.csv", "编号,仓库,标题\n1,a/b,x\n", ",\n"),
        ("a.json", '[{"number":1,"title":"x","url":"https://h/a/b/issues/1"},', '{"title":1},'),
        ("a.json", '[{"number":1,"title":"x","url":"https://h/a/b/issues/1"}]', "{\n"),
        ("a.json", '[{"number":1,"title":"x","url":"https://h/a/b/issues/1"}]', "["),
        ("a.json", '[{"number":1,"title":"x","url":"https://h/a/b/issues/1"}]', '"\\'),
    ],
)
def test_time_grows_with_the_length(name: str, head: str, piece: str) -> None:
    def spent(count: int) -> float:
        return loops(lambda: list(read(head + piece * count, name).cards))

    assert spent(8_000) < 10 * spent(2_000) + 2
