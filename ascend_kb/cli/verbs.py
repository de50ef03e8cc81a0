"""What each command does; every function takes the parsed options and returns the exit status."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ascend_kb.app.library import Library
from ascend_kb.cli.output import card_json, print_json, print_table
from ascend_kb.core.errors import KBError
from ascend_kb.core.query import Facet, SearchQuery
from ascend_kb.core.vocabulary import label

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from ascend_kb.core.keys import CardKey

FOUND, NOT_FOUND = 0, 1


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[Library]:
    """Open the knowledge file that the options name, and say so where it could not be read in place."""
    library = Library(options.kb)
    try:
        if library.notice:
            print(f"notice: {library.notice}", file=sys.stderr)
        yield library
    finally:
        library.close()


def _note(text: str) -> None:
    sys.stdout.flush()  # what the note is about stands before it
    print(text, file=sys.stderr)


def version(options: argparse.Namespace) -> int:
    """Print the versions of everything."""
    from ascend_kb.app.about import versions

    with _opened(options) as library:
        print("\n".join(versions(library)))
    return FOUND


def search(options: argparse.Namespace) -> int:
    """Find cards."""
    with _opened(options) as library:
        return _search(library, options)


def _search(library: Library, options: argparse.Namespace) -> int:
    filters = tuple(
        library.catalog.filter(facet, value)
        for facet in (Facet.REPO, Facet.TAG, Facet.HARDWARE, Facet.OUTCOME, Facet.EVIDENCE)
        for value in getattr(options, facet.value)
    )
    query = SearchQuery(" ".join(options.text), tuple(dict.fromkeys(filters)))
    if query.is_empty:
        raise KBError("nothing to search for", "name words to find, or a filter such as --repo msopcom")
    selection = library.select(query, language=options.lang)
    rows = selection.rows(0, options.limit or selection.total)
    if options.format == "json":
        print_json(
            [
                {
                    "key": str(row.key), "title": row.title.get(options.lang), "repo": row.key.repo,
                    "outcome": row.outcome.value, "evidence": row.evidence.value, "score": row.score,
                    "match": row.match.value, **({"related": True} if row.related else {}),
                }
                for row in rows
            ]
        )  # fmt: skip
    elif rows:
        print_table(
            [
                [str(row.key), label(row.outcome).get(options.lang), label(row.evidence).get(options.lang),
                 row.latest_change or "-", row.title.get(options.lang)]
                for row in rows
            ]
        )  # fmt: skip
    if len(rows) < selection.total:
        _note(f"first {len(rows)} of {selection.total}")
    if not rows or selection.refused:
        _note("no card answers this" + ("; related reading above" if rows else ""))
        return NOT_FOUND
    return FOUND


def _missing(key: CardKey) -> int:
    _note(f"error: there is no card {key}")
    _note("hint: ascend-kb search TEXT finds cards, ascend-kb repos lists the repositories")
    return NOT_FOUND


def show(options: argparse.Namespace) -> int:
    """Print a card."""
    with _opened(options) as library:
        key = library.catalog.key(options.key)
        card = library.card(key)
        if card is None:
            return _missing(key)
        if options.format == "json":
            print_json(card_json(card, library.catalog, options.lang))
            return FOUND
        markdown = library.markdown(card, options.lang)
        if options.format == "markdown":
            sys.stdout.write(markdown)
            return FOUND
        from ascend_kb.core.markdown import render
        from ascend_kb.core.plaintext import plain_text
        from ascend_kb.core.recipe import portable

        html = render(markdown, library.links(options.lang, card), options.lang)
        sys.stdout.write(plain_text(html) if options.format == "text" else portable(html) + "\n")
    return FOUND


def recipe(options: argparse.Namespace) -> int:
    """Print recipes."""
    from ascend_kb.core.recipe import Form

    with _opened(options) as library:
        keys = [library.catalog.key(text) for text in options.keys]
        cards = [(key, library.card(key)) for key in keys]
        form = Form(options.form)
        present = [card for _, card in cards if card is not None]
        text = library.recipes(present, form, options.lang)
    sys.stdout.write(text)
    status = FOUND
    for key, card in cards:
        if card is None:
            status = _missing(key)
    if form is Form.COMMANDS and present and not text:
        _note("error: the recipe holds no commands")
        _note("hint: leave --form out to print its steps")
        status = NOT_FOUND
    return status


def diagnose(options: argparse.Namespace) -> int:
    """Find the cards that explain a log."""
    from ascend_kb.cli.diagnose import diagnose as diagnose_log

    with _opened(options) as library:
        found = diagnose_log(library, options.file, options.format, options.lang)
    return FOUND if found.band.answers else NOT_FOUND


def evaluate(options: argparse.Namespace) -> int:
    """Measure search or diagnosis by questions with known answers."""
    from ascend_kb.cli.evaluate import evaluate as evaluate_file

    with _opened(options) as library:
        evaluate_file(library, options.file, options.mode, options.format)
    return FOUND


def repos(options: argparse.Namespace) -> int:
    """List the repositories."""
    with _opened(options) as library:
        found = library.catalog.repos
    if options.format == "json":
        print_json(
            [
                {"name": r.name, "abbreviation": r.abbreviation, "title": r.title.get(options.lang),
                 "purpose": r.purpose.get(options.lang), "cards": r.cards, "owner": r.owner}
                for r in found
            ]
        )  # fmt: skip
    else:
        print_table([[r.name, r.abbreviation, str(r.cards), r.title.get(options.lang)] for r in found])
    return FOUND


def guide(options: argparse.Namespace) -> int:
    """List the troubleshooting guide."""
    with _opened(options) as library:
        entries = library.guide()
    if options.format == "json":
        print_json(
            [
                {"id": e.id, "symptom": e.symptom.get(options.lang), "first_action": e.first_action.get(options.lang),
                 "cards": [str(key) for key in e.cards]}
                for e in entries
            ]
        )  # fmt: skip
    else:
        for entry in entries:
            print(f"{entry.symptom.get(options.lang)}\n  -> {entry.first_action.get(options.lang)}")
            print("     " + ", ".join(map(str, entry.cards)))
    return FOUND


def themes(options: argparse.Namespace) -> int:
    """List the themes."""
    with _opened(options) as library:
        found = library.themes()
    if options.format == "json":
        print_json(
            [
                {"id": t.id, "title": t.title.get(options.lang), "summary": t.summary.get(options.lang),
                 "cards": [str(key) for key in t.cards]}
                for t in found
            ]
        )  # fmt: skip
    else:
        print_table([[t.id, str(len(t.cards)), t.title.get(options.lang)] for t in found])
    return FOUND


def build(options: argparse.Namespace) -> int:
    """Compile knowledge sources."""
    from ascend_kb.app.building import build as compile_folder

    changed = compile_folder(options.source, options.target)
    print(f"{options.target}: " + ("built" if changed else "unchanged, it holds the same already"))
    return FOUND


def check(options: argparse.Namespace) -> int:
    """Check a knowledge file."""
    from ascend_kb.app.checking import check as check_file

    problems = check_file(options.file or options.kb)
    if options.format == "json":
        print_json({"ok": not problems, "problems": [{"where": where, "what": what} for where, what in problems]})
    elif problems:
        print_table([[where, what] for where, what in problems])
    else:
        print("ok")
    return NOT_FOUND if problems else FOUND


def synth(options: argparse.Namespace) -> int:
    """Make a large knowledge file of made-up cards."""
    from ascend_kb.app.synthesis import NONE, synthesize
    from ascend_kb.cli.output import Progress

    around = NONE if str(options.around) == NONE else options.around
    with Progress("cards") as progress:
        synthesize(options.count, options.target, options.seed, around, progress.show)
    print(f"{options.target}: {options.count} cards")
    return FOUND
