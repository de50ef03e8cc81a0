"""The files beside the cards. Their other faults stand in faults.py; here is the glossary, which need not be there."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ascend_kb.app.building import compile_texts
from ascend_kb.core.errors import KBError
from ascend_kb.core.text import normalise
from ascend_kb.core.vocabulary import TagFacet
from ascend_kb.sources.load import load
from ascend_kb.sources.problems import SourceError
from tests.sources.faults import report
from tests.sources.sample import SAMPLE

NAME = "glossary.yaml"
LIST = f"{NAME}:1: {NAME} must be a list"
QUOTE = "a term of the glossary must be a text; put numbers, yes/no and signs such as ! in double quotes"


def with_glossary(text: str) -> dict[str, str]:
    return SAMPLE | {NAME: text}


def test_terms_are_read_as_they_are_written() -> None:
    glossary = '# failures\n- ["卡死", hang, "time out"]\n- [误报, "False Alarm"]  # a remark\n'
    assert load(with_glossary(glossary)).glossary == (("卡死", "hang", "time out"), ("误报", "False Alarm"))


@pytest.mark.parametrize("texts", [SAMPLE, with_glossary("[]\n")])
def test_there_may_be_no_glossary(texts: dict[str, str]) -> None:
    assert load(texts).glossary == ()


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [LIST]),
        ("# only a remark\n", [LIST]),
        ("---", [LIST]),
        ("hang\n", [LIST]),
        ("hang: [卡死]\n", [LIST]),
        ("- hang\n", [f"{NAME}:1: a group of the glossary must be a list"]),
        ("- [hang, 卡死]\n- {a: b}\n", [f"{NAME}:2: a group of the glossary must be a list"]),
        ("- []\n", [f"{NAME}:1: a group of the glossary needs two terms or more, not 0"]),
        ("- [hang, 卡死]\n- [leak]\n", [f"{NAME}:2: a group of the glossary needs two terms or more, not 1"]),
        ('- [hang, " "]\n', [f"{NAME}:1: a term of the glossary must not be empty"]),
        ("- [hang, 404]\n", [f"{NAME}:1: {QUOTE}"]),
        ("- [hang, yes]\n", [f"{NAME}:1: {QUOTE}"]),
        ("- [hang, ~]\n", [f"{NAME}:1: {QUOTE}"]),
        ("- [hang, [卡死]]\n", [f"{NAME}:1: {QUOTE}"]),
        ("- [hang, hang]\n", [f"{NAME}:1: 'hang' stands twice in the glossary"]),
        ("- [hang, 卡死]\n- [stuck, ＨＡＮＧ]\n", [f"{NAME}:2: 'hang' stands twice in the glossary"]),
        ("- [误报, 虚报]\n- [誤報, x]\n", [f"{NAME}:2: '误报' stands twice in the glossary"]),
        ("- [hang, 卡死\n", [f"{NAME}:2: broken YAML: did not find expected ',' or ']'"]),
        ("- [hang, 卡死]\n- \udcb0\n", [f"{NAME}:2: the file is not UTF-8; save it as UTF-8"]),
        ("- [hang, 1]\n- []\n- x\n",
         [f"{NAME}:1: {QUOTE}", f"{NAME}:2: a group of the glossary needs two terms or more, not 0",
          f"{NAME}:3: a group of the glossary must be a list"]),
    ],
)  # fmt: skip
def test_a_fault_of_the_glossary_is_named_by_file_line_and_term(text: str, faults: list[str]) -> None:
    assert report(with_glossary(text)) == faults


def test_a_faulty_glossary_is_an_error_and_not_a_crash() -> None:
    with pytest.raises(KBError) as caught:
        load(with_glossary("- hang\n"))
    assert isinstance(caught.value, SourceError)
    assert NAME in caught.value.message
    assert caught.value.hint


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.text(st.sampled_from("- []{},:\"'\n\tab误#&*!~0"), max_size=40)
    | st.text(st.characters(codec="utf-8"), max_size=20)
)
def test_any_glossary_is_read_or_reported(text: str) -> None:
    for line in report(with_glossary(text)):
        path, number, message = line.split(":", 2)
        assert path == NAME
        assert 1 <= int(number) <= text.count("\n") + 1
        assert message.strip()


def test_the_own_glossary_holds_each_term_once(source_texts: dict[str, str]) -> None:
    glossary = load(source_texts).glossary
    terms = [normalise(term) for group in glossary for term in group]
    assert len(glossary) > 100
    assert len(set(terms)) == len(terms)
    assert not any(term != term.strip() or "  " in term for term in terms)


def test_a_knowledge_file_without_a_glossary_can_be_searched(tmp_path_factory: pytest.TempPathFactory) -> None:
    from ascend_kb.app.library import Library
    from ascend_kb.core.query import SearchQuery

    path = tmp_path_factory.mktemp("plain") / "kb.sqlite"
    compile_texts(SAMPLE, path)
    library = Library(path)
    try:
        assert [str(row.key) for row in library.select(SearchQuery("误报 越界")).rows(0, 5)] == ["msopcom#57"]
    finally:
        library.close()


def test_files_beside_the_cards_are_read_into_values() -> None:
    knowledge = load(SAMPLE)
    assert [repo.abbreviation for repo in knowledge.repos] == ["msc", "mtt"]
    assert [(repo.owner, repo.name) for repo in knowledge.foreign] == [("cann", "ops-nn")]
    assert {tag.facet for tag in knowledge.tags} == set(TagFacet)
    assert knowledge.guide[0].id == "false-report"
    assert knowledge.themes[0].id == "hooks"
    assert knowledge.about.en.startswith("Sources and rules")
