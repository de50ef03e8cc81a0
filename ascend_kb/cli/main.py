"""Arguments, exit status and the one door for errors of the command line."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ascend_kb.core.errors import KBError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOUND, NOT_FOUND, FAILED = 0, 1, 2


class _Parser(argparse.ArgumentParser):
    """A parser whose faults are ``error:`` / ``hint:`` like all others."""

    def error(self, message: str) -> NoReturn:
        raise KBError(message, f"see {self.prog} --help")


def _limit(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number; allowed: 0 (all), 1, 2, ...")
    return int(text)


def _kb_option(parser: argparse.ArgumentParser, **more: object) -> None:
    parser.add_argument("--kb", metavar="FILE", type=Path, help="open this knowledge file", **more)  # type: ignore[arg-type]


def _parser() -> _Parser:
    parser = _Parser(
        prog="ascend-kb",
        description="Find the card that explains an Ascend operator problem and copy its recipe. "
        "Without a command the window opens.",
        epilog="Exit status: 0 done or found, 1 nothing found, 2 the command could not do its work.",
    )
    parser.add_argument(
        "--version", action="store_true", help="print the versions of program, knowledge, Python, Qt, SQLite"
    )
    parser.add_argument("--exit-when-ready", action="store_true", help="open the window, print the time, and end")
    _kb_option(parser, default=None)
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


def run(arguments: list[str], open_window: Callable[[Path | None, bool], int]) -> int:
    """Run the command line and return the exit status.

    ``open_window`` takes the knowledge file (None for the usual one) and whether to end as soon as it is painted.
    """
    _use_utf8()
    try:
        return _run(arguments, open_window)
    except KBError as error:
        print(f"error: {error.message}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        return FAILED


def _run(arguments: list[str], open_window: Callable[[Path | None, bool], int]) -> int:
    options = _parser().parse_args(arguments)
    if options.version:
        from ascend_kb.app.about import versions
        from ascend_kb.app.library import Library

        print("\n".join(versions(Library(options.kb))))
        status = FOUND
    elif options.verb is None:
        status = open_window(options.kb, options.exit_when_ready)
    else:
        from ascend_kb.cli import verbs

        status = getattr(verbs, options.verb)(options)
    sys.stdout.flush()
    return int(status)


def _use_utf8() -> None:
    """Write UTF-8 and the exact bytes, whatever the locale and platform."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace", newline="\n")
