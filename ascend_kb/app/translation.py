"""Chooses the language of the interface and loads its texts."""

from __future__ import annotations

import gettext
import os
from typing import TYPE_CHECKING

from ascend_kb.app import paths
from ascend_kb.core import i18n

if TYPE_CHECKING:
    from ascend_kb.core.language import Language

DOMAIN = "ascend_kb"


def system_language() -> Language:
    """Return the language that the system asks for: Chinese for any Chinese locale, else English."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    if os.name == "nt":
        import locale

        name = locale.windows_locale.get(_windows_language(), "")
        return "zh" if name.startswith("zh") else "en"
    return "en"


def _windows_language() -> int:
    import ctypes

    return int(ctypes.windll.kernel32.GetUserDefaultUILanguage())  # type: ignore[attr-defined]


def use(language: Language) -> None:
    """Make ``language`` the language of the interface."""
    texts = gettext.translation(DOMAIN, paths.resources() / "translations", [language], fallback=True)
    i18n.install(texts.gettext, language)
