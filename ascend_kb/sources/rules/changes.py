"""Changes (pull requests) that an answer names, with merge date, state, branch, relation and role."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from ascend_kb.core.card import Change
from ascend_kb.core.vocabulary import ChangeState, Relation, Role
from ascend_kb.sources.rules.dates import Date, dates

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_CHANGES = 200
MOST_SPAN = 400  # characters after a change that may be about it
_NUMBER = r"[1-9][0-9]{0,9}"
_WORD = r"[A-Za-z][\w.-]{0,60}"
_REF = re.compile(
    rf"https?://[^/\s]{{1,100}}/(?P<url_repo>{_WORD}/{_WORD})/(?:-/)?(?:pulls?|merge_requests)/(?P<url>{_NUMBER})"
    rf"|(?:(?<![\w./-])(?P<path>{_WORD}(?:/{_WORD})?)[ ]?)?(?<![!！=\w])(?:(?:PR|MR)[ ]?)?"
    rf"[!！](?P<number>{_NUMBER})(?![\w.])"
    rf"|(?<![\w./-])(?:PR|MR)[ ]?[#]?(?P<bare>[1-9][0-9]{{1,9}})(?![\w.%])",
    re.ASCII,
)
_RUN = re.compile(r"[ -~！]{2,}")  # where a reference can be
_SIGNS = re.compile(r"[!！]|PR|MR|://")
_BRANCH_WORD = r"(?:master|main|develop|[\w.-]{0,30}[0-9]+(?:\.[0-9]+){1,3})"
_NOTE = re.compile(rf"[ ]?[（(](?P<branch>{_BRANCH_WORD})(?:分支)?[)）]", re.ASCII)
_SEPARATOR = re.compile(r"[ ]?(?:[/、,，与和及&]|and)?[ ]?")
_BRANCH = re.compile(
    rf"(?:合入|合并到|合并至|into|为|同步到)[ ]?(?P<in>{_BRANCH_WORD})|(?P<of>{_BRANCH_WORD})(?:分支|同步|[ ]branch)",
    re.ASCII,
)
_BRANCHES = re.compile(rf"[ ]?[（(](?P<one>{_BRANCH_WORD})(?:与|和|/|、)(?P<two>{_BRANCH_WORD})[)）]", re.ASCII)
_MERGED = re.compile(r"合入|合并|双合|merged", re.IGNORECASE)
_NOT_MERGED = re.compile(r"未合入|未合并|没有合入|not merged|unmerged", re.IGNORECASE)
_CLOSED = re.compile(r"被关闭|已关闭|关闭后由|被替代|superseded|was closed", re.IGNORECASE)
_AFTER_DATE = re.compile(r"\s?(?:日)?(?:当日)?(?:双分支)?(?:[^，。；;、（）()]{0,4})?(?:合入|合并|merged)")
_BEFORE_DATE = re.compile(r"(?:合入|合并|merged)[^，。；;!]{0,24}[（(于 ]\s?\Z")
_AT_ONCE = re.compile(r"[ ]?[（(]\Z")
_EXPLICIT = re.compile(
    r"(?<!未)(?<!无)显式(?:关联|引用|链接)|正文(?:链接|标注|引用)|(?<!not )\bexplicitly (?:cites|links)"
)
_INFERRED = re.compile(r"推断|未显式|无显式|inferred")
_OFFICIAL = re.compile(r"官方|维护者|评审|Owner|maintainer", re.IGNORECASE)
_FOLLOW_UP = re.compile(r"后续|再次?修|follow-?up", re.IGNORECASE)
_THEN = re.compile(r"[ ]?(?:[（(][^（）()]{0,30}[)）])?[ ]?(?:后续|再次?修)")
_RANGE = ("至", "到", "~", "-", "—", "–")
_SUPERSEDED = re.compile(r"首版|自发|first version", re.IGNORECASE)
_BACKPORT = re.compile(r"同步|backport|cherry-?pick|双分支|移植", re.IGNORECASE)
_DOCS = re.compile(r"文档|资料|README|指南|\bdocs?\b", re.IGNORECASE)
_TITLE = re.compile(r"[ ]?(?:[《『「“]([^》』」”\n]{3,200})[》』」”]|\"([^\"\n]{3,200})\"|标题'([^'\n]{3,200})')")


class _Ref(NamedTuple):
    start: int
    end: int
    repo: str  # owner/name, or "" for the card's own
    number: int
    is_bare: bool
    branch: str


class Context(NamedTuple):
    """What reading changes needs to know: the card's ``owner/name``, what names of repositories mean, the year."""

    repo: str
    resolve: Callable[[str], str]  # a name or path into owner/name, or ""
    year: int = 0
    is_docs: bool = False


