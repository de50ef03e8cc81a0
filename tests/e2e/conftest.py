"""Windows over the bundle and over knowledge files made for one purpose."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6 import QtGui
from PySide6.QtWidgets import QApplication

from ascend_kb.core import i18n
from ascend_kb.core.keys import CardKey
from tests.conftest import BUNDLE
from tests.gui import Desk, Opener, WatchedApplication, abandoned_clipboard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from ascend_kb.core.card import Card, Knowledge

__all__ = ["abandoned_clipboard"]

FOLDER = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform says that it has no size hints and raises nothing; that is no fault of ours."""
    for item in items:
        if item.path.is_relative_to(FOLDER):
            item.add_marker(pytest.mark.gui)
            item.add_marker(
                pytest.mark.qt_log_ignore("This plugin does not support (propagateSizeHints|raise)", extend=True)
            )


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system asks for English; what a window chooses ends with its test."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    for name, value in i18n._state.items():
        monkeypatch.setitem(i18n._state, name, value)


@pytest.fixture(autouse=True)
def opener(monkeypatch: pytest.MonkeyPatch) -> Opener:
    """What the system's browser was asked to open."""
    fake = Opener()
    monkeypatch.setattr(QtGui, "QDesktopServices", fake)
    return fake


@pytest.fixture
def _own_log() -> Iterator[None]:
    """Let the log start anew, in this test's home."""
    log = logging.getLogger("ascend_kb")
    before, log.handlers = log.handlers, []
    yield
    for handler in log.handlers:
        handler.close()
    log.handlers = before


@pytest.fixture
def start(qtbot: QtBot, _own_log: None) -> Iterator[Callable[..., Desk]]:
    """Start the program; every window is closed at the end, and no fault may be left that the test did not take."""
    started: list[WatchedApplication] = []

    def open_it(path: Path | None = BUNDLE, *, keeps_nothing: bool = False) -> Desk:
        application = WatchedApplication(keeps_nothing=keeps_nothing)
        started.append(application)
        desk = Desk(qtbot, application, application.open_window(path))
        desk.appear()
        return desk

    yield open_it
    for application in started:
        for window in list(application.windows):
            window.close()
    faults = [fault for application in started for fault in application.faults]
    for dialog in QApplication.topLevelWidgets():
        dialog.close()
    assert not faults


@pytest.fixture
def desk(start: Callable[..., Desk]) -> Desk:
    """The window over the bundle, as at the first start."""
    return start()


@pytest.fixture(scope="session")
def knowledge(source_texts: dict[str, str]) -> Knowledge:
    """The real knowledge as values."""
    from ascend_kb.sources.load import load

    return load(source_texts)


@pytest.fixture(scope="session")
def write_kb(tmp_path_factory: pytest.TempPathFactory, knowledge: Knowledge) -> Callable[..., Path]:
    """Write a knowledge file that holds these cards."""
    from ascend_kb.store.writer import write

    def make(*cards: Card) -> Path:
        path = tmp_path_factory.mktemp("kb") / "own.sqlite"
        keys = {card.key for card in cards}
        themes = tuple(t._replace(cards=tuple(k for k in t.cards if k in keys)) for t in knowledge.themes)
        guide = tuple(g._replace(cards=tuple(k for k in g.cards if k in keys)) for g in knowledge.guide)
        known = tuple(c._replace(related=tuple(r for r in c.related if r.key in keys)) for c in cards)
        write(knowledge._replace(cards=known, themes=themes, guide=guide, sources={}), "digest", {}, path)
        return path

    return make


@pytest.fixture(scope="session")
def cards(knowledge: Knowledge) -> dict[str, Card]:
    """The real cards by key."""
    return {str(card.key): card for card in knowledge.cards}


@pytest.fixture(scope="session")
def large_kb(write_kb: Callable[..., Path], cards: dict[str, Card]) -> Path:
    """A knowledge file with 650 cards: msopcom#1 to msopcom#650."""
    model = cards["msopcom#57"]._replace(related=(), phrasings={})
    short = {language: dict(list(parts.items())[-2:]) for language, parts in model.sections.items()}
    return write_kb(*(model._replace(key=CardKey("msopcom", n), sections=short) for n in range(1, 651)))


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder that cannot be made, not even by root."""
    (tmp_path / "file").touch()
    home = tmp_path / "file" / "home"
    monkeypatch.setitem(os.environ, "ASCEND_KB_HOME", str(home))
    return home


@pytest.fixture
def own_copy(tmp_path: Path) -> Path:
    """A copy of the bundle, to be damaged at will."""
    return Path(shutil.copyfile(BUNDLE, tmp_path / "copy.sqlite"))
