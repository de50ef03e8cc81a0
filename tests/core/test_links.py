"""What references lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from ascend_kb.core.keys import REFERENCE, CardKey
from ascend_kb.core.links import SCHEME, card_link, copy_link, theme_link

if TYPE_CHECKING:
    from ascend_kb.core.links import LinkMap

WEB = "https://gitcode.com"


@pytest.mark.parametrize(
    ("address", "parts"),
    [
        (card_link(CardKey("op-plugin", 40)), ("ascend-kb", "card", "/op-plugin/40")),
        (theme_link("hook-surface"), ("ascend-kb", "theme", "/hook-surface")),
        (copy_link(0), ("ascend-kb", "copy", "/0")),
    ],
)
def test_inner_addresses_name_kind_and_place(address: str, parts: tuple[str, str, str]) -> None:
    split = urlsplit(address)
    assert (split.scheme, split.netloc, split.path) == parts
    assert split.scheme == SCHEME


def resolved(links: LinkMap, text: str) -> tuple[str, str] | None:
    """Return what a reference leads to."""
    found = REFERENCE.fullmatch(text)
    assert found is not None
    return links.resolve(found)


@pytest.mark.parametrize(
    "text", ["msopcom#57", "msc#57", "MsC#57", "Ascend/msopcom#57", "ascend/MSOPCOM#57", "Ascend/msc#57"]
)
def test_a_card_is_reached_by_all_its_names(links: LinkMap, text: str) -> None:
    assert resolved(links, text) == ("ascend-kb://card/msopcom/57", 'msopcom#57 Hooks <b> "miss" & fail')


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("msc!57", f"{WEB}/Ascend/msopcom/pull/57"),
        ("Ascend/op-plugin!9", f"{WEB}/Ascend/op-plugin/pull/9"),
        ("cann/sip#31", f"{WEB}/cann/sip/issues/31"),
        ("CANN/SIP!31", f"{WEB}/cann/sip/pull/31"),
        ("sip#31", f"{WEB}/cann/sip/issues/31"),
    ],
)
def test_changes_and_known_foreign_repos_lead_to_the_web(links: LinkMap, text: str, address: str) -> None:
    assert resolved(links, text) == (address, address)


@pytest.mark.parametrize(
    "text",
    ["msc#58", "other/msopcom#57", "other/sip#1", "cann/msopcom#57", "nobody#1", "nobody!1", "x/y#1", "other/msc!1"],
)
def test_all_else_is_only_text(links: LinkMap, text: str) -> None:
    assert resolved(links, text) is None
