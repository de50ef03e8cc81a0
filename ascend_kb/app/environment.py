"""Can a window be opened here? Asked before Qt is imported, because Qt would end the process without a plain word."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from pathlib import Path

from ascend_kb.core.errors import KBError
from ascend_kb.core.i18n import tr

# Libraries that Qt's xcb platform needs and that the wheel does not carry, with Debian's packages.
_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
}
# What the offscreen platform needs as well.
_ALWAYS = ("libEGL.so.1", "libGL.so.1", "libdbus-1.so.3", "libfontconfig.so.1", "libglib-2.0.so.0", "libxkbcommon.so.0")


def check_window() -> None:
    """Make sure that a window can be opened.

    Raises:
        KBError: there is no display, PySide6 is not installed, or system libraries are missing (all are named).
    """
    if not sys.platform.startswith("linux"):
        _check_pyside()
        return
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if not (platform or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise KBError(
            tr("there is no display to open a window on"),
            tr("use the command line instead: ascend-kb search TEXT, ascend-kb show KEY, ascend-kb diagnose FILE"),
        )
    _check_pyside()
    uses_xcb = platform.startswith("xcb") or (not platform and not os.environ.get("WAYLAND_DISPLAY"))
    names = tuple(_LIBRARIES) if uses_xcb else _ALWAYS
    missing = [name for name in names if not _loads(name)]
    if missing:
        raise KBError(
            tr("system libraries are missing: {names}", names=", ".join(missing)),
            "apt-get install " + " ".join(_LIBRARIES[name] for name in missing),
        )


def _check_pyside() -> None:
    if importlib.util.find_spec("PySide6") is None:
        raise KBError(
            tr("the window needs PySide6, which is not installed"),
            tr("pip install PySide6-Essentials, or use the command line: ascend-kb search TEXT"),
        )


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def missing_cjk_font_hint() -> str:
    """Return what to do where no font shows Chinese."""
    if sys.platform.startswith("linux") and Path("/etc/debian_version").exists():
        return "apt-get install fonts-noto-cjk"
    return tr("install a Chinese font, for example Noto Sans CJK")
