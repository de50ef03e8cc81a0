"""Markdown becomes a small safe HTML, whatever stands in it and however long it is."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.core.fences import find_fences
from ascend_kb.core.keys import CardKey
from ascend_kb.core.links import LinkMap
from ascend_kb.core.markdown import escape, render
from tests.core.reading import Reading, assert_safe
from tests.pace import loops

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_kb.core.language import Language

SOME = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
NOTHING = LinkMap({}, {}, lambda _key: False)
EVERYTHING = LinkMap(
    {"msc": "msopcom"}, {"msopcom": "Ascend/msopcom"}, lambda _key: True, lambda _key: "\"<i>'", {1: "https://x/1"}
)
CARD_57 = "ascend-kb://card/msopcom/57"


def shown(text: str, links: LinkMap = NOTHING, language: Language = "en") -> Reading:
    """Return what is shown of a Markdown text; it is safe."""
    return assert_safe(render(text, links, language))


class TestSubset:
    @pytest.mark.parametrize(
        ("text", "made"),
        [
            ("a **b** *c* `d`", "<p>a <strong>b</strong> <em>c</em> <code>d</code></p>"),
            ("# a\n\n## b", "<h1>a</h1>\n<h2>b</h2>"),
            ("a  \nb", "<p>a<br>\nb</p>"),
            ("> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
            ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
            ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
            ("---", "<hr>"),
            ("[a](https://b.c/d)", '<p><a href="https://b.c/d">a</a></p>'),
            ("<https://b.c>", '<p><a href="https://b.c">https://b.c</a></p>'),
            ("[a](mailto:b@c)", '<p><a href="mailto:b@c">a</a></p>'),
            ("a_b_c 1*2*3", "<p>a_b_c 1<em>2</em>3</p>"),
            ("", ""),
            (" \n\n ", ""),
        ],
    )
    def test_is_made_of_these(self, text: str, made: str) -> None:
        assert render(text, NOTHING, "en") == made

    def test_columns_keep_their_alignment(self) -> None:
        made = render("|a|b|\n|:-|-:|\n|1|2|", NOTHING, "en")
        assert '<td align="left">1</td>\n<td align="right">2</td>' in made


RAW = [
    "<b>x</b>", "<script>alert(1)</script>", "<SCRIPT SRC=//x>", "<img src=x onerror=alert(1)>", "<!-- x -->",
    "<?php x ?>", "<iframe src='javascript:x'>", "<style>p{}</style>", "<a href='javascript:x'>y</a>",
    "<div>\n**x**\n</div>", "<svg/onload=x>", "<p class='copy'>x</p>", "</p></td></table>", "<![CDATA[x]]>",
    "<!DOCTYPE html>", "<details>x", "<form><input>", "<video src=x onerror=y>", "<base href=//x>",
    "<meta http-equiv=refresh>", "<plaintext>", "<math><mi", "<img src=\"http://127.0.0.1:9/x.png\">",
    "<img src=file:///etc/passwd>", "<a\nhref=x>", "<x y='>'>",
]  # fmt: skip
FRAMES = [
    "{}",
    "a {} b",
    "- {}",
    "> {}",
    "# {}",
    "|a|\n|-|\n|{}|",
    "**{}**",
    "    {}",
    "`{}`",
    "```\n{}\n```",
    "[{}](https://a)",
]


class TestRawHtml:
    @pytest.mark.parametrize("frame", FRAMES)
    @pytest.mark.parametrize("raw", RAW)
    def test_is_text_wherever_it_stands(self, raw: str, frame: str) -> None:
        plain = shown(frame.format("zzz"))
        seen = shown(frame.format(raw.replace("\n", " ").replace("**x**", "x")))
        assert seen.tags == plain.tags
        assert raw.split(maxsplit=1)[0].partition("'")[0] in seen.text

    @pytest.mark.parametrize("raw", RAW)
    def test_over_several_lines_is_text(self, raw: str) -> None:
        assert "<" in shown(f"{raw}\n\n{raw}").text

    @pytest.mark.parametrize(
        ("text", "read"),
        [
            ("![logo](http://127.0.0.1:9/x.png) b", "logo b"),
            ("![](file:///etc/passwd)b", "b"),
            ("![a](data:image/png;base64,x 'title')", "a"),
        ],
    )
    def test_images_are_their_description(self, text: str, read: str) -> None:
        seen = shown(text)
        assert seen.text == read
        assert seen.addresses == []

    @pytest.mark.parametrize("text", ["![a][1]", "![1]", "![a]\n[1]"])
    def test_images_by_reference_load_nothing(self, text: str) -> None:
        assert "img" not in shown(f"{text}\n\n[1]: http://127.0.0.1:9/x.png").tags

    @pytest.mark.parametrize(
        ("entity", "character"), [("&lt;b&gt;", "<b>"), ("&amp;", "&"), ("&#60;i>", "<i>"), ("&x", "&x")]
    )
    def test_entities_are_characters(self, entity: str, character: str) -> None:
        assert shown(entity).text == character

    @pytest.mark.parametrize("mark", ["\x02wzxhzdk:0\x03", "\x02klzzwxh:0000\x03", "\x02amp\x03", "\x0242\x03"])
    def test_inner_marks_of_the_reader_are_text(self, mark: str) -> None:
        seen = shown(f"{mark}\n\n```\n<b>\n```\n\n`{mark}`")
        assert seen.text.count(mark[1:-1]) == 2
        assert seen.code == ["<b>"]


ADDRESSES = [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:x", "java\tscript:x", "java&#10;script:x",
    "&#106;avascript:x", "&#x6A;avascript&colon;x", "\x01javascript:x", "javascript&#58;x", "<javascript:x y>",
    "vbscript:x", "data:text/html,x", "DATA:text/html;base64,x", "file:///etc/passwd", "FILE:/etc/passwd", "//host/x",
    "\\\\host\\x", "/etc/passwd", "x.html", "../x", "?x", "#x", "", "ftp://x", "blob:x", "qrc:/x", "about:blank",
    "smb://x", "view-source:http://x", "tel:1", "javascript://%0aalert(1)", "http\u200b://x", "\u202ehttp://x",
    "x:http://y", "ascend-kbx://card/a/1", "1http://x",
]  # fmt: skip


class TestAddresses:
    @pytest.mark.parametrize("address", ADDRESSES)
    @pytest.mark.parametrize(
        "frame", ["[a]({})", '[a]({} "t")', "[a](<{}>)", "[a][r]\n\n[r]: {}", "[r]\n\n[r]: <{}>", "<{}>"]
    )
    def test_other_than_web_and_inner_ones_are_inert(self, address: str, frame: str) -> None:
        assert shown(frame.format(address)).addresses == []

    @pytest.mark.parametrize(
        "address", ["http://a/b", "HTTPS://a/b?c=d&e#f", "mailto:a@b.c", CARD_57, "ascend-kb://theme/x"]
    )
    @pytest.mark.parametrize("frame", ["[a]({})", '[a]({} "t")', "[a](<{}>)", "[a][r]\n\n[r]: {}"])
    def test_of_the_web_and_the_program_are_links(self, address: str, frame: str) -> None:
        assert shown(frame.format(address)).links == [("a", address)]

    @pytest.mark.parametrize("title", ['"x" onclick="y"', "'a' <b>", '"><script>', '"\' " & > <"'])
    def test_titles_cannot_break_out(self, title: str) -> None:
        shown(f"[a](http://b {title}) c")


class TestReferences:
    @pytest.mark.parametrize(
        ("text", "address"),
        [
            ("msopcom#57", CARD_57),
            ("msc#57", CARD_57),
            ("MSC#57", CARD_57),
            ("Ascend/msopcom#57", CARD_57),
            ("opl#40", "ascend-kb://card/op-plugin/40"),
            ("msopcom!9", "https://gitcode.com/Ascend/msopcom/pull/9"),
            ("msc!9", "https://gitcode.com/Ascend/msopcom/pull/9"),
            ("cann/sip#31", "https://gitcode.com/cann/sip/issues/31"),
            ("sip!31", "https://gitcode.com/cann/sip/pull/31"),
            ("!183", "https://gitcode.com/Ascend/msopcom/pull/183"),
        ],
    )
    @pytest.mark.parametrize(
        "frame", ["{}", "见{}。", "({})", "**{}**", "- {}", "# {}", "|a|b|\n|-|-|\n|{}|c|", "> {},"]
    )
    def test_known_ones_are_links(self, links: LinkMap, text: str, address: str, frame: str) -> None:
        assert shown(frame.format(text), links).links == [(text, address)]

    @pytest.mark.parametrize(
        "text",
        [
            "msopcom#58", "msc#0", "nobody#57", "other/msopcom#57", "cann/ops#1", "#57", "!184", "PR!22", "msc #57",
            "x!183", "msc#57a", "https://host/msc#57", "!183a", "sip/x#31",
        ],
    )  # fmt: skip
    def test_unknown_ones_stay_text(self, links: LinkMap, text: str) -> None:
        seen = shown(f"see {text} there", links)
        assert seen.links == []
        assert seen.text == f"see {text} there"

    @pytest.mark.parametrize("text", ["msc#57", "cann/sip#31", "!183", "msopcom!9"])
    @pytest.mark.parametrize("frame", ["`{}`", "``{}``", "```\n{}\n```", "- a\n  ~~~\n  {}\n  ~~~", "    {}", "`a|{}`"])
    def test_code_is_never_linked(self, links: LinkMap, text: str, frame: str) -> None:
        seen = shown(frame.format(text), links)
        assert seen.addresses == []
        assert text in seen.text

    def test_own_changes_are_known_on_their_card_alone(self, links: LinkMap) -> None:
        assert shown("!183", links._replace(changes={})).links == []

    @pytest.mark.parametrize("text", ["msc#57", "x msc#57 y", "!183", "**msc#57**"])
    def test_a_link_around_a_reference_is_the_link(self, links: LinkMap, text: str) -> None:
        assert shown(f"[{text}](https://a.b)", links).links == [(text.strip("*"), "https://a.b")]

    def test_a_card_link_says_which_card(self, links: LinkMap) -> None:
        seen = shown("msc#57", links)
        assert ("a", "title", 'msopcom#57 Hooks <b> "miss" & fail') in seen.attributes

    def test_many_in_a_row_are_all_found(self, links: LinkMap) -> None:
        seen = shown("msc#57、opl#40,msc#57/msc#58 !183,!22", links)
        assert [text for text, _ in seen.links] == ["msc#57", "opl#40", "msc#57", "!183", "!22"]


CODE = "<b>x</b> &amp;\n# no heading\n\n\n\ta_b_c\n- `no` **item** msc#57"


class TestCode:
    @pytest.mark.parametrize("columns", [0, 1, 2, 3, 4, 5])
    @pytest.mark.parametrize("item", ["- item", "* item", "1. item", "12. item", "1) item", "- a\n- item", "text"])
    @pytest.mark.parametrize("marks", ["```", "~~~"])
    def test_in_a_list_is_code_at_any_indent(self, links: LinkMap, item: str, columns: int, marks: str) -> None:
        block = "".join(f"{' ' * columns}{line}\n" for line in [f"{marks}text", *CODE.split("\n"), marks])
        for between in ("\n", "\n\n"):
            seen = shown(f"{item}{between}{block}\nafter msc#57\n", links)
            assert seen.code == [CODE]
            assert not {"h1", "strong", "em"} & set(seen.tags)
            assert seen.addresses == [CARD_57]
            assert "```" not in seen.text

    @pytest.mark.parametrize("lead", ["- ", "1. ", "1) ", "  - "])
    def test_may_be_all_of_a_list_item(self, lead: str) -> None:
        lines = [f"{lead}```sh", *(" " * len(lead) + line for line in [*CODE.split("\n"), "```"]), "", "after *this*"]
        seen = shown("\n".join(lines))
        assert seen.code == [CODE]
        assert seen.text.strip().endswith("after this")

    def test_of_a_list_item_stays_in_the_item(self) -> None:
        made = render("1. a\n\n   ```\n   x\n   ```\n\n2. b\n", NOTHING, "en")
        assert Reading(made).tags.count("ol") == 1
        assert made.index("<pre>x</pre>") < made.index("</li>")

    def test_between_items_keeps_their_numbers(self) -> None:
        made = render("1. a\n```\nx\n```\n2. b\n", NOTHING, "en")
        assert '<ol start="2">' in made

    @pytest.mark.parametrize(("language", "word"), [("zh", "复制"), ("en", "Copy")])
    def test_has_a_button_that_names_its_number(self, language: Language, word: str) -> None:
        seen = shown("```\na\n```\n\n- ~~~\n  b\n  ~~~\n\n```\nc", language=language)
        assert seen.links == [(word, f"ascend-kb://copy/{n}") for n in range(3)]
        assert seen.code == ["a", "b", "c"]

    @given(
        st.lists(
            st.sampled_from(["```", "~~~", "````", "- ", "1. ", "    ", "\t", "<b>", "a", "\n", "\r\n", "\r", "|", ">"])
        )
    )
    @SOME
    def test_buttons_count_as_the_blocks_are_counted(self, pieces: list[str]) -> None:
        text = "".join(pieces)
        buttons = [address for _, address in shown(text).links]
        assert (
            buttons == [f"ascend-kb://copy/{n}" for n in range(len(find_fences(text)))] if text.strip() else not buttons
        )

    def test_by_indent_is_code_without_a_button(self) -> None:
        seen = shown("a\n\n    <b>*x*\n\nb")
        assert [code.rstrip("\n") for code in seen.code] == ["<b>*x*"]
        assert seen.links == []

    @pytest.mark.parametrize("text", ["a\r\nb\r\n\r\n```\r\nx\r\n\ty\r\n```\r\nc", "a\nb\n\n```\nx\n\ty\n```\nc"])
    def test_and_text_may_have_line_ends_of_windows(self, text: str) -> None:
        assert render(text, NOTHING, "en").count("\r") == 0
        assert shown(text).code == ["x\n\ty"]


class TestTables:
    @pytest.mark.parametrize(
        ("row", "cells"),
        [
            ("| `a|b` | c |", ["a|b", "c"]),
            (r"| a\|b | c |", ["a|b", "c"]),
            ("| ``a`|b`` | c |", ["a`|b", "c"]),
            (r"| `a\|b` | c |", ["a\\|b", "c"]),
            ("| grep -E 'a' | `||` ", ["grep -E 'a'", "||"]),
            ("| a", ["a", ""]),
            ("| a | b | c |", ["a", "b"]),
            ("| <b> | <script> |", ["<b>", "<script>"]),
            ("|  | x |", ["", "x"]),
        ],
    )
    def test_every_row_has_the_cells_of_the_header(self, row: str, cells: list[str]) -> None:
        made = render(f"|h1|h2|\n|---|---|\n{row}\n|y|z|", NOTHING, "en")
        body = made.split("<td>")[1:]
        assert [Reading(f"<p>{cell.split('</td>')[0]}</p>").text for cell in body] == [*cells, "y", "z"]


FRAGMENTS = [
    "<", ">", "<a href=", "<img src=x onerror=y>", "<script>", "</script>", "<!--", "-->", "javascript:", "file:///x",
    "http://a", "data:", "[", "]", "(", ")", "](", "![", "[a](javascript:x)", "[1]: javascript:x\n", "[a][1]", "`",
    "```", "~~~", "*", "**", "_", "|", "|-|-|\n", "# ", "> ", "- ", "1. ", "\n", "\n\n", "    ", "\t", "&lt;",
    "&#60;", "&#x3c;", "&", ";", "\\", '"', "'", "msc#57", "!1", "\x02", "\x03", "wzxhzdk:0", "klzzwxh:0000", "\x00",
    "\ud800", "\u202e", "中", "a", " ", "=", "---", "<p>", "class=copy", "ascend-kb://copy/0", "  \n", "\r",
    "<https://b>", "<a@b.c>", "{", "}", ":",
]  # fmt: skip


class TestHostileText:
    @given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join))
    @settings(SOME, max_examples=600)
    def test_of_fragments_gives_only_safe_html(self, text: str) -> None:
        shown(text, EVERYTHING)

    @given(st.text(st.characters(exclude_categories=())))
    @SOME
    def test_of_any_characters_gives_only_safe_html(self, text: str) -> None:
        shown(text, EVERYTHING)

    @pytest.mark.parametrize("character", ["\x00", "\x02", "\x03", "\ud800"])
    def test_holds_a_sign_for_characters_that_cannot_be_shown(self, character: str) -> None:
        assert shown(f"a{character}b `c{character}`").text == "a\ufffdb c\ufffd"


def triangle(line: Callable[[int], str], size: int) -> str:
    """Return lines that grow, of about ``size`` characters in all."""
    lines: list[str] = []
    while size > 0:
        lines.append(line(len(lines)))
        size -= len(lines[-1]) + 1
    return "\n".join(lines)


SIZE = 50_000
UNITS = [
    "[", "![", "[[]", "[a](", "[a](<", "[a][", "](", "(", "*", "_", "**a ", "*a*", "*_", "***a*", "`", "``` ", "\\`",
    "\\``&amp;", "<", "<a ", "<!--", "<?", "<![CDATA[", "<http://", "<a@", "&", "&amp;", "&#", ">", "> ", "- ", "+ ",
    "1. ", "> 1. ", "- a\n", "a\n=\n", "# a\n", "#", "***\n", "[a]: b\n", "[a]: b\n>- a\n", "|", "|a", "`|", "|-|\n",
    "a\n\n", "    a\n", "\t", " ", "~~~a\n", "```\n", "~", "a#1 ", "a/", "!1", "a.", "\\", "\r", "  \n", "中",
    "**`[<", "*(",
]  # fmt: skip
SHAPES = {
    "lists by indent": triangle(lambda n: "    " * n + "- a", SIZE),
    "lists of numbers by indent": triangle(lambda n: "    " * n + "1. a", SIZE),
    "quotes": triangle(lambda n: ">" * n + " a", SIZE),
    "lengths of code marks": triangle(lambda n: "a" + "`" * n, SIZE),
    "lengths of fences": triangle(lambda n: "~" * (300 - n), 40_000),
    "pairs of emphasis": "*(" * (SIZE // 4) + ")*" * (SIZE // 4),
    "pairs of brackets": "[" * (SIZE // 2) + "]" * (SIZE // 2),
    "pairs of links": "[a" * (SIZE // 8) + "](b)" * (SIZE // 8),
    "one long run": "a_===" + "*" * SIZE,
    "a long run in words": "a" * 10_000 + "_" * 40_000 + "b",
    "wide table": "a|" * 5_000 + "\n" + "-|" * 5_000 + "\n" + "b\n" * 15_000,
    "row of code and pipes": "a|b\n-|-\n" + "`a`|" * (SIZE // 4),
    "head of code and pipes": "|``" * (SIZE // 6) + "\n<?--" * (SIZE // 10),
    "fences in a list": "- a\n" + "    x\n" * 4_000 + "  ~~~\n  ~~~\n" * 2_000,
    "code that never ends": ("\\``" + "a" * 47) * (SIZE // 25),
    "entities": "&amp;" * 120_000,
    "heading that ends in signs": "# " + "#" * SIZE + "a",
    "fence with blanks": "~~~a" + " " * SIZE + "b",
    "sections": "# a\n\n- b *c*\n\n> d\n\n" * (SIZE // 20),
}


class TestLongText:
    @pytest.mark.parametrize("unit", UNITS, ids=ascii)
    def test_that_repeats_itself_is_read_in_time(self, unit: str) -> None:
        self.check(unit * (SIZE // len(unit)))

    @pytest.mark.parametrize("shape", SHAPES)
    def test_of_a_hard_shape_is_read_in_time(self, shape: str) -> None:
        self.check(SHAPES[shape])

    def check(self, text: str) -> None:
        assert loops(lambda: render(text, EVERYTHING, "en")) < 300
        assert_safe(render(text, EVERYTHING, "en"))

    @pytest.mark.parametrize("unit", ["[", "*(", "1. ", "+ ", "> 1. ", ">", "- 1. ", "\\``", "*"])
    def test_that_is_too_tangled_is_shown_as_it_stands(self, unit: str) -> None:
        text = unit * 6_000 + "end"
        seen = shown(text)
        assert "end" in seen.text
        assert len(seen.text) > 4 * len(unit) * 1_000
        assert seen.deepest < 200

    @pytest.mark.parametrize("unit", ["[", "*(", "1. ", "> 1. ", "\\``", "*", "a\n=\n"])
    def test_that_is_tangled_leaves_the_rest_readable(self, links: LinkMap, unit: str) -> None:
        seen = shown("# before\n\n" + unit * 4_000 + "\n\nafter **bold** msc#57\n\n```\ncode\n```\n", links)
        assert seen.tags[0] == "h1"
        assert "strong" in seen.tags
        assert seen.addresses == [CARD_57]
        assert seen.code[-1] == "code"

    def test_of_ordinary_writing_is_never_cut_short(self) -> None:
        text = "## Part\n\nText with `code[0]`, **bold**, a [link](https://a.b) and (brackets [inside]).\n\n1. a\n\n"
        table = "|a|b|\n|-|-|\n" + "|`x|y`|z|\n" * 40 + "\n"
        made = render((text + table) * 400, NOTHING, "en")
        assert [made.count(f"<{tag}>") for tag in ("h2", "strong", "td", "pre")] == [400, 400, 400 * 80, 0]

    def test_gives_the_same_however_deep_the_caller_stands(self) -> None:
        text = ">" * 60 + " a\n\n" + "1. " * 60 + "b\n\n" + "*(" * 140 + ")*" * 140

        def deeper(steps: int) -> str:
            return deeper(steps - 1) if steps else render(text, NOTHING, "en")

        assert deeper(250) == deeper(0)


WORDS = [
    "a", "B2", "中", " ", "  ", "\n", "\t", "*", "**", "_", "__", "`", "```", "~~~", "[", "]", "(", ")", "[a](b)",
    "<", ">", "<b>", "</b>", "<https://a>", "<a@b>", "<!--", "&", "&lt;", "&amp;", "&#60;", "#", "##", "-", "- ",
    "---", "+ ", "1. ", "12.", "|", "\\", "!", "![", "=", ":", ".", "{", "}", '"', "'", "aclrt_malloc", "_x_",
    "\u202e", "\u0301",
]  # fmt: skip
PLACES = {
    "paragraph": ("before\n\n{}", "before"),
    "heading": ("# k {}", "k "),
    "item": ("- {}", ""),
    "named item": ("- **k**: {}", "k: "),
    "cell": ("|h|i|\n|-|-|\n| {} |k|", "hi"),
}


class TestEscape:
    @pytest.mark.parametrize("place", PLACES)
    @given(text=st.one_of(st.lists(st.sampled_from(WORDS), max_size=10).map("".join), st.text(max_size=20)))
    @settings(SOME, max_examples=250)
    def test_shows_the_characters_of_a_text_wherever_it_stands(self, place: str, text: str) -> None:
        frame, before = PLACES[place]
        text = text.replace("\x00", "").replace("\x02", "").replace("\x03", "")
        read = " ".join(
            shown(frame.format(escape(text))).text.replace("\n", " " if place == "paragraph" else "").split()
        )
        after = "k" if place == "cell" else ""
        assert read == " ".join(
            f"{before} {text}".split() if place == "paragraph" else f"{before}{text_of(text)}{after}".split()
        )

    @pytest.mark.parametrize("place", PLACES)
    def test_shows_marks_that_stand_alone(self, place: str) -> None:
        frame, before = PLACES[place]
        for text in filter(str.strip, WORDS):
            read = shown(frame.format(escape(text))).text
            read = read if place == "paragraph" else read.replace("\n", "")
            assert read.strip().removeprefix(before).removesuffix("k" * (place == "cell")).strip() == text.strip()

    @pytest.mark.parametrize(
        ("text", "escaped"),
        [
            ("aclrtMalloc_Host fails", "aclrtMalloc_Host fails"),
            ("__init__", r"\_\_init\_\_"),
            ("a|b", r"a\|b"),
            ("# a #", r"\# a \#"),
            ("1. a", r"1\. a"),
            ("8.3.RC2", "8.3.RC2"),
            ("- a", r"\- a"),
            ("-x", "-x"),
            ("a\n\nb", "a b"),
            ("std::vector<int> & more", "std::vector<int> & more"),
            ("", ""),
        ],
    )
    def test_marks_no_more_than_it_must(self, text: str, escaped: str) -> None:
        assert escape(text) == escaped

    @pytest.mark.parametrize("sign", ["<", "[", "*", "_", "`", "&", "#", "~", "<@", "\\"])
    def test_takes_its_time_only_with_the_length(self, sign: str) -> None:
        assert loops(lambda: escape(sign * 100_000)) < 100


def text_of(text: str) -> str:
    """Return a text with each run of blanks as one blank."""
    return " ".join(text.split())


def test_a_title_of_a_card_cannot_break_out_of_its_tooltip() -> None:
    hostile = LinkMap({"a": "a"}, {}, lambda _key: True, lambda _key: '"><script>alert(1)</script><a href="')
    seen = shown("a#1", hostile)
    assert seen.links == [("a#1", f"ascend-kb://card/{CardKey('a', 1).repo}/1")]
    assert html.escape("<script>") not in seen.text
