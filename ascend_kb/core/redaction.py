"""Masking what a log tells about its owner: paths, hosts, addresses, user names, secrets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ascend_kb.core.logtext import chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# Folders that every machine has: they say where an installation is, not whose.
_PUBLIC = (
    "/usr/local/Ascend", "/usr/lib", "/usr/bin", "/usr/include", "/lib", "/lib64", "/opt/Ascend", "/dev/davinci",
    "/proc", "/sys",
)  # fmt: skip
_MASKS = re.compile(
    r"""
    (?P<secret>(?i:\b(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|authorization|bearer|cookie)\b
       ["']?\s{0,3}[:=\s]\s{0,3}["']?(?:bearer\s)?)[^\s"',;&]{3,200}
      |\b(?:gh[pousr]_|hf_|sk-|AKIA|glpat-|xox[bap]-)[A-Za-z0-9_-]{8,120}
      |\beyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{4,800}(?:\.[A-Za-z0-9_-]{0,400})?)
  | (?P<url>\b[a-z][a-z0-9+.-]{1,12}://[^\s"'<>，。）)]{1,400})
  | (?P<email>[^\s@<>"'(),:;\[\]]{1,64}@[A-Za-z0-9-]{1,64}(?:\.[A-Za-z0-9-]{1,64})+)
  | (?P<prompt>\[?[A-Za-z_][\w.-]{0,40}@[\w.-]{1,80}(?=[:\s~/\]]))
  | (?P<mac>\b[0-9a-fA-F]{2}(?:[:-][0-9a-fA-F]{2}){5}\b)
  | (?P<ipv6>(?<![\w:.])(?:[0-9a-fA-F]{1,4}:){2,7}(?::?[0-9a-fA-F]{1,4}){1,7}(?![\w:])
      |(?<![\w:])(?:[0-9a-fA-F]{1,4}:){0,6}:(?::?[0-9a-fA-F]{1,4}){1,6}(?![\w:])
      |(?<![\w:])(?:[0-9a-fA-F]{1,4}:){1,7}:(?![\w:]))
  | (?P<ip>(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]))
  | (?P<windows>\b[A-Za-z]:\\[^\s"'<>|:*?，。]{1,300})
  | (?P<path>(?<![\w./~<])~?/[\w.@+~-][^\s"'<>|:;,，。()（）\[\]]{0,300})
  | (?P<host>(?<![\w.@/-])(?:[A-Za-z0-9-]{1,40}\.){1,4}(?:local|internal|lan|corp|intra|cluster|svc|com|cn|net|org|io)
       \b(?![\w(/-]))
  | (?P<user>(?i:\b(?:user(?:name)?|owner|login|uid|host(?:name)?|node(?:name)?)\b["']?\s{0,2}[:=]
       \s{0,2}["']?)[A-Za-z0-9_.-]{2,64})
    """,
    re.VERBOSE,
)
_LEAD = re.compile(r"^(.*?[:=\s][\s\"']*(?:bearer\s)?)(?=\S+$)", re.IGNORECASE | re.DOTALL)
# Names that stand in a path or a prompt are masked wherever else they stand.
_OWNERS = re.compile(
    r"(?:/home/|/Users/|\\Users\\)([\w.-]{3,40})|(?<![\w.@-])([A-Za-z_][\w.-]{2,40})@[\w.-]{1,80}(?=[:\s~/])"
)
_NOBODY = frozenset(
    {"root", "admin", "administrator", "user", "users", "ubuntu", "public", "shared", "default", "test", "work", "data",
     "ma-user"}
)  # fmt: skip
_TIME = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?$")


def redact(text: str, names: Iterable[str] = ()) -> str:
    """Return a text with private data replaced by ``<path>``, ``<host>``, ``<user>`` and the like.

    ``names`` are user names to mask besides those that the text itself gives away. The last part of a path stays, since
    the name of a file or program tells what runs; so do installation folders.
    """
    masked = "".join(
        _MASKS.sub(lambda found: _MASKERS[str(found.lastgroup)](found.group()), piece) for piece in chunks(text)
    )
    for name in (*names, *owners(text)):
        masked = re.sub(rf"(?<![\w<]){re.escape(name)}(?![\w>])", "<user>", masked)
    return masked


def owners(text: str) -> list[str]:
    """Return the user names that paths and prompts of a text give away, at most 20."""
    names: dict[str, None] = {}
    for piece in chunks(text):
        for found in _OWNERS.finditer(piece):
            name = found[1] or found[2]
            if name.lower() not in _NOBODY and len(names) < 20:
                names.setdefault(name)
    return list(names)


def _keep_lead(text: str, mask: str) -> str:
    lead = _LEAD.match(text)
    return (lead.group(1) if lead else "") + mask


def _path(text: str) -> str:
    if text.startswith(_PUBLIC):
        return text
    folder, sign, name = text.rpartition("/")
    if not folder.strip("~/"):
        return text if text.count("/") == 1 and not text.startswith("~") else f"<path>{sign}{name}"
    return f"<path>/{name}" if "." in name and not name.startswith(".") else "<path>"


def _windows(text: str) -> str:
    name = text.rpartition("\\")[2]
    return f"<path>\\{name}" if "." in name else "<path>"


def _url(text: str) -> str:
    scheme, _, rest = text.partition("://")
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if re.fullmatch(
        r"(?:[\w-]+\.)?(?:gitcode\.com|github\.com|gitee\.com|hiascend\.com|pytorch\.org|python\.org)", host
    ):
        return f"{scheme}://{rest.partition('?')[0]}"
    return f"{scheme}://<host>"


def _ipv6(text: str) -> str:
    return text if _TIME.fullmatch(text) or not re.search(r"[a-fA-F]|::", text) else "<ip>"


_MASKERS: dict[str, Callable[[str], str]] = {
    "secret": lambda text: _keep_lead(text, "<secret>"),
    "url": _url,
    "email": lambda _: "<email>",
    "prompt": lambda text: ("[" if text.startswith("[") else "") + "<user>@<host>",
    "mac": lambda _: "<mac>",
    "ipv6": _ipv6,
    "ip": lambda _: "<ip>",
    "windows": _windows,
    "path": _path,
    "host": lambda _: "<host>",
    "user": lambda text: _keep_lead(text, "<user>"),
}
