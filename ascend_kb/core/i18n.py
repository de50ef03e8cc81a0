"""The translation call that every text of the interface passes through."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ascend_kb.core.language import Language

_state: dict[str, object] = {"translate": str, "language": "en"}


def install(translate: Callable[[str], str], language: Language) -> None:
    """Make ``translate`` answer all calls of ``tr`` from now on."""
    _state.update(translate=translate, language=language)


def tr(message: str, **values: object) -> str:
    """Return an English text of the interface in its language, with ``{name}`` replaced by ``values``."""
    translate: Callable[[str], str] = _state["translate"]  # type: ignore[assignment]
    translated = translate(message)
    return translated.format(**values) if values else translated


def current() -> Language:
    """Return the language of the interface."""
    return _state["language"]  # type: ignore[return-value]
