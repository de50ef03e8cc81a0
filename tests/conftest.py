"""What all tests share: no display, no user data, a small knowledge to change at will."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ascend_kb.core import i18n

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.pop("LANGUAGE", None)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ascend_kb.app.library import Library

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
BUNDLE = DATA / "kb.sqlite"


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep every test away from the user's data folder."""
    monkeypatch.setenv("ASCEND_KB_HOME", str(tmp_path / "home"))


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin every test with English messages, whatever language a window of another test has chosen."""
    monkeypatch.setitem(i18n._state, "translate", str)
    monkeypatch.setitem(i18n._state, "language", "en")


@pytest.fixture(autouse=True)
def _no_thread_left() -> Iterator[None]:
    """Fail a test that leaves one of our worker threads running."""
    yield
    left = [t.name for t in threading.enumerate() if t.name.startswith("ascend-kb")]
    assert not left, f"threads left running: {left}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The user's data folder of this test; it does not exist yet."""
    return tmp_path / "home"


@pytest.fixture
def own_copy(tmp_path: Path) -> Path:
    """A copy of the bundle, to be changed at will."""
    return Path(shutil.copyfile(BUNDLE, tmp_path / "copy.sqlite"))


@pytest.fixture(scope="session")
def source_texts() -> dict[str, str]:
    """The real sources by relative path."""
    from ascend_kb.sources.load import read_texts

    return read_texts(DATA)


@pytest.fixture
def library() -> Iterator[Library]:
    """The bundled knowledge."""
    from ascend_kb.app.library import Library

    opened = Library(BUNDLE)
    yield opened
    opened.close()


@pytest.fixture
def build_kb(tmp_path: Path, source_texts: dict[str, str]) -> Callable[..., Path]:
    """Build a knowledge file from the real sources with some texts replaced (None removes one)."""

    def build(changes: dict[str, str | None] | None = None, name: str = "own.sqlite") -> Path:
        from ascend_kb.app.building import compile_texts

        texts = dict(source_texts)
        for path, text in (changes or {}).items():
            if text is None:
                texts.pop(path)
            else:
                texts[path] = text
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        compile_texts(texts, target)
        return target

    return build
