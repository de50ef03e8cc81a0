"""What is copied: four forms, one or several cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.links import LinkMap
from ascend_kb.core.markdown import render
from ascend_kb.core.recipe import Form, commands, join, one, portable
from ascend_kb.core.vocabulary import SectionId
from tests.core.conftest import COMMANDS_ZH, RECIPE_ZH
from tests.core.reading import assert_safe

if TYPE_CHECKING:
    from ascend_kb.core.card import Card
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.language import Language

URL = "https://gitcode.com/Ascend/msopcom/issues/57"
ALL_LINKS = LinkMap({"msc": "msopcom"}, {}, lambda _key: True, lambda key: f'{key} > "b" <i>')


def with_recipe(card: Card, recipe: str) -> Card:
    """Return the card with another recipe."""
    return card._replace(sections={"zh": {SectionId.RECIPE: recipe}})


def test_commands_are_the_exact_bytes_of_the_shell_blocks(card: Card, catalog: Catalog, links: LinkMap) -> None:
    assert one(card, Form.COMMANDS, catalog, "zh", links) == COMMANDS_ZH
    assert commands(card, "en") == COMMANDS_ZH


def test_only_the_recipe_gives_commands(card: Card) -> None:
    fence = "```bash\nrm -rf x\n```\n"
    assert commands(card._replace(sections={"zh": {SectionId.FIX: fence, SectionId.EVIDENCE: fence}}), "zh") == ""


def test_plain_text_keeps_numbers_and_code(card: Card, catalog: Catalog, links: LinkMap) -> None:
    assert one(card, Form.PLAIN, catalog, "zh", links) == (
        "处理步骤\n\n"
        "1. 看日志，见 msc#57。\n\ngrep -n 'a|b' log.txt \\\n  | head\n\n"
        '2. 打开 a<b>：\n\nprint("no command")\n\n'
        "3. 再运行：\n\n# whoami\nroot\n\n"
        f"msopcom#57 标题 <甲> & *乙*\n{URL}\n依据：推断\n"
    )


def test_markdown_is_the_recipe_as_it_was_written(card: Card, catalog: Catalog, links: LinkMap) -> None:
    made = one(card, Form.MARKDOWN, catalog, "zh", links)
    assert made.startswith(f"## 处理步骤\n\n{RECIPE_ZH}\n- ")
    assert made.endswith(f"\n- {URL}\n- 依据：推断\n")


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("form", [Form.PLAIN, Form.MARKDOWN, Form.HTML])
def test_every_form_but_commands_ends_with_key_title_address_and_evidence(
    card: Card, catalog: Catalog, links: LinkMap, form: Form, language: Language
) -> None:
    made = one(card, form, catalog, language, links)
    if form is Form.HTML:
        made = assert_safe(made.replace("<br>", "\n")).text
    elif form is Form.MARKDOWN:
        made = assert_safe(render(made, links, language)).text
    title, evidence = (
        ("标题 <甲> & *乙*", "依据：推断") if language == "zh" else ("Title <A> & *B*", "Evidence: Inferred")
    )
    assert made.split("\n")[-1] == "" or form is Form.MARKDOWN
    assert [line for line in made.split("\n") if line][-3:] == [f"msopcom#57 {title}", URL, evidence]


@pytest.mark.parametrize("form", [Form.PLAIN, Form.MARKDOWN, Form.HTML])
def test_a_title_of_two_lines_is_given_as_one(card: Card, catalog: Catalog, links: LinkMap, form: Form) -> None:
    split = card._replace(title=card.title._replace(zh="甲\n乙"))
    assert "msopcom#57 甲 乙" in one(split, form, catalog, "zh", links)


@pytest.mark.parametrize("form", [Form.PLAIN, Form.MARKDOWN, Form.HTML])
def test_a_recipe_without_text_still_says_whose_it_is(card: Card, catalog: Catalog, links: LinkMap, form: Form) -> None:
    assert URL in one(with_recipe(card, ""), form, catalog, "zh", links)


INNER = [
    "msc#57",
    "[a](ascend-kb://card/x/1)",
    "[a\nb](ascend-kb://card/x/1)",
    "[**a** `b`](ASCEND-KB://theme/x)",
    '[a](ascend-kb://card/x/1 "t > x")',
    "[a](ascend-kb://copy/0)",
    "<ascend-kb://card/x/1>",
    "```sh\nls\n```",
    "- ```sh\n  ls\n  ```",
]


@pytest.mark.parametrize("inner", INNER)
def test_html_for_other_programs_has_no_inner_links(card: Card, catalog: Catalog, inner: str) -> None:
    made = one(
        with_recipe(card, f"{inner}\n\nx [z](https://z.z) {inner}\n\n{inner}"), Form.HTML, catalog, "zh", ALL_LINKS
    )
    seen = assert_safe(made)
    assert [address for _, address in seen.links] == ["https://z.z", URL]
    assert "复制" not in made


def test_html_keeps_the_texts_of_the_links_it_takes_out() -> None:
    made = portable(render('a msc#57 [b **c**](ascend-kb://card/x/1) `<a href="ascend-kb:x">d</a>`', ALL_LINKS, "zh"))
    assert made == '<p>a msc#57 b <strong>c</strong> <code>&lt;a href="ascend-kb:x"&gt;d&lt;/a&gt;</code></p>'


def test_html_shows_code_with_its_line_ends_and_blanks(card: Card, catalog: Catalog) -> None:
    made = one(with_recipe(card, "```sh\na  <b>\n\n\tc\n```"), Form.HTML, catalog, "zh", ALL_LINKS)
    assert "<pre>a  &lt;b&gt;\n\n\tc</pre>" in made


@pytest.mark.parametrize(
    ("form", "joined"),
    [
        (Form.COMMANDS, "a\nb\n"),
        (Form.PLAIN, "a\n\nb\n"),
        (Form.MARKDOWN, "a\n\n---\n\nb\n"),
        (Form.HTML, "a\n<hr>\nb\n"),
    ],
)
def test_several_are_joined_in_order_and_empty_ones_left_out(form: Form, joined: str) -> None:
    assert join(["a\n", "", "b\n"], form) == joined
    assert join(["b\n", "a\n"], form).startswith("b\n")
    assert join([], form) == ""


@pytest.mark.parametrize("form", [Form.PLAIN, Form.MARKDOWN, Form.HTML])
def test_each_of_several_says_whose_it_is(card: Card, catalog: Catalog, links: LinkMap, form: Form) -> None:
    other = card._replace(key=type(card.key)("op-plugin", 40))
    made = join([one(c, form, catalog, "zh", links) for c in (card, other)], form)
    assert made.index(URL) < made.index("https://gitcode.com/Ascend/op-plugin/issues/40")