class _Said(NamedTuple):
    """What the whole answer says."""

    context: Context
    dates: list[Date]
    relation: Relation


def read_changes(text: str, context: Context) -> tuple[Change, ...]:
    """Return the changes of an answer in order, each once."""
    if "!" not in text and "！" not in text and "PR" not in text and "MR" not in text and "://" not in text:
        return ()
    refs = _references(text, context)
    said = _Said(context, dates(text, context.year), _relation_of_others(text))
    found: dict[tuple[str, int], Change] = {}
    groups = _groups(text, refs)
    for index, group in enumerate(groups):
        end = groups[index + 1][0].start if index + 1 < len(groups) else len(text)
        start = groups[index - 1][-1].end if index else 0
        for change in _group_changes(text, group, (start, end), said):
            known = found.get((change.repo, change.number))
            found[change.repo, change.number] = change if known is None else _joined(known, change)
    return tuple(found.values())


def _references(text: str, context: Context) -> list[_Ref]:
    refs: list[_Ref] = []
    runs = [run.span() for run in _RUN.finditer(text) if _SIGNS.search(run[0])]
    for match in (match for span in runs for match in _REF.finditer(text, *span)):
        if len(refs) >= MOST_CHANGES:
            break
        number = match["url"] or match["number"] or match["bare"]
        path = match["url_repo"] or match["path"] or ""
        repo = path if match["url_repo"] or "/" in path else context.resolve(path) if path else ""
        start, end = match.start(), match.end()
        if path and not repo:
            start += len(path)
        note = _NOTE.match(text, end)
        branch = note["branch"] if note else ""
        refs.append(_Ref(start, note.end() if note else end, repo, int(number), match["bare"] is not None, branch))
    return refs


def _groups(text: str, refs: list[_Ref]) -> list[list[_Ref]]:
    """Put references together that only signs stand between: what follows the last is said of all."""
    groups: list[list[_Ref]] = []
    for ref in refs:
        before = groups[-1][-1] if groups else None
        if before is not None and ref.start - before.end <= 6 and _SEPARATOR.fullmatch(text[before.end : ref.start]):
            groups[-1].append(ref)
        else:
            groups.append([ref])
    return groups


def _group_changes(text: str, group: list[_Ref], bounds: tuple[int, int], said: _Said) -> list[Change]:
    """Return the changes of one group; ``bounds`` is where its neighbours end and begin."""
    first, last = group[0], group[-1]
    stop = min((at for mark in "。\n" if (at := text.find(mark, last.end, bounds[1])) >= 0), default=bounds[1])
    span = text[last.end : min(stop, last.end + MOST_SPAN)]
    lead = re.split(r"[。；;\n]", text[max(bounds[0], first.start - 60) : first.start])[-1]
    merged = _merge_dates(text, last.end, last.end + len(span), said.dates, lead)
    names = _branches(span, group)
    title = _TITLE.match(span) if len(group) == 1 else None
    state = _state(span, lead, bool(merged))
    changes = []
    for index, ref in enumerate(group):
        if ref.is_bare and state is ChangeState.UNKNOWN:
            continue  # "PR 183" in passing is a mention
        day = merged[min(index, len(merged) - 1)] if merged else None
        if len(merged) == 2 and 0 < index < len(group) - 1:
            day = None  # a range: nothing is known of those in the middle
        repo = ref.repo or said.context.repo
        role = _role(state, span, lead, names[index], is_docs=said.context.is_docs, is_first=not index)
        change = Change(
            repo=repo,
            number=ref.number,
            state=state,
            relation=Relation.EXPLICIT if _EXPLICIT.search(span) else said.relation,
            role=role if repo == said.context.repo else Role.UPSTREAM,
            branch=names[index],
            date=day.day if day else "",
            date_derived=day.derived if day else False,
            title=next(filter(None, title.groups()), "") if title else "",
        )
        changes.append(change)
    return changes


