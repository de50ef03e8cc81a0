"""The tables that views share: names, labels, and filters as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ascend_kb.core.card import Change
from ascend_kb.core.errors import KBError
from ascend_kb.core.keys import REFERENCE, CardKey
from ascend_kb.core.query import Facet, Filter
from ascend_kb.core.vocabulary import ChangeState, Outcome, Relation, Role, SectionId

if TYPE_CHECKING:
    from ascend_kb.core.card import Card
    from ascend_kb.core.catalog import Catalog
    from ascend_kb.core.language import Language

WEB = "https://gitcode.com"


@pytest.mark.parametrize(
    ("facet", "text", "value"),
    [
        (Facet.REPO, "msopcom", "msopcom"),
        (Facet.REPO, "msc", "msopcom"),
        (Facet.REPO, " OPL ", "op-plugin"),
        (Facet.REPO, "Op-Plugin", "op-plugin"),
        (Facet.TAG, "hook", "hook"),
        (Facet.TAG, "接口劫持", "hook"),
        (Facet.TAG, "api HOOKING", "hook"),
        (Facet.HARDWARE, "a2", "a2"),
        (Facet.HARDWARE, "昇腾 A2", "a2"),
        (Facet.HARDWARE, "atlas a2", "a2"),
        (Facet.OUTCOME, "fixed-upstream", "fixed-upstream"),
        (Facet.OUTCOME, "可规避", "workaround"),
        (Facet.OUTCOME, "By design", "by-design"),
        (Facet.EVIDENCE, "explicit", "explicit"),
        (Facet.EVIDENCE, "官方答复", "official"),
        (Facet.EVIDENCE, "Inferred", "inferred"),
    ],
)
def test_a_filter_is_read_by_id_abbreviation_and_label(catalog: Catalog, facet: Facet, text: str, value: str) -> None:
    assert catalog.filter(facet, text) == Filter(facet, value)


def test_hardware_given_as_a_tag_is_a_hardware_filter(catalog: Catalog) -> None:
    assert catalog.filter(Facet.TAG, "A2") == Filter(Facet.HARDWARE, "a2")


@pytest.mark.parametrize(
    ("facet", "text", "allowed"),
    [
        (Facet.REPO, "ms", "allowed: msopcom (msc), op-plugin (opl)"),
        (Facet.REPO, "", "allowed: msopcom (msc), op-plugin (opl)"),
        (Facet.TAG, "hooks", "allowed: hook (接口劫持), false-alarm (误报), a2 (昇腾 A2)"),
        (Facet.HARDWARE, "hook", "allowed: a2 (昇腾 A2)"),
        (Facet.EVIDENCE, "fixed", "allowed: explicit, official, inferred, unverified"),
        (
            Facet.OUTCOME,
            "%",
            f"allowed: {', '.join(outcome.value for outcome in Outcome)}",
        ),
    ],
)
def test_an_unknown_value_is_refused_with_all_that_are_allowed(
    catalog: Catalog, facet: Facet, text: str, allowed: str
) -> None:
    with pytest.raises(KBError) as caught:
        catalog.filter(facet, text)
    assert caught.value.message == f"unknown {facet.value} '{text}'"
    assert caught.value.hint == allowed


@pytest.mark.parametrize("text", ["msc#57", "MSOPCOM#57"])
def test_keys_are_read_long_and_short(catalog: Catalog, text: str) -> None:
    assert catalog.key(text) == CardKey("msopcom", 57)


@pytest.mark.parametrize(
    ("section", "language", "name"),
    [(SectionId.RECIPE, "zh", "处理步骤"), (SectionId.RECIPE, "en", "Recipe"), (SectionId.CAUSE, "zh", "cause")],
)
def test_sections_have_headings_or_stand_for_themselves(
    catalog: Catalog, section: SectionId, language: Language, name: str
) -> None:
    assert catalog.section(section, language) == name


@pytest.mark.parametrize(
    ("tag", "language", "name"), [("hook", "zh", "接口劫持"), ("a2", "en", "Atlas A2"), ("x", "en", "x")]
)
def test_tags_have_labels_or_stand_for_themselves(catalog: Catalog, tag: str, language: Language, name: str) -> None:
    assert catalog.tag(tag, language) == name


class TestLinkMap:
    def address(self, catalog: Catalog, text: str, card: Card | None = None) -> str | None:
        found = REFERENCE.fullmatch(text)
        assert found is not None
        target = catalog.link_map(lambda key: key.number == 57, lambda _key: "", card).resolve(found)
        return target[0] if target else None

    @pytest.mark.parametrize(
        ("text", "address"),
        [
            ("msc#57", "ascend-kb://card/msopcom/57"),
            ("Ascend/op-plugin#57", "ascend-kb://card/op-plugin/57"),
            ("msc#58", None),
            ("cann/msopcom#57", None),
            ("opl!3", f"{WEB}/Ascend/op-plugin/pull/3"),
            ("cann/sip#57", f"{WEB}/cann/sip/issues/57"),
            ("pytorch#57", f"{WEB}/Ascend/pytorch/issues/57"),
        ],
    )
    def test_knows_own_and_foreign_repositories(self, catalog: Catalog, text: str, address: str | None) -> None:
        assert self.address(catalog, text) == address

    def test_knows_the_changes_of_the_card_in_its_own_repository(self, catalog: Catalog, card: Card) -> None:
        made = catalog.link_map(lambda _key: True, lambda _key: "", card).changes
        assert made == {n: f"{WEB}/Ascend/msopcom/pull/{n}" for n in (183, 22)}

    def test_knows_no_changes_without_a_card(self, catalog: Catalog) -> None:
        assert catalog.link_map(lambda _key: True, lambda _key: "").changes == {}

    def test_takes_a_repository_of_a_longer_name_for_another(self, catalog: Catalog, card: Card) -> None:
        other = Change("Ascend/old-msopcom", 5, ChangeState.OPEN, Relation.EXPLICIT, Role.FIX)
        made = catalog.link_map(lambda _key: True, lambda _key: "", card._replace(changes=(other,)))
        assert made.changes == {}
