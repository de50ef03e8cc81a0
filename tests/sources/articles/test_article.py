"""A made-up article of the series is read whole, and the same, in each of its formats."""

from __future__ import annotations

from collections import Counter

import pytest

from ascend_kb.core.card import Card, ForeignRepo, Repo, Tag
from ascend_kb.core.catalog import Catalog
from ascend_kb.core.errors import KBError
from ascend_kb.core.imported import CancelledError, Complaint, FileKind, Imported, Watch
from ascend_kb.core.language import Bilingual
from ascend_kb.core.vocabulary import (
    ChangeState,
    EntityKind,
    Evidence,
    GroundKind,
    Outcome,
    Reason,
    Relation,
    Role,
    SectionId,
    TagFacet,
)
from ascend_kb.sources.reading import read_file
from tests.sources.articles import story

EMPTY = Catalog((), (), (), ())
FORMATS = story.in_all_formats()


def read(data: bytes | str, name: str = "story.txt", catalog: Catalog = EMPTY) -> Imported:
    return read_file(data.encode() if isinstance(data, str) else data, name, "2026-12-07", catalog)


def cards(made: Imported) -> dict[str, Card]:
    return {str(draft.card.key): draft.card for draft in made.cards}


def complaints(made: Imported) -> list[tuple[Complaint, int]]:
    return [(problem.complaint, problem.line) for problem in made.problems]


@pytest.mark.parametrize("name", FORMATS)
def test_all_parts_are_read_in_every_format(name: str) -> None:
    made = read(FORMATS[name], name)
    assert made.title == "开源仓Issue分析解答-示例精选（三）·造纸工具线"
    assert {repo.name: (repo.abbreviation, repo.cards) for repo in made.repos} == story.REPOS
    assert made.repos[0].title.zh == "纸张通用库"
    assert made.repos[0].purpose.zh == "纸张库：裁切与折叠，papercut/paperfold 共同底座"
    assert (len(made.cards), len(made.themes), len(made.guide), len(made.notes)) == (10, 2, 3, 2)
    assert made.problems == ()
    assert (
        made.kind
        is {"txt": FileKind.TEXT, "md": FileKind.MARKDOWN, "html": FileKind.HTML, "docx": FileKind.DOCX}[
            name.rpartition(".")[2]
        ]
    )


def test_every_format_gives_the_same_cards() -> None:
    plain = cards(read(FORMATS["story.txt"]))
    for name in ("story.html", "story.docx"):
        assert cards(read(FORMATS[name], name)) == plain
    in_markdown = cards(read(FORMATS["story.md"], "story.md"))
    assert {k: c._replace(sections={}) for k, c in in_markdown.items()} == {
        k: c._replace(sections={}) for k, c in plain.items()
    }


def test_the_closing_notes_decide_on_the_evidence() -> None:
    made = cards(read(story.TEXT))
    assert Counter(card.evidence for card in made.values()) == {
        Evidence.INFERRED: 5, Evidence.EXPLICIT: 2, Evidence.OFFICIAL: 2, Evidence.UNVERIFIED: 1
    }  # fmt: skip
    assert made["fold-data#2"].evidence is Evidence.INFERRED  # its row says "official"
    assert made["fold-data#2"].grounds[0].kind is GroundKind.SOURCE_NOTE
    assert made["glue-kit#6"].evidence is Evidence.UNVERIFIED


def test_without_closing_notes_the_rows_decide_and_nothing_is_taken_for_granted() -> None:
    made = cards(read(story.TEXT.partition("本篇合并状态")[0]))
    assert made["paperlib#4"].evidence is Evidence.INFERRED
    assert made["fold-data#2"].evidence is Evidence.OFFICIAL
    assert made["glue-kit#5"].evidence is Evidence.UNVERIFIED


