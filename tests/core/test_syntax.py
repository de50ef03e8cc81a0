"""The query language: what each query means, and that every text is one, in linear time."""

from __future__ import annotations

import re
import sys
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ascend_kb.core.explain import outline
from ascend_kb.core.query import Facet, Filter
from ascend_kb.core.syntax import MAX_DEPTH, MAX_OPERATORS, AllOf, AnyOf, Not, Restriction, Term, parse, terms_of
from tests.pace import loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ascend_kb.core.syntax import Node

SOME = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
ANY = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates and controls among them
SIGNS = st.text(st.sampled_from('()"-: \tORrepoxa误\u3000\0\ud83d'), max_size=40)
WORDS = st.lists(
    st.sampled_from(["a", "OR", "(", ")", "-", "-b", '"', '"a b"', "repo:x", "-repo:x", "(a", "b)", "误报", "tag:y"]),
    max_size=14,
).map(" ".join)
TEXTS = st.one_of(ANY, SIGNS, WORDS)


def resolve(field: str, value: str) -> Filter | None:
    """Know two fields; the values of one are a closed set."""
    if field == "repo":
        return Filter(Facet.REPO, value.lower()) if value.lower() in ("x", "y") else None
    return Filter(Facet.TAG, value.strip()) if field == "tag" and value.strip() else None


def read(text: str, *, minus: bool = True) -> AllOf:
    """Parse a query with these fields."""
    return parse(text, resolve, minus=minus)


MEANINGS = {
    # words
    "": "AND()",
    " \t\n\u3000": "AND()",
    "a": '"a"',
    "a b": 'AND("a", "b")',
    "a\u3000b\u00a0c": 'AND("a", "b", "c")',
    "b a b": 'AND("b", "a", "b")',
    "AND NOT NEAR *": 'AND("AND", "NOT", "NEAR", "*")',
    # exact text
    '"a b"': '="a b"',
    '" a b "': '="a b"',
    '"a" b': 'AND(="a", "b")',
    '"a"b': '""a"b"',
    'a"b c"': 'AND("a"b", "c"")',
    '""': '""""',
    '" "': 'AND(""", """)',
    '"a OR -b (c)"': '="a OR -b (c)"',
    # choices
    "a OR b": 'OR("a", "b")',
    "a OR b OR c d": 'AND(OR("a", "b", "c"), "d")',
    "a b OR c d": 'AND("a", OR("b", "c"), "d")',
    "a or b": 'AND("a", "or", "b")',
    "aOR b": 'AND("aOR", "b")',
    "a OR": 'AND("a", "OR")',
    "OR a": 'AND("OR", "a")',
    "OR": '"OR"',
    "a OR OR b": 'AND("a", OR("OR", "b"))',
    'a "OR" b': 'AND("a", ="OR", "b")',
    # exclusions
    "a -b": 'AND("a", NOT("b"))',
    "-b a": 'AND(NOT("b"), "a")',
    'a -"b c"': 'AND("a", NOT(="b c"))',
    "a -(b c)": 'AND("a", NOT(AND("b", "c")))',
    "a OR -b": 'OR("a", NOT("b"))',
    "a - b": 'AND("a", "-", "b")',
    "a --b": 'AND("a", "--b")',
    "a -\u3000b": 'AND("a", "-", "b")',
    "a -OR b": 'AND("a", NOT("OR"), "b")',
    "a -()": 'AND("a", "-()")',
    "a-b": '"a-b"',
    "-a": '"-a"',
    "-a -b": 'AND("-a", "-b")',
    "-(a b)": 'AND("-(a", "b)")',
    "repo:x -a": 'AND(repo:x, NOT("a"))',
    # groups
    "(a)": '"a"',
    "(a b) c": 'AND(AND("a", "b"), "c")',
    "(a OR b) (c OR d)": 'AND(OR("a", "b"), OR("c", "d"))',
    "((a))": '"a"',
    "(a OR (b c)) d": 'AND(OR("a", AND("b", "c")), "d")',
    "f(x)": '"f(x)"',
    "(f(x) OR g()) y": 'AND(OR("f(x)", "g()"), "y")',
    "(repo:x OR a)": 'OR(repo:x, "a")',
    "()": '"()"',
    "( )": 'AND("(", ")")',
    "a (": 'AND("a", "(")',
    "(a": '"(a"',
    "a)": '"a)"',
    "(a b": 'AND("(a", "b")',
    "(a OR) b": 'AND("(a", "OR)", "b")',
    "(-a) b": 'AND(NOT("a"), "b")',
    # filters
    "repo:x": "repo:x",
    'repo:"X" a': 'AND(repo:x, "a")',
    'tag:"a b" c': 'AND(tag:"a b", "c")',
    "(tag:y)": "tag:y",
    "repo:x repo:y": "AND(repo:x, repo:y)",
    "-repo:x": '"-repo:x"',
    "a -repo:x": 'AND("a", NOT(repo:x))',
    "repo:z": '"repo:z"',
    "repo:": '"repo:"',
    'repo:""': '"repo:"""',
    'repo:"x': '"repo:"x"',
    "Repo:x": '"Repo:x"',
    "mood:good": '"mood:good"',
    ":x": '":x"',
    "https://x.y/z": '"https://x.y/z"',
    "ACL::aclrtMalloc": '"ACL::aclrtMalloc"',
}


