"""Account names out of texts: a person is named by what they do, never by ``@name``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ascend_kb.core.language import Language

_NAMED = re.compile(
    r"(?P<code>```.*?(?:```|\Z)|`[^`\n]{1,2000}`)|(?P<line>^[ \t]*@\w{1,60}[ \t]*$(?=\n[ \t]*(?:@|def|class|async)))"
    r"|(?<![\w.@/])@(?P<name>[A-Za-z0-9][A-Za-z0-9_-]{0,60})(?![\w(/]|\.\w)",
    re.DOTALL | re.MULTILINE | re.ASCII,
)
_LANGUAGE = frozenset(
    (
        "property", "staticmethod", "classmethod", "dataclass", "override", "abstractmethod", "param", "return",
        "returns", "throws", "deprecated", "pytest", "jit", "kernel", "autotune", "torch", "triton", "media", "import",
        "charset", "keyframes", "font-face",
    )
)  # fmt: skip
ROLES: Mapping[str, tuple[str, str]] = {
    "reporter": ("提问者", "the reporter"),
    "maintainer": ("维护者", "a maintainer"),
    "user": ("用户", "a user"),
}


def without_names(text: str, language: Language, roles: Mapping[str, str] | None = None) -> str:
    """Return a text with each ``@name`` outside of code replaced by a role; ``roles`` holds those of known names."""
    if "@" not in text:
        return text
    known = roles or {}

    def replaced(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None or name.lower() in _LANGUAGE:
            return found[0]
        return ROLES[known.get(name.lower(), "user")][language == "en"]

    return _NAMED.sub(replaced, text)