def test_every_change_is_recognised_with_date_state_relation_and_role() -> None:
    made = cards(read(story.TEXT))
    found = {
        key: [(c.repo, c.number, c.date, c.date_derived, c.state, c.relation, c.role, c.branch) for c in card.changes]
        for key, card in made.items()
    }
    merged, inferred, explicit = ChangeState.MERGED, Relation.INFERRED, Relation.EXPLICIT
    ours = "Ascend/paperlib"
    assert found["paperlib#4"] == [(ours, 22, "2026-01-23", False, merged, inferred, Role.FIX, "")]
    assert found["paperlib#7"] == [
        (ours, 83, "2026-07-09", False, merged, inferred, Role.FIX, ""),
        (ours, 88, "", False, ChangeState.UNKNOWN, inferred, Role.BACKPORT, "26.1.0"),
    ]
    assert found["paperlib#8"] == [
        (ours, 89, "2026-07-14", True, merged, inferred, Role.FIX, ""),
        (ours, 91, "2026-07-17", True, merged, inferred, Role.FIX, ""),
    ]
    assert found["paperlib#12"] == [
        (ours, 107, "2026-08-27", True, merged, explicit, Role.FIX, ""),
        (ours, 113, "", False, merged, explicit, Role.FIX, ""),
        (ours, 130, "2026-09-03", True, merged, explicit, Role.FIX, ""),
    ]
    assert [c[:3] + c[4:7] for c in found["glue-kit#4"]] == [
        ("Ascend/glue-kit", 53, "2025-12-11", merged, Relation.OFFICIAL, Role.DOCS)
    ]
    assert [(*c[:3], c[6]) for c in found["glue-kit#5"]] == [("paper/press", 187, "2026-02-06", Role.UPSTREAM)]
    assert [(c[1], c[6]) for c in found["fold-data#1"]] == [(20, Role.FIX), (34, Role.FOLLOW_UP)]
    numbers = {c[1] for changes in found.values() for c in changes}
    assert numbers == {22, 83, 88, 89, 91, 100, 107, 113, 130, 53, 187, 20, 34}


def test_outcomes_versions_names_and_references_are_recognised() -> None:
    made = cards(read(story.TEXT))
    assert {key: card.outcome for key, card in made.items()} == {
        "paperlib#4": Outcome.FIXED, "paperlib#7": Outcome.FIXED, "paperlib#8": Outcome.FIXED,
        "paperlib#9": Outcome.FIXED, "paperlib#12": Outcome.FIXED, "glue-kit#4": Outcome.DOCS_CORRECTED,
        "glue-kit#5": Outcome.FIXED_UPSTREAM, "glue-kit#6": Outcome.KNOWN_DEFECT, "fold-data#1": Outcome.FIXED,
        "fold-data#2": Outcome.WORKAROUND,
    }  # fmt: skip
    assert [str(v) for v in made["paperlib#9"].affected] == ["CANN 9.2.0"]
    assert [str(v) for v in made["paperlib#7"].fixed] == ["paperlib 26.1.0"]
    assert [str(v) for v in made["glue-kit#5"].fixed] == ["CANN 9.0.0"]
    assert (EntityKind.API, "aclrtPaperAlloc") in made["paperlib#9"].entities
    assert (EntityKind.CODE, "2326") in made["paperlib#8"].entities
    assert (EntityKind.FILE, "tools/compare_fold.py") in made["fold-data#2"].entities
    assert [(str(r.key), r.reason) for r in made["fold-data#1"].related] == [("fold-data#2", Reason.SAME_CAUSE)]
    assert [(r.repo, r.number) for r in made["glue-kit#5"].references] == [("paper/sip", 31)]


def test_themes_and_guide_find_their_cards_by_short_names_that_nothing_declares() -> None:
    made = read(story.TEXT)
    assert made.themes[0].title.zh == "paperlib 折叠面：三类翻车点——共用、截断、漏劫持"
    assert [str(key) for key in made.themes[0].cards] == [f"paperlib#{n}" for n in (4, 7, 8, 9, 12)]
    assert [str(key) for key in made.themes[1].cards] == [
        "glue-kit#4", "glue-kit#5", "glue-kit#6", "fold-data#1", "fold-data#2"
    ]  # fmt: skip
    assert [[str(key) for key in entry.cards] for entry in made.guide] == [
        ["paperlib#7", "paperlib#8"], ["glue-kit#5", "glue-kit#6"], ["fold-data#2"]
    ]  # fmt: skip
    assert made.guide[0].first_action.zh == "核对截断与每张纸的区分"
    assert len({entry.id for entry in made.themes} | {entry.id for entry in made.guide}) == 5