@pytest.mark.parametrize("text", MEANINGS)
def test_what_a_query_means(text: str) -> None:
    assert outline(read(text)) == MEANINGS[text]


@pytest.mark.parametrize("text", ["a -b", "-h", "x -(a)", "-repo:x a"])
def test_nothing_is_excluded_without_minus(text: str) -> None:
    assert "NOT" not in outline(read(text, minus=False))


# --- every keystroke is a legal query --------------------------------------------------------------------------------

HALF = [
    "误报 -", '误报 "graph mo', "误报 (a", "误报 OR", "误报 repo:", "误报 repo:nowhe", '误报 tag:"a', "误报 -(",
    "误报 -(a", '误报 -"', '误报 -"a b', "(", '误报 ""',
]  # fmt: skip


@pytest.mark.parametrize("text", HALF)
def test_what_is_half_typed_is_text(text: str) -> None:
    tree = read(text)
    assert all(isinstance(node, Term) and not node.exact for node in tree.nodes)
    assert [node.text for node in terms_of(tree)] == text.split()


@pytest.mark.parametrize("text", ['误报 -(4G OR "a b") repo:x', '(误报 OR 劫持) tag:"图 模式" -x', "f(x) (a (b c))"])
def test_every_beginning_of_a_query_is_a_query(text: str) -> None:
    for end in range(len(text) + 1):
        assert_whole(text[:end], read(text[:end]))


@pytest.mark.parametrize("depth", [1, MAX_DEPTH, MAX_DEPTH + 1, 200, 50_000])
def test_parentheses_that_are_nested_too_deep_are_text(depth: int) -> None:
    text = "(" * depth + "a" + ")" * depth
    assert outline(read(text)) == ('"a"' if depth <= MAX_DEPTH else f'"{text}"')


PASTED = ["-a ", "-repo:x ", "repo:x ", "a OR ", "-(a) ", '-"a b" ']


