"""The arguments of the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Callable

# Stands before every word that followed `--`, so that none is taken for an option; no real argument can hold it.
_LITERAL = "\0"


class _Parser(argparse.ArgumentParser):
    """A parser whose faults are ``error:`` / ``hint:`` like all others."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise KBError(message.replace(_LITERAL, ""), f"see {self.prog} --help")


class _CommandParser(_Parser):
    """The parser of a command: words may stand before, between and after its options."""

    _inside = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._inside:
            return super().parse_known_args(args, namespace)
        self._inside = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._inside = False


def _word(text: str) -> str:
    return text.removeprefix(_LITERAL)


def _path(text: str) -> Path:
    return Path(_word(text))


def _limit(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number; allowed: 0 (all), 1, 2, ...")
    return int((text.lstrip("0") or "0")[:18])  # more than any number of cards, and still a number for SQLite


def _kb_option(parser: argparse.ArgumentParser, **more: object) -> None:
    parser.add_argument("--kb", metavar="FILE", type=_path, help="open this knowledge file", **more)  # type: ignore[arg-type]


def _window_options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "--version", action="store_true", help="print the versions of program, knowledge, Python, Qt, SQLite"
    )
    parser.add_argument("--exit-when-ready", action="store_true", help="open the window, print the time, and end")
    _kb_option(parser, default=None)
    parser.set_defaults(verb=None)
    return parser


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the arguments; the commands' parsers are made only where there is a command, since they take a while.

    Raises:
        KBError: the arguments are wrong.
        SystemExit: help was asked for and has been printed.
    """
    if "--" in arguments:
        end = arguments.index("--")
        arguments = arguments[:end] + [_LITERAL + word for word in arguments[end + 1 :]]
    options, rest = _window_options(_Parser(prog="ascend-kb", add_help=False)).parse_known_args(arguments)
    if not rest:
        return options
    options, unknown = _parser(rest[0]).parse_known_args(arguments)
    if unknown:
        raise KBError(
            f"unknown arguments: {' '.join(map(_word, unknown))}",
            f"see ascend-kb {options.verb} --help; words that begin with a dash stand behind --",
        )
    return options


def _parser(wanted: str = "") -> _Parser:
    """Return the parser with all commands, or with the one command ``wanted`` if there is such a command."""
    parser = _Parser(
        prog="ascend-kb",
        description="Find the card that explains an Ascend operator problem and copy its recipe. "
        "Without a command the window opens.",
        epilog="Exit status: 0 done or found, 1 nothing found, 2 the command could not do its work.",
    )
    _window_options(parser)
    verbs = parser.add_subparsers(dest="verb", metavar="COMMAND", parser_class=_CommandParser)
    for name, (text, describe) in _VERBS.items():
        if wanted == name or wanted not in _VERBS:
            sub = verbs.add_parser(name, help=text, description=text)
            _kb_option(sub, default=argparse.SUPPRESS)
            describe(sub)
    return parser


def _formats(sub: argparse.ArgumentParser, *formats: str) -> None:
    sub.add_argument("--format", choices=formats, default=formats[0])


def _language(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--lang", choices=("zh", "en"), default="zh", help="language of the knowledge")


def _search(sub: argparse.ArgumentParser) -> None:
    _formats(sub, "table", "json")
    _language(sub)
    sub.add_argument("text", nargs="*", type=_word, metavar="TEXT", help="words to find; -- ends the options")
    for option, text in (
        ("repo", "repository or its abbreviation"),
        ("tag", "tag, in Chinese or English"),
        ("hardware", "hardware"),
        ("outcome", "how the issue ended"),
        ("evidence", "how well the answer is backed"),
    ):
        more = {"action": "append", "default": [], "type": _word, "metavar": option[0].upper()}
        sub.add_argument(f"--{option}", **more, help=text + "; may repeat")  # type: ignore[arg-type]
    sub.add_argument("--limit", type=_limit, default=20, metavar="N", help="number of rows; 0 for all (default 20)")


def _show(sub: argparse.ArgumentParser) -> None:
    _formats(sub, "text", "markdown", "html", "json")
    _language(sub)
    sub.add_argument("key", type=_word, metavar="KEY", help="for example msopcom#57 or msc#57")


def _recipe(sub: argparse.ArgumentParser) -> None:
    _language(sub)
    sub.add_argument("keys", nargs="+", type=_word, metavar="KEY")
    sub.add_argument("--form", choices=("plain", "commands", "markdown", "html"), default="plain")


def _list(sub: argparse.ArgumentParser) -> None:
    _formats(sub, "table", "json")
    _language(sub)


def _build(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("source", type=_path, metavar="FOLDER")
    sub.add_argument("target", type=_path, metavar="OUT")


def _check(sub: argparse.ArgumentParser) -> None:
    _formats(sub, "table", "json")
    sub.add_argument("file", nargs="?", type=_path, metavar="FILE")


def _diagnose(sub: argparse.ArgumentParser) -> None:
    _formats(sub, "table", "json")
    _language(sub)
    sub.add_argument("file", nargs="?", type=_path, metavar="FILE", help="log; - or nothing: standard input")


def _evaluate(sub: argparse.ArgumentParser) -> None:
    _formats(sub, "table", "json")
    sub.add_argument("--mode", choices=("search", "diagnose"), default="search", help="what answers the questions")
    sub.add_argument("file", type=_path, metavar="FILE", help="lines of JSON")


def _synth(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("count", type=_limit, metavar="N", help="number of cards, 50 or more")
    sub.add_argument("target", type=_path, metavar="OUT")
    sub.add_argument("--seed", type=_limit, default=0, metavar="S", help="another seed makes other cards (default 0)")
    sub.add_argument(
        "--around", type=_path, metavar="FOLDER", help="sources whose cards are among them, or none; else the bundle's"
    )


_VERBS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "search": ("find cards", _search),
    "show": ("print a card", _show),
    "recipe": ("print the recipes of cards as the window copies them", _recipe),
    "diagnose": ("find the cards that explain a log", _diagnose),
    "repos": ("list the repositories", _list),
    "guide": ("list the troubleshooting guide", _list),
    "themes": ("list the themes", _list),
    "build": ("compile knowledge sources into a knowledge file", _build),
    "check": ("check a knowledge file", _check),
    "evaluate": ("measure search or diagnosis by questions with known answers", _evaluate),
    "synth": ("make a large knowledge file of made-up cards, for measuring", _synth),
}