def test_provenance_and_the_original_text_are_kept() -> None:
    made = read(story.TEXT, "造纸.txt")
    draft = made.cards[0]
    assert draft.provenance == ("造纸.txt", 17, "2026-12-07", made.sha256)
    assert story.TEXT.split("\n")[16] == draft.text
    assert "outcome" in draft.guessed


def test_identifiers_stay_as_they_are_in_markdown() -> None:
    sections = cards(read(story.TEXT))["paperlib#9"].sections["zh"]
    whole = "".join(sections.values())
    assert "`__glue__`" in whole
    assert "`n>=2048`" in whole


def test_account_names_are_not_taken_over() -> None:
    made = cards(read(story.TEXT))["fold-data#2"]
    text = "".join(made.sections["zh"].values())
    assert "reviewer-a" not in text
    assert "用户" in text


def test_the_catalog_tells_owners_tags_and_foreign_repositories() -> None:
    catalog = Catalog(
        (Repo("paperlib", "mill", "ppl", Bilingual("纸", "paper"), Bilingual("纸", "paper"), 3),),
        (ForeignRepo("paper", "other"),),
        (),
        (
            Tag("A3", TagFacet.HARDWARE, Bilingual("A3（双面）", "A3")),
            Tag("oob", TagFacet.FAILURE, Bilingual("越界", "oob")),
        ),
    )
    made = cards(read(story.TEXT, catalog=catalog))
    assert made["paperlib#8"].owner == "mill"
    assert made["paperlib#8"].changes[0].repo == "mill/paperlib"
    assert (made["paperlib#8"].hardware, made["paperlib#8"].tags) == (("A3",), ("oob",))


def test_the_same_number_in_two_repositories_is_two_cards() -> None:
    made = cards(read(story.TEXT))
    assert made["paperlib#4"].title != made["glue-kit#4"].title


def test_drafts_are_a_sequence() -> None:
    drafts = read(story.TEXT).cards
    assert [d.card.key.number for d in drafts[1:3]] == [7, 8]
    assert drafts[-1] == list(drafts)[-1]


# What is wrong is told by row, and the good rows come in.

ROW_7 = next(line for line in story.TEXT.split("\n") if line.startswith("#7\t"))


@pytest.mark.parametrize(
    ("row", "complaint", "taken"),
    [
        (ROW_7 + "\n" + ROW_7, Complaint.SAME_TWICE, 10),
        (ROW_7 + "\n#7\t别的问题\t别的答案", Complaint.OTHER_TEXT, 10),
        ("#7\t只有标题", Complaint.CELLS_MISSING, 9),
        ("#7\t\t只有答案", Complaint.CELL_EMPTY, 9),
        ("七\t标题\t答案", Complaint.NO_NUMBER, 9),
        ("\t标题\t答案", Complaint.NO_NUMBER, 9),
        ("#0\t标题\t答案", Complaint.NO_NUMBER, 9),
        ("#123456789012\t标题\t答案", Complaint.NO_NUMBER, 9),
        (ROW_7.replace("：尺寸", "\t尺寸"), Complaint.CELLS_EXTRA, 10),
        (ROW_7 + "\t\t", None, 10),
        (ROW_7 + "\0", Complaint.NUL, 10),
        (ROW_7 + "\x08", Complaint.CONTROL, 10),
    ],
)
def test_a_bad_row_is_told_and_the_others_are_read(row: str, complaint: Complaint | None, taken: int) -> None:
    made = read(story.TEXT.replace(ROW_7, row))
    line = story.TEXT.split("\n").index(ROW_7) + 1 + row.count("\n")
    found = [place for place in complaints(made) if place[0] in (complaint, Complaint.COUNT_DIFFERS)]
    assert len(made.cards) == taken
    assert ((complaint, line) in found) == (complaint is not None)
    assert (Complaint.COUNT_DIFFERS in dict(found)) == (taken == 9)
    for problem in made.problems:
        assert "{" not in problem.message + problem.hint


