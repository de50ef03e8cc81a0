"""The searches that were made before, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 30
LONGEST = 300  # characters; a pasted log is no search to come back to


def noted(recent: Sequence[str], text: str) -> list[str]:
    """Return the searches with a new one in front. One that is only a longer form of the last takes its place."""
    text = text.strip()
    if not text or len(text) > LONGEST:
        return list(recent)
    kept = [other for other in recent if other != text]
    if kept and text.startswith(kept[0]):
        del kept[0]
    return [text, *kept][:MOST]