def _merge_dates(text: str, start: int, end: int, found: list[Date], lead: str) -> list[Date]:
    """Return the merge date of a group as a list: none, one, or the two ends of a range."""
    at = bisect_left(found, (start,))
    inside = found[at : bisect_left(found, (end,))]
    for index, day in enumerate(inside):
        before = text[max(start, day.start - 30) : day.start]
        after = inside[index + 1] if index + 1 < len(inside) else None
        if after is not None and text[day.end : after.start].strip() in _RANGE and _AFTER_DATE.match(text, after.end):
            return [day, after]
        if _NOT_MERGED.match(text, day.end):
            continue
        if _AFTER_DATE.match(text, day.end) or _BEFORE_DATE.search(before) or _AT_ONCE.fullmatch(before):
            return [day]
    if "当日合" in text[start:end]:
        return found[max(0, at - 1) : at]
    if lead.rstrip().endswith("合入") or lead.rstrip().endswith("合并"):
        return [day for day in found[max(0, at - 1) : at] if day.start >= start - 80]
    return []


def _state(span: str, lead: str, dated: bool) -> ChangeState:
    near = re.split(r"[。；;]", span)[0]
    if not dated and (_CLOSED.search(near[:20]) or ("首版" in lead and "关闭" in near)):
        return ChangeState.CLOSED
    if not dated and _NOT_MERGED.search(near):
        return ChangeState.OPEN
    return ChangeState.MERGED if dated or _MERGED.search(near) else ChangeState.UNKNOWN


def _relation_of_others(text: str) -> Relation:
    """Return how a change is tied to its card where nothing is said of it itself."""
    if _INFERRED.search(text) or _EXPLICIT.search(text) or not _OFFICIAL.search(text):
        return Relation.INFERRED
    return Relation.OFFICIAL


def _role(state: ChangeState, span: str, lead: str, branch: str, *, is_docs: bool, is_first: bool) -> Role:
    if state in (ChangeState.CLOSED, ChangeState.OPEN) and _SUPERSEDED.search(lead):
        return Role.SUPERSEDED
    if _FOLLOW_UP.search(lead[-8:]) or _THEN.match(span):
        return Role.FOLLOW_UP
    if is_docs or _DOCS.search(lead[-6:]):
        return Role.DOCS
    if any(c.isdigit() for c in branch) or (not is_first and _BACKPORT.search(span[:20])):
        return Role.BACKPORT
    return Role.FIX


def _branches(span: str, group: list[_Ref]) -> list[str]:
    """Return the branch of each reference of a group, as far as the text says it."""
    both = _BRANCHES.match(span)
    if both and len(group) == 2:
        return [both["one"], both["two"]]
    names = [ref.branch for ref in group]
    near = re.split(r"[。；;]", span)[0][:120]
    found = _BRANCH.search(near)
    if found and len(group) == 1 and not names[0]:
        names[0] = (found["in"] or found["of"] or "").rstrip(".-")
    return names


def _joined(known: Change, again: Change) -> Change:
    """Fill in what a second mention of a change tells."""
    state = known.state if known.state is not ChangeState.UNKNOWN else again.state
    filled = known._replace(state=state, branch=known.branch or again.branch, title=known.title or again.title)
    if known.date or not again.date:
        return filled
    return filled._replace(date=again.date, date_derived=again.date_derived)
