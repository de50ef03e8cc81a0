"""Every text of the interface exists in Chinese, with the same fields, and what is loaded is what was written."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

from ascend_kb.app import paths, translation
from ascend_kb.app.commands import COMMANDS, MENUS
from ascend_kb.core import i18n
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from babel.messages.catalog import Catalog

FOLDER = paths.resources() / "translations" / "zh" / "LC_MESSAGES"
RUN_THIS = "run `make translations` and fill in what is new"


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of the translation functions, with its place."""
    for path in sorted((ROOT / "ascend_kb").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("tr", "_"):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def source_texts() -> dict[str, str]:
    """Return every text that is translated, with the place where it stands."""
    found = {}
    for place, call in calls():
        if isinstance(call.args[0], ast.Constant):
            found[str(call.args[0].value)] = place
    return found


def names(text: str) -> set[str]:
    """Return the fields of a text."""
    return set(re.findall(r"\{(\w+)[^}]*\}", text))


def written() -> Catalog:
    """Return the translation as it is edited."""
    with (FOLDER / "ascend_kb.po").open("rb") as file:
        return read_po(file)


@pytest.fixture(autouse=True)
def _language(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def test_every_text_has_a_chinese_translation() -> None:
    texts = source_texts()
    assert len(texts) > 100
    known = {str(message.id): message for message in written() if message.id}
    missing = [f"{place}: {text}" for text, place in texts.items() if text not in known or not known[text].string]
    assert missing == [], RUN_THIS
    assert [text for text, message in known.items() if message.fuzzy] == [], "guessed translations were not looked at"
    assert sorted(set(known) - set(texts)) == [], RUN_THIS


def test_translations_keep_fields_and_marks() -> None:
    for message in written():
        text, chinese = str(message.id), str(message.string)
        assert names(text) == names(chinese), text
        assert text.count("&") == chinese.count("&"), text
        assert text.endswith("…") == chinese.endswith("…") or "(&" in chinese, text


def test_every_call_gives_its_text_the_fields_that_it_has() -> None:
    for place, call in calls():
        if isinstance(call.args[0], ast.Constant):
            assert names(str(call.args[0].value)) == {keyword.arg for keyword in call.keywords}, place
        else:
            assert not isinstance(call.args[0], (ast.JoinedStr, ast.BinOp)), f"{place}: the text must be a literal"


def test_the_compiled_translation_agrees_with_the_edited_one() -> None:
    with (FOLDER / "ascend_kb.mo").open("rb") as file:
        compiled = {message.id: message.string for message in read_mo(file) if message.id}
    assert compiled == {message.id: message.string for message in written() if message.id}, RUN_THIS


def test_use_switches_the_language_both_ways() -> None:
    translation.use("zh")
    assert i18n.current() == "zh"
    assert i18n.tr("{path} is empty", path="x") == "x 是空的" or re.search(
        "[一-鿿]", i18n.tr("{path} is empty", path="x")
    )
    for text in [*MENUS, *(c.title for c in COMMANDS), *(c.help for c in COMMANDS if c.help)]:
        assert re.search("[一-鿿]", i18n.tr(text)), text
    translation.use("en")
    assert i18n.current() == "en"
    assert i18n.tr("{path} is empty", path="x") == "x is empty"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, "zh"),
        ({"LANGUAGE": "zh:en", "LC_ALL": "en_US.UTF-8"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, "zh"),
    ],
)
def test_the_language_of_the_system_is_known(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], language: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert translation.system_language() == language
