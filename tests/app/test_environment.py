"""Where no window can be opened, the reason and a way out are said before Qt could end the process."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

from ascend_kb.app import environment
from ascend_kb.core.errors import KBError
from tests.unprivileged import ROOT

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="displays are a matter of Linux")


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(environment, "_LIBRARIES", {"libc.so.6": "libc6"})
    monkeypatch.setattr(environment, "_ALWAYS", ("libc.so.6",))


@pytest.mark.parametrize("empty", [False, True], ids=["unset", "set to nothing"])
def test_without_a_display_the_command_line_is_named(monkeypatch: pytest.MonkeyPatch, empty: bool) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM") if empty else ():
        monkeypatch.setenv(name, "")
    with pytest.raises(KBError) as caught:
        environment.check_window()
    assert caught.value.message == "there is no display to open a window on"
    assert all(f"ascend-kb {verb}" in caught.value.hint for verb in ("search", "show", "diagnose"))


@pytest.mark.parametrize("name", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_any_kind_of_display_will_do(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "offscreen" if name == "QT_QPA_PLATFORM" else ":7")
    environment.check_window()


@pytest.mark.parametrize("variables", [{"DISPLAY": ":7"}, {"QT_QPA_PLATFORM": "xcb"}])
def test_missing_libraries_are_all_named_with_their_packages(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    libraries = {"libnone-a.so.9": "libnone-a9", "libc.so.6": "libc6", "libnone-b.so.9": "libnone-b9"}
    monkeypatch.setattr(environment, "_LIBRARIES", libraries)
    with pytest.raises(KBError) as caught:
        environment.check_window()
    assert caught.value.message == "system libraries are missing: libnone-a.so.9, libnone-b.so.9"
    assert caught.value.hint == "apt-get install libnone-a9 libnone-b9"


@pytest.mark.parametrize("variables", [{"WAYLAND_DISPLAY": "w"}, {"QT_QPA_PLATFORM": "offscreen"}])
def test_libraries_of_another_platform_are_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(environment, "_LIBRARIES", {"libc.so.6": "libc6", "libnone.so.9": "libnone9"})
    environment.check_window()


def test_a_missing_pyside_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(KBError) as caught:
        environment.check_window()
    assert caught.value.message == "the window needs PySide6, which is not installed"
    assert "pip install PySide6-Essentials" in caught.value.hint
    assert "ascend-kb search" in caught.value.hint


def test_every_library_has_a_package_and_the_offscreen_ones_are_among_them() -> None:
    code = """
import sys
from ascend_kb.app import environment as e
print(set(e._ALWAYS) <= set(e._LIBRARIES), all(e._LIBRARIES.values()), "PySide6" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT, text=True)
    assert done.stdout == "True True False\n"
