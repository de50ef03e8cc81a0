"""A card, a theme, a guide entry as one Markdown text: nothing of it is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.card import Card, GuideEntry, Theme
from ascend_kb.core.document import card_document, guide_document, theme_document
from ascend_kb.core.keys import CardKey
from ascend_kb.core.language import Bilingual
from ascend_kb.core.markdown import render
from ascend_kb.core.vocabulary import SectionId
from tests.core.reading import Reading, assert_safe

if TYPE_CHECKING:
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.language import Language
    from ascend_kb.core.links import LinkMap

THEME = Theme(
    "hooks",
    Bilingual("主题 *甲*", "Theme *A*"),
    Bilingual("一句 <话>", "One <line>"),
    Bilingual("# 大\n\n## 小\n\n```\n# 代码\n```\n", "# Big\n"),
    (CardKey("msopcom", 57), CardKey("op-plugin", 40)),
)
GUIDE = GuideEntry(
    "g", Bilingual("症状 #", "Symptom #"), Bilingual("先看 `x`", "Look at `x`"), (CardKey("op-plugin", 40),)
)
EVERYTHING: dict[Language, list[str]] = {
    "zh": [
        "msopcom#57 标题 <甲> & *乙*", "摘要一句", "可规避", "推断", "CANN 8.3.RC2, MindStudio 26.0.0", "CANN 8.5.0",
        "昇腾 A2", "接口劫持, 误报", "https://gitcode.com/Ascend/msopcom/issues/57", "症状正文", "原因正文",
        "修复正文 !183", "看日志", "依据正文", "Ascend/msopcom!183 fix a|b", "br_release_MindStudio", "2026-03-04",
        "已合并", "显式关联", "cann/sip!9", "未合并", "官方指明", "上游", "Ascend/msopcom!22",
        "2025-01-02（年份由上下文推得）", "已关闭未合并", "推断关联", "被取代", "官方答复 · 报告者实测：报告者说好了",
        "推断 · 时间吻合：时间很近", "op-plugin#40 Kernel | pipe — 对照：正好相反", "cann/sip#31 上游的问题",
        "cann/sip!32 上游的变更", "手册第三章", "aclrtMalloc_Host", "E`1`", "为什么*漏报*",
    ],
    "en": [
        "msopcom#57 Title <A> & *B*", "One sentence summary", "Workaround", "Inferred", "Atlas A2",
        "API hooking, False alarm", "症状正文", "Ascend/msopcom!183 fix a|b", "merged", "explicit", "open",
        "official", "2025-01-02 (year derived)", "closed unmerged", "superseded",
        "Official · Tested by the reporter: The reporter said so", "Inferred · Timing agrees: The dates are close",
        "contrast: The very opposite", "cann/sip#31 Issue upstream", "cann/sip!32 Change upstream",
        "Manual, chapter 3", "why does it miss", "hook misses calls",
    ],
}  # fmt: skip
ONLY_IN_THE_HEADER = {"摘要一句", "CANN 8.5.0", "昇腾 A2", "aclrtMalloc_Host", "为什么*漏报*"}


def title_of(key: CardKey) -> str:
    """Return a title that has to be escaped."""
    return {"op-plugin": "Kernel | pipe", "msopcom": "Hooks <b>"}[key.repo]


def read(markdown: str, links: LinkMap) -> Reading:
    """Return what is shown of a document."""
    return assert_safe(render(markdown, links, "zh"))


@pytest.mark.parametrize("language", ["zh", "en"])
def test_everything_of_a_card_is_in_its_document(
    card: Card, catalog: Catalog, links: LinkMap, language: Language
) -> None:
    text = read(card_document(card, catalog, language, title_of), links).text.lower()
    assert [fact for fact in EVERYTHING[language] if fact.lower() not in text] == []


def test_without_a_header_only_what_others_show_is_left_out(card: Card, catalog: Catalog, links: LinkMap) -> None:
    text = read(card_document(card, catalog, "zh", title_of, header=False), links).text
    assert {fact for fact in ONLY_IN_THE_HEADER if fact in text} == set()
    for fact in ("症状正文", "Ascend/msopcom!183", "报告者说好了", "正好相反", "手册第三章"):
        assert fact in text


@pytest.mark.parametrize("header", [True, False])
def test_grounds_are_shown_for_a_card_without_changes(
    card: Card,
    catalog: Catalog,
    links: LinkMap,
    header: bool,
) -> None:
    text = read(card_document(card._replace(changes=()), catalog, "zh", title_of, header=header), links).text
    assert "依据明细" in text
    assert "官方答复 · 报告者实测：报告者说好了" in text
    assert "推断 · 时间吻合：时间很近" in text


EMPTY: dict[str, object] = {
    "grounds": (), "changes": (), "related": (), "references": (), "entities": (), "signatures": (), "phrasings": {},
}  # fmt: skip
HEADINGS = {
    "grounds": "依据明细", "changes": "变更", "related": "相关条目", "references": "外部参考", "entities": "涉及的名称",
    "signatures": "日志特征", "phrasings": "也有人这样问",
}  # fmt: skip


def without(card: Card, field: str) -> Card:
    """Return the card with one field empty."""
    return Card(**{**card._asdict(), field: EMPTY[field]})


@pytest.mark.parametrize("field", EMPTY)
def test_what_a_card_does_not_have_has_no_heading(card: Card, catalog: Catalog, field: str) -> None:
    heading = f"## {HEADINGS[field]}\n"
    assert heading in card_document(card, catalog, "zh", title_of)
    text = card_document(without(card, field), catalog, "zh", title_of)
    assert heading not in text
    assert [h for h in HEADINGS.values() if f"## {h}\n" in text] == [
        h for h in HEADINGS.values() if f"## {h}\n" != heading
    ]


def test_a_bare_card_is_its_header(card: Card, catalog: Catalog) -> None:
    bare = card._replace(sections={}, affected=(), fixed=(), hardware=(), tags=())
    for field in EMPTY:
        bare = without(bare, field)
    assert card_document(bare, catalog, "en", title_of) == (
        "# msopcom#57 Title <A> & \\*B\\*\n\nOne sentence summary\n\n"
        "- Outcome: Workaround\n- Evidence: Inferred\n- Repo: msopcom\n- Source: <https://gitcode.com/Ascend/msopcom/issues/57>\n"
    )


def test_sections_stand_in_order_below_their_names(card: Card, catalog: Catalog) -> None:
    text = card_document(
        card._replace(sections={"zh": dict(reversed(list(card.sections["zh"].items())))}), catalog, "zh", title_of
    )
    places = [
        text.index(part)
        for part in ("## 现象\n\n症状", "## cause\n\n原因", "修复正文", "## 处理步骤\n\n1. ", "依据正文")
    ]
    assert places == sorted(places)


def test_the_changes_are_a_table_of_equal_rows(card: Card, catalog: Catalog, links: LinkMap) -> None:
    made = render(card_document(card, catalog, "zh", title_of), links, "zh")
    table = made[made.index("<table>\n") : made.index("</table>\n<h2>依据明细")]
    rows = table.split("<tr>")[1:]
    assert [row.count("<th>") + row.count("<td>") for row in rows] == [6, 6, 6, 6]
    assert "<td>—</td>" in rows[2]


def test_documents_link_to_cards_changes_and_sources(card: Card, catalog: Catalog, links: LinkMap) -> None:
    found = read(card_document(card, catalog, "zh", title_of), links).links
    for text, address in [
        ("op-plugin#40", "ascend-kb://card/op-plugin/40"),
        ("Ascend/msopcom!183", "https://gitcode.com/Ascend/msopcom/pull/183"),
        ("cann/sip!9", "https://gitcode.com/cann/sip/pull/9"),
        ("cann/sip#31", "https://gitcode.com/cann/sip/issues/31"),
        ("https://gitcode.com/Ascend/msopcom/issues/57",) * 2,
    ]:
        assert (text, address) in found
    assert all(text and address for text, address in found)


def test_a_card_names_its_themes(card: Card, catalog: Catalog, links: LinkMap) -> None:
    seen = read(card_document(card, catalog, "zh", title_of, themes=[THEME]), links)
    assert ("主题 *甲*", "ascend-kb://theme/hooks") in seen.links


@pytest.mark.parametrize("name", ["a", "`", "``", "a`b``c", "`a`", "a_b*c*", "<b>", "x|y"])
def test_names_are_code_whatever_stands_in_them(card: Card, catalog: Catalog, links: LinkMap, name: str) -> None:
    named = card._replace(entities=(card.entities[0]._replace(name=name),))
    made = render(card_document(named, catalog, "zh", title_of), links, "zh")
    after = made[made.index("涉及的名称") :]
    assert Reading(after[after.index("<code>") : after.index("</code>") + 7]).text == name


def test_phrasings_in_one_language_stand_in_for_the_other(card: Card, catalog: Catalog) -> None:
    only = card._replace(phrasings={"zh": ("为什么漏报",), "en": ()})
    assert "- 为什么漏报\n" in card_document(only, catalog, "en", title_of)


def test_a_theme_shows_title_lesson_and_cards(links: LinkMap) -> None:
    text = theme_document(THEME, "zh", title_of)
    assert text == (
        "# 主题 \\*甲\\*\n\n一句 <话>\n\n## 大\n\n### 小\n\n```\n# 代码\n```\n\n\n## 条目\n\n"
        "- [msopcom#57](ascend-kb://card/msopcom/57) Hooks <b>\n"
        "- [op-plugin#40](ascend-kb://card/op-plugin/40) Kernel \\| pipe\n"
    )
    assert read(text, links).addresses == ["ascend-kb://card/msopcom/57", "ascend-kb://card/op-plugin/40"]


def test_headings_of_a_theme_that_fit_are_left_alone() -> None:
    fitting = THEME._replace(body=Bilingual("## 小\n\n```\n# 代码\n```"))
    assert "\n\n## 小\n\n```\n# 代码\n```\n\n" in theme_document(fitting, "zh", title_of)


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        ("zh", ["症状 #", "先做什么", "先看 x", "条目", "op-plugin#40 Kernel | pipe"]),
        ("en", ["Symptom #", "First action", "Look at x", "Cards", "op-plugin#40 Kernel | pipe"]),
    ],
)
def test_a_guide_entry_shows_symptom_action_and_cards(links: LinkMap, language: Language, parts: list[str]) -> None:
    seen = read(guide_document(GUIDE, language, title_of), links)
    assert [line.strip() for line in seen.text.split("\n") if line.strip()] == parts


def test_every_section_of_a_card_has_a_place(card: Card, catalog: Catalog) -> None:
    marks = {section: f"MARK{n}" for n, section in enumerate(SectionId)}
    text = card_document(card._replace(sections={"en": marks}), catalog, "zh", title_of)
    assert [text.count(mark) for mark in marks.values()] == [1] * len(SectionId)