@pytest.mark.parametrize("piece", PASTED)
def test_a_text_of_very_many_operators_was_pasted_and_is_text(piece: str) -> None:
    within, beyond = "b " + piece * (MAX_OPERATORS // 2) + "c", "b " + piece * (MAX_OPERATORS + 1) + "c"
    assert [node.text for node in terms_of(read(within))] != within.split()
    assert [node.text for node in terms_of(read(beyond))] == beyond.split()
    assert_whole(beyond, read(beyond))


# --- totality and places ---------------------------------------------------------------------------------------------


def leaves(node: Node) -> Iterator[Term | Restriction]:
    """Yield the terms and filters of a tree, in order, those of exclusions too."""
    if isinstance(node, (Term, Restriction)):
        yield node
    elif isinstance(node, Not):
        yield from leaves(node.node)
    else:
        for inner in node.nodes:
            yield from leaves(inner)


def assert_nested(node: Node) -> None:
    """Fail unless the parts of a node stand inside of it, one behind the other."""
    assert node.start <= node.end
    parts = [node.node] if isinstance(node, Not) else list(node.nodes) if isinstance(node, (AllOf, AnyOf)) else []
    for part in parts:
        assert node.start <= part.start < part.end <= node.end
        assert_nested(part)
    assert all(before.end <= after.start for before, after in pairwise(parts))


def assert_whole(text: str, tree: AllOf) -> None:
    """Fail unless the tree stands for the whole text: its leaves, and nothing but operators and blanks between."""
    assert (tree.start, tree.end) == (0, len(text))
    assert_nested(tree)
    at = 0
    between = ""
    for leaf in leaves(tree):
        between += text[at : leaf.start] + " "
        written = text[leaf.start : leaf.end]
        if isinstance(leaf, Restriction):
            field, _, value = written.partition(":")
            assert resolve(field, value.strip('"')) == leaf.filter
        else:
            assert written == leaf.text or (leaf.exact and written[1:-1].strip() == leaf.text)
            assert leaf.text.strip()
        at = leaf.end
    between += text[at:]
    assert re.fullmatch(r"(?:[\s()-]|OR)*", between)


@settings(SOME, max_examples=500)
@given(TEXTS, st.booleans())
@example("\0", True)
@example("\ud83d \ude00 \ud800", True)
@example("e\u0301 \u0301", True)
@example("مرحبا (עברית OR \u202eabc)", True)
@example("a\u2028b\u2029c\x85d\x1fe", True)
def test_every_text_is_a_query_and_its_tree_stands_for_all_of_it(text: str, minus: bool) -> None:
    assert_whole(text, read(text, minus=minus))


@SOME
@given(st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), min_size=1, max_size=30))
def test_any_run_of_printable_characters_is_one_piece_unless_a_sign_cuts_it(text: str) -> None:
    if not set('()":-') & set(text) and text != "OR" and not any(c.isspace() for c in text):
        assert read(text).nodes == (Term(text, 0, len(text)),)


def test_every_character_alone_and_beside_others_is_text() -> None:
    for number in range(0x3000):
        character = chr(number)
        if not character.isspace():
            assert [node.text for node in terms_of(read(f"误 {character} 报"))] == ["误", character, "报"]


@pytest.mark.parametrize("category", ["Mn", "Cf", "Co", "Cn", "So"])
def test_characters_of_no_letters_are_text(category: str) -> None:
    some = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(c) == category][:400]
    text = "a" + "".join(some)
    assert [node.text for node in terms_of(read(text))] == text.split()


@SOME
@given(WORDS)
def test_blanks_around_and_between_make_no_difference(text: str) -> None:
    assert outline(read(f" \n{text.replace(' ', '  ')}\t ")) == outline(read(text)) or '"' in text


@SOME
@given(TEXTS)
def test_a_tree_has_something_to_find_or_no_exclusion(text: str) -> None:
    tree = read(text)
    if not list(terms_of(tree)):
        found = [leaf for leaf in leaves(tree) if isinstance(leaf, Restriction)]
        assert found or not tree.nodes


@SOME
@given(TEXTS)
def test_a_tree_written_anew_has_the_same_terms(text: str) -> None:
    terms = [term.text for term in terms_of(read(text, minus=False)) if not term.exact]
    plain = [term for term in terms if not set('()":-') & set(term) and term != "OR"]
    assert [term.text for term in terms_of(read(" ".join(plain)))] == plain


def test_excluded_terms_are_not_looked_for() -> None:
    assert [term.text for term in terms_of(read('a -b (c OR "d e") -(f g)'))] == ["a", "c", "d e"]


PIECES = [
    "x", "误", "a ", "(", "(a ", "a) ", "(a) ", '"', '" ', '"a" ', "-", "-a ", "- ", "a OR ", "OR ", "repo:x ", "repo:",
    'repo:"', "tag:y ", "f(", "f()", ":", "\0", "\ud83d", "\u0301", "\u202e", "e\u0301 ", "é:",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES, ids=ascii)
def test_time_grows_with_the_length_only(piece: str) -> None:
    short, long = (piece * 100_000)[:25_000], (piece * 100_000)[:100_000]
    assert_ends(long)
    assert loops(lambda: read(long)) < 10 * loops(lambda: read(short)) + 5


def assert_ends(text: str) -> None:
    tree = read(text)
    assert (tree.start, tree.end) == (0, len(text))
