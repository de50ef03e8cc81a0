"""The arguments of the command line."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Sequence


class _Parser(argparse.ArgumentParser):
    """A parser whose faults are ``error:`` / ``hint:`` like all others."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        raise KBError(message, f"see {self.prog} --help")


def _limit(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number; allowed: 0 (all), 1, 2, ...")
    return int(text)


def _kb_option(parser: argparse.ArgumentParser, **more: object) -> None:
    parser.add_argument("--kb", metavar="FILE", type=Path, help="open this knowledge file", **more)  # type: ignore[arg-type]


def _window_options(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    parser.add_argument(
        "--version", action="store_true", help="print the versions of program, knowledge, Python, Qt, SQLite"
    )
    parser.add_argument("--exit-when-ready", action="store_true", help="open the window, print the time, and end")
    _kb_option(parser, default=None)
    parser.set_defaults(verb=None)
    return parser


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the arguments; the commands' parsers are made only where there is a command, since they take a while."""
    options, rest = _window_options(_Parser(prog="ascend-kb", add_help=False)).parse_known_args(arguments)
    return _parser().parse_args(arguments) if rest else options


def _parser() -> _Parser:
    parser = _Parser(
        prog="ascend-kb",
        description="Find the card that explains an Ascend operator problem and copy its recipe. "
        "Without a command the window opens.",
        epilog="Exit status: 0 done or found, 1 nothing found, 2 the command could not do its work.",
    )
    _window_options(parser)
    verbs = parser.add_subparsers(dest="verb", metavar="COMMAND", parser_class=_Parser)

    def verb(name: str, text: str, formats: Sequence[str] = (), *, lang: bool = False) -> argparse.ArgumentParser:
        sub = verbs.add_parser(name, help=text, description=text)
        _kb_option(sub, default=argparse.SUPPRESS)
        if formats:
            sub.add_argument("--format", choices=formats, default=formats[0])
        if lang:
            sub.add_argument("--lang", choices=("zh", "en"), default="zh", help="language of the knowledge")
        return sub

    search = verb("search", "find cards", ("table", "json"), lang=True)
    search.add_argument("text", nargs="*", metavar="TEXT", help="words to find; -- ends the options")
    for option, text in (
        ("repo", "repository or its abbreviation"),
        ("tag", "tag, in Chinese or English"),
        ("hardware", "hardware"),
        ("outcome", "how the issue ended"),
        ("evidence", "how well the answer is backed"),
    ):
        search.add_argument(
            f"--{option}", action="append", default=[], metavar=option[0].upper(), help=text + "; may repeat"
        )
    search.add_argument("--limit", type=_limit, default=20, metavar="N", help="number of rows; 0 for all (default 20)")
    show = verb("show", "print a card", ("text", "markdown", "html", "json"), lang=True)
    show.add_argument("key", metavar="KEY", help="for example msopcom#57 or msc#57")
    recipe = verb("recipe", "print the recipes of cards as the window copies them", lang=True)
    recipe.add_argument("keys", nargs="+", metavar="KEY")
    recipe.add_argument("--form", choices=("plain", "commands", "markdown", "html"), default="plain")
    verb("repos", "list the repositories", ("table", "json"), lang=True)
    verb("guide", "list the troubleshooting guide", ("table", "json"), lang=True)
    verb("themes", "list the themes", ("table", "json"), lang=True)
    build = verb("build", "compile knowledge sources into a knowledge file")
    build.add_argument("source", type=Path, metavar="FOLDER")
    build.add_argument("target", type=Path, metavar="OUT")
    check = verb("check", "check a knowledge file", ("table", "json"))
    check.add_argument("file", nargs="?", type=Path, metavar="FILE")
    return parser