def test_a_tab_in_a_cell_is_kept() -> None:
    made = read(story.TEXT.replace(ROW_7, ROW_7.replace("：尺寸", "\t尺寸")))
    assert "\t尺寸" in made.cards[1].text


def test_a_quoted_cell_may_hold_tabs_quotes_and_line_ends() -> None:
    row = '#7\t"标题\t带""引号"""\t"第一行\n\t第二行"'
    made = read(story.TEXT.replace(ROW_7, row))
    assert made.cards[1].card.title.zh == '标题\t带"引号"'
    assert made.cards[1].text.endswith("第一行\n\t第二行")
    assert len(made.cards) == 10


def test_a_line_right_below_a_row_goes_on_with_its_last_cell() -> None:
    made = read(story.TEXT.replace(ROW_7, ROW_7 + "\n补充：第二行。"))
    assert made.cards[1].text.endswith("补充：第二行。")
    assert len(made.cards) == 10


def test_blank_lines_between_the_parts_are_not_needed() -> None:
    tight = "\n".join(line for line in story.TEXT.split("\n") if line)
    assert cards(read(tight)) == cards(read(story.TEXT))


def test_a_wrong_short_name_or_number_is_told() -> None:
    made = read(story.TEXT.replace("fdd#2\n", "zzz#2\n").replace("glk#5、#6\n", "glk#5、#66\n"))
    assert [c for c, _ in complaints(made)] == [
        Complaint.CARD_UNKNOWN,
        Complaint.REPO_UNKNOWN,
    ]
    assert [str(key) for key in made.guide[1].cards] == ["glue-kit#5"]


def test_a_repository_that_the_overview_lacks_is_told_and_read() -> None:
    made = read(story.TEXT.replace("fold-data\t折法数据集\t2\n", ""))
    assert (Complaint.REPO_UNDECLARED in dict(complaints(made))) is True
    assert len(made.cards) == 10


def test_rows_below_an_unknown_heading_are_not_given_to_the_repository_above() -> None:
    made = read(story.markdown().replace("## glue-kit（胶水组件）", "## 胶水！"), "story.md")
    assert {card.key.repo for card in (d.card for d in made.cards)} == {"paperlib", "fold-data"}
    assert dict(complaints(made)).keys() >= {Complaint.NO_REPO}


@pytest.mark.parametrize("text", ["", "\n\n", "只有文字", "a\tb\tc\n1\t2\t3", "| a | b |\n| - | - |\n| 1 | 2 |"])
def test_a_file_without_cards_is_refused(text: str) -> None:
    with pytest.raises(KBError, match="no card"):
        read(text)


def test_reading_can_be_watched_and_stopped() -> None:
    seen: list[float] = []
    read_file(story.TEXT.encode(), "a.txt", "", EMPTY, watch=Watch(seen.append))
    assert seen
    assert seen == sorted(seen)
    assert max(seen) <= 1
    with pytest.raises(CancelledError):
        read_file(story.TEXT.encode(), "a.txt", "", EMPTY, watch=Watch(seen.append, lambda: True))


def test_an_english_article_is_read_too() -> None:
    text = (
        "Selected issues\n\nOverview\n\nRepository\tPurpose\tCards\npaperlib\tpaper\t1\n\npaperlib (paper)\n\n"
        "No.\tIssue\tAnswer\n#3\tFolds slip\tA maintainer confirmed it. Fixed by PR !5 (merged 2026-01-02).\n\n"
        "Troubleshooting guide\n\nSymptom\tFirst action\tCards\nslips\tuse glue\tpaperlib#3\n"
    )
    made = read(text)
    card = made.cards[0].card
    assert (card.title.en, card.evidence, card.outcome) == ("Folds slip", Evidence.OFFICIAL, Outcome.FIXED)
    assert list(card.sections) == ["en"]
    assert SectionId.RECIPE in card.sections["en"]
    assert (card.changes[0].number, card.changes[0].date) == (5, "2026-01-02")
    assert [str(key) for key in made.guide[0].cards] == ["paperlib#3"]
