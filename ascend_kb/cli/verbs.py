"""What each command does; every function takes the parsed options and returns the exit status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ascend_kb.app.library import Library
from ascend_kb.cli.output import card_json, print_json, print_table
from ascend_kb.core.errors import KBError
from ascend_kb.core.query import Facet, SearchQuery
from ascend_kb.core.vocabulary import label

if TYPE_CHECKING:
    import argparse

    from ascend_kb.core.keys import CardKey

FOUND, NOT_FOUND = 0, 1


def search(options: argparse.Namespace) -> int:
    """Find cards."""
    library = Library(options.kb)
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
    if not rows or selection.refused:
        print("no card answers this" + ("; related reading above" if rows else ""), file=sys.stderr)
        return NOT_FOUND
    if len(rows) < selection.total:
        print(f"first {len(rows)} of {selection.total}", file=sys.stderr)
    return FOUND


def _missing(key: CardKey) -> int:
    print(f"error: there is no card {key}", file=sys.stderr)
    print("hint: ascend-kb search TEXT finds cards, ascend-kb repos lists the repositories", file=sys.stderr)
    return NOT_FOUND


def show(options: argparse.Namespace) -> int:
    """Print a card."""
    library = Library(options.kb)
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

    library = Library(options.kb)
    keys = [library.catalog.key(text) for text in options.keys]
    cards = [(key, library.card(key)) for key in keys]
    status = FOUND
    for key, card in cards:
        if card is None:
            status = _missing(key)
    form = Form(options.form)
    present = [card for _, card in cards if card is not None]
    text = library.recipes(present, form, options.lang)
    sys.stdout.write(text)
    if form is Form.COMMANDS and present and not text:
        print("error: the recipe holds no commands", file=sys.stderr)
        print("hint: leave --form out to print its steps", file=sys.stderr)
        status = NOT_FOUND
    return status


def repos(options: argparse.Namespace) -> int:
    """List the repositories."""
    found = Library(options.kb).catalog.repos
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
    entries = Library(options.kb).guide()
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
    found = Library(options.kb).themes()
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
