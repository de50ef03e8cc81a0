"""What a line says, cut into terms that cards can be asked for, each with how much it tells by its form alone."""

from __future__ import annotations

import re
from typing import NamedTuple

from ascend_kb.core.text import atoms, searchable

MOST_TERMS = 60  # of one line


class Term(NamedTuple):
    """A term: ``word`` as it is written in the index, ``others`` further spellings of it.

    ``prefix`` says that words which only begin with it count too. ``tells`` is 0 to 1.6: names tell more than words,
    words that stand in every log tell little. ``spelled`` is a name as the log writes it, else empty.
    """

    word: str
    others: tuple[str, ...] = ()
    prefix: bool = False
    tells: float = 1.0
    spelled: str = ""

    @property
    def is_name(self) -> bool:
        """Whether the term names something: an interface, an operator, an option."""
        return bool(self.spelled)


_STOP = frozenset(
    {
        "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "without", "and", "or", "is",
        "are", "was", "were", "be", "been", "being", "it", "its", "this", "that", "these", "those", "as", "than",
        "then", "so", "but", "if", "not", "no", "yes", "do", "does", "did", "done", "has", "have", "had", "can",
        "could", "may", "might", "will", "would", "should", "shall", "must", "we", "you", "he", "she", "they",
        "our", "my", "me", "your", "their", "his", "her", "us", "them", "there", "here", "what", "which", "who",
        "when", "where", "why", "how", "any", "all", "both", "each", "more", "most", "some", "such", "only", "own",
        "same", "too", "very", "just", "also", "into", "out", "up", "down", "over", "under", "again", "once",
        "after", "before", "between", "during", "about", "against", "because", "until", "while", "off", "please",
        "thanks", "thank", "ok", "via", "per", "vs", "etc", "get", "got", "use", "used", "using",
    }
)  # fmt: skip
_GENERIC = frozenset(
    {
        "error", "errors", "fail", "failed", "fails", "failure", "warn", "warning", "info", "debug", "ret",
        "return", "code", "call", "called", "run", "running", "start", "end", "line", "file", "data", "size",
        "value", "values", "input", "output", "name", "path", "dir", "mode", "type", "time", "device", "kernel",
        "op", "operator", "function", "module", "python", "torch", "npu", "ascend", "log", "message", "result",
        "results", "test", "case", "cases", "check", "found", "exception", "runtime", "rank", "process", "step",
        "version", "number", "set", "new", "one", "two", "first", "second", "last", "main", "index", "host",
        "memory", "load", "loaded", "init", "config", "default", "build", "target", "int", "float", "bool", "str",
        "none", "true", "false", "null", "tensor", "self", "args", "import", "print", "package", "require",
        "required", "support", "supported", "expected", "got", "received", "detail", "details", "node", "model",
        "graph", "tool", "report", "task", "list", "id", "user", "left", "right", "read", "write", "open", "close",
        "create", "created", "usr", "local", "opt", "home", "work", "site", "torch_npu", "lib", "lib64",
        "cann", "bin", "aten", "cpu", "gpu", "program", "exit", "skip", "skipped", "reason", "given", "batch",
        "shape", "need", "needs",
    }
)  # fmt: skip
_USUAL = frozenset(
    {
        "segmentation", "fault", "sigsegv", "sigabrt", "permission", "denied", "timeout", "connection", "refused",
        "conflict", "allocated", "allocate", "named", "directory", "abort", "aborted", "core", "dumped", "address",
        "invalid", "illegal", "warnings", "machine", "server", "client",
    }
)  # fmt: skip
_ADDRESS = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]*\d[0-9a-f]*(?<=[0-9a-f]{10})\b", re.IGNORECASE)
_AMOUNT = re.compile(r"(?<![\w.])(\d{1,4}) ?([gmk])(?:i?b)?(?![a-z])", re.IGNORECASE)
_VERSION = re.compile(r"\d+(?:\.\w+)+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SUFFIX = re.compile(r"(?:ations?|ments?|ings?|ed|ers?|ions?|ness|ly|es|s|e|able|ive|al)$")
_VERSIONED = re.compile(r"v\d$")


def stem(word: str) -> str:
    """Return the beginning that an English word shares with its other forms; at least four letters of it."""
    cut = _SUFFIX.sub("", word)
    if len(cut) < 4:
        return word
    if len(cut) > 4 and cut[-1] == cut[-2]:
        cut = cut[:-1]
    return cut


def terms(text: str) -> list[Term]:
    """Return the distinct terms of a line, in order."""
    text = _VERSION.sub(" ", _ADDRESS.sub(" ", text))
    found: dict[str, Term] = {}
    for number, unit in _AMOUNT.findall(text):
        size = f"{number}{unit.lower()}"
        found.setdefault(size, Term(size, (f"{size}b", f"{size}ib"), tells=0.9))
    spelled = {name.lower(): name for name in _NAME.findall(text)}
    pieces = list(atoms(searchable(text)))
    for i, (kind, atom) in enumerate(pieces):
        if kind == "cjk" and i + 1 < len(pieces) and pieces[i + 1][0] == "cjk":
            pair = atom + pieces[i + 1][1]
            found.setdefault(pair, Term(pair, tells=0.55))
        elif kind == "word" and (term := _of_word(atom, spelled.get(atom, atom))) is not None:
            found.setdefault(term.word, term)
        if len(found) >= MOST_TERMS:
            break
    return list(found.values())


def _of_word(word: str, spelled: str) -> Term | None:
    if len(word) < 2 or word in _STOP or word.isdigit():
        return None
    if word.endswith(("error", "exception")) and spelled[0].isupper():
        return Term(word, tells=0.3)
    parts = [part.lower() for part in _CAMEL.findall(spelled)]
    is_name = "_" in word.strip("_") or (len(parts) > 1 and spelled != spelled.lower()) or word[:4] == "acln"
    if is_name and len(word) >= 5:
        others = [v for v in ("_".join(parts), word.replace("_", "")) if v != word]
        bare = _VERSIONED.sub("", word)
        return Term(
            word, tuple(dict.fromkeys([*others, *([bare] if bare != word else [])])), len(word) >= 8, 1.6, spelled
        )
    if word in _GENERIC:
        return Term(word, tells=0.3)
    if len(word) == 2 or not word.isalpha():
        return Term(word, tells=0.5 if len(word) == 2 else 0.9)
    beginning = stem(word)
    return Term(beginning, (word,) if word != beginning else (), len(beginning) >= 4, 0.5 if word in _USUAL else 1.0)


def parts(name: str) -> list[str]:
    """Return the words that a name is made of: those of four letters and more."""
    return [part.lower() for part in _CAMEL.findall(name) if len(part) >= 4 and part.isalpha()]
